//! The engine that matches.

use super::binding::{Part, bind, resolve_keys, unknown_event};
use super::open::{Begun, KeyRef, Open, OpenTable, keep, key_of};
use super::spec::{PairError, PairSpec};
use crate::dropped::Dropped;
use crate::entry::Entry;
use crate::key::Key;
use crate::schema::{Schema, Schemas};
use crate::statistics::Sketch;

/// How many ends without a begin are kept in full.
pub const KEPT_ENDS: usize = 5;

/// Matches any number of pairs of events. With every begin it keeps a `T`, which comes back with the end.
#[derive(Debug)]
pub struct Pairing<T> {
    pairs: Vec<Pair<T>>,
    dropped: Dropped,
    /// By schema index: what entries of that schema do. `None`: not met yet.
    roles: Vec<Option<Box<[Role]>>>,
    room: Vec<u8>,
}

/// Begins or ends something of a pair.
#[derive(Debug, Clone)]
struct Role {
    pair: usize,
    ends: bool,
    parts: Box<[Part]>,
}

/// A begin and its end.
#[derive(Debug)]
pub struct Span<'s, T> {
    /// Index of the pair among the specs.
    pub pair: usize,
    /// When it began, in nanoseconds of the trace's clock.
    pub begin_ns: u64,
    /// What was kept of the begin.
    pub kept: T,
    /// The record that ended it. Its time can be earlier than the begin's.
    pub end: &'s Entry<'s>,
}

/// One pair of events: what is open, and what was counted.
#[derive(Debug)]
pub struct Pair<T> {
    spec: PairSpec,
    open: OpenTable<T>,
    /// Where a begin has its key: how keys are shown.
    parts: Box<[Part]>,
    known: Known,
    statistics: PairStatistics,
    ends_alone: Vec<Unmatched>,
}

/// Which events of a pair were found among schemas.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    begin: bool,
    end: bool,
}

/// What was counted of a pair. Always:
/// `begins = matched + restarted + open + begins_not_followed + begins_without_key`,
/// `ends = matched + ends_alone + ends_without_key`.
#[derive(Debug, Clone, Default)]
pub struct PairStatistics {
    /// Records of the event that begins.
    pub begins: u64,
    /// Records of the event that ends.
    pub ends: u64,
    /// Ends that had a begin.
    pub matched: u64,
    /// Nanoseconds from begin to end, where that was not backward.
    pub latencies: Sketch,
    /// Ends that were earlier than their begin by their times.
    pub backward: u64,
    /// By how many nanoseconds at most.
    pub largest_backward_ns: u64,
    /// Begins whose key began again before it ended.
    pub restarted: u64,
    /// Ends whose key was not open.
    pub ends_alone: u64,
    /// Begins beyond the number that can be open at a time. Their ends count as alone.
    pub begins_not_followed: u64,
    /// Begins that have no key: the record is cut, or its trace has no threads.
    pub begins_without_key: u64,
    /// Ends that have no key.
    pub ends_without_key: u64,
    /// The most that were open at a time.
    pub most_open: u64,
}

/// A record whose counterpart was not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmatched {
    /// The values of its keys, in their order in the spec.
    pub keys: Vec<Key>,
    /// Its time, in nanoseconds of the trace's clock.
    pub timestamp_ns: u64,
}

impl<T> Pairing<T> {
    /// Matches the pairs of `specs`, of each of which `max_open` can be open at a time.
    pub fn new(specs: Vec<PairSpec>, max_open: usize) -> Pairing<T> {
        let pairs = specs.into_iter().map(|spec| Pair {
            spec,
            open: OpenTable::new(max_open),
            parts: Box::default(),
            known: Known::default(),
            statistics: PairStatistics::default(),
            ends_alone: Vec::new(),
        });
        Pairing { pairs: pairs.collect(), dropped: Dropped::default(), roles: Vec::new(), room: Vec::new() }
    }

