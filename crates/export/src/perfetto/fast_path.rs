//! The fast path: instants of ordinary records.
//!
//! Except for the values, all packets of the same event and thread are equal and short. This
//! constant part is prepared in words of eight bytes, each of which is written as a whole. Every
//! length field has as many bytes as the event's longest packet needs; Protobuf accepts numbers
//! that are longer than necessary.

use std::io;

use ringtrace_tracefile::{Entry, OrdinaryRecords};
use ringtrace_wire::Little;
use ringtrace_wire::simpletrace::v4::{V4, integers};
use ringtrace_wire::simpletrace::{Layout, Record};

use super::Perfetto;
use super::field::{argument, event, packet, trace};
use super::packets::Uuid;
use super::packets::{EventType, LAST_NS, SEQUENCE};
use super::protobuf::{MAX_VARINT_BYTES, Message};
use crate::shared::record_types::slot;
use crate::shared::value::{TypedValue, ValueKind};

const BLOCK_BYTES: usize = 128 << 10;

/// Upper limit of a packet's size. The packet's length must fit in two bytes.
const MAX_PACKET_BYTES: usize = 1 << 14;

/// Maximum payload of a record with strings on the fast path.
const MAX_PAYLOAD_BYTES: usize = 4096;

/// Number of threads whose track is remembered; a power of two.
const REMEMBERED_THREADS: usize = 1 << 10;

const WORD_BYTES: usize = 8;

const THREAD_MASK: u64 = !0 << 32;

/// Up to eight bytes that are written as one word.
#[derive(Debug, Clone, Copy, Default)]
struct Piece {
    word: u64,
    count: usize,
}

impl Piece {
    fn new(encode: impl FnOnce(&mut Message)) -> Option<Piece> {
        let mut message = Message::default();
        encode(&mut message);
        let bytes = message.as_bytes();
        if bytes.len() > WORD_BYTES {
            return None;
        }
        let word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        Some(Piece { word, count: bytes.len() })
    }
}

#[derive(Debug)]
pub(super) struct FastEvent {
    /// The bytes from the packet's tag to the tag of its time.
    head: Piece,
    name: Piece,
    arguments: Box<[FastArgument]>,
    has_strings: bool,
    /// Number of bytes in each of the two length fields: the packet's and the nested event's.
    length_bytes: usize,
    /// Maximum size of a packet without the bytes of strings.
    max_bytes: usize,
}

#[derive(Debug)]
struct FastArgument {
    kind: ValueKind,
    /// The bytes from the argument's tag to the tag of its value. A string's length follows them.
    prefix: Piece,
}

/// Position of the argument's length in [`FastArgument::prefix`], in bits: it follows the tag byte.
const LENGTH_SHIFT: u32 = 8;

impl FastEvent {
    /// Creates the plan for the event of `entry`. `name` and `arguments` are the numbers of
    /// interned names. `None` if the event's records need the slow path.
    pub(super) fn new(entry: &Entry<'_>, name: u64, arguments: &[u64]) -> Option<Box<FastEvent>> {
        if entry.is_dropped() || entry.schema.arguments.len() != entry.schema.kinds.len() {
            return None;
        }
        let declared = entry.schema.arguments.iter().zip(&entry.schema.kinds);
        let arguments: Option<Box<[FastArgument]>> = declared
            .zip(arguments)
            // The names of values need the slow path.
            .map(|((argument, recorded), number)| match argument.enumeration {
                Some(_) => None,
                None => FastArgument::new(ValueKind::of(argument.ctype, *recorded), *number),
            })
            .collect();
        let arguments = arguments?;
        let has_strings = arguments.iter().any(|argument| argument.kind == ValueKind::Text);
        let name = Piece::new(|message| {
            message.uint(event::TYPE, EventType::Instant as u64);
            message.uint(event::NAME_ID, name);
        })?;
        // Header, time, event, name, track; for each argument the prefix, a string's length and a
        // number.
        let max_bytes = 8 + MAX_VARINT_BYTES + 8 + 8 + 8 + arguments.len() * (8 + 2 + MAX_VARINT_BYTES);
        let is_long = has_strings || max_bytes >= 1 << 7;
        (max_bytes + MAX_PAYLOAD_BYTES < MAX_PACKET_BYTES).then_some(())?;
        let length_bytes = if is_long { 2 } else { 1 };
        let head = Piece::new(|message| {
            message.byte((trace::PACKET << 3 | 2) as u8);
            (0..length_bytes).for_each(|_| message.byte(0));
            message.uint(packet::SEQUENCE, SEQUENCE);
            message.uint(packet::SEQUENCE_FLAGS, packet::STATE_NEEDED);
            message.byte((packet::TIMESTAMP << 3) as u8);
        })?;
        Some(Box::new(FastEvent { head, name, arguments, has_strings, length_bytes, max_bytes }))
    }

