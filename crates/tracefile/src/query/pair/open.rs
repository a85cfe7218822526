//! The table of open begin records, whose end record has not been found.

use std::collections::hash_map::Entry as Slot;
use std::hash::Hash;

use ringtrace_events::CType;

use super::binding::KeyPart;
use crate::entry::key::{Key, KeyMap, cut};
use crate::entry::{Entry, Value};

/// The limit for the memory of a pair's open keys, in bytes. Keys of one or two integers are not
/// counted.
pub const MAX_KEY_BYTES: usize = 12 << 20;

/// The approximate overhead of an allocation.
const ALLOCATION_BYTES: usize = 16;

/// The key of a record. Most keys are one or two integers, which need no allocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum KeyRef<'k> {
    One(u64),
    Two([u64; 2]),
    /// The encoded parts. Each is a tag followed by either 8 bytes, or a length and a string.
    Many(&'k [u8]),
}

const INTEGER_TAG: u8 = 0;
const STRING_TAG: u8 = 1;

/// Returns the key of `entry`, or `None` if a part is missing. `buffer` is used for a long key.
#[inline]
pub(super) fn key_of<'k>(
    parts: &[KeyPart],
    entry: &Entry<'_>,
    buffer: &'k mut Vec<u8>,
) -> Option<KeyRef<'k>> {
    match parts {
        _ if entry.scope > 0 => {}
        [part] => {
            if let Value::Integer(bits) = value(part, entry)? {
                return Some(KeyRef::One(bits));
            }
        }
        [one, other] => {
            if let (Value::Integer(one), Value::Integer(other)) = (value(one, entry)?, value(other, entry)?) {
                return Some(KeyRef::Two([one, other]));
            }
        }
        _ => {}
    }
    buffer.clear();
    for part in parts {
        match value(part, entry)? {
            Value::Integer(bits) => {
                buffer.push(INTEGER_TAG);
                buffer.extend_from_slice(&bits.to_le_bytes());
            }
            Value::Str(bytes) => {
                let bytes = cut(bytes);
                buffer.push(STRING_TAG);
                buffer.extend_from_slice(&(bytes.len() as u16).to_le_bytes());
                buffer.extend_from_slice(bytes);
            }
        }
    }
    // Traces are never joined by chance: the same key in another trace is another key.
    if entry.scope > 0 {
        buffer.push(INTEGER_TAG);
        buffer.extend_from_slice(&u64::from(entry.scope).to_le_bytes());
    }
    Some(KeyRef::Many(buffer))
}

#[inline]
fn value<'a>(part: &KeyPart, entry: &Entry<'a>) -> Option<Value<'a>> {
    match part {
        KeyPart::Argument { index, .. } => entry.value(*index),
        KeyPart::Pid => Some(Value::Integer(u64::from(entry.pid))),
        KeyPart::Tid => entry.tid().map(|tid| Value::Integer(u64::from(tid))),
    }
}

/// Returns the values in `key`, with the types in `parts`.
pub(super) fn keep(key: KeyRef<'_>, parts: &[KeyPart]) -> Vec<Key> {
    let ctype = |index: usize| match parts.get(index) {
        Some(KeyPart::Argument { ctype, .. }) => *ctype,
        _ => CType::Integer { bytes: 4, signed: false },
    };
    let mut rest = match key {
        KeyRef::One(bits) => return vec![Key::Integer { bits, ctype: ctype(0) }],
        KeyRef::Two([one, other]) => {
            return vec![
                Key::Integer { bits: one, ctype: ctype(0) },
                Key::Integer { bits: other, ctype: ctype(1) },
            ];
        }
        KeyRef::Many(bytes) => bytes,
    };
    let mut keys = Vec::new();
    // The number of the scope may follow.
    while keys.len() < parts.len()
        && let Some((value, after)) = split_value(rest)
    {
        keys.push(Key::new(value, ctype(keys.len())));
        rest = after;
    }
    keys
}

/// Splits the first value off the encoded parts of a key.
#[expect(clippy::disallowed_methods, reason = "keys packed in memory")]
fn split_value(parts: &[u8]) -> Option<(Value<'_>, &[u8])> {
    let (&tag, rest) = parts.split_first()?;
    if tag == INTEGER_TAG {
        let (bits, rest) = rest.split_first_chunk()?;
        return Some((Value::Integer(u64::from_le_bytes(*bits)), rest));
    }
    let (length, rest) = rest.split_first_chunk()?;
    let (bytes, rest) = rest.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
    Some((Value::Str(bytes), rest))
}

/// A begin record whose end record has not been found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Open<T> {
    /// The time of the begin record, in nanoseconds of the trace's clock.
    pub begin_ns: u64,
    /// The data that the [`SpanSink`](super::SpanSink) stores for the begin record.
    pub kept: T,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BeginOutcome {
    New,
    /// A begin record with the same key was open and was replaced.
    Restarted,
    Full,
}

