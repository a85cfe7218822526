//! Writes spans as slices, and writes steps and counters.

use ringtrace_tracefile::Entry;
use ringtrace_tracefile::pair::{DrawnOn, SpanEvent, SpanId, Track};

use super::Perfetto;
use super::field::event;
use super::packets::EventType;
use super::packets::Uuid;
use super::values::{push_arguments, push_end, push_owner, push_stack, push_value};
use crate::shared::value::TypedValue;

impl Perfetto {
    /// Writes `span_event` of `entry`, whose event must have a plan.
    pub(super) fn show(&mut self, entry: &Entry<'_>, span_event: &SpanEvent<'_>, tracks: &[Track]) {
        let span = match span_event {
            SpanEvent::Begin(span) | SpanEvent::Step(span) => Some(span),
            SpanEvent::End { span, .. } | SpanEvent::Restarted { span, .. } => Some(span),
            SpanEvent::Counter { .. } => None,
        };
        let pair = span.and_then(|span| self.description.pairs.get(span.pair));
        let drawn_on = pair.map_or(DrawnOn::OwnTracks, |pair| pair.drawn_on);
        match span_event {
            SpanEvent::Begin(span) if drawn_on != DrawnOn::OwnTracks => {
                self.begin_nested(entry, span, drawn_on);
            }
            SpanEvent::End { span, .. } if drawn_on != DrawnOn::OwnTracks => {
                self.end_nested(entry, span, false);
            }
            SpanEvent::Restarted { span, .. } if drawn_on != DrawnOn::OwnTracks => {
                self.end_nested(entry, span, true);
            }
            SpanEvent::Step(span) if drawn_on != DrawnOn::OwnTracks => self.step_nested(entry, span),
            SpanEvent::Begin(span) => self.begin_span(entry, span, tracks),
            SpanEvent::End { span, .. } => self.end_span(entry, span, tracks, false),
            SpanEvent::Restarted { span, .. } => self.end_span(entry, span, tracks, true),
            SpanEvent::Step(span) => self.step(entry, span, tracks),
            SpanEvent::Counter { track, value, .. } => self.count(entry, *track, *value, tracks),
        }
    }

    fn begin_span(&mut self, entry: &Entry<'_>, span: &SpanId, tracks: &[Track]) {
        let lane = self.lanes.begin(span, entry.timestamp_ns);
        let Some(uuid) = self.lane(span, lane, tracks) else { return };
        let Some(Some(plan)) = self.plans.get(entry.schema_index as usize) else { return };
        let pair = self.description.pairs.get(span.pair);
        self.out.write_event(EventType::SliceBegin, entry.timestamp_ns, uuid, |message, names| {
            message.uint(event::NAME_ID, plan.name);
            if let Some(pair) = pair {
                message.uint(event::CATEGORY_ID, names.category(&pair.name));
                // All steps get the same number, which makes them a flow in Perfetto.
                if !pair.steps.is_empty() {
                    message.fixed64(event::FLOW_ID, span.number);
                }
            }
            push_arguments(message, names, &plan.arguments, entry);
            push_stack(message, names, entry, &self.finder);
            push_owner(message, names, entry);
        });
    }

    /// Ends a slice. Perfetto supports slices that never end, but a restart must end the slice,
    /// because everything after the restart would otherwise be nested in the slice.
    fn end_span(&mut self, entry: &Entry<'_>, span: &SpanId, tracks: &[Track], is_restart: bool) {
        let Some(open) = self.lanes.end(span, entry.timestamp_ns) else { return };
        let Some(uuid) = self.lane(span, open.lane, tracks) else { return };
        let end_ns = entry.timestamp_ns.max(open.begin_ns);
        self.out.write_event(EventType::SliceEnd, end_ns, uuid, |message, names| {
            if is_restart {
                push_value(message, names.argument("restarted"), TypedValue::Bool(true));
            } else {
                push_end(message, names, entry, open.begin_ns, &self.finder);
            }
        });
    }

