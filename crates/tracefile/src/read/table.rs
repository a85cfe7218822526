//! From the ids in records to schemas.

use std::sync::Arc;

use ringtrace_wire::simpletrace::DROPPED_ID;

use crate::entry::key::KeyMap;
use crate::entry::{Schema, Schemas};

/// What an id stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdMeaning {
    /// An event with this schema.
    Schema(u32),
    /// An event that no declarations tell of.
    Undeclared(String),
    /// No mapping and no position.
    Unknown,
}

/// Ids below this are looked up in an array; QEMU's are a few thousand. Larger ones, as other writers might make them, in an
/// array for each upper half.
const DENSE_IDS: u64 = 1 << 16;

/// In traces whose ids carry the thread, the bits of an id that are the thread: the others alone say what event it is. Ids
/// with the highest bit are no event's.
const THREAD_BITS: u64 = 0x7fff_ffff << 32;

/// The arrays of all upper halves together have this many places, and more for every id that is mapped: a few bytes of a file
/// must not ask for an array each. Ids that have no place are looked up by hash.
const PAGE_PLACES: usize = 1 << 18;
const PAGE_PLACES_PER_MAPPING: usize = 16;

/// What an id takes that is looked up by hash, about.
const HASHED_BYTES: usize = 64;

/// The meaning of ids at one place of a trace: a mapping record changes it from there on.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The bits of an id that do not matter here.
    thread_bits: u64,
    /// Schema index + 1 by id, 0 where nothing is known; of larger ids in `pages`.
    dense: Vec<u32>,
    pages: KeyMap<u32, Vec<u32>>,
    /// How many places `pages` has, and may have.
    page_places: usize,
    allowed_page_places: usize,
    /// Ids that fit neither.
    sparse: KeyMap<u64, u32>,
    undeclared: KeyMap<u64, Arc<str>>,
    /// The ids that were mapped to names of no declared event. Some may have got another meaning since.
    waiting: KeyMap<Arc<str>, Vec<u64>>,
    /// Whether an id beyond `u32` was mapped.
    has_large: bool,
    /// Whether dropped records are events like others, of which nobody knows what they mean.
    no_dropped: bool,
    /// Counts changes of what an id that was known means, and of what became known.
    changes: u64,
    /// Counts changes of what an id that had a schema means.
    renamings: u64,
}

/// A [`Table`] with what most lookups need at hand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lookup<'t> {
    dense: &'t [u32],
    event_bits: u64,
    table: &'t Table,
}

impl Lookup<'_> {
    /// The schema of `id`, when all is well with it.
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
    /// The schema of `id`, when all is well with it.
    #[inline(always)]
    pub fn schema(&self, id: u64) -> Option<u32> {
        self.lookup().schema(id)
    }

    /// The table for a loop that looks up many ids.
    #[inline(always)]
    pub(crate) fn lookup(&self) -> Lookup<'_> {
        Lookup { dense: &self.dense, event_bits: !self.thread_bits, table: self }
    }

    /// What of `id` says what event it is.
    #[inline(always)]
    pub(crate) fn key(&self, id: u64) -> u64 {
        if id >> 63 == 0 { id & !self.thread_bits } else { id }
    }

    /// The bits of an id that are the thread, and do not say what event it is.
    pub(crate) fn thread_bits(&self) -> u64 {
        self.thread_bits
    }

    /// The thread that `id` carries beside what says what event it is.
    #[inline(always)]
    pub(crate) fn thread(&self, id: u64) -> Option<u32> {
        let thread = (id & self.thread_bits) >> 32;
        (thread != 0 && id >> 63 == 0).then_some(thread as u32)
    }

    /// From here on ids carry the thread: an event that is mapped in one thread is known in all. Where ids were mapped before
    /// this was said, each keeps its own meaning.
    pub(crate) fn carry_threads(&mut self) {
        if !self.has_large && self.thread_bits == 0 {
            self.thread_bits = THREAD_BITS;
            self.changes += 1;
        }
    }

    /// Schema index + 1 of an id that is not in `dense`, 0 where nothing is known.
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

    /// From here on dropped records mean nothing, as for the reader of 2010.
    pub(crate) fn forget_dropped(&mut self) {
        self.no_dropped = true;
    }

    /// Whether `id` stands for an event, be it declared or not.
    pub fn is_named(&self, id: u64) -> bool {
        self.schema(id).is_some() || self.undeclared.contains_key(&self.key(id))
    }

    /// What `id` stands for, in full.
    pub fn meaning(&self, id: u64) -> IdMeaning {
        match (self.schema(id), self.undeclared.get(&self.key(id))) {
            (_, Some(name)) => IdMeaning::Undeclared(name.to_string()),
            (Some(index), None) => IdMeaning::Schema(index),
            (None, None) => IdMeaning::Unknown,
        }
    }

    /// Whether `id` means the event called `name` already.
    pub(crate) fn has(&self, id: u64, name: &str, schemas: &Schemas) -> bool {
        let index = self.schema(id);
        index.is_some() && index == schemas.find(name) && !self.undeclared.contains_key(&self.key(id))
    }

    /// From here on `id` means the event called `name`.
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
                self.wait_for(id, name);
            }
        }
        if self.meaning(id) != before {
            self.changes += 1;
            self.renamings += u64::from(matches!(before, IdMeaning::Schema(_)));
        }
    }

    fn wait_for(&mut self, id: u64, name: &str) {
        let name = match self.waiting.get_key_value(name) {
            Some((known, _)) => Arc::clone(known),
            None => Arc::from(name),
        };
        self.waiting.entry(Arc::clone(&name)).or_default().push(id);
        self.undeclared.insert(id, name);
    }

    /// Numbers the declared events by their positions.
    pub(crate) fn number(&mut self, schemas: &Schemas, count_disabled: bool) {
        let counted = schemas.declared().filter(|(_, schema)| count_disabled || !schema.disabled);
        for (id, (index, _)) in (0..).zip(counted) {
            self.set(id, index + 1);
        }
        self.changes += 1;
    }

    /// Looks again for ids that were mapped to the event called `name`, which was declared only now.
    pub(crate) fn resolve(&mut self, name: &str, schemas: &Schemas) {
        for id in self.waiting.remove(name).unwrap_or_default() {
            if self.undeclared.get(&id).is_some_and(|known| **known == *name) {
                self.map(id, name, schemas);
            }
        }
        self.changes += 1;
    }

    /// A number that grows whenever an id changes its meaning.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// A number that grows whenever an id that stood for an event stands for another. While it stays, the table
    /// of a later place is right for an earlier one too.
    pub(crate) fn renamings(&self) -> u64 {
        self.renamings
    }

    /// About how many bytes a copy of it takes.
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

    /// Whether the array of `high` has a place of this number, or may get it for an `entry` that says something.
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
    fn ids_of_many_threads_take_no_memory_out_of_proportion() {
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
    fn what_an_id_means_in_one_thread_it_means_in_all_if_ids_carry_threads() {
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
        assert_eq!(table.changes(), changes, "nothing new was said");
        assert_eq!(table.meaning(DROPPED_ID), IdMeaning::Schema(Schema::DROPPED));
        assert_eq!(table.meaning(1 << 63 | 3), IdMeaning::Unknown);
    }

    #[test]
    fn ids_that_were_mapped_before_threads_are_announced_keep_their_meaning() {
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
    fn an_event_that_is_declared_late_gets_the_ids_that_wait_for_it() {
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
