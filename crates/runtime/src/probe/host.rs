//! Several copies of the runtime in one process: libraries share the executable's copy.
//!
//! A library that is built separately and loaded with `dlopen` contains a copy of this crate. Its
//! events go to the executable's registry, rings and writer thread, so that there is one trace with
//! one order. The copies find each other through one exported symbol, [`RUNTIME`]: a table of
//! functions, and a hash of the layouts that both use. Executables export it if the build script of
//! a package with events configures the linker, as `ringtrace_tracetool::Builder` does.
//!
//! A library's probe that cannot record directly calls [`Runtime::emit`]. The call also shares the
//! thread's producer with the library, whose probes then write into the thread's ring like the
//! executable's. Sharing ends when the thread leaves its ring, unless the library was unloaded
//! before.
//!
//! Without the symbol, or with another layout, the library's copy works alone: it has its own
//! events, and records when the library itself starts it.

#![expect(unsafe_code, reason = "copies of the runtime meet at one symbol and exchange pointers")]

use std::mem::offset_of;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

use ringtrace_wire::ring;

use super::emit::{count_dropped, dispatch_own, finish};
use super::payload::{Field, Payload};
use crate::event::mirror::Mirror;
use crate::event::registry;
use crate::event::{Argument, Declaration, Event, Group, MIRROR_AT};
use crate::event::{Value, no_string};
use crate::options::Backends;
use crate::os::signal::KeptErrno;
use crate::os::wait;
use crate::ring::attach;
use crate::ring::current::{self, ProducerCell};
use crate::ring::overflow::reserve_slowly;
use crate::ring::producer::{ATTACHED, Producer, Reserved};
use crate::ring::sharing::{NO_LIBRARY, load, share, unload};
use crate::{backend, clock};

/// Room for a record that its thread writes. The thread is inside a probe until it is published.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Reservation {
    /// The producer of the thread.
    pub producer: *mut (),
    /// The record's address. Its values start [`HEADER_BYTES`](ringtrace_wire::ring::HEADER_BYTES)
    /// after it.
    pub next: u64,
}

/// The functions that a copy of the runtime offers to other copies.
#[derive(Debug)]
#[repr(C)]
pub struct Runtime {
    layout: u64,
    load: extern "C" fn() -> u64,
    unload: extern "C" fn(library: u64),
    register: unsafe extern "C" fn(group: *const ()),
    unregister: unsafe extern "C" fn(group: *const ()),
    emit: unsafe extern "C" fn(
        library: u64,
        cell: *const ProducerCell,
        event: *const (),
        values: *const (),
        count: usize,
    ),
    /// Reserves room for a record that the caller writes itself; see [`ffi`](crate::ffi).
    pub(crate) reserve: unsafe extern "C" fn(
        library: u64,
        cell: *const ProducerCell,
        event: u32,
        bytes: usize,
        reservation: *mut Reservation,
    ) -> bool,
    pub(crate) publish: unsafe extern "C" fn(reservation: Reservation, event: u32, payload_bytes: usize),
    /// Switches an event. Returns `false` if it is `disable`d in its declaration.
    pub(crate) switch: unsafe extern "C" fn(event: *const (), enable: bool) -> bool,
    pub(crate) count_cut: extern "C" fn(strings: u64),
    pub(crate) never_block: extern "C" fn(never: bool),
    /// Counts an event that some backends do not receive.
    pub(crate) refuse: extern "C" fn(event: u32, wanted: Backends),
    /// Writes a line to text backends; see [`ffi::write_text`](crate::ffi::write_text).
    pub(crate) write_text:
        unsafe extern "C" fn(backends: Backends, text: *const u8, length: usize, is_cut: bool),
}

static OWN: Runtime = Runtime {
    layout: LAYOUT,
    load,
    unload,
    register,
    unregister,
    emit,
    reserve,
    publish,
    switch,
    count_cut,
    never_block,
    refuse,
    write_text,
};

/// The exported pointer to this copy's table. It is not the table itself, because in a library the
/// linker resolves its own name to the executable's symbol.
#[used]
#[unsafe(export_name = "ringtrace_runtime")]
pub static RUNTIME: &Runtime = &OWN;

/// Raise this with every change of the signature or the meaning of a function in [`Runtime`]. Sizes
/// do not show such a change, and an older library would pass other registers than this copy reads.
const REVISION: usize = 2;

