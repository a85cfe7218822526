//! v4 (QEMU 2.8 and later, and ringtrace): a record type precedes each record, and mapping records
//! name the events.
//!
//! | offset | size | mapping record | event record |
//! |---|---|---|---|
//! | 0 | 8 | u64: type, 0 | u64: type, 1 |
//! | 8 | 8 | u64: event id | a record as in v3, whose length does not include the type |
//! | 16 | 4 | u32: length of the name | |
//! | 20 | length | name, without NUL | |
//!
//! Readers treat every type except 0 as an event.

use std::marker::PhantomData;

use super::v2::{self, RECORD_HEADER_BYTES, ordinary_record, record, record_tail};
use super::{Fault, FaultKind, Framing, Layout, Mapping, Record, Step, Tail, Version};
use crate::order::{u32_at, u64_at};
use crate::{ByteOrder, Order};

/// The record type of a mapping.
pub const MAPPING_TYPE: u64 = 0;
/// The record type of an event.
pub const EVENT_TYPE: u64 = 1;

const TYPE_BYTES: usize = 8;
/// The offset of the payload in an event.
pub const PAYLOAD_AT: usize = LENGTH_FROM + RECORD_HEADER_BYTES;
/// The offset of the id in an event.
pub(crate) const ID_AT: usize = LENGTH_FROM;
/// The offset of the process id in an event.
pub(crate) const PID_AT: usize = LENGTH_FROM + v2::PID_AT;
/// The offset of the time in an event.
pub(crate) const TIMESTAMP_AT: usize = LENGTH_FROM + v2::TIMESTAMP_AT;
/// The offset of the length in an event.
pub(crate) const LENGTH_AT: usize = LENGTH_FROM + v2::LENGTH_AT;
/// The offset from which the length counts.
pub(crate) const LENGTH_FROM: usize = TYPE_BYTES;
const MAPPING_ID_AT: usize = 8;
const NAME_LENGTH_AT: usize = 16;
const NAME_AT: usize = 20;

/// Encodes the bytes before the payload of an event.
#[inline(always)]
pub(crate) fn record_header(
    id: u64,
    timestamp_ns: u64,
    payload_bytes: u32,
    pid: u32,
    order: ByteOrder,
) -> [u8; PAYLOAD_AT] {
    let mut header = [0; PAYLOAD_AT];
    header[..TYPE_BYTES].copy_from_slice(&order.put_u64(EVENT_TYPE));
    let length = RECORD_HEADER_BYTES as u32 + payload_bytes;
    let v3_header = v2::header(id, timestamp_ns, length, pid, order);
    header[TYPE_BYTES..].copy_from_slice(&v3_header);
    header
}

/// v4 files in byte order `O`.
#[derive(Debug, Clone, Copy)]
pub struct V4<O>(PhantomData<O>);

impl<O: Order> Layout for V4<O> {
    const VERSION: Version = Version::V4;
    type Order = O;

    #[inline(always)]
    fn step<'a, F: Framing>(window: &'a [u8], framing: &F) -> Step<'a> {
        match u64_at(window, 0, O::ORDER) {
            Some(MAPPING_TYPE) => mapping::<O>(window),
            Some(record_type) => record::<O, F>(window, TYPE_BYTES, record_type, framing),
            None => Step::NeedMore(TYPE_BYTES),
        }
    }

    #[inline(always)]
    fn ordinary(window: &[u8], max_bytes: usize) -> Option<Record<'_>> {
        let record = ordinary_record::<O>(window, TYPE_BYTES, EVENT_TYPE, max_bytes)?;
        // Check the type last: if the record is complete, the bytes of its type are present.
        (u64_at(window, 0, O::ORDER) == Some(EVENT_TYPE)).then_some(record)
    }

    fn tail<'a, F: Framing>(window: &'a [u8], framing: &F) -> Tail<'a> {
        match u64_at(window, 0, O::ORDER) {
            Some(MAPPING_TYPE) => mapping_tail::<O>(window),
            Some(record_type) => match record_tail::<O, F>(window, TYPE_BYTES, record_type, framing) {
                Tail::Ignored { have, need } => cut("record header", have - TYPE_BYTES, need - TYPE_BYTES),
                tail => tail,
            },
            None => cut("record type", window.len(), TYPE_BYTES),
        }
    }
}

/// Returns the arguments of a record whose payload is exactly `count` integers.
#[inline(always)]
pub fn integers<O: Order>(payload: &[u8], count: usize) -> Option<impl Iterator<Item = u64>> {
    let (words, rest) = payload.as_chunks();
    (words.len() == count && rest.is_empty()).then(|| words.iter().map(|word| O::ORDER.u64(*word)))
}

fn cut<'a>(part: &'static str, have: usize, need: usize) -> Tail<'a> {
    Tail::Fault(Fault { at: 0, kind: FaultKind::CutHeader { part, have, need } })
}

#[cold]
fn mapping<O: Order>(window: &[u8]) -> Step<'_> {
    let fixed = u64_at(window, MAPPING_ID_AT, O::ORDER).zip(u32_at(window, NAME_LENGTH_AT, O::ORDER));
    let Some((id, length)) = fixed else { return Step::NeedMore(NAME_AT) };
    let size = NAME_AT.saturating_add(length as usize);
    match window.get(NAME_AT..size) {
        Some(name) => Step::Mapping(Mapping { id, name, size }),
        None => Step::NeedMore(size),
    }
}

fn mapping_tail<O: Order>(window: &[u8]) -> Tail<'_> {
    match (u64_at(window, MAPPING_ID_AT, O::ORDER), window.get(NAME_AT..)) {
        (Some(id), Some(name)) => Tail::Cut(Step::Mapping(Mapping { id, name, size: window.len() })),
        _ => cut("mapping record", window.len(), NAME_AT),
    }
}

pub(super) fn encode_mapping(id: u64, name: &[u8], order: ByteOrder, out: &mut Vec<u8>) {
    encode_mapping_with(id, order, out, |out| out.extend_from_slice(name));
}

/// Appends a mapping record. `append_name` appends the event's name.
pub(super) fn encode_mapping_with(
    id: u64,
    order: ByteOrder,
    out: &mut Vec<u8>,
    append_name: impl FnOnce(&mut Vec<u8>),
) {
    let start = out.len();
    out.extend(order.put_u64(MAPPING_TYPE));
    out.extend(order.put_u64(id));
    out.extend(order.put_u32(0));
    append_name(out);
    let name_bytes = u32::try_from(out.len() - start - NAME_AT).unwrap_or(u32::MAX);
    out[start + NAME_LENGTH_AT..start + NAME_AT].copy_from_slice(&order.put_u32(name_bytes));
}
