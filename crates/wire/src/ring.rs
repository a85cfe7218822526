//! Records as they stand in a ring, and how they become records of a file.
//!
//! | offset | |
//! |---|---|
//! | 0 | u32 length of the payload |
//! | 4 | u32 event, [`DROPPED`] for a count of dropped records |
//! | 8 | u64 stamp: nanoseconds, or ticks of the processor's counter |
//! | 16 | payload, as in v4, padded to whole words |
//!
//! All in the machine's byte order. What is the same for all records of a thread, its id and the process's, is not repeated in them, and
//! the record type of v4 neither: on the way into a ring each word counts. [`append`] adds them on the way into the file.

use crate::ByteOrder;
use crate::simpletrace::{DROPPED_ID, v4};

/// Records begin at multiples of this.
pub const ALIGNMENT: usize = 8;

/// Bytes of a record before its payload.
pub const HEADER_BYTES: usize = 16;

/// What a dropped record takes in a ring.
pub const DROPPED_BYTES: usize = HEADER_BYTES + 8;

/// The event of a dropped record.
pub const DROPPED: u32 = u32::MAX;

/// The room that a record with `payload_bytes` takes.
#[inline(always)]
pub const fn padded_bytes(payload_bytes: usize) -> usize {
    (HEADER_BYTES + payload_bytes + ALIGNMENT - 1) & !(ALIGNMENT - 1)
}

/// The first words of a record of the event that has `number`.
#[inline(always)]
pub const fn header(number: u64, stamp: u64, payload_bytes: usize) -> [u64; HEADER_BYTES / 8] {
    let length = payload_bytes as u64;
    let length = if cfg!(target_endian = "little") { length } else { length << 32 };
    [number + length, stamp]
}

/// An event, where the first word of a record has it.
#[inline]
pub const fn number(event: u32) -> u64 {
    if cfg!(target_endian = "little") { (event as u64) << 32 } else { event as u64 }
}

/// The words of a dropped record.
#[inline]
pub const fn dropped(count: u64, stamp: u64) -> [u64; DROPPED_BYTES / 8] {
    let [first, stamp] = header(number(DROPPED), stamp, 8);
    [first, stamp, count]
}

/// A record that stands in a ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing<'r> {
    /// Its event, or [`DROPPED`].
    pub event: u32,
    /// When: nanoseconds, or ticks of the processor's counter.
    pub stamp: u64,
    /// Its values.
    pub payload: &'r [u8],
    /// The next record begins here.
    pub padded_bytes: usize,
}

impl Standing<'_> {
    /// The count of a dropped record.
    pub fn dropped(&self) -> Option<u64> {
        let count: [u8; 8] = self.payload.try_into().ok()?;
        (self.event == DROPPED).then_some(u64::from_ne_bytes(count))
    }
}

/// The record that begins at `ring`. `None` when no whole record stands there, which in a ring that was not damaged
/// happens at its end only.
#[inline(always)]
pub fn standing(ring: &[u8]) -> Option<Standing<'_>> {
    let (header, rest) = ring.split_first_chunk::<HEADER_BYTES>()?;
    let word = |at: usize| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&header[at * 8..at * 8 + 8]);
        u64::from_ne_bytes(bytes)
    };
    let first = word(0);
    let (length, event) = if cfg!(target_endian = "little") {
        (first as u32, (first >> 32) as u32)
    } else {
        ((first >> 32) as u32, first as u32)
    };
    let padded_bytes = padded_bytes(length as usize);
    // Nothing is registered under 0: zeroed memory is no record.
    if event == 0 || padded_bytes > ring.len() {
        return None;
    }
    Some(Standing { event, stamp: word(1), payload: rest.get(..length as usize)?, padded_bytes })
}

/// How many records stand in `ring`, one behind the other.
///
/// Records are mostly as long as the ones before them. Where that is so, the processor goes on with the guess before it has seen the length.
pub fn count(mut ring: &[u8]) -> u64 {
    let (mut records, mut guess) = (0, HEADER_BYTES);
    while let Some(record) = standing(ring) {
        records += 1;
        let bytes = record.padded_bytes;
        if bytes != guess {
            guess = bytes;
        }
        ring = &ring[guess..];
    }
    records
}

/// Appends a record of thread `tid` of process `pid` to a file's bytes, with the time that its stamp means.
#[inline(always)]
pub fn append(record: &Standing<'_>, tid: u32, pid: u32, timestamp_ns: u64, out: &mut Vec<u8>) {
    let id = match record.event {
        DROPPED => DROPPED_ID,
        event => u64::from(tid) << 32 | u64::from(event),
    };
    let header = v4::record_header(id, timestamp_ns, record.payload.len() as u32, pid);
    out.reserve(header.len() + record.payload.len());
    out.extend_from_slice(&header);
    out.extend_from_slice(record.payload);
}

/// The byte order of rings, and of the files that are made of them.
pub const ORDER: ByteOrder = if cfg!(target_endian = "little") { ByteOrder::Little } else { ByteOrder::Big };
