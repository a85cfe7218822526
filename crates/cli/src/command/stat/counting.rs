//! Counts the spans of traces, without entries where possible.

use ringtrace_tracefile::pair::Pairing;
use ringtrace_tracefile::{Dropped, Entry, Error as TraceError, Flow, OrdinaryRecords, Traces, Visitor};

use crate::exit::CliError;
use crate::progress::Progress;

/// The number and the time range of all events, paired or not.
#[derive(Debug, Clone, Copy)]
pub struct EventRange {
    pub events: u64,
    pub smallest_ns: u64,
    pub largest_ns: u64,
}

impl EventRange {
    #[inline]
    fn add(&mut self, timestamp_ns: u64) {
        self.events += 1;
        self.smallest_ns = self.smallest_ns.min(timestamp_ns);
        self.largest_ns = self.largest_ns.max(timestamp_ns);
    }
}

/// An engine that counts spans.
pub trait CountSpans {
    fn count(&mut self, entry: &Entry<'_>) -> Result<(), CliError>;

    /// Counts records without entries, and skips them. Passes the time of each to `counted`.
    fn count_records(&mut self, records: &mut OrdinaryRecords<'_>, counted: impl FnMut(u64)) {
        let _ = (records, counted);
    }
}

impl CountSpans for Pairing<()> {
    fn count(&mut self, entry: &Entry<'_>) -> Result<(), CliError> {
        Pairing::count(self, entry, &mut ()).map_err(CliError::from)
    }

    fn count_records(&mut self, records: &mut OrdinaryRecords<'_>, counted: impl FnMut(u64)) {
        Pairing::count_records(self, records, counted);
    }
}

struct Counting<'s, S> {
    spans: &'s mut S,
    range: EventRange,
    dropped: Dropped,
    fits: Result<(), CliError>,
}

impl<S: CountSpans> Visitor for Counting<'_, S> {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        if !self.dropped.count(entry) {
            self.range.add(entry.timestamp_ns);
        }
        self.fits = self.spans.count(entry);
        if self.fits.is_ok() { Flow::Continue } else { Flow::Stop }
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        let Counting { spans, range, .. } = self;
        spans.count_records(records, |timestamp_ns| range.add(timestamp_ns));
        Flow::Continue
    }
}

/// Reads all entries. Returns the range of the events, the number of dropped events, and the errors
/// that stopped a reader early.
pub fn read(
    traces: &mut Traces,
    progress: Option<Progress>,
    spans: &mut impl CountSpans,
) -> Result<(EventRange, Dropped, Vec<TraceError>), CliError> {
    let range = EventRange { events: 0, smallest_ns: u64::MAX, largest_ns: 0 };
    let mut counting = Counting { spans, range, dropped: Dropped::default(), fits: Ok(()) };
    let read = traces.for_each(&mut counting);
    drop(progress);
    counting.fits?;
    Ok((counting.range, counting.dropped, read.err().unwrap_or_default()))
}
