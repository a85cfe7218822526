//! The events of the process, and which of them are on.
//!
//! Everything here takes one lock, which no probe ever meets: a probe reads one byte of its own event. Nothing here may be called
//! from a signal handler.
//!
//! Events come by the names of their groups, in a group in order of declaration: the order in which groups are registered
//! is the linker's, and may be another one in the next build. The events of a library that is unloaded are taken away; who keeps a reference to one beyond that has it dangle, as with
//! everything else of that library.

use std::io;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use super::{Event, EventState, Group, counts, format};
use crate::options::{Backends, Pattern, Reach, Switch};
use crate::{clock, os};

mod enabled;
#[cfg(test)]
mod tests;

use enabled::EnabledCount;
pub use enabled::enabled_events;

/// What changes under the lock.
#[derive(Debug)]
struct Registry {
    /// By their names; those of one name in order of registration.
    groups: Vec<&'static Group>,
    last_id: u32,
    /// Where events go that are enabled.
    active: Backends,
    /// What groups that come later are asked, too.
    pending: Vec<PendingSwitch>,
    /// Events of libraries that were unloaded, for when they come back: the last that went is the last here.
    retired: Vec<Retired>,
    /// What becomes of records is counted.
    counted: bool,
    /// The backends that may get text of any event at any time: what they need is there before.
    prepared: Backends,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry {
    groups: Vec::new(),
    last_id: 0,
    active: Backends::NONE,
    pending: Vec::new(),
    retired: Vec::new(),
    counted: false,
    prepared: Backends::NONE,
});

/// The state of an event that goes to `backends`.
fn dstate(event: &Event, backends: Backends) -> u8 {
    // A library has its own place for coarse time, where nobody writes it: its probes ask.
    let asks = if event.is_foreign() && clock::state() == clock::COARSE { ASKS_HOST } else { 0 };
    backends.bits() | asks | if backends.contains(Backends::SIMPLE) { clock::state() } else { 0 }
}

/// Sets the state of an event, whose format is parsed by then if a text backend needs it.
fn set_dstate(event: &Event, dstate: u8) {
    if text_backends(event, dstate) != 0 {
        format::prepare(event);
    }
    event.set_dstate(dstate);
}

/// The text backends of `dstate` that render the event here, and not in the program itself.
fn text_backends(event: &Event, dstate: u8) -> u8 {
    let text = dstate & Backends::TEXT;
    event.mirror().map_or(text, |mirror| mirror.ours(text))
}

/// In a state: the probe does nothing itself.
const ASKS_HOST: u8 = 0x40;

/// Counts the groups that came, for who wants to know of new ones.
static GROUPS_EVER: AtomicUsize = AtomicUsize::new(0);

/// How many groups there ever were.
pub(crate) fn groups_ever() -> usize {
    GROUPS_EVER.load(Ordering::Relaxed)
}

/// A switch for groups that come later.
#[derive(Debug)]
struct PendingSwitch {
    switch: Switch,
    /// It means one event, and that one is found.
    spent: bool,
}

/// What a record's id means: owned, because libraries go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventDescription {
    /// The number in records.
    pub id: u32,
    /// The event's name.
    pub name: String,
    /// The group it is declared in.
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

/// An event of a library that was unloaded. Its number is for no other one: trace files say what it means, also when it was never on.
#[derive(Debug)]
struct Retired {
    described: EventDescription,
    /// Records of it may still be in a ring.
    was_ever_on: bool,
}

/// What switching did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Switched {
    /// Events that are now as asked.
    pub matched: usize,
    /// Of these, those that were not so before.
    pub changed: usize,
    /// Events that match and are `disable`d in their declaration: nothing switches them.
    pub not_traceable: usize,
    /// Events that match, but only the first was meant.
    pub passed_over: usize,
}

impl Switched {
    /// Whether no event matches at all.
    pub fn is_unknown(&self) -> bool {
        self.matched == 0 && self.not_traceable == 0
    }
}

/// The event is `disable`d in its declaration.
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

    /// Switches one event and says whether that changed it. It must be traceable.
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

    /// Switches what a pattern means.
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

