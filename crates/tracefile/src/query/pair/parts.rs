//! Matching the records of the parts of a trace separately, and joining the results.
//!
//! Most spans begin and end in the same part. Their durations are counted in the part, but a span with the
//! same key may have been open before it. So a part lists its changes to the spans that are open before or
//! after it: all its begin records, and the end records whose span did not begin in the part. To join a
//! part, the changes are applied in order.

use std::collections::hash_map::Entry as Slot;

use ringtrace_wire::compact::{FewEvent, TakeFew};

use super::open::{KeyRef, Open};
use super::pair_statistics::PairStatistics;
use super::pairing::Pairing;
use super::plain::{PlainKey, PlainRole, SchemaRole};
use crate::entry::key::KeyMap;
use crate::entry::{Dropped, Entry};
use crate::read::table::Table;
use crate::read::visitor::{BlockRecords, ByDefinition, OrdinaryRecords};

/// Matches the records of a part.
#[derive(Debug)]
pub(crate) struct PartMatcher {
    /// The roles of schemas. Its tables of open begin records are not used.
    roles: Pairing<()>,
    /// The number of arguments of the schemas whose role is known, if all are integers.
    arguments: Vec<Option<usize>>,
    key_buffer: Vec<u8>,
    part: SpanPart,
}

/// The spans of a part of a trace.
#[derive(Debug, Default)]
pub(crate) struct SpanPart {
    changes: Vec<Change>,
    pairs: Vec<PartPair>,
    dropped: Dropped,
    /// Whether the part has a record that cannot be matched separately. Then the rest is incomplete.
    is_refused: bool,
}

/// The spans of a pair in a part.
#[derive(Debug, Default)]
struct PartPair {
    /// [`PairStatistics::most_open`] and `restarted` are for spans that begin in the part. `ends_alone` is not
    /// counted.
    statistics: PairStatistics,
    /// The begin records whose span has not ended, with their time and the index of their change.
    open: KeyMap<u64, (u64, usize)>,
}

/// A change to the spans that are open before or after a part.
#[derive(Debug, Clone, Copy)]
struct Change {
    key: u64,
    timestamp_ns: u64,
    /// The number of spans of the pair that began in the part and are open after this record.
    open: u32,
    pair: u16,
    kind: ChangeKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ChangeKind {
    /// Begins a span that is open at the end of the part.
    Begins,
    /// Begins a span that ends or is replaced in the part.
    Passes,
    /// Ends a span that did not begin in the part.
    Ends,
}

impl PartMatcher {
    /// Creates a matcher for the pairs of `pairing`. Returns `None` if some of its records cannot be matched
    /// separately.
    pub(crate) fn new(pairing: &Pairing<()>) -> Option<PartMatcher> {
        let is_possible = pairing.has_plain_keys() && u16::try_from(pairing.pairs().len()).is_ok();
        is_possible.then(|| PartMatcher::with(pairing))
    }

    fn with(pairing: &Pairing<()>) -> PartMatcher {
        let (roles, part) = (pairing.sibling(), SpanPart::default());
        PartMatcher { roles, arguments: Vec::new(), key_buffer: Vec::new(), part }
    }

    /// Returns a matcher for another part.
    pub(crate) fn sibling(&self) -> PartMatcher {
        PartMatcher::with(&self.roles)
    }

    /// Starts a part. `memory` is that of another one.
    pub(crate) fn restart(&mut self, memory: Option<SpanPart>) {
        let mut part = memory.unwrap_or_default();
        part.changes.clear();
        part.pairs.resize_with(self.roles.pairs().len(), PartPair::default);
        part.pairs.iter_mut().for_each(PartPair::clear);
        (part.dropped, part.is_refused) = Default::default();
        self.part = part;
    }

    /// Returns the spans of the part.
    pub(crate) fn take(&mut self) -> SpanPart {
        std::mem::take(&mut self.part)
    }

