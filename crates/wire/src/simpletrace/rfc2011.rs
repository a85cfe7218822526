//! A format that was proposed in November 2011 ("simpletrace-v2" on qemu-devel), but never merged.
//! All integers are u64.
//!
//! | offset | file header | record header | argument |
//! |---|---|---|---|
//! | 0 | magic 0xaa0011ff | magic 0xa1b2c3d4 | size in bytes |
//! | 8 | pid | event id | that many bytes |
//! | 16 | version | timestamp ns | |
//! | 24 | timestamp ns | number of arguments | |
//!
//! The proposal leaves details open, and the reader accepts all forms: integers of 1, 2, 4 or 8
//! bytes, and strings with or without a NUL at the end. The NUL is not part of the string.

use std::marker::PhantomData;

use super::header::{Detected, Header, VERSION_AT};
use super::{Fault, FaultKind, Framing, Layout, Record, Step, StrBytes, Tail, Version};
use crate::order::u64_at;
use crate::{Big, ByteOrder, Little, Order};

/// The first word of a file, at offset 0.
pub const HEADER_MAGIC: u64 = 0xaa00_11ff;
/// The first word of a record, at offset 0 of the record.
pub const RECORD_MAGIC: u64 = 0xa1b2_c3d4;
/// The value that is written to the version field, at offset 16. The proposal does not define the
/// value, but its title contains "v2".
pub const VERSION_FIELD: u64 = 2;
/// The size of the file header, in bytes.
pub const HEADER_BYTES: usize = 32;

const PID_AT: usize = 8;
const TIMESTAMP_AT: usize = 24;

const RECORD_HEADER_BYTES: usize = 32;
const RECORD_ID_AT: usize = 8;
const RECORD_TIMESTAMP_AT: usize = 16;
const ARGUMENT_COUNT_AT: usize = 24;
const SIZE_BYTES: usize = 8;

/// RFC 2011 files in byte order `O`.
#[derive(Debug, Clone, Copy)]
pub struct Rfc2011<O>(PhantomData<O>);

/// Decodes the file header, whose magic number is already checked.
pub(super) fn header(start: &[u8], order: ByteOrder) -> Detected {
    let field = |at| u64_at(start, at, order);
    let (Some(pid), Some(version), Some(timestamp_ns)) =
        (field(PID_AT), field(VERSION_AT), field(TIMESTAMP_AT))
    else {
        return Detected::NeedMore(HEADER_BYTES);
    };
    // Programs based on an early draft might have written 0 or 1.
    if version > VERSION_FIELD {
        return Detected::UnknownVersion { version, expected: "2", order };
    }
    Detected::Header(Header {
        version: Version::Rfc2011,
        order,
        size: HEADER_BYTES,
        pid: Some(pid),
        timestamp_ns: Some(timestamp_ns),
        version_field: version,
    })
}

impl<O: Order> Layout for Rfc2011<O> {
    const VERSION: Version = Version::Rfc2011;
    type Order = O;

    fn step<'a, F: Framing>(window: &'a [u8], _framing: &F) -> Step<'a> {
        match u64_at(window, 0, O::ORDER) {
            Some(RECORD_MAGIC) => {}
            Some(found) => return Step::Fault(Fault { at: 0, kind: FaultKind::Magic { found } }),
            None => return Step::NeedMore(RECORD_HEADER_BYTES),
        }
        let Some(mut record) = fixed_part::<O>(window) else { return Step::NeedMore(RECORD_HEADER_BYTES) };
        let count = argument_count::<O>(window);
        let mut at = RECORD_HEADER_BYTES;
        for left in (1..=count).rev() {
            // Each remaining argument has at least a size field. Request all size fields at once:
            // requesting only the next argument would repeat the walk over all preceding arguments
            // each time.
            let Some(size) = u64_at(window, at, O::ORDER) else {
                return Step::NeedMore(with_sizes(at, left));
            };
            at = (at + SIZE_BYTES).saturating_add(usize::try_from(size).unwrap_or(usize::MAX));
            if at > window.len() {
                return Step::NeedMore(with_sizes(at, left - 1));
            }
        }
        record.payload = &window[RECORD_HEADER_BYTES..at];
        record.size = at;
        Step::Record(record)
    }

    fn tail<'a, F: Framing>(window: &'a [u8], _framing: &F) -> Tail<'a> {
        let cut =
            |part, have, need| Tail::Fault(Fault { at: 0, kind: FaultKind::CutHeader { part, have, need } });
        let Some(mut record) = fixed_part::<O>(window) else {
            return cut("record header", window.len(), RECORD_HEADER_BYTES);
        };
        record.payload = &window[RECORD_HEADER_BYTES..];
        record.size = window.len();
        let mut rest = record.payload;
        while undeclared(&mut rest, O::ORDER).is_some() {}
        // After a complete argument, return a fault, because the bytes would look like a record
        // with fewer arguments.
        if rest.is_empty() {
            return cut("record", window.len(), window.len() + SIZE_BYTES);
        }
        Tail::Cut(Step::Record(record))
    }

    fn integer(rest: &mut &[u8], signed: bool) -> Option<u64> {
        let (bytes, tail) = sized::<O>(rest)?;
        let value = integer_of(bytes, O::ORDER)?;
        *rest = tail;
        let unused_bits = 64 - 8 * bytes.len() as u32;
        Some(if signed { sign_extend(value, unused_bits) } else { value })
    }

    fn string<'a>(rest: &mut &'a [u8]) -> Option<StrBytes<'a>> {
        let (bytes, tail) = sized::<O>(rest)?;
        *rest = tail;
        let bytes = without_end_mark(bytes);
        Some(StrBytes { bytes, length: bytes.len() as u64 })
    }
}

