//! The body of a probe whose event is enabled.

#![expect(unsafe_code, reason = "a record is written where it was reserved")]

use std::sync::atomic::{Ordering, compiler_fence};

use ringtrace_wire::ring;

use super::host;
use super::payload::{Payload, Rest};
use crate::event::{CONTEXT, Event, Seen, counts};
use crate::options::{Backends, ContextPart};
use crate::os::signal::KeptErrno;
use crate::os::stack::{self, Site};
use crate::ring::overflow::reserve_slowly;
use crate::ring::producer::{self, Reserved};
use crate::ring::{attach, recording};
use crate::{backend, clock};

/// Emits an event.
///
/// Usually the binary trace is the only active backend, and this function writes the record inline.
/// Otherwise, [`Dispatch`] does.
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
        payload.run(Dispatch(event, Site::here()));
    }
}

/// The state of an event when only the binary trace is active, with ticks as stamps.
const TICKS: u8 = Backends::SIMPLE.bits();
/// The state of an event when only the binary trace is active, with coarse time.
const COARSE: u8 = Backends::SIMPLE.bits() | clock::COARSE;

/// Sends an event to every backend that receives it.
struct Dispatch(&'static Event, Site);

impl Rest for Dispatch {
    #[inline(always)]
    fn run<P: Payload>(self, payload: P) {
        let Dispatch(event, site) = self;
        if !host::emit_at_host(event, payload, site) {
            dispatch_own(event, payload, site);
        }
    }
}

/// The implementation of [`Dispatch`], in the copy of the runtime that receives the events.
pub(crate) fn dispatch_own<P: Payload>(event: &'static Event, payload: P, site: Site) {
    let state = event.dstate();
    if Backends::from_bits(state).contains(Backends::SIMPLE) {
        if state & CONTEXT == 0 {
            record_own_slowly(event, payload);
        } else {
            record_with_context(event, payload, site);
        }
    }
    // Formatting text needs several KiB of stack, which a handler on an alternate stack may not have.
    if state & Backends::TEXT != 0 {
        payload.with_values(|values| backend::dispatch(event, values));
    }
}

/// Writes a record with long strings.
struct RecordLong<S>(&'static Event, S);

impl<S: FnOnce() -> u64> Rest for RecordLong<S> {
    #[inline(always)]
    fn run<P: Payload>(self, payload: P) {
        record_any(self.0, payload, self.1);
    }
}

#[inline(always)]
fn record<P: Payload>(event: &'static Event, payload: P, stamp: impl FnOnce() -> u64) {
    if payload.is_inline() {
        record_any(event, payload, stamp);
    } else {
        payload.run(RecordLong(event, stamp));
    }
}

#[inline(always)]
fn record_any<P: Payload>(event: &'static Event, payload: P, stamp: impl FnOnce() -> u64) {
    if let Some(reserved) = producer::reserve(ring::padded_bytes(payload.bytes())) {
        write(event, payload, stamp, reserved);
    } else {
        std::hint::cold_path();
        payload.run(RecordSlowly(event));
    }
}

/// The slow path of [`record`], for a ring whose known free space is used up.
struct RecordSlowly(&'static Event);

impl Rest for RecordSlowly {
    #[inline(always)]
    fn run<P: Payload>(self, payload: P) {
        if !host::emit_at_host(self.0, payload, Site::here()) {
            record_own_slowly(self.0, payload);
        }
    }
}

/// The implementation of [`RecordSlowly`], in the copy of the runtime that receives the events.
fn record_own_slowly<P: Payload>(event: &'static Event, payload: P) {
    if let Some(reserved) = reserve_slowly(ring::padded_bytes(payload.bytes())) {
        write(event, payload, clock::stamp, reserved);
    } else {
        count_dropped(event.id());
    }
}

/// Records an event together with its context. The context is gathered before the thread enters its
/// ring, so that events of signal handlers are not refused meanwhile.
fn record_with_context<P: Payload>(event: &'static Event, payload: P, site: Site) {
    let _errno = KeptErrno::new();
    let mut addresses = [0; ring::MAX_FRAMES];
    let count = if event.has_context(ContextPart::Stack) { stack::walk(site, &mut addresses) } else { 0 };
    let addresses = &addresses[..count];
    let cpu = event.has_context(ContextPart::Cpu).then(|| rustix::thread::sched_getcpu() as u32);
    let context_bytes = ring::context_bytes(addresses.len());
    let payload_bytes = context_bytes + payload.bytes();
    let Some(reserved) = reserve_slowly(ring::padded_bytes(payload_bytes)) else {
        count_dropped(event.id());
        return;
    };
    // SAFETY: the reservation has room for a header, the context and the values.
    unsafe {
        let at = reserved.record().add(ring::HEADER_BYTES).cast::<u64>();
        at.write(ring::context_word(addresses.len(), cpu));
        at.add(1).copy_from_nonoverlapping(addresses.as_ptr(), addresses.len());
        payload.put(at.cast::<u8>().add(context_bytes));
        finish(ring::number(event.id() | ring::CONTEXT), clock::stamp, payload_bytes, reserved);
    }
    if payload.cut_strings() > 0 {
        attach::count_cut(payload.cut_strings());
    }
}

/// Counts an unwritten record as dropped, for its event. If the record was not counted for its
/// thread either, and there is no trace, nothing is lost: this thread loaded the event's state just
/// before the trace ended.
pub(crate) fn count_dropped(event: u32) {
    let producer = producer::current();
    if producer.take_cut_off() {
        counts::name_dropped(event);
    } else if producer.take_unnamed() || recording::is_any() {
        counts::count_dropped(event);
    }
}

#[inline(always)]
fn write<P: Payload>(event: &'static Event, payload: P, stamp: impl FnOnce() -> u64, reserved: Reserved) {
    let payload_bytes = payload.bytes();
    // SAFETY: the reservation has room for a header and the padded `payload_bytes`.
    unsafe {
        payload.put(reserved.record().add(ring::HEADER_BYTES));
        finish(event.number(), stamp, payload_bytes, reserved);
    }
    if payload.cut_strings() > 0 {
        attach::count_cut(payload.cut_strings());
    }
}

/// Publishes a record of event `number`, whose values are already written.
///
/// # Safety
/// The reservation must have room for a header and `payload_bytes`, and the payload must be
/// written.
#[inline(always)]
pub(crate) unsafe fn finish(
    number: u64,
    stamp: impl FnOnce() -> u64,
    payload_bytes: usize,
    reserved: Reserved,
) {
    let record = reserved.record().cast::<u64>();
    // SAFETY: the caller ensures that there is room. Records start at multiples of eight.
    unsafe { record.write(ring::first_word(number, payload_bytes)) };
    let publish = reserved.publisher(ring::padded_bytes(payload_bytes));
    // Read the counter last: some processors execute no later instructions until the read is done,
    // and here only a few follow. Without the fence, the compiler would read the counter first.
    compiler_fence(Ordering::SeqCst);
    // Read the time inside the probe. A signal handler's record before this one then has an earlier
    // stamp, and one after it has a later stamp.
    // SAFETY: as above.
    unsafe { record.add(1).write(stamp()) };
    publish();
}