    /// Writes the packet of `record`, which is on `track`. Returns `None` if the record needs the
    /// slow path; `out` may then contain a part of the packet.
    #[inline(always)]
    fn push(&self, record: &Record<'_>, track: Piece, out: &mut Block<'_>) -> Option<()> {
        if record.timestamp_ns > LAST_NS {
            return None;
        }
        let packet_at = out.at;
        out.push(self.head);
        out.push_varint(record.timestamp_ns)?;
        let event_at = out.at;
        out.push(Piece { word: u64::from(packet::TRACK_EVENT << 3 | 2), count: 1 + self.length_bytes });
        out.push(self.name);
        out.push(track);
        if self.has_strings {
            self.push_values(record.payload, out)?;
        } else {
            let values = integers::<Little>(record.payload, self.arguments.len())?;
            for (argument, bits) in self.arguments.iter().zip(values) {
                argument.push_number(bits, out)?;
            }
        }
        out.set_length(event_at + 1, self.length_bytes);
        out.set_length(packet_at + 1, self.length_bytes);
        Some(())
    }

    #[inline(never)]
    fn push_values(&self, payload: &[u8], out: &mut Block<'_>) -> Option<()> {
        let mut rest = payload;
        for argument in &self.arguments {
            if argument.kind == ValueKind::Text {
                let string = V4::<Little>::string(&mut rest)?;
                if string.bytes.len() as u64 != string.length {
                    return None;
                }
                argument.push_text(string.bytes, out)?;
            } else {
                argument.push_number(V4::<Little>::integer(&mut rest, false)?, out)?;
            }
        }
        rest.is_empty().then_some(())
    }
}

impl FastArgument {
    fn new(kind: ValueKind, number: u64) -> Option<FastArgument> {
        let field = match kind {
            ValueKind::Signed(_) => argument::INT,
            ValueKind::Unsigned(_) => argument::UINT,
            ValueKind::Bool => argument::BOOL,
            ValueKind::Double => return None,
            ValueKind::Pointer => argument::POINTER,
            ValueKind::Text => argument::STRING,
        };
        let is_text = kind == ValueKind::Text;
        let prefix = Piece::new(|message| {
            message.byte((event::ARGUMENT << 3 | 2) as u8);
            message.byte(0);
            if is_text {
                message.byte(0);
            }
            message.uint(argument::NAME_ID, number);
            message.byte((field << 3) as u8 | if is_text { 2 } else { 0 });
        })?;
        Some(FastArgument { kind, prefix })
    }

    #[inline(always)]
    fn push_number(&self, bits: u64, out: &mut Block<'_>) -> Option<()> {
        let value = match self.kind.typed(bits) {
            TypedValue::Signed(number) => number.cast_unsigned(),
            TypedValue::Unsigned(number) | TypedValue::Pointer(number) => number,
            TypedValue::Bool(is_true) => u64::from(is_true),
            TypedValue::Double(_) | TypedValue::Text(_) => return None,
        };
        // The length covers neither the tag nor the length field itself.
        let length = self.prefix.count - 2 + varint_bytes(value);
        out.push(Piece { word: self.prefix.word | (length as u64) << LENGTH_SHIFT, ..self.prefix });
        out.push_varint(value)
    }

    #[inline(always)]
    fn push_text(&self, bytes: &[u8], out: &mut Block<'_>) -> Option<()> {
        // Strings that must be escaped need the slow path.
        if !bytes.iter().all(|byte| matches!(byte, 0x20..0x7f) && *byte != b'\\') {
            return None;
        }
        let argument_at = out.at;
        out.push(self.prefix);
        let text_at = out.at;
        out.push(Piece { word: 0, count: 2 });
        out.push_bytes(bytes)?;
        out.set_length(text_at, 2);
        out.set_length(argument_at + 1, 2);
        Some(())
    }
}

#[inline(always)]
fn varint_bytes(value: u64) -> usize {
    let bits = 64 - (value | 1).leading_zeros();
    // Divide by seven, rounding up.
    (((bits + 6) * 37) >> 8) as usize
}

/// Spreads the lowest 56 bits of `value` over eight bytes, seven bits in each.
#[inline(always)]
fn spread(value: u64) -> u64 {
    let halves = (value & 0x0fff_ffff) | (value & 0x00ff_ffff_f000_0000) << 4;
    let quarters = (halves & 0x0000_3fff_0000_3fff) | (halves & 0x0fff_c000_0fff_c000) << 2;
    (quarters & 0x007f_007f_007f_007f) | (quarters & 0x3f80_3f80_3f80_3f80) << 1
}

struct Block<'b> {
    bytes: &'b mut [u8],
    at: usize,
}

