//! An entry without its borrows: what is known of it beside the bytes, which are found again by their offset.

use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::{DROPPED_ID, Version};

use crate::entry::{Entry, Schemas, Threads};
use crate::metadata::{Cause, Lost};
use crate::read::reader::Reader;

/// Where an entry is, and what decoding it found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Located {
    pub(crate) number: u64,
    pub(crate) offset: u64,
    /// What it goes by in an order of time.
    pub(crate) timestamp_ns: u64,
    /// Of a dropped record whose cause is known, the thread.
    pub(crate) id: u64,
    pub(crate) pid: u32,
    pub(crate) schema_index: u32,
    pub(crate) payload_bytes: u32,
    /// Bytes of the record before its payload.
    pub(crate) head_bytes: u8,
    /// Of a dropped record: why, if that is known.
    pub(crate) cause: Option<Cause>,
    /// No time was recorded: `timestamp_ns` is that of the entry before.
    pub(crate) timeless: bool,
    pub(crate) threaded: bool,
}

/// What is the same for all entries of a trace.
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
            // A record is at most `MAX_RECORD_BYTES`, and its head some tens.
            payload_bytes: payload_bytes as u32,
            head_bytes: (entry.record_bytes - payload_bytes) as u8,
            cause: entry.lost.map(|lost| lost.cause),
            timeless: false,
            threaded: entry.threaded,
        }
    }

    /// The entry again; `bytes` are those of the file from `bytes_offset` on.
    pub(crate) fn entry<'a>(
        &self,
        bytes: &'a [u8],
        bytes_offset: u64,
        shared: Shared<'a>,
    ) -> Option<Entry<'a>> {
        let start = usize::try_from(self.offset.checked_sub(bytes_offset)?).ok()?;
        let payload_at = start + usize::from(self.head_bytes);
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
            record_bytes: usize::from(self.head_bytes) + payload.len(),
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
