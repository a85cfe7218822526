//! Synthetic records, which represent spans, counters and pauses in formats that contain only
//! records. A synthetic record follows the record to which it refers.

use ringtrace_tracefile::Pause;
use ringtrace_tracefile::pair::{Description, SpanEvent, SpanId, Track};

use super::span_rows::{counter_name, pair_name, track_name};
use super::value::TypedValue;
use crate::exporter::TraceEnd;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SyntheticRecord<'a> {
    pub(crate) name: &'static str,
    pub(crate) values: Vec<(&'static str, TypedValue<'a>)>,
}

impl<'a> SyntheticRecord<'a> {
    /// Returns the synthetic record for `span_event`, which belongs to a record at `time_ns`.
    pub(crate) fn of_span_event(
        span_event: &SpanEvent<'_>,
        time_ns: u64,
        description: &'a Description,
        tracks: &'a [Track],
    ) -> SyntheticRecord<'a> {
        let track = |track: u32| TypedValue::Text(track_name(tracks, track).as_bytes());
        let of_span = |name, span: SpanId, more: &[(&'static str, u64)]| {
            let pair = pair_name(description, span);
            let mut values = vec![
                ("pair", TypedValue::Text(pair.as_bytes())),
                ("span", TypedValue::Unsigned(span.number)),
                ("track", track(span.track)),
            ];
            values.extend(more.iter().map(|(name, number)| (*name, TypedValue::Unsigned(*number))));
            SyntheticRecord { name, values }
        };
        match span_event {
            SpanEvent::Begin(span) => of_span("span_begin", *span, &[]),
            SpanEvent::Step(span) => of_span("span_step", *span, &[]),
            SpanEvent::End { span, begin } => {
                let begin_ns = begin.timestamp_ns;
                let latency_ns = time_ns.saturating_sub(begin_ns);
                of_span("span_end", *span, &[("begin_ns", begin_ns), ("latency_ns", latency_ns)])
            }
            SpanEvent::Restarted { span, begin } => {
                of_span("span_restarted", *span, &[("begin_ns", begin.timestamp_ns)])
            }
            SpanEvent::Counter { counter, track: index, value } => {
                let name = counter_name(description, *counter);
                // An argument's value fits in an `i64` or a `u64`.
                let value = match i64::try_from(*value) {
                    Ok(value) => TypedValue::Signed(value),
                    Err(_) => TypedValue::Unsigned(*value as u64),
                };
                let counter = TypedValue::Text(name.as_bytes());
                let values = vec![("counter", counter), ("track", track(*index)), ("value", value)];
                SyntheticRecord { name: "counter", values }
            }
        }
    }

    /// Returns the synthetic records that are known only at the end, in order of time. Pauses have
    /// their own times; spans that never ended are at `last_ns`.
    pub(crate) fn of_end(
        end: &TraceEnd<'_>,
        last_ns: u64,
        description: &'a Description,
    ) -> Vec<(u64, SyntheticRecord<'a>)> {
        let mut records = Vec::new();
        for &Pause { from_ns, to_ns, .. } in end.pauses {
            records.extend(
                from_ns.map(|time_ns| (time_ns, SyntheticRecord { name: "paused", values: Vec::new() })),
            );
            let duration_ns = from_ns.zip(to_ns).map(|(from_ns, to_ns)| to_ns.saturating_sub(from_ns));
            let values = duration_ns.map(|duration_ns| ("duration_ns", TypedValue::Unsigned(duration_ns)));
            records.extend(to_ns.map(|time_ns| {
                (time_ns, SyntheticRecord { name: "resumed", values: Vec::from_iter(values) })
            }));
        }
        for (pair, &count) in description.pairs.iter().zip(end.open).filter(|(_, count)| **count > 0) {
            let values = vec![
                ("pair", TypedValue::Text(pair.name.as_bytes())),
                ("count", TypedValue::Unsigned(count)),
            ];
            records.push((last_ns, SyntheticRecord { name: "spans_without_end", values }));
        }
        records.sort_by_key(|(time_ns, _)| *time_ns);
        records
    }
}
