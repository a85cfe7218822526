//! Renders one large file on several threads, with output in order.
//!
//! The file is divided into pieces of equal size without reading it. A worker takes a piece and
//! guesses where its first record starts: at bytes that look like a sequence of records. It decodes
//! and renders up to the first record after the piece's end, and hands in the output. Whichever
//! worker finds that the next piece's output is ready writes it.
//!
//! A piece's output is written only if the guess was right: the piece starts exactly where the
//! previous one ended, and no id changed its meaning in between. Otherwise the piece is rendered
//! again from the right position. A wrong guess costs time, but never changes the output.
//!
//! New ids in between do no harm: a piece that needed one of them could not have been decoded. But
//! the context of a piece may lack them. So when a piece is written, its mapping records are
//! processed again, and added to the context that follows from all previous pieces.
//!
//! The pieces of a compact trace are its blocks. Each starts with a record, so nothing is guessed.
//!
//! A line depends on the previous line only through the time difference. The position of a piece's
//! first time difference is recorded, and the difference is filled in when the piece's output is
//! written.

use std::collections::HashSet;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use ringtrace_wire::ByteOrder;
use ringtrace_wire::compact::{BlockDecoder, Decoding, TYPICAL_EXPANDED_BYTES};
use ringtrace_wire::simpletrace::{Step, Version, step_by_length};

use crate::block::plain_body;
use crate::entry::{Dropped, Entry, Schemas};
use crate::error::{Anomalies, Error, unpoisoned};
use crate::input::blocks::BlockPlace;
use crate::input::map::MappedFile;
use crate::metadata::Lost;
use crate::query::filter::Filter;
use crate::read::decode::{WindowEnd, run_any};
use crate::read::reader::Reader;
use crate::read::resync::Search;
use crate::read::state::{Context, DecodeState, Tally};
use crate::read::table::Table;
use crate::read::visitor::{BlockRecords, Flow, OrdinaryRecords, Visitor};
use crate::text::queue::{Queue, StopOnPanic};
use crate::text::{FirstTime, Render, TextBuffer};

/// The size of a piece. A piece and its output fit into a core's second-level cache.
const PIECE_BYTES: usize = 1 << 19;

/// The limit for the size of a piece's output, as a multiple of the piece's size. An event with a
/// very long name can cause a larger output. Parallel rendering then ends, because it would take
/// too much memory.
const TEXT_PER_PIECE: usize = 16;

/// The largest block of a compact trace that is rendered as a piece. Several larger blocks, with their
/// output, would take too much memory. Writers finish blocks much earlier.
const LARGEST_BLOCK_BYTES: usize = 4 * TYPICAL_EXPANDED_BYTES;

/// The amount of v4 data that is decoded at a time for records that cannot be rendered while they are
/// decoded. It fits into the first-level cache.
const EXPANDED_BYTES: usize = 1 << 12;

/// The number of bytes of a compact trace whose pages are released at a time.
const RELEASED_BYTES: usize = 8 << 20;

/// A piece with new mappings has a copy of the whole context. If the context is larger than this
/// and still grows, copying costs more time than parallel work saves.
const COPIED_BYTES: usize = 4 << 20;

/// The smallest file for which threads are started.
const WORTHWHILE_BYTES: u64 = 4 << 20;

/// Returns true if [`render`] supports `reader`, and its file is large enough to benefit from `threads`
/// threads. One thread suffices for a compact trace, because lines are rendered while they are decoded.
pub fn is_worthwhile(reader: &Reader, threads: usize) -> bool {
    (threads > 1 || reader.has_mapped_blocks())
        && reader.is_by_length()
        && reader.version() == Version::V4
        && (reader.mapped().is_some() || reader.has_mapped_blocks())
        && reader.file_bytes().is_some_and(|bytes| bytes >= WORTHWHILE_BYTES)
}

/// Renders the rest of `reader` on `threads` threads, except for an incomplete record at the end of
/// the file. Afterwards the reader continues after the rendered part, and `text` is in the same
/// state as if it had rendered all lines.
///
/// # Errors
/// The outer error is the error of `write`; nothing more was written. The inner error means that
/// the file cannot be read further; all text before the error was written.
pub fn render<R: Render + Clone + Send>(
    reader: &mut Reader,
    filter: &Filter,
    text: &mut R,
    threads: usize,
    write: impl FnMut(&[u8]) -> io::Result<()> + Send,
) -> io::Result<(Dropped, Result<(), Error>)> {
    render_pieces(reader, filter, text, threads, PIECE_BYTES, write)
}

