//! Merges several traces into one, by time.

use std::collections::HashMap;
use std::sync::Arc;

use ringtrace_events::Text;

use crate::entry::Schema;
use crate::error::Error;
use crate::read::EntrySource;
use crate::read::visitor::{Flow, Visitor};

/// Merges sources by the time of their next entry. For equal times, the entry of the first source
/// comes first. Each source retains its own order, even if its times step backward.
pub struct Merge {
    sources: Vec<MergeInput>,
    numbers: SchemaNumbers,
}

/// Schema numbers that all sources share.
#[derive(Default)]
struct SchemaNumbers {
    by_name: HashMap<Text, Vec<(Arc<Schema>, u32)>>,
    count: u32,
}

struct MergeInput {
    source: Box<dyn EntrySource>,
    next_ns: Option<u64>,
    failed: Option<Error>,
    /// Maps this source's schema indexes to those of the merge. 0 means not mapped yet.
    renumbered: Vec<u32>,
    /// Whether the source is read only after the previous one has ended.
    follows: bool,
}

impl std::fmt::Debug for Merge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Merge").field("sources", &self.sources.len()).finish_non_exhaustive()
    }
}

impl Merge {
    /// Merges `sources`.
    pub fn new(sources: Vec<Box<dyn EntrySource>>) -> Merge {
        let sources = sources
            .into_iter()
            .map(|source| MergeInput {
                follows: source.reader().follows,
                source,
                next_ns: None,
                failed: None,
                renumbered: Vec::new(),
            })
            .collect();
        Merge { sources, numbers: SchemaNumbers::default() }
    }

    /// Returns the sources, for information about their traces.
    pub fn sources(&self) -> impl Iterator<Item = &dyn EntrySource> {
        self.sources.iter().map(|merged| &*merged.source)
    }

    /// Passes every entry to `visit`, in the order of time. If a source fails, the others continue.
    ///
    /// # Errors
    /// Returns the errors of the failed sources, after all other sources have ended.
    pub fn for_each(&mut self, visit: &mut impl Visitor) -> Result<Flow, Vec<Error>> {
        for index in 0..self.sources.len() {
            if !self.sources[index].follows {
                self.peek(index);
            }
        }
        loop {
            let earliest = (0..self.sources.len())
                .filter_map(|index| self.sources[index].next_ns.map(|time| (time, index)))
                .min();
            let Some((_, index)) = earliest else { break };
            let merged = &mut self.sources[index];
            if let Some(mut entry) = merged.source.entry() {
                let place = merged.source.reader().place;
                // A dropped record of v0 has no time.
                if entry.timestamp_ns > 0 || !entry.is_dropped() {
                    entry.timestamp_ns = entry.timestamp_ns.saturating_add(place.shift_ns);
                }
                (entry.trace, entry.scope) = (place.trace, place.scope);
                entry.date_shift_ns = place.date_shift_ns;
                let index = entry.schema_index as usize;
                let known = merged.renumbered.get(index).copied().unwrap_or(0);
                entry.schema_index = if known != 0 || index == 0 {
                    known
                } else {
                    let schema = merged.source.reader().schemas().get(entry.schema_index);
                    let number = self.numbers.number(schema);
                    if merged.renumbered.len() <= index {
                        merged.renumbered.resize(index + 1, 0);
                    }
                    merged.renumbered[index] = number;
                    number
                };
                if visit.entry(&entry) == Flow::Stop {
                    return Ok(Flow::Stop);
                }
            }
            merged.source.advance();
            if merged.source.may_wait() {
                visit.idle();
            }
            self.peek(index);
        }
        let failed: Vec<Error> = self.sources.iter_mut().filter_map(|merged| merged.failed.take()).collect();
        if failed.is_empty() { Ok(Flow::Continue) } else { Err(failed) }
    }
}

impl Merge {
    /// Finds the time of the next entry of a source. If the source has ended, the sources that follow
    /// it are read.
    fn peek(&mut self, mut index: usize) {
        loop {
            let merged = &mut self.sources[index];
            merged.peek();
            index += 1;
            if merged.next_ns.is_some() || self.sources.get(index).is_none_or(|next| !next.follows) {
                return;
            }
        }
    }
}

impl MergeInput {
    fn peek(&mut self) {
        match self.source.peek_ns() {
            Ok(next_ns) => {
                let shift_ns = self.source.reader().place.shift_ns;
                self.next_ns = next_ns.map(|next_ns| next_ns.saturating_add(shift_ns));
            }
            Err(error) => {
                self.next_ns = None;
                self.failed = Some(error);
            }
        }
    }
}

impl SchemaNumbers {
    /// Returns the number of `schema`. Equal schemas share a number; traces of the same program
    /// have equal schemas. The schema of dropped records always has the number 0.
    fn number(&mut self, schema: &Arc<Schema>) -> u32 {
        let same = |other: &Schema| other.declaration == schema.declaration && other.kinds == schema.kinds;
        let namesakes = self.by_name.entry(schema.name.clone()).or_default();
        if let Some((_, number)) = namesakes.iter().find(|(other, _)| same(other)) {
            return *number;
        }
        self.count += 1;
        namesakes.push((Arc::clone(schema), self.count));
        self.count
    }
}
