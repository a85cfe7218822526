//! The events of the process, and their states.
//!
//! All functions here take one lock. Probes never take it: they read only one byte of their event.
//! Do not call any of these functions from a signal handler.
//!
//! Groups are sorted by name, and the events of a group by declaration. The linker determines the
//! order of registration, which may change with the next build. When a library is unloaded, its
//! events are removed. References to them dangle from then on, like any reference into that
//! library.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use super::{CONTEXT, Event, EventState, Group, counts, format};
use crate::options::{Backends, ContextPart, Pattern, Reach, Switch};
use crate::{clock, os};

pub(crate) mod dynamic;
mod enabled;
#[cfg(test)]
mod tests;

use dynamic::report_switch;
use enabled::EnabledCount;
pub use enabled::enabled_events;

#[derive(Debug)]
struct Registry {
    /// Sorted by name. Groups with the same name are in order of registration.
    groups: Vec<&'static Group>,
    last_id: u32,
    /// The backends that receive enabled events.
    active: Backends,
    /// Switches that also apply to groups that are registered later.
    pending: Vec<PendingSwitch>,
    /// Patterns of events whose records have a context.
    contexts: Vec<PendingContext>,
    /// Events of unloaded libraries, in case they are loaded again. The most recently retired event
    /// is at the end.
    retired: Vec<Retired>,
    counted: bool,
    /// The text backends that may receive any event at any time. Formats for these backends are
    /// parsed in advance.
    prepared: Backends,
    /// The names of events that were declared while the program runs.
    dynamic_names: BTreeSet<&'static str>,
    /// Remarks on these events, by id.
    remarks: BTreeMap<u32, &'static str>,
    /// Functions to call after switches.
    switch_hooks: Vec<fn()>,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry {
    groups: Vec::new(),
    last_id: 0,
    active: Backends::NONE,
    pending: Vec::new(),
    contexts: Vec::new(),
    retired: Vec::new(),
    counted: false,
    prepared: Backends::NONE,
    dynamic_names: BTreeSet::new(),
    remarks: BTreeMap::new(),
    switch_hooks: Vec::new(),
});

fn dstate(event: &Event, backends: Backends) -> u8 {
    // Nothing updates the coarse time in a library's own copy, so its probes must call the host.
    let calls_host = if event.is_foreign() && clock::state() == clock::COARSE { CALLS_HOST } else { 0 };
    let has_context = event.has_context(ContextPart::Stack) || event.has_context(ContextPart::Cpu);
    let context = if has_context && backends.contains(Backends::SIMPLE) { CONTEXT } else { 0 };
    backends.bits()
        | calls_host
        | context
        | if backends.contains(Backends::SIMPLE) { clock::state() } else { 0 }
}

/// Sets the state of an event. Parses its format first if a text backend needs it.
fn set_dstate(event: &Event, dstate: u8) {
    if text_backends(event, dstate) != 0 {
        format::prepare(event);
    }
    event.set_dstate(dstate);
}

/// Returns the text backends of `dstate`, except those that the program serves itself.
fn text_backends(event: &Event, dstate: u8) -> u8 {
    let text = dstate & Backends::TEXT;
    event.mirror().map_or(text, |mirror| mirror.ours(text))
}

/// A bit of an event's state: the probe calls the host.
const CALLS_HOST: u8 = 0x40;

/// The number of groups ever registered, which lets callers detect new groups.
static GROUPS_EVER: AtomicUsize = AtomicUsize::new(0);

pub(crate) fn groups_ever() -> usize {
    GROUPS_EVER.load(Ordering::Relaxed)
}

#[derive(Debug)]
struct PendingSwitch {
    switch: Switch,
    /// Set when the switch applies to one event only, and that event was found.
    spent: bool,
    /// Set for a switch made while the program runs. It applies only to events that are declared
    /// while the program runs, because they may be declared long after the switch.
    only_dynamic: bool,
}

#[derive(Debug)]
struct PendingContext {
    part: ContextPart,
    pattern: Pattern,
    /// Set when the pattern selects one event only, and that event was found.
    spent: bool,
}

