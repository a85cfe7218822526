//! Which entries are wanted.

use ringtrace_events::glob;

use crate::entry::Entry;
use crate::schema::Schema;

/// What is wanted, as a user says it. The default wants everything.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Patterns over event names; empty: all.
    pub include: Vec<String>,
    /// Patterns over event names that are not wanted, whatever `include` says.
    pub exclude: Vec<String>,
    /// Processes; empty: all.
    pub pids: Vec<u32>,
    /// Threads; empty: all.
    pub tids: Vec<u32>,
    /// Not before this time of the trace's clock, in nanoseconds.
    pub since_ns: Option<u64>,
    /// Not after this time.
    pub until_ns: Option<u64>,
}

/// Decides for each entry. Names are matched once an event.
///
/// Records that tell of dropped events pass patterns unless an exclusion names them: what is shown is incomplete
/// there, whatever was asked for. Processes and times apply to them as to any other.
#[derive(Debug, Clone)]
pub struct Filter {
    wanted: Wanted,
    /// By schema index: 0 not known yet, 1 wanted, 2 not.
    by_schema: Vec<u8>,
    everything: bool,
    from_ns: u64,
    to_ns: u64,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter::new(Wanted::default())
    }
}

impl Filter {
    /// A filter for what is `wanted`.
    pub fn new(wanted: Wanted) -> Filter {
        let everything = wanted.include.is_empty()
            && wanted.exclude.is_empty()
            && wanted.pids.is_empty()
            && wanted.tids.is_empty()
            && wanted.since_ns.is_none()
            && wanted.until_ns.is_none();
        let (from_ns, to_ns) = (wanted.since_ns.unwrap_or(0), wanted.until_ns.unwrap_or(u64::MAX));
        Filter { wanted, by_schema: Vec::new(), everything, from_ns, to_ns }
    }

    /// Whether it lets everything pass.
    pub fn is_everything(&self) -> bool {
        self.everything
    }

    /// Whether `entry` is wanted.
    #[inline(always)]
    pub fn accepts(&mut self, entry: &Entry<'_>) -> bool {
        self.everything || self.decides(entry)
    }

    fn decides(&mut self, entry: &Entry<'_>) -> bool {
        let time = entry.timestamp_ns;
        if time < self.from_ns || time > self.to_ns {
            return false;
        }
        let index = entry.schema_index as usize;
        let by_name = match self.by_schema.get(index) {
            Some(&known) if known != 0 => known == 1,
            _ => self.match_name(index, entry.schema),
        };
        by_name
            && (self.wanted.pids.is_empty() || self.wanted.pids.contains(&entry.pid))
            && (self.wanted.tids.is_empty() || entry.tid().is_some_and(|tid| self.wanted.tids.contains(&tid)))
    }

    #[cold]
    fn match_name(&mut self, index: usize, schema: &Schema) -> bool {
        let any = |patterns: &[String]| {
            patterns.iter().any(|pattern| glob::matches(pattern.as_bytes(), schema.name.as_bytes()))
        };
        let included = self.wanted.include.is_empty() || index == Schema::DROPPED as usize;
        let wanted = (included || any(&self.wanted.include)) && !any(&self.wanted.exclude);
        if self.by_schema.len() <= index {
            self.by_schema.resize(index + 1, 0);
        }
        self.by_schema[index] = if wanted { 1 } else { 2 };
        wanted
    }
}
