//! Visitors of entries, and the records that need no second look: what traces of gigabytes consist of.

use ringtrace_wire::Little;
use ringtrace_wire::simpletrace::v4::V4;
use ringtrace_wire::simpletrace::{Layout, Record};

use crate::entry::{Entry, Threads};
use crate::read::table::{Lookup, Table};

/// What a visitor of entries wants next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// The next one.
    Continue,
    /// No more.
    Stop,
}

/// Something that looks at every entry. Closures do; a type of its own can say that it wants to be compiled into
/// the decoding loop.
pub trait Visitor {
    /// Looks at one.
    fn entry(&mut self, entry: &Entry<'_>) -> Flow;

    /// Looks at bare records before entries are made of them, as long as it likes: the one it stops at and has not
    /// skipped becomes an entry. Whoever skips a record has checked that its payload is what the schema says.
    #[inline(always)]
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        let _ = records;
        Flow::Continue
    }

    /// Nothing more can be decoded before more was read, which may take long: what is held back can be shown.
    fn idle(&mut self) {}
}

impl<F: FnMut(&Entry<'_>) -> Flow> Visitor for F {
    #[inline]
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self(entry)
    }
}

/// The ordinary records that a window of a little-endian v4 trace begins with: complete, of known events and of
/// ordinary length, without anything odd about them but, maybe, their arguments.
#[derive(Debug, Clone)]
pub struct OrdinaryRecords<'w> {
    rest: &'w [u8],
    table: Lookup<'w>,
    max_bytes: usize,
    count: u64,
    thread_changes: u64,
}

impl<'w> OrdinaryRecords<'w> {
    #[inline(always)]
    pub(crate) fn new(
        window: &'w [u8],
        table: &'w Table,
        threads: &Threads,
        max_bytes: usize,
    ) -> OrdinaryRecords<'w> {
        let thread_changes = threads.changes();
        OrdinaryRecords { rest: window, table: table.lookup(), max_bytes, count: 0, thread_changes }
    }

    /// What [`Threads::changes`] says while these are read: who keeps names of threads sees by it when they are old.
    pub fn thread_changes(&self) -> u64 {
        self.thread_changes
    }

    /// The next one, with the index of its schema; `None` when something else comes, or the end.
    #[inline(always)]
    pub fn peek(&self) -> Option<(Record<'w>, u32)> {
        crate::input::map::prefetch(self.rest);
        let record = V4::<Little>::ordinary(self.rest, self.max_bytes)?;
        Some((record, self.table.schema(record.id)?))
    }

    /// Goes on behind `record`, which must be the one that [`OrdinaryRecords::peek`] gave.
    #[inline(always)]
    pub fn skip(&mut self, record: &Record<'_>) {
        self.rest = &self.rest[record.size..];
        self.count += 1;
    }

    /// Goes on behind all those, one after another, for which `done` says so; it gets the index of the schema, too.
    #[inline(always)]
    pub fn skip_while(&mut self, mut done: impl FnMut(&Record<'w>, u32) -> bool) {
        while let Some((record, schema_index)) = self.peek()
            && done(&record, schema_index)
        {
            self.skip(&record);
        }
    }

    /// Those that come next, for somebody else to go over: no more than `most`, and only before the first for which `stops`,
    /// which gets the index of the schema, says so.
    fn before(&self, most: u64, mut stops: impl FnMut(u32) -> bool) -> OrdinaryRecords<'w> {
        let mut ahead = self.clone();
        while ahead.count - self.count < most
            && let Some((record, schema_index)) = ahead.peek()
            && !stops(schema_index)
        {
            ahead.skip(&record);
        }
        let bytes = self.rest.len() - ahead.rest.len();
        OrdinaryRecords { rest: &self.rest[..bytes], count: 0, ..*self }
    }

    /// Lets `go` go over some, as `before` has them, and goes on behind those that it has gone over. Says whether
    /// it has gone over any, and all.
    ///
    /// # Errors
    /// Those of `go`.
    pub fn hand_over<E>(
        &mut self,
        most: u64,
        stops: impl FnMut(u32) -> bool,
        go: impl FnOnce(&mut OrdinaryRecords<'w>) -> Result<(), E>,
    ) -> Result<bool, E> {
        let mut part = self.before(most, stops);
        let bytes = part.rest.len();
        let gone = go(&mut part);
        self.rest = &self.rest[bytes - part.rest.len()..];
        self.count += part.count;
        gone.map(|()| bytes > 0 && part.rest.is_empty())
    }

    /// How many bytes of the window were not gone over.
    pub(crate) fn bytes_left(&self) -> usize {
        self.rest.len()
    }

    /// How many were gone over.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }
}
