//! Decodes a table in a thread of its own, while a consumer reads the batches.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use pyo3::PyErr;
use ringtrace_tracefile::columns::{Batch, ReadError, Request, TableKind, read};
use ringtrace_tracefile::pair::Description;
use ringtrace_tracefile::{Error, Needs, Reader, Schemas, Traces};
use rustix::io::Errno;

use crate::arrow::{ArrowArray, ArrowSchema, BatchStream, ColumnData, StreamError};
use crate::error::Message;
use crate::interrupt::{self, INTERVAL, Interrupts};
use crate::opening::{Opening, progress};
use crate::pairs;
use crate::plan::Plan;

/// The number of batches that the thread decodes in advance. It limits the memory of a stream.
const BATCHES_AHEAD: usize = 2;

/// A table to decode.
#[derive(Debug, Clone)]
pub struct Job {
    /// The traces.
    pub opening: Arc<Opening>,
    /// The rows and columns.
    pub request: Request,
    /// The event, for the table of an event.
    pub event: Option<String>,
    /// The pairs and counters.
    pub description: Description,
    /// The events that each trace declares.
    pub declared: Vec<Arc<Schemas>>,
    /// The progress of the stream that was started last.
    pub progress: Arc<Progress>,
}

/// The progress and the result of the stream of a table that was started last.
#[derive(Debug, Default)]
pub struct Progress {
    /// The number of bytes that were read, and that there are, of each trace.
    traces: Mutex<Vec<(Arc<AtomicU64>, u64)>>,
    error: Mutex<Option<String>>,
}

impl Progress {
    /// Returns the part that was read, from 0 to 1; `None` before reading starts, or if the size of
    /// a trace is unknown.
    pub fn part(&self) -> Option<f64> {
        let traces = unpoisoned(&self.traces);
        let total: u64 = traces.iter().map(|(_, bytes)| bytes).sum();
        let done: u64 = traces.iter().map(|(done, bytes)| done.load(Ordering::Relaxed).min(*bytes)).sum();
        (total > 0).then(|| done as f64 / total as f64)
    }

    /// Returns the error that ended the stream.
    pub fn error(&self) -> Option<String> {
        unpoisoned(&self.error).clone()
    }

    fn start(&self) {
        unpoisoned(&self.traces).clear();
        *unpoisoned(&self.error) = None;
    }
}

/// Returns the guard of a lock. Nothing that is done with a lock can panic.
fn unpoisoned<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

enum Item {
    Batch(Batch),
    End(Result<(), Message>),
}

/// A table that is being decoded. The thread starts with the first batch, and stops when this is
/// dropped.
#[derive(Debug)]
pub struct Decoding {
    job: Job,
    plan: Plan,
    state: State,
    interrupts: Option<Interrupts>,
    /// The exception of a signal handler of Python.
    raised: Option<PyErr>,
}

#[derive(Debug)]
enum State {
    NotStarted,
    Running { items: Receiver<Item>, stop: Arc<AtomicBool> },
    Ended(Result<(), StreamError>),
}

impl Decoding {
    /// Prepares to decode `job` with the columns of `plan`.
    pub fn new(job: Job, plan: Plan) -> Decoding {
        Decoding { job, plan, state: State::NotStarted, interrupts: None, raised: None }
    }

    /// Returns the columns.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Converts an error of this to an exception.
    pub fn exception(&mut self, error: StreamError) -> PyErr {
        self.raised.take().unwrap_or_else(|| Message(error.message).into())
    }

