//! A trace in order of time, whatever its size and its disorder, in bounded memory.
//!
//! A first pass ([`Survey`]) notes the smallest time of each block of a thousand records. Blocks are then taken in
//! the order of these times: a block is decoded when its first entry in time may be next, its entries are sorted,
//! and become a lane beside those of other blocks whose times overlap with it. So a trace that is nearly in order,
//! or consists of parts that are, needs a few lanes at a time, and payloads are never moved. Only where more blocks
//! overlap than memory may hold do lanes go to a temporary file.
//!
//! ```text
//! file     | block | block | block | block |        smallest times known
//!              \       \                            decoded and sorted when their time has come
//! lanes         lane    lane   run (temporary file)
//!                   \   |   /
//! entries            merged
//! ```

mod lanes;
mod merge;
mod spool;
mod survey;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::Ordering;

pub use merge::Merge;
pub use survey::Survey;

use crate::entry::Entry;
use crate::error::Error;
use crate::input::map::MappedFile;
use crate::read::EntrySource;
use crate::read::located::{Located, Shared};
use crate::read::reader::{ReadStatus, Reader};
use crate::read::visitor::{Flow, Visitor};
use lanes::Lanes;
use spool::Spool;
use survey::{Block, is_timeless, read_block};

/// What sorting may hold in memory.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Records in a block. Blocks grow when there would be more of them than `blocks`.
    pub block_records: u32,
    /// Blocks, 40 bytes each.
    pub blocks: usize,
    /// Entries that wait for their time, 48 bytes each; more go to a temporary file.
    pub entries: usize,
    /// Entries that are read from a run of the temporary file at once.
    pub read_entries: usize,
    /// Runs of the temporary file that are joined to one.
    pub joined_runs: usize,
    /// Places of a file, where an id that stood for one event begins to stand for another, that are remembered. Where
    /// there are more, all entries wait.
    pub epochs: usize,
}

impl Limits {
    /// The limits of one trace when `traces` are sorted together: some 30 MiB for all of them.
    pub fn of_one_in(traces: usize) -> Limits {
        let traces = traces.max(1);
        Limits {
            block_records: 1024,
            blocks: (1 << 17) / traces,
            entries: ((1 << 19) / traces).max(1 << 12),
            read_entries: (512 / traces).max(64),
            joined_runs: 64,
            epochs: 4,
        }
    }
}

/// A [`EntrySource`] of one file, in order of time; entries of the same time in the order of the file.
#[derive(Debug)]
pub struct Sorted {
    survey: Survey,
    map: Arc<MappedFile>,
    /// Goes to the blocks.
    loader: Reader,
    /// How many of the survey's blocks, that are in order of their smallest times, became lanes.
    loaded: usize,
    lanes: Lanes,
    spool: Spool,
    /// Room for the entries of the next lane.
    spare: Vec<Located>,
}

impl Sorted {
    /// Sorts the entries that `survey` found.
    ///
    /// # Errors
    /// When it is a stream.
    pub fn new(mut survey: Survey, limits: Limits) -> Result<Sorted, Error> {
        let reader = &survey.reader;
        let (Some(map), Some(loader)) = (reader.mapped().cloned(), reader.again()) else {
            return Err(Error::new(reader.file(), "a stream cannot be sorted"));
        };
        survey.blocks.sort_unstable_by_key(Block::sort_key);
        Ok(Sorted {
            map,
            loader: loader.for_jumps(),
            survey,
            loaded: 0,
            lanes: Lanes::default(),
            spool: Spool::new(limits),
            spare: Vec::new(),
        })
    }

    /// Makes lanes of all blocks that may hold the next entry.
    #[inline]
    fn load_due_blocks(&mut self) -> Result<(), Error> {
        if !self.survey.has_blocks && self.loaded == 0 {
            self.loaded = self.survey.blocks.len();
            self.load_all()?;
        }
        while let Some(block) = self.survey.blocks.get(self.loaded) {
            if self.lanes.first_key().is_some_and(|first| first < block.sort_key()) {
                break;
            }
            let block = *block;
            self.loaded += 1;
            self.load(&block)?;
        }
        Ok(())
    }

