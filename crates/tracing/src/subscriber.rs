//! The subscriber for programs without other layers.

use std::cell::{Cell, RefCell};

use ringtrace::dynamic::Values;
use ringtrace::probe;
use tracing_core::dispatcher::{Dispatch, SetGlobalDefaultError, set_global_default};
use tracing_core::span::{Attributes, Current, Id, Record};
use tracing_core::{Event, Interest, Metadata, Subscriber};

use crate::places;
use crate::spans::Spans;
use crate::{fields, follow_switches};

/// Records all events and spans that are on. See [`subscriber`].
#[derive(Debug)]
pub struct RingSubscriber {
    /// All subscribers use the same table, so that ids are unique in the process.
    spans: &'static Spans,
}

static SPANS: Spans = Spans::new();

thread_local! {
    /// The number of the span that this thread is in, or 0.
    static CURRENT: Cell<u64> = const { Cell::new(0) };
    /// The spans that this thread has entered, the innermost at the end: their ids and numbers.
    static ENTERED: RefCell<Vec<(Id, u64)>> = const { RefCell::new(Vec::new()) };
}

/// Creates a subscriber that records events and spans. Nothing else is needed to use `tracing`, and
/// it is cheaper than [`layer`](crate::layer()).
///
/// ```
/// tracing::subscriber::with_default(ringtrace_tracing::subscriber(), || {
///     tracing::info!(rows = 7, "done");
/// });
/// ```
pub fn subscriber() -> RingSubscriber {
    follow_switches();
    RingSubscriber { spans: &SPANS }
}

/// Makes [`subscriber`] the default of the whole program.
///
/// # Errors
/// Fails if the program already has a default.
pub fn init() -> Result<(), SetGlobalDefaultError> {
    set_global_default(Dispatch::new(subscriber()))
}

/// Returns the id and the number of the span that the thread is in.
#[inline]
fn current() -> Option<(Id, u64)> {
    ENTERED.try_with(|entered| entered.try_borrow().ok()?.last().cloned()).ok().flatten()
}

impl Subscriber for RingSubscriber {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        places::of(metadata).interest()
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        places::is_enabled(metadata)
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let place = places::of(attributes.metadata());
        let (parent, parent_number) = match attributes.parent() {
            Some(parent) => (Some(parent.clone()), self.spans.get(parent).map_or(0, |span| span.number)),
            None if attributes.is_contextual() => {
                current().map_or((None, 0), |(id, number)| (Some(id), number))
            }
            None => (None, 0),
        };
        if let Some(parent) = &parent {
            self.spans.keep(parent);
        }
        let (id, number) = self.spans.open(place, parent.as_ref());
        if let Some(span) = place.span().filter(|span| span.begin.is_enabled()) {
            let mut values = Values::new();
            values.u64(number).u64(parent_number);
            fields::add(&mut values, 2, place.metadata, |visitor| attributes.record(visitor));
            span.begin.emit(&values, |index, kind| place.argument(2, index, kind));
        }
        id
    }

    fn record(&self, id: &Id, record: &Record<'_>) {
        let Some(open) = self.spans.get(id) else { return };
        let Some(span) = open.place.span() else { return };
        places::emit_record(open.place, span, open.number, record);
    }

    fn record_follows_from(&self, id: &Id, follows: &Id) {
        if let (Some(open), Some(from)) = (self.spans.get(id), self.spans.get(follows))
            && let Some(span) = open.place.span()
        {
            probe::emit(span.follows().event(), (open.number, from.number));
        }
    }

    #[inline]
    fn event(&self, event: &Event<'_>) {
        let span = match event.parent() {
            Some(parent) => self.spans.get(parent).map_or(0, |span| span.number),
            None if event.is_contextual() => CURRENT.get(),
            None => 0,
        };
        places::emit_event(event, || span);
    }

    fn enter(&self, id: &Id) {
        let Some(open) = self.spans.get(id) else { return };
        // An entered span stays open, even if its last handle is dropped meanwhile.
        self.spans.keep(id);
        let push = |entered: &RefCell<Vec<(Id, u64)>>| {
            if let Ok(mut entered) = entered.try_borrow_mut() {
                entered.push((id.clone(), open.number));
                CURRENT.set(open.number);
            }
        };
        let _ = ENTERED.try_with(push);
        if let Some(span) = open.place.span() {
            emit_span(&span.enter, open.number);
        }
    }

    fn exit(&self, id: &Id) {
        let Some(open) = self.spans.get(id) else { return };
        if let Some(span) = open.place.span() {
            emit_span(&span.exit, open.number);
        }
        let pop = |entered: &RefCell<Vec<(Id, u64)>>| {
            if let Ok(mut entered) = entered.try_borrow_mut()
                && let Some(at) = entered.iter().rposition(|(entered, _)| entered == id)
            {
                entered.remove(at);
                CURRENT.set(entered.last().map_or(0, |(_, number)| *number));
            }
        };
        let _ = ENTERED.try_with(pop);
        self.try_close(id.clone());
    }

    fn clone_span(&self, id: &Id) -> Id {
        self.spans.keep(id);
        id.clone()
    }

    fn try_close(&self, id: Id) -> bool {
        let (mut next, mut is_closed) = (Some(id.clone()), false);
        while let Some(closing) = next.take() {
            let Some((open, parent)) = self.spans.release(&closing) else { break };
            is_closed |= closing == id;
            if let Some(span) = open.place.span() {
                emit_span(&span.end, open.number);
            }
            // The closed span had a handle of its parent. Release that, too.
            next = parent;
        }
        is_closed
    }

    fn current_span(&self) -> Current {
        let found = current().and_then(|(id, _)| Some((self.spans.get(&id)?, id)));
        found.map_or_else(Current::none, |(open, id)| Current::new(id, open.place.metadata))
    }
}

/// Emits an event whose only argument is the span.
#[inline]
pub(crate) fn emit_span(event: &ringtrace::dynamic::DynamicEvent, span: u64) {
    if event.is_enabled() {
        probe::emit(event.event(), (span,));
    }
}
