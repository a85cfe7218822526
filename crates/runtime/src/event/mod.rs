//! Events: the generator creates a static [`Event`] from each declaration, and lists them in a
//! static [`Group`].

use core::fmt;
use core::sync::atomic::{AtomicU8, AtomicU64, Ordering};

#[cfg(feature = "runtime")]
pub(crate) mod counts;
#[cfg(feature = "runtime")]
pub(crate) mod format;
#[cfg(feature = "runtime")]
pub(crate) mod id_set;
#[cfg(feature = "runtime")]
pub(crate) mod mirror;
#[cfg(feature = "runtime")]
pub mod registry;

#[cfg(feature = "runtime")]
use crate::options::ContextPart;
#[cfg(feature = "runtime")]
use mirror::Mirror;

/// The declaration of an event.
#[derive(Debug)]
#[repr(C)]
pub struct Declaration {
    /// The event's name.
    pub name: &'static str,
    /// The group that declares the event.
    pub group: &'static str,
    /// The arguments, in order.
    pub arguments: &'static [Argument],
    /// The C source of the format as written (string literals and macros), or `None` if there is no
    /// format.
    pub format: Option<&'static str>,
    /// The whole declaration, as written, after those of the enumerations that it uses, one per line.
    pub text: &'static str,
    /// `false` for a `disable`d event, whose probe is empty.
    pub traceable: bool,
}

/// One argument of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Argument {
    /// The name, as declared.
    pub name: &'static str,
    /// The C type, as written.
    pub ctype: &'static str,
    /// The representation in a record.
    pub kind: ArgumentKind,
}

/// The representation of an argument in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum ArgumentKind {
    /// 64 bits.
    Integer,
    /// An address, as 64 bits.
    Pointer,
    /// Bytes.
    Str,
}

/// An event. Each declaration has one static of this type.
///
/// While the event is disabled, a probe reads only its first byte.
#[derive(Debug)]
#[repr(C)]
pub struct Event {
    /// The backends that receive the event: the active ones while it is enabled, else 0.
    dstate: AtomicU8,
    /// Flags: [`ON`] while the event is enabled, with or without active backends; [`EVER_ON`] once
    /// it has been enabled; [`FOREIGN`] if its library contains its own copy of the runtime;
    /// [`PLACEHOLDER`] while its arguments are not known; [`STACK`] and [`CPU`] if its records have
    /// these.
    switched: AtomicU8,
    /// The id, shifted to its position in a record's first word; 0 before registration.
    number: AtomicU64,
    declaration: Declaration,
    #[cfg(feature = "runtime")]
    mirror: Option<&'static Mirror>,
}

#[cfg(feature = "runtime")]
pub(crate) const MIRROR_AT: usize = core::mem::offset_of!(Event, mirror);

const ON: u8 = 1;
#[cfg(feature = "runtime")]
const EVER_ON: u8 = 2;
#[cfg(feature = "runtime")]
const FOREIGN: u8 = 4;
#[cfg(feature = "runtime")]
const PLACEHOLDER: u8 = 8;

#[cfg(feature = "runtime")]
const STACK: u8 = 16;
#[cfg(feature = "runtime")]
const CPU: u8 = 32;

#[cfg(feature = "runtime")]
fn context_bit(part: ContextPart) -> u8 {
    match part {
        ContextPart::Stack => STACK,
        ContextPart::Cpu => CPU,
    }
}

/// A bit of an event's state, set while the binary trace is active and the event's records have a
/// context. It sends probes to the slow path.
#[cfg(feature = "runtime")]
pub(crate) const CONTEXT: u8 = 0x80;

