//! A thread that encodes and writes batches.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{Builder, JoinHandle};

use ringtrace_tracefile::columns::{Batch, Table};

/// The files of all tables, which a thread writes.
pub(super) trait Store: Send + 'static {
    /// Adds a table, so that it has a file even if there are no rows.
    fn add(&mut self, table: &Arc<Table>) -> io::Result<()>;

    /// Writes a batch as a row group.
    fn write(&mut self, batch: &Batch) -> io::Result<()>;

    /// Finishes all files.
    fn finish(&mut self) -> io::Result<()>;
}

/// The number of written batches whose memory is kept. New memory takes time, because the system clears
/// its pages.
const MAX_SPARE: usize = 4;

/// Passes batches to a thread, which writes them while the trace is being read.
#[derive(Debug)]
pub(super) struct Writer {
    /// `None` after the thread ended.
    orders: Option<SyncSender<Order>>,
    written: Receiver<Batch>,
    thread: Option<JoinHandle<io::Result<()>>>,
    /// Written batches, whose memory is used again. The last ones were written last.
    spare: Vec<Batch>,
}

enum Order {
    Add(Arc<Table>),
    Write(Batch),
    Finish,
}

impl Writer {
    pub(super) fn start(files: impl Store) -> io::Result<Writer> {
        let (orders, received) = sync_channel(0);
        let (back, written) = channel();
        let work = move || work(files, &received, &back);
        let thread = Builder::new().name("parquet".to_owned()).spawn(work)?;
        Ok(Writer { orders: Some(orders), written, thread: Some(thread), spare: Vec::new() })
    }

    /// Adds a table, so that it has a file even if there are no rows.
    pub(super) fn add(&mut self, table: &Arc<Table>) -> io::Result<()> {
        self.order(Order::Add(Arc::clone(table)))
    }

    /// Waits until the previous batch is written. Takes the columns of `batch`, and gives it the memory of an
    /// earlier batch of the same table, if there is one.
    pub(super) fn write(&mut self, batch: &mut Batch) -> io::Result<()> {
        self.spare.extend(self.written.try_iter());
        self.spare.drain(..self.spare.len().saturating_sub(MAX_SPARE));
        let same = self.spare.iter().position(|spare| Arc::ptr_eq(&spare.table, &batch.table));
        let columns = same.map(|index| self.spare.remove(index).columns).unwrap_or_default();
        let table = Arc::clone(&batch.table);
        let columns = std::mem::replace(&mut batch.columns, columns);
        self.order(Order::Write(Batch { table, rows: batch.rows, columns }))
    }

    /// Finishes all files.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.order(Order::Finish)?;
        self.join()
    }

    fn order(&mut self, order: Order) -> io::Result<()> {
        let sent = self.orders.as_ref().map(|orders| orders.send(order));
        match sent {
            Some(Ok(())) => Ok(()),
            // The thread has ended because of an error.
            _ => self.join().and_then(|()| Err(io::Error::other("the thread that writes has ended"))),
        }
    }

    fn join(&mut self) -> io::Result<()> {
        self.orders = None;
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(result)) => result,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
        }
    }
}

impl Drop for Writer {
    /// Waits for the thread, so that the caller can remove the unfinished files.
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn work(mut files: impl Store, orders: &Receiver<Order>, written: &Sender<Batch>) -> io::Result<()> {
    for order in orders {
        match order {
            Order::Add(table) => files.add(&table)?,
            Order::Write(batch) => {
                files.write(&batch)?;
                // The receiver is gone only if the export ends early.
                let _ = written.send(batch);
            }
            Order::Finish => return files.finish(),
        }
    }
    Ok(())
}
