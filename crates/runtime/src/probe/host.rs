//! Several copies of the runtime in one process: libraries use the executable's copy, the host.
//!
//! A library that is built separately and loaded with `dlopen` contains its own copy of this crate.
//! Its events go to the executable's registry, rings and writer thread, so that there is one trace
//! with one order. The library's copy finds the executable's through an ELF note ([`executable`]),
//! or the copy of another library through the exported symbol [`RUNTIME`]. Both lead to a table
//! that contains functions, and a hash of the layouts on which the copies must agree.
//!
//! A library's probe that cannot record directly calls [`Runtime::emit`]. The call also shares the
//! thread's producer with the library. From then on, the library's probes write into the thread's
//! ring in the same way as the executable's. Sharing ends when the thread leaves its ring or the
//! library is unloaded.
//!
//! If there is no other copy, or if the layouts differ, the library's copy works alone. It then has
//! its own events, and records only when the library itself starts a session. If the executable's
//! layout differs, the library prints a warning.

#![expect(unsafe_code, reason = "copies of the runtime find each other and exchange pointers")]

use std::mem::offset_of;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

use ringtrace_wire::ring;

use super::emit::{count_dropped, dispatch_own, finish};
use super::executable;
use super::payload::{Field, Payload};
use crate::event::mirror::Mirror;
use crate::event::registry;
use crate::event::{Argument, Declaration, Event, Group, MIRROR_AT};
use crate::event::{Value, no_string};
use crate::options::Backends;
use crate::os::signal::KeptErrno;
use crate::os::stack::Site;
use crate::os::wait;
use crate::ring::attach;
use crate::ring::current::{self, ProducerCell};
use crate::ring::overflow::reserve_slowly;
use crate::ring::producer::{ATTACHED, Producer, Reserved};
use crate::ring::recording;
use crate::ring::sharing::{NO_LIBRARY, load, share, unload};
use crate::{backend, clock};

/// Room for a record that the library's thread writes. The thread is inside a probe until the
/// record is published.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Reservation {
    /// The thread's producer.
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
        site: Site,
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
    /// Switches an event on or off. Returns `false` if it is `disable`d in its declaration.
    pub(crate) switch: unsafe extern "C" fn(event: *const (), enable: bool) -> bool,
    pub(crate) count_cut: extern "C" fn(strings: u64),
    pub(crate) never_block: extern "C" fn(never: bool),
    /// Counts an event that could not be sent to all backends that should receive it.
    pub(crate) refuse: extern "C" fn(event: u32, wanted: Backends),
    /// Writes a line to text backends; see [`ffi::write_text`](crate::ffi::write_text).
    pub(crate) write_text:
        unsafe extern "C" fn(backends: Backends, text: *const u8, length: usize, is_cut: bool),
}

pub(super) static OWN: Runtime = Runtime {
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

/// The exported pointer to this copy's table. The table itself is not exported: inside a library
/// the linker would resolve the name to the executable's symbol.
#[used]
#[unsafe(export_name = "ringtrace_runtime")]
pub static RUNTIME: &Runtime = &OWN;

/// Increment this whenever the signature or the meaning of a function in [`Runtime`] changes. Sizes
/// do not reveal such a change, and an older library would pass its arguments in other registers.
const REVISION: usize = 4;

/// A hash of everything on which two copies must agree: layouts and meanings.
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

/// Returns the copy of the runtime that receives this copy's events, or `None` if it is this copy.
#[inline]
pub(crate) fn host() -> Option<&'static Runtime> {
    static FOUND: AtomicPtr<Runtime> = AtomicPtr::new(ptr::null_mut());
    let mut found = FOUND.load(Ordering::Acquire);
    if found.is_null() {
        found = find();
        FOUND.store(found, Ordering::Release);
    }
    // SAFETY: this is either this copy's table, or one with the same layout in an executable, which
    // stays loaded.
    (!ptr::eq(found, &OWN)).then(|| unsafe { &*found })
}

fn find() -> *mut Runtime {
    let own = ptr::from_ref(&OWN).cast_mut();
    if let Some(found) = executable::table() {
        // SAFETY: in every version, the table starts with the hash.
        if unsafe { (*found).layout } == LAYOUT {
            return found;
        }
        report_other_layout();
    }
    // SAFETY: the name ends with a NUL. In every version, the symbol is a pointer to a table that
    // starts with the hash.
    unsafe {
        let found = libc::dlsym(libc::RTLD_DEFAULT, c"ringtrace_runtime".as_ptr()).cast::<*mut Runtime>();
        if found.is_null() || (**found).layout != LAYOUT { own } else { *found }
    }
}

