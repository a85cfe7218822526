//! The engine that matches begin records with end records.

use super::binding::{KeyPart, bind, resolve_keys, unknown_event};
use super::description::{EventKeys, PairDescription};
use super::open::{BeginOutcome, KeyRef, Open, OpenTable, keep, key_of};
use super::pair_statistics::PairStatistics;
use super::plain::SchemaRole;
use super::spec::PairError;
use crate::entry::key::Key;
use crate::entry::{Dropped, Entry, Schema, Schemas};

/// The maximum number of unmatched end records that are stored with their keys.
pub const KEPT_ENDS: usize = 5;

/// The default limit on open begin records, for all pairs together. This number fills hash tables
/// of 2^20 slots, which use 27 MiB while they grow.
pub const DEFAULT_MAX_OPEN: usize = (1 << 20) / 8 * 7;

/// A receiver of the spans that a [`Pairing`] finds.
pub trait SpanSink {
    /// The data to store for a begin record. It is passed back with the end record.
    type Kept;

    /// Called when `entry` begins a span of `pair`. If the key was already open, `restarted` is the
    /// older begin record, whose span will not end.
    fn begin(&mut self, pair: usize, entry: &Entry<'_>, restarted: Option<Open<Self::Kept>>) -> Self::Kept;

    /// Called when `entry` ends the span that `begun` started. The end record can have an earlier
    /// time than the begin record.
    fn end(&mut self, pair: usize, begun: Open<Self::Kept>, entry: &Entry<'_>) {
        let _ = (pair, begun, entry);
    }

    /// Called when `entry` is a step in the span that `begun` started.
    fn step(&mut self, pair: usize, begun: &mut Open<Self::Kept>, entry: &Entry<'_>) {
        let _ = (pair, begun, entry);
    }
}

/// A sink that ignores spans, for callers that need only the statistics.
impl SpanSink for () {
    type Kept = ();

    #[inline]
    fn begin(&mut self, _: usize, _: &Entry<'_>, _: Option<Open<()>>) {}
}

/// Matches pairs of events. It stores a `T` for every begin record, and returns it with the end
/// record.
#[derive(Debug)]
pub struct Pairing<T> {
    pairs: Vec<Pair<T>>,
    dropped: Dropped,
    /// Roles by schema index; `None` for schemas that have not occurred yet.
    roles: Vec<Option<Box<[Role]>>>,
    /// The roles for [`Pairing::count_records`], by schema index.
    pub(super) plain_roles: Vec<SchemaRole>,
    key_buffer: Vec<u8>,
    /// Roles of the current record: `ended` contains those that ended a span, and `missed` the end
    /// roles that found no open span. A record with a missed role may still have ended a span of
    /// another pair.
    ended: Vec<usize>,
    missed: Vec<usize>,
}

/// The role of a schema's records in a pair.
#[derive(Debug, Clone)]
struct Role {
    pair: usize,
    action: Action,
    parts: Box<[KeyPart]>,
    /// True if the same record can also end a span of another pair, with the same key.
    is_shared: bool,
}

/// Actions of a record, in the order in which they are applied. See the module's documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Action {
    Step,
    End,
    Begin,
}

/// An action that a schema's records perform, and the positions of the key in such a record.
type Bound = (Action, Box<[KeyPart]>);

/// A pair of events, with open begin records and statistics.
#[derive(Debug)]
pub struct Pair<T> {
    description: PairDescription,
    open: OpenTable<T>,
    /// The positions of the key in a begin record. They determine how keys are displayed.
    parts: Box<[KeyPart]>,
    /// For each event, in the order of [`PairDescription::events`], whether it was found in a
    /// schema.
    known: Vec<bool>,
    statistics: PairStatistics,
    ends_alone: Vec<Unmatched>,
}

/// A begin record without an end record, or an end record without a begin record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmatched {
    /// The values of the key, in the order of the description.
    pub keys: Vec<Key>,
    /// The time, in nanoseconds of the trace's clock.
    pub timestamp_ns: u64,
}

enum EndOutcome<T> {
    Open(Open<T>),
    Alone,
    WithoutKey,
}

