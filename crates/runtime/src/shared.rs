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

use crate::current::{self, ProducerCell};
use crate::event::{Argument, Declaration, Event, Group};
use crate::payload::{Field, Payload};
use crate::probe::Value;
use crate::producer::{ATTACHED, Producer};
use crate::signal::KeptErrno;
use crate::{emit, registry};

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
}

/// This copy's.
static OWN: Runtime = Runtime { layout: LAYOUT, load, unload, register, unregister, emit };

/// What is exported: where this copy's is. Not the thing itself, since within a library the linker takes its name for the
/// executable's.
#[used]
#[unsafe(export_name = "ringtrace_runtime")]
pub static RUNTIME: &Runtime = &OWN;

/// A number of everything that two copies must agree on: how it is laid out, and what it means.
const LAYOUT: u64 = {
    let places = [
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

/// The number by which the host knows this copy, and how many groups it has.
static OWN_NUMBER: AtomicU64 = AtomicU64::new(NO_LIBRARY);
static GROUPS: AtomicU32 = AtomicU32::new(0);

/// Registers a group where its events go.
pub fn register_group(group: &'static Group) {
    let Some(host) = host() else { return registry::register(group) };
    if GROUPS.fetch_add(1, Ordering::Relaxed) == 0 {
        OWN_NUMBER.store((host.load)(), Ordering::Relaxed);
    }
    // SAFETY: a group, laid out as the host has them.
    unsafe { (host.register)(ptr::from_ref(group).cast()) };
}

/// Takes it away again, when the process ends or the library is unloaded.
pub fn unregister_group(group: &'static Group) {
    let Some(host) = host() else { return registry::unregister(group) };
    // SAFETY: as above.
    unsafe { (host.unregister)(ptr::from_ref(group).cast()) };
    if GROUPS.fetch_sub(1, Ordering::Relaxed) == 1 {
        (host.unload)(OWN_NUMBER.swap(NO_LIBRARY, Ordering::Relaxed));
    }
}

/// Lets the host emit an event. `false`: this copy is nobody's guest.
#[inline]
pub(crate) fn emit_at_host<P: Payload>(event: &'static Event, payload: P) -> bool {
    let Some(host) = host() else { return false };
    let library = OWN_NUMBER.load(Ordering::Relaxed);
    payload.with_values(|values| {
        // SAFETY: an event and values, laid out as the host has them.
        unsafe {
            (host.emit)(
                library,
                current::cell(),
                ptr::from_ref(event).cast(),
                values.as_ptr().cast(),
                values.len(),
            );
        }
    });
    true
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
