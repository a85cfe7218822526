//! Fills columns on several threads: each fills batches with the records of pieces of the file, and the
//! batches are joined in order.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::batch::{Batch, Values};
use super::collector::{Collector, Sink};
use super::table::{Limits, Request, TableKind};
use crate::entry::{Dropped, Entry};
use crate::error::Error;
use crate::pieces::{self, PieceOptions, PieceSink, PieceWork};
use crate::read::reader::Reader;
use crate::read::visitor::{BlockRecords, Flow, OrdinaryRecords, Visitor};

/// Batches are joined only if they have fewer rows than this part of the limit. To copy larger ones would
/// take more time than it saves.
const JOINED_BELOW: usize = 8;

/// The reason why no more batches are passed to the sink.
#[derive(Debug)]
pub(super) enum Ended<E> {
    /// The sink failed.
    Sink(E),
    /// Another thread requested to stop.
    Stopped,
}

/// Passes the rows of `reader` to `sink`, except those of an incomplete record at the end of the file.
/// Afterwards the reader continues after these rows, and `collector` can add the remaining ones. Counts
/// lost events in `dropped`.
///
/// # Errors
/// The outer error is the reason why no more batches were passed to the sink. The inner error means that
/// the file cannot be read further; the sink received all rows before it.
pub(super) fn read_pieces<E: Send>(
    reader: &mut Reader,
    collector: &Collector,
    request: &Request,
    piece_bytes: usize,
    sink: &mut (impl Sink<E> + Send),
    dropped: &mut Dropped,
) -> Result<Result<(), Error>, Ended<E>> {
    let options =
        PieceOptions { threads: request.threads, piece_bytes, thread_names: collector.uses_thread_names() };
    let work = ColumnWork::new(collector.sibling());
    let mut joined = Joined::new(request, sink);
    let result = pieces::process(reader, &work, &mut joined, options);
    dropped.add(joined.dropped);
    if !matches!(result, Err(Ended::Sink(_))) {
        joined.finish().map_err(Ended::Sink)?;
    }
    result
}

/// The work of a thread.
struct ColumnWork {
    collector: Collector,
    batches: Batches,
}

/// The rows of a piece.
#[derive(Default)]
struct Batches {
    full: Vec<Batch>,
    /// Batches whose memory is used again, by table.
    spare: HashMap<TableKind, Batch>,
    dropped: Dropped,
}

impl Batches {
    /// Takes the columns of `batch`, and gives it the memory of an earlier batch.
    fn push(&mut self, batch: &mut Batch) {
        let spare = self.spare.remove(&batch.table.kind).map(|batch| batch.columns).unwrap_or_default();
        let is_like = spare.len() == batch.columns.len()
            && spare.iter().zip(&batch.columns).all(|(one, other)| one.is_like(other));
        let columns = std::mem::replace(&mut batch.columns, if is_like { spare } else { Vec::new() });
        self.full.push(Batch { table: Arc::clone(&batch.table), rows: batch.rows, columns });
    }
}

impl ColumnWork {
    fn new(collector: Collector) -> ColumnWork {
        ColumnWork { collector, batches: Batches::default() }
    }

    fn with(
        &mut self,
        go: impl FnOnce(&mut Collector, &mut dyn FnMut(&mut Batch) -> Result<(), Infallible>),
    ) {
        let ColumnWork { collector, batches } = self;
        go(collector, &mut |batch: &mut Batch| {
            batches.push(batch);
            Ok(())
        });
    }
}

impl Clone for ColumnWork {
    fn clone(&self) -> ColumnWork {
        ColumnWork::new(self.collector.sibling())
    }
}

impl Visitor for ColumnWork {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        if self.collector.accepts(entry) {
            self.batches.dropped.count(entry);
            self.with(|collector, mut sink| {
                let Ok(()) = collector.entry(entry, &mut sink);
            });
        }
        Flow::Continue
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        self.with(|collector, mut sink| {
            let Ok(()) = collector.fast_path(records, &mut sink);
        });
        Flow::Continue
    }

    /// If the block is not valid, the whole result is discarded.
    fn take_block(&mut self, records: &mut BlockRecords<'_, '_>) {
        self.with(|collector, mut sink| {
            collector.take_block(records);
            let Ok(()) = collector.end_block(true, &mut sink);
        });
    }
}

impl PieceWork for ColumnWork {
    type Output = Batches;

    /// The limit for the records whose arguments are added to the columns at once.
    const EXPANDED_BYTES: usize = super::collector::CHUNK_BYTES;

