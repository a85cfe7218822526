//! What has begun and not ended yet.

use std::collections::hash_map::Entry as Slot;
use std::hash::Hash;

use ringtrace_events::CType;

use super::binding::KeyPart;
use crate::entry::key::{Key, KeyMap, cut};
use crate::entry::{Entry, Value};

/// Bytes that the keys of a pair's open begins may take, where a key is more than two integers.
pub const MAX_KEY_BYTES: usize = 12 << 20;

/// What an allocation takes beside its contents, about.
const ALLOCATION_BYTES: usize = 16;

/// The key of a record. Most are one or two integers, which need no memory of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum KeyRef<'k> {
    One(u64),
    Two([u64; 2]),
    /// The parts in a row: a tag, then 8 bytes, or a length and a string.
    Many(&'k [u8]),
}

const INTEGER_TAG: u8 = 0;
const STRING_TAG: u8 = 1;

/// The key of `entry`, which has its parts as `parts` says. `None` when one is missing.
#[inline]
pub(super) fn key_of<'k>(parts: &[KeyPart], entry: &Entry<'_>, room: &'k mut Vec<u8>) -> Option<KeyRef<'k>> {
    match parts {
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
    room.clear();
    for part in parts {
        match value(part, entry)? {
            Value::Integer(bits) => {
                room.push(INTEGER_TAG);
                room.extend_from_slice(&bits.to_le_bytes());
            }
            Value::Str(bytes) => {
                let bytes = cut(bytes);
                room.push(STRING_TAG);
                room.extend_from_slice(&(bytes.len() as u16).to_le_bytes());
                room.extend_from_slice(bytes);
            }
        }
    }
    Some(KeyRef::Many(room))
}

#[inline]
fn value<'a>(part: &KeyPart, entry: &Entry<'a>) -> Option<Value<'a>> {
    match part {
        KeyPart::Argument { index, .. } => entry.value(*index),
        KeyPart::Pid => Some(Value::Integer(u64::from(entry.pid))),
        KeyPart::Tid => entry.tid().map(|tid| Value::Integer(u64::from(tid))),
    }
}

/// The values of `key`, shown as the arguments that `parts` names.
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
    while let Some((value, after)) = split_value(rest) {
        keys.push(Key::new(value, ctype(keys.len())));
        rest = after;
    }
    keys
}

/// The first value of the parts of a key, and the rest.
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

/// One that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Open<T> {
    /// When it began, in nanoseconds of the trace's clock.
    pub begin_ns: u64,
    /// What was kept of the begin.
    pub kept: T,
}

/// What [`OpenTable::begin`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BeginOutcome {
    New,
    /// One with the same key was open. The new one took its place.
    Restarted,
    /// There is no room for it.
    Full,
}

/// All that is open of a pair, by key.
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

    /// Begins the one with `key`: `open` makes it, of the one with the same key that it takes the place of. It is not
    /// called when there is no room.
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

    /// The one with `key`.
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
            KeyRef::One(bits) => self.one.remove(&bits),
            KeyRef::Two(bits) => self.two.remove(&bits),
            KeyRef::Many(bytes) => {
                let found = self.many.remove(bytes)?;
                self.many_bytes -= bytes.len() + ALLOCATION_BYTES;
                Some(found)
            }
        }
    }

    /// All, in no order.
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
        // Not by an entry: even one that stays vacant can make the map twice as large.
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
