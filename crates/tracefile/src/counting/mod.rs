//! Counts the entries of traces in [`Statistics`], on several threads if possible.

mod spans;

use std::collections::HashSet;

use crate::entry::Entry;
use crate::error::Error;
use crate::pieces::{self, PieceOptions, PieceSink, PieceWork, UnnamedThreads};
use crate::query::filter::Filter;
use crate::query::statistics::{Counts, GroupBy, Statistics};
use crate::read::reader::Reader;
use crate::read::visitor::{BlockRecords, Flow, OrdinaryRecords, Visitor};
use crate::traces::Traces;
pub use spans::{CountedSpans, EventRange, count_spans};

/// The size of a piece. The counts of larger pieces are added less often.
const PIECE_BYTES: usize = 4 << 20;

/// Counts the rest of `traces` in `statistics`, on `threads` threads if that is possible. The result does not
/// depend on their number.
///
/// # Errors
/// Returns one error for each trace that could not be read to its end. All readable entries were counted.
pub fn count_traces(
    traces: &mut Traces,
    statistics: &mut Statistics,
    threads: usize,
) -> Result<(), Vec<Error>> {
    count_with(traces, statistics, threads, PIECE_BYTES, |reader| pieces::is_worthwhile(reader, threads))
}

/// Counts like [`count_traces`], with pieces of a given size, of readers that `is_worthwhile` accepts.
fn count_with(
    traces: &mut Traces,
    statistics: &mut Statistics,
    threads: usize,
    piece_bytes: usize,
    is_worthwhile: impl Fn(&Reader) -> bool,
) -> Result<(), Vec<Error>> {
    let filter = traces.filter().clone();
    while statistics.is_divisible()
        && let Some(reader) = traces.single()
        && is_worthwhile(reader)
    {
        let thread_names = filter.uses_thread_names() || *statistics.by() == GroupBy::Thread;
        let work = CountWork::new(statistics.sibling(), filter.clone(), UnnamedThreads::new(thread_names));
        let before = statistics.all().count();
        let options = PieceOptions { threads, piece_bytes, thread_names };
        let result = pieces::process(reader, &work, &mut Sum(statistics), options);
        let entered = result.map(|result| result.and_then(|()| reader.enter_next_file()));
        if statistics.all().count() > before {
            traces.set_has_matched();
        }
        match entered {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) | Err(Refused) => break,
            Ok(Err(error)) => return Err(vec![error]),
        }
    }
    traces.for_each(&mut Counting(statistics)).map(|_| ())
}

/// Counts entries one after the other.
struct Counting<'s>(&'s mut Statistics);

impl Visitor for Counting<'_> {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self.0.count(entry);
        Flow::Continue
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        self.0.count_records(records, |_| false);
        Flow::Continue
    }
}

/// Counts the entries of a piece.
struct CountWork {
    statistics: Statistics,
    filter: Filter,
    unnamed: UnnamedThreads,
}

impl CountWork {
    fn new(statistics: Statistics, filter: Filter, unnamed: UnnamedThreads) -> CountWork {
        CountWork { statistics, filter, unnamed }
    }
}

impl Clone for CountWork {
    fn clone(&self) -> CountWork {
        CountWork::new(self.statistics.sibling(), self.filter.clone(), self.unnamed.clone())
    }
}

impl Visitor for CountWork {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self.unnamed.note(entry);
        if self.filter.accepts(entry) {
            self.statistics.count(entry);
        }
        Flow::Continue
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        if self.filter.is_everything() {
            self.statistics.count_records(records, |_| false);
        } else {
            self.filter.skip_rejected(records);
        }
        Flow::Continue
    }

    fn take_block(&mut self, records: &mut BlockRecords<'_, '_>) {
        if self.filter.is_everything() {
            self.statistics.count_block(records);
        }
    }
}

impl PieceWork for CountWork {
    type Output = Counts;

    const VERIFIES_LATE: bool = true;

    fn start(&mut self, memory: Option<Counts>, _: usize) {
        self.statistics.restart(memory);
    }

    fn end(&mut self) -> (Counts, HashSet<u32>) {
        (self.statistics.take_counts(), self.unnamed.take())
    }
}

/// The entries of a piece must be counted one after the other.
struct Refused;

/// Adds the counts of the pieces.
struct Sum<'s>(&'s mut Statistics);

impl PieceSink<Counts> for Sum<'_> {
    type Error = Refused;

    fn put(&mut self, counts: Counts, _: u64) -> Result<Counts, Refused> {
        if self.0.append(&counts) { Ok(counts) } else { Err(Refused) }
    }
}

#[cfg(test)]
mod tests;