    /// Returns the next batch: the number of its rows, and its columns. Returns `None` at the end.
    ///
    /// # Errors
    /// A trace is damaged; all readable rows were returned. Or the user interrupts the program.
    pub fn next_columns(&mut self) -> Result<Option<(usize, Vec<ColumnData>)>, StreamError> {
        let ended = match self.receive() {
            Ok(Some(batch)) => {
                let rows = batch.rows;
                match self.plan.arrange(batch) {
                    Ok(columns) => return Ok(Some((rows, columns))),
                    Err(message) => Err(failure(message)),
                }
            }
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        self.stop();
        if let Err(error) = &ended {
            *unpoisoned(&self.job.progress.error) = Some(error.message.clone());
        }
        self.state = State::Ended(ended.clone());
        ended.map(|()| None)
    }

    fn receive(&mut self) -> Result<Option<Batch>, StreamError> {
        if matches!(self.state, State::NotStarted) {
            self.job.progress.start();
            let (sender, items) = sync_channel(BATCHES_AHEAD);
            let (job, stop) = (self.job.clone(), Arc::new(AtomicBool::new(false)));
            let flag = Arc::clone(&stop);
            thread::Builder::new()
                .name("ringtrace".to_owned())
                .spawn(move || decode(job, flag, &sender))
                .map_err(|error| failure(Message::new(format!("cannot start a thread: {error}"), None)))?;
            self.state = State::Running { items, stop };
        }
        // A consumer can call from another thread than the one that created the stream.
        let interrupts = self.interrupts.get_or_insert_with(Interrupts::new);
        let items = match &self.state {
            State::Running { items, .. } => items,
            State::Ended(result) => return result.clone().map(|()| None),
            State::NotStarted => return Ok(None),
        };
        loop {
            let item = items.recv_timeout(INTERVAL);
            if let Err(raised) = interrupts.check() {
                let message = interrupt::text(&raised);
                self.raised = Some(raised);
                return Err(StreamError { number: Errno::INTR.raw_os_error(), message });
            }
            match item {
                Ok(Item::Batch(batch)) => return Ok(Some(batch)),
                Ok(Item::End(result)) => return result.map(|()| None).map_err(failure),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let message = "internal error: the thread that reads the trace ended early";
                    return Err(failure(Message::new(message, None)));
                }
            }
        }
    }

    fn stop(&self) {
        if let State::Running { stop, .. } = &self.state {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Decoding {
    fn drop(&mut self) {
        // The thread ends when it passes the next batch, or sees the flag. Waiting for it could
        // block the interpreter while traces are sorted.
        self.stop();
    }
}

impl BatchStream for Decoding {
    fn schema(&self) -> ArrowSchema {
        self.plan.schema()
    }

    fn next(&mut self) -> Result<Option<ArrowArray>, StreamError> {
        let next = self.next_columns().inspect_err(|error| {
            if error.message == interrupt::INTERRUPTED {
                interrupt::repeat();
            }
        });
        Ok(next?.map(|(rows, columns)| ArrowArray::of_rows(rows, &columns)))
    }
}

fn failure(message: Message) -> StreamError {
    StreamError { number: Errno::IO.raw_os_error(), message: message.0 }
}

/// Decodes a table, and sends its batches, until the receiver is gone.
fn decode(job: Job, stop: Arc<AtomicBool>, sender: &SyncSender<Item>) {
    let result = catch_unwind(AssertUnwindSafe(|| read_all(job, stop, sender)));
    let result = result.unwrap_or_else(|_| Err(Message::new("internal error: reading panicked", None)));
    // If the receiver is gone, nobody needs the result.
    let _ = sender.send(Item::End(result));
}

fn read_all(job: Job, stop: Arc<AtomicBool>, sender: &SyncSender<Item>) -> Result<(), Message> {
    let Job { opening, request, event, description, declared, progress: shared } = job;
    let readers = opening.readers()?;
    *unpoisoned(&shared.traces) = progress(&readers);
    let mut traces = opening.gather(readers, Needs::default())?;
    let schemas: Vec<&Schemas> = declared.iter().map(AsRef::as_ref).collect();
    let mut tracker = pairs::tracker(description, &schemas)?;
    let request = Request { stop: Some(stop), ..request };
    let sink = |batch: &mut Batch| -> Result<(), Stopped> {
        // A pattern can match further events.
        let is_other = matches!(batch.table.kind, TableKind::Event(_))
            && event.as_ref().is_some_and(|event| batch.table.name != *event);
        if is_other {
            return Ok(());
        }
        sender.send(Item::Batch(std::mem::take(batch))).map_err(|_| Stopped)
    };
    match read(&mut traces, &mut tracker, request, sink) {
        Ok(outcome) => {
            let errors = reading_errors(&traces, outcome.read_errors, opening.options.keep_going);
            Message::of_all(&errors).map_or(Ok(()), Err)
        }
        Err(ReadError::Sink(Stopped)) => Ok(()),
        Err(ReadError::Pair(error)) => Err(error.into()),
    }
}

/// Returns `errors`, which ended the reading of traces, and those for parts that are missing but do not end it,
/// such as the end of a truncated compact trace.
pub fn reading_errors(traces: &Traces, mut errors: Vec<Error>, keep_going: bool) -> Vec<Error> {
    if !keep_going {
        errors.extend(traces.readers().into_iter().flat_map(Reader::missing_parts).cloned());
    }
    errors
}

/// The receiver of the batches is gone.
#[derive(Debug)]
struct Stopped;
