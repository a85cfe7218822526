//! What the C library calls. Its probes write into rings themselves, by a pointer to the thread's producer that is lent to them, as it is to
//! libraries (`probe/host.rs`). Nothing here is meant for programs.
//!
//! A pointer that nothing is lent to points to three words of zeros: there is no room, and whoever has none calls.

#![expect(unsafe_code, reason = "functions of the host are called through its table")]

use std::ptr;

use ringtrace_wire::ring;

use crate::event::Value;
pub use crate::event::mirror::{LOG_TRACE, Mirror};
use crate::event::registry::NotTraceable;
use crate::event::{Event, Group};
use crate::options::{Backends, Settings};
pub use crate::probe::host::Reservation;
use crate::probe::host::{self, Membership};
use crate::probe::payload::MAX_STR_BYTES;
use crate::ring::current::ProducerCell;
use crate::ring::producer::Producer;

pub use ringtrace_wire::ring::HEADER_BYTES;

/// What the inline path in C takes for granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Layout {
    /// Where a producer has the address of the next record.
    pub next_at: usize,
    /// Where it has the address up to which there is room.
    pub limit_at: usize,
    /// Where it has its slot's page.
    pub page_at: usize,
    /// Where that page has the address behind what is published.
    pub published_at: usize,
    /// Bytes before a record's values.
    pub header_bytes: usize,
    /// Records begin at multiples of this.
    pub alignment: usize,
    /// The mode in which it may write, by the processor's counter.
    pub ticks_mode: u32,
    /// The longest string.
    pub max_str_bytes: usize,
}

/// What the inline path in C has to take for granted.
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

/// A thread's pointer to its producer, of code that is not Rust.
#[derive(Debug, Clone, Copy)]
pub struct ThreadCell(*const ProducerCell);

impl ThreadCell {
    /// The pointer at `at`.
    ///
    /// # Safety
    /// It is a thread-local word of the thread that calls, which stays until the thread ends or its library is unloaded, and points
    /// to words as [`LAYOUT`] has them.
    pub unsafe fn new(at: *mut *mut ()) -> ThreadCell {
        ThreadCell(at.cast())
    }
}

/// That of C.
static MEMBERSHIP: Membership = Membership::new();

/// Whether events go to another copy of the runtime, which decides what becomes of them.
pub fn is_guest() -> bool {
    host::host().is_some()
}

/// Registers a group.
pub fn register(group: &'static Group) {
    MEMBERSHIP.enter(host::host_or_own());
    host::register_at_host(group);
}

/// Takes it away again. No thread is in one of its probes.
pub fn unregister(group: &'static Group) {
    host::unregister_at_host(group);
    MEMBERSHIP.leave(host::host_or_own());
}

/// Switches an event that is registered.
///
/// # Errors
/// When it is `disable`d in its declaration.
pub fn set_enabled(event: &'static Event, enable: bool) -> Result<(), NotTraceable> {
    // SAFETY: an event, laid out as the host has them.
    let switched = unsafe { (host::host_or_own().switch)(ptr::from_ref(event).cast(), enable) };
    if switched { Ok(()) } else { Err(NotTraceable { name: event.name() }) }
}

/// Reservation for a record of event number `id` with `payload_bytes` of values, and lends the thread's producer to `cell`. `None`: it is dropped,
/// and counted.
pub fn reserve(cell: ThreadCell, id: u32, payload_bytes: usize) -> Option<Reservation> {
    let mut reservation = Reservation { producer: ptr::null_mut(), next: 0 };
    let bytes = ring::padded_bytes(payload_bytes);
    // SAFETY: the thread's cell, as `ThreadCell::new` was promised.
    let found = unsafe {
        (host::host_or_own().reserve)(MEMBERSHIP.number(), cell.0, id, bytes, &raw mut reservation)
    };
    found.then_some(reservation)
}

/// Writes the head of a record of event number `id`, and publishes it.
///
/// # Safety
/// `reservation` is what [`reserve`] has given to this thread for as many bytes, they are written, and nothing was published since.
pub unsafe fn publish(reservation: Reservation, id: u32, payload_bytes: usize) {
    // SAFETY: the caller's promise.
    unsafe { (host::host_or_own().publish)(reservation, id, payload_bytes) };
}

/// Sends values to all backends that want the event, and lends the thread's producer to `cell`.
pub fn emit(cell: ThreadCell, event: &'static Event, values: &[Value<'_>]) {
    host::host_or_own().emit(MEMBERSHIP.number(), cell.0, event, values);
}

/// The backends that want the event now and are ours to serve, as [`Backends`](crate::Backends) has them, without those that serve themselves.
pub fn wanted(event: &Event) -> Backends {
    Backends::from_bits(event.dstate())
}

/// Counts a string that is longer than a record holds.
pub fn count_cut_string() {
    (host::host_or_own().count_cut)(1);
}

/// Writes a line that somebody else has formatted, its line end left out, to the text backends in a set. Control characters in it are
/// escaped as in lines that are made of events. `is_cut`: it ends early, and is counted so.
pub fn write_text(backends: Backends, text: &[u8], is_cut: bool) {
    // SAFETY: a slice.
    unsafe { (host::host_or_own().write_text)(backends, text.as_ptr(), text.len(), is_cut) };
}

/// The number of the descriptor of the kernel's `trace_marker`, once it is open: it stays open.
pub fn marker() -> Option<i32> {
    crate::backend::marker()
}

/// Opens the kernel's `trace_marker` where tracefs is usually mounted, unless it is open.
///
/// # Errors
/// When it cannot be opened.
pub fn open_marker() -> Result<(), crate::backend::OpenError> {
    if marker().is_some() {
        return Ok(());
    }
    crate::backend::open(Backends::FTRACE, &Settings::default())
}

/// [`never_block`](crate::never_block) without a guard: from here on no probe of this thread waits, until this is called with
/// `false` as often as with `true`.
pub fn set_never_block(never: bool) {
    (host::host_or_own().never_block)(never);
}

/// Counts an event whose values could not be collected for the backends that want it.
pub fn count_refused(event: &Event) {
    (host::host_or_own().refuse)(event.id(), wanted(event));
}
