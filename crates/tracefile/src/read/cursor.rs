//! Iteration over entries one by one, for merging several traces.

use crate::entry::Entry;
use crate::error::Error;
use crate::read::located::{Located, Shared};
use crate::read::reader::{ReadStatus, Reader};
use crate::read::visitor::{Flow, Visitor};

/// A source of entries that can be examined before they are consumed.
pub trait EntrySource: Send {
    /// Returns the time of the next entry, or `None` at the end.
    ///
    /// # Errors
    /// Returns an error if the rest cannot be read. All entries before the error were returned.
    fn peek_ns(&mut self) -> Result<Option<u64>, Error>;

    /// Returns the next entry. [`EntrySource::peek_ns`] must be called first.
    fn entry(&self) -> Option<Entry<'_>>;

    /// Moves to the following entry.
    fn advance(&mut self);

    /// Returns whether [`EntrySource::peek_ns`] may block until more data is written.
    fn may_wait(&self) -> bool {
        false
    }

    /// Returns the reader of the entries.
    fn reader(&self) -> &Reader;
}

const BATCH: usize = 1024;

/// An [`EntrySource`] of one trace, in the order of the file.
#[derive(Debug)]
pub struct Cursor {
    reader: Reader,
    batch: Vec<Located>,
    next: usize,
    failed: Option<Error>,
    finished: bool,
}

struct Locate<'b> {
    batch: &'b mut Vec<Located>,
}

impl Visitor for Locate<'_> {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self.batch.push(Located::new(entry));
        if self.batch.len() < BATCH { Flow::Continue } else { Flow::Stop }
    }
}

impl Cursor {
    /// Creates a cursor over the remaining entries of `reader`.
    pub fn new(reader: Reader) -> Cursor {
        Cursor { reader, batch: Vec::new(), next: 0, failed: None, finished: false }
    }

    fn fill(&mut self) {
        self.next = 0;
        self.batch.clear();
        while self.batch.is_empty() && !self.finished {
            match self.reader.decode_window(&mut Locate { batch: &mut self.batch }) {
                Ok(ReadStatus::Finished) => self.finished = true,
                Ok(_) => {}
                Err(error) => {
                    self.finished = true;
                    self.failed = Some(error);
                }
            }
        }
    }
}

impl EntrySource for Cursor {
    fn peek_ns(&mut self) -> Result<Option<u64>, Error> {
        if self.next >= self.batch.len() {
            self.fill();
        }
        match self.batch.get(self.next) {
            Some(located) => Ok(Some(located.timestamp_ns)),
            None => self.failed.take().map_or(Ok(None), Err),
        }
    }

    fn entry(&self) -> Option<Entry<'_>> {
        let (window, window_offset) = self.reader.window();
        self.batch.get(self.next)?.entry(window, window_offset, Shared::of(&self.reader))
    }

    fn advance(&mut self) {
        self.next += 1;
    }

    fn may_wait(&self) -> bool {
        self.next >= self.batch.len() && !self.reader.is_rereadable()
    }

    fn reader(&self) -> &Reader {
        &self.reader
    }
}
