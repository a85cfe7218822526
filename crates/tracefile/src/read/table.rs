//! The table that maps event ids to schemas.

use std::sync::Arc;

use ringtrace_wire::simpletrace::DROPPED_ID;

use crate::entry::key::KeyMap;
use crate::entry::{Schema, Schemas};

/// The meaning of an event id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdMeaning {
    /// An event with this schema.
    Schema(u32),
    /// An event with this name, which is not declared.
    Undeclared(String),
    /// An id that has neither a mapping record nor a position.
    Unknown,
}

/// Ids below this limit are looked up in an array; QEMU has a few thousand. Larger ids, which other
/// writers may use, are looked up in one array for each value of the id's upper half.
const DENSE_IDS: u64 = 1 << 16;

/// The bits of an id that hold the thread, in traces whose ids contain one. The other bits are the
/// event. Ids with the highest bit set are not events.
const THREAD_BITS: u64 = 0x7fff_ffff << 32;

/// The limit for the total size of the arrays for all upper halves: a fixed number of elements, and
/// some more for each mapping record. Without the limit, a small file could cause the allocation of
/// one array per id. Ids beyond the limit are looked up by hash.
const PAGE_PLACES: usize = 1 << 18;
const PAGE_PLACES_PER_MAPPING: usize = 16;

/// The approximate size of an id that is looked up by hash, in bytes.
const HASHED_BYTES: usize = 64;

/// The meaning of ids at a position in a trace. Later mapping records may change it.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The bits of an id that do not select the event.
    thread_bits: u64,
    /// Schema index + 1 by id, or 0 for unknown ids. Larger ids are in `pages`.
    dense: Vec<u32>,
    pages: KeyMap<u32, Vec<u32>>,
    /// The total size of the arrays in `pages`, and the limit for it.
    page_places: usize,
    allowed_page_places: usize,
    /// Ids that are neither in `dense` nor in `pages`.
    sparse: KeyMap<u64, u32>,
    undeclared: KeyMap<u64, Arc<str>>,
    /// The ids that were mapped to undeclared names. Some of them may have been mapped again since.
    waiting: KeyMap<Arc<str>, Vec<u64>>,
    has_large: bool,
    /// Whether the id of dropped records has no special meaning.
    no_dropped: bool,
    /// The number of times that a known or new id got a different meaning.
    changes: u64,
    /// The number of times that an id with a schema got a different meaning.
    renamings: u64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Lookup<'t> {
    dense: &'t [u32],
    event_bits: u64,
    table: &'t Table,
}

impl Lookup<'_> {
    #[inline(always)]
    pub(crate) fn schema(&self, id: u64) -> Option<u32> {
        let place = usize::try_from(id & self.event_bits);
        let entry = match place.ok().and_then(|place| self.dense.get(place)) {
            Some(&entry) if entry != 0 => entry,
            _ => self.table.large(id),
        };
        entry.checked_sub(1)
    }
}

impl Table {
    /// Returns the schema of `id`, if known.
    #[inline(always)]
    pub fn schema(&self, id: u64) -> Option<u32> {
        self.lookup().schema(id)
    }

