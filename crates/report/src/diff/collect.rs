//! The visitor that collects the recording of traces for a comparison.

use std::convert::Infallible;

use ringtrace_tracefile::pair::{PairError, SpanEvent, SpanTracker};
use ringtrace_tracefile::{
    Dropped, Entry, Error as TraceError, Flow, OrdinaryRecords, Traces, Visitor, pauses,
};
use ringtrace_wire::simpletrace::Record;

use super::builder::{EventId, PairNames, RecordingBuilder};
use super::recording::Recording;

#[derive(Debug)]
struct Collector<'m> {
    builder: RecordingBuilder,
    /// Information about events, by schema index.
    by_schema: Vec<Option<EventInfo>>,
    tracker: &'m mut SpanTracker,
    dropped: Dropped,
    threaded: bool,
    error: Option<PairError>,
}

#[derive(Debug, Clone, Copy)]
struct EventInfo {
    id: EventId,
    /// Size of the payload, if records of the event can be counted without decoding them.
    plain_bytes: Option<usize>,
}

/// The number of the only source.
const SOURCE: u32 = 0;

impl Recording {
    /// Reads `traces`, whose spans `tracker` follows. Read errors are returned with the recording.
    ///
    /// # Errors
    /// Fails if an event does not fit its pair.
    pub fn read(
        traces: &mut Traces,
        tracker: &mut SpanTracker,
    ) -> Result<(Recording, Vec<TraceError>), PairError> {
        let pairs = tracker.description().pairs.iter().map(|pair| {
            let edges = pair.begins.iter().chain(&pair.ends).map(|edge| edge.event.clone());
            PairNames { name: pair.name.clone(), edges: edges.collect() }
        });
        let mut collector = Collector {
            builder: RecordingBuilder::new(pairs.collect()),
            by_schema: Vec::new(),
            tracker,
            dropped: Dropped::default(),
            threaded: false,
            error: None,
        };
        let errors = traces.for_each(&mut collector).err().unwrap_or_default();
        let Collector { mut builder, dropped, error, .. } = collector;
        if let Some(error) = error {
            return Err(error);
        }
        builder.add_dropped(dropped);
        builder.add_pauses(traces.readers().iter().flat_map(|reader| pauses(reader.metadata())));
        Ok((builder.finish(), errors))
    }
}

impl Collector<'_> {
    #[cold]
    fn add_event(&mut self, entry: &Entry<'_>) -> EventInfo {
        let id = self.builder.add_event(&entry.schema.name);
        let info = EventInfo { id, plain_bytes: entry.schema.integer_bytes };
        let index = entry.schema_index as usize;
        if self.by_schema.len() <= index {
            self.by_schema.resize(index + 1, None);
        }
        self.by_schema[index] = Some(info);
        info
    }

    /// Counts `record`, the next one of `records`, without creating its entry. Returns false if it must be passed to
    /// [`Collector::entry`] instead.
    #[inline(always)]
    fn count_fast<'w>(
        &mut self,
        records: &OrdinaryRecords<'w>,
        record: &Record<'w>,
        schema_index: u32,
    ) -> bool {
        let info = self.by_schema.get(schema_index as usize).copied().flatten();
        let Some(info) = info.filter(|info| info.plain_bytes == Some(record.payload.len())) else {
            return false;
        };
        let thread = thread(self.threaded, record.id, record.pid);
        let mut ended = None;
        if self.tracker.concerns(schema_index)
            && !self.tracker.follow_ordinary(records, record, schema_index, |end| {
                ended = Some((end.span.pair, (end.begin_ns, end.end_ns)));
            })
        {
            return false;
        }
        self.builder.event(info.id, thread, record.timestamp_ns);
        if let Some((pair, times_ns)) = ended {
            self.builder.span(SOURCE, pair, thread, times_ns);
        }
        true
    }
}

impl Visitor for Collector<'_> {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        let thread = thread(entry.threaded, entry.id, entry.pid);
        if self.dropped.count(entry) {
            // The id of a dropped record does not contain the thread.
            let thread = entry.tid().unwrap_or(thread);
            self.builder.lost(SOURCE, thread, entry.timestamp_ns);
            return Flow::Continue;
        }
        self.threaded = entry.threaded;
        let info = self.by_schema.get(entry.schema_index as usize).copied().flatten();
        let info = info.unwrap_or_else(|| self.add_event(entry));
        self.builder.event(info.id, thread, entry.timestamp_ns);
        let Collector { tracker, builder, .. } = self;
        let followed = tracker.follow(entry, |span_event, _| -> Result<(), Infallible> {
            if let SpanEvent::End { span, begin } = span_event {
                builder.span(SOURCE, span.pair, thread, (begin.timestamp_ns, entry.timestamp_ns));
            }
            Ok(())
        });
        if let Err(error) = followed {
            self.error = Some(error);
            return Flow::Stop;
        }
        Flow::Continue
    }

    #[inline(always)]
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        records
            .skip_while_next(|records, record, schema_index| self.count_fast(records, record, schema_index));
        Flow::Continue
    }
}

/// Returns the id of the thread, or of the process if the trace contains no thread ids.
fn thread(threaded: bool, id: u64, pid: u32) -> u32 {
    if threaded { (id >> 32) as u32 } else { pid }
}
