//! A group of entries and its counts.

use std::fmt;

use ringtrace_events::Text;

use super::{Numbers, Sketch};
use crate::entry::key::Key;

/// The property that the entries of a group share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Label {
    /// The group of all entries.
    All,
    /// The name of an event.
    Event(Text),
    /// A process. The same id in another trace is another process.
    Pid {
        /// The number of the trace.
        trace: u32,
        /// The id of the process.
        pid: u32,
    },
    /// A thread.
    Tid {
        /// The number of the trace.
        trace: u32,
        /// The id of the thread.
        tid: u32,
    },
    /// The name of a trace's threads.
    Thread {
        /// The number of the trace.
        trace: u32,
        /// The name of the threads.
        name: Box<str>,
    },
    /// The name of a machine.
    Host(Box<str>),
    /// The number of a trace.
    Trace(u32),
    /// A value of the selected argument.
    Value(Key),
    /// All entries beyond the limit on the number of groups.
    Other,
}

impl Label {
    /// Returns the number of the trace to which the entries belong, if all of them belong to one.
    pub fn trace(&self) -> Option<u32> {
        match *self {
            Label::Pid { trace, .. } | Label::Tid { trace, .. } | Label::Thread { trace, .. } => Some(trace),
            Label::Trace(trace) => Some(trace),
            Label::All | Label::Event(_) | Label::Host(_) | Label::Value(_) | Label::Other => None,
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Label::All => f.write_str("(all)"),
            Label::Event(name) => write!(f, "{name}"),
            Label::Pid { pid: number, .. } | Label::Tid { tid: number, .. } => write!(f, "{number}"),
            Label::Thread { name, .. } | Label::Host(name) => f.write_str(name),
            Label::Trace(number) => write!(f, "{}", number + 1),
            Label::Value(key) => write!(f, "{key}"),
            Label::Other => f.write_str("(other)"),
        }
    }
}

/// The number, times and gaps of a group's entries, and the values of their measured arguments.
#[derive(Debug, Clone)]
pub struct Group {
    label: Label,
    count: u64,
    first_ns: u64,
    /// The smallest time so far, and the largest time before the last step backward.
    smallest_ns: u64,
    largest_ns: u64,
    previous_ns: u64,
    gaps: Sketch,
    steps_back: u64,
    largest_step_back_ns: u64,
    pub(super) numbers: Box<[Numbers]>,
}

impl Group {
    pub(super) fn new(label: Label, measured: usize) -> Group {
        Group {
            label,
            count: 0,
            first_ns: 0,
            smallest_ns: u64::MAX,
            largest_ns: 0,
            previous_ns: 0,
            gaps: Sketch::default(),
            steps_back: 0,
            largest_step_back_ns: 0,
            numbers: vec![Numbers::default(); measured].into(),
        }
    }

    #[inline]
    pub(super) fn add(&mut self, timestamp_ns: u64) {
        let (previous_ns, count) = (self.previous_ns, self.count);
        self.count += 1;
        self.previous_ns = timestamp_ns;
        // All calls that are not inlined are at the end.
        match timestamp_ns.checked_sub(previous_ns) {
            _ if count == 0 => self.begin(timestamp_ns),
            Some(gap_ns) => self.gaps.add(gap_ns),
            None => self.step_back(previous_ns, timestamp_ns),
        }
    }

    #[cold]
    #[inline(never)]
    fn begin(&mut self, timestamp_ns: u64) {
        (self.first_ns, self.smallest_ns) = (timestamp_ns, timestamp_ns);
    }

    /// Adds the entries of `later`, which follow those of this group, except their measured arguments.
    pub(super) fn append(&mut self, later: &Group) {
        if later.count == 0 {
            return;
        }
        self.add(later.first_ns);
        self.count += later.count - 1;
        self.previous_ns = later.previous_ns;
        self.smallest_ns = self.smallest_ns.min(later.smallest_ns);
        self.largest_ns = self.largest_ns.max(later.largest_ns);
        self.gaps.merge(&later.gaps);
        self.steps_back += later.steps_back;
        self.largest_step_back_ns = self.largest_step_back_ns.max(later.largest_step_back_ns);
    }

    /// Removes all entries, but keeps the memory.
    pub(super) fn restart(&mut self, label: Label) {
        let (mut gaps, numbers) = (std::mem::take(&mut self.gaps), std::mem::take(&mut self.numbers));
        gaps.clear();
        *self = Group { gaps, numbers, ..Group::new(label, 0) };
        self.numbers.fill(Numbers::default());
    }

    #[cold]
    #[inline(never)]
    fn step_back(&mut self, previous_ns: u64, timestamp_ns: u64) {
        self.steps_back += 1;
        self.largest_step_back_ns = self.largest_step_back_ns.max(previous_ns - timestamp_ns);
        self.largest_ns = self.largest_ns.max(previous_ns);
        self.smallest_ns = self.smallest_ns.min(timestamp_ns);
    }

    /// Returns the property that the entries share.
    pub fn label(&self) -> &Label {
        &self.label
    }

    /// Returns the number of entries.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the smallest and the largest time, in nanoseconds of the trace's clock. Returns
    /// `None` for an empty group.
    pub fn times_ns(&self) -> Option<(u64, u64)> {
        (self.count > 0).then(|| (self.smallest_ns, self.largest_ns.max(self.previous_ns)))
    }

    /// Returns the nanoseconds from the smallest to the largest time.
    pub fn span_ns(&self) -> u64 {
        self.times_ns().map_or(0, |(smallest_ns, largest_ns)| largest_ns - smallest_ns)
    }

    /// Returns the nanoseconds from each entry to the next one, excluding steps backward.
    pub fn gaps(&self) -> &Sketch {
        &self.gaps
    }

    /// Returns how often an entry was earlier than its predecessor.
    pub fn steps_back(&self) -> u64 {
        self.steps_back
    }

    /// Returns the largest step backward, in nanoseconds.
    pub fn largest_step_back_ns(&self) -> u64 {
        self.largest_step_back_ns
    }

    /// Returns the values of each argument that [`Statistics::measuring`](super::Statistics)
    /// selects.
    pub fn numbers(&self) -> &[Numbers] {
        &self.numbers
    }
}
