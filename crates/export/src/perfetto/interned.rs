//! Texts that are written once, and from then on stand for themselves by a number.

use std::collections::HashMap;

use super::field::{interned, packet};
use super::protobuf::Message;

/// What kinds of texts there are; each has numbers of its own.
#[derive(Clone, Copy)]
pub(super) enum InternedKind {
    Category,
    EventName,
    ArgumentName,
}

const KINDS: usize = 3;

impl InternedKind {
    fn field(self) -> u32 {
        match self {
            InternedKind::Category => interned::CATEGORY,
            InternedKind::EventName => interned::EVENT_NAME,
            InternedKind::ArgumentName => interned::ARGUMENT_NAME,
        }
    }
}

/// The texts so far. There are as many as the traces declare, whatever they record.
#[derive(Default)]
pub(super) struct InternedStrings {
    numbers: [HashMap<Box<str>, u64>; KINDS],
    fresh: Vec<(InternedKind, u64, Box<str>)>,
}

impl InternedStrings {
    pub(super) fn number(&mut self, kind: InternedKind, text: &str) -> u64 {
        let numbers = &mut self.numbers[kind as usize];
        if let Some(number) = numbers.get(text) {
            return *number;
        }
        // 0 means none.
        let number = numbers.len() as u64 + 1;
        numbers.insert(text.into(), number);
        self.fresh.push((kind, number, text.into()));
        number
    }

    /// Tells in `packet` what is new: it counts for that packet already.
    pub(super) fn write_new(&mut self, packet: &mut Message) {
        if self.fresh.is_empty() {
            return;
        }
        packet.message(packet::INTERNED_DATA, |data| {
            for (kind, number, text) in self.fresh.drain(..) {
                data.message(kind.field(), |entry| {
                    entry.uint(interned::ID, number);
                    entry.text(interned::TEXT, &text);
                });
            }
        });
    }
}
