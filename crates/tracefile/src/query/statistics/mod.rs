//! How often, how fast, and with what gaps events come: by event, process, thread or the value of an argument.
//!
//! [`Statistics`] is fed with entries in the order in which they are to be counted and can be asked at any time.
//! Its memory depends on the number of groups, which is capped, and not on the number of entries.

mod group;
mod sketch;

use std::fmt;

use ringtrace_events::Text;

use crate::entry::key::{Key, KeyMap, cut};
use crate::entry::{Dropped, Entry, Value};

pub use group::{Group, Label};
pub use sketch::Sketch;

/// What makes entries a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GroupBy {
    /// The event's name.
    Event,
    /// The process.
    Pid,
    /// The thread, where the trace tells it.
    Tid,
    /// The name of the thread, or its id where it has none.
    Thread,
    /// The value of the argument of this name, whichever event has it.
    Argument(String),
}

impl fmt::Display for GroupBy {
    /// As users write it: an argument that is called like one of the others is `arg.NAME`.
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

/// Groups beyond this many are counted together, unless the user says otherwise: about 30 MiB.
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
    /// GroupBy schema index: the group of that event, or the index of the argument.
    places: Vec<GroupSlot>,
    by_name: KeyMap<Text, GroupSlot>,
    by_number: KeyMap<u64, GroupSlot>,
    by_string: KeyMap<Box<[u8]>, GroupSlot>,
}

/// Where something was found before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GroupSlot {
    Unknown,
    At(u32),
    /// There is none: no such argument, or too many groups.
    Nowhere,
}

impl Statistics {
    /// Statistics of at most `max_groups` groups; entries of others are counted together.
    pub fn new(by: GroupBy, max_groups: usize) -> Statistics {
        Statistics {
            by,
            max_groups,
            groups: Vec::new(),
            all: Group::new(Label::All),
            other: Group::new(Label::Other),
            dropped: Dropped::default(),
            without: 0,
            places: Vec::new(),
            by_name: KeyMap::default(),
            by_number: KeyMap::default(),
            by_string: KeyMap::default(),
        }
    }

    /// Counts an entry. The same schema index must always mean the same schema, as within one reader or merge.
    #[inline]
    pub fn count(&mut self, entry: &Entry<'_>) {
        if self.dropped.count(entry) {
            return;
        }
        self.all.add(entry.timestamp_ns);
        let group = match self.by {
            GroupBy::Event => self.place(entry),
            GroupBy::Pid => self.numbered(u64::from(entry.pid), || Label::Pid(entry.pid)),
            GroupBy::Tid | GroupBy::Thread => {
                let Some(tid) = entry.tid() else { return self.without += 1 };
                match entry.thread_name().filter(|_| self.by == GroupBy::Thread) {
                    Some(name) => self.called(name.as_bytes(), || Label::Thread(name.into())),
                    None => self.numbered(u64::from(tid), || Label::Tid(tid)),
                }
            }
            GroupBy::Argument(_) => match self.place(entry) {
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

    /// What the entry's schema means here.
    #[inline]
    fn place(&mut self, entry: &Entry<'_>) -> GroupSlot {
        match self.places.get(entry.schema_index as usize) {
            Some(&place) if place != GroupSlot::Unknown => place,
            _ => self.find_place(entry),
        }
    }

    #[cold]
    fn find_place(&mut self, entry: &Entry<'_>) -> GroupSlot {
        let schema = entry.schema;
        let place = match &self.by {
            GroupBy::Argument(name) => match schema.argument(name) {
                Some(index) => GroupSlot::At(index as u32),
                None => GroupSlot::Nowhere,
            },
            _ => match self.by_name.get(schema.name.as_str()) {
                Some(&place) => place,
                None => {
                    let place = self.new_group(|| Label::Event(schema.name.clone()));
                    self.by_name.insert(schema.name.clone(), place);
                    place
                }
            },
        };
        let index = entry.schema_index as usize;
        if self.places.len() <= index {
            self.places.resize(index + 1, GroupSlot::Unknown);
        }
        self.places[index] = place;
        place
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
            Some(&place) => place,
            None => {
                let place = self.new_group(label);
                // Those that have no group are not remembered: there is no bound on them.
                if place != GroupSlot::Nowhere {
                    self.by_string.insert(text.into(), place);
                }
                place
            }
        }
    }

    #[inline]
    fn numbered(&mut self, number: u64, label: impl FnOnce() -> Label) -> GroupSlot {
        match self.by_number.get(&number) {
            Some(&place) => place,
            None => {
                let place = self.new_group(label);
                if place != GroupSlot::Nowhere {
                    self.by_number.insert(number, place);
                }
                place
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

    /// What makes a group.
    pub fn by(&self) -> &GroupBy {
        &self.by
    }

    /// How many groups are kept at most.
    pub fn max_groups(&self) -> usize {
        self.max_groups
    }

    /// The groups, in order of their first entry.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// All entries taken together.
    pub fn all(&self) -> &Group {
        &self.all
    }

    /// The entries that had no group because there were [`Statistics::max_groups`] already.
    pub fn other(&self) -> &Group {
        &self.other
    }

    /// How many entries have no thread, or no argument of the name asked for.
    pub fn without(&self) -> u64 {
        self.without
    }

    /// What the traces say was dropped.
    pub fn dropped(&self) -> Dropped {
        self.dropped
    }
}

#[cfg(test)]
mod tests;
