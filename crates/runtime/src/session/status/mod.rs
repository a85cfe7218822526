//! How recording goes: what was recorded and dropped, by events and threads, how full the rings are, what is wrong with the file.
//!
//! Everything here is read from counts that the writer thread and the probes keep anyway: asking costs them nothing, and no lock is
//! taken that a probe could meet.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use ringtrace_wire::arena::FullPolicy;

pub use super::buffered::{Buffered, buffered};
use super::info::info;
use crate::clock;
use crate::event::{EventState, counts, registry};
use crate::options::{Backends, Clock, Pattern, Policy, Settings};
use crate::ring::recording::{Recording, current};
use crate::ring::slot::{FREE, Slot};
use crate::ring::{consumer, flight, ownership};

/// How recording goes.
#[derive(Debug, Clone)]
pub struct Status {
    /// The trace file, absolute; `None`: tracing was not started.
    pub file: Option<PathBuf>,
    /// Whether events go to it now.
    pub recording: bool,
    /// How long they have not gone there, though they did before; `None`: they do, or never did.
    pub paused_ns: Option<u64>,
    /// Where events go.
    pub backends: Backends,
    /// What happens when a ring is full.
    pub policy: Policy,
    /// Where timestamps come from.
    pub clock: Clock,
    /// The size of each thread's ring.
    pub buffer_bytes: u64,
    /// When this was counted, by CLOCK_MONOTONIC.
    pub time_ns: u64,
    /// The size of what was written to the trace file.
    pub written_bytes: u64,
    /// Records that are in trace files, since tracing was started; of a flight recorder, those that its rings hold.
    pub recorded: u64,
    /// Records that found no room, or were refused.
    pub dropped: u64,
    /// Records of a flight recorder that made room for newer ones.
    pub overwritten: u64,
    /// What is wrong with the trace file now.
    pub file_error: Option<String>,
    /// The rings of threads that live.
    pub rings: Vec<RingLevel>,
}

/// How full a thread's ring is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RingLevel {
    /// The thread.
    pub tid: u32,
    /// Its name.
    pub name: String,
    /// What waits to be written.
    pub used_bytes: u64,
    /// What it holds.
    pub size_bytes: u64,
    /// Records that this thread dropped.
    pub dropped: u64,
}

/// What became of an event. Copied: the event's library may be unloaded meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventCounts {
    /// The event's name.
    pub name: String,
    /// The group it is declared in.
    pub group: String,
    /// The number in its records.
    pub id: u32,
    /// Whether it is on.
    pub state: EventState,
    /// Its records that are in trace files. `None`: that is not known of a flight recorder's.
    pub recorded: Option<u64>,
    /// Its records that found no room, or were refused.
    pub dropped: u64,
}

/// What clients are told unasked when it changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// Records that found no room, or were refused, since tracing was started.
    pub dropped: u64,
    /// What is wrong with the trace file now.
    pub file_error: Option<FileError>,
}

/// Why a trace file takes nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    /// Each that begins has another number, and they grow.
    pub number: u64,
    /// The trace file.
    pub file: PathBuf,
    /// Why.
    pub error: String,
}

/// How recording goes now. Waits for nobody, and may be called at any time but in a signal handler.
pub fn status() -> Status {
    let recording = current();
    let backends = registry::backends();
    let started = info().started;
    let defaults = Settings::default();
    let time_ns = clock::monotonic_ns();
    let paused_since_ns = started.as_ref().and_then(|started| started.paused_since_ns);
    let paused_ns = paused_since_ns.map(|since_ns| time_ns.saturating_sub(since_ns));
    let [recorded, dropped] = counts::totals();
    let flight = recording.filter(|recording| recording.full == FullPolicy::Overwrite).map(overwritten);
    Status {
        recording: backends.contains(Backends::SIMPLE),
        paused_ns,
        backends,
        policy: started.as_ref().map_or(defaults.policy, |started| started.policy),
        clock: started.as_ref().map_or(defaults.clock, |started| started.clock),
        buffer_bytes: started.as_ref().map_or(0, |started| started.buffer_bytes),
        time_ns,
        written_bytes: recording.map_or(0, Recording::written_bytes),
        recorded: flight.map_or(recorded, |[held, _]| held),
        dropped,
        overwritten: flight.map_or(0, |[_, overwritten]| overwritten),
        file_error: recording.and_then(Recording::failure).map(|(_, error)| error),
        rings: recording.map_or_else(Vec::new, rings),
        file: started.and_then(|started| started.file),
    }
}

/// What became of the events that a pattern means, also of those that are `disable`d, by groups, in order of declaration.
pub fn event_counts(pattern: &Pattern) -> Vec<EventCounts> {
    // Also while there is no session: it has ended, or this is a child of a fork that has recorded nothing.
    let is_flight = info().counted == Policy::Overwrite;
    registry::map_events(pattern, |event| {
        let row = counts::row(event.id());
        EventCounts {
            name: event.name().to_owned(),
            group: event.declaration().group.to_owned(),
            id: event.id(),
            state: event.state(),
            recorded: (!is_flight).then(|| row.map_or(0, counts::Row::recorded)),
            dropped: row.map_or(0, counts::Row::dropped),
        }
    })
}

/// What clients are to be told of when it changes. Cheap: to be asked each second.
pub fn observe() -> Observed {
    let recording = current();
    let file_error = recording.and_then(|recording| {
        let (number, error) = recording.failure()?;
        Some(FileError { number, file: recording.trace_path().to_owned(), error })
    });
    let [_, dropped] = counts::totals();
    Observed { dropped, file_error }
}

/// What a flight recorder's rings hold and what was overwritten in them.
fn overwritten(recording: &Recording) -> [u64; 2] {
    let counts = slots(recording).map(|slot| {
        // In this order: what is overwritten meanwhile is not taken for something that the ring holds.
        let issued = flight::issued_so_far(&slot);
        let overwritten = slot.overwritten().load(Ordering::Relaxed);
        [issued.saturating_sub(overwritten), overwritten]
    });
    counts.fold([0; 2], |sum, one| [sum[0] + one[0], sum[1] + one[1]])
}

fn slots(recording: &Recording) -> impl Iterator<Item = Slot> {
    recording.arenas().flat_map(|arena| (0..arena.header.slots as usize).map(|index| arena.slot(index)))
}

fn rings(recording: &Recording) -> Vec<RingLevel> {
    slots(recording)
        .filter(|slot| ownership::state(slot) != FREE)
        .map(|slot| level(recording, &slot))
        .collect()
}

fn level(recording: &Recording, slot: &Slot) -> RingLevel {
    let used = match recording.full {
        FullPolicy::Overwrite => flight::held_bytes(slot),
        _ => consumer::readable_bytes(slot, slot.consumed().load(Ordering::Relaxed)) as u64,
    };
    RingLevel {
        tid: slot.tid().load(Ordering::Relaxed),
        name: String::from_utf8_lossy(&slot.name()).into_owned(),
        used_bytes: used,
        size_bytes: slot.ring_bytes().into(),
        dropped: slot.dropped().load(Ordering::Relaxed).saturating_sub(slot.dropped_before()),
    }
}

#[cfg(test)]
mod tests;
