//! Gaps in the trace: dropped events, and times when recording was off.

use ringtrace_tracefile::{Entry, Pause};

use super::Perfetto;
use super::field::event;
use super::packets::EventType;
use super::values::{push_arguments, push_owner, push_value};
use crate::shared::losses;
use crate::shared::value::TypedValue;

const DROPPED_TRACK: &str = "Dropped events";
const DROPPED_DESCRIPTION: &str = "Events that occurred but are not in the trace.";

const PAUSES_TRACK: &str = "Recording off";
const PAUSES_DESCRIPTION: &str =
    "Times when recording was off. Events that occurred then are not in the trace.";

impl Perfetto {
    /// Writes a dropped record. Its event must have a plan.
    pub(super) fn show_dropped(&mut self, entry: &Entry<'_>) {
        let track = self.tracks.standalone(DROPPED_TRACK, 0, DROPPED_DESCRIPTION, &mut self.out);
        let Some(Some(plan)) = self.plans.get(entry.schema_index as usize) else { return };
        let (name, cause) = (losses::label(entry), losses::cause(entry));
        self.out.write_event(
            EventType::Instant,
            losses::time_ns(entry, self.last_ns),
            track,
            |message, names| {
                message.text(event::NAME, &name);
                message.uint(event::CATEGORY_ID, names.category(&entry.schema.name));
                push_arguments(message, names, &plan.arguments, entry);
                let cause = TypedValue::Text(cause.as_bytes());
                push_value(message, names.argument("cause"), cause);
                push_owner(message, names, entry);
            },
        );
    }

    /// Writes the pauses. Pauses of several traces can overlap; they are in separate rows.
    pub(super) fn show_pauses(&mut self, pauses: &[Pause]) {
        for (row, pause) in losses::pause_rows(pauses) {
            self.show_pause(pause, row);
        }
    }

    fn show_pause(&mut self, pause: Pause, row: usize) {
        let track = self.tracks.standalone(PAUSES_TRACK, row, PAUSES_DESCRIPTION, &mut self.out);
        let mut write = |event_type, timestamp_ns, name| {
            self.out.write_event(event_type, timestamp_ns, track, |message, names| {
                message.uint(event::NAME_ID, names.event(name));
            });
        };
        match (pause.from_ns, pause.to_ns) {
            (Some(from_ns), to_ns) => {
                write(EventType::SliceBegin, from_ns, "recording off");
                if let Some(to_ns) = to_ns {
                    write(EventType::SliceEnd, to_ns.max(from_ns), "recording off");
                }
            }
            // A slice needs a start, so write an instant instead.
            (None, Some(to_ns)) => write(EventType::Instant, to_ns, "recording resumed"),
            (None, None) => {}
        }
    }
}
