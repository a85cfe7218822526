//! How recording goes: what was recorded and dropped, by events and threads, how full the rings are, what is wrong with the file.
//!
//! Everything here is read from counts that the writer thread and the probes keep anyway: asking costs them nothing, and no lock is
//! taken that a probe could meet.

use std::path::PathBuf;

use crate::{Backends, Clock, Event, Policy};

/// How recording goes.
#[derive(Debug, Clone)]
pub struct Status {
    /// The trace file, absolute; `None`: tracing was not started.
    pub file: Option<PathBuf>,
    /// Whether events go to it now.
    pub recording: bool,
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
    /// Records that are in trace files, since tracing was started.
    pub recorded: u64,
    /// Records that found no room, or were refused.
    pub dropped: u64,
    /// Why the trace file takes nothing now.
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

/// What became of an event.
#[derive(Debug, Clone, Copy)]
pub struct EventCounts {
    /// The event.
    pub event: &'static Event,
    /// Its records that are in trace files.
    pub recorded: u64,
    /// Its records that found no room, or were refused.
    pub dropped: u64,
}
