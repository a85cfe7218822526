//! Sorts a trace by time, in bounded memory for any size and disorder.
//!
//! A first pass ([`Survey`]) records the smallest time of each block of a thousand records. Blocks
//! are then processed in the order of these times. A block is decoded as soon as one of its entries
//! may be the next one in time. Its entries are sorted, and form a lane. Blocks with overlapping
//! times have lanes at the same time.
//!
//! A trace that is nearly sorted, or consists of sorted parts, needs few lanes at the same time.
//! Payloads are never moved. Lanes go to a temporary file only if more blocks overlap than fit into
//! the allowed memory.
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

/// Memory limits of sorting.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The number of records in a block. Blocks grow if there would be more than `blocks` blocks.
    pub block_records: u32,
    /// The maximum number of blocks, of 40 bytes each.
    pub blocks: usize,
    /// The maximum number of entries in memory, of 48 bytes each. Further entries go to a temporary
    /// file.
    pub entries: usize,
    /// The number of entries that are read at once from a run of the temporary file.
    pub read_entries: usize,
    /// The number of runs of the temporary file that are joined into one.
    pub joined_runs: usize,
    /// The maximum number of points in a file at which an id changes its event. If there are more,
    /// all entries are loaded before the first one is returned.
    pub epochs: usize,
}

impl Limits {
    /// Returns the limits for each trace if `traces` traces are sorted together. All of them
    /// together use about 30 MiB.
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

/// An [`EntrySource`] of one file, sorted by time. Entries with equal times retain the order of the
/// file.
#[derive(Debug)]
pub struct Sorted {
    survey: Survey,
    map: Arc<MappedFile>,
    /// The reader that decodes blocks.
    loader: Reader,
    /// The number of blocks that became lanes, in the order of their smallest times.
    loaded: usize,
    lanes: Lanes,
    spool: Spool,
    /// The memory for the entries of the next lane.
    spare: Vec<Located>,
}

impl Sorted {
    /// Sorts the entries that `survey` found.
    ///
    /// # Errors
    /// Returns an error if the input is a stream.
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

    /// Turns all blocks that may contain the next entry into lanes.
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
            // The survey found the same error in the last record. It is reported at the end.
            Err(error) if locate.entries.len() < locate.wanted => Err(error),
            _ => self.hold(locate.entries),
        }
    }

    /// Turns all entries into lanes, for a trace that has no blocks.
    #[cold]
    fn load_all(&mut self) -> Result<(), Error> {
        let wanted = self.spool.limits.entries.div_ceil(4);
        let mut last_ns = 0;
        loop {
            let mut locate = Locate::new(Vec::new(), wanted, last_ns);
            let ended = read_block(&mut self.loader, &mut locate);
            last_ns = locate.last_ns;
            self.hold(locate.entries)?;
            // The survey found the same damage. It is reported at the end.
            if !matches!(ended, Ok(ReadStatus::Stopped)) {
                return Ok(());
            }
        }
    }

    /// Turns `entries` into a lane. Older lanes are spilled if memory is full.
    fn hold(&mut self, mut entries: Vec<Located>) -> Result<(), Error> {
        let held = self.lanes.in_memory();
        if held > 0 && held + entries.len() > self.spool.limits.entries {
            self.lanes.spill(&mut self.spool).map_err(|error| self.spool_error(&error))?;
        }
        entries.sort_by_key(|entry| entry.timestamp_ns);
        self.lanes.push(entries);
        Ok(())
    }

    fn spool_error(&self, error: &std::io::Error) -> Error {
        self.spool.error(self.survey.reader.file(), error)
    }

    /// Releases the pages of `entries`, which no other entries need.
    fn release(&mut self, entries: Vec<Located>) {
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
            Ok(Some(entries)) => self.release(entries),
            Err(error) => {
                // Without the runs in the file, the remaining entries cannot be sorted.
                self.survey.failed = Some(self.spool_error(&error));
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
    /// Returns a key that is at most the key of every entry in the block.
    fn sort_key(&self) -> lanes::SortKey {
        (self.smallest_ns, self.first_number)
    }
}

/// Collects the locations of a block's entries.
struct Locate {
    entries: Vec<Located>,
    wanted: usize,
    last_ns: u64,
}

impl Locate {
    /// Creates a visitor that collects up to `wanted` entries in `entries`, reusing its memory.
    /// `last_ns` is the time of the preceding entry.
    fn new(mut entries: Vec<Located>, wanted: usize, last_ns: u64) -> Locate {
        entries.clear();
        Locate { entries, wanted, last_ns }
    }
}

impl Visitor for Locate {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        let mut located = Located::new(entry);
        if is_timeless(entry) {
            located.marks.set_timeless();
            located.timestamp_ns = self.last_ns;
        }
        self.last_ns = located.timestamp_ns;
        self.entries.push(located);
        if self.entries.len() < self.wanted { Flow::Continue } else { Flow::Stop }
    }
}
