//! What is not in the trace: events that were dropped, and times at which nothing was recorded.

use ringtrace_tracefile::metadata::Cause;
use ringtrace_tracefile::{Entry, Pause};

use ringtrace_wire::simpletrace::Version;

use super::Perfetto;
use super::field::event;
use super::names::Kind;
use super::packets::Happening;
use super::values::{push_arguments, push_origin, push_value};
use crate::value::Typed;

const DROPPED_TRACK: &str = "Dropped events";
const DROPPED_MEANS: &str = "Events that happened and are not in the trace.";

const PAUSES_TRACK: &str = "Recording off";
const PAUSES_MEAN: &str =
    "Times at which recording was switched off: what happened then is not in the trace.";

impl Perfetto {
    /// Tells of a dropped record, whose schema was planned.
    pub(super) fn show_dropped(&mut self, entry: &Entry<'_>) {
        let track = self.tracks.apart(DROPPED_TRACK, 0, DROPPED_MEANS, &mut self.out);
        let Some(Some(plan)) = self.plans.get(entry.schema_index as usize) else { return };
        let cause = entry.lost.map_or(Cause::Dropped, |lost| lost.cause).word();
        let name = match entry.dropped() {
            Some(count) => format!("{count} {cause}"),
            None => format!("some {cause}"),
        };
        // v0 wrote no time into dropped records: they were where they stand. It has no fast lane.
        let is_timeless = entry.version == Version::V0 && entry.timestamp_ns == 0;
        self.out.write_event(
            Happening::Instant,
            if is_timeless { self.last_ns } else { entry.timestamp_ns },
            track,
            &mut self.names,
            |message, names| {
                message.text(event::NAME, &name);
                message.uint(event::CATEGORY_ID, names.number(Kind::Category, &entry.schema.name));
                push_arguments(message, names, &plan.arguments, entry);
                let cause = Typed::Text(cause.as_bytes());
                push_value(message, names.number(Kind::ArgumentName, "cause"), cause);
                push_origin(message, names, entry);
            },
        );
    }

    /// Tells when recording was off. Pauses of several traces can overlap: those stand in rows.
    pub(super) fn show_pauses(&mut self, pauses: &[Pause]) {
        let mut pauses = pauses.to_vec();
        pauses.sort_by_key(|pause| (pause.from_ns.or(pause.to_ns), pause.to_ns));
        // When each row is free again.
        let mut rows: Vec<u64> = Vec::new();
        for pause in pauses {
            let Some(first_ns) = pause.from_ns.or(pause.to_ns) else { continue };
            let row = rows.iter().position(|&free_ns| free_ns <= first_ns).unwrap_or(rows.len());
            if row == rows.len() {
                rows.push(0);
            }
            rows[row] = pause.to_ns.map_or(u64::MAX, |to_ns| to_ns.max(first_ns));
            self.show_pause(pause, row);
        }
    }

    fn show_pause(&mut self, pause: Pause, row: usize) {
        let track = self.tracks.apart(PAUSES_TRACK, row, PAUSES_MEAN, &mut self.out);
        let mut write = |happening, timestamp_ns, name| {
            self.out.write_event(happening, timestamp_ns, track, &mut self.names, |message, names| {
                message.uint(event::NAME_ID, names.number(Kind::EventName, name));
            });
        };
        match (pause.from_ns, pause.to_ns) {
            (Some(from_ns), to_ns) => {
                write(Happening::SliceBegin, from_ns, "recording off");
                if let Some(to_ns) = to_ns {
                    write(Happening::SliceEnd, to_ns.max(from_ns), "recording off");
                }
            }
            // When it was switched off is not known: no slice can say that.
            (None, Some(to_ns)) => write(Happening::Instant, to_ns, "recording on again"),
            (None, None) => {}
        }
    }
}
