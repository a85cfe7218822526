//! What the generator makes of a declaration: a static [`Event`], listed in a static [`Group`].

use core::fmt;
use core::sync::atomic::{AtomicU8, AtomicU64, Ordering};

#[cfg(feature = "runtime")]
pub(crate) mod counts;
#[cfg(feature = "runtime")]
pub(crate) mod format;
#[cfg(feature = "runtime")]
pub(crate) mod mirror;
#[cfg(feature = "runtime")]
pub mod registry;

#[cfg(feature = "runtime")]
use mirror::Mirror;

/// A declaration, as its event carries it.
#[derive(Debug)]
#[repr(C)]
pub struct Declaration {
    /// The event's name.
    pub name: &'static str,
    /// The group it is declared in.
    pub group: &'static str,
    /// Its arguments, in order.
    pub arguments: &'static [Argument],
    /// The C text of its format, literals and macros, as written; `None` when it has none.
    pub format: Option<&'static str>,
    /// The whole declaration, as written.
    pub text: &'static str,
    /// `false` for a `disable`d event: its probe is empty.
    pub traceable: bool,
}

/// One argument of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Argument {
    /// Its name, as declared.
    pub name: &'static str,
    /// Its C type, as written.
    pub ctype: &'static str,
    /// How it is recorded.
    pub kind: ArgumentKind,
}

/// How an argument is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum ArgumentKind {
    /// As 64 bits.
    Integer,
    /// An address, as 64 bits.
    Pointer,
    /// As bytes.
    Str,
}

/// An event: one static for each declaration.
///
/// Its first byte is all that a probe looks at while the event is off.
#[derive(Debug)]
#[repr(C)]
pub struct Event {
    /// The backends that the event goes to: the active ones while it is enabled, else 0.
    dstate: AtomicU8,
    /// [`ON`] while it is enabled, whatever backends are active; [`EVER_ON`] from the first time on; [`FOREIGN`].
    switched: AtomicU8,
    /// Its id, where the first word of a record has it; 0 before it is registered.
    number: AtomicU64,
    declaration: Declaration,
    /// What code that is not Rust sees of it.
    #[cfg(feature = "runtime")]
    mirror: Option<&'static Mirror>,
}

/// Where it has its mirror.
#[cfg(feature = "runtime")]
pub(crate) const MIRROR_AT: usize = core::mem::offset_of!(Event, mirror);

const ON: u8 = 1;
#[cfg(feature = "runtime")]
const EVER_ON: u8 = 2;
#[cfg(feature = "runtime")]
const FOREIGN: u8 = 4;

/// Whether an event is on, in QMP's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventState {
    /// `disable`d in its declaration: its probe is empty.
    Unavailable,
    /// Off.
    Disabled,
    /// On: its records go to the backends that are active, if any.
    Enabled,
}

impl fmt::Display for EventState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            EventState::Unavailable => "unavailable",
            EventState::Disabled => "disabled",
            EventState::Enabled => "enabled",
        })
    }
}

impl Event {
    /// An event that is off.
    pub const fn new(declaration: Declaration) -> Event {
        Event {
            dstate: AtomicU8::new(0),
            switched: AtomicU8::new(0),
            number: AtomicU64::new(0),
            declaration,
            #[cfg(feature = "runtime")]
            mirror: None,
        }
    }

    /// An event that is off, of code that is not Rust.
    #[cfg(feature = "runtime")]
    pub const fn mirrored(declaration: Declaration, mirror: &'static Mirror) -> Event {
        Event { mirror: Some(mirror), ..Event::new(declaration) }
    }

    /// Whether any backend wants the event now.
    #[inline(always)]
    pub fn is_enabled(&self) -> bool {
        self.see().is_enabled()
    }

    /// Looks whether any backend wants the event now.
    ///
    /// Relaxed: a probe may see a change some instructions late, and nothing else hangs on it.
    #[inline(always)]
    pub fn see(&self) -> Seen {
        Seen(if cfg!(feature = "runtime") { self.dstate.load(Ordering::Relaxed) } else { 0 })
    }

    /// The backends that want the event now, as [`Backends`](crate::Backends) has them.
    #[cfg(feature = "runtime")]
    #[inline(always)]
    pub(crate) fn dstate(&self) -> u8 {
        self.dstate.load(Ordering::Relaxed)
    }

