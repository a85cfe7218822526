//! The context of a record: the CPU on which an event occurred, and the call stack of its thread.
//!
//! In a v4 file, the context is a mapping record directly before the record to which it belongs.
//! Its name is `ringtrace.context=WORD WORD...`, and all these mapping records have the same id.
//! Readers that do not support it treat it as an event that never occurs.
//!
//! | word | meaning |
//! |---|---|
//! | `cpu=N` | the number of the CPU |
//! | `stack=ADDRESS,ADDRESS...` | in hex: the address of the probe, then return addresses, innermost first |
//!
//! Words with other keys are ignored.

use super::metadata::{FIRST_ID, PREFIX};
use super::{Mapping, v4};
use crate::ByteOrder;

/// The key of these metadata records.
pub const KEY: &str = "context";

/// The number of all these metadata records. A different number for each would only make readers
/// keep a name for each.
pub const NUMBER: u32 = u32::MAX;

const CPU: &[u8] = b"cpu=";
const STACK: &[u8] = b"stack=";

/// The context of a record. It borrows from the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RecordContext<'a> {
    words: &'a [u8],
    record_bytes: usize,
}

impl<'a> RecordContext<'a> {
    /// Returns the context in a mapping record, or `None` if the record has another purpose.
    pub fn of(mapping: &Mapping<'a>) -> Option<RecordContext<'a>> {
        if mapping.id != FIRST_ID + u64::from(NUMBER) {
            return None;
        }
        let rest = mapping.name.strip_prefix(PREFIX.as_bytes())?;
        let words = rest.strip_prefix(KEY.as_bytes())?.strip_prefix(b"=")?;
        Some(RecordContext { words, record_bytes: mapping.size })
    }

    /// Creates a context from the result of [`RecordContext::words`].
    pub fn from_words(words: &'a [u8]) -> RecordContext<'a> {
        RecordContext { words, record_bytes: 0 }
    }

    /// Returns the encoded words.
    pub fn words(&self) -> &'a [u8] {
        self.words
    }

    /// Returns the size of the mapping record with the context; 0 if there is none.
    pub fn record_bytes(&self) -> usize {
        self.record_bytes
    }

    /// Returns whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns the number of the CPU, if it was recorded.
    pub fn cpu(&self) -> Option<u32> {
        std::str::from_utf8(self.word(CPU)?).ok()?.parse().ok()
    }

    /// Returns the addresses of the stack, innermost first: the address of the probe, and then
    /// return addresses. Ends at an invalid address.
    pub fn stack(&self) -> impl Iterator<Item = u64> + use<'a> {
        let words = self.word(STACK).into_iter().flat_map(|words| words.split(|&byte| byte == b','));
        words.map_while(|word| u64::from_str_radix(std::str::from_utf8(word).ok()?, 16).ok())
    }

    fn word(&self, key: &[u8]) -> Option<&'a [u8]> {
        self.words.split(|&byte| byte == b' ').find_map(|word| word.strip_prefix(key))
    }
}

/// Appends the mapping record for a context.
pub fn encode(cpu: Option<u32>, stack: impl IntoIterator<Item = u64>, order: ByteOrder, out: &mut Vec<u8>) {
    v4::encode_mapping_with(FIRST_ID + u64::from(NUMBER), order, out, |out| {
        out.extend_from_slice(format!("{PREFIX}{KEY}=").as_bytes());
        if let Some(cpu) = cpu {
            out.extend_from_slice(format!("cpu={cpu}").as_bytes());
        }
        for (index, address) in stack.into_iter().enumerate() {
            let before = match (index, cpu) {
                (0, None) => "stack=",
                (0, Some(_)) => " stack=",
                _ => ",",
            };
            out.extend_from_slice(format!("{before}{address:x}").as_bytes());
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Little;
    use crate::simpletrace::{ByLength, Layout, Step, v4::V4};

    fn encoded(cpu: Option<u32>, stack: &[u64]) -> Vec<u8> {
        let mut bytes = Vec::new();
        encode(cpu, stack.iter().copied(), ByteOrder::Little, &mut bytes);
        bytes
    }

    #[test]
    fn contexts_round_trip() {
        for cpu in [None, Some(0), Some(4095)] {
            for stack in [&[][..], &[0x55d0_c0ff_ee00], &[1, u64::MAX, 3]] {
                let bytes = encoded(cpu, stack);
                let Step::Mapping(mapping) = V4::<Little>::step(&bytes, &ByLength) else { panic!() };
                assert_eq!(mapping.size, bytes.len());
                let context = RecordContext::of(&mapping).unwrap();
                assert_eq!(context.cpu(), cpu);
                assert_eq!(context.stack().collect::<Vec<_>>(), stack);
            }
        }
    }

    #[test]
    fn invalid_words_are_ignored() {
        let context = RecordContext::from_words(b"later=1 cpu=x stack=1f,,3");
        assert_eq!(context.cpu(), None);
        assert_eq!(context.stack().collect::<Vec<_>>(), [0x1f]);
        let name = b"ringtrace.context=cpu=1";
        assert!(RecordContext::of(&Mapping { id: 7, name, size: 0 }).is_none());
        let name = b"ringtrace.other=cpu=1";
        assert!(RecordContext::of(&Mapping { id: FIRST_ID + u64::from(NUMBER), name, size: 0 }).is_none());
    }
}