    /// Begins a slice on the track of a tree or of a thread.
    fn begin_nested(&mut self, entry: &Entry<'_>, span: &SpanId, drawn_on: DrawnOn) {
        let is_tree = drawn_on == DrawnOn::Tree;
        let uuid = if is_tree {
            let stack = self.stacks.begin_in_tree(span, (entry.trace, entry.pid), entry.timestamp_ns);
            self.tracks.tree(stack, entry, &mut self.out)
        } else {
            let thread = (entry.trace, entry.pid, entry.tid());
            let stack = self.stacks.begin_on_thread(span, thread, entry.timestamp_ns);
            let uuid = self.tracks.of(entry, &mut self.out);
            self.tracks.set_stack(stack, uuid);
            uuid
        };
        let Some(pair) = self.description.pairs.get(span.pair) else { return };
        let Some(Some(plan)) = self.plans.get(entry.schema_index as usize) else { return };
        self.out.write_event(EventType::SliceBegin, entry.timestamp_ns, uuid, |message, names| {
            message
                .uint(event::NAME_ID, names.event(pair.name.strip_suffix(" (busy)").unwrap_or(&pair.name)));
            message.uint(event::CATEGORY_ID, names.category(&pair.name));
            push_arguments(message, names, &plan.arguments, entry);
            push_stack(message, names, entry, &self.finder);
            if is_tree {
                push_owner(message, names, entry);
            }
        });
    }

    fn end_nested(&mut self, entry: &Entry<'_>, span: &SpanId, is_restart: bool) {
        let Some(ended) = self.stacks.end(span, entry.timestamp_ns) else { return };
        let Some(uuid) = self.tracks.of_stack(ended.stack) else { return };
        for _ in 0..ended.lost {
            self.out.write_event(EventType::SliceEnd, ended.end_ns, uuid, |message, names| {
                push_value(message, names.argument("end_lost"), TypedValue::Bool(true));
            });
        }
        self.out.write_event(EventType::SliceEnd, ended.end_ns, uuid, |message, names| {
            if is_restart {
                push_value(message, names.argument("restarted"), TypedValue::Bool(true));
            } else {
                push_end(message, names, entry, ended.slice.begin_ns, &self.finder);
            }
        });
    }

    fn step_nested(&mut self, entry: &Entry<'_>, span: &SpanId) {
        let Some(uuid) = self.stacks.of(span).and_then(|stack| self.tracks.of_stack(stack)) else { return };
        let Some(Some(plan)) = self.plans.get(entry.schema_index as usize) else { return };
        self.out.write_event(EventType::Instant, entry.timestamp_ns, uuid, |message, names| {
            message.uint(event::NAME_ID, plan.name);
            push_arguments(message, names, &plan.arguments, entry);
            push_stack(message, names, entry, &self.finder);
            push_owner(message, names, entry);
        });
    }

    fn step(&mut self, entry: &Entry<'_>, span: &SpanId, tracks: &[Track]) {
        let Some(lane) = self.lanes.of(span) else { return };
        let Some(uuid) = self.lane(span, lane, tracks) else { return };
        let Some(Some(plan)) = self.plans.get(entry.schema_index as usize) else { return };
        let pair = self.description.pairs.get(span.pair).map_or("", |pair| &pair.name);
        self.out.write_event(EventType::Instant, entry.timestamp_ns, uuid, |message, names| {
            message.uint(event::NAME_ID, plan.name);
            message.uint(event::CATEGORY_ID, names.category(&format!("{pair} step")));
            message.fixed64(event::FLOW_ID, span.number);
            push_arguments(message, names, &plan.arguments, entry);
            push_stack(message, names, entry, &self.finder);
            push_owner(message, names, entry);
        });
    }

    fn count(&mut self, entry: &Entry<'_>, track: u32, value: i128, tracks: &[Track]) {
        let Some(name) = tracks.get(track as usize).map(|track| &track.name) else { return };
        let uuid = self.tracks.counter(track, name, &mut self.out);
        self.out.write_event(EventType::Counter, entry.timestamp_ns, uuid, |message, _| match i64::try_from(
            value,
        ) {
            Ok(value) => message.int(event::COUNTER_VALUE, value),
            Err(_) => message.double(event::DOUBLE_COUNTER_VALUE, value as f64),
        });
    }

    fn lane(&mut self, span: &SpanId, lane: usize, tracks: &[Track]) -> Option<Uuid> {
        let track = tracks.get(span.track as usize)?;
        let pair = self.description.pairs.get(span.pair)?;
        Some(self.tracks.lane(span.track, lane, track, &pair.name, &mut self.out))
    }
}
