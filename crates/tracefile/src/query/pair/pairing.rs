//! The engine that matches.

use super::binding::{KeyPart, bind, resolve_keys, unknown_event};
use super::description::{EventKeys, PairDescription};
use super::open::{BeginOutcome, KeyRef, Open, OpenTable, keep, key_of};
use super::spec::PairError;
use crate::entry::key::Key;
use crate::entry::{Dropped, Entry, Schema, Schemas};
use crate::query::statistics::Sketch;

/// How many ends without a begin are kept in full.
pub const KEPT_ENDS: usize = 5;

/// Begins that can be open at a time, over all pairs, unless the user says otherwise: what fills the hash tables of 2^20
/// slots, 27 MiB while growing.
pub const DEFAULT_MAX_OPEN: usize = (1 << 20) / 8 * 7;

/// What is done with the spans that a [`Pairing`] finds.
pub trait SpanSink {
    /// What is kept of a begin, and comes back with its end.
    type Kept;

    /// `entry` begins a span of `pair`. Its key was open already where there is `restarted`: that span will not end.
    fn begin(&mut self, pair: usize, entry: &Entry<'_>, restarted: Option<Open<Self::Kept>>) -> Self::Kept;

    /// `entry` ends the span that `begun` was kept of. Its time can be earlier than the begin's.
    fn end(&mut self, pair: usize, begun: Open<Self::Kept>, entry: &Entry<'_>) {
        let _ = (pair, begun, entry);
    }

    /// `entry` is a step of the span that `begun` was kept of.
    fn step(&mut self, pair: usize, begun: &mut Open<Self::Kept>, entry: &Entry<'_>) {
        let _ = (pair, begun, entry);
    }
}

/// Nothing: all that is to be known is counted.
impl SpanSink for () {
    type Kept = ();

    #[inline]
    fn begin(&mut self, _: usize, _: &Entry<'_>, _: Option<Open<()>>) {}
}

/// Matches any number of pairs of events. With every begin it keeps a `T`, which comes back with the end.
#[derive(Debug)]
pub struct Pairing<T> {
    pairs: Vec<Pair<T>>,
    dropped: Dropped,
    /// By schema index: what entries of that schema do. `None`: not met yet.
    roles: Vec<Option<Box<[Role]>>>,
    room: Vec<u8>,
    /// Of one record: the roles by which it ended something, and those by which it did not but may have elsewhere.
    ended: Vec<usize>,
    missed: Vec<usize>,
}

/// What records of a schema do in a pair.
#[derive(Debug, Clone)]
struct Role {
    pair: usize,
    action: Action,
    parts: Box<[KeyPart]>,
    /// The same record, by the same key, can end something of another pair.
    is_shared: bool,
}

/// In the order in which one record does them: see the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Action {
    Step,
    End,
    Begin,
}

/// What records of a schema do, and where they have their key.
type Bound = (Action, Box<[KeyPart]>);

/// One pair of events: what is open, and what was counted.
#[derive(Debug)]
pub struct Pair<T> {
    description: PairDescription,
    open: OpenTable<T>,
    /// Where a begin has its key: how keys are shown.
    parts: Box<[KeyPart]>,
    /// The events that were found among schemas, in the order of [`PairDescription::events`].
    known: Vec<bool>,
    statistics: PairStatistics,
    ends_alone: Vec<Unmatched>,
}

/// What was counted of a pair. Always:
/// `begins = matched + restarted + open + begins_not_followed + begins_without_key`,
/// `ends = matched + ends_elsewhere + ends_alone + ends_without_key`,
/// `steps = steps_within + steps_alone + steps_without_key`.
#[derive(Debug, Clone, Default)]
pub struct PairStatistics {
    /// Records of events that begin.
    pub begins: u64,
    /// Records of events that end.
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
    /// Ends whose key was not open, but by the same key ended a span of another pair. Of pairs that are described in a file.
    pub ends_elsewhere: u64,
    /// Begins beyond the number that can be open at a time. Their ends count as alone.
    pub begins_not_followed: u64,
    /// Begins that have no key: the record is cut, or its trace has no threads.
    pub begins_without_key: u64,
    /// Ends that have no key.
    pub ends_without_key: u64,
    /// The most that were open at a time.
    pub most_open: u64,
    /// Records of events that are steps.
    pub steps: u64,
    /// Steps of a span that was open.
    pub steps_within: u64,
    /// Steps whose key was not open.
    pub steps_alone: u64,
    /// Steps that have no key.
    pub steps_without_key: u64,
}

/// A record whose counterpart was not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmatched {
    /// The values of its keys, in their order in the description.
    pub keys: Vec<Key>,
    /// Its time, in nanoseconds of the trace's clock.
    pub timestamp_ns: u64,
}

