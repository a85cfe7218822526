//! What a session is started with: plain data.

use std::path::PathBuf;
use std::time::Duration;

use super::Backends;

/// What a session is started with.
///
/// Usually made by [`Options`](crate::Options), which know how people write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Where the simple backend writes. `None`: `trace-PID` in the current directory.
    /// A child of a fork writes to `FILE.PID`, or `trace-PID` beside its parent's.
    pub file: Option<PathBuf>,
    /// The trace file must be in this folder or below, and no link is followed from there on: somebody else has named it. `None`: anywhere.
    pub file_within: Option<PathBuf>,
    /// A file that is there stays as it is: then the trace goes to `FILE.PID`. Else it is truncated.
    pub keeps_existing: bool,
    /// Each trace file that is begun is told in this file, for who started the program: see [`announcement`](crate::announcement).
    pub announce: Option<PathBuf>,
    /// Where the log backend writes; one `%d` in it stands for the process id. `None`: standard error.
    pub log_file: Option<PathBuf>,
    /// The same for the log's file as [`Settings::file_within`] for the trace.
    pub log_file_within: Option<PathBuf>,
    /// What lines of the log backend begin with.
    pub log_line: LogLine,
    /// The log daemon's socket. `None`: `/dev/log`.
    pub syslog_socket: Option<PathBuf>,
    /// The kernel's `trace_marker`, that of an instance for example. `None`: where tracefs is usually mounted.
    pub ftrace_marker: Option<PathBuf>,
    /// Where events go that are enabled.
    pub backends: Backends,
    /// What happens when a ring is full.
    pub policy: Policy,
    /// The size of each thread's ring: a power of two within [`Settings::BUFFER_BYTES`].
    pub buffer_bytes: usize,
    /// How many threads have their rings made at the start, within [`Settings::THREADS`]. More are made when these are used up.
    pub threads: usize,
    /// Where timestamps come from.
    pub clock: Clock,
    /// The signal that asks for a snapshot, in a file beside the trace. `None`: no signal does.
    pub snapshot_signal: Option<i32>,
    /// Where rings are kept while the process lives. `None`: `RINGTRACE_DIR`, else a folder of the user's on tmpfs.
    pub directory: Option<PathBuf>,
}

impl Settings {
    /// The smallest ring and the largest.
    ///
    /// Each page of the smallest flight recorder's ring holds the longest record; places in the largest, and a mark beyond
    /// them, fit 32 bits.
    pub const BUFFER_BYTES: std::ops::RangeInclusive<usize> = 1 << 17..=1 << 29;
    /// The fewest rings at the start and the most.
    pub const THREADS: std::ops::RangeInclusive<usize> = 1..=4096;
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            file: None,
            file_within: None,
            keeps_existing: false,
            announce: None,
            log_file: None,
            log_file_within: None,
            log_line: LogLine::Plain,
            syslog_socket: None,
            ftrace_marker: None,
            backends: Backends::SIMPLE,
            policy: Policy::Discard,
            buffer_bytes: 1 << 20,
            // Together half of the 64 MiB that container engines give to /dev/shm.
            threads: 32,
            clock: Clock::Exact,
            snapshot_signal: None,
            directory: None,
        }
    }
}

/// What lines of the log backend begin with, before the event's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum LogLine {
    /// Nothing.
    #[default]
    Plain,
    /// The time: `2026-11-20T12:54:11.722755Z `, in UTC.
    Time,
    /// Thread and time: `TID@SECONDS.MICROSECONDS:`.
    Thread,
}

/// What happens when a ring is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// The new record is dropped, and counted.
    #[default]
    Discard,
    /// The thread waits until there is room.
    Block {
        /// How long, before the record is dropped and counted. `None`: without end.
        timeout: Option<Duration>,
    },
    /// The oldest records make room, and are counted: a flight recorder.
    Overwrite,
}

/// Where timestamps come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clock {
    /// The processor's counter, calibrated; the kernel's clock where the counter cannot be trusted.
    #[default]
    Exact,
    /// A time that is some milliseconds old at most: nearly free.
    Coarse,
    /// The kernel's clock, asked for each record.
    Gettime,
}