/// Renders like [`render`], with a given size of pieces. Tests need many pieces of a small file.
///
/// # Errors
/// Returns the same errors as [`render`].
pub fn render_pieces<R: Render + Clone + Send>(
    reader: &mut Reader,
    filter: &Filter,
    text: &mut R,
    threads: usize,
    piece_bytes: usize,
    write: impl FnMut(&[u8]) -> io::Result<()> + Send,
) -> io::Result<(Dropped, Result<(), Error>)> {
    let start = usize::try_from(reader.position()).unwrap_or(usize::MAX);
    let (map, blocks) = match (reader.mapped(), reader.blocks()) {
        (Some(map), _) => (Arc::clone(map), None),
        (None, Some((map, mut blocks))) => {
            // The reader renders the rest.
            let is_large = |block: &BlockPlace| block.header.expanded_bytes as usize > LARGEST_BLOCK_BYTES;
            blocks.truncate(blocks.iter().position(is_large).unwrap_or(blocks.len()));
            (map, Some(blocks))
        }
        (None, None) => return Ok((Dropped::default(), Ok(()))),
    };
    let job = Job {
        start: if blocks.is_some() { start } else { start.min(map.bytes().len()) },
        map: &map,
        blocks,
        layout: (reader.version(), reader.order()),
        state: reader.state().clone(),
        piece_bytes,
        keep_going: reader.keeps_going(),
        thread_names: filter.uses_thread_names() || text.shows_thread_names(),
    };
    let output = PieceOutput {
        write,
        state: reader.state().clone(),
        expected: job.start,
        last_ns: text.last_ns(),
        dropped: Dropped::default(),
        ended: None,
        layout: job.layout,
        progress: reader.progress(),
    };
    let context = job.state.context.for_part(job.thread_names);
    let typical_bytes = if job.blocks.is_some() { TYPICAL_EXPANDED_BYTES } else { piece_bytes };
    let queue = Queue::new(threads, job.pieces(), typical_bytes, context);
    let output = Mutex::new(output);
    let worker = || Worker::new(&job, &queue, text.clone(), filter.clone());
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
    text.resume_after(output.last_ns);
    reader.resume(output.expected as u64, output.state);
    match output.ended {
        Some(PieceEnd::Refused(error)) => Err(error),
        Some(PieceEnd::Failed(error)) => Ok((output.dropped, Err(error))),
        Some(PieceEnd::Unfinished) | None => Ok((output.dropped, Ok(()))),
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
    piece_bytes: usize,
    keep_going: bool,
    /// True if the text depends on the names of threads.
    thread_names: bool,
}

impl Job<'_> {
    fn pieces(&self) -> u64 {
        if let Some(blocks) = &self.blocks {
            return blocks.len() as u64;
        }
        (self.map.bytes().len() - self.start).div_ceil(self.piece_bytes) as u64
    }

    /// Returns the nominal start and end of piece `number`, regardless of records.
    fn bounds(&self, number: u64) -> (usize, usize) {
        if let Some(BlockPlace { header, .. }) = self.block(number) {
            let begin = header.expanded_before as usize;
            return (begin.max(self.start), begin + header.expanded_bytes as usize);
        }
        let begin = self.start + number as usize * self.piece_bytes;
        (begin, (begin + self.piece_bytes).min(self.map.bytes().len()))
    }
}

impl Job<'_> {
    fn block(&self, number: u64) -> Option<&BlockPlace> {
        self.blocks.as_ref()?.get(usize::try_from(number).ok()?)
    }
}

/// The rendered output of a piece, and the data needed to check that it is correct.
pub(super) struct FilePiece {
    text: TextBuffer,
    begin: usize,
    /// The offset of the first record after the piece.
    end: usize,
    /// The context with which the piece was decoded.
    context: Context,
    /// The state after the piece. Its tally counts only the records of the piece.
    state: DecodeState,
    /// The offsets and the bytes of the mapping records.
    mappings: Vec<(u64, Vec<u8>)>,
    first: Option<FirstTime>,
    last_ns: Option<u64>,
    dropped: Dropped,
    /// Threads whose name was needed but unknown.
    unnamed: HashSet<u32>,
    ended: Option<PieceEnd>,
}

/// The reason why parallel rendering ends.
#[derive(Debug)]
enum PieceEnd {
    Failed(Error),
    /// The reader must process the rest, because it handles the end of a file.
    Unfinished,
    Refused(io::Error),
}

