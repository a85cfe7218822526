//! Which entries are options.

use ringtrace_events::format::Value;
use ringtrace_events::glob;

use crate::entry::{Entry, Schema};
use crate::query::expression::{Bound, Expression, Subject};

/// What is options, as a user says it. The default wants everything.
#[derive(Debug, Clone, Default)]
pub struct FilterOptions {
    /// Patterns over event names; empty: all.
    pub include: Vec<String>,
    /// Patterns over event names that are not options, whatever `include` says.
    pub exclude: Vec<String>,
    /// Processes; empty: all.
    pub pids: Vec<u32>,
    /// Threads, by their ids; without these and names, all.
    pub tids: Vec<u32>,
    /// Patterns over the names of threads.
    pub thread_names: Vec<String>,
    /// Not before this time of the trace's clock, in nanoseconds.
    pub since_ns: Option<u64>,
    /// Not after this time.
    pub until_ns: Option<u64>,
    /// A condition on the record.
    pub condition: Option<Expression>,
    /// The smallest time of the trace, which conditions on `time` count from.
    pub origin_ns: u64,
}

impl FilterOptions {
    /// Whether that is everything.
    fn is_everything(&self) -> bool {
        self.include.is_empty()
            && self.exclude.is_empty()
            && self.pids.is_empty()
            && self.tids.is_empty()
            && self.thread_names.is_empty()
            && self.since_ns.is_none()
            && self.until_ns.is_none()
            && self.condition.is_none()
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

/// Decides for each entry. Names are matched, and conditions bound, once an event.
///
/// Records that tell of dropped events pass patterns and conditions unless an exclusion names them: what is shown
/// is incomplete there, whatever was asked for. Processes and times apply to them as to any other.
#[derive(Debug, Clone)]
pub struct Filter {
    options: FilterOptions,
    everything: bool,
    from_ns: u64,
    to_ns: u64,
    /// By schema index, where known already.
    by_schema: Vec<Option<Verdict>>,
}

/// What is known of all entries of an event.
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
    /// A filter for what is `wanted`.
    pub fn new(options: FilterOptions) -> Filter {
        Filter {
            everything: options.is_everything(),
            from_ns: options.since_ns.unwrap_or(0),
            to_ns: options.until_ns.unwrap_or(u64::MAX),
            options,
            by_schema: Vec::new(),
        }
    }

    /// What it was made for.
    pub fn options(&self) -> &FilterOptions {
        &self.options
    }

    /// Whether it goes by the names of threads.
    pub(crate) fn uses_thread_names(&self) -> bool {
        let FilterOptions { thread_names, condition, .. } = &self.options;
        !thread_names.is_empty() || condition.as_ref().is_some_and(Expression::uses_thread)
    }

    /// Whether it lets everything pass.
    pub fn is_everything(&self) -> bool {
        self.everything
    }

    /// Whether `entry` is options.
    #[inline(always)]
    pub fn accepts(&mut self, entry: &Entry<'_>) -> bool {
        self.everything || self.decides(entry)
    }

    fn decides(&mut self, entry: &Entry<'_>) -> bool {
        let time = entry.timestamp_ns;
        if time < self.from_ns || time > self.to_ns {
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

    #[cold]
    fn decide_for_schema(&mut self, index: usize, schema: &Schema) {
        let any = |patterns: &[String]| {
            patterns.iter().any(|pattern| glob::matches(pattern.as_bytes(), schema.name.as_bytes()))
        };
        let options = &self.options;
        let dropped = index == Schema::DROPPED as usize;
        let included = dropped || options.include.is_empty() || any(&options.include);
        let verdict = match &options.condition {
            _ if !included || any(&options.exclude) => Verdict::Reject,
            Some(condition) if !dropped => Verdict::If(condition.bind(|name| {
                let place = schema.argument(name)?;
                Some((place, schema.arguments[place].ctype))
            })),
            _ => Verdict::Accept,
        };
        if self.by_schema.len() <= index {
            self.by_schema.resize(index + 1, None);
        }
        self.by_schema[index] = Some(verdict);
    }
}

/// An entry as conditions see it.
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

    fn time_ns(&self) -> i128 {
        i128::from(self.entry.timestamp_ns) - i128::from(self.origin_ns)
    }

    fn argument(&self, index: usize) -> Option<Value<'_>> {
        self.entry.value(index)
    }
}
