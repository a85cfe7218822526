//! Records as they stand in a ring: v4 records in the machine's byte order, padded to whole words.
//!
//! Copying them into a file without the padding makes a v4 file; nothing is translated.

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

/// The first words of a record, in the machine's byte order.
#[inline(always)]
pub const fn header(id: u64, timestamp_ns: u64, payload_bytes: usize, pid: u32) -> [u64; HEADER_BYTES / 8] {
    let length = (v2::RECORD_HEADER_BYTES + payload_bytes) as u32;
    let last = if cfg!(target_endian = "little") {
        (pid as u64) << 32 | length as u64
    } else {
        (length as u64) << 32 | pid as u64
    };
    [v4::EVENT_TYPE, id, timestamp_ns, last]
}

/// The words of a dropped record.
#[inline]
pub const fn dropped(count: u64, timestamp_ns: u64, pid: u32) -> [u64; DROPPED_BYTES / 8] {
    let [record_type, id, timestamp_ns, last] = header(DROPPED_ID, timestamp_ns, 8, pid);
    [record_type, id, timestamp_ns, last, count]
}

/// A record that stands in a ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// `thread << 32 | event`, or [`DROPPED_ID`].
    pub id: u64,
    /// Nanoseconds on the trace's clock.
    pub timestamp_ns: u64,
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
    Some(Standing { id: word(1), timestamp_ns: word(2), bytes, padded_bytes })
}

/// The count in a dropped record that stands at `ring`.
pub fn dropped_count(ring: &[u8]) -> Option<u64> {
    let bytes = ring.get(HEADER_BYTES..DROPPED_BYTES)?;
    Some(u64::from_ne_bytes(bytes.try_into().ok()?))
}

/// The byte order of rings, and of the files that are made of them.
pub const ORDER: ByteOrder = if cfg!(target_endian = "little") { ByteOrder::Little } else { ByteOrder::Big };
