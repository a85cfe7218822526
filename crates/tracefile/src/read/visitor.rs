//! Visitors of entries, and their fast path for ordinary records.

use ringtrace_wire::compact::{Decoding, TakeFew};
use ringtrace_wire::simpletrace::v4::V4;
use ringtrace_wire::simpletrace::{Layout, Record, Version};
use ringtrace_wire::{ByteOrder, Little};

use crate::entry::{Entry, Schemas, Threads};
use crate::input::blocks::decode::Prefetch;
use crate::read::state::Context;
use crate::read::table::{Lookup, Table};

/// The decision of a visitor after an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Continue with the next entry.
    Continue,
    /// Stop.
    Stop,
}

/// A visitor of every entry of a trace. Closures implement this trait. A separate type can also
/// implement [`Visitor::fast_path`], which is compiled into the decoding loop.
pub trait Visitor {
    /// Visits an entry.
    fn entry(&mut self, entry: &Entry<'_>) -> Flow;

    /// Visits records before entries are created from them. The visitor skips the records that it
    /// processes; it must have checked that their payloads match the schema. An entry is created
    /// from the first record that it does not skip.
    #[inline(always)]
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        let _ = records;
        Flow::Continue
    }

    /// Returns whether [`Reader::for_each`](crate::Reader::for_each) calls [`Visitor::take_block`].
    fn takes_blocks(&self) -> bool {
        false
    }

    /// Visits records of a compact trace's block while they are decoded, up to the first one that it does not
    /// take. The others are visited afterwards, after [`Visitor::end_block`].
    #[inline(always)]
    fn take_block(&mut self, records: &mut BlockRecords<'_, '_>) {
        let _ = records;
    }

    /// Called after [`Visitor::take_block`], when the whole block has been decoded. If the block is not valid, the
    /// visitor must forget the records that it took.
    fn end_block(&mut self, is_valid: bool) -> Flow {
        let _ = is_valid;
        Flow::Continue
    }

    /// Called before a read that may block. A visitor can flush buffered output here.
    fn idle(&mut self) {}
}

impl<F: FnMut(&Entry<'_>) -> Flow> Visitor for F {
    #[inline]
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self(entry)
    }
}

/// The ordinary records at the start of a window in a little-endian v4 trace. They are complete,
/// belong to known events, and have the usual type and a valid length. Their arguments are not
/// checked.
#[derive(Debug, Clone)]
pub struct OrdinaryRecords<'w> {
    rest: &'w [u8],
    table: Lookup<'w>,
    max_bytes: usize,
    count: u64,
    /// The number of the record before the first one.
    before: u64,
    /// The offset of the end of `rest` in the file.
    end: u64,
    context: &'w Context,
}

impl<'w> OrdinaryRecords<'w> {
    #[inline(always)]
    pub(crate) fn new(
        window: &'w [u8],
        offset: u64,
        context: &'w Context,
        max_bytes: usize,
        before: u64,
    ) -> OrdinaryRecords<'w> {
        let (table, end) = (context.table.lookup(), offset + window.len() as u64);
        OrdinaryRecords { rest: window, table, max_bytes, count: 0, before, end, context }
    }

    /// Returns the number of changes to threads. Cached names are valid as long as this value does not
    /// change.
    pub fn thread_changes(&self) -> u64 {
        self.context.threads.changes()
    }

    /// Returns the next record and its schema index, if it is ordinary.
    #[inline(always)]
    pub fn peek(&self) -> Option<(Record<'w>, u32)> {
        crate::input::map::prefetch(self.rest);
        let record = V4::<Little>::ordinary(self.rest, self.max_bytes)?;
        Some((record, self.table.schema(record.id)?))
    }

    /// Skips `record`, which must be the result of the last [`OrdinaryRecords::peek`].
    #[inline(always)]
    pub fn skip(&mut self, record: &Record<'_>) {
        self.rest = &self.rest[record.size..];
        self.count += 1;
    }

    /// Skips records as long as `done` returns true for the record and its schema index.
    #[inline(always)]
    pub fn skip_while(&mut self, mut done: impl FnMut(&Record<'w>, u32) -> bool) {
        self.skip_while_next(|_, record, schema_index| done(record, schema_index));
    }

    /// Does the same as [`OrdinaryRecords::skip_while`]. `done` also gets the records from this one on.
    #[inline(always)]
    pub fn skip_while_next(&mut self, mut done: impl FnMut(&OrdinaryRecords<'w>, &Record<'w>, u32) -> bool) {
        while let Some((record, schema_index)) = self.peek()
            && done(self, &record, schema_index)
        {
            self.skip(&record);
        }
    }

    /// Returns the next records, at most `most` of them, up to the first record for which `stops`
    /// returns true. The argument of `stops` is the record's schema index.
    fn before(&self, most: u64, mut stops: impl FnMut(u32) -> bool) -> OrdinaryRecords<'w> {
        let mut ahead = self.clone();
        while ahead.count - self.count < most
            && let Some((record, schema_index)) = ahead.peek()
            && !stops(schema_index)
        {
            ahead.skip(&record);
        }
        let bytes = self.rest.len() - ahead.rest.len();
        let end = self.end - ahead.rest.len() as u64;
        OrdinaryRecords {
            rest: &self.rest[..bytes],
            count: 0,
            before: self.before + self.count,
            end,
            ..*self
        }
    }

    /// Calls `go` with the next records, at most `most` of them, up to the first record whose
    /// schema index `stops` accepts. Then skips the records that `go` skipped. Returns whether
    /// there were any records and `go` skipped all of them.
    ///
    /// # Errors
    /// Returns the error of `go`.
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

    /// Returns the entry of `record`, which must be the result of the last [`OrdinaryRecords::peek`], and
    /// consist of the arguments of its schema.
    #[inline(always)]
    pub(crate) fn entry(&self, record: &Record<'w>, schema_index: u32) -> Entry<'w> {
        self.context.entry(
            record,
            schema_index,
            self.number(),
            self.offset(),
            (Version::V4, ByteOrder::Little),
        )
    }

    /// Returns whether ids contain the thread.
    #[inline(always)]
    pub(crate) fn is_threaded(&self) -> bool {
        self.context.threaded
    }

    /// Returns the offset of the next record in the file.
    #[inline(always)]
    pub(crate) fn offset(&self) -> u64 {
        self.end - self.rest.len() as u64
    }

    pub(crate) fn threads(&self) -> &'w Threads {
        &self.context.threads
    }

    /// Returns the schemas of the events.
    pub fn schemas(&self) -> &'w Schemas {
        &self.context.schemas
    }

    /// Returns the number of the next record in the file.
    #[inline(always)]
    pub(crate) fn number(&self) -> u64 {
        self.before + self.count + 1
    }

    /// Returns the bytes from the next record on.
    pub(crate) fn rest(&self) -> &'w [u8] {
        self.rest
    }

    pub(crate) fn bytes_left(&self) -> usize {
        self.rest.len()
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }
}

