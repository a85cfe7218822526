//! Takes records of compact traces while they are decoded.
//!
//! They become rows when their whole block has been decoded, because it may be invalid.

use ringtrace_wire::compact::{FewEvent, TakeFew};

use super::{Collector, EventState, Place, Sink};
use crate::columns::owners::Owners;
use crate::columns::taken_rows::TakenRows;
use crate::read::table::Table;
use crate::read::visitor::{BlockRecords, ByDefinition};

/// The records of a block that were taken.
#[derive(Debug, Default)]
pub(super) struct TakenRecords {
    /// The events. The first `used` of them are those of the block; the others keep memory.
    events: Vec<TakenRows>,
    used: usize,
    /// How records are taken, by definition.
    definitions: ByDefinition<Taking>,
}

/// How the records with a definition are taken.
#[derive(Debug, Clone, Copy)]
enum Taking {
    /// The request does not select them.
    Skip,
    /// They are those of this owner, and of the event with this index.
    Rows { owner: u32, event: usize },
}

/// The limit for the memory that is kept for other blocks, in bytes. It suffices for blocks of the usual size.
const KEPT_BYTES: usize = 8 << 20;

impl TakenRecords {
    /// Returns the index of an event. Adds it if the block has no record of it so far.
    fn event(&mut self, schema_index: u32, arguments: usize, wants_numbers: bool) -> usize {
        let used = &self.events[..self.used];
        if let Some(index) = used.iter().position(|rows| rows.schema_index == schema_index) {
            return index;
        }
        if self.events.len() == self.used {
            self.events.push(TakenRows::default());
        }
        self.events[self.used].restart(schema_index, arguments, wants_numbers);
        self.used += 1;
        self.used - 1
    }

    /// Forgets the records.
    fn clear(&mut self) {
        self.used = 0;
        if self.events.iter().map(TakenRows::held_bytes).sum::<usize>() > KEPT_BYTES {
            self.events.clear();
        }
    }
}

/// Takes the records of a block.
struct TakingBlock<'c> {
    states: &'c [EventState],
    owners: &'c mut Owners,
    table: &'c Table,
    from_ns: u64,
    to_ns: u64,
    taken: &'c mut TakenRecords,
    /// The number of the first record.
    first: u64,
    /// The number of taken records.
    count: u64,
}

impl TakingBlock<'_> {
    /// Determines how the records of a definition with these ids and this number of arguments are taken.
    /// `None` if they must be passed to [`Collector::entry`] or [`Collector::fast_path`].
    #[cold]
    #[inline(never)]
    fn find(&mut self, definition: usize, (id, pid): (u64, u32), arguments: usize) -> Option<Taking> {
        let schema_index = self.table.schema(id)?;
        let found = match self.states.get(schema_index as usize)? {
            EventState::Unknown | EventState::Wanted { rows: None, .. } => return None,
            EventState::Unwanted { .. } => Taking::Skip,
            EventState::Wanted { rows: Some(rows), .. } => {
                let owner = self.owners.of_id(id, pid)?;
                if !self.owners.is_selected(owner) {
                    Taking::Skip
                } else if rows.has_integers(arguments) {
                    let event = self.taken.event(schema_index, arguments, rows.rows.wants_numbers());
                    Taking::Rows { owner, event }
                } else {
                    return None;
                }
            }
        };
        self.taken.definitions.insert(definition, found);
        Some(found)
    }
}

impl TakeFew for TakingBlock<'_> {
    #[inline(always)]
    fn take<const N: usize>(&mut self, event: FewEvent<'_>, timestamp_ns: u64, values: &[u64; N]) -> bool {
        let found = match self.taken.definitions.get(event.definition) {
            Some(&found) => found,
            None => match self.find(event.definition, event.ids(), N) {
                Some(found) => found,
                None => return false,
            },
        };
        if let Taking::Rows { owner, event } = found
            && timestamp_ns >= self.from_ns
            && timestamp_ns <= self.to_ns
            && let Some(rows) = self.taken.events.get_mut(event)
        {
            rows.push(owner, self.first + self.count, timestamp_ns, values);
        }
        self.count += 1;
        true
    }
}

impl Collector {
    /// Returns whether [`Collector::take_block`] can take any records.
    pub fn takes_blocks(&self) -> bool {
        self.is_simple && self.request.tables.each_event && self.events.is_none()
    }

    /// Takes records of a few integers at the start of `records` while they are decoded.
    /// [`Collector::end_block`] must follow, before other records.
    pub fn take_block(&mut self, records: &mut BlockRecords<'_, '_>) {
        if !self.takes_blocks() || !self.owners.match_context(records) {
            return;
        }
        let Self { states, owners, taken, from_ns, to_ns, .. } = self;
        taken.definitions.clear();
        let (from_ns, to_ns) = (*from_ns, *to_ns);
        let (table, first) = (records.table(), records.number());
        let mut taking = TakingBlock { states, owners, table, from_ns, to_ns, taken, first, count: 0 };
        records.take_while(&mut taking, |taking| taking.count);
    }

    /// Adds the records that [`Collector::take_block`] took. Forgets them if the block is not valid.
    ///
    /// # Errors
    /// Returns the error of the sink.
    pub fn end_block<E>(&mut self, is_valid: bool, sink: &mut impl Sink<E>) -> Result<(), E> {
        let mut taken = std::mem::take(&mut self.taken);
        let mut events = taken.events.iter().take(taken.used).filter(|_| is_valid);
        let result = events.try_for_each(|rows| self.push_taken(rows, sink));
        taken.clear();
        self.taken = taken;
        result.and_then(|()| self.keep_small(sink))
    }

    fn push_taken<E>(&mut self, taken: &TakenRows, sink: &mut impl Sink<E>) -> Result<(), E> {
        let index = taken.schema_index as usize;
        let (mut next, end) = (0, taken.rows());
        while next < end {
            let Some(EventState::Wanted { rows: Some(event), .. }) = self.states.get_mut(index) else {
                break;
            };
            let space = self.request.batch_rows.saturating_sub(event.rows.rows).max(1);
            let rows = next..end.min(next.saturating_add(space));
            next = rows.end;
            event.push_taken(taken, rows);
            event.rows.count(&mut self.bytes);
            if event.rows.rows >= self.request.batch_rows {
                self.emit(Place::Event(index), sink)?;
            }
        }
        Ok(())
    }
}