    #[inline(always)]
    pub(crate) fn lookup(&self) -> Lookup<'_> {
        Lookup { dense: &self.dense, event_bits: !self.thread_bits, table: self }
    }

    /// Returns the part of `id` that selects the event.
    #[inline(always)]
    pub(crate) fn key(&self, id: u64) -> u64 {
        if id >> 63 == 0 { id & !self.thread_bits } else { id }
    }

    pub(crate) fn thread_bits(&self) -> u64 {
        self.thread_bits
    }

    #[inline(always)]
    pub(crate) fn thread(&self, id: u64) -> Option<u32> {
        let thread = (id & self.thread_bits) >> 32;
        (thread != 0 && id >> 63 == 0).then_some(thread as u32)
    }

    /// Declares that ids in the following records contain the thread, so that a mapping in one
    /// thread applies to all threads. If larger ids were mapped before, each id retains a separate
    /// meaning.
    pub(crate) fn carry_threads(&mut self) {
        if !self.has_large && self.thread_bits == 0 {
            self.thread_bits = THREAD_BITS;
            self.changes += 1;
        }
    }

    /// Returns schema index + 1 of an id that is not in `dense`, or 0 if it is unknown.
    #[inline(never)]
    fn large(&self, id: u64) -> u32 {
        let id = self.key(id);
        let page = self.pages.get(&((id >> 32) as u32));
        let entry = match page.and_then(|page| page.get(id as u32 as usize)) {
            Some(&entry) if entry != 0 => Some(entry),
            _ => self.sparse.get(&id).copied(),
        };
        match entry {
            Some(entry) => entry,
            None if id == DROPPED_ID && !self.no_dropped && !self.undeclared.contains_key(&id) => {
                Schema::DROPPED + 1
            }
            None => 0,
        }
    }

    /// Removes the special meaning of the id of dropped records, which the reader of 2010 does not
    /// support.
    pub(crate) fn forget_dropped(&mut self) {
        self.no_dropped = true;
    }

    /// Returns whether `id` is an event, declared or not.
    pub fn is_named(&self, id: u64) -> bool {
        self.schema(id).is_some() || self.undeclared.contains_key(&self.key(id))
    }

    /// Returns the meaning of `id`.
    pub fn meaning(&self, id: u64) -> IdMeaning {
        match (self.schema(id), self.undeclared.get(&self.key(id))) {
            (_, Some(name)) => IdMeaning::Undeclared(name.to_string()),
            (Some(index), None) => IdMeaning::Schema(index),
            (None, None) => IdMeaning::Unknown,
        }
    }

    /// Returns the ids of all events, and their schemas. Undeclared events have none.
    pub(crate) fn events(&self) -> impl Iterator<Item = (u64, Option<u32>)> {
        let dense = (0..).zip(&self.dense);
        let pages = self.pages.iter();
        let pages = pages.flat_map(|(&high, page)| (u64::from(high) << 32..).zip(page));
        let sparse = self.sparse.iter().map(|(&id, entry)| (id, entry));
        let known = dense.chain(pages).chain(sparse).filter(|&(_, &entry)| entry != 0);
        known
            .map(|(id, &entry)| (id, entry.checked_sub(1)))
            .chain(self.undeclared.keys().map(|&id| (id, None)))
    }

    /// Returns whether `id` already means the event `name`.
    pub(crate) fn has(&self, id: u64, name: &str, schemas: &Schemas) -> bool {
        let index = self.schema(id);
        index.is_some() && index == schemas.find(name) && !self.undeclared.contains_key(&self.key(id))
    }

    pub(crate) fn map(&mut self, id: u64, name: &str, schemas: &Schemas) {
        self.has_large |= id > u64::from(u32::MAX);
        let id = self.key(id);
        self.allowed_page_places += PAGE_PLACES_PER_MAPPING;
        let before = self.meaning(id);
        match schemas.find(name) {
            Some(index) => {
                self.undeclared.remove(&id);
                self.set(id, index + 1);
            }
            None if self.undeclared.get(&id).is_some_and(|known| **known == *name) => return,
            None => {
                self.set(id, 0);
                self.add_undeclared(id, name);
            }
        }
        if self.meaning(id) != before {
            self.changes += 1;
            self.renamings += u64::from(matches!(before, IdMeaning::Schema(_)));
        }
    }

    fn add_undeclared(&mut self, id: u64, name: &str) {
        let name = match self.waiting.get_key_value(name) {
            Some((known, _)) => Arc::clone(known),
            None => Arc::from(name),
        };
        self.waiting.entry(Arc::clone(&name)).or_default().push(id);
        self.undeclared.insert(id, name);
    }

    /// Assigns ids to the declared events by position.
    pub(crate) fn number(&mut self, schemas: &Schemas, count_disabled: bool) {
        let counted = schemas.declared().filter(|(_, schema)| count_disabled || !schema.disabled);
        for (id, (index, _)) in (0..).zip(counted) {
            self.set(id, index + 1);
        }
        self.changes += 1;
    }

    /// Updates the ids that were mapped to the event `name` before it was declared.
    pub(crate) fn resolve(&mut self, name: &str, schemas: &Schemas) {
        for id in self.waiting.remove(name).unwrap_or_default() {
            if self.undeclared.get(&id).is_some_and(|known| **known == *name) {
                self.map(id, name, schemas);
            }
        }
        self.changes += 1;
    }

    /// Returns a number that increases whenever an id changes its meaning.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// Returns a number that increases whenever an id with a schema changes its meaning. While it
    /// stays the same, the table of a later position is valid for an earlier one.
    pub(crate) fn renamings(&self) -> u64 {
        self.renamings
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<u32>() * (self.dense.len() + self.page_places)
            + HASHED_BYTES * (self.sparse.len() + self.undeclared.len())
    }

    fn set(&mut self, id: u64, entry: u32) {
        let (high, low) = ((id >> 32) as u32, id & 0xffff_ffff);
        match usize::try_from(low) {
            Ok(place) if low < DENSE_IDS && self.has_place(high, place, entry) => {
                let page = if high == 0 { &mut self.dense } else { self.pages.entry(high).or_default() };
                if page.len() <= place {
                    page.resize(place + 1, 0);
                }
                page[place] = entry;
                self.sparse.remove(&id);
            }
            _ if entry == 0 => drop(self.sparse.remove(&id)),
            _ => drop(self.sparse.insert(id, entry)),
        }
    }

    /// Returns whether the array for `high` contains `place`, or may grow to store a nonzero
    /// `entry`.
    fn has_place(&mut self, high: u32, place: usize, entry: u32) -> bool {
        if high == 0 {
            return true;
        }
        let missing = (place + 1).saturating_sub(self.pages.get(&high).map_or(0, Vec::len));
        if missing == 0 {
            return true;
        }
        let places = self.page_places + missing;
        if entry == 0 || places > PAGE_PLACES + self.allowed_page_places {
            return false;
        }
        self.page_places = places;
        true
    }
}