/// The records at the start of the rest of a compact trace's block.
#[derive(Debug)]
pub struct BlockRecords<'b, 'd> {
    block: &'b mut Decoding<'d>,
    context: &'b Context,
    count: u64,
    /// The number of the record before the first one.
    before: u64,
    end: usize,
}

impl<'b, 'd> BlockRecords<'b, 'd> {
    pub(crate) fn new(
        block: &'b mut Decoding<'d>,
        context: &'b Context,
        before: u64,
    ) -> BlockRecords<'b, 'd> {
        let end = block.decoded().len();
        BlockRecords { block, context, count: 0, before, end }
    }

    /// Returns the number of the next record in the file.
    pub(crate) fn number(&self) -> u64 {
        self.before + self.count + 1
    }

    /// Returns the table, which applies to all of these records.
    pub(crate) fn table(&self) -> &'b Table {
        &self.context.table
    }

    /// Returns the number of changes to threads.
    pub(crate) fn thread_changes(&self) -> u64 {
        self.context.threads.changes()
    }

    /// Returns whether ids contain the thread.
    pub(crate) fn is_threaded(&self) -> bool {
        self.context.threaded
    }

    /// Takes records of a few integers as long as `take` takes them; `count` returns their number. Call
    /// this only once. See [`Decoding::take_while`].
    #[inline(always)]
    pub(crate) fn take_while<T: TakeFew>(&mut self, take: &mut T, count: impl FnOnce(&T) -> u64) {
        self.end = self.block.take_while(&mut Prefetch(take));
        self.count = count(take);
    }

    /// Returns the number of records that were taken, and the size of the block's v4 data up to them.
    pub(crate) fn taken(&self) -> (u64, usize) {
        (self.count, self.end)
    }
}

/// Values for the definitions of a block.
#[derive(Debug, Clone)]
pub(crate) struct ByDefinition<T>(Vec<Option<T>>);

impl<T> Default for ByDefinition<T> {
    fn default() -> ByDefinition<T> {
        ByDefinition(Vec::new())
    }
}

impl<T> ByDefinition<T> {
    /// Returns the value for the definition with this index.
    #[inline(always)]
    pub(crate) fn get(&self, definition: usize) -> Option<&T> {
        self.0.get(definition)?.as_ref()
    }

    pub(crate) fn insert(&mut self, definition: usize, value: T) {
        if self.0.len() <= definition {
            self.0.resize_with(definition + 1, || None);
        }
        self.0[definition] = Some(value);
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

/// Skips all records, as fast as possible.
#[derive(Debug)]
pub struct SkipRecords;

impl Visitor for SkipRecords {
    fn entry(&mut self, _: &Entry<'_>) -> Flow {
        Flow::Continue
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        records.skip_while(|_, _| true);
        Flow::Continue
    }
}
