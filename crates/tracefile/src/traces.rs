//! One or several traces as a single sequence of entries.

use crate::align::Aligned;
use crate::entry::{Entry, Schema};
use crate::error::{Error, ErrorKind};
use crate::metadata::Anchor;
use crate::query::filter::Filter;
use crate::read::reader::Reader;
use crate::read::visitor::{Flow, OrdinaryRecords, Visitor};
use crate::read::{Cursor, EntrySource};
use crate::sort::{Limits, Merge, Sorted, Survey};

/// Traces that are read together through one filter. Several traces are merged by time.
#[derive(Debug)]
pub struct Traces {
    sequence: Sequence,
    filter: Filter,
    times: Times,
    aligned: Aligned,
    has_matched: bool,
    missing: Option<ErrorKind>,
}

/// The times that must be available before the first entry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Needs {
    /// The smallest time. For a file, this requires a separate pass. For a stream, it is the time
    /// of the first record.
    pub origin: bool,
    /// The relation of the traces' clock to the wall clock.
    pub anchor: bool,
}

/// Information about the times of traces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Times {
    /// The smallest time, if it was requested and there are records.
    pub origin_ns: Option<u64>,
    /// The first anchor in the traces, if it was requested.
    pub anchor: Option<Anchor>,
}

#[derive(Debug)]
enum Sequence {
    One(Box<Reader>),
    Merged(Merge),
}

impl Traces {
    /// Reads the traces of `readers` as one, merged by time.
    ///
    /// # Errors
    /// Returns an error if the first record of a stream cannot be read.
    pub fn new(mut readers: Vec<Reader>, needs: Needs) -> Result<Traces, Error> {
        let mut times = Times::default();
        let needed = needs.origin || needs.anchor;
        // A stream cannot be read twice, so a cursor reads its first record in advance.
        if readers.len() == 1 && (!needed || readers[0].is_rereadable()) {
            let reader = readers.remove(0);
            times.learn(&reader, needs);
            return Ok(Traces::of(Sequence::One(Box::new(reader)), times));
        }
        let mut sources: Vec<Box<dyn EntrySource>> = Vec::new();
        for reader in readers {
            times.learn(&reader, needs);
            let mut cursor = Cursor::new(reader);
            if needed && !cursor.reader().is_rereadable() {
                let first_ns = cursor.peek_ns()?;
                times.note(first_ns.filter(|_| needs.origin), cursor.reader().anchor());
            }
            sources.push(Box::new(cursor));
        }
        Ok(Traces::merged(sources, times))
    }

    /// Merges `readers` by time, after sorting each of them. Entries of a file with equal times
    /// keep their order. Every file is read twice.
    ///
    /// # Errors
    /// Returns an error if an input is a stream ([`Options::spool`](crate::Options) copies it to a
    /// file), or cannot be sorted in bounded memory.
    pub fn sorted(mut readers: Vec<Reader>, needs: Needs) -> Result<Traces, Error> {
        let limits = Limits::of_one_in(readers.len());
        let mut times = Times::default();
        let mut surveys = Vec::with_capacity(readers.len());
        for reader in &readers {
            let survey = Survey::new(reader, &limits)?;
            let anchor = survey.reader().anchor().filter(|_| needs.anchor);
            let smallest_ns = shifted(reader, survey.smallest_ns());
            times.note(smallest_ns.filter(|_| needs.origin), anchor);
            surveys.push(survey);
        }
        if surveys.len() == 1 && surveys[0].is_in_order() {
            return Ok(Traces::of(Sequence::One(Box::new(readers.remove(0))), times));
        }
        let sources = readers.into_iter().zip(surveys).map(|(reader, survey)| {
            let source: Box<dyn EntrySource> = if survey.is_in_order() {
                Box::new(Cursor::new(reader))
            } else {
                Box::new(Sorted::new(survey, limits)?)
            };
            Ok(source)
        });
        Ok(Traces::merged(sources.collect::<Result<_, Error>>()?, times))
    }

