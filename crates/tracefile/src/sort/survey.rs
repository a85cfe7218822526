//! The first pass over a file, which finds the time range of its blocks.

use crate::entry::Entry;
use crate::error::{Anomaly, Error};
use crate::read::reader::{ReadStatus, Reader};
use crate::read::state::{Context, DecodeState, Tally};
use crate::read::visitor::{Flow, OrdinaryRecords, Visitor};

use super::Limits;

/// The result of the first pass over a file.
#[derive(Debug)]
pub struct Survey {
    /// The reader that made the pass, at the end of the readable part.
    pub(super) reader: Reader,
    /// The blocks, in the order of the file.
    pub(super) blocks: Vec<Block>,
    /// The meanings of ids, for each epoch. See [`Block::epoch`].
    pub(super) epochs: Vec<Context>,
    pub(super) failed: Option<Error>,
    /// True if blocks can be decoded independently.
    pub(super) has_blocks: bool,
    in_order: bool,
    smallest_ns: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub(super) smallest_ns: u64,
    /// The offset of the block. Mapping records before its first record belong to it.
    pub(super) offset: u64,
    pub(super) first_number: u64,
    /// The time of the record before the block.
    pub(super) before_ns: u64,
    pub(super) records: u32,
    /// The epoch of the block. Within an epoch, ids without a meaning can get one, but no id
    /// changes its meaning. The names at the end of an epoch are therefore valid for the whole
    /// epoch.
    pub(super) epoch: u32,
}

impl Survey {
    /// Surveys the file of `reader`, using a separate reader.
    ///
    /// # Errors
    /// Returns an error if the input is a stream. Damage to the file is not an error here: it is
    /// reported after the readable entries.
    pub fn new(reader: &Reader, limits: &Limits) -> Result<Survey, Error> {
        let Some(reader) = reader.again().filter(|reader| reader.files().is_none()) else {
            return Err(Error::new(reader.file(), "a stream can be read only once and cannot be sorted"));
        };
        let mut survey = Survey {
            reader,
            blocks: Vec::new(),
            epochs: Vec::new(),
            failed: None,
            has_blocks: true,
            in_order: true,
            smallest_ns: None,
        };
        let mut block_records = limits.block_records.max(1);
        let mut last_ns = 0;
        let mut finished = false;
        let mut plain_bytes = Vec::new();
        while !finished {
            let context = survey.reader.state().context.clone();
            let mut block = Block {
                smallest_ns: u64::MAX,
                offset: survey.reader.position(),
                first_number: survey.reader.state().tally.number + 1,
                before_ns: last_ns,
                records: 0,
                epoch: survey.epochs.len() as u32,
            };
            let mut times = Times {
                block: &mut block,
                block_records,
                last_ns,
                in_order: true,
                timed_ns: None,
                plain_bytes: &mut plain_bytes,
            };
            finished = match read_block(&mut survey.reader, &mut times) {
                Ok(progress) => progress == ReadStatus::Finished,
                Err(error) => {
                    survey.failed = Some(error);
                    true
                }
            };
            last_ns = times.last_ns;
            survey.in_order &= times.in_order;
            survey.smallest_ns = survey.smallest_ns.into_iter().chain(times.timed_ns).min();
            if block.records > 0 {
                survey.blocks.push(block);
            }
            if survey.blocks.len() >= limits.blocks.max(2) {
                pair_up(&mut survey.blocks);
                block_records *= 2;
            }
            if survey.reader.state().context.contradicts(&context) {
                survey.epochs.push(context);
            } else if finished {
                survey.epochs.push(survey.reader.state().context.clone());
            }
            if survey.epochs.len() > limits.epochs {
                survey.has_blocks = false;
                survey.epochs.clear();
            }
        }
        // Blocks are decoded with the ids that are known at the end of their epoch, so a damaged
        // part may look like a record. The survey knew fewer ids there, and skipped it as damage.
        let is_damaged = survey.reader.anomalies().iter().any(|(anomaly, ..)| anomaly == Anomaly::Damage);
        survey.has_blocks &= !is_damaged;
        Ok(survey)
    }

    /// Returns true if the file is already sorted by time.
    pub fn is_in_order(&self) -> bool {
        self.in_order
    }