/// A hash of everything that two copies must agree on: layouts and meanings.
const LAYOUT: u64 = {
    let places = [
        REVISION,
        size_of::<Event>(),
        size_of::<Declaration>(),
        offset_of!(Declaration, name),
        offset_of!(Declaration, group),
        offset_of!(Declaration, arguments),
        offset_of!(Declaration, format),
        offset_of!(Declaration, text),
        offset_of!(Declaration, traceable),
        size_of::<Argument>(),
        offset_of!(Argument, name),
        offset_of!(Argument, ctype),
        offset_of!(Argument, kind),
        size_of::<Group>(),
        size_of::<Value<'_>>(),
        size_of::<Producer>(),
        offset_of!(Producer, next),
        offset_of!(Producer, limit),
        offset_of!(Producer, page),
        offset_of!(Producer, kind),
        size_of::<ProducerCell>(),
        MIRROR_AT,
        size_of::<Mirror>(),
        offset_of!(Mirror, enabled),
        offset_of!(Mirror, enabled_events),
        offset_of!(Mirror, mode),
        offset_of!(Mirror, log_levels),
        offset_of!(Mirror, elsewhere),
        size_of::<Reservation>(),
        size_of::<Runtime>(),
    ];
    let mut number: u64 = 0xcbf2_9ce4_8422_2325;
    let mut at = 0;
    while at < places.len() {
        number = (number ^ places[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    let version = env!("CARGO_PKG_VERSION").as_bytes();
    let mut at = 0;
    while at < version.len() {
        number = (number ^ version[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    number
};

/// The copy of the runtime that receives this copy's events. `None` if that is this copy.
#[inline]
pub(crate) fn host() -> Option<&'static Runtime> {
    static FOUND: AtomicPtr<Runtime> = AtomicPtr::new(ptr::null_mut());
    let mut found = FOUND.load(Ordering::Acquire);
    if found.is_null() {
        found = find();
        FOUND.store(found, Ordering::Release);
    }
    // SAFETY: this copy's table, or one in the same layout in an executable, which stays loaded.
    (!ptr::eq(found, &OWN)).then(|| unsafe { &*found })
}

fn find() -> *mut Runtime {
    let own = ptr::from_ref(&OWN).cast_mut();
    // SAFETY: the name ends with a NUL. In every version the symbol is a pointer to a table that
    // starts with the hash.
    unsafe {
        let found = libc::dlsym(libc::RTLD_DEFAULT, c"ringtrace_runtime".as_ptr()).cast::<*mut Runtime>();
        if found.is_null() || (**found).layout != LAYOUT { own } else { *found }
    }
}

// Calls of a library.

/// The host's number for code with shared cells, and the number of groups of that code.
#[derive(Debug)]
pub(crate) struct Membership {
    number: AtomicU64,
    groups: AtomicU32,
}

impl Membership {
    pub(crate) const fn new() -> Membership {
        Membership { number: AtomicU64::new(NO_LIBRARY), groups: AtomicU32::new(0) }
    }

    pub(crate) fn number(&self) -> u64 {
        self.number.load(Ordering::Relaxed)
    }

    pub(crate) fn enter(&self, host: &Runtime) {
        if self.groups.fetch_add(1, Ordering::Relaxed) == 0 {
            self.number.store((host.load)(), Ordering::Relaxed);
        }
    }

    pub(crate) fn leave(&self, host: &Runtime) {
        if self.groups.fetch_sub(1, Ordering::Relaxed) == 1 {
            (host.unload)(self.number.swap(NO_LIBRARY, Ordering::Relaxed));
        }
    }
}

static MEMBERSHIP: Membership = Membership::new();

pub(crate) fn host_or_own() -> &'static Runtime {
    host().unwrap_or(&OWN)
}

/// Registers a group with the copy that receives its events.
pub fn register_group(group: &'static Group) {
    if let Some(host) = host() {
        MEMBERSHIP.enter(host);
    }
    register_at_host(group);
}

/// [`register_group`], for code with a membership of its own.
pub(crate) fn register_at_host(group: &'static Group) {
    let Some(host) = host() else { return registry::register(group) };
    // SAFETY: a group, in the host's layout.
    unsafe { (host.register)(ptr::from_ref(group).cast()) };
}

/// Removes a group when the process ends or the library is unloaded.
pub fn unregister_group(group: &'static Group) {
    unregister_at_host(group);
    if let Some(host) = host() {
        MEMBERSHIP.leave(host);
    }
}

/// [`unregister_group`], for code with a membership of its own.
pub(crate) fn unregister_at_host(group: &'static Group) {
    let Some(host) = host() else { return registry::unregister(group) };
    // SAFETY: a group, in the host's layout.
    unsafe { (host.unregister)(ptr::from_ref(group).cast()) };
}

/// Lets the host emit an event. Returns `false` if this copy has no host.
#[inline]
pub(crate) fn emit_at_host<P: Payload>(event: &'static Event, payload: P) -> bool {
    let Some(host) = host() else { return false };
    let library = MEMBERSHIP.number();
    payload.with_values(|values| host.emit(library, current::cell(), event, values));
    true
}

impl Runtime {
    /// Emits an event of a library that keeps this thread's producer in `cell`.
    pub(crate) fn emit(
        &self,
        library: u64,
        cell: *const ProducerCell,
        event: &'static Event,
        values: &[Value<'_>],
    ) {
        let event = ptr::from_ref(event).cast();
        // SAFETY: an event and values, in the host's layout.
        unsafe { (self.emit)(library, cell, event, values.as_ptr().cast(), values.len()) };
    }
}

// The host's side of these calls.

unsafe extern "C" fn register(group: *const ()) {
    // SAFETY: the library's group, which lives until it is unregistered.
    let group = unsafe { &*group.cast::<Group>() };
    group.events().iter().for_each(|event| event.set_foreign());
    registry::register(group);
}

unsafe extern "C" fn unregister(group: *const ()) {
    // SAFETY: as in `register`.
    registry::unregister(unsafe { &*group.cast::<Group>() });
}

unsafe extern "C" fn emit(
    library: u64,
    cell: *const ProducerCell,
    event: *const (),
    values: *const (),
    count: usize,
) {
    let _errno = KeptErrno::new();
    // SAFETY: the library's event and values, in this copy's layout.
    let (event, values) =
        unsafe { (&*event.cast::<Event>(), std::slice::from_raw_parts(values.cast::<Value<'_>>(), count)) };
    dispatch_own(event, ValueList(values));
    share_current(library, cell);
}

unsafe extern "C" fn reserve(
    library: u64,
    cell: *const ProducerCell,
    event: u32,
    bytes: usize,
    reservation: *mut Reservation,
) -> bool {
    let _errno = KeptErrno::new();
    let Some(reserved) = reserve_slowly(bytes) else {
        count_dropped(event);
        return false;
    };
    share_current(library, cell);
    let (producer, next) = reserved.into_raw();
    // SAFETY: the caller's reservation, for writing.
    unsafe { reservation.write(Reservation { producer: ptr::from_ref(producer).cast_mut().cast(), next }) };
    true
}

unsafe extern "C" fn publish(reservation: Reservation, event: u32, payload_bytes: usize) {
    // SAFETY: `reserve` returned this to the same thread, which is still inside that probe.
    let reserved = unsafe { Reserved::from_raw(&*reservation.producer.cast::<Producer>(), reservation.next) };
    // SAFETY: that many bytes were reserved, and the library has written them.
    unsafe { finish(ring::number(event), clock::stamp, payload_bytes, reserved) };
}

unsafe extern "C" fn switch(event: *const (), enable: bool) -> bool {
    // SAFETY: the library's event, which is registered.
    registry::set_event_enabled(unsafe { &*event.cast::<Event>() }, enable).is_ok()
}

extern "C" fn count_cut(strings: u64) {
    attach::count_cut(strings);
}

extern "C" fn never_block(never: bool) {
    wait::set_never_block(never);
}

unsafe extern "C" fn write_text(backends: Backends, text: *const u8, length: usize, is_cut: bool) {
    let _errno = KeptErrno::new();
    // SAFETY: the library's text.
    backend::dispatch_text(backends, unsafe { std::slice::from_raw_parts(text, length) }, is_cut);
}

extern "C" fn refuse(event: u32, wanted: Backends) {
    if wanted.contains(Backends::SIMPLE) {
        attach::drop_without_slot();
        count_dropped(event);
    }
    if wanted.bits() & Backends::TEXT != 0 {
        backend::refuse();
    }
}

/// Shares this thread's producer with a library, if it has one that the library does not have yet.
fn share_current(library: u64, cell: *const ProducerCell) {
    let producer = current::current();
    // SAFETY: the library's cell of this thread.
    let cell_now = unsafe { (*cell).get() };
    if producer.kind.load(Ordering::Relaxed) == ATTACHED && !ptr::eq(cell_now, producer) {
        share(library, cell, producer);
    }
}

/// Values whose types are known only at run time.
#[derive(Debug, Clone, Copy)]
struct ValueList<'a>(&'a [Value<'a>]);

impl Payload for ValueList<'_> {
    fn bytes(&self) -> usize {
        let bytes = |value: &Value<'_>| match *value {
            Value::Integer(integer) => Field::bytes(integer),
            Value::Str(text) => Field::bytes(text),
            Value::NoStr => Field::bytes(no_string()),
        };
        self.0.iter().map(bytes).sum()
    }

    unsafe fn put(self, mut at: *mut u8) {
        for value in self.0 {
            // SAFETY: the caller's promise covers each value, one after another.
            at = unsafe {
                match *value {
                    Value::Integer(integer) => integer.put(at),
                    Value::Str(text) => text.put(at),
                    Value::NoStr => no_string().put(at),
                }
            };
        }
    }

    fn cut_strings(&self) -> u64 {
        let is_cut = |value: &&Value<'_>| matches!(value, Value::Str(text) if text.is_cut());
        self.0.iter().filter(is_cut).count() as u64
    }

    fn with_values<R>(&self, f: impl FnOnce(&[Value<'_>]) -> R) -> R {
        f(self.0)
    }
}