    /// Reads `sources` as one trace, merged by time. `times` describes their times.
    pub fn merged(sources: Vec<Box<dyn EntrySource>>, times: Times) -> Traces {
        Traces::of(Sequence::Merged(Merge::new(sources)), times)
    }

    fn of(sequence: Sequence, times: Times) -> Traces {
        let (filter, aligned) = (Filter::default(), Aligned::default());
        Traces { sequence, filter, times, aligned, has_matched: false, missing: None }
    }

    /// Returns the information about times.
    pub fn times(&self) -> Times {
        self.times
    }

    /// Sets whether the blocks of a compact trace are decoded on another thread, if there is only one trace. See
    /// [`Reader::decode_ahead`].
    pub fn decode_ahead(&mut self, is_wanted: bool) {
        if let Sequence::One(reader) = &mut self.sequence {
            reader.decode_ahead(is_wanted);
        }
    }

    /// Sets the relation of the traces, which [`align`](crate::align::align) has determined. Its anchor
    /// replaces those in the traces.
    pub fn set_aligned(&mut self, aligned: Aligned) {
        self.times.anchor = aligned.anchor;
        self.aligned = aligned;
    }

    /// Returns the relation of the traces. It is empty if there is only one reader.
    pub fn aligned(&self) -> &Aligned {
        &self.aligned
    }

    /// Notes that some of the traces that were to be read could not be opened. `why` is the most severe
    /// kind of their errors.
    pub fn set_missing(&mut self, why: Option<ErrorKind>) {
        self.missing = why;
    }

    /// Returns why some of the traces that were to be read are missing.
    pub fn missing(&self) -> Option<ErrorKind> {
        self.missing
    }

    /// Sets the filter of entries.
    pub fn set_filter(&mut self, filter: Filter) {
        let (since_ns, until_ns) = filter.time_range_ns();
        // Omitting entries of one of several traces can change the order in which they are merged, if
        // its times step backward.
        if let Sequence::One(reader) = &mut self.sequence {
            let wants =
                filter.selects_events().then_some(|index, schema: &Schema| filter.may_accept(index, schema));
            reader.select(since_ns, until_ns, wants);
        }
        self.filter = filter;
    }

    /// Returns the filter of entries.
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Returns whether the filter has selected any event so far. Records of dropped events do not
    /// count. The result is meaningful only if there is a filter.
    pub fn has_matched(&self) -> bool {
        self.has_matched
    }

    /// Notes that events were selected. Used by readers that apply the filter themselves.
    pub fn set_has_matched(&mut self) {
        self.has_matched = true;
    }

    /// Returns the smallest and the largest time of all events in the traces, selected or not. This
    /// reads the traces again; `None` if that is not possible, or if there are no events.
    pub fn time_range_ns(&self) -> Option<(u64, u64)> {
        let mut range = None;
        for reader in self.readers() {
            if let Some((smallest, largest)) = reader.stated_time_range_ns() {
                let (before, after) = range.unwrap_or((u64::MAX, 0));
                let shift = |ns: u64| ns.saturating_add(reader.place.shift_ns);
                range = Some((shift(smallest).min(before), shift(largest).max(after)));
                continue;
            }
            let mut again = reader.again().filter(|again| again.files().is_none())?;
            // Ignore errors: the caller has reported them.
            let _ = again.for_each(|entry: &Entry<'_>| {
                let (smallest, largest) = range.unwrap_or((u64::MAX, 0));
                let ns = entry.timestamp_ns.saturating_add(reader.place.shift_ns);
                range = Some((smallest.min(ns), largest.max(ns)));
                Flow::Continue
            });
        }
        range
    }

    /// Returns the reader, if there is only one trace and it is not sorted.
    pub fn single(&mut self) -> Option<&mut Reader> {
        match &mut self.sequence {
            Sequence::One(reader) => Some(reader),
            Sequence::Merged(_) => None,
        }
    }

    /// Returns the name of a thread. `trace` is the number of the thread's trace.
    pub fn thread_name(&self, trace: u32, tid: u32) -> Option<&str> {
        let readers = self.readers().into_iter().filter(|reader| reader.place.trace == trace);
        readers.into_iter().find_map(|reader| reader.threads().name(tid))
    }

    /// Returns the readers, in the order of the traces.
    pub fn readers(&self) -> Vec<&Reader> {
        match &self.sequence {
            Sequence::One(reader) => vec![reader],
            Sequence::Merged(merge) => merge.sources().map(EntrySource::reader).collect(),
        }
    }

    /// Passes every selected entry to `visit`.
    ///
    /// # Errors
    /// Returns one error for each trace that could not be read to its end. All readable entries
    /// were visited.
    pub fn for_each(&mut self, visit: &mut impl Visitor) -> Result<Flow, Vec<Error>> {
        let everything = self.filter.is_everything();
        let has_matched = &mut self.has_matched;
        let mut filtered = Filtered { filter: &mut self.filter, has_matched, visit };
        match &mut self.sequence {
            Sequence::One(reader) if everything => {
                reader.for_each_mut(filtered.visit).map_err(|failed| vec![failed])
            }
            Sequence::One(reader) => reader.for_each_mut(&mut filtered).map_err(|failed| vec![failed]),
            Sequence::Merged(merge) => merge.for_each(&mut filtered),
        }
    }
}

