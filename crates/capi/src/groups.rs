//! The groups of generated C: described by constructors, registered when the program asks for it.

use std::ffi::c_char;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ptr;
use std::sync::atomic::AtomicU16;
use std::sync::{Mutex, MutexGuard};

use ringtrace::lent::{self, Mirror};
use ringtrace::{Backends, Event, Group};

use crate::declared::{self, EventSource};
use crate::globals::{ENABLED_EVENTS, MODE, log_levels};
use crate::ids;
use crate::interop::{self, lock};

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

/// A group that is registered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Registered {
    array: *const *mut TraceEvent,
    /// Of all that its code says of it.
    fingerprint: u64,
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
    /// Groups of libraries that were unloaded, and their numbers. One that is loaded again, to the same place, gets both back: that takes no
    /// memory.
    forgotten: Vec<(usize, Registered)>,
    /// Events that were switched on before they were registered.
    early: Vec<*const TraceEvent>,
    /// All backends that were compiled into any group; `None`: there is no group.
    compiled: Option<Backends>,
}

// SAFETY: pointers to what generated code defines, that belongs to no thread.
unsafe impl Send for Groups {}

static GROUPS: Mutex<Groups> = Mutex::new(Groups {
    described: Vec::new(),
    registered: Vec::new(),
    forgotten: Vec::new(),
    early: Vec::new(),
    compiled: None,
});

pub(crate) fn groups() -> MutexGuard<'static, Groups> {
    lock(&GROUPS)
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
    let mut groups = groups();
    groups.described.retain(|described| !ptr::eq(*described, description));
    // SAFETY: the caller's promise.
    let array = unsafe { (*description).events };
    let is_it = |group: &Option<Registered>| group.is_some_and(|group| ptr::eq(group.array, array));
    if let Some(number) = groups.registered.iter().position(is_it)
        && let Some(gone) = groups.registered[number].take()
    {
        lent::unregister(gone.group);
        gone.group.events().iter().for_each(|event| ids::remove(event));
        groups.forgotten.push((number, gone));
    }
}

/// # Safety
/// A NULL-terminated array of events, which stay until their library is unloaded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trace_event_register_group(array: *const *mut TraceEvent) {
    // Asks the loader, the first time, and that must not be while our lock is held: who loads a library comes here with the loader's.
    lent::is_guest();
    let mut groups = groups();
    if groups.registered.iter().flatten().any(|known| ptr::eq(known.array, array)) {
        return;
    }
    // SAFETY: the caller's promise, and descriptions stay until they are forgotten.
    let source = unsafe {
        let description = groups.described.iter().map(|one| &**one).find(|one| ptr::eq(one.events, array));
        GroupSource::new(array, description)
    };
    let fingerprint = source.fingerprint();
    let forgotten = groups
        .forgotten
        .iter()
        .position(|(_, old)| ptr::eq(old.array, array) && old.fingerprint == fingerprint);
    groups.compiled = Some(groups.compiled.unwrap_or_default() | source.compiled);
    let registered = if let Some(at) = forgotten {
        let (number, registered) = groups.forgotten.swap_remove(at);
        groups.registered[number] = Some(registered);
        registered
    } else {
        let group = Box::leak(Box::new(source.group()));
        let registered = Registered { array, fingerprint, group };
        groups.registered.push(Some(registered));
        registered
    };
    lent::register(registered.group);
    for (theirs, ours) in registered.events() {
        // SAFETY: an event of the array.
        unsafe { (*theirs).id = ours.id() };
        ids::insert(ours);
        let early = groups.early.iter().position(|event| ptr::eq(*event, theirs));
        if let Some(early) = early {
            groups.early.swap_remove(early);
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
    // SAFETY: the caller's promise.
    unsafe { interop::string(at) }.to_str().unwrap_or_default()
}

/// What generated code says of a group. All is its own, and stays as long as the library is there.
struct GroupSource {
    name: &'static str,
    compiled: Backends,
    /// Whether it was described. What was not cannot be made text of here.
    is_described: bool,
    events: Vec<EventSource>,
    dstates: Vec<*mut u16>,
}

impl GroupSource {
    /// # Safety
    /// A NULL-terminated array of events, and its description.
    unsafe fn new(array: *const *mut TraceEvent, description: Option<&Description>) -> GroupSource {
        // SAFETY: the caller's promise.
        unsafe {
            let mut source = GroupSource {
                name: description.map_or("", |description| string(description.name)),
                compiled: description.map_or(Backends::SIMPLE, |description| description.backends()),
                is_described: description.is_some(),
                events: Vec::new(),
                dstates: Vec::new(),
            };
            let mut declarations = description.map_or(ptr::null(), |description| description.declarations);
            let mut at = array;
            while let Some(event) = (*at).as_ref() {
                let is_declared = !declarations.is_null() && !(*declarations).is_null();
                let text = is_declared.then(|| string(*declarations));
                source.events.push(EventSource { name: string(event.name), text, traceable: event.sstate });
                source.dstates.push(event.dstate);
                declarations = if is_declared { declarations.add(1) } else { ptr::null() };
                at = at.add(1);
            }
            source
        }
    }

    /// A number of all of it.
    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.name, self.compiled, self.is_described, &self.events, &self.dstates).hash(&mut hasher);
        hasher.finish()
    }

    /// Makes our group of it.
    fn group(&self) -> Group {
        let all_texts = Backends::LOG | Backends::SYSLOG | Backends::FTRACE;
        let elsewhere = if self.is_described { declared::served_elsewhere(self.compiled) } else { all_texts };
        let mirror = |&dstate: &*mut u16| Mirror {
            // SAFETY: the event's own word, which C only reads.
            enabled: unsafe { AtomicU16::from_ptr(dstate) },
            enabled_events: &ENABLED_EVENTS,
            mode: &MODE,
            log_levels: log_levels(),
            elsewhere,
        };
        let mirrors: &'static [Mirror] = Box::leak(self.dstates.iter().map(mirror).collect());
        let declarations = declared::declarations(self.name, &self.events);
        let events: &'static [Event] = Box::leak(
            declarations.into_iter().zip(mirrors).map(|(one, mirror)| Event::mirrored(one, mirror)).collect(),
        );
        Group::new(self.name, Box::leak(events.iter().collect()))
    }
}
