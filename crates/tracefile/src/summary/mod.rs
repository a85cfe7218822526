//! Summaries of traces: event counts, time range, losses and damage.
//!
//! A summary walks over the records by their length fields and needs no declarations. It continues
//! at points where a reader that decodes every record has to stop. It ends only where the length of
//! a record is unknown.

mod count;
mod outline;
mod summarize;
#[cfg(test)]
mod tests;
mod walk;

use crate::entry::Causes;
use crate::error::{Anomalies, Error};
use crate::metadata::{Lost, Total};

pub use count::{Count, MAX_LARGE_IDS};
pub use outline::OUTLINE_BYTES;

/// The maximum number of dropped records that are stored individually. Further ones are only
/// counted.
pub const MAX_DROPPED_KEPT: usize = 1000;

/// The maximum number of processes that are counted separately.
pub const MAX_PIDS: usize = 1 << 16;

/// The summary of a trace.
#[derive(Debug, Clone)]
pub struct Summary {
    /// The number of events and dropped records.
    pub records: u64,
    /// The number of bytes read, excluding truncated and skipped records.
    pub read_bytes: u64,
    /// The mapping records.
    pub mappings: Count,
    /// The time range of all records; `None` if there are none.
    pub span: Option<Span>,
    /// Records whose time is earlier than the previous record's.
    pub backwards: Backwards,
    /// The lost events.
    pub dropped: Dropped,
    /// All events, sorted by number of records, the largest first. Includes mapped events without
    /// records.
    pub events: Vec<EventCount>,
    /// Records with unnamed ids beyond the limit of [`MAX_LARGE_IDS`].
    pub other_ids: Count,
    /// All processes, sorted by number of records, the largest first. Empty in versions without a
    /// process id.
    pub processes: Vec<Process>,
    /// The number of records of processes beyond the limit of [`MAX_PIDS`].
    pub other_processes: u64,
    /// All threads, sorted by number of records, the largest first. Empty except in ringtrace's own
    /// traces.
    pub threads: Vec<Thread>,
    /// Whether the program ended the trace. If not, it was killed or is still running. `None`
    /// unless a program recorded the trace with ringtrace.
    pub ended: Option<bool>,
    /// The number of records compared with their declarations; `None` without `check`.
    pub checked: Option<u64>,
    /// The anomalies that did not end the walk.
    pub anomalies: Anomalies,
    /// The error that ended the walk early.
    pub failed: Option<Error>,
    /// The blocks that were not read, if this is the [outline](crate::Reader::outline) of a trace.
    pub unread: Option<Unread>,
}

/// Blocks of a compact trace of which only the headers were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unread {
    /// The number of these blocks.
    pub blocks: u64,
    /// The number of all blocks.
    pub of: u64,
}

/// The position of a record in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordPosition {
    /// The number of the record, from 1.
    pub record: u64,
    /// The offset in the file, in bytes.
    pub offset: u64,
}

/// A range of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The smallest time, in nanoseconds of the recording machine's clock.
    pub smallest_ns: u64,
    /// The largest time, in nanoseconds.
    pub largest_ns: u64,
}

impl Span {
    /// Returns the duration, in nanoseconds.
    pub fn duration_ns(&self) -> u64 {
        self.largest_ns - self.smallest_ns
    }
}

/// Records whose time is earlier than the previous record's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Backwards {
    /// The number of such records.
    pub records: u64,
    /// The number of such records directly after a dropped record. A dropped record contains the
    /// time at which it was written, which can be later than the events that follow it.
    pub after_dropped: u64,
    /// The largest step backward, in nanoseconds.
    pub largest_ns: u64,
    /// The position of the first such record.
    pub first: Option<RecordPosition>,
}

impl Backwards {
    fn add(&mut self, step_ns: u64, after_dropped: bool, place: RecordPosition) {
        self.records += 1;
        self.after_dropped += u64::from(after_dropped);
        self.largest_ns = self.largest_ns.max(step_ns);
        self.first.get_or_insert(place);
    }
}

/// The lost events of a trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dropped {
    /// The number of dropped records.
    pub records: u64,
    /// The size of the dropped records, in bytes.
    pub bytes: u64,
    /// The number of lost events, excluding impossible counts.
    pub events: u64,
    /// The lost events by cause.
    pub causes: Causes,
    /// The first [`MAX_DROPPED_KEPT`] dropped records.
    pub kept: Vec<DroppedRecord>,
    last_record: u64,
}

impl Dropped {
    /// Returns whether events were lost.
    pub fn has_any(&self) -> bool {
        self.records > 0 || self.events > 0
    }
}

/// A dropped record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DroppedRecord {
    /// The position of the record.
    pub place: RecordPosition,
    /// The time at which it was written; `None` in v0.
    pub timestamp_ns: Option<u64>,
    /// The time of the previous record.
    pub after_ns: Option<u64>,
    /// The number of lost events according to the record.
    pub events: u64,
    /// Whether this number is possible. Some writers miscounted.
    pub possible: bool,
    /// The thread and the cause, if the trace contains them.
    pub lost: Option<Lost>,
}

/// The name of an event, or its id if it has none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventName {
    /// A name.
    Name(Box<str>),
    /// An id without a name.
    Id(u64),
}

/// The records of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventCount {
    /// The event.
    pub name: EventName,
    /// Whether the event's arguments are known, from the user's declarations or from the trace.
    pub declared: bool,
    /// The number and size of the records.
    pub count: Count,
}

/// The records of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Process {
    /// The process id.
    pub pid: u32,
    /// The number of records.
    pub records: u64,
}

/// The records of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// The thread id; 0 for lost events of unknown threads.
    pub tid: u32,
    /// The thread's name, if the trace contains it.
    pub name: Option<String>,
    /// The number of records.
    pub records: u64,
    /// The lost events, according to dropped records.
    pub lost: Causes,
    /// The totals that the program wrote at the end.
    pub total: Option<Total>,
}

impl Thread {
    /// Returns whether the program wrote the totals after the thread's last record.
    fn has_ended(&self) -> bool {
        self.tid == 0 || self.total.is_some_and(|total| total.recorded >= self.records)
    }

    /// Returns whether the totals match the trace.
    pub fn matches_total(&self) -> bool {
        let Some(total) = self.total else { return true };
        let stated =
            Causes { dropped: total.dropped, overwritten: total.overwritten, refused: total.refused };
        let sum = [total.recorded, total.dropped, total.overwritten, total.refused];
        let sum: u128 = sum.into_iter().map(u128::from).sum();
        (total.recorded, stated, u128::from(total.issued)) == (self.records, self.lost, sum)
    }
}

impl Summary {
    /// Returns the events that have records, sorted by number of records, the largest first.
    pub fn occurred(&self) -> impl Iterator<Item = &EventCount> {
        self.events.iter().filter(|event| event.count.records > 0)
    }

    /// Returns the names of mapped events without records.
    pub fn never_occurred(&self) -> impl Iterator<Item = &str> {
        self.events.iter().filter_map(|event| match &event.name {
            EventName::Name(name) if event.count.records == 0 => Some(&**name),
            _ => None,
        })
    }

    /// Returns whether the file is damaged.
    pub fn is_damaged(&self) -> bool {
        self.failed.is_some() || self.anomalies.iter().any(|(anomaly, ..)| anomaly.is_damage())
    }
}
