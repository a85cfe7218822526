//! Processes one large file on several threads, with the results in order.
//!
//! The file is divided into pieces of equal size without reading it. A worker takes a piece and
//! guesses where its first record starts: at bytes that look like a sequence of records. It decodes
//! and processes up to the first record after the piece's end, and hands in the result. Whichever
//! worker finds that the next piece's result is ready passes it on.
//!
//! A piece's result is passed on only if the guess was right: the piece starts exactly where the
//! previous one ended, and no id changed its meaning in between. Otherwise the piece is processed
//! again from the right position. A wrong guess costs time, but never changes the results.
//!
//! New ids in between do no harm: a piece that needed one of them could not have been decoded. But
//! the context of a piece may lack them. So when a result is passed on, the mapping records of its
//! piece are processed again, and added to the context that follows from all previous pieces.
//!
//! The pieces of a compact trace are its blocks. Each starts with a record, so nothing is guessed.

mod output;
mod queue;
#[cfg(test)]
pub(crate) mod samples;
mod unnamed;

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use ringtrace_wire::ByteOrder;
use ringtrace_wire::compact::{BlockDecoder, Decoding, TYPICAL_EXPANDED_BYTES};
use ringtrace_wire::simpletrace::{Step, Version, step_by_length};

use crate::entry::Schemas;
use crate::error::{Anomalies, Error, unpoisoned};
use crate::input::blocks::BlockPlace;
use crate::input::blocks::decode::plain_body;
use crate::input::map::MappedFile;
use crate::metadata::Lost;
use crate::read::decode::{WindowEnd, run_any};
use crate::read::reader::Reader;
use crate::read::resync::Search;
use crate::read::state::{Context, DecodeState, Tally};
use crate::read::visitor::{BlockRecords, Visitor};
pub(crate) use unnamed::UnnamedThreads;

use output::{Ended, FilePiece, PieceEnd, PieceOutput};
use queue::{Queue, StopOnPanic};

/// The size of a piece. A piece and its result fit into a core's second-level cache.
pub(crate) const PIECE_BYTES: usize = 1 << 19;

/// The largest block of a compact trace that is processed as a piece. Several larger blocks, with their
/// results, would take too much memory. Writers finish blocks much earlier.
const LARGEST_BLOCK_BYTES: usize = 4 * TYPICAL_EXPANDED_BYTES;

/// The smallest amount of v4 data of a block that is requested at a time. It fits into the first-level cache.
const LEAST_EXPANDED_BYTES: usize = 1 << 12;

/// The number of bytes of a compact trace whose pages are released at a time.
const RELEASED_BYTES: usize = 8 << 20;

/// The smallest file for which threads are started.
const WORTHWHILE_BYTES: u64 = 4 << 20;

/// The work on pieces. Each thread has a clone, which visits the entries of its pieces. Of a block,
/// [`Visitor::take_block`] can take several parts, between other entries. [`Visitor::end_block`] is not called: if
/// the block is not valid, the whole result of the piece is discarded.
pub(crate) trait PieceWork: Visitor + Clone + Send {
    /// The result of a piece.
    type Output: Send;

    /// The largest amount of v4 data of a block that is requested at a time, for records that are not taken
    /// while they are decoded. At least [`LEAST_EXPANDED_BYTES`].
    const EXPANDED_BYTES: usize = LEAST_EXPANDED_BYTES;

    /// Whether blocks may be processed before their checksum is verified. If it is wrong, the result is discarded,
    /// so nothing else may depend on it.
    const VERIFIES_LATE: bool;

    /// Starts a piece of about `bytes` bytes. `memory` is that of an earlier result.
    fn start(&mut self, memory: Option<Self::Output>, bytes: usize);

    /// Ends a piece. Returns its result, and the threads whose name was needed but unknown.
    fn end(&mut self) -> (Self::Output, HashSet<u32>);
}

/// A receiver of the results, in order. All threads can call it.
pub(crate) trait PieceSink<O>: Send {
    /// The reason why it receives no more results.
    type Error: Send;