/// All open begin records of a pair, by key.
#[derive(Debug)]
pub(super) struct OpenTable<T> {
    one: KeyMap<u64, Open<T>>,
    two: KeyMap<[u64; 2], Open<T>>,
    many: KeyMap<Box<[u8]>, Open<T>>,
    many_bytes: usize,
    max_open: usize,
}

impl<T> OpenTable<T> {
    pub(super) fn new(max_open: usize) -> OpenTable<T> {
        OpenTable {
            one: KeyMap::default(),
            two: KeyMap::default(),
            many: KeyMap::default(),
            many_bytes: 0,
            max_open,
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.one.len() + self.two.len() + self.many.len()
    }

    /// Returns whether `more` begin records can be added.
    pub(super) fn has_room_for(&self, more: u64) -> bool {
        self.len() as u64 + more <= self.max_open as u64
    }

    /// Adds the begin record that `open` creates for `key`. The argument of `open` is the replaced
    /// record with the same key, if there is one. `open` is not called if the table is full.
    #[inline]
    pub(super) fn begin(
        &mut self,
        key: KeyRef<'_>,
        open: impl FnOnce(Option<Open<T>>) -> Open<T>,
    ) -> BeginOutcome {
        let room = self.len() < self.max_open;
        match key {
            KeyRef::One(bits) => put(&mut self.one, bits, open, room),
            KeyRef::Two(bits) => put(&mut self.two, bits, open, room),
            KeyRef::Many(bytes) => {
                let many_bytes = self.many_bytes + bytes.len() + ALLOCATION_BYTES;
                if let Some((key, found)) = self.many.remove_entry(bytes) {
                    self.many.insert(key, open(Some(found)));
                    BeginOutcome::Restarted
                } else if !room || many_bytes > MAX_KEY_BYTES {
                    BeginOutcome::Full
                } else {
                    self.many_bytes = many_bytes;
                    put(&mut self.many, bytes.into(), open, true)
                }
            }
        }
    }

    /// Adds the begin record that `open` creates, and returns true, if there is room and `key` is not open.
    #[inline(always)]
    pub(super) fn try_begin_one(&mut self, key: u64, open: impl FnOnce() -> Open<T>) -> bool {
        if self.len() >= self.max_open {
            return false;
        }
        match self.one.entry(key) {
            Slot::Occupied(_) => false,
            Slot::Vacant(slot) => {
                slot.insert(open());
                true
            }
        }
    }

    #[inline]
    pub(super) fn get(&mut self, key: KeyRef<'_>) -> Option<&mut Open<T>> {
        match key {
            KeyRef::One(bits) => self.one.get_mut(&bits),
            KeyRef::Two(bits) => self.two.get_mut(&bits),
            KeyRef::Many(bytes) => self.many.get_mut(bytes),
        }
    }

    #[inline]
    pub(super) fn end(&mut self, key: KeyRef<'_>) -> Option<Open<T>> {
        match key {
            KeyRef::One(bits) => self.try_end_one(bits),
            KeyRef::Two(bits) => self.two.remove(&bits),
            KeyRef::Many(bytes) => {
                let found = self.many.remove(bytes)?;
                self.many_bytes -= bytes.len() + ALLOCATION_BYTES;
                Some(found)
            }
        }
    }

    #[inline(always)]
    pub(super) fn try_end_one(&mut self, key: u64) -> Option<Open<T>> {
        self.one.remove(&key)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (KeyRef<'_>, &Open<T>)> {
        let one = self.one.iter().map(|(&bits, open)| (KeyRef::One(bits), open));
        let two = self.two.iter().map(|(&bits, open)| (KeyRef::Two(bits), open));
        one.chain(two).chain(self.many.iter().map(|(bytes, open)| (KeyRef::Many(bytes), open)))
    }
}

#[inline]
fn put<K: Hash + Eq, T>(
    map: &mut KeyMap<K, Open<T>>,
    key: K,
    open: impl FnOnce(Option<Open<T>>) -> Open<T>,
    room: bool,
) -> BeginOutcome {
    if !room {
        // Do not use `entry` here: even a vacant entry can double the map's capacity.
        return match map.remove_entry(&key) {
            Some((key, found)) => {
                map.insert(key, open(Some(found)));
                BeginOutcome::Restarted
            }
            None => BeginOutcome::Full,
        };
    }
    match map.entry(key) {
        Slot::Occupied(slot) => {
            let (key, found) = slot.remove_entry();
            map.insert(key, open(Some(found)));
            BeginOutcome::Restarted
        }
        Slot::Vacant(slot) => {
            slot.insert(open(None));
            BeginOutcome::New
        }
    }
}
