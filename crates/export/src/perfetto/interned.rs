//! Strings that are written once and then referenced by number.

use ringtrace_tracefile::key::KeyMap;

use super::field::{interned, packet};
use super::protobuf::Message;

/// The strings so far. Their number depends on the declarations, not on the number of records.
#[derive(Default)]
pub(super) struct InternedStrings {
    /// The numbers of strings, by field of the interned data (counted from 1). Each field has its
    /// own numbering.
    numbers: [KeyMap<Box<str>, u64>; 3],
    /// The strings that have not been written yet: field, number and contents.
    new: Vec<(u32, u64, Box<str>)>,
}

impl InternedStrings {
    pub(super) fn category(&mut self, text: &str) -> u64 {
        self.number(interned::CATEGORY, text)
    }

    pub(super) fn event(&mut self, text: &str) -> u64 {
        self.number(interned::EVENT_NAME, text)
    }

    pub(super) fn argument(&mut self, text: &str) -> u64 {
        self.number(interned::ARGUMENT_NAME, text)
    }

    fn number(&mut self, field: u32, text: &str) -> u64 {
        let numbers = &mut self.numbers[field as usize - 1];
        if let Some(number) = numbers.get(text) {
            return *number;
        }
        // 0 means no string.
        let number = numbers.len() as u64 + 1;
        numbers.insert(text.into(), number);
        self.new.push((field, number, text.into()));
        number
    }

    /// Writes the new strings to `packet`, which may already refer to them.
    pub(super) fn write_new(&mut self, packet: &mut Message) {
        if self.new.is_empty() {
            return;
        }
        packet.message(packet::INTERNED_DATA, |data| {
            for (field, number, text) in self.new.drain(..) {
                data.message(field, |entry| {
                    entry.uint(interned::ID, number);
                    entry.text(interned::TEXT, &text);
                });
            }
        });
    }
}