#[cfg(test)]
mod tests {
    use ringtrace_events::SourceFile;
    use ringtrace_events::ctype::StringRule;
    use ringtrace_events::parse::{Dialect, parse};

    use super::*;

    fn schemas(declarations: &str) -> Schemas {
        let parsed = parse(vec![SourceFile::new("test", declarations)], Dialect::Read);
        Schemas::new(&parsed.declarations, StringRule::OneStar)
    }

    #[test]
    fn ids_of_many_threads_need_limited_memory() {
        let schemas = schemas("first(void)\nlast(void)\n");
        let mut table = Table::default();
        let ids = |thread: u64| [thread << 32 | 7, thread << 32 | 0xffff, thread << 32 | 0x10000];
        for thread in 1..2000 {
            for id in ids(thread) {
                table.map(id, "first", &schemas);
            }
        }
        let places: usize = table.pages.values().map(Vec::capacity).sum();
        assert!(places < 2 * (PAGE_PLACES + 6000 * PAGE_PLACES_PER_MAPPING), "{places}");
        for id in (1..2000).flat_map(ids) {
            assert_eq!(table.schema(id), Some(1), "{id:#x}");
            table.map(id, "last", &schemas);
            assert_eq!(table.schema(id), Some(2), "{id:#x}");
            table.map(id, "unheard_of", &schemas);
            assert_eq!(table.schema(id), None, "{id:#x}");
        }
    }

    #[test]
    fn a_mapping_applies_to_all_threads_if_ids_contain_threads() {
        let schemas = schemas("first(void)\nlast(void)\n");
        let mut table = Table::default();
        table.carry_threads();
        table.map(7 << 32 | 3, "first", &schemas);
        table.map(7 << 32 | 0x10003, "last", &schemas);
        table.map(7 << 32 | 4, "unheard_of", &schemas);
        let changes = table.changes();
        for thread in [0, 7, 8, 0x7fff_ffff] {
            assert_eq!(table.schema(thread << 32 | 3), Some(1));
            assert_eq!(table.schema(thread << 32 | 0x10003), Some(2));
            assert_eq!(table.meaning(thread << 32 | 4), IdMeaning::Undeclared("unheard_of".into()));
            table.map(thread << 32 | 3, "first", &schemas);
            assert!(table.has(thread << 32 | 3, "first", &schemas));
        }
        assert_eq!(table.changes(), changes, "no meaning changed");
        assert_eq!(table.meaning(DROPPED_ID), IdMeaning::Schema(Schema::DROPPED));
        assert_eq!(table.meaning(1 << 63 | 3), IdMeaning::Unknown);
    }

    #[test]
    fn ids_mapped_before_threads_are_announced_keep_their_meaning() {
        let schemas = schemas("first(void)\nlast(void)\n");
        let mut table = Table::default();
        table.map(7 << 32 | 3, "first", &schemas);
        table.carry_threads();
        table.map(8 << 32 | 3, "last", &schemas);
        let known: Vec<Option<u32>> = [7, 8, 9].map(|thread| table.schema(thread << 32 | 3)).into();
        assert_eq!(known, [Some(1), Some(2), None]);
    }

    #[test]
    fn the_id_of_dropped_records_can_be_mapped_like_any_other() {
        let schemas = schemas("first(void)\n");
        let mut table = Table::default();
        assert_eq!(table.meaning(DROPPED_ID), IdMeaning::Schema(Schema::DROPPED));
        table.map(DROPPED_ID, "undeclared", &schemas);
        assert_eq!((table.schema(DROPPED_ID), table.is_named(DROPPED_ID)), (None, true));
        table.map(DROPPED_ID, "first", &schemas);
        assert_eq!(table.schema(DROPPED_ID), Some(1));
    }

    #[test]
    fn an_event_declared_late_gets_the_ids_mapped_before() {
        let mut table = Table::default();
        for (id, name) in
            [(1, "late"), (2, "late"), (3, "never"), (2, "never"), (5 << 40, "late"), (1, "late")]
        {
            table.map(id, name, &schemas(""));
        }
        let changes = table.changes();
        table.resolve("late", &schemas("late(void)\n"));
        assert!(table.changes() > changes);
        let known: Vec<IdMeaning> = [1, 2, 3, 5 << 40].map(|id| table.meaning(id)).into();
        let never = IdMeaning::Undeclared("never".into());
        assert_eq!(known, [IdMeaning::Schema(1), never.clone(), never, IdMeaning::Schema(1)]);
    }
}
