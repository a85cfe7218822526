//! Several copies of the runtime in one process: those of libraries share the executable's.
//!
//! A library that is built by itself and loaded with `dlopen` brings a copy of this crate. Its events go to the executable's
//! registry, rings and writer thread, so that there is one trace with one order. The copies meet through one exported
//! symbol, [`RUNTIME`]: functions, and a number that says how everything is laid out that both use. Executables export it when the build script of
//! a package with events says so to the linker, as `ringtrace_tracetool::Builder` does.
//!
//! Whatever a library's probe cannot do at once is a call of [`Runtime::emit`]. That also *lends* the library the thread's producer:
//! from then on its probes write into the thread's ring just as the executable's do. What is lent is taken back when the
//! thread leaves its ring, and not when the library was unloaded before.
//!
//! Without that symbol, or with another layout, a library's copy stays on its own: it has events of its own, and records when the
//! library itself starts it.

use std::cell::Cell;
use std::mem::offset_of;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

use ringtrace_wire::ring;

use crate::current::{self, ProducerCell};
use crate::event::{Argument, Declaration, Event, Group, MIRROR_AT};
use crate::lent::Room;
use crate::mirror::Mirror;
use crate::payload::{Field, Payload};
use crate::probe::{Value, no_string};
use crate::producer::{self, ATTACHED, Producer, Reserved};
use crate::signal::KeptErrno;
use crate::{Backends, backend, clock, emit, registry, slow, wait};

/// What a copy of the runtime offers to others.
#[derive(Debug)]
#[repr(C)]
pub struct Runtime {
    layout: u64,
    /// A library comes: the answer names it.
    load: extern "C" fn() -> u64,
    /// It goes.
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
    /// Room for a record that the caller writes itself; see [`lent`](crate::lent).
    pub(crate) reserve: unsafe extern "C" fn(
        library: u64,
        cell: *const ProducerCell,
        event: u32,
        bytes: usize,
        room: *mut Room,
    ) -> bool,
    pub(crate) publish: unsafe extern "C" fn(room: Room, event: u32, payload_bytes: usize),
    /// Switches an event; `false`: it is `disable`d in its declaration.
    pub(crate) switch: unsafe extern "C" fn(event: *const (), enable: bool) -> bool,
    /// Counts strings of this thread that were longer than a record holds.
    pub(crate) count_cut: extern "C" fn(strings: u64),
    /// [`wait::set_never_block`].
    pub(crate) never_block: extern "C" fn(never: bool),
    /// Counts an event that some backends do not get.
    pub(crate) refuse: extern "C" fn(event: u32, wanted: Backends),
    /// A line for text backends; see [`lent::write_text`](crate::lent::write_text).
    pub(crate) write_text:
        unsafe extern "C" fn(backends: Backends, text: *const u8, length: usize, is_cut: bool),
}

/// This copy's.
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

/// What is exported: where this copy's is. Not the thing itself, since within a library the linker takes its name for the
/// executable's.
#[used]
#[unsafe(export_name = "ringtrace_runtime")]
pub static RUNTIME: &Runtime = &OWN;

/// To be raised with every change of a parameter or a result of a function in [`Runtime`], and of what one does with them: sizes do not
/// tell of that, and a library that was built before would pass other registers than this copy reads.
const REVISION: usize = 2;

/// A number of everything that two copies must agree on: how it is laid out, and what it means.
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
        size_of::<Room>(),
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

/// The copy that this one shares: `None`, this one stands alone, or others share it.
#[inline]
pub(crate) fn host() -> Option<&'static Runtime> {
    static FOUND: AtomicPtr<Runtime> = AtomicPtr::new(ptr::null_mut());
    let mut found = FOUND.load(Ordering::Acquire);
    if found.is_null() {
        found = find();
        FOUND.store(found, Ordering::Release);
    }
    // SAFETY: this copy's own, or one that has the layout of this one, in an executable, which is never unloaded.
    (!ptr::eq(found, &OWN)).then(|| unsafe { &*found })
}

fn find() -> *mut Runtime {
    let own = ptr::from_ref(&OWN).cast_mut();
    // SAFETY: a name that ends with a NUL. What has this name is an address, in every version, of what begins with a number.
    unsafe {
        let found = libc::dlsym(libc::RTLD_DEFAULT, c"ringtrace_runtime".as_ptr()).cast::<*mut Runtime>();
        if found.is_null() || (**found).layout != LAYOUT { own } else { *found }
    }
}

// What a library calls.

