//! v2 (QEMU 1.2 to 2.0) and v3 (2.1 to 2.7): records of variable length. In v4 a record type
//! precedes each record.
//!
//! | offset | size | contents |
//! |---|---|---|
//! | 0 | 8 | u64: event id, 0xffff_ffff_ffff_fffe for dropped records |
//! | 8 | 8 | u64: timestamp in nanoseconds |
//! | 16 | 4 | u32: length of the record in bytes, from the event id on |
//! | 20 | 4 | v2: u32 that writers leave undefined; v3, v4: u32 pid |
//! | 24 | length - 24 | arguments without padding: u64 for an integer, u32 length and bytes without NUL for a string |

use std::marker::PhantomData;

use super::{
    ArgumentKind, DROPPED_ID, DROPPED_KINDS, Fault, FaultKind, Framing, Layout, MAX_RECORD_BYTES, Record,
    Step, Tail, Version,
};
use crate::order::u32_at;
use crate::{ByteOrder, Order};

/// The size of a record without arguments, in bytes.
pub const RECORD_HEADER_BYTES: usize = 24;

/// The only invalid length that QEMU's reader accepts: it calls `read(-1)`, which returns the rest
/// of the file.
const REST_OF_FILE: u32 = RECORD_HEADER_BYTES as u32 - 1;

pub(super) const TIMESTAMP_AT: usize = 8;
pub(super) const LENGTH_AT: usize = 16;
pub(super) const PID_AT: usize = 20;

#[inline(always)]
pub(super) fn header(
    id: u64,
    timestamp_ns: u64,
    length: u32,
    pid: u32,
    order: ByteOrder,
) -> [u8; RECORD_HEADER_BYTES] {
    let mut header = [0; RECORD_HEADER_BYTES];
    header[..TIMESTAMP_AT].copy_from_slice(&order.put_u64(id));
    header[TIMESTAMP_AT..LENGTH_AT].copy_from_slice(&order.put_u64(timestamp_ns));
    header[LENGTH_AT..PID_AT].copy_from_slice(&order.put_u32(length));
    header[PID_AT..].copy_from_slice(&order.put_u32(pid));
    header
}

/// v2 files in byte order `O`.
#[derive(Debug, Clone, Copy)]
pub struct V2<O>(PhantomData<O>);

/// v3 files in byte order `O`.
#[derive(Debug, Clone, Copy)]
pub struct V3<O>(PhantomData<O>);

impl<O: Order> Layout for V2<O> {
    const VERSION: Version = Version::V2;
    type Order = O;

    #[inline(always)]
    fn step<'a, F: Framing>(window: &'a [u8], framing: &F) -> Step<'a> {
        match record::<O, F>(window, 0, 1, framing) {
            Step::Record(record) => Step::Record(Record { pid: 0, ..record }),
            other => other,
        }
    }

    fn tail<'a, F: Framing>(window: &'a [u8], framing: &F) -> Tail<'a> {
        match record_tail::<O, F>(window, 0, 1, framing) {
            Tail::Cut(Step::Record(record)) => Tail::Cut(Step::Record(Record { pid: 0, ..record })),
            other => other,
        }
    }
}

impl<O: Order> Layout for V3<O> {
    const VERSION: Version = Version::V3;
    type Order = O;

    #[inline(always)]
    fn step<'a, F: Framing>(window: &'a [u8], framing: &F) -> Step<'a> {
        record::<O, F>(window, 0, 1, framing)
    }

    fn tail<'a, F: Framing>(window: &'a [u8], framing: &F) -> Tail<'a> {
        record_tail::<O, F>(window, 0, 1, framing)
    }
}

/// Decodes the record whose event id is at offset `before` of the window.
#[inline(always)]
pub(super) fn record<'a, O: Order, F: Framing>(
    window: &'a [u8],
    before: usize,
    record_type: u64,
    framing: &F,
) -> Step<'a> {
    let Some(fixed) = fixed_part::<O>(window, before) else {
        return Step::NeedMore(before + RECORD_HEADER_BYTES);
    };
    let rest = &window[before + RECORD_HEADER_BYTES..];
    let payload_bytes = if F::BY_LENGTH {
        if fixed.length < RECORD_HEADER_BYTES as u32 {
            return match fixed.length {
                REST_OF_FILE => Step::NeedMore(usize::MAX),
                length => Step::Fault(short_length(length, before)),
            };
        }
        fixed.length as usize - RECORD_HEADER_BYTES
    } else {
        declared_bytes::<O>(kinds_of(framing, fixed.id), rest)
    };
    let Some(payload) = rest.get(..payload_bytes) else {
        return Step::NeedMore((before + RECORD_HEADER_BYTES).saturating_add(payload_bytes));
    };
    Step::Record(fixed.with_payload(record_type, payload, before))
}

