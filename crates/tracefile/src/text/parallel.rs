//! The text of one large file, rendered on several cores and put out in order.
//!
//! The file is cut into pieces of equal size without reading it. A worker that takes a piece guesses where its
//! first record begins (bytes that look like a run of records), decodes and renders up to the first record
//! beyond the piece's end, and hands the text in. Texts are put out in order by whichever worker finds the next
//! one ready, and only if the guess was right: if the piece begins just where the one before it ended, and if no
//! id changed its meaning in between. Else the piece is rendered again from where it really begins. So guesses
//! cost time when they are wrong, never a byte.
//!
//! That more ids got a meaning in between does no harm: a piece that needed one of them could not be decoded. So what a
//! piece learned is learned once more when it is put out, on top of what is known by then.
//!
//! The one thing a line knows of the line before is the time, for its delta: the place of the first delta of a
//! piece is remembered and filled in when the text is put out.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::{Step, Version, step_by_length};

use crate::entry::{Dropped, Entry, Schemas};
use crate::error::{Anomalies, Error, unpoisoned};
use crate::input::map::MappedFile;
use crate::metadata::Lost;
use crate::query::filter::Filter;
use crate::read::decode::{WindowEnd, run_any};
use crate::read::reader::Reader;
use crate::read::resync::Search;
use crate::read::state::{Context, DecodeState, Tally};
use crate::read::visitor::{Flow, OrdinaryRecords, Visitor};
use crate::text::{FirstTime, Render, TextBuffer};

/// Size of a piece: it and its text fit a core's second-level cache.
const PIECE_BYTES: usize = 1 << 19;

/// How many pieces may wait for an earlier one, for each worker.
const WAITING_PER_WORKER: u64 = 4;

/// A piece whose text is so many times as large, as of an event with an endless name, ends there, and with it the work on
/// pieces: they would take memory out of proportion.
const TEXT_PER_PIECE: usize = 16;

/// A piece in which something is learned has a copy of all that is known. Where that is larger, and still grows, the
/// copies would cost more than working on pieces saves.
const COPIED_BYTES: usize = 4 << 20;

/// Files below this are not worth starting threads for.
const WORTHWHILE_BYTES: u64 = 4 << 20;

/// Whether [`render`] can do something for `reader`.
pub fn is_worthwhile(reader: &Reader) -> bool {
    reader.is_by_length()
        && reader.version() == Version::V4
        && reader.mapped().is_some()
        && reader.file_bytes().is_some_and(|bytes| bytes >= WORTHWHILE_BYTES)
}

/// Renders what `reader` has left, but for the end of the file that is not a whole record, on `threads` threads.
/// The reader goes on where this ended, and `text` is as if it had rendered all lines itself.
///
/// # Errors
/// The outer error is `write`'s: nothing more was put out. The inner one says that the file cannot be read on; all
/// before was put out.
pub fn render<R: Render + Clone + Send>(
    reader: &mut Reader,
    filter: &Filter,
    text: &mut R,
    threads: usize,
    write: impl FnMut(&[u8]) -> io::Result<()> + Send,
) -> io::Result<(Dropped, Result<(), Error>)> {
    render_pieces(reader, filter, text, threads, PIECE_BYTES, write)
}

