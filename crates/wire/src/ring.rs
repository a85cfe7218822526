//! Records in a ring, as defined in `docs/formats/arena.md`, and their conversion to v4 records.
//!
//! | offset | size | contents |
//! |---|---|---|
//! | 0 | 4 | u32: length of the payload in bytes |
//! | 4 | 4 | u32: event number, with the bit [`CONTEXT`] if there is a context, or [`DROPPED`] for a count of dropped records |
//! | 8 | 8 | u64: stamp, in nanoseconds or in ticks of the processor's counter |
//! | 16 | length | payload as in v4, then padding up to a multiple of 8 |
//!
//! A context precedes the values in the payload: a u32, the number of addresses in its stack; a u32,
//! the number of the CPU plus 1, or 0; then each address as u64.
//!
//! All integers are in the machine's byte order. Records contain no thread id, process id or record
//! type, because writing another word to a ring would cost time. [`append`] adds these fields when
//! records are written to the file.

use crate::ByteOrder;
use crate::simpletrace::{DROPPED_ID, context, v4};

/// The alignment of records, in bytes.
pub const ALIGNMENT: usize = 8;

/// The size of a record's header, in bytes.
pub const HEADER_BYTES: usize = 16;

/// The size of a dropped record, in bytes: a header and a u64 count.
pub const DROPPED_BYTES: usize = HEADER_BYTES + 8;

/// The event number of a dropped record.
pub const DROPPED: u32 = u32::MAX;

/// The bit of the event number that marks a record with a context.
pub const CONTEXT: u32 = 1 << 31;

/// The maximum number of addresses in a stack.
pub const MAX_FRAMES: usize = 64;

/// The size of a context with a stack of `frames` addresses.
#[inline]
pub const fn context_bytes(frames: usize) -> usize {
    8 + 8 * frames
}

/// Returns the first word of a context.
#[inline]
pub const fn context_word(frames: usize, cpu: Option<u32>) -> u64 {
    let cpu = match cpu {
        Some(cpu) => cpu.wrapping_add(1),
        None => 0,
    };
    let (frames, cpu) = (frames as u64, cpu as u64);
    if cfg!(target_endian = "little") { frames | cpu << 32 } else { frames << 32 | cpu }
}

/// Returns the size of a record in a ring, with header and padding.
#[inline(always)]
pub const fn padded_bytes(payload_bytes: usize) -> usize {
    (HEADER_BYTES + payload_bytes + ALIGNMENT - 1) & !(ALIGNMENT - 1)
}

/// Returns the header of a record. `number` is the event as encoded by [`number`].
#[inline(always)]
pub const fn header(number: u64, stamp: u64, payload_bytes: usize) -> [u64; HEADER_BYTES / 8] {
    [first_word(number, payload_bytes), stamp]
}

/// Returns the first word of a record, which the stamp follows. `number` is the event as encoded by
/// [`number`].
#[inline(always)]
pub const fn first_word(number: u64, payload_bytes: usize) -> u64 {
    let length = payload_bytes as u64;
    number + if cfg!(target_endian = "little") { length } else { length << 32 }
}

/// Returns an event number, shifted to its position in the first word of a record.
#[inline]
pub const fn number(event: u32) -> u64 {
    if cfg!(target_endian = "little") { (event as u64) << 32 } else { event as u64 }
}

/// Returns the words of a dropped record with the count `count`.
#[inline]
pub const fn dropped(count: u64, stamp: u64) -> [u64; DROPPED_BYTES / 8] {
    let [first, stamp] = header(number(DROPPED), stamp, 8);
    [first, stamp, count]
}

/// A record in a ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RingRecord<'r> {
    /// The event number, or [`DROPPED`].
    pub event: u32,
    /// The time of the event, in nanoseconds or in ticks of the processor's counter.
    pub stamp: u64,
    /// The encoded context; empty if there is none.
    pub context: &'r [u8],
    /// The encoded arguments.
    pub payload: &'r [u8],
    /// The size of the record with header and padding: the offset of the next record.
    pub padded_bytes: usize,
}

impl RingRecord<'_> {
    /// Returns the count of a dropped record, or `None` for an event.
    pub fn dropped(&self) -> Option<u64> {
        let count: [u8; 8] = self.payload.try_into().ok()?;
        (self.event == DROPPED).then_some(u64::from_ne_bytes(count))
    }
}

/// Decodes the record at the start of `ring`. Returns `None` if there is no complete record. In an
/// undamaged ring, this occurs only at the ring's end.
#[inline(always)]
pub fn record_at(ring: &[u8]) -> Option<RingRecord<'_>> {
    let (header, rest) = ring.split_first_chunk::<HEADER_BYTES>()?;
    let (length, event) = split(word(header)?);
    let padded_bytes = padded_bytes(length as usize);
    // Event numbers start at 1, so zeroed memory is not a record.
    if event == 0 || padded_bytes > ring.len() {
        return None;
    }
    let payload = rest.get(..length as usize)?;
    let record = RingRecord { event, stamp: word(&header[8..])?, context: &[], payload, padded_bytes };
    if event & CONTEXT == 0 || event == DROPPED { Some(record) } else { with_context(record) }
}

/// `N` words of eight bytes.
pub type Words<const N: usize> = [[u8; 8]; N];

/// Returns the stamp of a record of `WORDS` words.
#[inline(always)]
pub fn stamp<const WORDS: usize>(record: &Words<WORDS>) -> u64 {
    const { assert!(8 * WORDS >= HEADER_BYTES) };
    u64::from_ne_bytes(record[1])
}

