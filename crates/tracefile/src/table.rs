//! From the ids in records to schemas.

use std::collections::HashMap;

use ringtrace_wire::simpletrace::DROPPED_ID;

use crate::schema::{Schema, Schemas};

/// What an id stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// An event with this schema.
    Schema(u32),
    /// An event that no declarations tell of.
    Undeclared(String),
    /// No mapping and no position.
    Unknown,
}

/// Ids below this are looked up in an array; QEMU's are a few thousand. Larger ones, as ringtrace's own
/// (`thread << 32 | event`), in an array a thread.
const DENSE_IDS: u64 = 1 << 16;

/// The meaning of ids at one place of a trace: a mapping record changes it from there on.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Schema index + 1 by id, 0 where nothing is known; for threads in `pages`.
    dense: Vec<u32>,
    pages: HashMap<u32, Vec<u32>>,
    /// Ids that fit neither.
    sparse: HashMap<u64, u32>,
    undeclared: HashMap<u64, String>,
    /// Whether dropped records are events like others, of which nobody knows what they mean.
    no_dropped: bool,
    /// Counts changes of what an id that was known means, and of what became known.
    changes: u64,
}

impl Table {
    /// The schema of `id`, when all is well with it.
    #[inline(always)]
    pub fn schema(&self, id: u64) -> Option<u32> {
        match usize::try_from(id).ok().and_then(|id| self.dense.get(id)) {
            Some(&entry) if entry != 0 => Some(entry - 1),
            _ => self.schema_of_large(id),
        }
    }

    #[inline(never)]
    fn schema_of_large(&self, id: u64) -> Option<u32> {
        if id == DROPPED_ID && self.sparse.is_empty() && !self.no_dropped {
            return Some(Schema::DROPPED);
        }
        let page = self.pages.get(&((id >> 32) as u32));
        let entry = match page.and_then(|page| page.get(id as u32 as usize)) {
            Some(&entry) if entry != 0 => Some(entry),
            _ => self.sparse.get(&id).copied(),
        };
        match entry {
            Some(entry) => Some(entry - 1),
            None => (id == DROPPED_ID && !self.no_dropped && !self.undeclared.contains_key(&id))
                .then_some(Schema::DROPPED),
        }
    }

    /// From here on dropped records mean nothing, as for the reader of 2010.
    pub fn forget_dropped(&mut self) {
        self.no_dropped = true;
    }

    /// What `id` stands for, in full.
    pub fn known(&self, id: u64) -> Known {
        match (self.schema(id), self.undeclared.get(&id)) {
            (_, Some(name)) => Known::Undeclared(name.clone()),
            (Some(index), None) => Known::Schema(index),
            (None, None) => Known::Unknown,
        }
    }

    /// From here on `id` means the event called `name`.
    pub fn map(&mut self, id: u64, name: &str, schemas: &Schemas) {
        let before = self.known(id);
        match schemas.find(name) {
            Some(index) => {
                self.undeclared.remove(&id);
                self.set(id, index + 1);
            }
            None => {
                self.set(id, 0);
                self.undeclared.insert(id, name.to_owned());
            }
        }
        if self.known(id) != before {
            self.changes += 1;
        }
    }

    /// Numbers the declared events by their positions.
    pub fn number(&mut self, schemas: &Schemas, count_disabled: bool) {
        let counted = schemas.declared().filter(|(_, schema)| count_disabled || !schema.disabled);
        for (id, (index, _)) in (0..).zip(counted) {
            self.set(id, index + 1);
        }
        self.changes += 1;
    }

    /// Looks again for events whose declarations came after their mapping.
    pub fn resolve(&mut self, schemas: &Schemas) {
        let waiting: Vec<(u64, String)> = self.undeclared.drain().collect();
        for (id, name) in waiting {
            self.map(id, &name, schemas);
        }
        self.changes += 1;
    }

    /// A number that grows whenever an id changes its meaning.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    fn set(&mut self, id: u64, entry: u32) {
        let high = (id >> 32) as u32;
        let low = id & 0xffff_ffff;
        if low >= DENSE_IDS {
            self.sparse.insert(id, entry);
            if entry == 0 {
                self.sparse.remove(&id);
            }
            return;
        }
        let page = if high == 0 { &mut self.dense } else { self.pages.entry(high).or_default() };
        if page.len() <= low as usize {
            page.resize(low as usize + 1, 0);
        }
        page[low as usize] = entry;
    }
}
