//! Groups of events in generated C. Constructors describe them, and the program registers them.

use std::ffi::c_char;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ptr;
use std::sync::atomic::AtomicU16;
use std::sync::{Mutex, MutexGuard};

use ringtrace::ffi::{self, Mirror};
use ringtrace::{Backends, Event, Group};

use crate::declared::{self, EventSource};
use crate::globals::{ENABLED_EVENTS, MODE, log_levels};
use crate::ids;
use crate::interop::{self, lock};

/// An event as generated C defines it.
#[repr(C)]
#[derive(Debug)]
pub struct TraceEvent {
    pub(crate) id: u32,
    pub(crate) name: *const c_char,
    pub(crate) sstate: bool,
    pub(crate) dstate: *mut u16,
}

/// A group's description in generated C.
#[repr(C)]
#[derive(Debug)]
pub struct Description {
    events: *const *mut TraceEvent,
    name: *const c_char,
    backends: *const c_char,
    declarations: *const *const c_char,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Registered {
    array: *const *mut TraceEvent,
    /// A hash of the group's description and events.
    fingerprint: u64,
    pub(crate) group: &'static Group,
}

impl Registered {
    /// Returns the C object of the event with the index `at`.
    pub(crate) fn event(&self, at: usize) -> Option<*mut TraceEvent> {
        // SAFETY: the array has as many entries as the group has events, and `at` is smaller.
        (at < self.group.events().len()).then(|| unsafe { *self.array.add(at) })
    }

    /// Iterates over the events. Each item is the C object and the runtime's event.
    pub(crate) fn events(self) -> impl Iterator<Item = (*mut TraceEvent, &'static Event)> {
        let ours = self.group.events().iter().copied();
        (0..).map_while(move |at| self.event(at)).zip(ours)
    }
}

/// All groups of the process.
#[derive(Debug)]
pub(crate) struct Groups {
    described: Vec<*const Description>,
    /// The groups in order of registration. When a library is unloaded, its entries become `None`,
    /// so that the indexes of later groups do not change.
    pub(crate) registered: Vec<Option<Registered>>,
    /// Groups of unloaded libraries, with their indexes. If a library is loaded again at the same
    /// address, its groups are reused, so that no more memory is allocated.
    forgotten: Vec<(usize, Registered)>,
    /// Events that were switched on before they were registered.
    early: Vec<*const TraceEvent>,
    /// All backends compiled into at least one group. `None` if there are no groups.
    compiled: Option<Backends>,
}

// SAFETY: the pointers refer to objects of generated code, which are not tied to a thread.
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
    /// Returns the default destinations: as in QEMU, the backends that were compiled in. Programs
    /// without C events use the default of Rust programs.
    ///
    /// The default does not contain syslog. Probes call syslog() directly, so tracing can start
    /// even if the runtime cannot use it.
    pub(crate) fn default_backends(&self) -> Backends {
        self.compiled.unwrap_or(Backends::SIMPLE).without(Backends::SYSLOG)
    }

    /// Whether there are groups, and the probes of none of them can record.
    pub(crate) fn lacks_simple(&self) -> bool {
        self.compiled.is_some_and(|compiled| !compiled.contains(Backends::SIMPLE))
    }

    /// Whether the probes of any group call syslog() directly.
    pub(crate) fn has_syslog(&self) -> bool {
        self.compiled.is_some_and(|compiled| compiled.contains(Backends::SYSLOG))
    }

    /// Whether the probes of any group call `qemu_log()` directly.
    pub(crate) fn has_log(&self) -> bool {
        self.compiled.is_some_and(|compiled| compiled.contains(Backends::LOG))
    }

    /// Iterates over all events in order of registration. Each item is the C object and the
    /// runtime's event.
    pub(crate) fn events(&self) -> impl Iterator<Item = (*mut TraceEvent, &'static Event)> {
        self.registered.iter().flatten().flat_map(|registered| registered.events())
    }
}