    /// Receives the result of a piece, which `records` records precede. Returns memory for another result.
    ///
    /// # Errors
    /// Returns an error to end the work.
    fn put(&mut self, output: O, records: u64) -> Result<O, Self::Error>;
}

/// Returns whether [`process`] supports `reader`.
pub(crate) fn is_supported(reader: &Reader) -> bool {
    reader.is_by_length()
        && reader.version() == Version::V4
        && (reader.mapped().is_some() || reader.has_mapped_blocks())
}

/// Returns whether [`process`] supports `reader`, and its file is large enough to benefit from `threads` threads.
/// One thread suffices for a compact trace, whose records are processed while they are decoded.
pub(crate) fn is_worthwhile(reader: &Reader, threads: usize) -> bool {
    (threads > 1 || reader.has_mapped_blocks())
        && is_supported(reader)
        && reader.file_bytes().is_some_and(|bytes| bytes >= WORTHWHILE_BYTES)
}

/// The settings of [`process`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct PieceOptions {
    pub(crate) threads: usize,
    /// The size of a piece. Tests need many pieces of a small file.
    pub(crate) piece_bytes: usize,
    /// Whether the results depend on the names of threads.
    pub(crate) thread_names: bool,
}

/// Processes the rest of `reader` on several threads, except for an incomplete record at the end of the
/// file. Afterwards the reader continues after the processed part.
///
/// # Errors
/// The outer error is the error of `sink`, which received no more results. The reader continues with the
/// piece that it refused. The inner error means that the file cannot be read further; the sink received all
/// results before the error.
pub(crate) fn process<W: PieceWork, S: PieceSink<W::Output>>(
    reader: &mut Reader,
    work: &W,
    sink: &mut S,
    options: PieceOptions,
) -> Result<Result<(), Error>, S::Error> {
    let start = usize::try_from(reader.position()).unwrap_or(usize::MAX);
    let (map, blocks) = match (reader.mapped(), reader.blocks()) {
        (Some(map), _) => (Arc::clone(map), None),
        (None, Some((map, mut blocks))) => {
            // The reader processes the rest.
            let is_large = |block: &BlockPlace| block.header.expanded_bytes as usize > LARGEST_BLOCK_BYTES;
            blocks.truncate(blocks.iter().position(is_large).unwrap_or(blocks.len()));
            (map, Some(blocks))
        }
        (None, None) => return Ok(Ok(())),
    };
    let job = Job {
        start: if blocks.is_some() { start } else { start.min(map.bytes().len()) },
        map: &map,
        blocks,
        layout: (reader.version(), reader.order()),
        state: reader.state().clone(),
        options,
        keep_going: reader.keeps_going(),
    };
    let output = PieceOutput {
        sink,
        state: reader.state().clone(),
        expected: job.start,
        ended: None,
        layout: job.layout,
        progress: reader.progress(),
    };
    let context = job.state.context.for_part(options.thread_names);
    let threads = options.threads;
    let queue = Queue::new(threads, job.pieces(), job.typical_bytes(), context);
    let output = Mutex::new(output);
    let worker = || Worker::new(&job, &queue, work.clone());
    std::thread::scope(|scope| {
        let more = usize::try_from(queue.pieces).unwrap_or(threads).min(threads).saturating_sub(1);
        for worker in std::iter::repeat_with(&worker).take(more) {
            let output = &output;
            // If the system refuses more threads, the existing ones do the work.
            if std::thread::Builder::new().spawn_scoped(scope, move || worker.work(output)).is_err() {
                break;
            }
        }
        worker().work(&output);
    });
    let output = unpoisoned(output.into_inner());
    reader.resume(output.expected as u64, output.state);
    match output.ended {
        Some(Ended::Refused(error)) => Err(error),
        Some(Ended::Piece(PieceEnd::Failed(error))) => Ok(Err(error)),
        Some(Ended::Piece(PieceEnd::Unfinished)) | None => Ok(Ok(())),
    }
}