/// The state of an event, in QMP's terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventState {
    /// `disable`d in the declaration: the probe is empty.
    Unavailable,
    /// Off.
    Disabled,
    /// On: records go to the active backends, if any.
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
    /// Creates an event that is off.
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

    /// Creates an event for code in another language. It is off.
    #[cfg(feature = "runtime")]
    pub const fn mirrored(declaration: Declaration, mirror: &'static Mirror) -> Event {
        Event { mirror: Some(mirror), ..Event::new(declaration) }
    }

    /// Returns whether any backend receives the event now.
    #[inline(always)]
    pub fn is_enabled(&self) -> bool {
        self.see().is_enabled()
    }

    /// Loads the backends that receive the event now.
    ///
    /// Relaxed: a probe may see a change a few instructions late, and nothing else depends on the
    /// value.
    #[inline(always)]
    pub fn see(&self) -> Seen {
        Seen(if cfg!(feature = "runtime") { self.dstate.load(Ordering::Relaxed) } else { 0 })
    }

    /// The backends that receive the event, as bits of [`Backends`](crate::Backends), and bits for
    /// the clock.
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
        // Release: a probe that sees the bit of a text backend also sees the parsed format.
        self.dstate.store(backends, Ordering::Release);
    }

    /// Returns whether the event is switched on, even without an active backend.
    pub fn state(&self) -> EventState {
        match self.switched.load(Ordering::Relaxed) & ON {
            _ if !self.declaration.traceable => EventState::Unavailable,
            0 => EventState::Disabled,
            _ => EventState::Enabled,
        }
    }

    #[cfg(feature = "runtime")]
    pub(crate) fn mirror(&self) -> Option<&'static Mirror> {
        self.mirror
    }

    /// Enables or disables the event. Returns whether it was enabled before. Called under the
    /// registry's lock.
    #[cfg(feature = "runtime")]
    pub(crate) fn set_switched_on(&self, on: bool) -> bool {
        let before = self.switched.load(Ordering::Relaxed);
        let now = if on { before | ON | EVER_ON } else { before & !ON };
        self.switched.store(now, Ordering::Relaxed);
        before & ON != 0
    }

    /// Marks the event as belonging to a library that contains its own copy of the runtime.
    #[cfg(feature = "runtime")]
    pub(crate) fn set_foreign(&self) {
        self.switched.fetch_or(FOREIGN, Ordering::Relaxed);
    }

    #[cfg(feature = "runtime")]
    pub(crate) fn is_foreign(&self) -> bool {
        self.switched.load(Ordering::Relaxed) & FOREIGN != 0
    }

    /// Creates an event that has no arguments yet and no records. It can be listed and switched,
    /// but traces do not declare it.
    #[cfg(feature = "runtime")]
    pub(crate) const fn placeholder(declaration: Declaration) -> Event {
        Event { switched: AtomicU8::new(PLACEHOLDER), ..Event::new(declaration) }
    }

    #[cfg(feature = "runtime")]
    pub(crate) fn is_placeholder(&self) -> bool {
        self.switched.load(Ordering::Relaxed) & PLACEHOLDER != 0
    }

    /// Adds a part to the context of the event's records from now on.
    #[cfg(feature = "runtime")]
    pub(crate) fn add_context(&self, part: ContextPart) {
        self.switched.fetch_or(context_bit(part), Ordering::Relaxed);
        if self.mirror.is_some() {
            mirror::note_context();
        }
    }

    /// Returns whether the context of the event's records has this part.
    #[cfg(feature = "runtime")]
    pub(crate) fn has_context(&self, part: ContextPart) -> bool {
        self.switched.load(Ordering::Relaxed) & context_bit(part) != 0
    }

    /// Marks the event as having been enabled during a previous load of its library.
    #[cfg(feature = "runtime")]
    pub(crate) fn set_ever_on(&self) {
        self.switched.fetch_or(EVER_ON, Ordering::Relaxed);
    }

    #[cfg(feature = "runtime")]
    pub(crate) fn was_ever_on(&self) -> bool {
        self.switched.load(Ordering::Relaxed) & EVER_ON != 0
    }

    /// The event's id in records. Assigned at registration; 0 before.
    pub fn id(&self) -> u32 {
        let number = self.number.load(Ordering::Relaxed);
        if cfg!(target_endian = "little") { (number >> 32) as u32 } else { number as u32 }
    }

    /// The id, shifted to its position in a record's first word.
    #[cfg(feature = "runtime")]
    #[inline(always)]
    pub(crate) fn number(&self) -> u64 {
        self.number.load(Ordering::Relaxed)
    }

    #[cfg(feature = "runtime")]
    pub(crate) fn set_id(&self, id: u32) {
        self.number.store(ringtrace_wire::ring::number(id), Ordering::Relaxed);
    }

    /// The event's declaration.
    pub fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// The event's name.
    pub fn name(&self) -> &'static str {
        self.declaration.name
    }
}

/// An event's state as loaded by a probe. The probe loads it only once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen(u8);

impl Seen {
    /// Returns whether any backend receives the event.
    #[inline(always)]
    pub fn is_enabled(self) -> bool {
        cfg!(feature = "runtime") && self.0 != 0
    }

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
    /// Creates a group, without registering it.
    pub const fn new(name: &'static str, events: &'static [&'static Event]) -> Group {
        Group { name, events }
    }

    /// The group's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The group's events, in order of declaration.
    pub fn events(&self) -> &'static [&'static Event] {
        self.events
    }
}

/// Returns the value for a missing string: an empty slice with a special address.
#[inline(always)]
pub(crate) fn no_string() -> &'static [u8] {
    static PLACE: [u8; 2] = [0; 2];
    &PLACE[1..1]
}

/// Returns whether `string` is [`no_string`]. Other empty strings have other addresses: this
/// address is in the middle of a two-byte object, so it is not the end of another object either.
#[inline(always)]
pub(crate) fn is_no_string(string: &[u8]) -> bool {
    string.is_empty() && core::ptr::eq(string.as_ptr(), no_string().as_ptr())
}

/// A value for backends that render text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub enum Value<'a> {
    /// An integer or an address.
    Integer(u64),
    /// A string.
    Str(&'a [u8]),
    /// A missing string.
    NoStr,
}