/// By what the host knows code that lends a cell, and how many groups that code has.
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

    /// A group comes.
    pub(crate) fn enter(&self, host: &Runtime) {
        if self.groups.fetch_add(1, Ordering::Relaxed) == 0 {
            self.number.store((host.load)(), Ordering::Relaxed);
        }
    }

    /// A group goes.
    pub(crate) fn leave(&self, host: &Runtime) {
        if self.groups.fetch_sub(1, Ordering::Relaxed) == 1 {
            (host.unload)(self.number.swap(NO_LIBRARY, Ordering::Relaxed));
        }
    }
}

/// That of this copy's Rust.
static MEMBERSHIP: Membership = Membership::new();

/// The copy that events go to.
pub(crate) fn host_or_own() -> &'static Runtime {
    host().unwrap_or(&OWN)
}

/// Registers a group where its events go.
pub fn register_group(group: &'static Group) {
    if let Some(host) = host() {
        MEMBERSHIP.enter(host);
    }
    register_at_host(group);
}

/// [`register_group`], of code that has a membership of its own.
pub(crate) fn register_at_host(group: &'static Group) {
    let Some(host) = host() else { return registry::register(group) };
    // SAFETY: a group, laid out as the host has them.
    unsafe { (host.register)(ptr::from_ref(group).cast()) };
}

/// Takes it away again, when the process ends or the library is unloaded.
pub fn unregister_group(group: &'static Group) {
    unregister_at_host(group);
    if let Some(host) = host() {
        MEMBERSHIP.leave(host);
    }
}

/// [`unregister_group`], of code that has a membership of its own.
pub(crate) fn unregister_at_host(group: &'static Group) {
    let Some(host) = host() else { return registry::unregister(group) };
    // SAFETY: as above.
    unsafe { (host.unregister)(ptr::from_ref(group).cast()) };
}

/// Lets the host emit an event. `false`: this copy is nobody's guest.
#[inline]
pub(crate) fn emit_at_host<P: Payload>(event: &'static Event, payload: P) -> bool {
    let Some(host) = host() else { return false };
    let library = MEMBERSHIP.number();
    payload.with_values(|values| host.emit(library, current::cell(), event, values));
    true
}

