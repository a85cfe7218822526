//! v0 (QEMU 0.14 to 1.1): records of 64 bytes.
//!
//! | offset | size | event | dropped records |
//! |---|---|---|---|
//! | 0 | 8 | u64: event id | u64: 0xffff_ffff_ffff_fffe |
//! | 8 | 8 | u64: timestamp in nanoseconds | u64: 0 |
//! | 16 | 48 | six u64: arguments, 0 if unused | u64: count, then zeros |

use std::marker::PhantomData;

use super::{Framing, Layout, Record, Step, Tail, Version};
use crate::order::u64_at;
use crate::{ByteOrder, Order};

/// The size of every record, and of the header, in bytes.
pub const RECORD_BYTES: usize = 64;

/// The maximum number of arguments of an event.
pub const MAX_ARGUMENTS: usize = 6;

const TIMESTAMP_AT: usize = 8;
const ARGUMENTS_AT: usize = 16;

/// v0 files in byte order `O`.
#[derive(Debug, Clone, Copy)]
pub struct V0<O>(PhantomData<O>);

impl<O: Order> Layout for V0<O> {
    const VERSION: Version = Version::V0;
    type Order = O;

    #[inline(always)]
    fn step<'a, F: Framing>(window: &'a [u8], _framing: &F) -> Step<'a> {
        let Some(record) = window.first_chunk::<RECORD_BYTES>() else { return Step::NeedMore(RECORD_BYTES) };
        let (Some(id), Some(timestamp_ns)) =
            (u64_at(record, 0, O::ORDER), u64_at(record, TIMESTAMP_AT, O::ORDER))
        else {
            return Step::NeedMore(RECORD_BYTES);
        };
        Step::Record(Record {
            record_type: 1,
            id,
            timestamp_ns,
            pid: 0,
            length: 0,
            payload: &record[ARGUMENTS_AT..],
            size: RECORD_BYTES,
        })
    }

    fn tail<'a, F: Framing>(window: &'a [u8], _framing: &F) -> Tail<'a> {
        Tail::Ignored { have: window.len(), need: RECORD_BYTES }
    }
}

/// Appends a record's header. The caller appends the arguments, and zeros up to [`RECORD_BYTES`].
pub(super) fn encode_record_header(id: u64, timestamp_ns: u64, order: ByteOrder, out: &mut Vec<u8>) {
    out.extend(order.put_u64(id));
    out.extend(order.put_u64(timestamp_ns));
}