/// The v4 data of a piece.
enum PieceData<'p> {
    /// The mapped file.
    Mapped(&'p [u8]),
    /// A block that is decoded while it is rendered.
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

/// Writes the output of the pieces in order.
struct PieceOutput<W> {
    write: W,
    state: DecodeState,
    /// The offset at which the next piece must start.
    expected: usize,
    last_ns: Option<u64>,
    dropped: Dropped,
    ended: Option<PieceEnd>,
    layout: (Version, ByteOrder),
    progress: Arc<AtomicU64>,
}

struct Worker<'q, R> {
    job: &'q Job<'q>,
    queue: &'q Queue,
    text: R,
    filter: Filter,
    /// The schemas to which the caches of `text` and `filter` refer.
    schemas: Arc<Schemas>,
    /// Copies of `text` and `filter` with empty caches.
    blank: (R, Filter),
    decoder: BlockDecoder,
    /// The memory for a decompressed block.
    plain: Vec<u8>,
}

impl<'q, R: Render + Clone> Worker<'q, R> {
    fn new(job: &'q Job<'q>, queue: &'q Queue, text: R, filter: Filter) -> Worker<'q, R> {
        let schemas = Arc::clone(&job.state.context.schemas);
        let blank = (text.clone(), filter.clone());
        let (decoder, plain) = (BlockDecoder::default(), Vec::new());
        Worker { job, queue, blank, text, filter, schemas, decoder, plain }
    }

    fn work<W: FnMut(&[u8]) -> io::Result<()>>(mut self, output: &Mutex<PieceOutput<W>>) {
        let _stop = StopOnPanic(self.queue);
        while let Some((number, context, buffer)) = self.queue.take() {
            let (nominal_begin, end) = self.job.bounds(number);
            let begin = match number {
                _ if self.job.blocks.is_some() => Some(nominal_begin),
                0 => Some(nominal_begin),
                _ => {
                    let search = Search { layout: self.job.layout, table: &context.table };
                    search.first(self.job.map.bytes(), nominal_begin, end)
                }
            };
            // Without a guess, the piece is rendered once its start is known.
            let piece = self.render_piece(number, begin.unwrap_or(usize::MAX), context, None, buffer);
            self.hand_in(number, piece, output);
        }
    }

    /// Renders the records of piece `number` from `begin` on. `context` is the context at `begin`, and
    /// `lost` is the loss that was reported directly before it.
    fn render_piece(
        &mut self,
        number: u64,
        begin: usize,
        context: Context,
        lost: Option<(u64, Lost)>,
        buffer: TextBuffer,
    ) -> FilePiece {
        let (job, (_, end)) = (self.job, self.job.bounds(number));
        let Some(BlockPlace { at, header, .. }) = job.block(number) else {
            if begin < end {
                job.map.populate(begin..end);
            }
            let data = PieceData::Mapped(job.map.bytes());
            return self.render(data, 0, begin..end, context, lost, buffer);
        };
        let block = *at..at + header.block_bytes();
        job.map.populate(block.clone());
        let (mut decoder, mut plain) = (std::mem::take(&mut self.decoder), std::mem::take(&mut self.plain));
        let base = header.expanded_before as usize;
        let bytes = job.map.bytes().get(block.clone()).unwrap_or_default();
        let piece = match plain_body(&mut plain, header, bytes) {
            Ok(body) => {
                let data = PieceData::Block(decoder.start(header, body));
                self.render(data, base, begin..end, context, lost, buffer)
            }
            Err(_) => self.render_nothing(begin, context, lost, buffer),
        };
        (self.decoder, self.plain) = (decoder, plain);
        // Releasing pages interrupts the other threads, so do it rarely.
        let released_to = block.end / RELEASED_BYTES * RELEASED_BYTES;
        if block.contains(&released_to) {
            job.map.release(released_to.saturating_sub(RELEASED_BYTES)..released_to);
        }
        piece
    }

    /// Renders nothing of a damaged block, which starts at `begin`: the reader reports the damage later.
    #[cold]
    fn render_nothing(
        &mut self,
        begin: usize,
        context: Context,
        lost: Option<(u64, Lost)>,
        buffer: TextBuffer,
    ) -> FilePiece {
        let piece = self.render(PieceData::Mapped(&[]), begin, begin..begin, context, lost, buffer);
        FilePiece { ended: Some(PieceEnd::Unfinished), ..piece }
    }

    /// Renders the records in `range` of the trace. The first byte of `data` is at offset `base`.
    fn render(
        &mut self,
        mut data: PieceData<'_>,
        base: usize,
        range: Range<usize>,
        context: Context,
        lost: Option<(u64, Lost)>,
        mut buffer: TextBuffer,
    ) -> FilePiece {
        buffer.clear();
        // After a wrong guess or with an incomplete context, the previous piece may have numbered
        // the trace's own schemas differently.
        if !Arc::ptr_eq(&self.schemas, &context.schemas) {
            (self.text, self.filter) = self.blank.clone();
        }
        let Range { start: begin, end } = range;
        let known = context.clone();
        let anomalies = Anomalies::default();
        let tally = Tally { number: 0, number_before: 0, anomalies, ..self.job.state.tally.clone() };
        let mut state = DecodeState { context, tally, lost, mapped_at: Some(Vec::new()) };
        self.text.resume_after(None);
        let mut visit = LineVisitor {
            text: &mut self.text,
            filter: &mut self.filter,
            out: buffer,
            most_bytes: self.job.piece_bytes.max(end.saturating_sub(begin)) * TEXT_PER_PIECE,
            dropped: Dropped::default(),
            unnamed: self.job.thread_names.then(HashSet::new),
        };
        let (mut at, mut window_end) = (begin, end);
        let mut is_whole = matches!(data, PieceData::Mapped(_));
        let mut ended = None;
        while at < end {
            if let PieceData::Block(block) = &mut data {
                if at == base + block.decoded().len() {
                    let (count, taken_to) = visit.take(block, &state.context.table);
                    state.tally.number += count;
                    at = base + taken_to;
                }
                let before = at.saturating_sub(base + block.decoded().len());
                let Ok(is_last) = block.expand(before + EXPANDED_BYTES) else { break };
                is_whole = is_last;
                window_end = base + block.decoded().len();
            }
            let bytes = data.bytes();
            let window = bytes.get(at - base..window_end - base).unwrap_or_default();
            let (why, decoded) = run_any(self.job.layout, true, window, at as u64, &mut state, &mut visit);
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
        let LineVisitor { out: text, dropped, unnamed, .. } = visit;
        let unnamed = unnamed.unwrap_or_default();
        self.schemas = Arc::clone(&state.context.schemas);
        if let PieceData::Block(block) = &mut data
            && block.expand(usize::MAX).is_err()
        {
            return self.render_nothing(begin, known, lost, text);
        }
        let bytes = data.bytes();
        let (first, last_ns) = (self.text.first_time(), self.text.last_ns());
        let mapping = |&offset: &u64| {
            let window = bytes.get(offset as usize - base..).unwrap_or_default();
            match step_by_length(self.job.layout.0, self.job.layout.1, window) {
                Step::Mapping(mapping) => Some((offset, window[..mapping.size].to_vec())),
                _ => None,
            }
        };
        let mappings = state.mapped_at.iter().flatten().filter_map(mapping).collect();
        let (context, end) = (known, at);
        FilePiece { text, begin, end, context, state, mappings, first, last_ns, dropped, unnamed, ended }
    }

    /// Hands in a piece. Then writes all pieces that are ready, unless another worker does.
    fn hand_in<W: FnMut(&[u8]) -> io::Result<()>>(
        &mut self,
        number: u64,
        piece: FilePiece,
        output: &Mutex<PieceOutput<W>>,
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
            let piece = if output.is_right(&piece, self.job.thread_names) || output.ended.is_some() {
                piece
            } else {
                let begin = output.expected;
                let context = output.state.context.for_part(self.job.thread_names);
                self.render_piece(turn, begin, context, output.state.lost, piece.text)
            };
            let text = output.put(piece, &mut self.text);
            turns = self.queue.lock();
            turns.turn += 1;
            turns.stop |= output.ended.is_some();
            let context = output.state.context.for_part(self.job.thread_names);
            if context.changes() != turns.context.changes() {
                turns.context = context;
            }
            turns.spare.push(text);
            self.queue.changed.notify_all();
        }
        turns.busy = false;
    }
}

impl<W: FnMut(&[u8]) -> io::Result<()>> PieceOutput<W> {
    /// Returns true if `piece` was decoded from the right offset, with the right preceding loss,
    /// and with the right names. Names that have become known since must not affect its text.
    fn is_right(&self, piece: &FilePiece, thread_names: bool) -> bool {
        if piece.begin != self.expected || self.state.lost_at(piece.begin as u64).is_some() {
            return false;
        }
        let (now, then) = (self.state.context.for_part(thread_names), &piece.context);
        now.changes() == then.changes()
            || (piece.ended.is_none()
                && !now.contradicts(then)
                && now.modules.changes() == then.modules.changes()
                && now.threads.renamings() == then.threads.renamings()
                && piece.unnamed.iter().all(|&tid| now.threads.name(tid).is_none())
                // If an event is declared twice, the first declaration counts.
                && (Arc::ptr_eq(&now.schemas, &then.schemas) || Arc::ptr_eq(&then.schemas, &piece.state.context.schemas)))
    }