    /// Finds events and arguments among the schemas of the traces that will be fed. Events that a trace declares
    /// only later are bound when they come.
    ///
    /// # Errors
    /// When events are known but cannot be matched as their spec says.
    pub fn bind(&mut self, traces: &[&Schemas]) -> Result<(), PairError> {
        for pair in &mut self.pairs {
            for schemas in traces {
                let schema = |name: &str| schemas.find(name).map(|index| &**schemas.get(index));
                if let (Some(begin), Some(end)) = (schema(&pair.spec.begin), schema(&pair.spec.end)) {
                    pair.spec.keys = resolve_keys(&pair.spec, begin, end)?;
                }
            }
            for schemas in traces {
                for (ends, name) in [(false, pair.spec.begin.clone()), (true, pair.spec.end.clone())] {
                    if let Some(index) = schemas.find(&name) {
                        pair.bind(ends, schemas.get(index))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Finds out what entries of a schema do.
    #[cold]
    fn learn(&mut self, entry: &Entry<'_>) -> Result<(), PairError> {
        let mut roles = Vec::new();
        for (number, pair) in self.pairs.iter_mut().enumerate() {
            // Ends go first: see the policy.
            for ends in [true, false] {
                let name = if ends { &pair.spec.end } else { &pair.spec.begin };
                if *name == *entry.schema.name {
                    roles.push(Role { pair: number, ends, parts: pair.bind(ends, entry.schema)? });
                }
            }
        }
        let index = entry.schema_index as usize;
        if self.roles.len() <= index {
            self.roles.resize(index + 1, None);
        }
        self.roles[index] = Some(roles.into());
        Ok(())
    }

    /// That an event of a spec is among no schemas that were [bound](Pairing::bind). `schemas` are those of all
    /// traces, for advice.
    ///
    /// # Errors
    /// The first such event, with names that are like it.
    pub fn check_known(&self, schemas: &[&Schemas]) -> Result<(), PairError> {
        for pair in &self.pairs {
            for (known, name) in [(pair.known.begin, &pair.spec.begin), (pair.known.end, &pair.spec.end)] {
                if !known {
                    return Err(unknown_event(&pair.spec, name, schemas));
                }
            }
        }
        Ok(())
    }

    /// Takes an entry: calls `keep` for what is to be kept of it if it begins something, and `ended` if it ends
    /// something that had begun. The same schema index must always mean the same schema, as within one reader or
    /// merge.
    ///
    /// # Errors
    /// When it is the first of an event that was not known to [`Pairing::bind`], and does not fit its spec.
    #[inline]
    pub fn count(
        &mut self,
        entry: &Entry<'_>,
        mut keep: impl FnMut(&Entry<'_>) -> T,
        mut ended: impl FnMut(Span<'_, T>),
    ) -> Result<(), PairError> {
        if self.dropped.count(entry) {
            return Ok(());
        }
        let index = entry.schema_index as usize;
        if !self.roles.get(index).is_some_and(Option::is_some) {
            self.learn(entry)?;
        }
        let Some(roles) = self.roles[index].as_deref() else { return Ok(()) };
        for role in roles {
            let pair = &mut self.pairs[role.pair];
            let key = key_of(&role.parts, entry, &mut self.room);
            if !role.ends {
                pair.begin(key, entry.timestamp_ns, || keep(entry));
            } else if let Some(Open { begin_ns, kept }) = pair.end(key, entry.timestamp_ns) {
                ended(Span { pair: role.pair, begin_ns, kept, end: entry });
            }
        }
        Ok(())
    }

    /// The pairs, in the order of their specs.
    pub fn pairs(&self) -> &[Pair<T>] {
        &self.pairs
    }

    /// What the traces say was dropped.
    pub fn dropped(&self) -> Dropped {
        self.dropped
    }
}

impl<T> Pair<T> {
    /// Where a record of `schema`, which is the one that ends or begins, has its key.
    fn bind(&mut self, ends: bool, schema: &Schema) -> Result<Box<[Part]>, PairError> {
        *(if ends { &mut self.known.end } else { &mut self.known.begin }) = true;
        if self.spec.keys.is_empty() {
            // The other event is not known, or they would have been found.
            return match self.known {
                Known { begin: true, end: true } => Err(PairError {
                    message: format!(
                        "`{}` and `{}` are not declared together, so that it cannot be told which argument both have",
                        self.spec.begin, self.spec.end
                    ),
                    help: format!("name the argument: `{}:KEY`", self.spec),
                }),
                _ => Ok(Box::default()),
            };
        }
        let sources = self.spec.keys.iter().map(|key| if ends { &key.end } else { &key.begin });
        let parts = bind(sources, schema)?;
        if !ends || self.parts.is_empty() {
            self.parts.clone_from(&parts);
        }
        Ok(parts)
    }

    #[inline]
    fn begin(&mut self, key: Option<KeyRef<'_>>, begin_ns: u64, kept: impl FnOnce() -> T) {
        let statistics = &mut self.statistics;
        statistics.begins += 1;
        let Some(key) = key else {
            statistics.begins_without_key += 1;
            return;
        };
        match self.open.begin(key, Open { begin_ns, kept: kept() }) {
            Begun::New => statistics.most_open = statistics.most_open.max(self.open.len() as u64),
            Begun::Restarted => statistics.restarted += 1,
            Begun::Full => statistics.begins_not_followed += 1,
        }
    }

    #[inline]
    fn end(&mut self, key: Option<KeyRef<'_>>, end_ns: u64) -> Option<Open<T>> {
        let statistics = &mut self.statistics;
        statistics.ends += 1;
        let Some(key) = key else {
            statistics.ends_without_key += 1;
            return None;
        };
        let Some(open) = self.open.end(key) else {
            statistics.ends_alone += 1;
            if self.ends_alone.len() < KEPT_ENDS {
                self.ends_alone.push(Unmatched { keys: keep(key, &self.parts), timestamp_ns: end_ns });
            }
            return None;
        };
        statistics.matched += 1;
        match end_ns.checked_sub(open.begin_ns) {
            Some(latency_ns) => statistics.latencies.add(latency_ns),
            None => {
                statistics.backward += 1;
                statistics.largest_backward_ns = statistics.largest_backward_ns.max(open.begin_ns - end_ns);
            }
        }
        Some(open)
    }

    /// What was asked for, with the keys that were found when it named none.
    pub fn spec(&self) -> &PairSpec {
        &self.spec
    }

    /// What was counted.
    pub fn statistics(&self) -> &PairStatistics {
        &self.statistics
    }

    /// The first [`KEPT_ENDS`] ends that had no begin.
    pub fn ends_alone(&self) -> &[Unmatched] {
        &self.ends_alone
    }

    /// How many are open.
    pub fn open_count(&self) -> usize {
        self.open.len()
    }

    /// When each that is open began, and what was kept of it. In no order.
    pub fn open(&self) -> impl Iterator<Item = (u64, &T)> {
        self.open.iter().map(|(_, open)| (open.begin_ns, &open.kept))
    }

    /// The `most` that are open longest, the oldest first.
    pub fn oldest_open(&self, most: usize) -> Vec<Unmatched> {
        let mut oldest: Vec<(u64, KeyRef<'_>)> = Vec::with_capacity(most + 1);
        for (key, open) in self.open.iter() {
            let place = oldest.partition_point(|older| *older < (open.begin_ns, key));
            if place < most {
                oldest.truncate(most - 1);
                oldest.insert(place, (open.begin_ns, key));
            }
        }
        oldest
            .into_iter()
            .map(|(begin_ns, key)| Unmatched { keys: keep(key, &self.parts), timestamp_ns: begin_ns })
            .collect()
    }
}

impl<T> Span<'_, T> {
    /// Nanoseconds from begin to end; `None` where the end is the earlier.
    pub fn latency_ns(&self) -> Option<u64> {
        self.end.timestamp_ns.checked_sub(self.begin_ns)
    }
}