    /// Returns the smallest recorded time.
    pub fn smallest_ns(&self) -> Option<u64> {
        self.smallest_ns
    }

    /// Returns the reader that made the pass, with everything that it found in the file.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }
}

impl Block {
    /// Returns a reader's state at the start of the block.
    pub(super) fn state(&self, epochs: &[Context], tally: &Tally) -> Option<DecodeState> {
        let context = epochs.get(self.epoch as usize)?.clone();
        let tally = Tally { number: self.first_number - 1, anomalies: Default::default(), ..tally.clone() };
        Some(DecodeState::new(context, tally))
    }
}

/// Joins blocks in pairs. The context of the first block is sufficient, because mapping records
/// between the blocks are read again.
fn pair_up(blocks: &mut Vec<Block>) {
    let paired = blocks.chunks(2).map(|pair| Block {
        smallest_ns: pair.iter().map(|block| block.smallest_ns).min().unwrap_or(0),
        records: pair.iter().map(|block| block.records).sum(),
        ..pair[0]
    });
    *blocks = paired.collect();
}

/// Reads until `visit` stops, or to the end.
pub(super) fn read_block(reader: &mut Reader, visit: &mut impl Visitor) -> Result<ReadStatus, Error> {
    loop {
        let progress = reader.decode_window(visit)?;
        if progress != ReadStatus::More {
            return Ok(progress);
        }
    }
}

/// The value for a schema that has not occurred yet.
const UNSEEN: usize = usize::MAX;

/// The value for a schema whose payloads vary in size, because they have strings.
const VARIABLE: usize = usize::MAX - 1;

/// A visitor that collects the times of a block.
struct Times<'b> {
    block: &'b mut Block,
    block_records: u32,
    last_ns: u64,
    in_order: bool,
    /// The smallest recorded time.
    timed_ns: Option<u64>,
    /// For each schema that has only integers, the size of its payloads. Records of this size need
    /// no further check. For other schemas, [`UNSEEN`] or [`VARIABLE`].
    plain_bytes: &'b mut Vec<usize>,
}

impl Times<'_> {
    #[inline(always)]
    fn note(&mut self, time_ns: u64) {
        self.in_order &= time_ns >= self.last_ns;
        self.last_ns = time_ns;
        self.timed_ns = Some(self.timed_ns.map_or(time_ns, |smallest_ns| smallest_ns.min(time_ns)));
    }

    #[inline(always)]
    fn count(&mut self) {
        self.block.smallest_ns = self.block.smallest_ns.min(self.last_ns);
        self.block.records += 1;
    }

    #[inline(always)]
    fn is_full(&self) -> bool {
        self.block.records >= self.block_records
    }

    #[inline(always)]
    fn flow(&self) -> Flow {
        if self.is_full() { Flow::Stop } else { Flow::Continue }
    }

    #[cold]
    fn learn(&mut self, entry: &Entry<'_>) {
        let index = entry.schema_index as usize;
        if self.plain_bytes.len() <= index {
            self.plain_bytes.resize(index + 1, UNSEEN);
        }
        self.plain_bytes[index] = entry.schema.integer_bytes.unwrap_or(VARIABLE);
    }
}

impl Visitor for Times<'_> {
    #[inline(always)]
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        records.skip_while(|record, schema_index| {
            let is_plain = self.plain_bytes.get(schema_index as usize) == Some(&record.payload.len());
            if !is_plain || self.is_full() {
                return false;
            }
            self.note(record.timestamp_ns);
            self.count();
            true
        });
        self.flow()
    }

    #[inline(always)]
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        if !is_timeless(entry) {
            self.note(entry.timestamp_ns);
        }
        self.count();
        let is_known =
            self.plain_bytes.get(entry.schema_index as usize).is_some_and(|bytes| *bytes != UNSEEN);
        // Dropped records may or may not have a time, so examine each one individually.
        if !is_known && !entry.is_dropped() {
            self.learn(entry);
        }
        self.flow()
    }
}

/// Returns true for a record without a time, such as a dropped record of v0. It is sorted directly
/// after the entry that precedes it.
pub(super) fn is_timeless(entry: &Entry<'_>) -> bool {
    entry.timestamp_ns == 0 && entry.is_dropped()
}
