//! Copies of the records in rings.

use std::io;

use ringtrace_wire::arena::{FullPolicy, PageWords, RING_PAGES, SlotWords, ring_page_at};
use ringtrace_wire::assembly::{Ring, Run};
use ringtrace_wire::ring;
use ringtrace_wire::simpletrace::MAX_RECORD_BYTES;

use super::ArenaFile;

const STEP_BYTES: usize = 1 << 18;

/// The maximum number of attempts to copy a flight recorder's ring. An attempt fails if the thread
/// rewrites all pages in the meantime.
const MAX_TRIES: usize = 16;

#[derive(Debug)]
pub(super) struct RingCopy {
    pub(super) slot: usize,
    /// The state of the slot at the time of the copy.
    pub(super) words: SlotWords,
    /// Complete records, oldest first, with the thread of each run.
    runs: Vec<(u32, Vec<u8>)>,
    /// In a flight recorder, the number of records in the slot up to the last copied one.
    pub(super) issued: u64,
    /// The number of bytes that should be records but are not.
    pub(super) damaged_bytes: usize,
}

impl RingCopy {
    /// Copies slot `slot` of `segment`. Returns `None` if the slot was never used.
    pub(super) fn of(segment: &ArenaFile, slot: usize) -> io::Result<Option<RingCopy>> {
        let words = segment.slot(slot)?;
        if words.owner_number == 0 {
            return Ok(None);
        }
        let mut copy = RingCopy { slot, words, runs: Vec::new(), issued: 0, damaged_bytes: 0 };
        if segment.header().full == FullPolicy::Overwrite {
            copy.copy_pages(segment)?;
        } else {
            let length = copy.words.readable_bytes(segment.header(), copy.words.consumed);
            let place = copy.words.consumed & (segment.header().ring_bytes - 1);
            let run = copy.copy_run(segment, place as usize, length)?;
            copy.runs.push((copy.words.tid, run));
        }
        Ok(Some(copy))
    }

    /// Removes the records before `position`, in bytes since the slot was created.
    pub(super) fn leave_out(&mut self, position: u64) {
        let Some((_, run)) = self.runs.first_mut() else { return };
        // `position` is less than `consumed` only if the file is damaged.
        let done = position.saturating_sub(self.words.consumed);
        run.drain(..usize::try_from(done).map_or(run.len(), |done| done.min(run.len())));
    }

    pub(super) fn ring(&self) -> Ring<'_> {
        Ring { runs: self.runs.iter().map(|(tid, bytes)| Run { tid: *tid, bytes }).collect() }
    }

    /// Copies the pages of a flight recorder's ring. Tries again if the running process has
    /// rewritten all of them in the meantime.
    fn copy_pages(&mut self, segment: &ArenaFile) -> io::Result<()> {
        for _ in 0..MAX_TRIES {
            let has_pages = self.try_copy_pages(segment)?;
            if !has_pages || !self.runs.is_empty() || !segment.is_alive() {
                return Ok(());
            }
            self.words = segment.slot(self.slot)?;
        }
        // All attempts failed: the process overwrote every page while it was copied.
        self.issued = self.pages(segment).iter().map(|(words, _)| words.before).fold(self.issued, u64::max);
        Ok(())
    }

    /// The pages that contain records, oldest first, with their lengths.
    fn pages(&self, segment: &ArenaFile) -> Vec<(PageWords, usize)> {
        let pages = (0..RING_PAGES).filter_map(|index| self.words.ring_page(segment.header(), index));
        let mut pages: Vec<_> = pages.collect();
        pages.sort_unstable_by_key(|(words, _)| words.number);
        pages
    }

    /// Copies the pages. Returns whether there are any.
    fn try_copy_pages(&mut self, segment: &ArenaFile) -> io::Result<bool> {
        let header = segment.header();
        let pages = self.pages(segment);
        for &(words, length) in &pages {
            let place = ring_page_at(words.number, header.ring_page_bytes() as usize);
            let damaged_bytes = self.damaged_bytes;
            let run = self.copy_run(segment, place, length)?;
            // A running process may have rewritten the page in the meantime.
            let index = (words.number % RING_PAGES as u64) as usize;
            let now = if segment.is_alive() { segment.slot(self.slot)? } else { self.words.clone() };
            if now.ring_page(header, index).is_none_or(|(now, _)| now.number != words.number) {
                // Remove the older pages, because there would be a gap after them.
                self.runs.clear();
                self.damaged_bytes = damaged_bytes;
            } else {
                let ring = Ring { runs: vec![Run { tid: words.tid, bytes: &run }] };
                self.issued = words.before.saturating_add(ring.records().count() as u64);
                self.runs.push((words.tid, run));
            }
        }
        Ok(!pages.is_empty())
    }

    /// Copies records up to the first invalid one. Memory use depends on the records found, so a
    /// wrong size in the file does no harm.
    fn copy_run(&mut self, segment: &ArenaFile, place: usize, length: usize) -> io::Result<Vec<u8>> {
        let (mut run, mut whole) = (Vec::new(), 0);
        while run.len() < length && run.len() - whole <= MAX_RECORD_BYTES {
            let step = STEP_BYTES.min(length - run.len());
            segment.append_ring(self.slot, place + run.len(), step, &mut run)?;
            while let Some(record) = ring::record_at(&run[whole..]) {
                whole += record.padded_bytes;
            }
        }
        self.damaged_bytes += length - whole;
        run.truncate(whole);
        run.shrink_to_fit();
        Ok(run)
    }
}
