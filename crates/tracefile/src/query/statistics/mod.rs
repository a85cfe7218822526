//! Statistics of events: counts, rates and gaps, grouped by event, process, thread or the value of
//! an argument.
//!
//! The caller passes entries to [`Statistics`] in the order in which they are to be counted.
//! Results are available at any time. Memory use depends on the number of groups, which is limited,
//! and not on the number of entries.

mod group;
mod sketch;

use std::fmt;

use ringtrace_events::Text;

use crate::entry::key::{Key, KeyMap, cut};
use crate::entry::{Dropped, Entry, Value};

pub use group::{Group, Label};
pub use sketch::Sketch;

/// The property by which entries are grouped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GroupBy {
    /// The event's name.
    Event,
    /// The process.
    Pid,
    /// The thread, if the trace contains it.
    Tid,
    /// The name of the thread, or its id if it has no name.
    Thread,
    /// The value of the argument with this name, in any event.
    Argument(String),
}

impl fmt::Display for GroupBy {
    /// Prints the form that users write. An argument whose name is one of the keywords is
    /// `arg.NAME`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GroupBy::Event => f.write_str("event"),
            GroupBy::Pid => f.write_str("pid"),
            GroupBy::Tid => f.write_str("tid"),
            GroupBy::Thread => f.write_str("thread"),
            GroupBy::Argument(name) if matches!(name.as_str(), "event" | "pid" | "tid" | "thread") => {
                write!(f, "arg.{name}")
            }
            GroupBy::Argument(name) => f.write_str(name),
        }
    }
}

/// The default limit on the number of groups, which use about 30 MiB. Entries of further groups are
/// counted together.
pub const DEFAULT_MAX_GROUPS: usize = 10_000;

/// Counts entries by groups.
#[derive(Debug)]
pub struct Statistics {
    by: GroupBy,
    max_groups: usize,
    groups: Vec<Group>,
    all: Group,
    other: Group,
    dropped: Dropped,
    without: u64,
    /// By schema index: the group of the event, or the index of the argument.
    slots: Vec<GroupSlot>,
    by_name: KeyMap<Text, GroupSlot>,
    by_number: KeyMap<u64, GroupSlot>,
    by_string: KeyMap<Box<[u8]>, GroupSlot>,
}

/// A cached position of a group or argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GroupSlot {
    Unknown,
    At(u32),
    /// No position, because the argument does not exist or there are too many groups.
    Nowhere,
}

impl Statistics {
    /// Creates statistics of at most `max_groups` groups. Entries of further groups are counted
    /// together.
    pub fn new(by: GroupBy, max_groups: usize) -> Statistics {
        Statistics {
            by,
            max_groups,
            groups: Vec::new(),
            all: Group::new(Label::All),
            other: Group::new(Label::Other),
            dropped: Dropped::default(),
            without: 0,
            slots: Vec::new(),
            by_name: KeyMap::default(),
            by_number: KeyMap::default(),
            by_string: KeyMap::default(),
        }
    }

    /// Counts an entry. A schema index must always refer to the same schema, as it does within one
    /// reader or merge.
    #[inline]
    pub fn count(&mut self, entry: &Entry<'_>) {
        if self.dropped.count(entry) {
            return;
        }
        self.all.add(entry.timestamp_ns);
        let group = match self.by {
            GroupBy::Event => self.slot(entry),
            GroupBy::Pid => self.numbered(u64::from(entry.pid), || Label::Pid(entry.pid)),
            GroupBy::Tid | GroupBy::Thread => {
                let Some(tid) = entry.tid() else { return self.without += 1 };
                match entry.thread_name().filter(|_| self.by == GroupBy::Thread) {
                    Some(name) => self.called(name.as_bytes(), || Label::Thread(name.into())),
                    None => self.numbered(u64::from(tid), || Label::Tid(tid)),
                }
            }
            GroupBy::Argument(_) => match self.slot(entry) {
                GroupSlot::At(index) => match entry.value(index as usize) {
                    Some(value) => self.valued(value, index as usize, entry),
                    None => return self.without += 1,
                },
                _ => return self.without += 1,
            },
        };
        let group = match group {
            GroupSlot::At(index) => &mut self.groups[index as usize],
            _ => &mut self.other,
        };
        group.add(entry.timestamp_ns);
    }

    #[inline]
    fn slot(&mut self, entry: &Entry<'_>) -> GroupSlot {
        match self.slots.get(entry.schema_index as usize) {
            Some(&slot) if slot != GroupSlot::Unknown => slot,
            _ => self.find_slot(entry),
        }
    }

    #[cold]
    fn find_slot(&mut self, entry: &Entry<'_>) -> GroupSlot {
        let schema = entry.schema;
        let slot = match &self.by {
            GroupBy::Argument(name) => match schema.argument(name) {
                Some(index) => GroupSlot::At(index as u32),
                None => GroupSlot::Nowhere,
            },
            _ => match self.by_name.get(schema.name.as_str()) {
                Some(&slot) => slot,
                None => {
                    let slot = self.new_group(|| Label::Event(schema.name.clone()));
                    self.by_name.insert(schema.name.clone(), slot);
                    slot
                }
            },
        };
        let index = entry.schema_index as usize;
        if self.slots.len() <= index {
            self.slots.resize(index + 1, GroupSlot::Unknown);
        }
        self.slots[index] = slot;
        slot
    }

    fn valued(&mut self, value: Value<'_>, index: usize, entry: &Entry<'_>) -> GroupSlot {
        let label = || Label::Value(Key::new(value, entry.schema.arguments[index].ctype));
        match value {
            Value::Integer(bits) => self.numbered(bits, label),
            Value::Str(bytes) => self.called(cut(bytes), label),
        }
    }

    fn called(&mut self, text: &[u8], label: impl FnOnce() -> Label) -> GroupSlot {
        match self.by_string.get(text) {
            Some(&slot) => slot,
            None => {
                let slot = self.new_group(label);
                // Keys without a group are not stored, because their number is unbounded.
                if slot != GroupSlot::Nowhere {
                    self.by_string.insert(text.into(), slot);
                }
                slot
            }
        }
    }

    #[inline]
    fn numbered(&mut self, number: u64, label: impl FnOnce() -> Label) -> GroupSlot {
        match self.by_number.get(&number) {
            Some(&slot) => slot,
            None => {
                let slot = self.new_group(label);
                if slot != GroupSlot::Nowhere {
                    self.by_number.insert(number, slot);
                }
                slot
            }
        }
    }

    fn new_group(&mut self, label: impl FnOnce() -> Label) -> GroupSlot {
        if self.groups.len() >= self.max_groups {
            return GroupSlot::Nowhere;
        }
        self.groups.push(Group::new(label()));
        GroupSlot::At(self.groups.len() as u32 - 1)
    }

    /// Returns the property by which entries are grouped.
    pub fn by(&self) -> &GroupBy {
        &self.by
    }

    /// Returns the limit of groups.
    pub fn max_groups(&self) -> usize {
        self.max_groups
    }

    /// Returns the groups, in order of their first entry.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Returns the counts of all entries together.
    pub fn all(&self) -> &Group {
        &self.all
    }

    /// Returns the counts of entries beyond [`Statistics::max_groups`] groups.
    pub fn other(&self) -> &Group {
        &self.other
    }

    /// Returns the number of entries without a thread, or without the selected argument.
    pub fn without(&self) -> u64 {
        self.without
    }

    /// Returns the events that the traces report as dropped.
    pub fn dropped(&self) -> Dropped {
        self.dropped
    }
}

#[cfg(test)]
mod tests;
