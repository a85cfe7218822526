//! The events of call sites, found by the address of the call site's metadata.

use std::collections::BTreeSet;
use std::ptr;
use std::sync::{Mutex, OnceLock, PoisonError};

use ringtrace::dynamic::{Argument, DynamicEvent, Kind, Site, Values};
use tracing_core::span::Record;
use tracing_core::{Event, Interest, Metadata};

use crate::{fields, messages};

/// A call site of `tracing`.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) metadata: &'static Metadata<'static>,
    /// The number of the place, from 0.
    pub(crate) index: u32,
    pub(crate) events: PlaceEvents,
    next: OnceLock<&'static Place>,
}

/// The events of a call site.
#[derive(Debug)]
pub(crate) enum PlaceEvents {
    Event(Site),
    /// Messages of `log`. Their fields contain the call site.
    Messages,
    Span(Box<SpanEvents>),
    /// `tracing::enabled!`, which emits nothing.
    Question,
}

/// The events of a span's call site.
#[derive(Debug)]
pub(crate) struct SpanEvents {
    pub(crate) begin: Site,
    pub(crate) end: DynamicEvent,
    pub(crate) enter: DynamicEvent,
    pub(crate) exit: DynamicEvent,
    name: Box<str>,
    remark: Box<str>,
    /// Most spans never emit these two events, so each is declared when it first occurs.
    record: OnceLock<Site>,
    follows: OnceLock<DynamicEvent>,
}

pub(crate) const SPAN: Argument<'_> = Argument::new("span", Kind::U64);

/// The arguments of a span's events before the fields.
const BEFORE_FIELDS: [&str; 2] = ["span", "parent"];

/// The index of an event's argument `span`, after the fields. It is last because the event's format
/// omits it, and a format can omit only the last arguments.
pub(crate) const SPAN_INDEX: usize = 32;

const BUCKETS: usize = 4096;