/// The input that all workers share.
struct Job<'m> {
    map: &'m MappedFile,
    /// The blocks of a compact trace, which are the pieces.
    blocks: Option<Vec<BlockPlace>>,
    layout: (Version, ByteOrder),
    /// The offset of the first piece, which starts with a record.
    start: usize,
    state: DecodeState,
    options: PieceOptions,
    keep_going: bool,
}

impl Job<'_> {
    fn pieces(&self) -> u64 {
        if let Some(blocks) = &self.blocks {
            return blocks.len() as u64;
        }
        (self.map.bytes().len() - self.start).div_ceil(self.options.piece_bytes) as u64
    }

    /// Returns the nominal start and end of piece `number`, regardless of records.
    fn bounds(&self, number: u64) -> (usize, usize) {
        if let Some(BlockPlace { header, .. }) = self.block(number) {
            let begin = header.expanded_before as usize;
            return (begin.max(self.start), begin + header.expanded_bytes as usize);
        }
        let piece_bytes = self.options.piece_bytes;
        let begin = self.start + number as usize * piece_bytes;
        (begin, (begin + piece_bytes).min(self.map.bytes().len()))
    }

    /// Returns the usual size of a piece.
    fn typical_bytes(&self) -> usize {
        if self.blocks.is_some() { TYPICAL_EXPANDED_BYTES } else { self.options.piece_bytes }
    }

    fn block(&self, number: u64) -> Option<&BlockPlace> {
        self.blocks.as_ref()?.get(usize::try_from(number).ok()?)
    }
}

/// The v4 data of a piece.
enum PieceData<'p> {
    /// The mapped file.
    Mapped(&'p [u8]),
    /// A block that is decoded while it is processed.
    Block(Decoding<'p>),
}

impl PieceData<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            PieceData::Mapped(bytes) => bytes,
            PieceData::Block(block) => block.decoded(),
        }
    }
}

struct Worker<'q, W: PieceWork> {
    job: &'q Job<'q>,
    queue: &'q Queue<W::Output>,
    work: W,
    /// The schemas to which the caches of `work` refer.
    schemas: Arc<Schemas>,
    /// A copy of `work` with empty caches.
    blank: W,
    decoder: BlockDecoder,
    /// The memory for a decompressed block.
    plain: Vec<u8>,
}