    /// Makes a lane of `block`.
    #[cold]
    fn load(&mut self, block: &Block) -> Result<(), Error> {
        let (file_bytes, blocks) = (self.map.bytes().len() as u64, self.survey.blocks.len() as u64);
        let loaded_bytes = file_bytes / blocks * self.loaded as u64;
        self.survey.reader.progress.store(loaded_bytes, Ordering::Relaxed);
        let tally = &self.survey.reader.state().tally;
        let Some(state) = block.state(&self.survey.epochs, tally) else { return Ok(()) };
        self.loader.resume(block.offset, state);
        let mut locate =
            Locate::new(std::mem::take(&mut self.spare), block.records as usize, block.before_ns);
        match read_block(&mut self.loader, &mut locate) {
            // What is wrong with the last record was found by the survey, and is told at the end.
            Err(error) if locate.entries.len() < locate.wanted => Err(error),
            _ => self.hold(locate.entries),
        }
    }

    /// Makes lanes of all entries, where blocks mean nothing by themselves.
    #[cold]
    fn load_all(&mut self) -> Result<(), Error> {
        let wanted = self.spool.limits.entries.div_ceil(4);
        let mut last_ns = 0;
        loop {
            let mut locate = Locate::new(Vec::new(), wanted, last_ns);
            let ended = read_block(&mut self.loader, &mut locate);
            last_ns = locate.last_ns;
            self.hold(locate.entries)?;
            // The survey found the same damage, and tells of it at the end.
            if !matches!(ended, Ok(ReadStatus::Stopped)) {
                return Ok(());
            }
        }
    }

    /// Makes a lane of `entries`, and room for it.
    fn hold(&mut self, mut entries: Vec<Located>) -> Result<(), Error> {
        let held = self.lanes.in_memory();
        if held > 0 && held + entries.len() > self.spool.limits.entries {
            self.lanes.spill(&mut self.spool).map_err(|error| self.refused(&error))?;
        }
        entries.sort_by_key(|entry| entry.timestamp_ns);
        self.lanes.push(entries);
        Ok(())
    }

    fn refused(&self, error: &std::io::Error) -> Error {
        self.spool.refused(self.survey.reader.file(), error)
    }

    /// Gives back the pages that `entries` were the last to need.
    fn give_back(&mut self, entries: Vec<Located>) {
        let offsets = || entries.iter().map(|entry| entry.offset as usize);
        if let (Some(start), Some(end)) = (offsets().min(), offsets().max()) {
            self.map.release(start..end);
        }
        self.spare = entries;
    }
}

impl EntrySource for Sorted {
    fn peek_ns(&mut self) -> Result<Option<u64>, Error> {
        self.load_due_blocks()?;
        match self.lanes.first_key() {
            Some((time_ns, _)) => Ok(Some(time_ns)),
            None => self.survey.failed.take().map_or(Ok(None), Err),
        }
    }

    fn entry(&self) -> Option<Entry<'_>> {
        let reader = &self.survey.reader;
        self.lanes.first()?.entry(self.map.bytes(), 0, Shared::of(reader))
    }

    fn advance(&mut self) {
        match self.lanes.advance(&self.spool) {
            Ok(None) => {}
            Ok(Some(entries)) => self.give_back(entries),
            Err(error) => {
                // Without its runs nothing that follows would be in order.
                self.survey.failed = Some(self.refused(&error));
                self.lanes = Lanes::default();
                self.loaded = self.survey.blocks.len();
            }
        }
    }

    fn reader(&self) -> &Reader {
        &self.survey.reader
    }
}

impl Block {
    /// No entry of the block comes before this.
    fn sort_key(&self) -> lanes::SortKey {
        (self.smallest_ns, self.first_number)
    }
}

/// Notes where the entries of a block are.
struct Locate {
    entries: Vec<Located>,
    wanted: usize,
    last_ns: u64,
}

impl Locate {
    /// Up to `wanted` entries, in the room of `entries`; `last_ns` is the time before them.
    fn new(mut entries: Vec<Located>, wanted: usize, last_ns: u64) -> Locate {
        entries.clear();
        Locate { entries, wanted, last_ns }
    }
}

impl Visitor for Locate {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        let mut located = Located::new(entry);
        located.timeless = is_timeless(entry);
        if located.timeless {
            located.timestamp_ns = self.last_ns;
        }
        self.last_ns = located.timestamp_ns;
        self.entries.push(located);
        if self.entries.len() < self.wanted { Flow::Continue } else { Flow::Stop }
    }
}