impl<T> Pairing<T> {
    /// Creates a matcher for `pairs`. Each pair can have `max_open` open begin records.
    pub fn new(pairs: impl IntoIterator<Item = PairDescription>, max_open: usize) -> Pairing<T> {
        let pairs = pairs.into_iter().map(|description| Pair {
            open: OpenTable::new(max_open),
            parts: Box::default(),
            known: vec![false; description.events().count()],
            statistics: PairStatistics::default(),
            ends_alone: Vec::new(),
            description,
        });
        Pairing::of(pairs.collect())
    }

    fn of(pairs: Vec<Pair<T>>) -> Pairing<T> {
        Pairing {
            pairs,
            dropped: Dropped::default(),
            roles: Vec::new(),
            plain_roles: Vec::new(),
            key_buffer: Vec::new(),
            ended: Vec::new(),
            missed: Vec::new(),
        }
    }

    /// Creates a matcher for the same pairs, without records. The same events are known.
    pub(super) fn sibling(&self) -> Pairing<T> {
        let pairs = self.pairs.iter().map(|pair| Pair {
            description: pair.description.clone(),
            open: OpenTable::new(0),
            parts: pair.parts.clone(),
            known: pair.known.clone(),
            statistics: PairStatistics::default(),
            ends_alone: Vec::new(),
        });
        Pairing::of(pairs.collect())
    }

    /// Returns whether the known events of the pairs are begin and end events whose keys have one part.
    pub(super) fn has_plain_keys(&self) -> bool {
        self.pairs.iter().all(|pair| {
            let (begins, ends) = (pair.description.begins.len(), pair.description.ends.len());
            let known =
                pair.description.events().zip(&pair.known).enumerate().filter(|(_, (_, known))| **known);
            known.into_iter().all(|(index, (event, _))| index < begins + ends && event.keys.len() == 1)
        })
    }

    /// Returns whether all events of pairs that `schema` declares are known.
    pub(super) fn expects(&self, schema: &Schema) -> bool {
        self.pairs.iter().all(|pair| {
            let events = pair.description.events().zip(&pair.known);
            events.into_iter().all(|(event, known)| *known || *event.event != *schema.name)
        })
    }

    /// Finds events and arguments in the schemas of the traces that will be processed. Events that
    /// a trace declares later are bound when they occur.
    ///
    /// # Errors
    /// Returns an error if declared events cannot be matched as described.
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

    /// Returns false if entries of this schema are known not to be part of a pair.
    #[inline]
    pub fn concerns(&self, schema_index: u32) -> bool {
        match self.roles.get(schema_index as usize) {
            Some(Some(roles)) => !roles.is_empty(),
            _ => true,
        }
    }

    /// Checks that every event of the pairs is known: it was bound, or it is in `schemas`, the
    /// schemas of all traces.
    ///
    /// # Errors
    /// Returns an error for the first unknown event, with suggestions of similar names.
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