impl Runtime {
    /// Emits an event of a library that has this thread's producer in `cell`.
    pub(crate) fn emit(
        &self,
        library: u64,
        cell: *const ProducerCell,
        event: &'static Event,
        values: &[Value<'_>],
    ) {
        let event = ptr::from_ref(event).cast();
        // SAFETY: an event and values, laid out as the host has them.
        unsafe { (self.emit)(library, cell, event, values.as_ptr().cast(), values.len()) };
    }
}

// What the host does for it.

unsafe extern "C" fn register(group: *const ()) {
    // SAFETY: the library's group, which lives until it is unregistered.
    let group = unsafe { &*group.cast::<Group>() };
    group.events().iter().for_each(|event| event.set_foreign());
    registry::register(group);
}

unsafe extern "C" fn unregister(group: *const ()) {
    // SAFETY: as above.
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
    // SAFETY: the library's event and values, laid out as they are here.
    let (event, values) =
        unsafe { (&*event.cast::<Event>(), std::slice::from_raw_parts(values.cast::<Value<'_>>(), count)) };
    emit::dispatch_own(event, Several(values));
    lend_current(library, cell);
}

unsafe extern "C" fn reserve(
    library: u64,
    cell: *const ProducerCell,
    event: u32,
    bytes: usize,
    room: *mut Room,
) -> bool {
    let _errno = KeptErrno::new();
    let Some(reserved) = producer::reserve_slowly(bytes) else {
        emit::count_dropped(event);
        return false;
    };
    lend_current(library, cell);
    let (producer, next) = reserved.into_raw();
    // SAFETY: the caller's, to be filled.
    unsafe { room.write(Room { producer: ptr::from_ref(producer).cast_mut().cast(), next }) };
    true
}

unsafe extern "C" fn publish(room: Room, event: u32, payload_bytes: usize) {
    // SAFETY: what `reserve` has given to this thread, which is still inside that probe.
    let reserved = unsafe { Reserved::from_raw(&*room.producer.cast::<Producer>(), room.next) };
    // SAFETY: it was reserved for that many bytes, and the library has written them.
    unsafe { emit::finish(ring::number(event), clock::stamp, payload_bytes, reserved) };
}

unsafe extern "C" fn switch(event: *const (), enable: bool) -> bool {
    // SAFETY: the library's event, which is registered.
    registry::set_event_enabled(unsafe { &*event.cast::<Event>() }, enable).is_ok()
}

extern "C" fn count_cut(strings: u64) {
    slow::count_cut(strings);
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
        slow::drop_without_slot();
        emit::count_dropped(event);
    }
    if wanted.bits() & backend::TEXT != 0 {
        backend::refuse();
    }
}

/// Lends this thread's producer to a library, if it has one and the library does not have it yet.
fn lend_current(library: u64, cell: *const ProducerCell) {
    let producer = current::current();
    // SAFETY: the library's cell of this thread.
    let cell_now = unsafe { (*cell).get() };
    if producer.kind.load(Ordering::Relaxed) == ATTACHED && !ptr::eq(cell_now, producer) {
        lend(library, cell, producer);
    }
}

/// Values that are known when the program runs.
#[derive(Debug, Clone, Copy)]
struct Several<'a>(&'a [Value<'a>]);

impl Payload for Several<'_> {
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
            // SAFETY: the caller's promise for all of them is the promise for each, one behind the other.
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

/// The most libraries at a time whose probes write into rings themselves. Those of others always call.
const MAX_LIBRARIES: usize = 16;

/// The number of a library that is not known.
const NO_LIBRARY: u64 = u64::MAX;

/// For each place: how often it was taken, in the upper half; [`LOADED`]; and how many threads are just writing to a cell of it.
static LIBRARIES: [AtomicU64; MAX_LIBRARIES] = [const { AtomicU64::new(0) }; MAX_LIBRARIES];

const LOADED: u64 = 1 << 31;

/// The number of a library: its place, and how often that was taken.
fn number(place: usize, word: u64) -> u64 {
    (word >> 32) << 8 | place as u64
}

extern "C" fn load() -> u64 {
    for (place, library) in LIBRARIES.iter().enumerate() {
        let take = |word: u64| (word & LOADED == 0).then_some(((word >> 32) + 1) << 32 | LOADED);
        if let Ok(before) = library.fetch_update(Ordering::AcqRel, Ordering::Relaxed, take) {
            return number(place, ((before >> 32) + 1) << 32);
        }
    }
    NO_LIBRARY
}

extern "C" fn unload(library: u64) {
    let Some(word) = LIBRARIES.get((library & 0xff) as usize) else { return };
    let mut now = word.fetch_and(!LOADED, Ordering::AcqRel);
    // Its memory goes when this returns.
    while now & (LOADED - 1) != 0 {
        std::hint::spin_loop();
        now = word.load(Ordering::Acquire);
    }
}

/// Calls `write` if the library is loaded; it stays so meanwhile.
fn while_loaded(library: u64, write: impl FnOnce()) -> bool {
    let place = (library & 0xff) as usize;
    let Some(word) = LIBRARIES.get(place) else { return false };
    let enter = |now: u64| (now & LOADED != 0 && number(place, now) == library).then_some(now + 1);
    if word.fetch_update(Ordering::AcqRel, Ordering::Relaxed, enter).is_err() {
        return false;
    }
    write();
    word.fetch_sub(1, Ordering::AcqRel);
    true
}

/// A library's cell, which has this thread's producer.
#[derive(Clone, Copy)]
struct Lent {
    library: u64,
    cell: *const ProducerCell,
}

const NOTHING: Lent = Lent { library: NO_LIBRARY, cell: ptr::null() };

thread_local! {
    static LENT: [Cell<Lent>; MAX_LIBRARIES] = const { [const { Cell::new(NOTHING) }; MAX_LIBRARIES] };
    /// Set while that changes: a signal handler leaves it alone then.
    static LENDING: Cell<bool> = const { Cell::new(false) };
}

fn lend(library: u64, cell: *const ProducerCell, producer: &'static Producer) {
    let place = (library & 0xff) as usize;
    if place >= MAX_LIBRARIES || LENDING.replace(true) {
        return;
    }
    LENT.with(|lent| lent[place].set(Lent { library, cell }));
    // SAFETY: the library's cell of this thread; the library is here, it calls.
    unsafe { (*cell).set(producer) };
    LENDING.set(false);
}

/// Takes this thread's producer away from libraries, because it is no longer the thread's.
pub(crate) fn take_back() {
    LENT.with(|lent| {
        for lent in lent {
            let Lent { library, cell } = lent.replace(NOTHING);
            // SAFETY: the library is loaded, so this is still its cell of this thread.
            while_loaded(library, || unsafe { (*cell).set(current::nobody()) });
        }
    });
}
