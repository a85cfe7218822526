//! What a trace holds, by one walk over it: how much of what, when, what was lost, what is damaged.
//!
//! The walk goes by the lengths of records and needs no declarations. It goes on where a reader that must understand
//! every record has to stop, and ends only where nothing tells how long a record is.

mod count;
mod summarize;
#[cfg(test)]
mod tests;
mod walk;

use crate::entry::Causes;
use crate::error::{Anomalies, Error};
use crate::metadata::{Lost, Total};

pub use count::{Count, MAX_LARGE_IDS};

/// So many dropped records are kept one by one; of further ones only the totals.
pub const MAX_DROPPED_KEPT: usize = 1000;

/// So many processes are told apart.
pub const MAX_PIDS: usize = 1 << 16;

/// What a trace holds.
#[derive(Debug, Clone)]
pub struct Summary {
    /// Events and dropped records.
    pub records: u64,
    /// Bytes from the start of the file to where reading ended, without those of records that are not whole.
    pub read_bytes: u64,
    /// Mapping records.
    pub mappings: Count,
    /// The times of all records; `None` without any.
    pub span: Option<Span>,
    /// How often a record's time was before that of the one before it.
    pub backwards: Backwards,
    /// What was lost.
    pub dropped: Dropped,
    /// All events, those with the most records first; mapped ones that never happened too.
    pub events: Vec<EventCount>,
    /// Records of ids without a name that were too many to be told apart (see [`MAX_LARGE_IDS`]).
    pub other_ids: Count,
    /// All processes, those with the most records first. None in versions that record no pid.
    pub processes: Vec<Process>,
    /// Records of processes that were too many to be told apart (see [`MAX_PIDS`]).
    pub other_processes: u64,
    /// All threads, those with the most records first. Only ringtrace's own traces carry them.
    pub threads: Vec<Thread>,
    /// Whether the program ended the trace: it did not where it was killed, or still runs. Only traces that programs
    /// recorded with ringtrace tell.
    pub ended: Option<bool>,
    /// Records that were compared with their declaration; `None` when that was not asked for.
    pub checked: Option<u64>,
    /// What is wrong, but did not end the walk.
    pub anomalies: Anomalies,
    /// What ended the walk early.
    pub failed: Option<Error>,
}

/// Where a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordPosition {
    /// Its number, from 1.
    pub record: u64,
    /// Bytes from the start of the file.
    pub offset: u64,
}

/// From when to when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The smallest time, in nanoseconds of the recording machine's clock.
    pub smallest_ns: u64,
    /// The largest.
    pub largest_ns: u64,
}

impl Span {
    /// How long.
    pub fn duration_ns(&self) -> u64 {
        self.largest_ns - self.smallest_ns
    }
}

/// Records whose time is before that of the record before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Backwards {
    /// How many.
    pub records: u64,
    /// How many of them come right after a dropped record, which has the time of its writing and comes before older
    /// events.
    pub after_dropped: u64,
    /// The largest step, in nanoseconds.
    pub largest_ns: u64,
    /// The first.
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

/// What was lost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Dropped records.
    pub records: u64,
    /// The bytes they take.
    pub bytes: u64,
    /// The events they tell of, those with an impossible count left out.
    pub events: u64,
    /// The same by cause.
    pub causes: Causes,
    /// The first [`MAX_DROPPED_KEPT`] of them.
    pub kept: Vec<DroppedRecord>,
    /// Number of the last.
    last_record: u64,
}

/// One dropped record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DroppedRecord {
    /// Where it is.
    pub place: RecordPosition,
    /// When it was written; v0 did not say.
    pub timestamp_ns: Option<u64>,
    /// The time of the record before.
    pub after_ns: Option<u64>,
    /// How many events it says were lost.
    pub events: u64,
    /// Whether that can be: some writers miscounted.
    pub possible: bool,
    /// Whose they were and why they are lost, where the trace says it.
    pub lost: Option<Lost>,
}

/// What an event is called.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventName {
    /// Its name.
    Name(Box<str>),
    /// An id that nothing gives a name.
    Id(u64),
}

/// The records of one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventCount {
    /// Which.
    pub name: EventName,
    /// Whether its arguments are known, by the declarations given or the trace's own.
    pub declared: bool,
    /// How many, and their bytes.
    pub count: Count,
}

/// The records of one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Process {
    /// Its id.
    pub pid: u32,
    /// Its records.
    pub records: u64,
}

/// The records of one thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// Its id; 0 where events were lost and nobody knows whose.
    pub tid: u32,
    /// Its name, where the trace says it.
    pub name: Option<String>,
    /// Its records.
    pub records: u64,
    /// What it lost, as dropped records say.
    pub lost: Causes,
    /// What the program says of it at the end.
    pub total: Option<Total>,
}

impl Thread {
    /// Whether the program has said, behind its last record, what it did. What no thread can be told of is ended always.
    fn has_ended(&self) -> bool {
        self.tid == 0 || self.total.is_some_and(|total| total.recorded >= self.records)
    }

    /// Whether what the program says is what the trace holds.
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
    /// The events that have records, those with the most first.
    pub fn occurred(&self) -> impl Iterator<Item = &EventCount> {
        self.events.iter().filter(|event| event.count.records > 0)
    }

    /// The names of mapped events that have none.
    pub fn never_occurred(&self) -> impl Iterator<Item = &str> {
        self.events.iter().filter_map(|event| match &event.name {
            EventName::Name(name) if event.count.records == 0 => Some(&**name),
            _ => None,
        })
    }

    /// Whether there is something wrong with the bytes.
    pub fn is_damaged(&self) -> bool {
        self.failed.is_some() || self.anomalies.iter().any(|(anomaly, ..)| anomaly.is_damage())
    }
}
