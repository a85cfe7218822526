//! The groups of generated C: described by constructors, registered when the program asks for it.

use std::ffi::{CStr, c_char};
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicU16, AtomicU32};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ringtrace::lent::{self, Mirror};
use ringtrace::{Backends, Event, Group};

use crate::{declared, ids, text};

/// An event, as generated C defines it.
#[repr(C)]
#[derive(Debug)]
pub struct TraceEvent {
    pub(crate) id: u32,
    pub(crate) name: *const c_char,
    pub(crate) sstate: bool,
    pub(crate) dstate: *mut u16,
}

/// What a group says of itself.
#[repr(C)]
#[derive(Debug)]
pub struct Description {
    events: *const *mut TraceEvent,
    name: *const c_char,
    backends: *const c_char,
    declarations: *const *const c_char,
}

/// How many of C's events are enabled.
#[unsafe(export_name = "trace_events_enabled_count")]
pub static ENABLED_EVENTS: AtomicI32 = AtomicI32::new(0);

/// Where enabled events go, for `trace/simple.h`.
#[unsafe(export_name = "ringtrace_mode")]
pub static MODE: AtomicU32 = AtomicU32::new(0);

/// A group that is registered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Registered {
    array: *const *mut TraceEvent,
    pub(crate) group: &'static Group,
}

impl Registered {
    /// C's event number `at`.
    pub(crate) fn event(&self, at: usize) -> Option<*mut TraceEvent> {
        // SAFETY: the array has as many entries as there are events.
        (at < self.group.events().len()).then(|| unsafe { *self.array.add(at) })
    }

    /// C's events, and ours.
    pub(crate) fn events(self) -> impl Iterator<Item = (*mut TraceEvent, &'static Event)> {
        let ours = self.group.events().iter().copied();
        (0..).map_while(move |at| self.event(at)).zip(ours)
    }
}

/// What is known.
#[derive(Debug)]
pub(crate) struct Groups {
    described: Vec<*const Description>,
    /// In order of registration. A library's place stays, empty, when it is unloaded, so that later ones keep their numbers.
    pub(crate) registered: Vec<Option<Registered>>,
    /// Events that were switched on before they were registered.
    early: Vec<*const TraceEvent>,
    /// All backends that were compiled into any group; `None`: there is no group.
    compiled: Option<Backends>,
}

// SAFETY: pointers to what generated code defines, that belongs to no thread.
unsafe impl Send for Groups {}

static GROUPS: Mutex<Groups> =
    Mutex::new(Groups { described: Vec::new(), registered: Vec::new(), early: Vec::new(), compiled: None });

pub(crate) fn groups() -> MutexGuard<'static, Groups> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Groups {
    /// Where events go when nobody asks for anything else: as in QEMU, to what was compiled in. Programs without events in C are
    /// like those in Rust.
    ///
    /// Probes with syslog call that function by themselves: that the runtime could not, too, is no reason not to start.
    pub(crate) fn default_backends(&self) -> Backends {
        self.compiled.unwrap_or(Backends::SIMPLE).without(Backends::SYSLOG)
    }

    /// Whether any group calls syslog() by itself.
    pub(crate) fn has_syslog(&self) -> bool {
        self.compiled.is_some_and(|compiled| compiled.contains(Backends::SYSLOG))
    }

    /// All events, C's and ours, in order of registration.
    pub(crate) fn events(&self) -> impl Iterator<Item = (*mut TraceEvent, &'static Event)> {
        self.registered.iter().flatten().flat_map(|registered| registered.events())
    }
}

/// Switches an event when its group comes.
pub(crate) fn switch_early(event: *const TraceEvent, enable: bool) {
    let mut groups = groups();
    groups.early.retain(|early| !ptr::eq(*early, event));
    if enable {
        groups.early.push(event);
    }
}

/// # Safety
/// A description that stays until it is forgotten.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_describe_group(description: *const Description) {
    groups().described.push(description);
}

