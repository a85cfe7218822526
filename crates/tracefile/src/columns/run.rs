//! Reads traces and passes their rows to a sink.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::collector::{Collector, Sink};
use super::parallel::{Ended, read_pieces};
use super::table::Request;
use crate::entry::{Dropped, Entry, Schema};
use crate::error::Error;
use crate::pieces::{self, PIECE_BYTES};
use crate::query::pair::{PairError, SpanTracker};
use crate::read::Reader;
use crate::read::visitor::{BlockRecords, Flow, OrdinaryRecords, Visitor};
use crate::traces::Traces;

/// The result of [`read`].
#[derive(Debug)]
pub struct Read {
    /// Errors of the traces, one for each trace that could not be read to its end. All readable rows
    /// were passed to the sink.
    pub read_errors: Vec<Error>,
    /// Totals of lost events in the selected records.
    pub dropped: Dropped,
}

/// The error that stopped [`read`].
#[derive(Debug)]
pub enum ReadError<E> {
    /// The sink failed.
    Sink(E),
    /// An event does not match the description of pairs and counters.
    Pair(PairError),
}

impl<E: fmt::Display> fmt::Display for ReadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Sink(error) => error.fmt(f),
            ReadError::Pair(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for ReadError<E> {}

/// Reads all of `traces` once, and passes the rows that `request` selects to `sink`. `tracker`
/// follows the spans; without [`SpanTracker::keep_begins`], the arguments of begin records are null.
///
/// The filter of `request` is used in addition to that of `traces`, and is faster.
///
/// # Errors
/// The sink failed, or an event does not match the description of pairs and counters.
pub fn read<E: Send>(
    traces: &mut Traces,
    tracker: &mut SpanTracker,
    request: Request,
    sink: impl Sink<E> + Send,
) -> Result<Read, ReadError<E>> {
    let threads = request.threads;
    read_with(traces, tracker, request, sink, PIECE_BYTES, |reader| pieces::is_worthwhile(reader, threads))
}

/// Reads like [`read`], with a given size of pieces, in files for which `is_worthwhile` returns true. Tests
/// need many pieces of small files.
fn read_with<E: Send>(
    traces: &mut Traces,
    tracker: &mut SpanTracker,
    request: Request,
    mut sink: impl Sink<E> + Send,
    piece_bytes: usize,
    is_worthwhile: impl Fn(&Reader) -> bool,
) -> Result<Read, ReadError<E>> {
    if let (Some(reader), true) =
        (traces.single(), request.filter.since_ns.or(request.filter.until_ns).is_some())
    {
        let filter = &request.filter;
        let (since_ns, until_ns) = (filter.since_ns.unwrap_or(0), filter.until_ns.unwrap_or(u64::MAX));
        reader.select(since_ns, until_ns, None::<fn(u32, &Schema) -> bool>);
    }
    let stop = request.stop.clone();
    let mut collector = Collector::new(request, tracker.description().clone());
    let request = Arc::clone(collector.request());
    for reader in traces.readers() {
        collector.bind(reader.schemas());
    }
    // Spans depend on all earlier records.
    let is_divisible = request.threads > 1 && tracker.is_empty() && traces.filter().is_everything();
    let (mut dropped, mut failed, mut is_stopped) = (Dropped::default(), None, false);
    while is_divisible
        && let Some(reader) = traces.single()
        && is_worthwhile(reader)
    {
        let result = read_pieces(reader, &collector, &request, piece_bytes, &mut sink, &mut dropped);
        match result.map(|result| result.and_then(|()| reader.enter_next_file())) {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) => break,
            Ok(Err(error)) => {
                failed = Some(error);
                break;
            }
            Err(Ended::Stopped) => {
                is_stopped = true;
                break;
            }
            Err(Ended::Sink(error)) => return Err(ReadError::Sink(error)),
        }
    }
    let mut visitor =
        Collect { has_spans: !tracker.is_empty(), collector, tracker, sink, stop, dropped, error: None };
    let read_errors = match failed {
        Some(error) => vec![error],
        None if is_stopped => Vec::new(),
        None => traces.for_each(&mut visitor).err().unwrap_or_default(),
    };
    let Collect { mut collector, mut sink, dropped, error, .. } = visitor;
    if let Some(error) = error {
        return Err(error);
    }
    let pauses: Vec<_> = traces.readers().into_iter().flat_map(Reader::pauses).collect();
    collector.finish(tracker, &pauses, &mut sink).map_err(ReadError::Sink)?;
    Ok(Read { read_errors, dropped })
}

struct Collect<'t, S, E> {
    collector: Collector,
    tracker: &'t mut SpanTracker,
    has_spans: bool,
    sink: S,
    stop: Option<Arc<AtomicBool>>,
    dropped: Dropped,
    error: Option<ReadError<E>>,
}

impl<E, S: Sink<E>> Collect<'_, S, E> {
    fn collect(&mut self, entry: &Entry<'_>) -> Result<(), ReadError<E>> {
        if !self.collector.accepts(entry) {
            return Ok(());
        }
        self.collector.entry(entry, &mut self.sink).map_err(ReadError::Sink)?;
        if self.dropped.count(entry) || !self.has_spans {
            return Ok(());
        }
        let (events, tracks) = self.tracker.of(entry).map_err(ReadError::Pair)?;
        self.collector.spans(entry, &events, tracks, &mut self.sink).map_err(ReadError::Sink)
    }

    fn collect_fast(&mut self, records: &mut OrdinaryRecords<'_>) -> Result<(), ReadError<E>> {
        let Collect { collector, tracker, sink, .. } = self;
        if !self.has_spans {
            return collector.fast_path(records, sink).map_err(ReadError::Sink);
        }
        collector.fast_path_with_spans(records, tracker, sink)
    }

    fn flow(&mut self, result: Result<(), ReadError<E>>) -> Flow {
        match result {
            Ok(()) if self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) => Flow::Stop,
            Ok(()) => Flow::Continue,
            Err(error) => {
                self.error = Some(error);
                Flow::Stop
            }
        }
    }
}

impl<E, S: Sink<E>> Visitor for Collect<'_, S, E> {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        let result = self.collect(entry);
        self.flow(result)
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        let result = self.collect_fast(records);
        self.flow(result)
    }

    fn takes_blocks(&self) -> bool {
        !self.has_spans && self.collector.takes_blocks()
    }

    fn take_block(&mut self, records: &mut BlockRecords<'_, '_>) {
        self.collector.take_block(records);
    }

    fn end_block(&mut self, is_valid: bool) -> Flow {
        let result = self.collector.end_block(is_valid, &mut self.sink).map_err(ReadError::Sink);
        self.flow(result)
    }
}

#[cfg(test)]
#[path = "parallel_tests.rs"]
mod tests;
