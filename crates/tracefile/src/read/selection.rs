//! Selecting parts of a trace that are read.

use std::sync::Arc;

use ringtrace_wire::compact::EventSet;
use ringtrace_wire::simpletrace::DROPPED_ID;

use super::reader::Reader;
use super::visitor::{Flow, SkipRecords};
use crate::entry::{Entry, Schema, Schemas};
use crate::input::Input;
use crate::input::blocks::{BlockPlace, BlockTotals, Selection};
use crate::input::map::MappedFile;

impl Reader {
    /// Returns whether [`Reader::blocks`] returns blocks.
    pub(crate) fn has_mapped_blocks(&self) -> bool {
        self.input.has_mapped_blocks()
    }

    /// Returns the remaining blocks of a compact trace in a mapped file.
    pub(crate) fn blocks(&self) -> Option<(Arc<MappedFile>, Vec<BlockPlace>)> {
        self.input.block_places(self.position())
    }

    /// Skips parts of the file that certainly contain no record between these times, both included, or
    /// only records of events that `wants` rejects. Its arguments are a schema and its index. Without
    /// `wants`, all events are selected. Other records may still be visited.
    pub fn select(&mut self, since_ns: u64, until_ns: u64, wants: Option<impl Fn(u32, &Schema) -> bool>) {
        let events = wants.and_then(|wants| self.wanted_events(wants)).unwrap_or(EventSet::ALL);
        let is_restricted = (since_ns, until_ns, events) != (0, u64::MAX, EventSet::ALL);
        let may_search = self.may_search();
        let selection = is_restricted.then_some(Selection { since_ns, until_ns, events, may_search });
        self.input.select(selection);
        if let Some(files) = &mut self.files {
            let is_needed = files.select(selection);
            if !is_needed && self.state.tally.number == 0 {
                // The rest of the first file is not read.
                self.input = Input::empty();
            }
        }
    }

    /// Returns all events that the trace declares anywhere, or `None` for a stream. If the trace is
    /// damaged, events after the damage may be missing.
    pub fn all_declared(&self) -> Option<Arc<Schemas>> {
        let mut again = self.again()?;
        // The progress of this reader must not show the work of the other one.
        again.progress = Arc::default();
        // Other blocks of a compact trace declare no events. The files of a folder have their own
        // declarations.
        if again.files.is_none() {
            again.input.select(Some(self.none_selected()));
        }
        // Ignore errors: they are found and reported when the whole trace is read.
        let _ = again.for_each(SkipRecords);
        Some(Arc::clone(again.schemas()))
    }

    /// Returns the events that the trace declares before its first record, or all of them if they can be
    /// found without reading all records. `None` for a stream.
    pub fn first_declared(&self) -> Option<Arc<Schemas>> {
        if self.files.is_none() && self.has_mapped_blocks() {
            return self.all_declared();
        }
        let mut again = self.again()?;
        again.progress = Arc::default();
        // Ignore errors: they are found and reported when the whole trace is read.
        let _ = again.for_each(|_: &Entry<'_>| Flow::Stop);
        Some(Arc::clone(again.schemas()))
    }

    /// Returns the set of events that `wants` accepts, at any position of the trace. `None` if it
    /// cannot be determined without reading all records.
    fn wanted_events(&self, wants: impl Fn(u32, &Schema) -> bool) -> Option<EventSet> {
        // The files of a folder have their own declarations.
        if self.files.is_some()
            || !self.has_mapped_blocks()
            || !self.input.is_index_complete(self.may_search())
        {
            return None;
        }
        let mut names = self.again()?;
        names.progress = Arc::default();
        names.input.select(Some(self.none_selected()));
        names.for_each(SkipRecords).ok()?;
        // If the event of an id changes, the set would depend on the position.
        if names.table().renamings() > 0 || names.anomalies().iter().next().is_some() {
            return None;
        }
        let schemas = names.schemas();
        let mut events = EventSet::default();
        let wanted = names.table().events().filter(|(_, schema)| {
            // A record of an undeclared event is an error, which must be found.
            schema.is_none_or(|index| wants(index, schemas.get(index)))
        });
        wanted.for_each(|(id, _)| events.insert(id));
        if wants(Schema::DROPPED, schemas.get(Schema::DROPPED)) {
            events.insert(DROPPED_ID);
        }
        // A record of an undeclared event is an error, which must be found: select all ids that
        // certainly differ from those that are declared.
        let mut declared = EventSet::default();
        names.table().events().for_each(|(id, _)| declared.insert(id));
        declared.insert(DROPPED_ID);
        Some(EventSet(std::array::from_fn(|word| events.0[word] | !declared.0[word])))
    }

    /// Returns the totals of the blocks of a compact trace in a mapped file, if no header is damaged.
    pub(crate) fn block_totals(&self) -> Option<BlockTotals> {
        match &self.files {
            Some(_) => None,
            None => self.input.block_totals(self.may_search()),
        }
    }

    /// Returns the smallest and the largest time, if the file states them.
    pub(crate) fn stated_time_range_ns(&self) -> Option<(u64, u64)> {
        match &self.files {
            Some(_) => None,
            None => self.input.block_time_range_ns(self.may_search()),
        }
    }

    /// Returns whether headers of a compact trace may remain unvisited, so that damage in them is not
    /// found.
    fn may_search(&self) -> bool {
        !self.keep_going && !self.state.tally.strict
    }

    /// Returns the selection of blocks with mapping records.
    pub(crate) fn none_selected(&self) -> Selection {
        Selection { may_search: self.may_search(), ..Selection::NONE }
    }
}
