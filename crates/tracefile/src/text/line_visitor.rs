//! Renders the lines of a piece of a trace.

use std::collections::HashSet;

use ringtrace_wire::compact::Decoding;

use crate::entry::{Dropped, Entry};
use crate::query::filter::Filter;
use crate::read::table::Table;
use crate::read::visitor::{BlockRecords, Flow, OrdinaryRecords, Visitor};
use crate::text::{Render, TextBuffer};

pub(super) struct LineVisitor<'r, R> {
    pub(super) text: &'r mut R,
    pub(super) filter: &'r mut Filter,
    pub(super) out: TextBuffer,
    pub(super) most_bytes: usize,
    pub(super) dropped: Dropped,
    /// Threads without a name, if thread names matter.
    pub(super) unnamed: Option<HashSet<u32>>,
}

impl<R> LineVisitor<'_, R> {
    #[inline(always)]
    pub(super) fn flow(&self) -> Flow {
        if self.out.len() < self.most_bytes { Flow::Continue } else { Flow::Stop }
    }
}

impl<R: Render> LineVisitor<'_, R> {
    /// Renders records at the start of the rest of `block` while they are decoded. Returns their number,
    /// and the size of the block's v4 data up to them.
    pub(super) fn take(&mut self, block: &mut Decoding<'_>, table: &Table) -> (u64, usize) {
        let mut records = BlockRecords::new(block, table);
        if self.filter.is_everything() {
            self.text.render_block(&mut records, &mut self.out);
        }
        records.taken()
    }
}

impl<R: Render> Visitor for LineVisitor<'_, R> {
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        if self.filter.is_everything() {
            self.text.render_fast(records, &mut self.out);
        }
        self.flow()
    }

    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        if let Some(unnamed) = &mut self.unnamed
            && let Some(tid) = entry.tid()
            && entry.thread_name().is_none()
        {
            unnamed.insert(tid);
        }
        if self.filter.accepts(entry) {
            self.dropped.count(entry);
            self.text.render(entry, &mut self.out);
        }
        self.flow()
    }
}
