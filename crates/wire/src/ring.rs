//! Records as they stand in a ring: v4 records in the machine's byte order, padded to whole words, with a stamp for a time.
//!
//! Copying them into a file without the padding, with the time that the stamp means, makes a v4 file.

use crate::ByteOrder;
use crate::simpletrace::{DROPPED_ID, v2, v4};

/// Records begin at multiples of this.
pub const ALIGNMENT: usize = 8;

/// Bytes of a record before its payload.
pub const HEADER_BYTES: usize = 8 + v2::RECORD_HEADER_BYTES;

/// Bytes of a string before its text.
pub const STR_LENGTH_BYTES: usize = 4;

/// What a dropped record takes in a ring.
pub const DROPPED_BYTES: usize = HEADER_BYTES + 8;

/// The room that a record with `payload_bytes` takes.
#[inline(always)]
pub const fn padded_bytes(payload_bytes: usize) -> usize {
    (HEADER_BYTES + payload_bytes + ALIGNMENT - 1) & !(ALIGNMENT - 1)
}

/// A process, where the last word of a [`header`] has it.
#[inline]
pub const fn process(pid: u32) -> u64 {
    if cfg!(target_endian = "little") { (pid as u64) << 32 } else { pid as u64 }
}

/// The first words of a record of a [`process`], in the machine's byte order.
#[inline(always)]
pub const fn header(id: u64, stamp: u64, payload_bytes: usize, process: u64) -> [u64; HEADER_BYTES / 8] {
    let length = (v2::RECORD_HEADER_BYTES + payload_bytes) as u64;
    let length = if cfg!(target_endian = "little") { length } else { length << 32 };
    [v4::EVENT_TYPE, id, stamp, process + length]
}

/// The words of a dropped record.
#[inline]
pub const fn dropped(count: u64, stamp: u64, process: u64) -> [u64; DROPPED_BYTES / 8] {
    let [record_type, id, stamp, last] = header(DROPPED_ID, stamp, 8, process);
    [record_type, id, stamp, last, count]
}

/// Gives a record, copied from a ring, the time that its stamp means.
#[inline(always)]
pub fn set_timestamp(record: &mut [u8], timestamp_ns: u64) {
    if let Some(place) = record.get_mut(STAMP_AT..STAMP_AT + 8) {
        place.copy_from_slice(&timestamp_ns.to_ne_bytes());
    }
}

const STAMP_AT: usize = 16;

/// A record that stands in a ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// `thread << 32 | event`, or [`DROPPED_ID`].
    pub id: u64,
    /// When: nanoseconds, or ticks of the processor's counter.
    pub stamp: u64,
    /// Without padding: this many bytes go into a file.
    pub bytes: usize,
    /// With padding: the next record begins here.
    pub padded_bytes: usize,
}

/// The record that begins at `ring`. `None` when no whole record stands there, which in a ring that was not damaged
/// happens at its end only.
#[inline(always)]
pub fn standing(ring: &[u8]) -> Option<Standing> {
    let (header, _) = ring.split_first_chunk::<HEADER_BYTES>()?;
    let word = |at: usize| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&header[at * 8..at * 8 + 8]);
        u64::from_ne_bytes(bytes)
    };
    let last = word(3);
    let length = if cfg!(target_endian = "little") { last as u32 } else { (last >> 32) as u32 } as usize;
    let bytes = length + 8;
    let padded_bytes = (bytes + ALIGNMENT - 1) & !(ALIGNMENT - 1);
    if word(0) != v4::EVENT_TYPE || bytes < HEADER_BYTES || padded_bytes > ring.len() {
        return None;
    }
    Some(Standing { id: word(1), stamp: word(2), bytes, padded_bytes })
}

/// The count in a dropped record that stands at `ring`.
pub fn dropped_count(ring: &[u8]) -> Option<u64> {
    let bytes = ring.get(HEADER_BYTES..DROPPED_BYTES)?;
    Some(u64::from_ne_bytes(bytes.try_into().ok()?))
}

/// The byte order of rings, and of the files that are made of them.
pub const ORDER: ByteOrder = if cfg!(target_endian = "little") { ByteOrder::Little } else { ByteOrder::Big };