    /// The names in a block are added to dictionaries that all threads share.
    const VERIFIES_LATE: bool = false;

    fn start(&mut self, memory: Option<Batches>, _: usize) {
        self.collector.restart();
        let Batches { full, mut spare, .. } = memory.unwrap_or_default();
        spare.extend(full.into_iter().map(|batch| (batch.table.kind, batch)));
        self.batches = Batches { spare, ..Batches::default() };
    }

    fn end(&mut self) -> (Batches, HashSet<u32>) {
        self.with(|collector, mut sink| {
            let Ok(()) = collector.flush(&mut sink);
        });
        (std::mem::take(&mut self.batches), self.collector.unnamed())
    }
}

/// Joins the batches of pieces, and passes them to the sink.
struct Joined<'s, S, E> {
    sink: &'s mut S,
    limits: Limits,
    memory_bytes: usize,
    stop: Option<Arc<AtomicBool>>,
    /// The rows of each table that are no batch yet.
    pending: HashMap<TableKind, Pending>,
    /// The size of all pending rows, in bytes.
    bytes: usize,
    dropped: Dropped,
    error: PhantomData<fn() -> E>,
}

#[derive(Default)]
struct Pending {
    batch: Batch,
    text_bytes: usize,
    bytes: usize,
}

impl<'s, S: Sink<E>, E> Joined<'s, S, E> {
    fn new(request: &Request, sink: &'s mut S) -> Joined<'s, S, E> {
        Joined {
            sink,
            limits: request.limits(),
            memory_bytes: request.memory_bytes,
            stop: request.stop.clone(),
            pending: HashMap::new(),
            bytes: 0,
            dropped: Dropped::default(),
            error: PhantomData,
        }
    }

    /// Adds the rows of `batch`, which `records` records precede. Leaves memory in its place.
    fn add(&mut self, batch: &mut Batch, records: u64) -> Result<(), E> {
        let Joined { sink, limits, pending, bytes, .. } = self;
        if let Some(column) = batch.table.field("record")
            && let Values::UInt64(numbers) = batch.columns[column].values_mut()
        {
            numbers.iter_mut().for_each(|number| *number += records);
        }
        let text_bytes = batch.text_bytes();
        let its = pending.entry(batch.table.kind).or_default();
        let is_full = its.batch.rows + batch.rows > limits.rows
            || its.text_bytes + text_bytes > limits.text_bytes
            || !its.batch.table.is_same(&batch.table);
        if is_full {
            its.emit(bytes, *sink)?;
        }
        if its.batch.rows > 0 {
            its.batch.append(batch);
        } else if JOINED_BELOW * batch.rows >= limits.rows {
            return sink(batch);
        } else {
            std::mem::swap(&mut its.batch, batch);
        }
        its.text_bytes += text_bytes;
        *bytes -= its.bytes;
        its.bytes = its.batch.rows * its.batch.table.row_bytes() + its.text_bytes;
        *bytes += its.bytes;
        while self.bytes > self.memory_bytes {
            let largest = self.pending.values_mut().max_by_key(|pending| pending.bytes);
            let Some(largest) = largest.filter(|largest| largest.batch.rows > 0) else { break };
            largest.emit(&mut self.bytes, self.sink)?;
            largest.batch.columns = Vec::new();
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), E> {
        let Joined { sink, pending, bytes, .. } = self;
        let mut pending: Vec<&mut Pending> = pending.values_mut().collect();
        pending.sort_by_key(|pending| pending.batch.table.kind);
        pending.into_iter().try_for_each(|pending| pending.emit(bytes, *sink))
    }
}

impl Pending {
    /// Passes the rows to the sink, if there are any.
    fn emit<E>(&mut self, all_bytes: &mut usize, sink: &mut impl Sink<E>) -> Result<(), E> {
        if self.batch.rows == 0 {
            return Ok(());
        }
        let result = sink(&mut self.batch);
        self.batch.clear();
        *all_bytes -= self.bytes;
        (self.bytes, self.text_bytes) = (0, 0);
        result
    }
}

impl<E: Send, S: Sink<E> + Send> PieceSink<Batches> for Joined<'_, S, E> {
    type Error = Ended<E>;

    fn put(&mut self, mut batches: Batches, records: u64) -> Result<Batches, Ended<E>> {
        self.dropped.add(batches.dropped);
        for batch in &mut batches.full {
            self.add(batch, records).map_err(Ended::Sink)?;
        }
        let stops = self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        if stops { Err(Ended::Stopped) } else { Ok(batches) }
    }
}
