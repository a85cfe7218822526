//! Records that are kept for display.

use ringtrace_tracefile::key::Key;
use ringtrace_tracefile::{Entry, RecordContext, Schema};

/// Maximum number of payload bytes that are kept for each step while its span is open.
const MAX_PAYLOAD_BYTES: usize = 512;

/// A record with its values, for display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownRecord {
    /// The name of the event.
    pub event: String,
    /// The time, in nanoseconds of the trace's clock.
    pub timestamp_ns: u64,
    /// The number of the trace, from 0.
    pub trace: u32,
    /// The process.
    pub pid: u32,
    /// The thread, if the trace contains it.
    pub tid: Option<u32>,
    /// The names and values of the arguments.
    pub arguments: Vec<(String, Key)>,
}

impl ShownRecord {
    /// Decodes the values of `entry`.
    pub fn new(entry: &Entry<'_>) -> ShownRecord {
        let named = entry.schema.arguments.iter().zip(entry.values());
        let arguments = named.map(|(argument, value)| (argument.name.to_string(), argument.key(value)));
        ShownRecord {
            event: entry.schema.name.to_string(),
            timestamp_ns: entry.timestamp_ns,
            trace: entry.trace,
            pid: entry.pid,
            tid: entry.tid(),
            arguments: arguments.collect(),
        }
    }
}

/// A record that may be shown later. Its raw bytes take less memory than a [`ShownRecord`].
#[derive(Debug, Clone)]
pub(super) struct KeptRecord {
    timestamp_ns: u64,
    id: u64,
    trace: u32,
    pid: u32,
    pub(super) schema_index: u32,
    payload: Box<[u8]>,
}

impl KeptRecord {
    pub(super) fn new(entry: &Entry<'_>) -> KeptRecord {
        let Entry { timestamp_ns, id, trace, pid, schema_index, payload, .. } = *entry;
        KeptRecord {
            timestamp_ns,
            id,
            trace,
            pid,
            schema_index,
            payload: payload[..payload.len().min(MAX_PAYLOAD_BYTES)].into(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<KeptRecord>() + self.payload.len()
    }

    /// Decodes the record with its `schema`. `like` is any record of the same trace.
    pub(super) fn show(&self, schema: &Schema, like: &Entry<'_>) -> ShownRecord {
        let KeptRecord { timestamp_ns, id, trace, pid, schema_index, payload } = self;
        ShownRecord::new(&Entry {
            timestamp_ns: *timestamp_ns,
            id: *id,
            trace: *trace,
            pid: *pid,
            schema,
            schema_index: *schema_index,
            payload,
            lost: None,
            context: RecordContext::default(),
            ..*like
        })
    }
}
