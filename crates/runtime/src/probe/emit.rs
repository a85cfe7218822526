//! The body of a probe whose event is on.

#![expect(unsafe_code, reason = "a record is written where it was reserved")]

use std::sync::atomic::{Ordering, compiler_fence};

use ringtrace_wire::ring;

use super::host;
use super::payload::Payload;
use crate::event::{Event, Seen, counts};
use crate::options::Backends;
use crate::ring::overflow::reserve_slowly;
use crate::ring::producer::{self, Reserved};
use crate::ring::{attach, recording};
use crate::{backend, clock};

/// Records what happened.
///
/// Most often the binary trace alone is on: then the record is written right here. Everything else is a call.
#[inline(always)]
pub(crate) fn emit<P: Payload>(event: &'static Event, seen: Seen, payload: P) {
    let state = seen.dstate();
    if state == TICKS {
        record(event, payload, clock::ticks);
    } else if state == COARSE {
        std::hint::cold_path();
        record(event, payload, clock::coarse_ns);
    } else {
        std::hint::cold_path();
        dispatch(event, payload);
    }
}

/// The binary trace alone, with stamps that are ticks.
const TICKS: u8 = Backends::SIMPLE.bits();
/// The binary trace alone, with coarse time.
const COARSE: u8 = Backends::SIMPLE.bits() | clock::COARSE;

/// Sends an event to every backend that wants it.
#[cold]
#[inline(never)]
fn dispatch<P: Payload>(event: &'static Event, payload: P) {
    if !host::emit_at_host(event, payload) {
        dispatch_own(event, payload);
    }
}

/// [`dispatch`], in the copy of the runtime that events go to.
pub(crate) fn dispatch_own<P: Payload>(event: &'static Event, payload: P) {
    if Backends::from_bits(event.dstate()).contains(Backends::SIMPLE) {
        record_own_slowly(event, payload);
    }
    payload.with_values(|values| backend::dispatch(event, values));
}

/// Writes a record into the thread's ring.
#[inline(always)]
fn record<P: Payload>(event: &'static Event, payload: P, stamp: impl FnOnce() -> u64) {
    if let Some(reserved) = producer::reserve(ring::padded_bytes(payload.bytes())) {
        write(event, payload, stamp, reserved);
    } else {
        std::hint::cold_path();
        record_slowly(event, payload);
    }
}

/// [`record`], where there is no room at first sight.
#[cold]
#[inline(never)]
fn record_slowly<P: Payload>(event: &'static Event, payload: P) {
    if !host::emit_at_host(event, payload) {
        record_own_slowly(event, payload);
    }
}

/// [`record_slowly`], in the copy of the runtime that events go to.
fn record_own_slowly<P: Payload>(event: &'static Event, payload: P) {
    if let Some(reserved) = reserve_slowly(ring::padded_bytes(payload.bytes())) {
        write(event, payload, clock::stamp, reserved);
    } else {
        count_dropped(event.id());
    }
}

/// Counts a record that found no room, as its trace does. When there is none any more, nothing is lost: this thread has only read the
/// state of the event just before the trace ended.
pub(crate) fn count_dropped(event: u32) {
    if recording::is_any() {
        counts::count_dropped(event);
    }
}

/// Writes a record where there is room for it.
#[inline(always)]
fn write<P: Payload>(event: &'static Event, payload: P, stamp: impl FnOnce() -> u64, reserved: Reserved) {
    let payload_bytes = payload.bytes();
    // SAFETY: a header and `payload_bytes`, padded, are reserved for this record.
    unsafe {
        payload.put(reserved.record().add(ring::HEADER_BYTES));
        finish(event.number(), stamp, payload_bytes, reserved);
    }
    if payload.cut_strings() > 0 {
        attach::count_cut(payload.cut_strings());
    }
}

/// Publishes a record whose values are written, of the event that has `number`.
///
/// # Safety
/// What was reserved holds a header and `payload_bytes`, and these are written.
#[inline(always)]
pub(crate) unsafe fn finish(
    number: u64,
    stamp: impl FnOnce() -> u64,
    payload_bytes: usize,
    reserved: Reserved,
) {
    // Processors that do not work ahead of a look at their counter have little left to do behind it. The compiler
    // would look first.
    compiler_fence(Ordering::SeqCst);
    // Inside the probe: a signal handler's record, which comes before this one or after it, has an earlier or a later
    // stamp accordingly.
    let header = ring::header(number, stamp(), payload_bytes);
    // SAFETY: the caller's promise. Records begin at multiples of eight.
    unsafe { reserved.record().cast::<[u64; 2]>().write(header) };
    reserved.publish(ring::padded_bytes(payload_bytes));
}
