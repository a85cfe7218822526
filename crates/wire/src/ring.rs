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
pub struct RingRecord<'r> {
    /// Its event, or [`DROPPED`].
    pub event: u32,
    /// When: nanoseconds, or ticks of the processor's counter.
    pub stamp: u64,
    /// Its values.
    pub payload: &'r [u8],
    /// The next record begins here.
    pub padded_bytes: usize,
}

impl RingRecord<'_> {
    /// The count of a dropped record.
    pub fn dropped(&self) -> Option<u64> {
        let count: [u8; 8] = self.payload.try_into().ok()?;
        (self.event == DROPPED).then_some(u64::from_ne_bytes(count))
    }
}

/// The record that begins at `ring`. `None` when no whole record stands there, which in a ring that was not damaged
/// happens at its end only.
#[inline(always)]
pub fn record_at(ring: &[u8]) -> Option<RingRecord<'_>> {
    let (header, rest) = ring.split_first_chunk::<HEADER_BYTES>()?;
    let (length, event) = split(word(header)?);
    let padded_bytes = padded_bytes(length as usize);
    // Nothing is registered under 0: zeroed memory is no record.
    if event == 0 || padded_bytes > ring.len() {
        return None;
    }
    Some(RingRecord {
        event,
        stamp: word(&header[8..])?,
        payload: rest.get(..length as usize)?,
        padded_bytes,
    })
}

/// How many records stand in `ring`, one behind the other, whole and undamaged.
///
/// Most records are as long as the one before. A run of such is counted by a step that does not depend on what was
/// read: the processor need not wait for one length before it looks at the next.
pub fn count(ring: &[u8]) -> u64 {
    let length_at = |at: usize| Some(split(word(ring.get(at..)?)?).0 as usize);
    let (mut records, mut at) = (0, 0);
    while let Some(length) = length_at(at) {
        let step = padded_bytes(length);
        while length_at(at) == Some(length) {
            records += 1;
            at += step;
        }
    }
    records
}

/// The first word of `bytes`.
#[inline(always)]
fn word(bytes: &[u8]) -> Option<u64> {
    bytes.first_chunk().map(|word| u64::from_ne_bytes(*word))
}

/// Length and event of a record, from its first word.
#[inline(always)]
fn split(first: u64) -> (u32, u32) {
    let (low, high) = (first as u32, (first >> 32) as u32);
    if cfg!(target_endian = "little") { (low, high) } else { (high, low) }
}

/// Appends a record of thread `tid` of process `pid` to a file's bytes, with the time that its stamp means.
#[inline(always)]
pub fn append(record: &RingRecord<'_>, tid: u32, pid: u32, timestamp_ns: u64, out: &mut Vec<u8>) {
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
