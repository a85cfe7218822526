//! Outlines: summaries of large compact traces, mostly from the headers of their blocks.

use super::{Count, Span, Summary, Unread};
use crate::input::blocks::BlockTotals;
use crate::read::reader::Reader;

/// The smallest compact file, in bytes, of which [`Reader::outline`] creates an outline. Smaller files
/// are read in a few hundredths of a second.
pub const OUTLINE_BYTES: u64 = 64 << 20;

impl Reader {
    /// Summarizes a large compact trace from the headers of its blocks, and from the blocks that contain
    /// mapping records or metadata. The other blocks are neither decoded nor verified, so the summary
    /// lacks the counts of events, processes and threads, and steps backward in time.
    ///
    /// Returns `None` for other traces, for streams and small files, and if a header is damaged. They
    /// must be summarized by [`Reader::summarize`]. Nothing may have been read from the trace yet.
    pub fn outline(&mut self) -> Option<Summary> {
        self.outline_from(OUTLINE_BYTES)
    }

    /// Creates an outline of a compact file of at least `least_bytes`. Tests use small files.
    #[doc(hidden)]
    pub fn outline_from(&mut self, least_bytes: u64) -> Option<Summary> {
        // Visit the headers only of large files.
        self.compact_bytes().filter(|&bytes| bytes >= least_bytes && self.has_mapped_blocks())?;
        let totals = self.block_totals()?;
        self.input.select(Some(self.none_selected()));
        let summary = self.summarize_part(false, true);
        self.input.select(None);
        Some(summary.with_totals(&totals))
    }
}

impl Summary {
    /// Replaces facts about the blocks that were read by facts about all blocks.
    fn with_totals(mut self, totals: &BlockTotals) -> Summary {
        self.unread =
            Some(Unread { blocks: totals.blocks.saturating_sub(totals.mapping_blocks), of: totals.blocks });
        self.records = totals.records;
        self.read_bytes = totals.bytes;
        self.span = totals.time_range_ns.map(|(smallest_ns, largest_ns)| Span { smallest_ns, largest_ns });
        for event in &mut self.events {
            event.count = Count::default();
        }
        self.processes.clear();
        // The totals are from the end only if they account for all records.
        let recorded: u64 = self.threads.iter().filter_map(|thread| Some(thread.total?.recorded)).sum();
        if recorded.saturating_add(self.dropped.records) < totals.records {
            self.ended = self.ended.map(|_| false);
        }
        // Totals are those that the program recorded.
        self.threads.retain(|thread| thread.total.is_some());
        for thread in &mut self.threads {
            thread.records = thread.total.map_or(0, |total| total.recorded);
        }
        // Usually, metadata precedes each dropped record, so all of them were read.
        if self.dropped.events != totals.lost {
            self.dropped = super::Dropped { events: totals.lost, ..super::Dropped::default() };
        }
        self
    }
}