/// Enables or disables an event that is not registered yet.
pub(crate) fn switch_early(event: *const TraceEvent, enable: bool) {
    let mut groups = groups();
    groups.early.retain(|early| !ptr::eq(*early, event));
    if enable {
        groups.early.push(event);
    }
}

/// Returns whether groups belong to another copy of the library. `src/c/module.c` calls it.
#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_is_guest() -> bool {
    ffi::is_guest()
}

/// # Safety
/// `description` must be valid until it is passed to [`ringtrace_forget_group`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_describe_group(description: *const Description) {
    groups().described.push(description);
}

/// # Safety
/// `description` must have been passed to [`ringtrace_describe_group`], and no thread may be in a
/// probe of the group.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_forget_group(description: *const Description) {
    let mut groups = groups();
    groups.described.retain(|described| !ptr::eq(*described, description));
    // SAFETY: guaranteed by the caller.
    let array = unsafe { (*description).events };
    let is_it = |group: &Option<Registered>| group.is_some_and(|group| ptr::eq(group.array, array));
    if let Some(number) = groups.registered.iter().position(is_it)
        && let Some(gone) = groups.registered[number].take()
    {
        ffi::unregister(gone.group);
        gone.group.events().iter().for_each(|event| ids::remove(event));
        groups.forgotten.push((number, gone));
    }
}

/// # Safety
/// `array` must be a NULL-terminated array of events, valid until their library is unloaded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trace_event_register_group(array: *const *mut TraceEvent) {
    // The first call of `is_guest` queries the loader. Make it before taking the lock of `groups`:
    // while the loader loads a library, it holds its own lock, and the library's constructors take
    // the lock of `groups`.
    ffi::is_guest();
    let mut groups = groups();
    if groups.registered.iter().flatten().any(|known| ptr::eq(known.array, array)) {
        return;
    }
    // SAFETY: guaranteed by the caller. Descriptions are valid until they are forgotten.
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
    ffi::register(registered.group);
    for (theirs, ours) in registered.events() {
        // SAFETY: the event is in the array, so the pointer is valid.
        unsafe { (*theirs).id = ours.id() };
        ids::insert(ours);
        let early = groups.early.iter().position(|event| ptr::eq(*event, theirs));
        if let Some(early) = early {
            groups.early.swap_remove(early);
            let _ = ffi::set_enabled(ours, true);
        }
    }
}

impl Description {
    /// The backends that were compiled in.
    ///
    /// # Safety
    /// The description's strings must be valid.
    unsafe fn backends(&self) -> Backends {
        // SAFETY: guaranteed by the caller.
        declared::backends(unsafe { string(self.backends) })
    }
}

/// Returns a string from generated code. Names and declarations are UTF-8. Any string that is not
/// UTF-8 is returned as empty.
unsafe fn string<'t>(at: *const c_char) -> &'t str {
    // SAFETY: guaranteed by the caller.
    unsafe { interop::string(at) }.to_str().unwrap_or_default()
}

/// A group as generated code describes it. All strings are valid until the library is unloaded.
struct GroupSource {
    name: &'static str,
    compiled: Backends,
    /// Whether there is a description. Without one, this library cannot print the events as lines
    /// of text.
    is_described: bool,
    events: Vec<EventSource>,
    dstates: Vec<*mut u16>,
}

impl GroupSource {
    /// # Safety
    /// `array` must be a NULL-terminated array of events, and `description` must belong to it.
    unsafe fn new(array: *const *mut TraceEvent, description: Option<&Description>) -> GroupSource {
        // SAFETY: guaranteed by the caller.
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

    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.name, self.compiled, self.is_described, &self.events, &self.dstates).hash(&mut hasher);
        hasher.finish()
    }

    fn group(&self) -> Group {
        let all_texts = Backends::LOG | Backends::SYSLOG | Backends::FTRACE;
        let elsewhere = if self.is_described { declared::served_elsewhere(self.compiled) } else { all_texts };
        let mirror = |&dstate: &*mut u16| Mirror {
            // SAFETY: the word belongs to the event and is valid as long as the event is. C code
            // only reads it.
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