    /// Counts an entry.
    pub(crate) fn count(&mut self, entry: &Entry<'_>) {
        let PartMatcher { roles, key_buffer, part, .. } = self;
        if part.is_refused || part.dropped.count(entry) {
            return;
        }
        if !roles.is_known(entry.schema_index) {
            part.is_refused = !roles.expects(entry.schema) || roles.prepare(entry).is_err();
            if part.is_refused {
                return;
            }
        }
        match roles.plain_role(entry.schema_index, entry.schema) {
            SchemaRole::Irrelevant => {}
            SchemaRole::Plain(role) => match roles.only_key(entry, key_buffer) {
                Some(KeyRef::One(key)) => part.count(role, key, entry.timestamp_ns),
                _ => part.is_refused = true,
            },
            SchemaRole::Relevant | SchemaRole::Unknown => part.is_refused = true,
        }
        let index = entry.schema_index as usize;
        if self.arguments.len() <= index {
            self.arguments.resize(index + 1, None);
        }
        self.arguments[index] = entry.schema.integer_bytes.map(|bytes| bytes / 8);
    }

    /// Counts the records at the start of `records`, and skips them. Passes the time of each to `counted`.
    /// Stops at the first record that must be passed to [`PartMatcher::count`].
    #[inline]
    pub(crate) fn count_records(&mut self, records: &mut OrdinaryRecords<'_>, counted: impl FnMut(u64)) {
        let PartMatcher { roles, part, .. } = self;
        roles.match_records(
            records,
            |_, role, record| match role.key(record) {
                Some(key) => {
                    part.count(role, key, record.timestamp_ns);
                    true
                }
                None => false,
            },
            counted,
        );
    }

    /// Counts records of a compact trace while they are decoded, like [`PartMatcher::count_records`].
    pub(crate) fn count_block(&mut self, records: &mut BlockRecords<'_, '_>, counted: impl FnMut(u64)) {
        let table = records.table();
        let PartMatcher { roles, arguments, part, .. } = self;
        let mut taken = PartBlock {
            roles,
            arguments,
            part,
            table,
            definitions: ByDefinition::default(),
            counted,
            records: 0,
        };
        records.take_while(&mut taken, |taken| taken.records);
    }
}

impl SpanPart {
    #[inline(always)]
    fn count(&mut self, role: PlainRole, key: u64, timestamp_ns: u64) {
        let index = self.changes.len();
        let pair = &mut self.pairs[role.pair as usize];
        let statistics = &mut pair.statistics;
        let kind = if role.is_begin {
            statistics.begins += 1;
            match pair.open.entry(key) {
                Slot::Occupied(mut slot) => {
                    statistics.restarted += 1;
                    let (_, before) = slot.insert((timestamp_ns, index));
                    self.changes[before].kind = ChangeKind::Passes;
                }
                Slot::Vacant(slot) => {
                    slot.insert((timestamp_ns, index));
                }
            }
            statistics.most_open = statistics.most_open.max(pair.open.len() as u64);
            ChangeKind::Begins
        } else {
            statistics.ends += 1;
            if let Some((begin_ns, index)) = pair.open.remove(&key) {
                statistics.count_matched(begin_ns, timestamp_ns);
                self.changes[index].kind = ChangeKind::Passes;
                return;
            }
            ChangeKind::Ends
        };
        let (open, pair) = (pair.open.len() as u32, role.pair as u16);
        self.changes.push(Change { key, timestamp_ns, open, pair, kind });
    }
}

impl PartPair {
    /// Removes everything, but keeps the memory.
    fn clear(&mut self) {
        self.statistics.clear();
        self.open.clear();
    }
}

impl Pairing<()> {
    /// Adds the spans of the part after the records that were counted. Returns false, and changes nothing, if
    /// its records must be passed to [`Pairing::count`] instead.
    pub(crate) fn append(&mut self, part: &SpanPart) -> bool {
        let has_room = self
            .pairs()
            .iter()
            .zip(&part.pairs)
            .all(|(pair, part)| pair.has_room_for(part.statistics.most_open));
        if part.is_refused || !has_room {
            return false;
        }
        self.add_dropped(part.dropped);
        // The numbers of spans that were open before the part, and are still open.
        let mut before: Vec<u64> = self.pairs().iter().map(|pair| pair.open_count() as u64).collect();
        for change in &part.changes {
            let pair = self.pair_mut(change.pair.into());
            let before = &mut before[usize::from(change.pair)];
            match (change.kind, pair.take_open(change.key)) {
                (ChangeKind::Ends, None) => {
                    pair.count_alone(Some(KeyRef::One(change.key)), change.timestamp_ns);
                }
                (ChangeKind::Ends, Some(open)) => {
                    *before -= 1;
                    pair.statistics_mut().count_matched(open.begin_ns, change.timestamp_ns);
                }
                (_, found) => {
                    if found.is_some() {
                        *before -= 1;
                        pair.statistics_mut().restarted += 1;
                    }
                    let statistics = pair.statistics_mut();
                    statistics.most_open = statistics.most_open.max(*before + u64::from(change.open));
                }
            }
            if change.kind == ChangeKind::Begins {
                pair.put_open(change.key, Open { begin_ns: change.timestamp_ns, kept: () });
            }
        }
        for (index, part) in part.pairs.iter().enumerate() {
            self.pair_mut(index).statistics_mut().append(&part.statistics);
        }
        true
    }
}

/// The role of the records with a definition of a block.
#[derive(Debug, Clone, Copy)]
struct DefinitionRole {
    /// The number of arguments according to the declaration.
    arguments: usize,
    /// The role, and where the key is; `None` if the records are of no pair.
    role: Option<(PlainRole, BlockKey)>,
}

/// The key of the records with a definition.
#[derive(Debug, Clone, Copy)]
enum BlockKey {
    Argument(usize),
    Same(u64),
}

/// Counts the records of a block.
struct PartBlock<'p, F> {
    roles: &'p Pairing<()>,
    arguments: &'p [Option<usize>],
    part: &'p mut SpanPart,
    table: &'p Table,
    definitions: ByDefinition<DefinitionRole>,
    counted: F,
    records: u64,
}