/// Decodes the record like [`record`] if its length is valid and at most `max_bytes`.
#[inline(always)]
pub(super) fn ordinary_record<O: Order>(
    window: &[u8],
    before: usize,
    record_type: u64,
    max_bytes: usize,
) -> Option<Record<'_>> {
    let fixed = fixed_part::<O>(window, before)?;
    // Lengths below the minimum wrap around, and are rejected like lengths above the maximum.
    let payload_bytes = fixed.length.wrapping_sub(RECORD_HEADER_BYTES as u32) as usize;
    let most = max_bytes.min(MAX_RECORD_BYTES).saturating_sub(before + RECORD_HEADER_BYTES);
    if payload_bytes > most {
        return None;
    }
    let payload = window[before + RECORD_HEADER_BYTES..].get(..payload_bytes)?;
    Some(fixed.with_payload(record_type, payload, before))
}

/// Decodes the record like [`record`] at the end of the file, where it may be truncated.
pub(super) fn record_tail<'a, O: Order, F: Framing>(
    window: &'a [u8],
    before: usize,
    record_type: u64,
    _framing: &F,
) -> Tail<'a> {
    let Some(fixed) = fixed_part::<O>(window, before) else {
        return Tail::Ignored { have: window.len(), need: before + RECORD_HEADER_BYTES };
    };
    if F::BY_LENGTH && fixed.length < RECORD_HEADER_BYTES as u32 && fixed.length != REST_OF_FILE {
        return Tail::Fault(short_length(fixed.length, before));
    }
    let payload = &window[before + RECORD_HEADER_BYTES..];
    Tail::Cut(Step::Record(fixed.with_payload(record_type, payload, before)))
}

#[cold]
fn short_length(length: u32, before: usize) -> Fault {
    Fault { at: before + LENGTH_AT, kind: FaultKind::Length { length, minimum: RECORD_HEADER_BYTES as u32 } }
}

struct FixedPart {
    id: u64,
    timestamp_ns: u64,
    length: u32,
    pid: u32,
}

impl FixedPart {
    #[inline(always)]
    fn with_payload<'a>(&self, record_type: u64, payload: &'a [u8], before: usize) -> Record<'a> {
        Record {
            record_type,
            id: self.id,
            timestamp_ns: self.timestamp_ns,
            pid: self.pid,
            length: self.length,
            payload,
            size: before + RECORD_HEADER_BYTES + payload.len(),
        }
    }
}

#[inline(always)]
fn fixed_part<O: Order>(window: &[u8], before: usize) -> Option<FixedPart> {
    let fixed: &[u8; RECORD_HEADER_BYTES] = window.get(before..)?.first_chunk()?;
    let u64_of = |at: usize| fixed[at..].first_chunk().map(|bytes| O::ORDER.u64(*bytes));
    let u32_of = |at: usize| fixed[at..].first_chunk().map(|bytes| O::ORDER.u32(*bytes));
    Some(FixedPart {
        id: u64_of(0)?,
        timestamp_ns: u64_of(TIMESTAMP_AT)?,
        length: u32_of(LENGTH_AT)?,
        pid: u32_of(PID_AT)?,
    })
}

fn kinds_of<F: Framing>(framing: &F, id: u64) -> &[ArgumentKind] {
    if id == DROPPED_ID { DROPPED_KINDS } else { framing.kinds(id).unwrap_or_default() }
}

/// Returns the size of the declared arguments. If they are truncated, the result exceeds the length
/// of `rest`.
fn declared_bytes<O: Order>(kinds: &[ArgumentKind], rest: &[u8]) -> usize {
    kinds.iter().fold(0, |at: usize, kind| match kind {
        ArgumentKind::Integer { .. } => at.saturating_add(8),
        // A truncated length counts as zero, because the result already exceeds `rest`.
        ArgumentKind::Str => {
            at.saturating_add(4).saturating_add(u32_at(rest, at, O::ORDER).unwrap_or(0) as usize)
        }
    })
}

pub(super) fn patch_length(record: &mut [u8], order: ByteOrder) {
    let length = u32::try_from(record.len()).unwrap_or(u32::MAX);
    if let Some(field) = record.get_mut(LENGTH_AT..PID_AT) {
        field.copy_from_slice(&order.put_u32(length));
    }
}