    /// Processes an entry and passes spans to `sink`. A schema index must always refer to the same
    /// schema, as it does within one reader or merge.
    ///
    /// # Errors
    /// Returns an error if the entry is the first of an event that [`Pairing::bind`] did not find,
    /// and the event does not match its description.
    #[inline]
    pub fn count<F: SpanSink<Kept = T>>(&mut self, entry: &Entry<'_>, sink: &mut F) -> Result<(), PairError> {
        if self.dropped.count(entry) {
            return Ok(());
        }
        self.prepare(entry)?;
        let Some(roles) = self.roles[entry.schema_index as usize].as_deref() else { return Ok(()) };
        for (number, role) in roles.iter().enumerate() {
            let pair = &mut self.pairs[role.pair];
            let key = key_of(&role.parts, entry, &mut self.key_buffer);
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

    /// Counts end records that did not end a span of their own pair. They may have ended a span of
    /// another pair.
    fn resolve_shared_ends(&mut self, entry: &Entry<'_>) {
        let roles =
            self.roles.get(entry.schema_index as usize).and_then(Option::as_deref).unwrap_or_default();
        for role in self.missed.drain(..).filter_map(|number| roles.get(number)) {
            let pair = &mut self.pairs[role.pair];
            let is_same = |&number: &usize| roles.get(number).is_some_and(|other| other.parts == role.parts);
            // `--pair` considers only the two events of the pair itself.
            if !pair.description.named_by_events && self.ended.iter().any(is_same) {
                pair.statistics.ends_elsewhere += 1;
            } else if let Some(key) = key_of(&role.parts, entry, &mut self.key_buffer) {
                pair.count_alone(Some(key), entry.timestamp_ns);
            }
        }
        self.ended.clear();
    }

    /// Learns the roles of the schema of `entry`, unless they are known.
    pub(super) fn prepare(&mut self, entry: &Entry<'_>) -> Result<(), PairError> {
        if self.is_known(entry.schema_index) { Ok(()) } else { self.learn(entry) }
    }

    /// Returns whether the roles of a schema's records are known.
    pub(super) fn is_known(&self, schema_index: u32) -> bool {
        self.roles.get(schema_index as usize).is_some_and(Option::is_some)
    }

    /// Returns the only action of a schema's records, with its pair and its key, if there is only one.
    /// [`Pairing::prepare`] must have been called.
    pub(super) fn only_action(&self, schema_index: u32) -> Option<(usize, Action, &[KeyPart])> {
        match self.roles.get(schema_index as usize)?.as_deref()? {
            [role] => Some((role.pair, role.action, &role.parts)),
            _ => None,
        }
    }

    /// Returns the key of `entry` for [`Pairing::only_action`]. `buffer` is used for a long key.
    pub(super) fn only_key<'k>(&self, entry: &Entry<'_>, buffer: &'k mut Vec<u8>) -> Option<KeyRef<'k>> {
        key_of(self.only_action(entry.schema_index)?.2, entry, buffer)
    }

    pub(super) fn add_dropped(&mut self, dropped: Dropped) {
        self.dropped.add(dropped);
    }

    #[inline(always)]
    pub(super) fn pairs_mut(&mut self) -> &mut [Pair<T>] {
        &mut self.pairs
    }

    #[inline(always)]
    pub(super) fn pair_mut(&mut self, index: usize) -> &mut Pair<T> {
        &mut self.pairs[index]
    }

    /// Returns the pairs, in the order of their descriptions.
    pub fn pairs(&self) -> &[Pair<T>] {
        &self.pairs
    }

    /// Returns the events that the traces report as dropped.
    pub fn dropped(&self) -> Dropped {
        self.dropped
    }
}

impl<T> Pair<T> {
    fn found_among<'s>(&self, schemas: &'s Schemas) -> Vec<(u32, &'s Schema)> {
        let mut found: Vec<u32> =
            self.description.events().filter_map(|event| schemas.find(&event.event)).collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|index| (index, &**schemas.get(index))).collect()
    }