impl<F> PartBlock<'_, F> {
    #[cold]
    #[inline(never)]
    fn find(&mut self, definition: usize, (id, pid): (u64, u32)) -> Option<DefinitionRole> {
        let schema_index = self.table.schema(id)?;
        let arguments = (*self.arguments.get(schema_index as usize)?)?;
        let role = match *self.roles.plain_roles.get(schema_index as usize)? {
            SchemaRole::Irrelevant => None,
            SchemaRole::Plain(role) => {
                let key = match role.key {
                    PlainKey::Argument(index) => BlockKey::Argument(index.into()),
                    PlainKey::Pid => BlockKey::Same(pid.into()),
                    PlainKey::Tid => BlockKey::Same(self.table.thread(id)?.into()),
                };
                Some((role, key))
            }
            SchemaRole::Relevant | SchemaRole::Unknown => return None,
        };
        let found = DefinitionRole { arguments, role };
        self.definitions.insert(definition, found);
        Some(found)
    }
}

impl<F: FnMut(u64)> TakeFew for PartBlock<'_, F> {
    #[inline(always)]
    fn take<const N: usize>(&mut self, event: FewEvent<'_>, timestamp_ns: u64, values: &[u64; N]) -> bool {
        let found = match self.definitions.get(event.definition) {
            Some(&found) => Some(found),
            None => self.find(event.definition, event.ids()),
        };
        // The declaration can have another number of arguments than the record.
        let Some(DefinitionRole { role, .. }) = found.filter(|found| found.arguments == N) else {
            return false;
        };
        if let Some((role, key)) = role {
            let key = match key {
                BlockKey::Argument(index) => match values.get(index) {
                    Some(&key) => key,
                    None => return false,
                },
                BlockKey::Same(key) => key,
            };
            self.part.count(role, key, timestamp_ns);
        }
        (self.counted)(timestamp_ns);
        self.records += 1;
        true
    }
}