impl PendingContext {
    /// Adds the part to the context of the matching events.
    fn apply<'e>(&mut self, active: Backends, events: impl Iterator<Item = &'e Event>) {
        for event in events.filter(|event| self.pattern.matches(event.name())) {
            if self.spent {
                break;
            }
            self.spent = self.pattern.reach() == Reach::First;
            event.add_context(self.part);
            if event.state() == EventState::Enabled {
                set_dstate(event, dstate(event, active));
            }
        }
    }
}

/// The description of an event. It owns its data, because libraries may be unloaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventDescription {
    /// The id in records.
    pub id: u32,
    /// The event's name.
    pub name: String,
    /// The group that declares the event.
    pub group: String,
    /// The whole declaration, as written.
    pub text: String,
}

impl EventDescription {
    fn of(event: &Event) -> EventDescription {
        let declaration = event.declaration();
        EventDescription {
            id: event.id(),
            name: declaration.name.to_owned(),
            group: declaration.group.to_owned(),
            text: declaration.text.to_owned(),
        }
    }

    fn is_of(&self, event: &Event) -> bool {
        let declaration = event.declaration();
        self.text == declaration.text && self.name == declaration.name && self.group == declaration.group
    }
}

/// An event of an unloaded library. Its id is never reused, because trace files map the id to this
/// event.
#[derive(Debug)]
struct Retired {
    described: EventDescription,
    /// Set if a ring may still contain records of the event.
    was_ever_on: bool,
}

/// The result of enabling or disabling events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Switched {
    /// The number of events that now have the requested state.
    pub matched: usize,
    /// The number of matching events whose state changed.
    pub changed: usize,
    /// The number of matching events that are `disable`d in their declaration.
    pub not_traceable: usize,
    /// The number of further matching events that did not change, because only the first was
    /// requested.
    pub passed_over: usize,
}

impl Switched {
    /// Returns whether no event matches.
    pub fn is_unknown(&self) -> bool {
        self.matched == 0 && self.not_traceable == 0
    }
}

/// The error for an event that is `disable`d in its declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotTraceable {
    /// The event's name.
    pub name: &'static str,
}

impl std::fmt::Display for NotTraceable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "trace event '{}' is not traceable", self.name)
    }
}

impl std::error::Error for NotTraceable {}

impl Registry {
    fn events(&self) -> impl Iterator<Item = &'static Event> + use<'_> {
        self.groups.iter().flat_map(|group| group.events()).copied()
    }

    /// Enables or disables one traceable event. Returns whether its state changed.
    fn put(&self, event: &Event, enable: bool, count: &mut EnabledCount) -> bool {
        let changed = event.set_switched_on(enable) != enable;
        if changed {
            count.changes(event);
        }
        set_dstate(event, if enable { dstate(event, self.active) } else { 0 });
        if changed && let Some(mirror) = event.mirror() {
            mirror.show_enabled(enable);
        }
        changed
    }

    fn switch<'e>(&self, switch: &Switch, events: impl Iterator<Item = &'e Event>) -> Switched {
        let (mut done, mut count) = (Switched::default(), EnabledCount::new(switch.enable));
        for event in events.filter(|event| switch.pattern.matches(event.name())) {
            if switch.pattern.reach() == Reach::First && !done.is_unknown() {
                done.passed_over += 1;
            } else if event.declaration().traceable {
                done.matched += 1;
                done.changed += usize::from(self.put(event, switch.enable, &mut count));
            } else {
                done.not_traceable += 1;
            }
        }
        done
    }
}

