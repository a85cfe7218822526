//! Entries without borrows. They contain the decoded fields, and the offset of the bytes in the
//! file.

use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::context::RecordContext;
use ringtrace_wire::simpletrace::{DROPPED_ID, Step, Version, step_by_length};

use crate::entry::{Entry, Modules, Schemas, Threads};
use crate::metadata::{CAUSES, Cause, Lost};
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
    pub(crate) marks: Marks,
    /// The size of the record's context, which is directly before it.
    pub(crate) context_bytes: u16,
}

/// Small facts about an entry, in one byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Marks(pub(crate) u8);

const CAUSE: u8 = 3;
const TIMELESS: u8 = 4;
const THREADED: u8 = 8;

impl Marks {
    fn new(cause: Option<Cause>, threaded: bool) -> Marks {
        // A missing cause is 0; other causes are numbered from 1 on.
        let index = CAUSES.iter().position(|&other| Some(other) == cause);
        let cause = index.map_or(0, |index| index as u8 + 1);
        Marks(cause | if threaded { THREADED } else { 0 })
    }

    /// Returns the cause of the loss in a dropped record, if known.
    pub(crate) fn cause(self) -> Option<Cause> {
        CAUSES.get(usize::from(self.0 & CAUSE).checked_sub(1)?).copied()
    }

    /// Returns whether the record has no time. `timestamp_ns` is then the time of the previous entry.
    pub(crate) fn is_timeless(self) -> bool {
        self.0 & TIMELESS != 0
    }

    pub(crate) fn set_timeless(&mut self) {
        self.0 |= TIMELESS;
    }

    pub(crate) fn is_threaded(self) -> bool {
        self.0 & THREADED != 0
    }
}

/// The context that all entries of a trace share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub(crate) schemas: &'a Schemas,
    pub(crate) version: Version,
    pub(crate) order: ByteOrder,
    pub(crate) threads: &'a Threads,
    pub(crate) modules: &'a Modules,
}

impl<'a> Shared<'a> {
    pub(crate) fn of(reader: &'a Reader) -> Shared<'a> {
        Shared {
            schemas: reader.schemas(),
            version: reader.version(),
            order: reader.order(),
            threads: reader.threads(),
            modules: reader.modules(),
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
            marks: Marks::new(entry.lost.map(|lost| lost.cause), entry.threaded),
            // A context that is longer than any program writes is ignored.
            context_bytes: entry.context.record_bytes().try_into().unwrap_or(0),
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
            timestamp_ns: if self.marks.is_timeless() { 0 } else { self.timestamp_ns },
            id: self.id,
            pid: self.pid,
            schema: shared.schemas.get(self.schema_index),
            schema_index: self.schema_index,
            payload,
            record_bytes: usize::from(self.header_bytes) + payload.len(),
            version: shared.version,
            order: shared.order,
            threaded: self.marks.is_threaded(),
            lost: None,
            threads: shared.threads,
            context: self.context(bytes, start, shared),
            modules: shared.modules,
            trace: 0,
            scope: 0,
            date_shift_ns: 0,
        };
        if let Some(cause) = self.marks.cause() {
            entry.id = DROPPED_ID;
            let count = entry.dropped().unwrap_or(0);
            entry.lost = Some(Lost { tid: self.id as u32, cause, count });
        }
        Some(entry)
    }

    /// Decodes the context of the record at `start`.
    fn context<'a>(&self, bytes: &'a [u8], start: usize, shared: Shared<'a>) -> RecordContext<'a> {
        let context_at = start.checked_sub(self.context_bytes.into());
        let Some(encoded) = context_at.and_then(|at| bytes.get(at..start)).filter(|it| !it.is_empty()) else {
            return RecordContext::default();
        };
        match step_by_length(shared.version, shared.order, encoded) {
            Step::Mapping(mapping) => RecordContext::of(&mapping).unwrap_or_default(),
            _ => RecordContext::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_independent() {
        assert_eq!(size_of::<Located>(), 48);
        for cause in CAUSES.map(Some).into_iter().chain([None]) {
            for threaded in [false, true] {
                let mut marks = Marks::new(cause, threaded);
                assert_eq!(
                    (marks.cause(), marks.is_threaded(), marks.is_timeless()),
                    (cause, threaded, false)
                );
                marks.set_timeless();
                assert_eq!(
                    (marks.cause(), marks.is_threaded(), marks.is_timeless()),
                    (cause, threaded, true)
                );
            }
        }
    }
}
