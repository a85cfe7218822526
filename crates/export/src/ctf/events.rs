//! The events of a CTF trace. Each record starts with the number of its event.
//!
//! A record type can have several events. If a string is empty, babeltrace2 up to 2.0.4 shows the
//! string of an earlier record of the same event. Records with different sets of empty strings
//! therefore get different events with the same name, so that no such earlier record exists.

use super::stream::StreamKind;
use crate::shared::record_types::{RecordType, slot};

/// Maximum number of events for a record type. Beyond it, records share an event.
const MAX_VARIANTS: usize = 64;

/// The set of empty strings in a record: a bit for each string, by its index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Empty(u32);

impl Empty {
    pub(super) fn note(&mut self, index: usize) {
        self.0 |= 1_u32.checked_shl(index as u32).unwrap_or(0);
    }

    pub(super) fn of<'t>(texts: impl Iterator<Item = &'t [u8]>) -> Empty {
        let mut empty = Empty::default();
        for (index, text) in texts.enumerate() {
            if text.is_empty() {
                empty.note(index);
            }
        }
        empty
    }

    /// Returns a number below 2^n for n strings.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug)]
pub(super) struct Event {
    pub(super) record_type: usize,
    /// A set of the streams that contain records of the event, with a bit for each stream.
    kinds: u8,
}

impl Event {
    pub(super) fn is_of(&self, kind: StreamKind) -> bool {
        self.kinds & bit(kind) != 0
    }
}

fn bit(kind: StreamKind) -> u8 {
    1 << kind as u32
}

#[derive(Debug, Default)]
pub(super) struct Events {
    list: Vec<Event>,
    by_type: Vec<Vec<(Empty, u32)>>,
}

impl Events {
    pub(super) fn all(&self) -> &[Event] {
        &self.list
    }

    /// Returns the id of the event for records of type `record_type` in stream `kind` whose empty
    /// string fields are `empty`.
    pub(super) fn id(&mut self, record_type: usize, empty: Empty, kind: StreamKind) -> u32 {
        let variants = slot(&mut self.by_type, record_type);
        let id = match variants.iter().find(|(known, _)| *known == empty) {
            Some((_, id)) => *id,
            None if variants.len() >= MAX_VARIANTS => variants[0].1,
            None => {
                let id = self.list.len() as u32;
                self.list.push(Event { record_type, kinds: 0 });
                variants.push((empty, id));
                id
            }
        };
        self.list[id as usize].kinds |= bit(kind);
        id
    }
}

pub(super) fn texts(record_type: &RecordType) -> usize {
    record_type.fields.iter().filter(|field| field.kind == crate::shared::value::ValueKind::Text).count()
}