struct Filtered<'f, V> {
    filter: &'f mut Filter,
    has_matched: &'f mut bool,
    visit: &'f mut V,
}

impl<V: Visitor> Visitor for Filtered<'_, V> {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        if !self.filter.accepts(entry) {
            return Flow::Continue;
        }
        *self.has_matched |= !entry.is_dropped();
        self.visit.entry(entry)
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        self.filter.skip_rejected(records);
        Flow::Continue
    }

    fn idle(&mut self) {
        self.visit.idle();
    }
}

impl Times {
    /// Collects the needed times of a file, with a separate reader.
    fn learn(&mut self, reader: &Reader, needs: Needs) {
        if needs.origin {
            match reader.stated_time_range_ns() {
                Some((smallest_ns, _)) => self.note(shifted(reader, Some(smallest_ns)), None),
                // To read all files only for this would take long.
                None if reader.files().is_some() => self.note(shifted(reader, reader.first_ns()), None),
                None => self.note(shifted(reader, reader.again().and_then(smallest_ns)), None),
            }
        }
        if needs.anchor
            && let Some(again) = reader.again()
        {
            let mut cursor = Cursor::new(again);
            // Ignore the error: it occurs again, and is then reported, when the entries are read.
            let _ = cursor.peek_ns();
            self.note(None, cursor.reader().anchor());
        }
    }

    fn note(&mut self, time_ns: Option<u64>, anchor: Option<Anchor>) {
        self.origin_ns = self.origin_ns.into_iter().chain(time_ns).min();
        self.anchor = self.anchor.or(anchor);
    }
}

/// Converts a time of a trace to the common clock of all traces.
fn shifted(reader: &Reader, ns: Option<u64>) -> Option<u64> {
    ns.map(|ns| ns.saturating_add(reader.place.shift_ns))
}

fn smallest_ns(mut reader: Reader) -> Option<u64> {
    struct Smallest(Option<u64>);
    impl Visitor for Smallest {
        fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
            records.skip_while(|record, _| {
                self.0 =
                    Some(self.0.map_or(record.timestamp_ns, |smallest| smallest.min(record.timestamp_ns)));
                true
            });
            Flow::Continue
        }
        fn entry(&mut self, entry: &Entry<'_>) -> Flow {
            // Dropped records in v0 traces have no time.
            if !(entry.is_dropped() && entry.timestamp_ns == 0) {
                self.0 = Some(self.0.map_or(entry.timestamp_ns, |smallest| smallest.min(entry.timestamp_ns)));
            }
            Flow::Continue
        }
    }
    let mut smallest = Smallest(None);
    // Ignore the error: it occurs again, and is then reported, when the entries are read.
    let _ = reader.for_each_mut(&mut smallest);
    smallest.0
}
