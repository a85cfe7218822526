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

/// Emits an event.
///
/// Usually the binary trace is the only backend, and is written right here. Else this is a call.
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

/// Only the binary trace is on, with ticks as stamps.
const TICKS: u8 = Backends::SIMPLE.bits();
/// Only the binary trace is on, with coarse time.
const COARSE: u8 = Backends::SIMPLE.bits() | clock::COARSE;

/// Sends an event to every backend that is on for it.
#[cold]
#[inline(never)]
fn dispatch<P: Payload>(event: &'static Event, payload: P) {
    if !host::emit_at_host(event, payload) {
        dispatch_own(event, payload);
    }
}

/// [`dispatch`], in the copy of the runtime that receives the events.
pub(crate) fn dispatch_own<P: Payload>(event: &'static Event, payload: P) {
    if Backends::from_bits(event.dstate()).contains(Backends::SIMPLE) {
        record_own_slowly(event, payload);
    }
    payload.with_values(|values| backend::dispatch(event, values));
}

#[inline(always)]
fn record<P: Payload>(event: &'static Event, payload: P, stamp: impl FnOnce() -> u64) {
    if let Some(reserved) = producer::reserve(ring::padded_bytes(payload.bytes())) {
        write(event, payload, stamp, reserved);
    } else {
        std::hint::cold_path();
        record_slowly(event, payload);
    }
}

/// [`record`], if there is no room at first sight.
#[cold]
#[inline(never)]
fn record_slowly<P: Payload>(event: &'static Event, payload: P) {
    if !host::emit_at_host(event, payload) {
        record_own_slowly(event, payload);
    }
}

/// [`record_slowly`], in the copy of the runtime that receives the events.
fn record_own_slowly<P: Payload>(event: &'static Event, payload: P) {
    if let Some(reserved) = reserve_slowly(ring::padded_bytes(payload.bytes())) {
        write(event, payload, clock::stamp, reserved);
    } else {
        count_dropped(event.id());
    }
}

/// Counts a record that found no room, like its trace does. Without a trace nothing is lost: this
/// thread read the event's state just before the trace ended.
pub(crate) fn count_dropped(event: u32) {
    if recording::is_any() {
        counts::count_dropped(event);
    }
}

#[inline(always)]
fn write<P: Payload>(event: &'static Event, payload: P, stamp: impl FnOnce() -> u64, reserved: Reserved) {
    let payload_bytes = payload.bytes();
    // SAFETY: the reservation holds a header and the padded `payload_bytes`.
    unsafe {
        payload.put(reserved.record().add(ring::HEADER_BYTES));
        finish(event.number(), stamp, payload_bytes, reserved);
    }
    if payload.cut_strings() > 0 {
        attach::count_cut(payload.cut_strings());
    }
}

/// Publishes a record of event `number`, whose values are written.
///
/// # Safety
/// The reservation holds a header and `payload_bytes`, and the payload is written.
#[inline(always)]
pub(crate) unsafe fn finish(
    number: u64,
    stamp: impl FnOnce() -> u64,
    payload_bytes: usize,
    reserved: Reserved,
) {
    // A processor that does not execute past a read of its counter has little left to do after it.
    // The compiler would read the counter first.
    compiler_fence(Ordering::SeqCst);
    // Read the time inside the probe: a signal handler's record before this one has an earlier
    // stamp, and one after it a later stamp.
    let header = ring::header(number, stamp(), payload_bytes);
    // SAFETY: the caller's promise. Records start at multiples of eight.
    unsafe { reserved.record().cast::<[u64; 2]>().write(header) };
    reserved.publish(ring::padded_bytes(payload_bytes));
}