/// What an end found.
enum EndOutcome<T> {
    Open(Open<T>),
    Alone,
    WithoutKey,
}

impl<T> Pairing<T> {
    /// Matches `pairs`, of each of which `max_open` can be open at a time.
    pub fn new(pairs: impl IntoIterator<Item = PairDescription>, max_open: usize) -> Pairing<T> {
        let pairs = pairs.into_iter().map(|description| Pair {
            open: OpenTable::new(max_open),
            parts: Box::default(),
            known: vec![false; description.events().count()],
            statistics: PairStatistics::default(),
            ends_alone: Vec::new(),
            description,
        });
        Pairing {
            pairs: pairs.collect(),
            dropped: Dropped::default(),
            roles: Vec::new(),
            room: Vec::new(),
            ended: Vec::new(),
            missed: Vec::new(),
        }
    }

    /// Finds events and arguments among the schemas of the traces that will be fed. Events that a trace declares
    /// only later are bound when they come.
    ///
    /// # Errors
    /// When events are known but cannot be matched as they are described.
    pub fn bind(&mut self, traces: &[&Schemas]) -> Result<(), PairError> {
        for pair in &mut self.pairs {
            for schemas in traces {
                resolve_keys(&mut pair.description, schemas)?;
            }
            for schemas in traces {
                for (_, schema) in pair.found_among(schemas) {
                    pair.bind(schema)?;
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
            let bound = pair.bind(entry.schema)?;
            roles.extend(bound.into_iter().map(|(action, parts)| Role {
                pair: number,
                action,
                parts,
                is_shared: false,
            }));
        }
        roles.sort_by_key(|role| role.action);
        for index in 0..roles.len() {
            let role = &roles[index];
            let same = |other: &Role| {
                other.action == Action::End && other.pair != role.pair && other.parts == role.parts
            };
            roles[index].is_shared = role.action == Action::End && roles.iter().any(same);
        }
        let index = entry.schema_index as usize;
        if self.roles.len() <= index {
            self.roles.resize(index + 1, None);
        }
        self.roles[index] = Some(roles.into());
        Ok(())
    }

    /// Whether entries of the schema with this index can be part of a pair, as far as is known.
    #[inline]
    pub fn concerns(&self, schema_index: u32) -> bool {
        match self.roles.get(schema_index as usize) {
            Some(Some(roles)) => !roles.is_empty(),
            _ => true,
        }
    }

    /// That an event of a pair was never changes, nor is it among `schemas`, which are those of all traces by now.
    ///
    /// # Errors
    /// The first such event, with names that are like it.
    pub fn check_known(&self, schemas: &[&Schemas]) -> Result<(), PairError> {
        for pair in &self.pairs {
            for (event, known) in pair.description.events().zip(&pair.known) {
                if !known && schemas.iter().all(|schemas| schemas.find(&event.event).is_none()) {
                    let subject = format!("pair `{}`", pair.description.name);
                    return Err(unknown_event(&subject, &event.event, schemas).at(event.location.as_ref()));
                }
            }
        }
        Ok(())
    }

    /// Takes an entry, and tells `sink` what it does. The same schema index must always mean the same schema, as
    /// within one reader or merge.
    ///
    /// # Errors
    /// When it is the first of an event that was not known to [`Pairing::bind`], and does not fit its description.
    #[inline]
    pub fn count<F: SpanSink<Kept = T>>(&mut self, entry: &Entry<'_>, sink: &mut F) -> Result<(), PairError> {
        if self.dropped.count(entry) {
            return Ok(());
        }
        let index = entry.schema_index as usize;
        if !self.roles.get(index).is_some_and(Option::is_some) {
            self.learn(entry)?;
        }
        let Some(roles) = self.roles[index].as_deref() else { return Ok(()) };
        for (number, role) in roles.iter().enumerate() {
            let pair = &mut self.pairs[role.pair];
            let key = key_of(&role.parts, entry, &mut self.room);
            match role.action {
                Action::Begin => pair.begin(key, role.pair, entry, sink),
                Action::Step => pair.step(key, role.pair, entry, sink),
                Action::End => match pair.end(key, entry.timestamp_ns) {
                    EndOutcome::Open(open) => {
                        sink.end(role.pair, open, entry);
                        if role.is_shared {
                            self.ended.push(number);
                        }
                    }
                    EndOutcome::Alone if role.is_shared => self.missed.push(number),
                    EndOutcome::Alone => pair.count_alone(key, entry.timestamp_ns),
                    EndOutcome::WithoutKey => {}
                },
            }
        }
        if !(self.missed.is_empty() && self.ended.is_empty()) {
            self.resolve_shared_ends(entry);
        }
        Ok(())
    }

    /// Of ends that may have ended something of another pair: whether they did.
    fn resolve_shared_ends(&mut self, entry: &Entry<'_>) {
        let roles =
            self.roles.get(entry.schema_index as usize).and_then(Option::as_deref).unwrap_or_default();
        for role in self.missed.drain(..).filter_map(|number| roles.get(number)) {
            let pair = &mut self.pairs[role.pair];
            let is_same = |&number: &usize| roles.get(number).is_some_and(|other| other.parts == role.parts);
            // `--pair` is about its two events alone.
            if !pair.description.named_by_events && self.ended.iter().any(is_same) {
                pair.statistics.ends_elsewhere += 1;
            } else if let Some(key) = key_of(&role.parts, entry, &mut self.room) {
                pair.count_alone(Some(key), entry.timestamp_ns);
            }
        }
        self.ended.clear();
    }

    /// The pairs, in the order of their descriptions.
    pub fn pairs(&self) -> &[Pair<T>] {
        &self.pairs
    }

    /// What the traces say was dropped.
    pub fn dropped(&self) -> Dropped {
        self.dropped
    }
}

impl<T> Pair<T> {
    /// Those of its events that are among `schemas`.
    fn found_among<'s>(&self, schemas: &'s Schemas) -> Vec<(u32, &'s Schema)> {
        let mut found: Vec<u32> =
            self.description.events().filter_map(|event| schemas.find(&event.event)).collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|index| (index, &**schemas.get(index))).collect()
    }