impl<'q, W: PieceWork> Worker<'q, W> {
    fn new(job: &'q Job<'q>, queue: &'q Queue<W::Output>, work: W) -> Worker<'q, W> {
        let schemas = Arc::clone(&job.state.context.schemas);
        let blank = work.clone();
        let (decoder, plain) = (BlockDecoder::default(), Vec::new());
        Worker { job, queue, blank, work, schemas, decoder, plain }
    }

    fn work<S: PieceSink<W::Output>>(mut self, output: &Mutex<PieceOutput<'_, S, S::Error>>) {
        let _stop = StopOnPanic(self.queue);
        while let Some((number, context, memory)) = self.queue.take() {
            let (nominal_begin, end) = self.job.bounds(number);
            let begin = match number {
                _ if self.job.blocks.is_some() => Some(nominal_begin),
                0 => Some(nominal_begin),
                _ => {
                    let search = Search { layout: self.job.layout, table: &context.table };
                    search.first(self.job.map.bytes(), nominal_begin, end)
                }
            };
            // Without a guess, the piece is processed once its start is known.
            let piece = self.process_piece(number, begin.unwrap_or(usize::MAX), context, None, memory);
            self.hand_in(number, piece, output);
        }
    }

    /// Processes the records of piece `number` from `begin` on. `context` is the context at `begin`, and
    /// `lost` is the loss that was reported directly before it.
    fn process_piece(
        &mut self,
        number: u64,
        begin: usize,
        context: Context,
        lost: Option<(u64, Lost)>,
        memory: Option<W::Output>,
    ) -> FilePiece<W::Output> {
        let (job, (_, end)) = (self.job, self.job.bounds(number));
        let Some(BlockPlace { at, header, .. }) = job.block(number) else {
            if begin < end {
                job.map.populate(begin..end);
            }
            let data = PieceData::Mapped(job.map.bytes());
            return self.process(data, 0, begin..end, context, lost, memory);
        };
        let block = *at..at + header.block_bytes();
        job.map.populate(block.clone());
        let (mut decoder, mut plain) = (std::mem::take(&mut self.decoder), std::mem::take(&mut self.plain));
        let base = header.expanded_before as usize;
        let bytes = job.map.bytes().get(block.clone()).unwrap_or_default();
        let piece = match header.body(bytes) {
            // Decoding prefetches the body, so that the checksum finds it in the cache.
            Some(body) if W::VERIFIES_LATE && !header.is_zstd => {
                let data = PieceData::Block(decoder.start(header, body));
                let piece = self.process(data, base, begin..end, context, lost, memory);
                match header.is_intact(body) {
                    true => piece,
                    false => self.process_nothing(begin, piece.context, lost, Some(piece.output)),
                }
            }
            _ => match plain_body(&mut plain, header, bytes) {
                Ok(body) => {
                    let data = PieceData::Block(decoder.start(header, body));
                    self.process(data, base, begin..end, context, lost, memory)
                }
                Err(_) => self.process_nothing(begin, context, lost, memory),
            },
        };
        (self.decoder, self.plain) = (decoder, plain);
        // Releasing pages interrupts the other threads, so do it rarely.
        let released_to = block.end / RELEASED_BYTES * RELEASED_BYTES;
        if block.contains(&released_to) {
            job.map.release(released_to.saturating_sub(RELEASED_BYTES)..released_to);
        }
        piece
    }

    /// Processes nothing of a damaged block, which starts at `begin`: the reader reports the damage later.
    #[cold]
    fn process_nothing(
        &mut self,
        begin: usize,
        context: Context,
        lost: Option<(u64, Lost)>,
        memory: Option<W::Output>,
    ) -> FilePiece<W::Output> {
        let piece = self.process(PieceData::Mapped(&[]), begin, begin..begin, context, lost, memory);
        FilePiece { ended: Some(PieceEnd::Unfinished), ..piece }
    }

    /// Processes the records in `range` of the trace. The first byte of `data` is at offset `base`.
    fn process(
        &mut self,
        mut data: PieceData<'_>,
        base: usize,
        range: Range<usize>,
        context: Context,
        lost: Option<(u64, Lost)>,
        memory: Option<W::Output>,
    ) -> FilePiece<W::Output> {
        // After a wrong guess or with an incomplete context, the previous piece may have numbered
        // the trace's own schemas differently.
        if !Arc::ptr_eq(&self.schemas, &context.schemas) {
            self.work = self.blank.clone();
        }
        let Range { start: begin, end } = range;
        let known = context.clone();
        let anomalies = Anomalies::default();
        let tally = Tally { number: 0, number_before: 0, anomalies, ..self.job.state.tally.clone() };
        let mut state = DecodeState { context, tally, lost, mapped_at: Some(Vec::new()) };
        let work = &mut self.work;
        work.start(memory, self.job.options.piece_bytes.max(end.saturating_sub(begin)));
        let (mut at, mut window_end) = (begin, end);
        let mut is_whole = matches!(data, PieceData::Mapped(_));
        // While only few records can be taken, more of the others are decoded at a time.
        let mut expanded_bytes = LEAST_EXPANDED_BYTES;
        let mut ended = None;
        while at < end {
            if let PieceData::Block(block) = &mut data {
                if at == base + block.decoded().len() {
                    let mut records = BlockRecords::new(block, &state.context, state.tally.number);
                    work.take_block(&mut records);
                    let (count, taken_to) = records.taken();
                    state.tally.number += count;
                    let taken_bytes = base + taken_to - at;
                    at += taken_bytes;
                    expanded_bytes = match taken_bytes < expanded_bytes {
                        true => (2 * expanded_bytes).min(W::EXPANDED_BYTES),
                        false => LEAST_EXPANDED_BYTES,
                    };
                }
                let before = at.saturating_sub(base + block.decoded().len());
                let Ok(is_last) = block.expand(before + expanded_bytes) else { break };
                is_whole = is_last;
                window_end = base + block.decoded().len();
            }
            let bytes = data.bytes();
            let window = bytes.get(at - base..window_end - base).unwrap_or_default();
            let (why, decoded) = run_any(self.job.layout, true, window, at as u64, &mut state, work);
            at += decoded;
            match why {
                WindowEnd::NeedMore(_) if at >= end => break,
                WindowEnd::NeedMore(_) if !is_whole => {}
                // The piece's last record extends beyond the piece's end: decode it separately.
                WindowEnd::NeedMore(need) if decoded > 0 || at.saturating_add(need) > window_end => {
                    window_end = at.saturating_add(need);
                    if window_end - base > bytes.len() {
                        ended = Some(PieceEnd::Unfinished);
                        break;
                    }
                }
                // After damage, only the reader can continue.
                WindowEnd::Failed(_) if self.job.keep_going => {
                    ended = Some(PieceEnd::Unfinished);
                    break;
                }
                WindowEnd::Failed(error) => {
                    ended = Some(PieceEnd::Failed(error));
                    break;
                }
                WindowEnd::NeedMore(_) | WindowEnd::Stopped => {
                    ended = Some(PieceEnd::Unfinished);
                    break;
                }
            }
        }
        let (output, unnamed) = work.end();
        self.schemas = Arc::clone(&state.context.schemas);
        if let PieceData::Block(block) = &mut data
            && block.expand(usize::MAX).is_err()
        {
            return self.process_nothing(begin, known, lost, Some(output));
        }
        let bytes = data.bytes();
        let mapping = |&offset: &u64| {
            let window = bytes.get(offset as usize - base..).unwrap_or_default();
            match step_by_length(self.job.layout.0, self.job.layout.1, window) {
                Step::Mapping(mapping) => Some((offset, window[..mapping.size].to_vec())),
                _ => None,
            }
        };
        let mappings = state.mapped_at.iter().flatten().filter_map(mapping).collect();
        let (context, end) = (known, at);
        FilePiece { output, begin, end, context, state, mappings, unnamed, ended }
    }

    /// Hands in a piece. Then passes on all results that are ready, unless another worker does.
    fn hand_in<S: PieceSink<W::Output>>(
        &mut self,
        number: u64,
        piece: FilePiece<W::Output>,
        output: &Mutex<PieceOutput<'_, S, S::Error>>,
    ) {
        let mut turns = self.queue.lock();
        turns.ready.insert(number, piece);
        if turns.busy {
            return;
        }
        turns.busy = true;
        loop {
            let turn = turns.turn;
            let Some(piece) = turns.ready.remove(&turn) else { break };
            drop(turns);
            let mut output = unpoisoned(output.lock());
            if let Some(block) = self.job.block(turn) {
                output.skip_to(self.job.bounds(turn).0, block.missed_records);
            }
            let piece = if output.is_right(&piece, self.job.options.thread_names) || output.ended.is_some() {
                piece
            } else {
                let begin = output.expected;
                let context = output.state.context.for_part(self.job.options.thread_names);
                self.process_piece(turn, begin, context, output.state.lost, Some(piece.output))
            };
            let memory = output.put(piece);
            turns = self.queue.lock();
            turns.turn += 1;
            turns.stop |= output.ended.is_some();
            let context = output.state.context.for_part(self.job.options.thread_names);
            if context.changes() != turns.context.changes() {
                turns.context = context;
            }
            turns.spare.extend(memory);
            self.queue.changed.notify_all();
        }
        turns.busy = false;
    }
}
