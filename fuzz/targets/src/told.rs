//! What a reader tells of a trace, to be compared with what another one does.

use ringtrace_tracefile::entry::Value;
use ringtrace_tracefile::metadata::{Lost, Metadata};
use ringtrace_tracefile::text::{Render, SimpletraceText, TextBuffer};
use ringtrace_tracefile::{Cursor, EntrySource};
use ringtrace_tracefile::{Entry, Error as TraceError, Flow, Reader};

/// Everything that a reader tells of a trace.
#[derive(Debug, PartialEq, Default)]
pub(crate) struct Told {
    pub(crate) entries: Vec<ToldEntry>,
    /// Why it could not be read, or not on.
    pub(crate) failed: Option<TraceError>,
    pub(crate) oddities: Vec<(&'static str, u64, Vec<TraceError>)>,
    metadata: Vec<Metadata>,
    schemas: usize,
    pub(crate) text: Vec<u8>,
}

#[derive(Debug, PartialEq, Clone)]
pub(crate) struct ToldEntry {
    number: u64,
    offset: u64,
    pub(crate) timestamp_ns: u64,
    id: u64,
    pid: u32,
    tid: Option<u32>,
    pub(crate) dropped: Option<u64>,
    lost: Option<Lost>,
    name: String,
    record_bytes: usize,
    payload: Vec<u8>,
    values: Vec<Result<u64, Vec<u8>>>,
}

impl ToldEntry {
    fn new(entry: &Entry<'_>) -> ToldEntry {
        let values = entry.values().map(|value| match value {
            Value::Integer(bits) => Ok(bits),
            Value::Str(bytes) => Err(bytes.to_vec()),
        });
        ToldEntry {
            number: entry.number,
            offset: entry.offset,
            timestamp_ns: entry.timestamp_ns,
            id: entry.id,
            pid: entry.pid,
            tid: entry.tid(),
            dropped: entry.dropped(),
            lost: entry.lost,
            name: entry.schema.name.to_string(),
            record_bytes: entry.record_bytes,
            payload: entry.payload.to_vec(),
            values: values.collect(),
        }
    }
}

impl Told {
    /// What `reader` tells, read on after every `pause` entries.
    pub(crate) fn read(reader: Result<Reader, TraceError>, pause: usize) -> Told {
        let mut reader = match reader {
            Ok(reader) => reader,
            Err(complaint) => return Told { failed: Some(complaint), ..Told::default() },
        };
        let mut told = Told::default();
        let mut text = SimpletraceText::new(reader.era()).with_threads();
        let mut out = TextBuffer::default();
        loop {
            let mut until_pause = pause;
            let result = reader.for_each(|entry: &Entry<'_>| {
                told.entries.push(ToldEntry::new(entry));
                text.render(entry, &mut out);
                until_pause -= 1;
                if until_pause == 0 { Flow::Stop } else { Flow::Continue }
            });
            match result {
                Ok(Flow::Stop) => {}
                Ok(Flow::Continue) => break,
                Err(complaint) => {
                    told.failed = Some(complaint);
                    break;
                }
            }
        }
        told.text = out.as_bytes().to_vec();
        told.finish(&reader)
    }

    /// What a cursor tells.
    pub(crate) fn read_one_by_one(reader: Result<Reader, TraceError>) -> Told {
        match reader {
            Ok(reader) => Told::of_source(&mut Cursor::new(reader)),
            Err(complaint) => Told { failed: Some(complaint), ..Told::default() },
        }
    }

    /// What `source` tells.
    pub(crate) fn of_source(source: &mut impl EntrySource) -> Told {
        let mut told = Told::default();
        let mut text = SimpletraceText::new(source.reader().era()).with_threads();
        let mut out = TextBuffer::default();
        loop {
            match source.peek_ns() {
                Ok(Some(next_ns)) => {
                    let entry = source.entry().expect("there is one at the time that was told");
                    // Sorting gives a dropped record without a time that of the record before it.
                    let timeless = entry.is_dropped() && entry.timestamp_ns == 0;
                    assert!(timeless || entry.timestamp_ns == next_ns, "{next_ns} was told of {entry:?}");
                    told.entries.push(ToldEntry::new(&entry));
                    text.render(&entry, &mut out);
                }
                Ok(None) => break,
                Err(complaint) => {
                    told.failed = Some(complaint);
                    break;
                }
            }
            source.advance();
        }
        told.text = out.as_bytes().to_vec();
        told.finish(source.reader())
    }

    fn finish(mut self, reader: &Reader) -> Told {
        let kept = reader.anomalies().iter().flat_map(|(_, _, kept)| kept);
        self.failed.iter().chain(kept).for_each(check_complaint);
        self.oddities = oddities(reader);
        self.metadata = reader.metadata().to_vec();
        self.schemas = reader.schemas().count();
        self
    }
}

/// What was tolerated: the kind, how often, the first few.
pub(crate) fn oddities(reader: &Reader) -> Vec<(&'static str, u64, Vec<TraceError>)> {
    reader.anomalies().iter().map(|(oddity, count, kept)| (oddity.name(), count, kept.to_vec())).collect()
}

/// A complaint is for people: it fits their screen, and does nothing to it.
fn check_complaint(complaint: &TraceError) {
    let text = complaint.to_string() + complaint.help.as_deref().unwrap_or_default();
    assert!(!text.contains(char::is_control), "{text:?}");
    assert!(text.len() < 1000, "{text}");
}