/// Reports that this library's events are not recorded. This may be a signal handler, so it only
/// writes.
fn report_other_layout() {
    let text = "ringtrace: a library contains another version of ringtrace than the program, which \
                therefore does not record the library's events\n";
    crate::os::print_error(text);
}

// Calls from a library to its host.

/// The registration of code that has its own producer cells: the number that the host has assigned
/// to the code, and the count of its groups.
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

/// Registers a group with the copy of the runtime that receives its events.
pub fn register_group(group: &'static Group) {
    if let Some(host) = host() {
        MEMBERSHIP.enter(host);
    }
    register_at_host(group);
}

/// Like [`register_group`], for code that has its own membership.
pub(crate) fn register_at_host(group: &'static Group) {
    let Some(host) = host() else { return register_here(group) };
    // SAFETY: this is a group in the host's layout.
    unsafe { (host.register)(ptr::from_ref(group).cast()) };
}

/// Removes a group when the process ends or the library is unloaded.
pub fn unregister_group(group: &'static Group) {
    unregister_at_host(group);
    if let Some(host) = host() {
        MEMBERSHIP.leave(host);
    }
}

/// Like [`unregister_group`], for code that has its own membership.
pub(crate) fn unregister_at_host(group: &'static Group) {
    let Some(host) = host() else { return registry::unregister(group) };
    // SAFETY: this is a group in the host's layout.
    unsafe { (host.unregister)(ptr::from_ref(group).cast()) };
}

/// Switches an event in the copy of the runtime that receives it. Returns `false` if it is
/// `disable`d in its declaration.
pub(crate) fn switch_at_host(event: &'static Event, enable: bool) -> bool {
    // SAFETY: this is a registered event in the host's layout.
    unsafe { (host_or_own().switch)(ptr::from_ref(event).cast(), enable) }
}

/// Passes an event to the host. Returns `false` if this copy has no host.
#[inline]
pub(crate) fn emit_at_host<P: Payload>(event: &'static Event, payload: P, site: Site) -> bool {
    let Some(host) = host() else { return false };
    let library = MEMBERSHIP.number();
    payload.with_values(|values| host.emit(library, current::cell(), event, values, site));
    true
}

impl Runtime {
    /// Emits an event of a library that stores this thread's producer in `cell`.
    pub(crate) fn emit(
        &self,
        library: u64,
        cell: *const ProducerCell,
        event: &'static Event,
        values: &[Value<'_>],
        site: Site,
    ) {
        let event = ptr::from_ref(event).cast();
        // SAFETY: the event and the values have the host's layout.
        unsafe { (self.emit)(library, cell, event, values.as_ptr().cast(), values.len(), site) };
    }
}

// The host's implementation of these calls.

unsafe extern "C" fn register(group: *const ()) {
    // SAFETY: the group belongs to the library, and lives until it is unregistered.
    let group = unsafe { &*group.cast::<Group>() };
    group.events().iter().for_each(|event| event.set_foreign());
    register_here(group);
}

/// Registers a group in this copy of the runtime. If there is a recording, its arena declares the
/// events before they can have records.
fn register_here(group: &'static Group) {
    registry::register_and(group, |event| {
        if let Some(recording) = recording::current() {
            recording.declare(event.id(), event.name(), event.declaration().text, None);
        }
    });
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
    site: Site,
) {
    let _errno = KeptErrno::new();
    // SAFETY: the library's event and values have this copy's layout.
    let (event, values) =
        unsafe { (&*event.cast::<Event>(), std::slice::from_raw_parts(values.cast::<Value<'_>>(), count)) };
    dispatch_own(event, ValueList(values), site);
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
    // SAFETY: the caller passes a pointer to a reservation, which may be written.
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
    // SAFETY: this is a registered event of the library.
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
    // SAFETY: the library passes the address and the length of its string.
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

/// Shares this thread's producer with a library, if the thread has one that the library does not
/// know yet.
fn share_current(library: u64, cell: *const ProducerCell) {
    let producer = current::current();
    // SAFETY: this is the library's cell for this thread.
    let cell_now = unsafe { (*cell).get() };
    if producer.kind.load(Ordering::Relaxed) == ATTACHED && !ptr::eq(cell_now, producer) {
        share(library, cell, producer);
    }
}

/// A payload whose types are known only at run time.
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
            // SAFETY: the caller ensures room for all values, which are written one after another.
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
