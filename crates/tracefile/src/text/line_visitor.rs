//! Renders the lines of a piece of a trace.

use std::collections::HashSet;

use crate::entry::{Dropped, Entry};
use crate::pieces::{PieceWork, UnnamedThreads};
use crate::query::filter::Filter;
use crate::read::visitor::{BlockRecords, Flow, OrdinaryRecords, Visitor};
use crate::text::{FirstTime, Render, TextBuffer};

/// The limit for the size of a piece's output, as a multiple of the piece's size. An event with a
/// very long name can cause a larger output. Parallel rendering then ends, because it would take
/// too much memory.
const TEXT_PER_PIECE: usize = 16;

/// The usual size of a piece's text is at most this multiple of the piece's size.
const USUAL_TEXT_PER_PIECE: usize = 2;

#[derive(Clone)]
pub(super) struct LineVisitor<R> {
    pub(super) text: R,
    filter: Filter,
    pub(super) out: TextBuffer,
    most_bytes: usize,
    pub(super) dropped: Dropped,
    has_matched: bool,
    unnamed: UnnamedThreads,
}

/// The lines of a piece.
pub(super) struct Lines {
    pub(super) text: TextBuffer,
    pub(super) first: Option<FirstTime>,
    pub(super) last_ns: Option<u64>,
    pub(super) dropped: Dropped,
    /// Whether the filter has selected any event.
    pub(super) has_matched: bool,
}

impl<R> LineVisitor<R> {
    pub(super) fn new(text: R, filter: Filter, thread_names: bool) -> LineVisitor<R> {
        LineVisitor {
            text,
            filter,
            out: TextBuffer::with_capacity(0),
            most_bytes: usize::MAX,
            dropped: Dropped::default(),
            has_matched: false,
            unnamed: UnnamedThreads::new(thread_names),
        }
    }

    #[inline(always)]
    fn flow(&self) -> Flow {
        if self.out.len() < self.most_bytes { Flow::Continue } else { Flow::Stop }
    }
}

impl<R: Render + Clone + Send> PieceWork for LineVisitor<R> {
    type Output = Lines;

    const VERIFIES_LATE: bool = true;

    fn start(&mut self, memory: Option<Lines>, bytes: usize) {
        // The system provides the pages of new memory when they are used.
        let new = || TextBuffer::with_capacity(USUAL_TEXT_PER_PIECE * bytes);
        self.out = memory.map_or_else(new, |lines| lines.text);
        self.out.clear();
        self.most_bytes = TEXT_PER_PIECE * bytes;
        self.text.resume_after(None);
    }

    fn end(&mut self) -> (Lines, HashSet<u32>) {
        let lines = Lines {
            text: std::mem::replace(&mut self.out, TextBuffer::with_capacity(0)),
            first: self.text.first_time(),
            last_ns: self.text.last_ns(),
            dropped: std::mem::take(&mut self.dropped),
            has_matched: std::mem::take(&mut self.has_matched),
        };
        (lines, self.unnamed.take())
    }
}

impl<R: Render> Visitor for LineVisitor<R> {
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        if self.filter.is_everything() {
            self.text.render_fast(records, &mut self.out);
        } else {
            self.filter.skip_rejected(records);
        }
        self.flow()
    }

    fn take_block(&mut self, records: &mut BlockRecords<'_, '_>) {
        if self.filter.is_everything() {
            self.text.render_block(records, &mut self.out);
        }
    }

    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self.unnamed.note(entry);
        if self.filter.accepts(entry) {
            self.has_matched |= !self.dropped.count(entry);
            self.text.render(entry, &mut self.out);
        }
        self.flow()
    }
}