/// # Safety
/// What was described, and no thread is in one of its probes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_forget_group(description: *const Description) {
    let gone = {
        let mut groups = groups();
        groups.described.retain(|described| !ptr::eq(*described, description));
        // SAFETY: the caller's promise.
        let array = unsafe { (*description).events };
        let is_it = |group: &&mut Option<Registered>| group.is_some_and(|group| ptr::eq(group.array, array));
        groups.registered.iter_mut().find(is_it).and_then(Option::take)
    };
    if let Some(gone) = gone {
        lent::unregister(gone.group);
        gone.group.events().iter().for_each(|event| ids::remove(event));
    }
}

/// # Safety
/// A NULL-terminated array of events, which stay until their library is unloaded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trace_event_register_group(array: *const *mut TraceEvent) {
    let mut groups = groups();
    if groups.registered.iter().flatten().any(|known| ptr::eq(known.array, array)) {
        return;
    }
    // SAFETY: the caller's promise, and descriptions stay until they are forgotten.
    let (registered, compiled) = unsafe {
        let description = groups.described.iter().map(|one| &**one).find(|one| ptr::eq(one.events, array));
        let group: &'static Group = Box::leak(Box::new(group(array, description)));
        (Registered { array, group }, description.map_or(Backends::SIMPLE, |one| one.backends()))
    };
    groups.compiled = Some(groups.compiled.unwrap_or_default() | compiled);
    groups.registered.push(Some(registered));
    let early = std::mem::take(&mut groups.early);
    let (now, early) =
        early.into_iter().partition(|early| registered.events().any(|(one, _)| ptr::eq(one, *early)));
    groups.early = early;
    drop(groups);
    lent::register(registered.group);
    for (theirs, ours) in registered.events() {
        // SAFETY: an event of the array.
        unsafe { (*theirs).id = ours.id() };
        ids::insert(ours);
        if now.iter().any(|early: &*const TraceEvent| ptr::eq(*early, theirs)) {
            let _ = lent::set_enabled(ours, true);
        }
    }
}

impl Description {
    /// The backends that were compiled in.
    ///
    /// # Safety
    /// It has strings.
    unsafe fn backends(&self) -> Backends {
        // SAFETY: the caller's promise.
        declared::backends(unsafe { string(self.backends) })
    }
}

/// A string of generated code. Names and declarations are UTF-8; what is not is as if it were not there.
unsafe fn string<'t>(at: *const c_char) -> &'t str {
    if at.is_null() {
        return "";
    }
    // SAFETY: a string, by the caller's promise.
    unsafe { CStr::from_ptr(at) }.to_str().unwrap_or_default()
}

/// Makes our group of C's.
///
/// # Safety
/// A NULL-terminated array of events, and its description.
unsafe fn group(array: *const *mut TraceEvent, description: Option<&Description>) -> Group {
    // SAFETY: the caller's promise.
    unsafe {
        let name = declared::leak(description.map_or("", |description| string(description.name)));
        // Without a description, no text can be made here.
        let elsewhere = description
            .map_or(Backends::LOG | Backends::SYSLOG | Backends::FTRACE, |description| {
                declared::served_elsewhere(description.backends())
            });
        let mut declarations = description.map_or(ptr::null(), |description| description.declarations);
        let mut events: Vec<&'static Event> = Vec::new();
        let mut at = array;
        while let Some(event) = (*at).as_ref() {
            let declaration =
                (!declarations.is_null() && !(*declarations).is_null()).then(|| string(*declarations));
            let declared = declared::declaration(string(event.name), name, declaration, event.sstate);
            let mirror = Box::leak(Box::new(Mirror {
                enabled: AtomicU16::from_ptr(event.dstate),
                enabled_events: &ENABLED_EVENTS,
                mode: &MODE,
                log_levels: text::log_levels(),
                elsewhere,
            }));
            events.push(Box::leak(Box::new(Event::mirrored(declared, mirror))));
            if declaration.is_some() {
                declarations = declarations.add(1);
            }
            at = at.add(1);
        }
        Group::new(name, Box::leak(events.into()))
    }
}