impl Registry {
    /// Assigns ids to the events of a group, and inserts the group at `at`, or else by its name.
    fn insert(&mut self, group: &'static Group, at: Option<usize>) {
        for event in group.events() {
            // If the library was loaded before, reuse its ids, so that repeated loading needs no
            // memory.
            let id = match self.retired.iter().rposition(|retired| retired.described.is_of(event)) {
                Some(at) => {
                    let retired = self.retired.swap_remove(at);
                    if retired.was_ever_on {
                        event.set_ever_on();
                    }
                    retired.described.id
                }
                None => {
                    self.last_id += 1;
                    self.last_id
                }
            };
            event.set_id(id);
        }
        if self.counted {
            // If there is no memory, these events share row 0.
            let _ = counts::provide(self.last_id);
        }
        prepare(group, self.prepared);
        for context in &mut self.contexts {
            context.apply(self.active, group.events().iter().copied());
        }
        let at = at.unwrap_or_else(|| self.groups.partition_point(|known| known.name() <= group.name()));
        self.groups.insert(at, group);
        GROUPS_EVER.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns a message if `group`, which is loaded while a trace is recorded, has an event that differs
    /// from one of the same name. Readers find declarations by their names, so they would misread it.
    fn conflict(&self, group: &Group) -> Option<String> {
        if !self.active.contains(Backends::SIMPLE) {
            return None;
        }
        let added: HashMap<&str, &Event> =
            group.events().iter().map(|&event| (event.name(), event)).collect();
        let fields = |event: &Event| {
            let arguments = event.declaration().arguments;
            arguments.iter().map(|argument| (argument.name, argument.ctype)).collect::<Vec<_>>()
        };
        self.events().find_map(|known| {
            let event = *added.get(known.name()).filter(|event| fields(event) != fields(known))?;
            let [new, old] = [event, known].map(|event| event.declaration().group);
            Some(format!(
                "ringtrace: the event {} of the group {new} has other arguments than that of the group {old}, \
                 so one of the two is misread in traces: names must be unique in a program\n",
                known.name()
            ))
        })
    }

    /// Applies earlier switches to the events of a new group.
    fn apply_pending(&mut self, group: &'static Group, is_dynamic: bool) {
        let mut pending = std::mem::take(&mut self.pending);
        for one in pending.iter_mut().filter(|one| !one.spent && (is_dynamic || !one.only_dynamic)) {
            let done = self.switch(&one.switch, group.events().iter().copied());
            one.spent = one.switch.pattern.reach() == Reach::First && !done.is_unknown();
        }
        self.pending = pending;
    }
}

fn lock() -> MutexGuard<'static, Registry> {
    os::lock(&REGISTRY)
}

/// The locked registry. It is locked before a fork, and unlocked in parent and child. Otherwise the
/// child could inherit a lock whose holder does not exist there.
#[derive(Debug)]
pub(crate) struct LockedRegistry {
    _registry: MutexGuard<'static, Registry>,
}

/// Locks the registry until the result is dropped. Until then, call nothing else in this module.
pub(crate) fn lock_for_fork() -> LockedRegistry {
    LockedRegistry { _registry: lock() }
}

/// Adds a group, assigns ids to its events, and enables the initially requested ones. Called before
/// `main`, and when a library is loaded.
pub fn register(group: &'static Group) {
    register_and(group, |_| {});
}

/// Like [`register`], and calls `declare` with each event under the lock, so `declare` must not call
/// this module.
pub(crate) fn register_and(group: &'static Group, declare: impl FnMut(&'static Event)) {
    let mut registry = lock();
    if registry.groups.iter().any(|known| ptr::eq(*known, group)) {
        return;
    }
    let conflict = registry.conflict(group);
    registry.insert(group, None);
    group.events().iter().copied().for_each(declare);
    registry.apply_pending(group, false);
    drop(registry);
    if let Some(conflict) = conflict {
        os::print_error(&conflict);
    }
}

/// Removes a group. Called when a library is unloaded, and when the process ends.
pub fn unregister(group: &'static Group) {
    let mut registry = lock();
    let Some(at) = registry.groups.iter().position(|known| ptr::eq(*known, group)) else { return };
    registry.groups.remove(at);
    // Go in reverse order. If the library is loaded again, each event is then the last one in the
    // list.
    for event in group.events().iter().rev() {
        let was_ever_on = event.was_ever_on();
        if was_ever_on {
            registry.put(event, false, &mut EnabledCount::new(false));
        }
        if event.is_placeholder() {
            continue;
        }
        registry.retired.push(Retired { described: EventDescription::of(event), was_ever_on });
    }
}