    /// Continues at `begin`, after blocks with `missed_records` records that were skipped.
    fn skip_to(&mut self, begin: usize, missed_records: u64) {
        if self.ended.is_none() {
            self.expected = self.expected.max(begin);
            self.state.tally.number += missed_records;
        }
    }

    /// Writes a piece whose output is right, and returns its buffer.
    fn put(&mut self, mut piece: FilePiece, render: &mut impl Render) -> TextBuffer {
        if self.ended.is_some() {
            return piece.text;
        }
        let result = match (&piece.first, self.last_ns) {
            (Some(first), Some(last_ns)) => {
                let mut delta = TextBuffer::with_capacity(0);
                render.push_delta(last_ns, first.timestamp_ns, &mut delta);
                let text = piece.text.as_bytes();
                let (before, rest) = text.split_at(first.at.start.min(text.len()));
                let rest = rest.get(first.at.len()..).unwrap_or_default();
                (self.write)(before)
                    .and_then(|()| (self.write)(delta.as_bytes()))
                    .and_then(|()| (self.write)(rest))
            }
            _ => (self.write)(piece.text.as_bytes()),
        };
        self.ended = match result {
            Err(error) => Some(PieceEnd::Refused(error)),
            Ok(()) => piece.ended.take().map(|ended| match ended {
                PieceEnd::Failed(error) => {
                    PieceEnd::Failed(error.renumbered(self.state.tally.number_in_file()))
                }
                other => other,
            }),
        };
        self.expected = piece.end;
        self.progress.store(piece.end as u64, Ordering::Relaxed);
        self.last_ns = piece.last_ns.or(self.last_ns);
        self.dropped.add(piece.dropped);
        let tally = &mut self.state.tally;
        let anomalies = std::mem::take(&mut piece.state.tally.anomalies);
        tally.anomalies.append(anomalies.renumbered(tally.number_in_file()));
        tally.number += piece.state.tally.number;
        let changes = self.state.context.changes();
        self.learn(&piece);
        // Each further piece would start with a copy of the whole context.
        if changes != self.state.context.changes() && self.state.context.copied_bytes() > COPIED_BYTES {
            self.ended.get_or_insert(PieceEnd::Unfinished);
        }
        piece.text
    }