fn lock() -> MutexGuard<'static, Registry> {
    os::lock(&REGISTRY)
}

/// Holds the registry still. Taken before a fork and dropped in parent and child, so that the child does not inherit a lock whose
/// holder it does not have.
#[derive(Debug)]
pub(crate) struct LockedRegistry {
    _registry: MutexGuard<'static, Registry>,
}

/// Waits for the lock and keeps it until the answer is dropped. Nothing else of this module may be called meanwhile.
pub(crate) fn lock_for_fork() -> LockedRegistry {
    LockedRegistry { _registry: lock() }
}

/// Adds a group, numbers its events, and switches those on that were asked for at the start. Called before `main`, and
/// when a library is loaded.
pub fn register(group: &'static Group) {
    let mut registry = lock();
    let registry = &mut *registry;
    if registry.groups.iter().any(|known| ptr::eq(*known, group)) {
        return;
    }
    for event in group.events() {
        // A library that is loaded again gets its numbers back: loading and unloading for ever takes no memory.
        let id = match registry.retired.iter().rposition(|retired| retired.described.is_of(event)) {
            Some(at) => {
                let retired = registry.retired.swap_remove(at);
                if retired.was_ever_on {
                    event.set_ever_on();
                }
                retired.described.id
            }
            None => {
                registry.last_id += 1;
                registry.last_id
            }
        };
        event.set_id(id);
    }
    if registry.counted {
        // Else they share a row.
        let _ = counts::provide(registry.last_id);
    }
    prepare(group, registry.prepared);
    let at = registry.groups.partition_point(|known| known.name() <= group.name());
    registry.groups.insert(at, group);
    GROUPS_EVER.fetch_add(1, Ordering::Relaxed);
    let mut pending = std::mem::take(&mut registry.pending);
    for one in pending.iter_mut().filter(|one| !one.spent) {
        let done = registry.switch(&one.switch, group.events().iter().copied());
        one.spent = one.switch.pattern.reach() == Reach::First && !done.is_unknown();
    }
    registry.pending = pending;
}

/// Takes a group away. Called when a library is unloaded, and when the process ends.
pub fn unregister(group: &'static Group) {
    let mut registry = lock();
    let Some(at) = registry.groups.iter().position(|known| ptr::eq(*known, group)) else { return };
    registry.groups.remove(at);
    // Backwards: when the library comes back, each is the last of those that are retired.
    for event in group.events().iter().rev() {
        let was_ever_on = event.was_ever_on();
        if was_ever_on {
            registry.put(event, false, &mut EnabledCount::new(false));
        }
        registry.retired.push(Retired { described: EventDescription::of(event), was_ever_on });
    }
}