    /// Returns the actions that `schema`'s records perform, each with the positions of the key
    /// arguments in the record.
    fn bind(&mut self, schema: &Schema) -> Result<Vec<Bound>, PairError> {
        let actions = [
            (Action::Begin, self.description.begins.len()),
            (Action::End, self.description.ends.len()),
            (Action::Step, self.description.steps.len()),
        ];
        let actions = actions.into_iter().flat_map(|(action, count)| std::iter::repeat_n(action, count));
        let otherwise = match self.description.named_by_events {
            true => "if the events use different names, write ARG=ARG",
            false => "use the name that the argument has in this event",
        };
        let mut bound = Vec::new();
        for ((event, known), action) in self.description.events().zip(&mut self.known).zip(actions) {
            if *event.event == *schema.name {
                let is_new = !std::mem::replace(known, true);
                let parts = bind(&event.keys, schema, otherwise);
                let parts = parts.map_err(|error| error.at(event.location.as_ref()))?;
                if is_new && action == Action::Begin || self.parts.is_empty() {
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

    /// For a pair without keys, returns an error if both a begin event and an end event are known.
    /// They were declared separately; otherwise, [`resolve_keys`] would have determined the key.
    fn check_keys(&self) -> Result<(), PairError> {
        let description = &self.description;
        let first_known = |events: &[EventKeys], from: usize| {
            let position = self.known[from..].iter().take(events.len()).position(|&known| known)?;
            events.get(position).map(|event| event.event.clone())
        };
        let begin = first_known(&description.begins, 0);
        match (begin, first_known(&description.ends, description.begins.len())) {
            (Some(begin), Some(end)) => Err(PairError {
                message: format!(
                    "`{begin}` and `{end}` are not declared together, so the shared argument cannot be determined"
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
        statistics.count_matched(open.begin_ns, end_ns);
        EndOutcome::Open(open)
    }

    /// Adds a begin record whose key is one integer. Does nothing and returns false if the key is open
    /// already, or if there is no room.
    #[inline(always)]
    pub(super) fn try_begin_one(&mut self, key: u64, begin_ns: u64, kept: impl FnOnce() -> T) -> bool {
        let is_new = self.open.try_begin_one(key, || Open { begin_ns, kept: kept() });
        let statistics = &mut self.statistics;
        statistics.begins += u64::from(is_new);
        statistics.most_open = statistics.most_open.max(self.open.len() as u64);
        is_new
    }

    /// Removes the begin record whose key is one integer. Does nothing and returns `None` if there is none.
    #[inline(always)]
    pub(super) fn try_end_one(&mut self, key: u64, end_ns: u64) -> Option<Open<T>> {
        let open = self.open.try_end_one(key)?;
        self.statistics.ends += 1;
        self.statistics.count_matched(open.begin_ns, end_ns);
        Some(open)
    }

    /// Returns whether `more` begin records can be open in addition.
    pub(super) fn has_room_for(&self, more: u64) -> bool {
        self.open.has_room_for(more)
    }

    /// Removes the open begin record whose key is one integer, without counting.
    #[inline]
    pub(super) fn take_open(&mut self, key: u64) -> Option<Open<T>> {
        self.open.try_end_one(key)
    }

    /// Adds an open begin record whose key is one integer, which is not open, without counting.
    #[inline]
    pub(super) fn put_open(&mut self, key: u64, open: Open<T>) {
        self.open.try_begin_one(key, || open);
    }

    pub(super) fn statistics_mut(&mut self) -> &mut PairStatistics {
        &mut self.statistics
    }

    pub(super) fn count_alone(&mut self, key: Option<KeyRef<'_>>, end_ns: u64) {
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

    /// Returns the description. If it contained no keys, it includes those that were determined.
    pub fn description(&self) -> &PairDescription {
        &self.description
    }

    /// Returns the counts.
    pub fn statistics(&self) -> &PairStatistics {
        &self.statistics
    }

    /// Returns the first [`KEPT_ENDS`] end records without a begin record.
    pub fn ends_alone(&self) -> &[Unmatched] {
        &self.ends_alone
    }

    /// Returns whether one of [`Pair::ends_alone`] has the key of an earlier begin record that is still
    /// open. They are then of different traces, because they would match otherwise.
    pub fn has_ends_in_other_traces(&self) -> bool {
        let ends_open = |key, begin_ns| {
            let keys = keep(key, &self.parts);
            self.ends_alone.iter().any(|end| end.timestamp_ns >= begin_ns && end.keys == keys)
        };
        !self.ends_alone.is_empty() && self.open.iter().any(|(key, open)| ends_open(key, open.begin_ns))
    }

    /// Returns the number of open begin records.
    pub fn open_count(&self) -> usize {
        self.open.len()
    }

    /// Returns the open begin records in arbitrary order.
    pub fn open_spans(&self) -> impl Iterator<Item = &Open<T>> {
        self.open.iter().map(|(_, open)| open)
    }

    /// Returns up to `most` of the oldest open begin records, oldest first.
    pub fn oldest_open(&self, most: usize) -> Vec<Unmatched> {
        let mut oldest: Vec<(u64, KeyRef<'_>)> = Vec::with_capacity(most + 1);
        for (key, open) in self.open.iter() {
            let position = oldest.partition_point(|older| *older < (open.begin_ns, key));
            if position < most {
                oldest.truncate(most - 1);
                oldest.insert(position, (open.begin_ns, key));
            }
        }
        oldest
            .into_iter()
            .map(|(begin_ns, key)| Unmatched { keys: keep(key, &self.parts), timestamp_ns: begin_ns })
            .collect()
    }
}
