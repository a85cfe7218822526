//! The events of a CTF trace: numbers that records begin with.
//!
//! There is more than one for a shape. Where a string is empty, babeltrace2 up to 2.0.4 shows the string that an earlier record of the same
//! event had there. So records with other strings empty are of another event, of the same name: then there is no such earlier record.

use super::stream::Origin;
use crate::shapes::Shape;

/// Beyond so many of a shape, records share one.
const MOST_OF_SHAPE: usize = 64;

/// Which strings of a record are empty: a bit for each, by its place among them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Empty(u32);

impl Empty {
    /// Notes that string `index`, of those of the record, is empty.
    pub(super) fn note(&mut self, index: usize) {
        self.0 |= 1_u32.checked_shl(index as u32).unwrap_or(0);
    }

    /// Of strings, in their order.
    pub(super) fn of<'t>(texts: impl Iterator<Item = &'t [u8]>) -> Empty {
        let mut empty = Empty::default();
        for (index, text) in texts.enumerate() {
            if text.is_empty() {
                empty.note(index);
            }
        }
        empty
    }

    /// A number below 2^`texts`, for as many strings.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What the metadata says of an event.
#[derive(Debug)]
pub(super) struct Event {
    /// The number of its shape.
    pub(super) shape: usize,
    /// A bit for each origin of whose records it is an event.
    origins: u8,
}

impl Event {
    /// Whether it stands in the stream of `origin`.
    pub(super) fn is_of(&self, origin: Origin) -> bool {
        self.origins & bit(origin) != 0
    }
}

fn bit(origin: Origin) -> u8 {
    1 << origin as u32
}

/// All events that were written.
#[derive(Debug, Default)]
pub(super) struct Events {
    list: Vec<Event>,
    by_shape: Vec<Vec<(Empty, u32)>>,
}

impl Events {
    /// All, by number.
    pub(super) fn all(&self) -> &[Event] {
        &self.list
    }

    /// The event of records of the shape `shape` with `empty` strings, in the stream of `origin`.
    pub(super) fn id(&mut self, shape: usize, empty: Empty, origin: Origin) -> u32 {
        if self.by_shape.len() <= shape {
            self.by_shape.resize_with(shape + 1, Vec::new);
        }
        let variants = &mut self.by_shape[shape];
        let id = match variants.iter().find(|(known, _)| *known == empty) {
            Some((_, id)) => *id,
            None if variants.len() >= MOST_OF_SHAPE => variants[0].1,
            None => {
                let id = self.list.len() as u32;
                self.list.push(Event { shape, origins: 0 });
                variants.push((empty, id));
                id
            }
        };
        self.list[id as usize].origins |= bit(origin);
        id
    }
}

/// How many strings records of `shape` have.
pub(super) fn texts(shape: &Shape) -> usize {
    shape.fields.iter().filter(|field| field.kind == crate::value::Kind::Text).count()
}
