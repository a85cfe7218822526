//! Assigns entries to groups.

use std::sync::Arc;

use ringtrace_events::{CType, Text};

use super::{GroupBy, Label};
use crate::align::Origin;
use crate::entry::key::{KeyMap, cut};
use crate::entry::{Entry, Threads, Value};

/// Assigns entries to groups, which are numbered in the order of their first entries.
#[derive(Debug)]
pub struct Grouping {
    by: GroupBy,
    max_groups: usize,
    /// The origins of the traces, by [`Entry::trace`].
    origins: Arc<[Origin]>,
    labels: Vec<Label>,
    /// By schema index: the group of the event, or the index of the argument.
    slots: Vec<GroupSlot>,
    by_name: KeyMap<Text, GroupSlot>,
    by_number: KeyMap<u64, GroupSlot>,
    by_string: KeyMap<Box<[u8]>, GroupSlot>,
    /// The groups of named threads, by id, as long as [`Threads::changes`] returns `names`.
    by_thread: KeyMap<u32, GroupSlot>,
    names: u64,
    buffer: Vec<u8>,
}

/// The group of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupIndex {
    /// The number of the group, from 0.
    At(usize),
    /// The limit on the number of groups has been reached.
    Other,
    /// The entry has no thread, lacks the selected argument, or its machine is unknown.
    Without,
}

/// A cached position of a group or argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GroupSlot {
    Unknown,
    At(u32),
    /// No position, because the argument does not exist or there are too many groups.
    Nowhere,
}

impl From<GroupSlot> for GroupIndex {
    fn from(slot: GroupSlot) -> GroupIndex {
        match slot {
            GroupSlot::At(index) => GroupIndex::At(index as usize),
            GroupSlot::Unknown | GroupSlot::Nowhere => GroupIndex::Other,
        }
    }
}

impl Grouping {
    /// Creates a grouping with at most `max_groups` groups.
    pub fn new(by: GroupBy, max_groups: usize) -> Grouping {
        Grouping {
            by,
            max_groups,
            origins: Arc::default(),
            labels: Vec::new(),
            slots: Vec::new(),
            by_name: KeyMap::default(),
            by_number: KeyMap::default(),
            by_string: KeyMap::default(),
            by_thread: KeyMap::default(),
            names: 0,
            buffer: Vec::new(),
        }
    }

    /// Sets the origins of the traces, as in [`Aligned`](crate::align::Aligned). They are needed for
    /// [`GroupBy::Host`].
    #[must_use]
    pub fn with_origins(self, origins: &Arc<[Origin]>) -> Grouping {
        Grouping { origins: Arc::clone(origins), ..self }
    }

    pub(super) fn origins(&self) -> &Arc<[Origin]> {
        &self.origins
    }

    /// Returns the property by which entries are grouped.
    pub fn by(&self) -> &GroupBy {
        &self.by
    }

    /// Returns the maximum number of groups.
    pub fn max_groups(&self) -> usize {
        self.max_groups
    }

