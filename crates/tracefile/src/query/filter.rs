//! Selection of entries by event, process, thread, time and condition.

use std::ops::RangeInclusive;

use ringtrace_events::format::Value;
use ringtrace_events::glob;

use crate::entry::{Entry, Schema};
use crate::query::expression::{Bound, Expression, Subject};
use crate::read::visitor::OrdinaryRecords;

/// The user's selection of entries. The default selects all of them.
#[derive(Debug, Clone, Default)]
pub struct FilterOptions {
    /// Patterns of event names. Empty selects all events.
    pub include: Vec<String>,
    /// Patterns of event names to exclude. They override `include`.
    pub exclude: Vec<String>,
    /// Process ids. Empty selects all processes.
    pub pids: Vec<u32>,
    /// Thread ids. If these and `thread_names` are empty, all threads are selected.
    pub tids: Vec<u32>,
    /// Patterns of thread names.
    pub thread_names: Vec<String>,
    /// The earliest time, in nanoseconds of the trace's clock.
    pub since_ns: Option<u64>,
    /// The latest time, inclusive.
    pub until_ns: Option<u64>,
    /// The range of [`Entry::dated_ns`]. It differs from the other times if there are several traces.
    pub dated_ns: Option<RangeInclusive<i128>>,
    /// A condition on the record.
    pub condition: Option<Expression>,
    /// The smallest time of the trace. In conditions, `time` is relative to it.
    pub origin_ns: u64,
}

impl FilterOptions {
    fn is_everything(&self) -> bool {
        self.include.is_empty()
            && self.exclude.is_empty()
            && self.pids.is_empty()
            && self.tids.is_empty()
            && self.thread_names.is_empty()
            && self.since_ns.is_none()
            && self.until_ns.is_none()
            && self.dated_ns.is_none()
            && self.condition.is_none()
    }

    fn decide(&self, index: usize, schema: &Schema) -> Verdict {
        let any =
            |patterns: &[String]| patterns.iter().any(|pattern| glob::matches_event(pattern, &schema.name));
        let dropped = index == Schema::DROPPED as usize;
        let included = dropped || self.include.is_empty() || any(&self.include);
        match &self.condition {
            _ if !included || any(&self.exclude) => Verdict::Reject,
            Some(condition) if !dropped && condition.rejects_event(&schema.name) => Verdict::Reject,
            Some(condition) if !dropped => Verdict::If(condition.bind_with_constants(
                |name| {
                    let position = schema.argument(name)?;
                    Some((position, schema.arguments[position].ctype))
                },
                |name| {
                    schema.arguments.iter().find_map(|argument| argument.enumeration.as_ref()?.value_of(name))
                },
            )),
            _ => Verdict::Accept,
        }
    }

    fn accepts_thread(&self, entry: &Entry<'_>) -> bool {
        if self.tids.is_empty() && self.thread_names.is_empty() {
            return true;
        }
        let matches = |name: &str| {
            self.thread_names.iter().any(|pattern| glob::matches(pattern.as_bytes(), name.as_bytes()))
        };
        entry.tid().is_some_and(|tid| self.tids.contains(&tid)) || entry.thread_name().is_some_and(matches)
    }
}

/// Selects entries. For each event, names are matched and conditions are bound only once.
///
/// Records of dropped events pass patterns and conditions, unless `exclude` matches them, because
/// they mark where the output is incomplete. Processes and times are checked as for all other
/// records.
#[derive(Debug, Clone)]
pub struct Filter {
    options: FilterOptions,
    everything: bool,
    from_ns: u64,
    to_ns: u64,
    by_schema: Vec<Option<Verdict>>,
}

#[derive(Debug, Clone)]
enum Verdict {
    Accept,
    Reject,
    If(Bound),
}

impl Default for Filter {
    fn default() -> Filter {
        Filter::new(FilterOptions::default())
    }
}

impl Filter {
    /// Creates a filter for the given options.
    pub fn new(options: FilterOptions) -> Filter {
        Filter {
            everything: options.is_everything(),
            from_ns: options.since_ns.unwrap_or(0),
            to_ns: options.until_ns.unwrap_or(u64::MAX),
            options,
            by_schema: Vec::new(),
        }
    }

    /// Returns the options of the filter.
    pub fn options(&self) -> &FilterOptions {
        &self.options
    }

    /// Returns the earliest and the latest time that the filter accepts.
    pub(crate) fn time_range_ns(&self) -> (u64, u64) {
        (self.from_ns, self.to_ns)
    }

    /// Returns whether the filter may reject all records of an event.
    pub(crate) fn selects_events(&self) -> bool {
        let FilterOptions { include, exclude, condition, .. } = &self.options;
        let is_named = condition.as_ref().is_some_and(|condition| !condition.event_names().is_empty());
        !include.is_empty() || !exclude.is_empty() || is_named
    }

