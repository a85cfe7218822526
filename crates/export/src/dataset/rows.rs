//! Selected rows of a dataset, in the order of their times.

use std::fmt;
use std::io;

/// The rows of a dataset that are read: those of a machine, of a date or of a trace. Nothing selected
/// means all rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// The name of the machine; `unknown` if the trace does not contain it.
    pub host: Option<String>,
    /// The date in UTC, as in `2026-11-23`, or `unknown`.
    pub date: Option<String>,
    /// The id of the trace.
    pub trace: Option<String>,
}

/// Conditions on the rows that are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowFilter {
    /// Patterns of event names. Empty selects all events.
    pub include: Vec<String>,
    /// Patterns of event names to exclude. They override `include`.
    pub exclude: Vec<String>,
    /// Process ids. Empty selects all processes.
    pub pids: Vec<u32>,
    /// Thread ids. Empty selects all threads.
    pub tids: Vec<u32>,
    /// The earliest time, on the clock of the traces.
    pub since_ns: Option<u64>,
    /// The latest time, inclusive.
    pub until_ns: Option<u64>,
}

impl RowFilter {
    /// Returns whether the filter selects all rows.
    pub fn is_everything(&self) -> bool {
        *self == RowFilter::default()
    }
}

/// A row of a dataset. Times are on the clock of the rows. Threads are numbered from 0, by trace, process and thread id; traces, events
/// and pairs are numbered as in the lists of the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatasetRow {
    /// A record of an event.
    Event {
        /// The event.
        event: u32,
        /// The thread.
        thread: u32,
        /// The time.
        ns: u64,
    },
    /// A record which reports lost events.
    Lost {
        /// The trace.
        trace: u32,
        /// The thread that lost them, or the process if the trace does not contain the thread.
        thread: u32,
        /// The time, or 0 if it is unknown.
        ns: u64,
    },
    /// A span that ended. It follows the record of its end.
    Span {
        /// The trace.
        trace: u32,
        /// The pair.
        pair: u32,
        /// The thread of the record that ended the span.
        thread: u32,
        /// The time at which it began.
        begin_ns: u64,
        /// The time at which it ended.
        end_ns: u64,
    },
}

/// The error that prevents rows from being selected.
#[derive(Debug)]
pub enum SelectError {
    /// A file cannot be read. The message names it.
    Read(io::Error),
    /// The dataset has no such host, date or trace.
    Unknown {
        /// `host`, `date` or `trace`.
        key: &'static str,
        /// The selected value.
        value: String,
        /// The values in the dataset, sorted.
        known: Vec<String>,
    },
    /// Each selected value exists, but no trace has events with all of them.
    Nothing,
    /// Of several traces, this one has no wall-clock time, so they have no common clock.
    NoWallClock {
        /// The id of the trace.
        trace: String,
        /// The number of selected traces.
        traces: usize,
    },
}

impl fmt::Display for SelectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SelectError::Read(error) => error.fmt(f),
            SelectError::Unknown { key, value, .. } => write!(f, "no {key} `{value}`"),
            SelectError::Nothing => write!(f, "no trace with events is selected"),
            SelectError::NoWallClock { trace, traces } => {
                write!(f, "the trace {trace}, one of {traces}, has no wall-clock time")
            }
        }
    }
}

impl std::error::Error for SelectError {}

impl From<io::Error> for SelectError {
    fn from(error: io::Error) -> SelectError {
        SelectError::Read(error)
    }
}
