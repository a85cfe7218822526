//! Entries one at a time, for who must look at several traces at once.

use crate::entry::Entry;
use crate::error::Error;
use crate::read::located::{Located, Shared};
use crate::read::reader::{ReadStatus, Reader};
use crate::read::visitor::{Flow, Visitor};

/// Entries that come one after the other, of which the next can be looked at before it is taken.
pub trait EntrySource: Send {
    /// The time of the next entry, `None` at the end.
    ///
    /// # Errors
    /// When the rest cannot be read; every entry before was given.
    fn peek_ns(&mut self) -> Result<Option<u64>, Error>;

    /// The next entry: what [`EntrySource::peek_ns`] looked at.
    fn entry(&self) -> Option<Entry<'_>>;

    /// Goes on to the one after.
    fn advance(&mut self);

    /// Whether [`EntrySource::peek_ns`] may have to wait for somebody to write more.
    fn may_wait(&self) -> bool {
        false
    }

    /// The reader behind it.
    fn reader(&self) -> &Reader;
}

/// How many entries are located at once.
const BATCH: usize = 1024;

/// A [`EntrySource`] of one trace, in the order of the file.
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
    /// A cursor before the entries that `reader` has left.
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
        self.next >= self.batch.len() && self.reader.mapped().is_none()
    }

    fn reader(&self) -> &Reader {
        &self.reader
    }
}
