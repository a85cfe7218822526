//! The functions that the C library calls. Programs must not call them. C probes write into rings
//! through a pointer to the thread's producer. The runtime shares the producer with C code in the
//! same way as with libraries (`probe::host`).
//!
//! Until the runtime sets the pointer, it refers to a zeroed dummy producer, which forces the slow
//! path.

#![expect(unsafe_code, reason = "functions of the host are called through its table")]

use std::ptr;

use ringtrace_wire::ring;

pub use crate::event::mirror::{LOG_TRACE, Mirror};
use crate::event::registry::NotTraceable;
use crate::event::{CONTEXT, Value};
use crate::event::{Event, Group};
use crate::options::{Backends, Settings};
pub use crate::os::stack::Site;
pub use crate::probe::host::Reservation;
use crate::probe::host::{self, Membership};
use crate::probe::payload::MAX_STR_BYTES;
use crate::ring::current::ProducerCell;
use crate::ring::producer::Producer;

pub use ringtrace_wire::ring::HEADER_BYTES;

/// The offsets and constants on which the inline path in C relies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Layout {
    /// The offset of the next record's address in a producer.
    pub next_at: usize,
    /// The offset of the end of the known free space in a producer.
    pub limit_at: usize,
    /// The offset of the slot page's address in a producer.
    pub page_at: usize,
    /// The offset of the end position of published records in the slot's page.
    pub published_at: usize,
    /// The size of a record's header.
    pub header_bytes: usize,
    /// The alignment of records.
    pub alignment: usize,
    /// The mode in which C may write records itself, with the processor's counter as the clock.
    pub ticks_mode: u32,
    /// The longest string, in bytes.
    pub max_str_bytes: usize,
}

/// The values that the inline path in C must use.
pub const LAYOUT: Layout = Layout {
    next_at: std::mem::offset_of!(Producer, next),
    limit_at: std::mem::offset_of!(Producer, limit),
    page_at: std::mem::offset_of!(Producer, page),
    published_at: ringtrace_wire::arena::slot::PUBLISHED,
    header_bytes: HEADER_BYTES,
    alignment: ring::ALIGNMENT,
    ticks_mode: Backends::SIMPLE.bits() as u32,
    max_str_bytes: MAX_STR_BYTES,
};

/// A thread's pointer to its producer, in code written in another language.
#[derive(Debug, Clone, Copy)]
pub struct ThreadCell(*const ProducerCell);

impl ThreadCell {
    /// Wraps the pointer at `at`.
    ///
    /// # Safety
    /// `at` must be a thread-local word of the calling thread. It must be valid until the thread
    /// ends or its library is unloaded, and point to words in the layout of [`LAYOUT`].
    pub unsafe fn new(at: *mut *mut ()) -> ThreadCell {
        ThreadCell(at.cast())
    }
}

static MEMBERSHIP: Membership = Membership::new();

/// Returns whether events go to another copy of the runtime.
pub fn is_guest() -> bool {
    host::host().is_some()
}

/// Registers a group.
pub fn register(group: &'static Group) {
    MEMBERSHIP.enter(host::host_or_own());
    host::register_at_host(group);
}

/// Removes a group. No thread may be inside one of its probes.
pub fn unregister(group: &'static Group) {
    host::unregister_at_host(group);
    MEMBERSHIP.leave(host::host_or_own());
}

/// Enables or disables a registered event.
///
/// # Errors
/// Fails when it is `disable`d in its declaration.
pub fn set_enabled(event: &'static Event, enable: bool) -> Result<(), NotTraceable> {
    if host::switch_at_host(event, enable) { Ok(()) } else { Err(NotTraceable { name: event.name() }) }
}

/// Reserves room for a record of event `id` with `payload_bytes` bytes of values, and shares the
/// thread's producer with `cell`. If there is no room, counts the record as dropped and returns
/// `None`.
pub fn reserve(cell: ThreadCell, id: u32, payload_bytes: usize) -> Option<Reservation> {
    let mut reservation = Reservation { producer: ptr::null_mut(), next: 0 };
    let bytes = ring::padded_bytes(payload_bytes);
    // SAFETY: this is the thread's cell, as the caller of `ThreadCell::new` promised.
    let found = unsafe {
        (host::host_or_own().reserve)(MEMBERSHIP.number(), cell.0, id, bytes, &raw mut reservation)
    };
    found.then_some(reservation)
}

/// Writes the header of a record of event `id`, and publishes the record.
///
/// # Safety
/// [`reserve`] must have returned `reservation` to this thread for the same `payload_bytes`. The
/// payload must be written, and nothing may have been published since.
pub unsafe fn publish(reservation: Reservation, id: u32, payload_bytes: usize) {
    // SAFETY: the caller ensures that the reservation is valid and the payload is written.
    unsafe { (host::host_or_own().publish)(reservation, id, payload_bytes) };
}

/// Sends values of the probe at `site` to all backends that receive the event, and shares the thread's
/// producer with `cell`.
pub fn emit(cell: ThreadCell, event: &'static Event, values: &[Value<'_>], site: Site) {
    host::host_or_own().emit(MEMBERSHIP.number(), cell.0, event, values, site);
}

/// Returns whether the event's records have a context, so that only [`emit`] can record them.
pub fn has_context(event: &Event) -> bool {
    event.dstate() & CONTEXT != 0
}

/// Returns the backends that receive the event now, except those that the program serves itself.
pub fn wanted(event: &Event) -> Backends {
    Backends::from_bits(event.dstate())
}

/// Counts a string that was truncated.
pub fn count_cut_string() {
    (host::host_or_own().count_cut)(1);
}

/// Writes an already formatted line, without a newline, to the given text backends. Control
/// characters are escaped as in the lines of events. If `is_cut` is set, the line is counted as
/// truncated.
pub fn write_text(backends: Backends, text: &[u8], is_cut: bool) {
    // SAFETY: the pointer and the length are those of a slice.
    unsafe { (host::host_or_own().write_text)(backends, text.as_ptr(), text.len(), is_cut) };
}

/// Returns the file descriptor of the kernel's `trace_marker` if it is open. It is never closed.
pub fn marker() -> Option<i32> {
    crate::backend::marker()
}

/// Opens the kernel's `trace_marker` at the usual mount point of tracefs, unless it is already
/// open.
///
/// # Errors
/// Fails when it cannot be opened.
pub fn open_marker() -> Result<(), crate::backend::OpenError> {
    if marker().is_some() {
        return Ok(());
    }
    crate::backend::open(Backends::FTRACE, &Settings::default())
}

/// Like [`never_block`](crate::never_block), but without a guard. From a call with `true` to the
/// matching call with `false`, probes of this thread never wait.
pub fn set_never_block(never: bool) {
    (host::host_or_own().never_block)(never);
}

/// Counts an event whose values could not be collected for its backends.
pub fn count_refused(event: &Event) {
    (host::host_or_own().refuse)(event.id(), wanted(event));
}