/// Places by the hash of their metadata's address. Places are never removed, so readers need no
/// lock.
static PLACES: [OnceLock<&'static Place>; BUCKETS] = [const { OnceLock::new() }; BUCKETS];

/// Bucket n contains the places with numbers from 2^n - 1 to 2^(n+1) - 2.
static BY_INDEX: [OnceLock<Box<[OnceLock<&'static Place>]>>; 32] = [const { OnceLock::new() }; 32];

static ADDED: Mutex<Added> = Mutex::new(Added { count: 0, spans: BTreeSet::new() });

/// The places so far. The lock is held while a place is added.
struct Added {
    count: u32,
    /// The names of spans, each with its target.
    spans: BTreeSet<String>,
}

fn bucket(metadata: &Metadata<'_>) -> &'static OnceLock<&'static Place> {
    let hash = (ptr::from_ref(metadata).addr() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    &PLACES[(hash >> (64 - BUCKETS.ilog2())) as usize]
}

/// Returns the place of a call site, and declares its events if it is new.
#[inline]
pub(crate) fn of(metadata: &'static Metadata<'static>) -> &'static Place {
    find(metadata).unwrap_or_else(|| add(metadata))
}

/// Returns whether a call site is on. `tracing` calls this only if subscribers disagree.
pub(crate) fn is_enabled(metadata: &Metadata<'_>) -> bool {
    find(metadata).is_none_or(Place::is_enabled)
}

#[inline]
fn find(metadata: &Metadata<'_>) -> Option<&'static Place> {
    let mut next = bucket(metadata).get();
    while let Some(place) = next {
        if ptr::addr_eq(place.metadata, metadata) {
            return Some(place);
        }
        next = place.next.get();
    }
    None
}

#[cold]
fn add(metadata: &'static Metadata<'static>) -> &'static Place {
    let mut added = ADDED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(place) = find(metadata) {
        return place;
    }
    let events = PlaceEvents::new(metadata, &mut added.spans);
    let index = added.count;
    let place: &'static Place = Box::leak(Box::new(Place { metadata, index, events, next: OnceLock::new() }));
    let (bucket_number, at) = locate(index);
    let list = BY_INDEX[bucket_number]
        .get_or_init(|| (0..1_usize << bucket_number).map(|_| OnceLock::new()).collect());
    let _ = list[at].set(place);
    added.count += 1;
    let mut end = bucket(metadata);
    while let Some(place) = end.get() {
        end = &place.next;
    }
    // `end` is still empty, because this thread holds the lock.
    let _ = end.set(place);
    place
}

fn locate(index: u32) -> (usize, usize) {
    let bucket = (u64::from(index) + 1).ilog2();
    (bucket as usize, (u64::from(index) + 1 - (1 << bucket)) as usize)
}

/// Returns the place with this number.
pub(crate) fn by_index(index: u32) -> Option<&'static Place> {
    let (bucket, at) = locate(index);
    BY_INDEX[bucket].get()?.get(at)?.get().copied()
}

/// Emits the fields of a span that are set after its begin event.
pub(crate) fn emit_record(place: &'static Place, span: &SpanEvents, number: u64, record: &Record<'_>) {
    let mut values = Values::new();
    values.u64(number);
    fields::add(&mut values, 1, place.metadata, |visitor| record.record(visitor));
    span.record().emit(&values, |index, kind| place.argument(1, index, kind));
}

impl Place {
    /// Returns whether any of the events is on.
    pub(crate) fn is_enabled(&self) -> bool {
        match &self.events {
            PlaceEvents::Event(site) => site.is_enabled(),
            PlaceEvents::Span(span) => {
                [&span.begin].into_iter().chain(span.record.get()).any(Site::is_enabled)
                    || [&span.end, &span.enter, &span.exit]
                        .into_iter()
                        .chain(span.follows.get())
                        .any(DynamicEvent::is_enabled)
            }
            PlaceEvents::Messages => ringtrace::registry::is_any_wanted(),
            PlaceEvents::Question => ringtrace::registry::enabled_events() > 0,
        }
    }

    /// Emits the event of this call site, which occurred in the span `span`.
    #[inline]
    pub(crate) fn emit(&self, span: u64, event: &Event<'_>) {
        let site = match &self.events {
            PlaceEvents::Event(site) => site,
            PlaceEvents::Messages => return messages::emit(event, span),
            PlaceEvents::Span(_) | PlaceEvents::Question => return,
        };
        let mut values = Values::new();
        fields::add(&mut values, 0, self.metadata, |visitor| event.record(visitor));
        values.skip_to(SPAN_INDEX);
        values.u64(span);
        site.emit(&values, |index, kind| self.argument(0, index, kind));
    }

    /// Returns how often `tracing` must check whether the call site is on.
    pub(crate) fn interest(&self) -> Interest {
        match self.events {
            PlaceEvents::Messages | PlaceEvents::Question => Interest::sometimes(),
            _ if self.is_enabled() => Interest::always(),
            _ => Interest::never(),
        }
    }

    /// The events of a span; `None` for other call sites.
    #[inline]
    pub(crate) fn span(&self) -> Option<&SpanEvents> {
        match &self.events {
            PlaceEvents::Span(span) => Some(span),
            _ => None,
        }
    }

    /// Returns the argument at `index` of an event that has `before` arguments before its fields.
    pub(crate) fn argument(&self, before: usize, index: usize, kind: Kind) -> Argument<'static> {
        let Some(field) = index.checked_sub(before) else {
            return Argument::new(BEFORE_FIELDS[index], kind);
        };
        if index == SPAN_INDEX && self.metadata.is_event() {
            return SPAN.hidden();
        }
        match self.metadata.fields().iter().nth(field).map(|field| field.name()) {
            Some("message") => Argument::new("message", kind).bare(),
            name => Argument::new(name.unwrap_or("field"), kind),
        }
    }
}

impl PlaceEvents {
    fn new(metadata: &'static Metadata<'static>, spans: &mut BTreeSet<String>) -> PlaceEvents {
        let (target, name) = (metadata.target(), metadata.name());
        let level = metadata.level();
        let line = metadata.line().unwrap_or(0);
        let remark = format!("{level} {target} {}:{line}", metadata.file().unwrap_or("?"));
        if metadata.is_span() {
            let mut unused = format!("{target}::{name}");
            // Methods of several types in a module can have the same name.
            while !spans.insert(unused.clone()) {
                unused = format!("{unused}_{line}");
            }
            return PlaceEvents::Span(Box::new(SpanEvents::new(&unused, &remark)));
        }
        if messages::are_messages(metadata) {
            return PlaceEvents::Messages;
        }
        if name.starts_with("enabled ") {
            return PlaceEvents::Question;
        }
        // Without a name of its own, an event is called `event FILE:LINE`.
        let name = match name.starts_with("event ") {
            true => format!("{target}::{}_{line}", level.as_str().to_ascii_lowercase()),
            false => format!("{target}::{name}"),
        };
        PlaceEvents::Event(Site::new(&name, Some(&remark)))
    }
}

impl SpanEvents {
    fn new(name: &str, remark: &str) -> SpanEvents {
        let simple = |event: &str| DynamicEvent::declare(&format!("{name}::{event}"), Some(remark), &[SPAN]);
        SpanEvents {
            begin: Site::new(&format!("{name}::begin"), Some(remark)),
            end: simple("end"),
            enter: simple("enter"),
            exit: simple("exit"),
            name: name.into(),
            remark: remark.into(),
            record: OnceLock::new(),
            follows: OnceLock::new(),
        }
    }

    /// The event for fields that are set after the begin event.
    pub(crate) fn record(&self) -> &Site {
        self.record.get_or_init(|| Site::new(&format!("{}::record", self.name), Some(&self.remark)))
    }

    /// The event for a span that follows from another one.
    pub(crate) fn follows(&self) -> &DynamicEvent {
        self.follows.get_or_init(|| {
            let arguments = [SPAN, Argument::new("from", Kind::U64)];
            DynamicEvent::declare(&format!("{}::follows", self.name), Some(&self.remark), &arguments)
        })
    }
}