    /// What a record of `schema` does, and where it has its key.
    fn bind(&mut self, schema: &Schema) -> Result<Vec<Bound>, PairError> {
        let actions = [
            (Action::Begin, self.description.begins.len()),
            (Action::End, self.description.ends.len()),
            (Action::Step, self.description.steps.len()),
        ];
        let actions = actions.into_iter().flat_map(|(action, count)| std::iter::repeat_n(action, count));
        let otherwise = match self.description.named_by_events {
            true => "where both events call it differently, write ARG=ARG",
            false => "name what this event calls it",
        };
        let mut bound = Vec::new();
        for ((event, known), action) in self.description.events().zip(&mut self.known).zip(actions) {
            if *event.event == *schema.name {
                *known = true;
                let parts = bind(&event.keys, schema, otherwise);
                let parts = parts.map_err(|error| error.at(event.location.as_ref()))?;
                if action == Action::Begin || self.parts.is_empty() {
                    self.parts.clone_from(&parts);
                }
                bound.push((action, parts));
            }
        }
        if !bound.is_empty() && self.description.lacks_keys() {
            self.check_keys()?;
        }
        Ok(bound)
    }

    /// That not both sides are known, where keys are not: they would have been found.
    fn check_keys(&self) -> Result<(), PairError> {
        let description = &self.description;
        let first_known = |events: &[EventKeys], from: usize| {
            let place = self.known[from..].iter().take(events.len()).position(|&known| known)?;
            events.get(place).map(|event| event.event.clone())
        };
        let begin = first_known(&description.begins, 0);
        match (begin, first_known(&description.ends, description.begins.len())) {
            (Some(begin), Some(end)) => Err(PairError {
                message: format!(
                    "`{begin}` and `{end}` are not declared together, so that it cannot be told which argument both have"
                ),
                help: match description.spec() {
                    Some(spec) => format!("name the argument: `{spec}:KEY`"),
                    None => format!("name the argument: `begin {begin} KEY`"),
                },
            }),
            _ => Ok(()),
        }
    }

