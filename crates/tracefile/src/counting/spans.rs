//! Counts the spans of traces, on several threads if possible.

use std::collections::HashSet;

use super::Refused;
use crate::entry::{Dropped, Entry};
use crate::error::Error;
use crate::pieces::{self, PIECE_BYTES, PieceOptions, PieceSink, PieceWork, UnnamedThreads};
use crate::query::filter::Filter;
use crate::query::pair::{PairError, Pairing, PartMatcher, SpanPart};
use crate::read::reader::Reader;
use crate::read::visitor::{BlockRecords, Flow, OrdinaryRecords, Visitor};
use crate::traces::Traces;

/// The number and the time range of all events, whether they belong to a pair or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventRange {
    /// The number of events.
    pub events: u64,
    /// The smallest time in nanoseconds of the trace's clock; `u64::MAX` if there are no events.
    pub smallest_ns: u64,
    /// The largest time; 0 if there are no events.
    pub largest_ns: u64,
    /// The events that the traces report as dropped.
    pub dropped: Dropped,
}

impl Default for EventRange {
    fn default() -> EventRange {
        EventRange { events: 0, smallest_ns: u64::MAX, largest_ns: 0, dropped: Dropped::default() }
    }
}

impl EventRange {
    /// Counts an entry.
    #[inline]
    pub fn count(&mut self, entry: &Entry<'_>) {
        if !self.dropped.count(entry) {
            self.add(entry.timestamp_ns);
        }
    }

    /// Counts an event.
    #[inline(always)]
    pub fn add(&mut self, timestamp_ns: u64) {
        self.events += 1;
        self.smallest_ns = self.smallest_ns.min(timestamp_ns);
        self.largest_ns = self.largest_ns.max(timestamp_ns);
    }

    fn append(&mut self, other: &EventRange) {
        self.events += other.events;
        self.smallest_ns = self.smallest_ns.min(other.smallest_ns);
        self.largest_ns = self.largest_ns.max(other.largest_ns);
        self.dropped.add(other.dropped);
    }
}

/// The result of [`count_spans`].
#[derive(Debug)]
pub struct CountedSpans {
    /// The events.
    pub range: EventRange,
    /// One error for each trace that could not be read to its end. All readable entries were counted.
    pub failed: Vec<Error>,
}

/// Counts the rest of `traces` in `pairing`, on `threads` threads if that is possible. The result does not
/// depend on their number.
///
/// # Errors
/// Returns the error of [`Pairing::count`].
pub fn count_spans(
    traces: &mut Traces,
    pairing: &mut Pairing<()>,
    threads: usize,
) -> Result<CountedSpans, PairError> {
    count_with(traces, pairing, threads, PIECE_BYTES, |reader| pieces::is_worthwhile(reader, threads))
}

/// Counts like [`count_spans`], with pieces of a given size, of readers that `is_worthwhile` accepts.
pub(super) fn count_with(
    traces: &mut Traces,
    pairing: &mut Pairing<()>,
    threads: usize,
    piece_bytes: usize,
    is_worthwhile: impl Fn(&Reader) -> bool,
) -> Result<CountedSpans, PairError> {
    let filter = traces.filter().clone();
    let mut range = EventRange::default();
    while let Some(matcher) = PartMatcher::new(pairing)
        && let Some(reader) = traces.single()
        && is_worthwhile(reader)
    {
        let thread_names = filter.uses_thread_names();
        let unnamed = UnnamedThreads::new(thread_names);
        let work = SpanWork { matcher, filter: filter.clone(), unnamed, range: EventRange::default() };
        let options = PieceOptions { threads, piece_bytes, thread_names };
        let before = range.events;
        let result = pieces::process(reader, &work, &mut Sum { pairing, range: &mut range }, options);
        let entered = result.map(|result| result.and_then(|()| reader.enter_next_file()));
        if range.events > before {
            traces.set_has_matched();
        }
        match entered {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) | Err(Refused) => break,
            Ok(Err(error)) => return Ok(CountedSpans { range, failed: vec![error] }),
        }
    }
    let mut counting = Counting { pairing, range, fits: Ok(()) };
    let read = traces.for_each(&mut counting);
    let Counting { range, fits, .. } = counting;
    fits.map(|()| CountedSpans { range, failed: read.err().unwrap_or_default() })
}

/// Counts entries one after the other.
struct Counting<'p> {
    pairing: &'p mut Pairing<()>,
    range: EventRange,
    fits: Result<(), PairError>,
}

impl Visitor for Counting<'_> {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self.range.count(entry);
        self.fits = self.pairing.count(entry, &mut ());
        if self.fits.is_ok() { Flow::Continue } else { Flow::Stop }
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        let Counting { pairing, range, .. } = self;
        pairing.count_records(records, |timestamp_ns| range.add(timestamp_ns));
        Flow::Continue
    }
}

/// Counts the entries of a piece.
struct SpanWork {
    matcher: PartMatcher,
    range: EventRange,
    filter: Filter,
    unnamed: UnnamedThreads,
}

impl Clone for SpanWork {
    fn clone(&self) -> SpanWork {
        let SpanWork { matcher, range, filter, unnamed } = self;
        SpanWork {
            matcher: matcher.sibling(),
            range: *range,
            filter: filter.clone(),
            unnamed: unnamed.clone(),
        }
    }
}

impl Visitor for SpanWork {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self.unnamed.note(entry);
        if self.filter.accepts(entry) {
            self.range.count(entry);
            self.matcher.count(entry);
        }
        Flow::Continue
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        let SpanWork { matcher, range, filter, .. } = self;
        if filter.is_everything() {
            matcher.count_records(records, |timestamp_ns| range.add(timestamp_ns));
        } else {
            filter.skip_rejected(records);
        }
        Flow::Continue
    }

    fn take_block(&mut self, records: &mut BlockRecords<'_, '_>) {
        let SpanWork { matcher, range, filter, .. } = self;
        if filter.is_everything() {
            matcher.count_block(records, |timestamp_ns| range.add(timestamp_ns));
        }
    }
}

impl PieceWork for SpanWork {
    type Output = (SpanPart, EventRange);

    const VERIFIES_LATE: bool = true;

    fn start(&mut self, memory: Option<Self::Output>, _: usize) {
        self.matcher.restart(memory.map(|(part, _)| part));
        self.range = EventRange::default();
    }

    fn end(&mut self) -> (Self::Output, HashSet<u32>) {
        ((self.matcher.take(), self.range), self.unnamed.take())
    }
}

/// Joins the spans of the pieces.
struct Sum<'p> {
    pairing: &'p mut Pairing<()>,
    range: &'p mut EventRange,
}

impl PieceSink<(SpanPart, EventRange)> for Sum<'_> {
    type Error = Refused;

    fn put(
        &mut self,
        (part, range): (SpanPart, EventRange),
        _: u64,
    ) -> Result<(SpanPart, EventRange), Refused> {
        if !self.pairing.append(&part) {
            return Err(Refused);
        }
        self.range.append(&range);
        Ok((part, range))
    }
}

#[cfg(test)]
#[path = "spans_tests.rs"]
mod tests;
