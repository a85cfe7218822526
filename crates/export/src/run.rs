//! The function that runs an export.

use std::fmt;
use std::io;

use ringtrace_tracefile::pair::{PairError, SpanTracker};
use ringtrace_tracefile::{
    BlockRecords, Dropped, Entry, Error as TraceError, Filter, Flow, OrdinaryRecords, Reader, Traces,
    Visitor, parallel,
};

use crate::exporter::{Exporter, TraceEnd};

/// The error that stopped an export.
#[derive(Debug)]
pub enum Error {
    /// Writing failed.
    Write(io::Error),
    /// An event does not match the description of pairs and counters.
    Pair(PairError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Write(error) => error.fmt(f),
            Error::Pair(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

/// A finished export.
#[derive(Debug)]
pub struct Exported {
    /// Read errors, one for each trace that has one. They do not stop an export.
    pub read_errors: Vec<TraceError>,
    /// Totals of the dropped records that were exported.
    pub dropped: Dropped,
}

/// Exports all of `traces` with `exporter`. `tracker` follows the spans. Uses up to `threads` threads; the
/// result does not depend on their number.
///
/// # Errors
/// Writing failed, or an event does not match the description of pairs and counters.
pub fn run(
    traces: &mut Traces,
    tracker: &mut SpanTracker,
    mut exporter: Box<dyn Exporter>,
    threads: usize,
) -> Result<Exported, Error> {
    let all_fast = tracker.is_empty();
    let pieces = |reader: &mut Reader, filter: &Filter| {
        if all_fast { exporter.pieces(reader, filter, threads) } else { None }
    };
    let (dropped, read) = parallel::each_file(traces, threads, pieces).map_err(Error::Write)?;
    let mut visitor = ExportVisitor { exporter: &mut *exporter, tracker, all_fast, dropped, error: None };
    let read_errors = match read {
        Err(error) => vec![error],
        Ok(()) => traces.for_each(&mut visitor).err().unwrap_or_default(),
    };
    let ExportVisitor { dropped, error, .. } = visitor;
    if let Some(error) = error {
        return Err(error);
    }
    let pauses: Vec<_> = traces.readers().into_iter().flat_map(Reader::pauses).collect();
    let open = tracker.open_counts();
    let end = TraceEnd { dropped, pauses: &pauses, open: &open, tracker };
    exporter.finish(&end).map_err(Error::Write)?;
    Ok(Exported { read_errors, dropped })
}

/// Number of ordinary records that are checked for span events before they are passed to an
/// exporter. The number is small enough for the records to remain in the processor's cache.
const BATCH_RECORDS: u64 = 500;

struct ExportVisitor<'t> {
    exporter: &'t mut dyn Exporter,
    tracker: &'t mut SpanTracker,
    all_fast: bool,
    dropped: Dropped,
    error: Option<Error>,
}

impl ExportVisitor<'_> {
    fn export(&mut self, entry: &Entry<'_>) -> Result<(), Error> {
        if self.dropped.count(entry) {
            return self.exporter.dropped(entry).map_err(Error::Write);
        }
        let (spans, tracks) = self.tracker.of(entry).map_err(Error::Pair)?;
        self.exporter.event(entry, &spans, tracks).map_err(Error::Write)
    }

    fn export_fast(&mut self, records: &mut OrdinaryRecords<'_>) -> Result<(), Error> {
        if self.all_fast {
            return self.exporter.fast_path(records).map_err(Error::Write);
        }
        if let Some(result) = self.exporter.fast_path_with_spans(records, self.tracker) {
            return result;
        }
        let (tracker, exporter) = (&*self.tracker, &mut *self.exporter);
        let means = |schema_index| tracker.concerns(schema_index);
        while records
            .hand_over(BATCH_RECORDS, means, |records| exporter.fast_path(records))
            .map_err(Error::Write)?
        {}
        Ok(())
    }

    fn flow(&mut self, result: Result<(), Error>) -> Flow {
        match result {
            // `idle` may already have stored a write error.
            Ok(()) if self.error.is_some() => Flow::Stop,
            Ok(()) => Flow::Continue,
            Err(error) => {
                self.error = Some(error);
                Flow::Stop
            }
        }
    }
}

impl Visitor for ExportVisitor<'_> {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        let result = self.export(entry);
        self.flow(result)
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        let result = self.export_fast(records);
        self.flow(result)
    }

    fn takes_blocks(&self) -> bool {
        self.all_fast && self.exporter.takes_blocks()
    }

    fn take_block(&mut self, records: &mut BlockRecords<'_, '_>) {
        self.exporter.take_block(records);
    }

    fn end_block(&mut self, is_valid: bool) -> Flow {
        let result = self.exporter.end_block(is_valid).map_err(Error::Write);
        self.flow(result)
    }

    fn idle(&mut self) {
        // Store the error, because there may be no later write that would report it.
        if let Err(error) = self.exporter.idle() {
            self.error = Some(Error::Write(error));
        }
    }
}