/// Takes apart the formats of all events that `backends` make text of, now and in groups that come later. That takes a microsecond for each, which
/// else it takes when they are switched on: too long where a client waits that switches thousands.
pub(crate) fn prepare_for(backends: Backends) {
    if backends.bits() & Backends::TEXT == 0 {
        return;
    }
    lock().prepared |= backends;
    let mut at = 0;
    // Each under the lock by itself, so that nobody waits long. One that is passed over because another one has gone is prepared when it
    // is switched on.
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

/// From here on, what becomes of records is counted.
///
/// # Errors
/// When there is no memory.
pub(crate) fn count_events() -> io::Result<()> {
    let mut registry = lock();
    counts::provide(registry.last_id)?;
    registry.counted = true;
    Ok(())
}

/// Gives every event to `f`, under the lock: `f` must call nothing else of this module.
pub(crate) fn each(f: impl FnMut(&'static Event)) {
    lock().events().for_each(f);
}

/// Gives what is known of the events of libraries that were unloaded to `f`, of which there may be records: under the lock, as [`each`]
/// does.
pub(crate) fn each_retired(f: impl FnMut(&EventDescription)) {
    lock().retired.iter().filter(|retired| retired.was_ever_on).map(|retired| &retired.described).for_each(f);
}

/// What the id of a record means, also when its library has been unloaded since.
pub fn describe(id: u32) -> Option<EventDescription> {
    let registry = lock();
    let in_group = |group: &&'static Group| {
        let events = group.events();
        // Nearly always the numbers of a group follow one another.
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

/// All events, also those that are `disable`d, by groups, in order of declaration.
pub fn events() -> Vec<&'static Event> {
    lock().events().collect()
}

/// The events that a pattern means, also those that are `disable`d, by groups, in order of declaration.
pub fn events_of(pattern: &Pattern) -> Vec<&'static Event> {
    let most = if pattern.reach() == Reach::First { 1 } else { usize::MAX };
    lock().events().filter(|event| pattern.matches(event.name())).take(most).collect()
}

/// The names of the events that a pattern means, and whether they are on: by groups, in order of declaration.
pub fn states_of(pattern: &Pattern) -> Vec<(String, EventState)> {
    map_events(pattern, |event| (event.name().to_owned(), event.state()))
}

/// What `map` says of the events that a pattern means, by groups, in order of declaration. Of one moment, and with nothing of an
/// event itself: its library may go. Under the lock: `map` must call nothing else of this module.
pub(crate) fn map_events<T>(pattern: &Pattern, map: impl FnMut(&Event) -> T) -> Vec<T> {
    let most = if pattern.reach() == Reach::First { 1 } else { usize::MAX };
    let registry = lock();
    registry.events().filter(|event| pattern.matches(event.name())).take(most).map(map).collect()
}

/// The first event of a name.
pub fn event(name: &str) -> Option<&'static Event> {
    lock().events().find(|event| event.name() == name)
}

/// Switches the events that a word means, by the rules of [`Pattern::of_option`].
///
/// ```
/// let done = ringtrace::set_enabled("blk_*", true);
/// if done.is_unknown() {
///     // no event is called so
/// }
/// ```
pub fn set_enabled(word: &str, enable: bool) -> Switched {
    switch(&Switch { pattern: Pattern::of_option(word), enable })
}

/// Switches the events that a pattern means.
pub fn switch(switch: &Switch) -> Switched {
    let registry = lock();
    registry.switch(switch, registry.events())
}

/// Switches the events that a pattern means: all of them, or none when one of them cannot be switched.
///
/// # Errors
/// The first event that is `disable`d in its declaration. Nothing is changed then.
pub fn switch_all_or_nothing(switch: &Switch) -> Result<Switched, NotTraceable> {
    let registry = lock();
    let mut meant = registry.events().filter(|event| switch.pattern.matches(event.name()));
    match meant.find(|event| !event.declaration().traceable) {
        Some(event) => Err(NotTraceable { name: event.name() }),
        None => Ok(registry.switch(switch, registry.events())),
    }
}

/// Switches what each means, in order, now and in groups that come later: what a program is started with.
pub(crate) fn switch_for_good(switches: Vec<Switch>) -> Vec<Switched> {
    let mut registry = lock();
    let mut answers = Vec::with_capacity(switches.len());
    for switch in switches {
        let done = registry.switch(&switch, registry.events());
        let spent = switch.pattern.reach() == Reach::First && !done.is_unknown();
        registry.pending.push(PendingSwitch { switch, spent });
        answers.push(done);
    }
    answers
}

/// Switches one event.
///
/// # Errors
/// When it is `disable`d in its declaration.
pub fn set_event_enabled(event: &'static Event, enable: bool) -> Result<(), NotTraceable> {
    if !event.declaration().traceable {
        return Err(NotTraceable { name: event.name() });
    }
    lock().put(event, enable, &mut EnabledCount::new(enable));
    Ok(())
}

/// Where enabled events go now.
pub fn backends() -> Backends {
    lock().active
}

/// Changes where enabled events go, and says where they went before.
///
/// Only for backends that are ready: the session opens and closes them.
pub(crate) fn set_backends(backends: Backends) -> Backends {
    let mut registry = lock();
    let before = std::mem::replace(&mut registry.active, backends);
    for event in registry.events().filter(|event| event.state() == EventState::Enabled) {
        set_dstate(event, dstate(event, backends));
    }
    before
}