    /// Processes the mapping records of a piece, and adds them to the current context.
    fn learn(&mut self, piece: &FilePiece) {
        // The anomalies of these records were counted when the piece was decoded.
        let reported = std::mem::take(&mut self.state.tally.anomalies);
        for (offset, bytes) in &piece.mappings {
            if let Step::Mapping(mapping) = step_by_length(self.layout.0, self.layout.1, bytes) {
                let _ = self.state.map(&mapping, *offset);
            }
        }
        self.state.tally.anomalies = reported;
        self.state.lost = piece.state.lost.or(self.state.lost);
    }
}

struct LineVisitor<'r, R> {
    text: &'r mut R,
    filter: &'r mut Filter,
    out: TextBuffer,
    most_bytes: usize,
    dropped: Dropped,
    /// Threads without a name, if thread names matter.
    unnamed: Option<HashSet<u32>>,
}

impl<R> LineVisitor<'_, R> {
    #[inline(always)]
    fn flow(&self) -> Flow {
        if self.out.len() < self.most_bytes { Flow::Continue } else { Flow::Stop }
    }
}

impl<R: Render> LineVisitor<'_, R> {
    /// Renders records at the start of the rest of `block` while they are decoded. Returns their number,
    /// and the size of the block's v4 data up to them.
    fn take(&mut self, block: &mut Decoding<'_>, table: &Table) -> (u64, usize) {
        let mut records = BlockRecords::new(block, table);
        if self.filter.is_everything() {
            self.text.render_block(&mut records, &mut self.out);
        }
        records.taken()
    }
}

impl<R: Render> Visitor for LineVisitor<'_, R> {
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        if self.filter.is_everything() {
            self.text.render_fast(records, &mut self.out);
        }
        self.flow()
    }

    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        if let Some(unnamed) = &mut self.unnamed
            && let Some(tid) = entry.tid()
            && entry.thread_name().is_none()
        {
            unnamed.insert(tid);
        }
        if self.filter.accepts(entry) {
            self.dropped.count(entry);
            self.text.render(entry, &mut self.out);
        }
        self.flow()
    }
}

#[cfg(test)]
#[path = "parallel_tests.rs"]
mod tests;