    #[inline]
    fn begin<F: SpanSink<Kept = T>>(
        &mut self,
        key: Option<KeyRef<'_>>,
        number: usize,
        entry: &Entry<'_>,
        sink: &mut F,
    ) {
        let statistics = &mut self.statistics;
        statistics.begins += 1;
        let Some(key) = key else {
            statistics.begins_without_key += 1;
            return;
        };
        let begun = self.open.begin(key, |restarted| Open {
            begin_ns: entry.timestamp_ns,
            kept: sink.begin(number, entry, restarted),
        });
        match begun {
            BeginOutcome::New => statistics.most_open = statistics.most_open.max(self.open.len() as u64),
            BeginOutcome::Restarted => statistics.restarted += 1,
            BeginOutcome::Full => statistics.begins_not_followed += 1,
        }
    }

    #[inline]
    fn end(&mut self, key: Option<KeyRef<'_>>, end_ns: u64) -> EndOutcome<T> {
        let statistics = &mut self.statistics;
        statistics.ends += 1;
        let Some(key) = key else {
            statistics.ends_without_key += 1;
            return EndOutcome::WithoutKey;
        };
        let Some(open) = self.open.end(key) else { return EndOutcome::Alone };
        statistics.matched += 1;
        match end_ns.checked_sub(open.begin_ns) {
            Some(latency_ns) => statistics.latencies.add(latency_ns),
            None => {
                statistics.backward += 1;
                statistics.largest_backward_ns = statistics.largest_backward_ns.max(open.begin_ns - end_ns);
            }
        }
        EndOutcome::Open(open)
    }

    /// Counts an end whose key was not open.
    fn count_alone(&mut self, key: Option<KeyRef<'_>>, end_ns: u64) {
        self.statistics.ends_alone += 1;
        if let Some(key) = key.filter(|_| self.ends_alone.len() < KEPT_ENDS) {
            self.ends_alone.push(Unmatched { keys: keep(key, &self.parts), timestamp_ns: end_ns });
        }
    }

    #[inline]
    fn step<F: SpanSink<Kept = T>>(
        &mut self,
        key: Option<KeyRef<'_>>,
        number: usize,
        entry: &Entry<'_>,
        sink: &mut F,
    ) {
        let statistics = &mut self.statistics;
        statistics.steps += 1;
        match key.map(|key| self.open.get(key)) {
            None => statistics.steps_without_key += 1,
            Some(None) => statistics.steps_alone += 1,
            Some(Some(open)) => {
                statistics.steps_within += 1;
                sink.step(number, open, entry);
            }
        }
    }

    /// What was asked for, with the keys that were found when it named none.
    pub fn description(&self) -> &PairDescription {
        &self.description
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

    /// Those that are open, in no order.
    pub fn open_spans(&self) -> impl Iterator<Item = &Open<T>> {
        self.open.iter().map(|(_, open)| open)
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