    /// Returns the labels of the groups.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// Returns the group of `entry`. A schema index must always refer to the same schema, as it
    /// does within one reader or merge.
    #[inline]
    pub fn group_of(&mut self, entry: &Entry<'_>) -> GroupIndex {
        let slot = match self.by {
            GroupBy::Event => self.slot(entry),
            GroupBy::Pid => {
                let Entry { trace, pid, .. } = *entry;
                self.numbered(in_trace(trace, pid), || Label::Pid { trace, pid })
            }
            GroupBy::Tid | GroupBy::Thread => {
                let Some(tid) = entry.tid() else { return GroupIndex::Without };
                let trace = entry.trace;
                match entry.thread_name().filter(|_| self.by == GroupBy::Thread) {
                    Some(name) => self.thread(trace, name),
                    None => self.numbered(in_trace(trace, tid), || Label::Tid { trace, tid }),
                }
            }
            GroupBy::Trace => self.numbered(entry.trace.into(), || Label::Trace(entry.trace)),
            GroupBy::Host => {
                let origins = Arc::clone(&self.origins);
                let host = origins.get(entry.trace as usize).and_then(|origin| origin.host.as_ref());
                let Some(host) = host else { return GroupIndex::Without };
                self.called(host.as_bytes(), || Label::Host(host.clone()))
            }
            GroupBy::Argument(_) => match self.slot(entry) {
                GroupSlot::At(index) => match entry.value(index as usize) {
                    Some(value) => self.valued(value, index as usize, entry),
                    None => return GroupIndex::Without,
                },
                _ => return GroupIndex::Without,
            },
        };
        slot.into()
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
            _ => self.named(&schema.name),
        };
        self.set_slot(entry.schema_index, slot)
    }

    fn set_slot(&mut self, schema_index: u32, slot: GroupSlot) -> GroupSlot {
        let index = schema_index as usize;
        if self.slots.len() <= index {
            self.slots.resize(index + 1, GroupSlot::Unknown);
        }
        self.slots[index] = slot;
        slot
    }

    /// Returns the group of the records of the event `name`.
    #[inline]
    pub(super) fn group_of_event(&mut self, schema_index: u32, name: &Text) -> GroupIndex {
        let slot = match self.slots.get(schema_index as usize) {
            Some(&slot) if slot != GroupSlot::Unknown => slot,
            _ => {
                let slot = self.named(name);
                self.set_slot(schema_index, slot)
            }
        };
        slot.into()
    }

    /// Returns the group of the records of a thread of a single trace, if the thread has a name.
    #[inline]
    pub(super) fn group_of_thread(&mut self, tid: u32, threads: &Threads) -> Option<GroupIndex> {
        if self.names != threads.changes() {
            self.by_thread.clear();
            self.names = threads.changes();
        }
        let slot = match self.by_thread.get(&tid) {
            Some(&slot) => slot,
            None => {
                let slot = self.thread(0, threads.name(tid)?);
                self.by_thread.insert(tid, slot);
                slot
            }
        };
        Some(slot.into())
    }

    /// Returns the group with `label`, which is not that of a value.
    pub(super) fn group_with(&mut self, label: &Label) -> GroupIndex {
        let slot = match *label {
            Label::Event(ref name) => self.named(name),
            Label::Pid { trace, pid: number } | Label::Tid { trace, tid: number } => {
                self.numbered(in_trace(trace, number), || label.clone())
            }
            Label::Thread { trace, ref name } => self.thread(trace, name),
            Label::Host(ref name) => self.called(name.as_bytes(), || label.clone()),
            Label::Trace(number) => self.numbered(number.into(), || label.clone()),
            Label::All | Label::Value(_) | Label::Other => GroupSlot::Nowhere,
        };
        slot.into()
    }

    /// Returns whether there is a group with `label`, which is not that of a value.
    pub(super) fn knows(&self, label: &Label) -> bool {
        match *label {
            Label::Event(ref name) => self.by_name.contains_key(name.as_str()),
            Label::Pid { trace, pid: number } | Label::Tid { trace, tid: number } => {
                self.by_number.contains_key(&in_trace(trace, number))
            }
            Label::Trace(number) => self.by_number.contains_key(&u64::from(number)),
            Label::Host(ref name) => self.by_string.contains_key(name.as_bytes()),
            // In a single trace, names are keys.
            Label::Thread { trace, ref name } => trace == 0 && self.by_string.contains_key(name.as_bytes()),
            Label::All | Label::Value(_) | Label::Other => false,
        }
    }

    /// Removes all groups.
    pub(super) fn restart(&mut self) {
        self.labels.clear();
        self.slots.fill(GroupSlot::Unknown);
        self.by_name.clear();
        self.by_number.clear();
        self.by_string.clear();
        self.by_thread.clear();
    }

    fn named(&mut self, name: &Text) -> GroupSlot {
        match self.by_name.get(name.as_str()) {
            Some(&slot) => slot,
            None => {
                let slot = self.new_group(|| Label::Event(name.clone()));
                self.by_name.insert(name.clone(), slot);
                slot
            }
        }
    }

    fn valued(&mut self, value: Value<'_>, index: usize, entry: &Entry<'_>) -> GroupSlot {
        let argument = &entry.schema.arguments[index];
        let value = match value {
            Value::Integer(bits) if argument.ctype == CType::Double => Value::Integer(canonical(bits)),
            value => value,
        };
        let label = || Label::Value(argument.key(value));
        match value {
            Value::Integer(bits) => self.numbered(bits, label),
            Value::Str(bytes) => self.called(cut(bytes), label),
        }
    }

    /// Returns the group of the threads of a trace that have this name.
    fn thread(&mut self, trace: u32, name: &str) -> GroupSlot {
        let label = || Label::Thread { trace, name: name.into() };
        if trace == 0 {
            return self.called(name.as_bytes(), label);
        }
        let mut key = std::mem::take(&mut self.buffer);
        key.clear();
        // A name never contains this byte, because it is UTF-8.
        key.push(u8::MAX);
        key.extend_from_slice(&trace.to_le_bytes());
        key.extend_from_slice(name.as_bytes());
        let slot = self.called(&key, label);
        self.buffer = key;
        slot
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
        if self.labels.len() >= self.max_groups {
            return GroupSlot::Nowhere;
        }
        self.labels.push(label());
        GroupSlot::At(self.labels.len() as u32 - 1)
    }
}

/// Returns the key of a process or thread. The same id in another trace is another process or thread.
fn in_trace(trace: u32, number: u32) -> u64 {
    u64::from(trace) << 32 | u64::from(number)
}

/// Returns the bits of a floating-point value, with the same bits for all NaNs.
fn canonical(bits: u64) -> u64 {
    if f64::from_bits(bits).is_nan() { f64::NAN.to_bits() } else { bits }
}
