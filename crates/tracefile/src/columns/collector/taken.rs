//! Takes records of compact traces while they are decoded.
//!
//! They become rows when their whole block has been decoded, because it may be invalid.

use ringtrace_wire::compact::{FewEvent, TakeFew};

use super::{Collector, EventState, Place, Sink};
use crate::columns::owners::Owners;
use crate::read::table::Table;
use crate::read::visitor::BlockRecords;

/// The records of a block that were taken.
#[derive(Debug, Default)]
pub(super) struct TakenRecords {
    /// The events. The first `used` of them are those of the block; the others keep memory.
    events: Vec<TakenEvent>,
    used: usize,
    /// How records are taken, by definition.
    definitions: Vec<Option<Taking>>,
}

/// The records of an event that were taken.
#[derive(Debug, Default)]
pub(in crate::columns) struct TakenEvent {
    schema_index: u32,
    arguments: usize,
    /// For each record, its time and its arguments. Beyond `end`, the values have no meaning.
    words: Vec<u64>,
    end: usize,
    /// The limit for `end`, so that the records fit into the batch.
    most: usize,
    wants_numbers: bool,
    /// The numbers of the records, if they are wanted.
    pub(in crate::columns) numbers: Vec<u64>,
    /// The owners of consecutive records: an owner's number, and the index of the first record.
    pub(in crate::columns) owners: Vec<(u32, u32)>,
}

/// How the records with a definition are taken.
#[derive(Debug, Clone, Copy)]
struct Taking {
    owner: u32,
    /// The index of the event. `None` if the request does not select the records.
    event: Option<usize>,
}

/// The number of words for which an event has space at first.
const FIRST_WORDS: usize = 1 << 10;

impl TakenEvent {
    /// Returns the time and the arguments of each record.
    pub(in crate::columns) fn records(&self) -> impl ExactSizeIterator<Item = &[u64]> + Clone {
        self.words[..self.end].chunks_exact(1 + self.arguments)
    }

    #[inline(always)]
    fn push<const N: usize>(
        &mut self,
        owner: u32,
        number: u64,
        timestamp_ns: u64,
        values: &[u64; N],
    ) -> bool {
        if self.end >= self.most {
            return false;
        }
        let next = self.end + 1 + N;
        if next > self.words.len() {
            self.grow();
        }
        let Some([time, words @ ..]) = self.words.get_mut(self.end..next) else { return false };
        let Some(words) = words.first_chunk_mut() else { return false };
        (*time, *words) = (timestamp_ns, *values);
        if self.owners.last().is_none_or(|(last, _)| *last != owner) {
            self.owners.push((owner, (self.end / (1 + N)) as u32));
        }
        if self.wants_numbers {
            self.numbers.push(number);
        }
        self.end = next;
        true
    }

    #[cold]
    fn grow(&mut self) {
        self.words.resize((2 * self.words.len()).max(FIRST_WORDS), 0);
    }
}

/// Takes the records of a block.
struct TakingBlock<'c> {
    states: &'c [EventState],
    owners: &'c mut Owners,
    table: &'c Table,
    batch_rows: usize,
    from_ns: u64,
    to_ns: u64,
    taken: &'c mut TakenRecords,
    /// The number of the first record.
    first: u64,
    /// The number of taken records.
    count: u64,
}

impl TakingBlock<'_> {
    /// Determines how the records with the definition of `event` are taken, which have this number of arguments.
    /// `None` if they must be passed to [`Collector::entry`] or [`Collector::fast_path`].
    #[cold]
    #[inline(never)]
    fn find(&mut self, event: &FewEvent<'_>, arguments: usize) -> Option<Taking> {
        let (id, pid) = event.ids();
        let schema_index = self.table.schema(id)?;
        let owner = self.owners.of_id(id, pid)?;
        let event_index = match self.states.get(schema_index as usize)? {
            EventState::Unknown | EventState::Wanted { rows: None, .. } => return None,
            EventState::Wanted { rows: Some(rows), .. } if self.owners.is_selected(owner) => {
                if !rows.has_integers(arguments) {
                    return None;
                }
                let TakenRecords { events, used, .. } = &mut *self.taken;
                let found = events[..*used].iter().position(|taken| taken.schema_index == schema_index);
                let index = found.unwrap_or(*used);
                if index == *used {
                    *used += 1;
                    if events.len() < *used {
                        events.push(TakenEvent::default());
                    }
                    let taken = &mut events[index];
                    (taken.schema_index, taken.arguments) = (schema_index, arguments);
                    taken.most = (1 + arguments) * self.batch_rows.saturating_sub(rows.rows.rows);
                    taken.wants_numbers = rows.rows.wants_numbers();
                }
                Some(index)
            }
            EventState::Wanted { .. } | EventState::Unwanted { .. } => None,
        };
        let found = Taking { owner, event: event_index };
        let definitions = &mut self.taken.definitions;
        if definitions.len() <= event.definition {
            definitions.resize(event.definition + 1, None);
        }
        definitions[event.definition] = Some(found);
        Some(found)
    }
}

impl TakeFew for TakingBlock<'_> {
    #[inline(always)]
    fn take<const N: usize>(&mut self, event: FewEvent<'_>, timestamp_ns: u64, values: &[u64; N]) -> bool {
        let found = match self.taken.definitions.get(event.definition) {
            Some(&Some(found)) => found,
            _ => match self.find(&event, N) {
                Some(found) => found,
                None => return false,
            },
        };
        if let Some(index) = found.event
            && timestamp_ns >= self.from_ns
            && timestamp_ns <= self.to_ns
        {
            let Some(taken) = self.taken.events.get_mut(index) else { return false };
            if !taken.push(found.owner, self.first + self.count, timestamp_ns, values) {
                return false;
            }
        }
        self.count += 1;
        true
    }
}

impl Collector {
    /// Takes records of a few integers at the start of `records` while they are decoded.
    /// [`Collector::end_block`] must follow, before other records.
    pub fn take_block(&mut self, records: &mut BlockRecords<'_, '_>) {
        if !self.is_simple || self.events.is_some() || !self.owners.are_for(records) {
            return;
        }
        let Self { states, owners, taken, from_ns, to_ns, request, .. } = self;
        taken.definitions.clear();
        let mut taking = TakingBlock {
            states,
            owners,
            table: records.table(),
            batch_rows: request.batch_rows,
            from_ns: *from_ns,
            to_ns: *to_ns,
            taken,
            first: records.number(),
            count: 0,
        };
        records.take_while(&mut taking, |taking| taking.count);
    }

    /// Adds the records that [`Collector::take_block`] took. Forgets them if the block is not valid.
    ///
    /// # Errors
    /// Returns the error of the sink.
    pub fn end_block<E>(&mut self, is_valid: bool, sink: &mut impl Sink<E>) -> Result<(), E> {
        let Self { states, taken, bytes, full, request, .. } = self;
        for event in taken.events.iter_mut().take(std::mem::take(&mut taken.used)) {
            let index = event.schema_index as usize;
            if is_valid && let Some(EventState::Wanted { rows: Some(rows), .. }) = states.get_mut(index) {
                rows.push_taken(event);
                rows.rows.count(bytes);
                if rows.rows.rows >= request.batch_rows {
                    full.push(Place::Event(index));
                }
            }
            event.end = 0;
            event.numbers.clear();
            event.owners.clear();
        }
        self.emit_full(sink)
    }
}