    #[cfg(feature = "runtime")]
    pub(crate) fn set_dstate(&self, mut backends: u8) {
        if let Some(mirror) = self.mirror {
            if self.state() == EventState::Enabled {
                mirror.show_mode(backends);
            }
            backends = mirror.ours(backends);
        }
        // Release: who sees the bit of a text backend finds the parsed format.
        self.dstate.store(backends, Ordering::Release);
    }

    /// Whether it is switched on, even if no backend is active.
    pub fn state(&self) -> EventState {
        match self.switched.load(Ordering::Relaxed) & ON {
            _ if !self.declaration.traceable => EventState::Unavailable,
            0 => EventState::Disabled,
            _ => EventState::Enabled,
        }
    }

    /// What code that is not Rust sees of it.
    #[cfg(feature = "runtime")]
    pub(crate) fn mirror(&self) -> Option<&'static Mirror> {
        self.mirror
    }

    /// Says whether it was on before. Under the registry's lock.
    #[cfg(feature = "runtime")]
    pub(crate) fn set_switched_on(&self, on: bool) -> bool {
        let before = self.switched.load(Ordering::Relaxed);
        let now = if on { before | ON | EVER_ON } else { before & !ON };
        self.switched.store(now, Ordering::Relaxed);
        before & ON != 0
    }

    /// Says that it is an event of a library that has a copy of the runtime itself.
    #[cfg(feature = "runtime")]
    pub(crate) fn set_foreign(&self) {
        self.switched.fetch_or(FOREIGN, Ordering::Relaxed);
    }

    #[cfg(feature = "runtime")]
    pub(crate) fn is_foreign(&self) -> bool {
        self.switched.load(Ordering::Relaxed) & FOREIGN != 0
    }

    /// Says that it was on before, when its library was loaded the last time.
    #[cfg(feature = "runtime")]
    pub(crate) fn set_ever_on(&self) {
        self.switched.fetch_or(EVER_ON, Ordering::Relaxed);
    }

    #[cfg(feature = "runtime")]
    pub(crate) fn was_ever_on(&self) -> bool {
        self.switched.load(Ordering::Relaxed) & EVER_ON != 0
    }

    /// Its id in records. Given at registration; 0 before.
    pub fn id(&self) -> u32 {
        let number = self.number.load(Ordering::Relaxed);
        if cfg!(target_endian = "little") { (number >> 32) as u32 } else { number as u32 }
    }

    /// Its id, where the first word of a record has it.
    #[cfg(feature = "runtime")]
    #[inline(always)]
    pub(crate) fn number(&self) -> u64 {
        self.number.load(Ordering::Relaxed)
    }

    #[cfg(feature = "runtime")]
    pub(crate) fn set_id(&self, id: u32) {
        self.number.store(ringtrace_wire::ring::number(id), Ordering::Relaxed);
    }

    /// What was declared.
    pub fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.declaration.name
    }
}

/// What a probe saw of its event: the backends that want it. So it is looked at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen(u8);

impl Seen {
    /// Whether any backend wants the event.
    #[inline(always)]
    pub fn is_enabled(self) -> bool {
        cfg!(feature = "runtime") && self.0 != 0
    }

    /// The event's state.
    #[cfg(feature = "runtime")]
    #[inline(always)]
    pub(crate) fn dstate(self) -> u8 {
        self.0
    }
}

/// The events of one `trace-events` file: one static for each [`group!`](crate::group).
#[derive(Debug)]
#[repr(C)]
pub struct Group {
    name: &'static str,
    events: &'static [&'static Event],
}

impl Group {
    /// A group that is not registered.
    pub const fn new(name: &'static str, events: &'static [&'static Event]) -> Group {
        Group { name, events }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Its events, in order of declaration.
    pub fn events(&self) -> &'static [&'static Event] {
        self.events
    }
}

/// The string that is none: empty, and known by its address.
#[inline(always)]
pub(crate) fn no_string() -> &'static [u8] {
    static PLACE: [u8; 2] = [0; 2];
    &PLACE[1..1]
}

/// Whether `string` is [`no_string`]. An empty one that stands elsewhere has another address, also at the end of what stands before the
/// place: this is in its middle.
#[inline(always)]
pub(crate) fn is_no_string(string: &[u8]) -> bool {
    string.is_empty() && core::ptr::eq(string.as_ptr(), no_string().as_ptr())
}

/// A value as backends that render text take it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub enum Value<'a> {
    /// An integer or an address.
    Integer(u64),
    /// A string.
    Str(&'a [u8]),
    /// A string that is none.
    NoStr,
}
