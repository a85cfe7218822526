//! What is told beside records, in formats that know records alone: what they mean, and when nothing was recorded. It becomes records of
//! our own, each behind the one that it is about.

use ringtrace_tracefile::Pause;
use ringtrace_tracefile::pair::{Description, SpanEvent, SpanId, Track};

use crate::exporter::End;
use crate::value::Typed;

/// A record of our own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Beside<'a> {
    /// What happened, in words of `docs/vocabulary.md`.
    pub(crate) name: &'static str,
    /// What is told of it.
    pub(crate) values: Vec<(&'static str, Typed<'a>)>,
}

impl<'a> Beside<'a> {
    /// What `meaning`, of a record of `time_ns`, is.
    pub(crate) fn of_meaning(
        meaning: &SpanEvent<'_>,
        time_ns: u64,
        description: &'a Description,
        tracks: &'a [Track],
    ) -> Beside<'a> {
        let track_name =
            |track: u32| Typed::Text(tracks.get(track as usize).map_or("", |track| &track.name).as_bytes());
        let of_span = |name, span: SpanId, more: &[(&'static str, u64)]| {
            let pair = description.pairs.get(span.pair).map_or("", |pair| &pair.name);
            let mut values = vec![
                ("pair", Typed::Text(pair.as_bytes())),
                ("span", Typed::Unsigned(span.number)),
                ("track", track_name(span.track)),
            ];
            values.extend(more.iter().map(|(name, number)| (*name, Typed::Unsigned(*number))));
            Beside { name, values }
        };
        match meaning {
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
            SpanEvent::Counter { counter, track, value } => {
                let name = description.counters.get(*counter).map_or("", |counter| &counter.name);
                // The values of arguments fit the one or the other.
                let value = match i64::try_from(*value) {
                    Ok(value) => Typed::Signed(value),
                    Err(_) => Typed::Unsigned(*value as u64),
                };
                let counter = Typed::Text(name.as_bytes());
                let values = vec![("counter", counter), ("track", track_name(*track)), ("value", value)];
                Beside { name: "counter", values }
            }
        }
    }

    /// What is only known at the end, in order of time: pauses, each when it was, and spans that never ended, at `last_ns`.
    pub(crate) fn of_end(
        end: &End<'_>,
        last_ns: u64,
        description: &'a Description,
    ) -> Vec<(u64, Beside<'a>)> {
        let mut told = Vec::new();
        for &Pause { from_ns, to_ns } in end.pauses {
            told.extend(from_ns.map(|time_ns| (time_ns, Beside { name: "paused", values: Vec::new() })));
            let duration_ns = from_ns.zip(to_ns).map(|(from_ns, to_ns)| to_ns.saturating_sub(from_ns));
            let values = duration_ns.map(|duration_ns| ("duration_ns", Typed::Unsigned(duration_ns)));
            told.extend(
                to_ns.map(|time_ns| (time_ns, Beside { name: "resumed", values: Vec::from_iter(values) })),
            );
        }
        for (pair, &count) in description.pairs.iter().zip(end.open).filter(|(_, count)| **count > 0) {
            let values = vec![("pair", Typed::Text(pair.name.as_bytes())), ("count", Typed::Unsigned(count))];
            told.push((last_ns, Beside { name: "spans_without_end", values }));
        }
        told.sort_by_key(|(time_ns, _)| *time_ns);
        told
    }
}