impl Block<'_> {
    #[inline(always)]
    fn push(&mut self, piece: Piece) {
        match self.bytes.get_mut(self.at..self.at + WORD_BYTES) {
            Some(room) => room.copy_from_slice(&piece.word.to_le_bytes()),
            None => debug_assert!(false, "the caller reserves space"),
        }
        self.at += piece.count;
    }

    #[inline(always)]
    fn push_varint(&mut self, value: u64) -> Option<()> {
        const MORE: u64 = 0x8080_8080_8080_8080;
        let count = varint_bytes(value);
        if count <= 8 {
            let more = MORE & ((1 << (8 * (count - 1))) - 1);
            self.push(Piece { word: spread(value) | more, count });
        } else {
            self.push(Piece { word: spread(value) | MORE, count: 8 });
            let (rest, count) = (value >> 56, count - 8);
            let more = MORE & ((1 << (8 * (count - 1))) - 1);
            self.push(Piece { word: spread(rest) | more, count });
        }
        Some(())
    }

    #[inline(always)]
    fn push_bytes(&mut self, bytes: &[u8]) -> Option<()> {
        self.bytes.get_mut(self.at..self.at + bytes.len())?.copy_from_slice(bytes);
        self.at += bytes.len();
        Some(())
    }

    /// Sets the length field at `length_at`, which is `length_bytes` bytes long, to the number of
    /// bytes after it.
    #[inline(always)]
    fn set_length(&mut self, length_at: usize, length_bytes: usize) {
        let length = self.at - length_at - length_bytes;
        if length_bytes == 1 {
            if let Some(byte) = self.bytes.get_mut(length_at) {
                *byte = length as u8;
            }
        } else if let Some(bytes) = self.bytes.get_mut(length_at..length_at + 2) {
            bytes.copy_from_slice(&[length as u8 | 0x80, (length >> 7) as u8]);
        }
    }
}

pub(super) struct FastPath {
    /// The events' plans, by schema index.
    plans: Vec<Option<Box<FastEvent>>>,
    /// Indexed by the lowest bits of the thread id: the owner of the records, and the field that
    /// refers to their track.
    threads: Box<[Option<(u64, Piece)>]>,
    /// [`OrdinaryRecords::thread_changes`] when the tracks were named.
    thread_changes: u64,
    block: Box<[u8]>,
}

impl Default for FastPath {
    fn default() -> FastPath {
        FastPath {
            plans: Vec::new(),
            threads: vec![None; REMEMBERED_THREADS].into(),
            thread_changes: 0,
            block: vec![0; BLOCK_BYTES].into(),
        }
    }
}

impl FastPath {
    pub(super) fn plan(&mut self, schema_index: u32, plan: Option<Box<FastEvent>>) {
        *slot(&mut self.plans, schema_index as usize) = plan;
    }

    /// Remembers the `track` of the thread of `entry`.
    pub(super) fn add_thread(&mut self, entry: &Entry<'_>, track: Uuid) {
        let changes = entry.threads.changes();
        if self.thread_changes != changes {
            self.thread_changes = changes;
            self.threads.fill(None);
        }
        let owner = u64::from(entry.pid) | entry.id & THREAD_MASK;
        let piece = Piece::new(|message| message.uint(event::TRACK, track));
        self.threads[thread_index(owner)] = piece.map(|piece| (owner, piece));
    }
}

fn thread_index(owner: u64) -> usize {
    (owner >> 32) as usize & (REMEMBERED_THREADS - 1)
}

impl Perfetto {
    pub(super) fn write_fast(&mut self, records: &mut OrdinaryRecords<'_>) -> io::Result<()> {
        if records.thread_changes() != self.fast_path.thread_changes {
            return Ok(());
        }
        let FastPath { plans, threads, block, .. } = &mut self.fast_path;
        let mut left = records.clone();
        let mut out = Block { bytes: block, at: 0 };
        while let Some((record, schema_index)) = left.peek() {
            let Some(Some(plan)) = plans.get(schema_index as usize) else { break };
            let owner = u64::from(record.pid) | record.id & THREAD_MASK;
            let Some((known, track)) = threads[thread_index(owner)] else { break };
            let strings = if plan.has_strings { record.payload.len() } else { 0 };
            if known != owner || strings > MAX_PAYLOAD_BYTES {
                break;
            }
            // The last word can extend beyond the packet.
            if out.bytes.len() - out.at < plan.max_bytes + strings + WORD_BYTES {
                self.out.sink.write_block(&out.bytes[..out.at])?;
                out.at = 0;
            }
            let packet_at = out.at;
            if plan.push(&record, track, &mut out).is_none() {
                out.at = packet_at;
                break;
            }
            left.skip(&record);
        }
        *records = left;
        self.out.sink.write_block(&out.bytes[..out.at])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::shared::varint::push_varint;

    proptest! {
        #[test]
        fn numbers_equal_those_of_the_slow_path(bits in 0_u32..=64, noise: u64) {
            let value = noise.checked_shr(64 - bits).unwrap_or(0);
            let mut expected = Vec::new();
            push_varint(value, &mut expected);
            let mut room = [0; 32];
            let mut block = Block { bytes: &mut room, at: 0 };
            block.push_varint(value);
            let at = block.at;
            prop_assert_eq!(&room[..at], &expected[..]);
            prop_assert_eq!(varint_bytes(value), expected.len());
        }
    }
}