/// Parses the formats of all events that `backends` render as text, including those of groups that
/// are registered later. Otherwise formats are parsed when events are enabled. Parsing takes a
/// microsecond per event, which is too long if a client enables thousands of events.
pub(crate) fn prepare_for(backends: Backends) {
    if backends.bits() & Backends::TEXT == 0 {
        return;
    }
    lock().prepared |= backends;
    let mut at = 0;
    // Take the lock for each group separately, so that no other thread waits long. If removing a
    // group makes this loop skip another one, that group's formats are parsed when its events are
    // enabled.
    loop {
        let registry = lock();
        let Some(group) = registry.groups.get(at) else { return };
        prepare(group, backends);
        at += 1;
    }
}

fn prepare(group: &Group, backends: Backends) {
    let is_text = |event: &Event| text_backends(event, backends.bits()) != 0;
    group.events().iter().filter(|event| is_text(event)).for_each(|event| format::prepare(event));
}

/// Starts counting recorded and dropped records.
///
/// # Errors
/// Fails when there is not enough memory.
pub(crate) fn count_events() -> io::Result<()> {
    let mut registry = lock();
    counts::provide(registry.last_id)?;
    registry.counted = true;
    Ok(())
}

/// Calls `f` with every event, under the lock, so `f` must not call this module.
pub(crate) fn each(f: impl FnMut(&'static Event)) {
    lock().events().for_each(f);
}

/// Calls `f` with every event that can have records, and the remark on it. Then calls `done`. Both
/// run under the lock, so they must not call this module.
pub(crate) fn each_declared(mut f: impl FnMut(&'static Event, Option<&'static str>), done: impl FnOnce()) {
    let registry = lock();
    for event in registry.events().filter(|event| !event.is_placeholder()) {
        f(event, registry.remarks.get(&event.id()).copied());
    }
    done();
}

/// Calls `f` with every event of an unloaded library that may have records, under the lock.
pub(crate) fn each_retired(f: impl FnMut(&EventDescription)) {
    lock().retired.iter().filter(|retired| retired.was_ever_on).map(|retired| &retired.described).for_each(f);
}

/// Returns the description of the event with this id, even if its library has been unloaded since.
pub fn describe(id: u32) -> Option<EventDescription> {
    let registry = lock();
    let in_group = |group: &&'static Group| {
        let events = group.events();
        // The ids of a group are nearly always consecutive.
        let first = events.first()?.id();
        let guess =
            id.checked_sub(first).and_then(|at| events.get(at as usize)).filter(|event| event.id() == id);
        guess
            .or_else(|| events.iter().find(|event| event.id() == id))
            .map(|event| EventDescription::of(event))
    };
    let live = registry.groups.iter().find_map(in_group);
    let is_meant = |retired: &&Retired| retired.was_ever_on && retired.described.id == id;
    live.or_else(|| registry.retired.iter().find(is_meant).map(|retired| retired.described.clone()))
}

/// Returns all events, including `disable`d ones, by group and in order of declaration.
pub fn events() -> Vec<&'static Event> {
    lock().events().collect()
}

/// Returns the events that a pattern matches, including `disable`d ones, by group and in order of
/// declaration.
pub fn events_of(pattern: &Pattern) -> Vec<&'static Event> {
    let most = if pattern.reach() == Reach::First { 1 } else { usize::MAX };
    lock().events().filter(|event| pattern.matches(event.name())).take(most).collect()
}

/// Returns the names and states of the events that a pattern matches, by group and in order of
/// declaration.
pub fn states_of(pattern: &Pattern) -> Vec<(String, EventState)> {
    map_events(pattern, |event| (event.name().to_owned(), event.state()))
}

/// Calls `map` with the events that a pattern matches, by group and in order of declaration. The
/// results reflect one moment. They contain no references, because a library may be unloaded. The
/// lock is held, so `map` must not call this module.
pub(crate) fn map_events<T>(pattern: &Pattern, map: impl FnMut(&Event) -> T) -> Vec<T> {
    let most = if pattern.reach() == Reach::First { 1 } else { usize::MAX };
    let registry = lock();
    registry.events().filter(|event| pattern.matches(event.name())).take(most).map(map).collect()
}

