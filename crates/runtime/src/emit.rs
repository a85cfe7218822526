//! The body of a probe whose event is on.

use ringtrace_wire::ring;

use crate::payload::Payload;
use crate::{Backends, Event, clock, producer, slow};

/// Records what happened.
///
/// Most often the binary trace alone is on: then the record is written right here. Everything else is out of line.
#[inline(always)]
pub(crate) fn emit<P: Payload>(event: &'static Event, payload: P) {
    if event.dstate() == Backends::SIMPLE.bits() {
        record(event, payload);
    } else {
        std::hint::cold_path();
        payload.with_values(|values| slow::dispatch(event, values, &mut || record(event, payload)));
    }
}

/// Writes a record into the thread's ring.
#[inline(always)]
fn record<P: Payload>(event: &'static Event, payload: P) {
    let payload_bytes = payload.bytes();
    let padded_bytes = ring::padded_bytes(payload_bytes);
    let Some(reserved) = producer::reserve(padded_bytes) else { return };
    // Inside the probe: a signal handler's record, which comes before this one or after it, has an earlier or a later
    // stamp accordingly.
    let stamp = clock::stamp();
    let id = reserved.thread() | u64::from(event.id());
    let header = ring::header(id, stamp, payload_bytes, reserved.process());
    let at = reserved.record();
    // SAFETY: `padded_bytes` from `at` on are reserved for this record, which is a header and `payload_bytes`. Records
    // begin at multiples of eight.
    unsafe {
        at.cast::<[u64; 4]>().write(header);
        payload.put(at.add(ring::HEADER_BYTES));
    }
    reserved.publish(padded_bytes);
    if payload.cut_strings() > 0 {
        slow::count_cut(payload.cut_strings());
    }
}
