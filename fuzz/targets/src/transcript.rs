//! Everything that a reader returns for a trace, so that readers can be compared.

use ringtrace_tracefile::entry::Value;
use ringtrace_tracefile::metadata::{Lost, Metadata};
use ringtrace_tracefile::text::{Render, SimpletraceText, TextBuffer};
use ringtrace_tracefile::{Cursor, EntrySource};
use ringtrace_tracefile::{Entry, Error as TraceError, Flow, Reader};

/// Everything that a reader returns.
#[derive(Debug, PartialEq, Default)]
pub(crate) struct Transcript {
    pub(crate) entries: Vec<TranscriptEntry>,
    /// The error that ended reading, if any.
    pub(crate) failed: Option<TraceError>,
    pub(crate) anomalies: Vec<(&'static str, u64, Vec<TraceError>)>,
    metadata: Vec<Metadata>,
    schemas: usize,
    pub(crate) text: Vec<u8>,
}

#[derive(Debug, PartialEq, Clone)]
pub(crate) struct TranscriptEntry {
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

impl TranscriptEntry {
    fn new(entry: &Entry<'_>) -> TranscriptEntry {
        let values = entry.values().map(|value| match value {
            Value::Integer(bits) => Ok(bits),
            Value::Str(bytes) => Err(bytes.to_vec()),
        });
        TranscriptEntry {
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

impl Transcript {
    /// Reads the trace, with a pause after every `pause` entries.
    pub(crate) fn read(reader: Result<Reader, TraceError>, pause: usize) -> Transcript {
        let mut reader = match reader {
            Ok(reader) => reader,
            Err(error) => return Transcript { failed: Some(error), ..Transcript::default() },
        };
        let mut transcript = Transcript::default();
        let mut text = SimpletraceText::new(reader.era()).with_threads();
        let mut out = TextBuffer::default();
        loop {
            let mut until_pause = pause;
            let result = reader.for_each(|entry: &Entry<'_>| {
                transcript.entries.push(TranscriptEntry::new(entry));
                text.render(entry, &mut out);
                until_pause -= 1;
                if until_pause == 0 { Flow::Stop } else { Flow::Continue }
            });
            match result {
                Ok(Flow::Stop) => {}
                Ok(Flow::Continue) => break,
                Err(error) => {
                    transcript.failed = Some(error);
                    break;
                }
            }
        }
        transcript.text = out.as_bytes().to_vec();
        transcript.finish(&reader)
    }

    /// Reads the trace with a cursor.
    pub(crate) fn read_one_by_one(reader: Result<Reader, TraceError>) -> Transcript {
        match reader {
            Ok(reader) => Transcript::from_source(&mut Cursor::new(reader)),
            Err(error) => Transcript { failed: Some(error), ..Transcript::default() },
        }
    }

    /// Reads all entries of `source`.
    pub(crate) fn from_source(source: &mut impl EntrySource) -> Transcript {
        let mut transcript = Transcript::default();
        let mut text = SimpletraceText::new(source.reader().era()).with_threads();
        let mut out = TextBuffer::default();
        loop {
            match source.peek_ns() {
                Ok(Some(next_ns)) => {
                    let entry = source.entry().expect("an entry after its time");
                    // When sorting, a dropped record without a time gets the time of its
                    // predecessor.
                    let timeless = entry.is_dropped() && entry.timestamp_ns == 0;
                    assert!(
                        timeless || entry.timestamp_ns == next_ns,
                        "{next_ns} is not the time of {entry:?}"
                    );
                    transcript.entries.push(TranscriptEntry::new(&entry));
                    text.render(&entry, &mut out);
                }
                Ok(None) => break,
                Err(error) => {
                    transcript.failed = Some(error);
                    break;
                }
            }
            source.advance();
        }
        transcript.text = out.as_bytes().to_vec();
        transcript.finish(source.reader())
    }

    fn finish(mut self, reader: &Reader) -> Transcript {
        let kept = reader.anomalies().iter().flat_map(|(_, _, kept)| kept);
        self.failed.iter().chain(kept).for_each(check_error);
        self.anomalies = anomalies(reader);
        self.metadata = reader.metadata().to_vec();
        self.schemas = reader.schemas().count();
        self
    }
}

/// Returns the anomalies of each kind: the kind, the number of them, and the first few.
pub(crate) fn anomalies(reader: &Reader) -> Vec<(&'static str, u64, Vec<TraceError>)> {
    reader.anomalies().iter().map(|(oddity, count, kept)| (oddity.name(), count, kept.to_vec())).collect()
}

/// Checks that an error message is short, and contains no control characters.
fn check_error(error: &TraceError) {
    let text = error.to_string() + error.help.as_deref().unwrap_or_default();
    assert!(!text.contains(char::is_control), "{text:?}");
    assert!(text.len() < 1000, "{text}");
}