    /// Returns whether the filter may accept a record of the event with this schema.
    pub(crate) fn may_accept(&self, index: u32, schema: &Schema) -> bool {
        match self.options.decide(index as usize, schema) {
            Verdict::Accept | Verdict::If(_) => true,
            Verdict::Reject => false,
        }
    }

    pub(crate) fn uses_thread_names(&self) -> bool {
        let FilterOptions { thread_names, condition, .. } = &self.options;
        !thread_names.is_empty() || condition.as_ref().is_some_and(Expression::uses_thread)
    }

    /// Returns true if the filter accepts every entry.
    pub fn is_everything(&self) -> bool {
        self.everything
    }

    /// Returns true if the filter accepts `entry`.
    #[inline(always)]
    pub fn accepts(&mut self, entry: &Entry<'_>) -> bool {
        self.everything || self.decides(entry)
    }

    /// Skips the records at the start of `records` that the filter rejects by their time, process or
    /// event.
    #[inline]
    pub(crate) fn skip_rejected(&mut self, records: &mut OrdinaryRecords<'_>) {
        let schemas = records.schemas();
        let Filter { options: FilterOptions { pids, .. }, from_ns, to_ns, by_schema, .. } = self;
        records.skip_while(|record, schema_index| {
            let is_rejected = record.timestamp_ns < *from_ns
                || record.timestamp_ns > *to_ns
                || matches!(by_schema.get(schema_index as usize), Some(Some(Verdict::Reject)))
                || !pids.is_empty() && !pids.contains(&record.pid);
            is_rejected && schemas.get(schema_index).fits(record.payload)
        });
    }

    fn decides(&mut self, entry: &Entry<'_>) -> bool {
        let time = entry.timestamp_ns;
        if time < self.from_ns || time > self.to_ns {
            return false;
        }
        if self.options.dated_ns.as_ref().is_some_and(|dated_ns| !dated_ns.contains(&entry.dated_ns())) {
            return false;
        }
        if !self.options.pids.is_empty() && !self.options.pids.contains(&entry.pid) {
            return false;
        }
        if !self.options.accepts_thread(entry) {
            return false;
        }
        let index = entry.schema_index as usize;
        if !matches!(self.by_schema.get(index), Some(Some(_))) {
            self.decide_for_schema(index, entry.schema);
        }
        match self.by_schema.get(index) {
            Some(Some(Verdict::Accept)) => true,
            Some(Some(Verdict::If(bound))) => {
                bound.matches(&EntrySubject { entry, origin_ns: self.options.origin_ns })
            }
            _ => false,
        }
    }

    /// Returns whether the filter rejects all records of an event.
    pub(crate) fn rejects_event(&mut self, index: usize, schema: &Schema) -> bool {
        self.decide_for_schema(index, schema);
        matches!(self.by_schema.get(index), Some(Some(Verdict::Reject)))
    }

    #[cold]
    fn decide_for_schema(&mut self, index: usize, schema: &Schema) {
        let verdict = self.options.decide(index, schema);
        if self.by_schema.len() <= index {
            self.by_schema.resize(index + 1, None);
        }
        self.by_schema[index] = Some(verdict);
    }
}

struct EntrySubject<'e, 'a> {
    entry: &'e Entry<'a>,
    origin_ns: u64,
}

impl Subject for EntrySubject<'_, '_> {
    fn event_name(&self) -> &str {
        &self.entry.schema.name
    }

    fn pid(&self) -> Option<u32> {
        self.entry.version.info().has_pid.then_some(self.entry.pid)
    }

    fn tid(&self) -> Option<u32> {
        self.entry.tid()
    }

    fn thread_name(&self) -> Option<&str> {
        self.entry.thread_name()
    }

    fn time_ns(&self) -> Option<i128> {
        Some(i128::from(self.entry.timestamp_ns) - i128::from(self.origin_ns))
    }

    fn argument(&self, index: usize) -> Option<Value<'_>> {
        self.entry.value(index)
    }
}

impl Expression {
    /// Returns whether the condition is false for all records of the event `name`.
    fn rejects_event(&self, name: &str) -> bool {
        self.bind(|_| None).evaluate(&NameSubject(name)) == Some(false)
    }
}

/// A record of which only the event's name is known.
struct NameSubject<'n>(&'n str);

impl Subject for NameSubject<'_> {
    fn event_name(&self) -> &str {
        self.0
    }

    fn pid(&self) -> Option<u32> {
        None
    }

    fn tid(&self) -> Option<u32> {
        None
    }

    fn thread_name(&self) -> Option<&str> {
        None
    }

    fn time_ns(&self) -> Option<i128> {
        None
    }

    fn argument(&self, _: usize) -> Option<Value<'_>> {
        None
    }
}
