//! The status of recording: counts per event and per thread, fill levels of the rings, and errors
//! of the trace file.
//!
//! All values are counts that the writer thread and the probes maintain anyway. Reading them costs
//! the probes nothing, and takes no lock that a probe could need.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use ringtrace_wire::arena::FullPolicy;

pub use super::buffered::{Buffered, buffered};
use super::info::info;
use crate::clock;
use crate::event::{EventState, counts, registry};
use crate::options::{Backends, Clock, FileFormat, Pattern, Policy, Settings};
use crate::ring::recording::{Recording, current};
use crate::ring::slot::{FREE, Slot};
use crate::ring::{consumer, flight, ownership};

/// The status of recording.
#[derive(Debug, Clone)]
pub struct Status {
    /// The absolute path of the trace file, or `None` if tracing was not started.
    pub file: Option<PathBuf>,
    /// Whether events are being recorded to the trace file.
    pub recording: bool,
    /// How long recording has been off, or `None` if it is on or was never on.
    pub paused_ns: Option<u64>,
    /// The backends that receive events.
    pub backends: Backends,
    /// The behaviour when a ring is full.
    pub policy: Policy,
    /// The format of the trace file.
    pub format: FileFormat,
    /// The source of timestamps.
    pub clock: Clock,
    /// The size of each thread's ring.
    pub buffer_bytes: u64,
    /// The time of this status, on CLOCK_MONOTONIC.
    pub time_ns: u64,
    /// The number of bytes written to the trace file.
    pub written_bytes: u64,
    /// The number of bytes that would have been written without compression.
    pub uncompressed_bytes: u64,
    /// The number of records in trace files since tracing was started, or for a flight recorder,
    /// the number of records in its rings.
    pub recorded: u64,
    /// The number of records dropped because there was no space or because they were refused.
    pub dropped: u64,
    /// The number of records that newer ones have overwritten in a flight recorder.
    pub overwritten: u64,
    /// The current error of the trace file.
    pub file_error: Option<String>,
    /// The rings of running threads.
    pub rings: Vec<RingLevel>,
}

/// The fill level of a thread's ring.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RingLevel {
    /// The thread id.
    pub tid: u32,
    /// The thread's name.
    pub name: String,
    /// The number of bytes not written to the file yet.
    pub used_bytes: u64,
    /// The size of the ring.
    pub size_bytes: u64,
    /// The number of records that this thread has dropped.
    pub dropped: u64,
}

/// The counts of an event. This is a copy, because the event's library may be unloaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventCounts {
    /// The event's name.
    pub name: String,
    /// The group that declares the event.
    pub group: String,
    /// The id in the event's records.
    pub id: u32,
    /// The state of the event.
    pub state: EventState,
    /// The number of the event's records in trace files, or `None` if it is unknown, as for a
    /// flight recorder.
    pub recorded: Option<u64>,
    /// The number of the event's records dropped because there was no space or because they were
    /// refused.
    pub dropped: u64,
}

/// Values whose changes are reported to clients in notices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// The number of dropped records since tracing was started.
    pub dropped: u64,
    /// The current error of the trace file.
    pub file_error: Option<FileError>,
}

/// An error of the trace file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    /// The number of the error. Newer errors have greater numbers.
    pub number: u64,
    /// The trace file.
    pub file: PathBuf,
    /// Description of the error.
    pub error: String,
}

/// Returns the status of recording. Never blocks, and may be called at any time except in a signal
/// handler.
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
        format: started.as_ref().map_or(defaults.format, |started| started.format),
        clock: started.as_ref().map_or(defaults.clock, |started| started.clock),
        buffer_bytes: started.as_ref().map_or(0, |started| started.buffer_bytes),
        time_ns,
        written_bytes: recording.map_or(0, Recording::written_bytes),
        uncompressed_bytes: recording.map_or(0, Recording::uncompressed_bytes),
        recorded: flight.map_or(recorded, |[held, _]| held),
        dropped,
        overwritten: flight.map_or(0, |[_, overwritten]| overwritten),
        file_error: recording.and_then(Recording::failure).map(|(_, error)| error),
        rings: recording.map_or_else(Vec::new, rings),
        file: started.and_then(|started| started.file),
    }
}

/// Returns the counts of the events that a pattern selects, including `disable`d ones. They are
/// sorted by group, then by order of declaration.
pub fn event_counts(pattern: &Pattern) -> Vec<EventCounts> {
    // This works without a session, too: the session may have ended, or this is a forked child that
    // has recorded nothing.
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

/// Returns the values for notices. This is cheap enough to be called every second.
pub fn observe() -> Observed {
    let recording = current();
    let file_error = recording.and_then(|recording| {
        let (number, error) = recording.failure()?;
        Some(FileError { number, file: recording.trace_path(), error })
    });
    let [_, dropped] = counts::totals();
    Observed { dropped, file_error }
}

/// Returns how many records a flight recorder's rings contain, and how many have been overwritten.
fn overwritten(recording: &Recording) -> [u64; 2] {
    let counts = slots(recording).map(|slot| {
        // Read the counts in this order, so that a record overwritten meanwhile is not counted as
        // present.
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