/// Returns the first event with this name.
pub fn event(name: &str) -> Option<&'static Event> {
    lock().events().find(|event| event.name() == name)
}

/// Enables or disables the events that a word matches, by the rules of [`Pattern::of_option`].
///
/// ```
/// let done = ringtrace::set_enabled("blk_*", true);
/// if done.is_unknown() {
///     eprintln!("no event matches");
/// }
/// ```
pub fn set_enabled(word: &str, enable: bool) -> Switched {
    switch(&Switch { pattern: Pattern::of_option(word), enable })
}

/// Enables or disables the events that a pattern matches.
pub fn switch(switch: &Switch) -> Switched {
    let mut registry = lock();
    let done = registry.switch(switch, registry.events());
    registry.keep_for_dynamic(switch);
    drop(registry);
    report_switch();
    done
}

/// Enables or disables all events that a pattern matches, or none if one of them cannot be changed.
///
/// # Errors
/// Returns the first event that is `disable`d in its declaration. In that case, nothing is changed.
pub fn switch_all_or_nothing(switch: &Switch) -> Result<Switched, NotTraceable> {
    let mut registry = lock();
    let mut meant = registry.events().filter(|event| switch.pattern.matches(event.name()));
    if let Some(event) = meant.find(|event| !event.declaration().traceable) {
        return Err(NotTraceable { name: event.name() });
    }
    drop(meant);
    let done = registry.switch(switch, registry.events());
    registry.keep_for_dynamic(switch);
    drop(registry);
    report_switch();
    Ok(done)
}

/// Applies a program's initial switches in order, also to groups that are registered later.
pub(crate) fn switch_for_good(switches: Vec<Switch>) -> Vec<Switched> {
    let mut registry = lock();
    let mut answers = Vec::with_capacity(switches.len());
    for switch in switches {
        let done = registry.switch(&switch, registry.events());
        let spent = switch.pattern.reach() == Reach::First && !done.is_unknown();
        registry.pending.push(PendingSwitch { switch, spent, only_dynamic: false });
        answers.push(done);
    }
    drop(registry);
    report_switch();
    answers
}

/// Adds a part to the context of matching events, also in groups that are registered later.
pub(crate) fn add_context_for_good(part: ContextPart, pattern: Pattern) {
    let mut registry = lock();
    let mut context = PendingContext { part, pattern, spent: false };
    context.apply(registry.active, registry.events());
    registry.contexts.push(context);
}

/// Returns whether records of any event have the call stack, as far as is known.
pub(crate) fn records_stacks() -> bool {
    lock().contexts.iter().any(|context| context.part == ContextPart::Stack)
}

/// Enables or disables one event.
///
/// # Errors
/// Fails when it is `disable`d in its declaration.
pub fn set_event_enabled(event: &'static Event, enable: bool) -> Result<(), NotTraceable> {
    if !event.declaration().traceable {
        return Err(NotTraceable { name: event.name() });
    }
    lock().put(event, enable, &mut EnabledCount::new(enable));
    report_switch();
    Ok(())
}

/// Returns whether any event is enabled, or a pending switch could enable an event that the program
/// declares later.
pub fn is_any_wanted() -> bool {
    enabled_events() > 0 || lock().pending.iter().any(|one| !one.spent && one.switch.enable)
}

/// Returns the backends that receive enabled events.
pub fn backends() -> Backends {
    lock().active
}

/// Changes the backends that receive enabled events, and returns the previous ones.
///
/// The session opens backends before this call, and closes them after it.
pub(crate) fn set_backends(backends: Backends) -> Backends {
    let mut registry = lock();
    let before = std::mem::replace(&mut registry.active, backends);
    for event in registry.events().filter(|event| event.state() == EventState::Enabled) {
        set_dstate(event, dstate(event, backends));
    }
    drop(registry);
    // Do not call hooks if there are no backends: no event is emitted any more, and the process may
    // be about to exit.
    if backends != Backends::NONE {
        report_switch();
    }
    before
}
