//! Statistics of events: counts, rates, gaps and values of arguments, grouped by event, process,
//! thread or the value of an argument.
//!
//! The caller passes entries to [`Statistics`] in the order in which they are to be counted.
//! Results are available at any time. Memory use depends on the number of groups, which is limited,
//! and not on the number of entries.

mod doubles;
mod exact;
mod group;
mod grouping;
mod integers;
mod numbers;
mod parts;
mod records;
mod sketch;

use std::fmt;
use std::sync::Arc;

use ringtrace_events::{CType, Text};

use crate::align::Origin;
use crate::entry::{Dropped, Entry, Schema, Value};

pub use doubles::Doubles;
pub use group::{Group, Label};
pub use grouping::{GroupIndex, Grouping};
pub use integers::Integers;
pub use numbers::{Number, Numbers};
pub use sketch::Sketch;

/// The property by which entries are grouped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GroupBy {
    /// The event's name.
    Event,
    /// The process.
    Pid,
    /// The thread, if the trace contains it.
    Tid,
    /// The name of the thread, or its id if it has no name.
    Thread,
    /// The name of the machine, if the trace contains it.
    Host,
    /// The trace.
    Trace,
    /// The value of the argument with this name, in any event.
    Argument(String),
}

impl fmt::Display for GroupBy {
    /// Formats the property as users write it. An argument whose name is one of the keywords is
    /// `arg.NAME`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GroupBy::Event => f.write_str("event"),
            GroupBy::Pid => f.write_str("pid"),
            GroupBy::Tid => f.write_str("tid"),
            GroupBy::Thread => f.write_str("thread"),
            GroupBy::Host => f.write_str("host"),
            GroupBy::Trace => f.write_str("trace"),
            GroupBy::Argument(name)
                if matches!(name.as_str(), "event" | "pid" | "tid" | "thread" | "host" | "trace") =>
            {
                write!(f, "arg.{name}")
            }
            GroupBy::Argument(name) => f.write_str(name),
        }
    }
}

/// The default limit on the number of groups, which use about 30 MiB. Entries of further groups are
/// counted together.
pub const DEFAULT_MAX_GROUPS: usize = 10_000;

/// Counts entries by groups, and measures the values of arguments.
#[derive(Debug)]
pub struct Statistics {
    grouping: Grouping,
    counts: Counts,
    measured: Vec<Measured>,
    /// The events that have occurred, by schema index.
    known: Vec<Option<KnownEvent>>,
}

/// The counts of a sequence of entries.
#[derive(Debug)]
pub(crate) struct Counts {
    groups: Vec<Group>,
    all: Group,
    other: Group,
    dropped: Dropped,
    without: u64,
    /// Groups whose memory can be used again.
    spare: Vec<Group>,
}

/// An event whose records can be counted without creating entries.
#[derive(Debug)]
struct KnownEvent {
    name: Text,
    /// The size of the payload, if all arguments are integers.
    integer_bytes: Option<usize>,
}

impl Counts {
    fn new(measured: usize) -> Counts {
        Counts {
            groups: Vec::new(),
            all: Group::new(Label::All, measured),
            other: Group::new(Label::Other, measured),
            dropped: Dropped::default(),
            without: 0,
            spare: Vec::new(),
        }
    }

    /// Returns group `index`, which exists or is the next one.
    #[inline]
    fn group(&mut self, index: usize, labels: &[Label]) -> &mut Group {
        if index == self.groups.len() {
            self.add_group(labels[index].clone());
        }
        &mut self.groups[index]
    }

    #[cold]
    fn add_group(&mut self, label: Label) {
        let group = match self.spare.pop() {
            Some(mut group) => {
                group.restart(label);
                group
            }
            None => Group::new(label, self.all.numbers.len()),
        };
        self.groups.push(group);
    }
}

impl Statistics {
    /// Creates statistics of at most `max_groups` groups. Entries of further groups are counted
    /// together.
    pub fn new(by: GroupBy, max_groups: usize) -> Statistics {
        Statistics {
            grouping: Grouping::new(by, max_groups),
            counts: Counts::new(0),
            measured: Vec::new(),
            known: Vec::new(),
        }
    }

    /// Sets the origins of the traces. See [`Grouping::with_origins`].
    #[must_use]
    pub fn with_origins(self, origins: &Arc<[Origin]>) -> Statistics {
        Statistics { grouping: self.grouping.with_origins(origins), ..self }
    }