/// The same with pieces of another size than is best: tests want many in a small file.
///
/// # Errors
/// As [`render`].
pub fn render_pieces<R: Render + Clone + Send>(
    reader: &mut Reader,
    filter: &Filter,
    text: &mut R,
    threads: usize,
    piece_bytes: usize,
    write: impl FnMut(&[u8]) -> io::Result<()> + Send,
) -> io::Result<(Dropped, Result<(), Error>)> {
    let Some(map) = reader.mapped().cloned() else { return Ok((Dropped::default(), Ok(()))) };
    let job = Job {
        map: &map,
        layout: (reader.version(), reader.order()),
        start: usize::try_from(reader.position()).unwrap_or(usize::MAX).min(map.bytes().len()),
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
        map: &map,
        layout: job.layout,
        progress: reader.progress(),
    };
    let (queue, output) = (Queue::new(threads, &job), Mutex::new(output));
    let worker = || Worker::new(&job, &queue, text.clone(), filter.clone());
    std::thread::scope(|scope| {
        let more = usize::try_from(queue.pieces).unwrap_or(threads).min(threads).saturating_sub(1);
        for worker in std::iter::repeat_with(&worker).take(more) {
            let output = &output;
            // Where the system gives no more threads, those that are there do the work.
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
        Some(PieceEnd::Odd) | None => Ok((output.dropped, Ok(()))),
    }
}

/// What is to be done.
struct Job<'m> {
    map: &'m MappedFile,
    layout: (Version, ByteOrder),
    /// Where the first piece begins: a record does.
    start: usize,
    /// What is known there.
    state: DecodeState,
    piece_bytes: usize,
    keep_going: bool,
    /// Whether the text depends on the names of threads.
    thread_names: bool,
}

impl Job<'_> {
    fn pieces(&self) -> u64 {
        (self.map.bytes().len() - self.start).div_ceil(self.piece_bytes) as u64
    }

    /// Where piece `number` would begin and end if records were bytes.
    fn bounds(&self, number: u64) -> (usize, usize) {
        let begin = self.start + number as usize * self.piece_bytes;
        (begin, (begin + self.piece_bytes).min(self.map.bytes().len()))
    }
}

/// The text of a piece, and what must be so for it to be right.
struct FilePiece {
    text: TextBuffer,
    begin: usize,
    /// Where the first record after it begins.
    end: usize,
    /// The names it was decoded with.
    context: Context,
    /// What was known after it, and how many records it has.
    state: DecodeState,
    first: Option<FirstTime>,
    last_ns: Option<u64>,
    dropped: Dropped,
    /// Threads of which the name was asked for, and not known.
    unnamed: HashSet<u32>,
    ended: Option<PieceEnd>,
}

/// Why no piece can follow.
#[derive(Debug)]
enum PieceEnd {
    /// The file cannot be read on.
    Failed(Error),
    /// The rest is for the reader, that knows what to do at the end of a file.
    Odd,
    /// The text could not be written.
    Refused(io::Error),
}

/// Hands out pieces, and keeps texts until it is their turn.
struct Queue {
    state: Mutex<QueueState>,
    changed: Condvar,
    pieces: u64,
    most_waiting: u64,
}

struct QueueState {
    /// The next piece to be taken.
    next: u64,
    /// The next piece to be put out.
    turn: u64,
    ready: BTreeMap<u64, FilePiece>,
    /// Somebody is putting out.
    busy: bool,
    /// What is known, as far as was put out.
    context: Context,
    spare: Vec<TextBuffer>,
    stop: bool,
}

impl Queue {
    fn new(threads: usize, job: &Job<'_>) -> Queue {
        let turns = QueueState {
            next: 0,
            turn: 0,
            ready: BTreeMap::new(),
            busy: false,
            context: job.state.context.for_part(job.thread_names),
            spare: Vec::new(),
            stop: false,
        };
        let most_waiting = WAITING_PER_WORKER * threads as u64;
        Queue { state: Mutex::new(turns), changed: Condvar::new(), pieces: job.pieces(), most_waiting }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        // No code that holds the lock panics; if one did, the turns would still be whole.
        unpoisoned(self.state.lock())
    }

    /// A piece to work on, with the names to start from and a buffer for its text.
    fn take(&self) -> Option<(u64, Context, TextBuffer)> {
        let mut turns = self.lock();
        loop {
            if turns.stop || turns.next >= self.pieces {
                return None;
            }
            if turns.next < turns.turn + self.most_waiting {
                let number = turns.next;
                turns.next += 1;
                return Some((number, turns.context.clone(), turns.spare.pop().unwrap_or_default()));
            }
            turns = unpoisoned(self.changed.wait(turns));
        }
    }

    /// From now on hands out nothing, and lets go whoever waits for something.
    fn stop(&self) {
        self.lock().stop = true;
        self.changed.notify_all();
    }
}

