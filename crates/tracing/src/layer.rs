//! The layer for `tracing_subscriber::registry()`.

use ringtrace::dynamic::Values;
use ringtrace::probe;
use tracing_core::span::{Attributes, Id, Record};
use tracing_core::{Event, Interest, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Filtered;
use tracing_subscriber::layer::{Context, Filter};
use tracing_subscriber::registry::LookupSpan;

use crate::places::{self, Place, SpanEvents};
use crate::subscriber::emit_span;
use crate::{fields, follow_switches};

/// Records all events and spans that are on. See [`layer()`].
#[derive(Debug)]
pub struct RingLayer {
    _private: (),
}

/// The filter of [`layer()`]: passes call sites with an event that is on.
#[derive(Debug)]
pub struct EnabledSites {
    _private: (),
}

/// Creates a layer that records events and spans.
///
/// ```
/// use tracing_subscriber::prelude::*;
///
/// tracing_subscriber::registry().with(ringtrace_tracing::layer()).init();
/// tracing::info!(rows = 7, "done");
/// ```
///
/// Other layers are not affected: an event that is off in ringtrace still reaches them.
pub fn layer<S>() -> Filtered<RingLayer, EnabledSites, S>
where
    S: Subscriber + for<'s> LookupSpan<'s>,
{
    follow_switches();
    RingLayer { _private: () }.with_filter(EnabledSites { _private: () })
}

impl<S> Filter<S> for EnabledSites {
    fn enabled(&self, metadata: &Metadata<'_>, _: &Context<'_, S>) -> bool {
        places::is_enabled(metadata)
    }

    fn callsite_enabled(&self, metadata: &'static Metadata<'static>) -> Interest {
        places::of(metadata).interest()
    }
}

fn with_span<S>(id: &Id, context: &Context<'_, S>, emit: impl FnOnce(&'static Place, &SpanEvents))
where
    S: Subscriber + for<'s> LookupSpan<'s>,
{
    if let Some(metadata) = context.metadata(id) {
        let place = places::of(metadata);
        if let Some(span) = place.span() {
            emit(place, span);
        }
    }
}

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for RingLayer {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let place = places::of(attributes.metadata());
        let Some(span) = place.span().filter(|span| span.begin.is_enabled()) else { return };
        let parent =
            context.span(id).and_then(|span| span.parent()).map_or(0, |parent| parent.id().into_u64());
        let mut values = Values::new();
        values.u64(id.into_u64()).u64(parent);
        fields::add(&mut values, 2, place.metadata, |visitor| attributes.record(visitor));
        span.begin.emit(&values, |index, kind| place.argument(2, index, kind));
    }

    fn on_record(&self, id: &Id, record: &Record<'_>, context: Context<'_, S>) {
        with_span(id, &context, |place, span| places::emit_record(place, span, id.into_u64(), record));
    }

    fn on_follows_from(&self, id: &Id, follows: &Id, context: Context<'_, S>) {
        with_span(id, &context, |_, span| {
            probe::emit(span.follows().event(), (id.into_u64(), follows.into_u64()));
        });
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        places::emit_event(event, || context.event_span(event).map_or(0, |span| span.id().into_u64()));
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        with_span(id, &context, |_, span| emit_span(&span.enter, id.into_u64()));
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        with_span(id, &context, |_, span| emit_span(&span.exit, id.into_u64()));
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        with_span(&id, &context, |_, span| emit_span(&span.end, id.into_u64()));
    }
}