    /// Also measures the values of these arguments, in every event that has them as numbers.
    /// [`Group::numbers`] returns the results in this order. Call this before counting.
    #[must_use]
    pub fn measuring(mut self, arguments: Vec<String>) -> Statistics {
        self.counts = Counts::new(arguments.len());
        self.measured = arguments.into_iter().map(Measured::new).collect();
        self
    }

    /// Counts an entry. A schema index must always refer to the same schema, as it does within one
    /// reader or merge.
    #[inline]
    pub fn count(&mut self, entry: &Entry<'_>) {
        let Statistics { grouping, counts, measured, .. } = self;
        if counts.dropped.count(entry) {
            return;
        }
        counts.all.add(entry.timestamp_ns);
        let mut group = match grouping.group_of(entry) {
            GroupIndex::At(index) => {
                counts.group(index, grouping.labels());
                Some(&mut counts.groups[index])
            }
            GroupIndex::Other => Some(&mut counts.other),
            GroupIndex::Without => {
                counts.without += 1;
                None
            }
        };
        for (index, measured) in measured.iter_mut().enumerate() {
            let Some(value) = measured.value(entry) else { continue };
            counts.all.numbers[index].add(value);
            if let Some(group) = &mut group {
                group.numbers[index].add(value);
            }
        }
        if let Some(group) = group {
            group.add(entry.timestamp_ns);
        }
        if self.known.get(entry.schema_index as usize).is_none_or(Option::is_none) {
            self.learn(entry);
        }
    }

    #[cold]
    fn learn(&mut self, entry: &Entry<'_>) {
        let index = entry.schema_index as usize;
        if self.known.len() <= index {
            self.known.resize_with(index + 1, || None);
        }
        let Schema { name, integer_bytes, .. } = entry.schema;
        self.known[index] = Some(KnownEvent { name: name.clone(), integer_bytes: *integer_bytes });
    }

    /// Returns the property by which entries are grouped.
    pub fn by(&self) -> &GroupBy {
        self.grouping.by()
    }

    /// Returns the maximum number of groups.
    pub fn max_groups(&self) -> usize {
        self.grouping.max_groups()
    }

    /// Returns the groups, in order of their first entry.
    pub fn groups(&self) -> &[Group] {
        &self.counts.groups
    }

    /// Returns the counts of all entries together.
    pub fn all(&self) -> &Group {
        &self.counts.all
    }

    /// Returns the counts of entries beyond [`Statistics::max_groups`] groups.
    pub fn other(&self) -> &Group {
        &self.counts.other
    }

    /// Returns the number of entries without a thread, without the selected argument, or of an unknown
    /// machine.
    pub fn without(&self) -> u64 {
        self.counts.without
    }

    /// Returns the events that the traces report as dropped.
    pub fn dropped(&self) -> Dropped {
        self.counts.dropped
    }
}

/// An argument that is measured.
#[derive(Debug)]
struct Measured {
    name: String,
    /// By schema index: the position of the argument, or `None` if the event does not have it as a
    /// number. The outer `None` is a schema that has not occurred yet.
    positions: Vec<Option<Option<(usize, CType)>>>,
}

impl Measured {
    fn new(name: String) -> Measured {
        Measured { name, positions: Vec::new() }
    }

    #[inline]
    fn value(&mut self, entry: &Entry<'_>) -> Option<Number> {
        let position = match self.positions.get(entry.schema_index as usize) {
            Some(&Some(position)) => position,
            _ => self.find(entry),
        };
        let (index, ctype) = position?;
        match entry.value(index)? {
            Value::Integer(bits) if ctype == CType::Double => Some(Number::Double(f64::from_bits(bits))),
            Value::Integer(bits) => Some(Number::Integer(ctype.number(bits))),
            Value::Str(_) => None,
        }
    }

    #[cold]
    fn find(&mut self, entry: &Entry<'_>) -> Option<(usize, CType)> {
        let schema = entry.schema;
        let position = schema.argument(&self.name).map(|index| (index, schema.arguments[index].ctype));
        let position = position.filter(|(_, ctype)| *ctype != CType::Float);
        let index = entry.schema_index as usize;
        if self.positions.len() <= index {
            self.positions.resize(index + 1, None);
        }
        self.positions[index] = Some(position);
        position
    }
}

#[cfg(test)]
mod tests;
