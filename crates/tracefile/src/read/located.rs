//! Entries without borrows. They contain the decoded fields, and the offset of the bytes in the
//! file.

use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::{DROPPED_ID, Version};

use crate::entry::{Entry, Schemas, Threads};
use crate::metadata::{Cause, Lost};
use crate::read::reader::Reader;

/// The position and the decoded fields of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Located {
    pub(crate) number: u64,
    pub(crate) offset: u64,
    /// The time by which entries are sorted.
    pub(crate) timestamp_ns: u64,
    /// The event id; for a dropped record with a known cause, the thread.
    pub(crate) id: u64,
    pub(crate) pid: u32,
    pub(crate) schema_index: u32,
    pub(crate) payload_bytes: u32,
    /// The size of the record without its payload.
    pub(crate) header_bytes: u8,
    /// The cause of the loss in a dropped record, if known.
    pub(crate) cause: Option<Cause>,
    /// Whether the record has no time. `timestamp_ns` is then the time of the previous entry.
    pub(crate) timeless: bool,
    pub(crate) threaded: bool,
}

/// The context that all entries of a trace share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub(crate) schemas: &'a Schemas,
    pub(crate) version: Version,
    pub(crate) order: ByteOrder,
    pub(crate) threads: &'a Threads,
}

impl<'a> Shared<'a> {
    pub(crate) fn of(reader: &'a Reader) -> Shared<'a> {
        Shared {
            schemas: reader.schemas(),
            version: reader.version(),
            order: reader.order(),
            threads: reader.threads(),
        }
    }
}

impl Located {
    pub(crate) fn new(entry: &Entry<'_>) -> Located {
        let payload_bytes = entry.payload.len();
        Located {
            number: entry.number,
            offset: entry.offset,
            timestamp_ns: entry.timestamp_ns,
            id: entry.lost.map_or(entry.id, |lost| u64::from(lost.tid)),
            pid: entry.pid,
            schema_index: entry.schema_index,
            // The cast cannot truncate: a record has at most `MAX_RECORD_BYTES` bytes, and its
            // header a few dozen.
            payload_bytes: payload_bytes as u32,
            header_bytes: (entry.record_bytes - payload_bytes) as u8,
            cause: entry.lost.map(|lost| lost.cause),
            timeless: false,
            threaded: entry.threaded,
        }
    }

    /// Recreates the entry. `bytes` are the bytes of the file from `bytes_offset` on.
    pub(crate) fn entry<'a>(
        &self,
        bytes: &'a [u8],
        bytes_offset: u64,
        shared: Shared<'a>,
    ) -> Option<Entry<'a>> {
        let start = usize::try_from(self.offset.checked_sub(bytes_offset)?).ok()?;
        let payload_at = start + usize::from(self.header_bytes);
        let payload = bytes.get(payload_at..payload_at + self.payload_bytes as usize)?;
        let mut entry = Entry {
            number: self.number,
            offset: self.offset,
            timestamp_ns: if self.timeless { 0 } else { self.timestamp_ns },
            id: self.id,
            pid: self.pid,
            schema: shared.schemas.get(self.schema_index),
            schema_index: self.schema_index,
            payload,
            record_bytes: usize::from(self.header_bytes) + payload.len(),
            version: shared.version,
            order: shared.order,
            threaded: self.threaded,
            lost: None,
            threads: shared.threads,
        };
        if let Some(cause) = self.cause {
            entry.id = DROPPED_ID;
            let count = entry.dropped().unwrap_or(0);
            entry.lost = Some(Lost { tid: self.id as u32, cause, count });
        }
        Some(entry)
    }
}