/// Should a worker panic, its piece never comes: the others must not wait for it.
struct StopOnPanic<'q>(&'q Queue);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// Puts texts out.
struct PieceOutput<'m, W> {
    write: W,
    state: DecodeState,
    /// Where the next piece must begin.
    expected: usize,
    last_ns: Option<u64>,
    dropped: Dropped,
    ended: Option<PieceEnd>,
    map: &'m MappedFile,
    layout: (Version, ByteOrder),
    progress: Arc<AtomicU64>,
}

struct Worker<'q, R> {
    job: &'q Job<'q>,
    queue: &'q Queue,
    text: R,
    filter: Filter,
    /// What `text` and `filter` know of events, they know by the numbers of these schemas.
    schemas: Arc<Schemas>,
    /// Both as they were when they knew of none.
    blank: (R, Filter),
}

impl<'q, R: Render + Clone> Worker<'q, R> {
    fn new(job: &'q Job<'q>, queue: &'q Queue, text: R, filter: Filter) -> Worker<'q, R> {
        let schemas = Arc::clone(&job.state.context.schemas);
        Worker { job, queue, blank: (text.clone(), filter.clone()), text, filter, schemas }
    }

    fn work<W: FnMut(&[u8]) -> io::Result<()>>(mut self, output: &Mutex<PieceOutput<'_, W>>) {
        let _stop = StopOnPanic(self.queue);
        while let Some((number, context, buffer)) = self.queue.take() {
            let (nominal_begin, end) = self.job.bounds(number);
            let begin = match number {
                0 => Some(nominal_begin),
                _ => {
                    let search = Search { layout: self.job.layout, table: &context.table };
                    search.first(self.job.map.bytes(), nominal_begin, end)
                }
            };
            // Without a guess the piece is rendered when it is known where it begins.
            let piece = match begin {
                Some(begin) => self.render(begin, end, context, None, buffer),
                None => self.render(usize::MAX, end, context, None, buffer),
            };
            self.hand_in(number, piece, output);
        }
    }

    /// Renders the records that begin from `begin` on and before `end`, with the names that are known there, and what was
    /// said of a loss right before.
    fn render(
        &mut self,
        begin: usize,
        end: usize,
        context: Context,
        lost: Option<(u64, Lost)>,
        mut buffer: TextBuffer,
    ) -> FilePiece {
        buffer.clear();
        // A piece that was guessed wrong, or with too little known, may have given other numbers to the schemas that the
        // trace declares.
        if !Arc::ptr_eq(&self.schemas, &context.schemas) {
            (self.text, self.filter) = self.blank.clone();
        }
        let known = context.clone();
        let tally = Tally { number: 0, anomalies: Anomalies::default(), ..self.job.state.tally.clone() };
        let mut state = DecodeState { context, tally, lost, mapped_at: Some(Vec::new()) };
        self.text.resume_after(None);
        let mut visit = LineVisitor {
            text: &mut self.text,
            filter: &mut self.filter,
            out: buffer,
            most_bytes: self.job.piece_bytes * TEXT_PER_PIECE,
            dropped: Dropped::default(),
            unnamed: self.job.thread_names.then(HashSet::new),
        };
        let bytes = self.job.map.bytes();
        let (mut at, mut window_end) = (begin, end);
        if begin < end {
            self.job.map.populate(begin..end);
        }
        let mut ended = None;
        while at < end {
            let window = bytes.get(at..window_end).unwrap_or_default();
            let (why, decoded) = run_any(self.job.layout, true, window, at as u64, &mut state, &mut visit);
            at += decoded;
            match why {
                WindowEnd::NeedMore(_) if at >= end => break,
                // The last record of the piece reaches beyond its end: it is looked at alone.
                WindowEnd::NeedMore(need) if decoded > 0 || at.saturating_add(need) > window_end => {
                    window_end = at.saturating_add(need);
                    if window_end > bytes.len() {
                        ended = Some(PieceEnd::Odd);
                        break;
                    }
                }
                // Whoever is to go on behind damage does so alone.
                WindowEnd::Failed(_) if self.job.keep_going => {
                    ended = Some(PieceEnd::Odd);
                    break;
                }
                WindowEnd::Failed(error) => {
                    ended = Some(PieceEnd::Failed(error));
                    break;
                }
                WindowEnd::NeedMore(_) | WindowEnd::Stopped => {
                    ended = Some(PieceEnd::Odd);
                    break;
                }
            }
        }
        let LineVisitor { out: text, dropped, unnamed, .. } = visit;
        let unnamed = unnamed.unwrap_or_default();
        self.schemas = Arc::clone(&state.context.schemas);
        let (first, last_ns) = (self.text.first_time(), self.text.last_ns());
        FilePiece { text, begin, end: at, context: known, state, first, last_ns, dropped, unnamed, ended }
    }

    /// Hands in a piece, and puts out all that are ready if nobody else does.
    fn hand_in<W: FnMut(&[u8]) -> io::Result<()>>(
        &mut self,
        number: u64,
        piece: FilePiece,
        output: &Mutex<PieceOutput<'_, W>>,
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
            let (_, end) = self.job.bounds(turn);
            let piece = if output.is_right(&piece, self.job.thread_names) || output.ended.is_some() {
                piece
            } else {
                let begin = output.expected;
                let context = output.state.context.for_part(self.job.thread_names);
                self.render(begin, end, context, output.state.lost, piece.text)
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

impl<W: FnMut(&[u8]) -> io::Result<()>> PieceOutput<'_, W> {
    /// Whether `piece` was decoded from the right place, with what was said right before it, and with names that were
    /// right: what became known since then did not change what it says.
    fn is_right(&self, piece: &FilePiece, thread_names: bool) -> bool {
        if piece.begin != self.expected || self.state.lost_at(piece.begin as u64).is_some() {
            return false;
        }
        let (now, then) = (self.state.context.for_part(thread_names), &piece.context);
        now.changes() == then.changes()
            || (piece.ended.is_none()
                && !now.contradicts(then)
                && now.threads.renamings() == then.threads.renamings()
                && piece.unnamed.iter().all(|&tid| now.threads.name(tid).is_none())
                // Of two declarations of an event the first counts.
                && (Arc::ptr_eq(&now.schemas, &then.schemas) || Arc::ptr_eq(&then.schemas, &piece.state.context.schemas)))
    }

    /// Puts out a piece that is right; gives its buffer back.
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
                PieceEnd::Failed(error) => PieceEnd::Failed(error.renumbered(self.state.tally.number)),
                other => other,
            }),
        };
        self.expected = piece.end;
        self.progress.store(piece.end as u64, Ordering::Relaxed);
        self.last_ns = piece.last_ns.or(self.last_ns);
        self.dropped.add(piece.dropped);
        let tally = &mut self.state.tally;
        let anomalies = std::mem::take(&mut piece.state.tally.anomalies);
        tally.anomalies.append(anomalies.renumbered(tally.number));
        tally.number += piece.state.tally.number;
        let changes = self.state.context.changes();
        self.learn(&piece.state);
        // What another piece begins with is a copy of all that is known.
        if changes != self.state.context.changes() && self.state.context.copied_bytes() > COPIED_BYTES {
            self.ended.get_or_insert(PieceEnd::Odd);
        }
        piece.text
    }

    /// Takes in what the mapping records of a piece say, on top of what is known.
    fn learn(&mut self, piece: &DecodeState) {
        // What is odd about them was found by who decoded the piece.
        let reported = std::mem::take(&mut self.state.tally.anomalies);
        for &offset in piece.mapped_at.iter().flatten() {
            let window = self.map.bytes().get(offset as usize..).unwrap_or_default();
            if let Step::Mapping(mapping) = step_by_length(self.layout.0, self.layout.1, window) {
                let _ = self.state.map(&mapping, offset);
            }
        }
        self.state.tally.anomalies = reported;
        self.state.lost = piece.lost.or(self.state.lost);
    }
}

/// Renders what a filter accepts.
struct LineVisitor<'r, R> {
    text: &'r mut R,
    filter: &'r mut Filter,
    out: TextBuffer,
    most_bytes: usize,
    dropped: Dropped,
    /// Threads without a name, where names matter.
    unnamed: Option<HashSet<u32>>,
}

impl<R> LineVisitor<'_, R> {
    #[inline(always)]
    fn flow(&self) -> Flow {
        if self.out.len() < self.most_bytes { Flow::Continue } else { Flow::Stop }
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