/// Returns the last `N` words of a record of `WORDS` words. If its payload consists of `N` words, they are
/// the payload.
#[inline(always)]
pub fn last_words<const N: usize, const WORDS: usize>(record: &Words<WORDS>) -> &Words<N> {
    const { assert!(N <= WORDS) };
    record.last_chunk().unwrap_or(&[[0; 8]; N])
}

/// Separates the context of a record from its arguments.
#[cold]
fn with_context(record: RingRecord<'_>) -> Option<RingRecord<'_>> {
    let (frames, _) = split(word(record.payload)?);
    let bytes = context_bytes((frames as usize).min(MAX_FRAMES));
    let (context, payload) = record.payload.split_at_checked(bytes)?;
    Some(RingRecord { event: record.event & !CONTEXT, context, payload, ..record })
}

/// Returns the number of consecutive records in `ring` that are complete and undamaged.
///
/// Most records have the same length as the previous record. The inner loop counts a run of equal
/// lengths with a constant step, so that the processor does not wait for one length before it loads
/// the next.
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

#[inline(always)]
fn word(bytes: &[u8]) -> Option<u64> {
    bytes.first_chunk().map(|word| u64::from_ne_bytes(*word))
}

/// Splits the first word of a record into payload length and event number.
#[inline(always)]
fn split(first: u64) -> (u32, u32) {
    let (low, high) = (first as u32, (first >> 32) as u32);
    if cfg!(target_endian = "little") { (low, high) } else { (high, low) }
}

/// Appends a record of thread `tid` in process `pid` to the bytes of a v4 file. `timestamp_ns` is
/// the record's stamp, converted to nanoseconds.
#[inline(always)]
pub fn append(record: &RingRecord<'_>, tid: u32, pid: u32, timestamp_ns: u64, out: &mut Vec<u8>) {
    let id = match record.event {
        DROPPED => DROPPED_ID,
        event => u64::from(tid) << 32 | u64::from(event),
    };
    if !record.context.is_empty() {
        append_context(record.context, out);
    }
    let header = v4::record_header(id, timestamp_ns, record.payload.len() as u32, pid, ORDER);
    out.reserve(header.len() + record.payload.len());
    out.extend_from_slice(&header);
    out.extend_from_slice(record.payload);
}

#[cold]
fn append_context(encoded: &[u8], out: &mut Vec<u8>) {
    let (words, _) = encoded.as_chunks();
    let Some((first, addresses)) = words.split_first() else { return };
    let (_, cpu) = split(u64::from_ne_bytes(*first));
    let addresses = addresses.iter().map(|address| u64::from_ne_bytes(*address));
    context::encode(cpu.checked_sub(1), addresses, ORDER, out);
}

/// Appends records of one event to the bytes of a v4 file, like [`append`]. There are as many times as
/// records. Each record has `WORDS` words in the ring, of which the last `N` are its payload.
#[inline(always)]
pub fn append_all<const N: usize, const WORDS: usize>(
    id: u64,
    pid: u32,
    times_ns: &[u64],
    records: &[Words<WORDS>],
    out: &mut Vec<u8>,
) {
    let (start, record_words) = (out.len(), 4 + N);
    out.resize(start + 8 * record_words * records.len().min(times_ns.len()), 0);
    let places = out[start..].as_chunks_mut::<8>().0.chunks_exact_mut(record_words);
    for ((timestamp_ns, record), place) in times_ns.iter().zip(records).zip(places) {
        let header = v4::record_header(id, *timestamp_ns, 8 * N as u32, pid, ORDER);
        place[..4].as_flattened_mut().copy_from_slice(&header);
        place[4..].copy_from_slice(last_words::<N, WORDS>(record));
    }
}

/// The byte order of rings, and of the files that are written from them.
pub const ORDER: ByteOrder = ByteOrder::NATIVE;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembly::ENCODER;

    fn bytes(words: &[u64]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_ne_bytes()).collect()
    }

    #[test]
    fn a_context_is_separate_from_the_arguments() {
        let [first, stamp] = header(number(5 | CONTEXT), 77, 8 + 16 + 8);
        let ring = bytes(&[first, stamp, context_word(2, Some(3)), 0xabc, 0xdef, 42]);
        let record = record_at(&ring).unwrap();
        assert_eq!((record.event, record.stamp, record.padded_bytes), (5, 77, ring.len()));
        assert_eq!(record.payload, 42_u64.to_ne_bytes());
        let mut file = Vec::new();
        append(&record, 9, 8, 1000, &mut file);
        let mut expected = Vec::new();
        context::encode(Some(3), [0xabc, 0xdef], ORDER, &mut expected);
        let mut open = ENCODER.begin(9 << 32 | 5, 1000, 8, 1, &mut expected);
        open.integer(42);
        open.finish();
        assert_eq!(file, expected);
    }

    #[test]
    fn a_context_that_is_too_long_is_not_a_record() {
        let [first, stamp] = header(number(5 | CONTEXT), 77, 16);
        assert_eq!(record_at(&bytes(&[first, stamp, context_word(2, None), 1])), None);
        assert_eq!(record_at(&bytes(&[first, stamp])), None);
    }

    #[test]
    fn a_dropped_record_has_no_context() {
        let ring = bytes(&dropped(3, 5));
        assert_eq!(record_at(&ring).unwrap().dropped(), Some(3));
    }
}