/// Decodes an integer of 1, 2, 4 or 8 bytes. Returns `None` for any other size.
fn integer_of(bytes: &[u8], order: ByteOrder) -> Option<u64> {
    let size = bytes.len();
    let mut wide = [0; 8];
    match (size, order) {
        (1 | 2 | 4 | 8, ByteOrder::Little) => wide[..size].copy_from_slice(bytes),
        (1 | 2 | 4 | 8, ByteOrder::Big) => wide[8 - size..].copy_from_slice(bytes),
        _ => return None,
    }
    Some(order.u64(wide))
}

fn without_end_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_suffix(&[0]).unwrap_or(bytes)
}

/// The value of an argument without a declaration, distinguished by its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undeclared<'a> {
    /// An argument of 1, 2, 4 or 8 bytes.
    Integer(u64),
    /// An argument of any other size.
    Str(&'a [u8]),
}

/// Removes an argument of any type from the start of a payload. Returns `None` if it is truncated.
pub fn undeclared<'a>(rest: &mut &'a [u8], order: ByteOrder) -> Option<Undeclared<'a>> {
    let (bytes, tail) = match order {
        ByteOrder::Little => sized::<Little>(rest)?,
        ByteOrder::Big => sized::<Big>(rest)?,
    };
    *rest = tail;
    Some(match integer_of(bytes, order) {
        Some(value) => Undeclared::Integer(value),
        None => Undeclared::Str(without_end_mark(bytes)),
    })
}

fn sign_extend(value: u64, unused_bits: u32) -> u64 {
    ((value << unused_bits).cast_signed() >> unused_bits).cast_unsigned()
}

fn fixed_part<O: Order>(window: &[u8]) -> Option<Record<'_>> {
    if window.len() < RECORD_HEADER_BYTES {
        return None;
    }
    Some(Record {
        record_type: 1,
        id: u64_at(window, RECORD_ID_AT, O::ORDER)?,
        timestamp_ns: u64_at(window, RECORD_TIMESTAMP_AT, O::ORDER)?,
        pid: 0,
        length: 0,
        payload: &[],
        size: 0,
    })
}

/// Returns `at` plus the size of `count` size fields.
fn with_sizes(at: usize, count: u64) -> usize {
    at.saturating_add(usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(SIZE_BYTES))
}

fn argument_count<O: Order>(window: &[u8]) -> u64 {
    u64_at(window, ARGUMENT_COUNT_AT, O::ORDER).unwrap_or(0)
}

/// Splits `rest` into the first argument, without its size field, and the remaining bytes.
fn sized<'a, O: Order>(rest: &&'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
    let size = usize::try_from(u64_at(rest, 0, O::ORDER)?).ok()?;
    rest.get(SIZE_BYTES..)?.split_at_checked(size)
}

/// Returns the first argument's size in bytes, as written, and the number of bytes after the size
/// field. Returns `None` if the size field is truncated.
pub fn first_size(payload: &[u8], order: ByteOrder) -> Option<(u64, usize)> {
    let size = u64_at(payload, 0, order)?;
    Some((size, payload.len() - SIZE_BYTES))
}

pub(super) fn encode_header(pid: u64, timestamp_ns: u64, order: ByteOrder, out: &mut Vec<u8>) {
    for word in [HEADER_MAGIC, pid, VERSION_FIELD, timestamp_ns] {
        out.extend(order.put_u64(word));
    }
}

pub(super) fn encode_record_header(
    id: u64,
    timestamp_ns: u64,
    count: u64,
    order: ByteOrder,
    out: &mut Vec<u8>,
) {
    for word in [RECORD_MAGIC, id, timestamp_ns, count] {
        out.extend(order.put_u64(word));
    }
}

pub(super) fn encode_argument(bytes: &[u8], order: ByteOrder, out: &mut Vec<u8>) {
    out.extend(order.put_u64(bytes.len() as u64));
    out.extend_from_slice(bytes);
}

/// Appends a string. If it ends in a zero byte, appends another one, because readers remove one.
pub(super) fn encode_str(bytes: &[u8], order: ByteOrder, out: &mut Vec<u8>) {
    let mark: &[u8] = if bytes.ends_with(&[0]) { &[0] } else { &[] };
    out.extend(order.put_u64((bytes.len() + mark.len()) as u64));
    out.extend_from_slice(bytes);
    out.extend_from_slice(mark);
}
