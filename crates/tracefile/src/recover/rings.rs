//! Copies of what stands in rings.

use std::io;

use ringtrace_wire::arena::{FullPolicy, RING_PAGES, SlotWords, ring_page_at};
use ringtrace_wire::assembly::{Ring, Run};
use ringtrace_wire::ring;
use ringtrace_wire::simpletrace::MAX_RECORD_BYTES;

use super::ArenaFile;

/// How much is read at once.
const STEP_BYTES: usize = 1 << 18;

/// What a slot held when it was copied.
#[derive(Debug)]
pub(super) struct RingCopy {
    /// The slot.
    pub(super) slot: usize,
    /// Its words.
    pub(super) words: SlotWords,
    /// Whole records, oldest first, and whose they are.
    runs: Vec<(u32, Vec<u8>)>,
    /// How many records the slot had up to the last of these, if it is a flight recorder's.
    pub(super) issued: u64,
    /// Bytes that are no record, though they should be.
    pub(super) damaged_bytes: usize,
}

impl RingCopy {
    /// Copies slot `slot` of `segment`; `None` when nobody ever had it.
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

    /// Leaves out what is in the file by `position`, the number of bytes that the ring ever had up to there.
    pub(super) fn leave_out(&mut self, position: u64) {
        let Some((_, run)) = self.runs.first_mut() else { return };
        // It never lies before what may be used again, but in files that lie.
        let done = position.saturating_sub(self.words.consumed);
        run.drain(..usize::try_from(done).map_or(run.len(), |done| done.min(run.len())));
    }

    /// Its records, to be assembled.
    pub(super) fn ring(&self) -> Ring<'_> {
        Ring { runs: self.runs.iter().map(|(tid, bytes)| Run { tid: *tid, bytes }).collect() }
    }

    fn copy_pages(&mut self, segment: &ArenaFile) -> io::Result<()> {
        let header = segment.header();
        let pages = (0..RING_PAGES).filter_map(|index| self.words.ring_page(header, index));
        let mut pages: Vec<_> = pages.collect();
        pages.sort_unstable_by_key(|(words, _)| words.number);
        for (words, length) in pages {
            let place = ring_page_at(words.number, header.ring_page_bytes() as usize);
            let run = self.copy_run(segment, place, length)?;
            // A process that lives may have come to the page meanwhile.
            let index = (words.number % RING_PAGES as u64) as usize;
            let now = if segment.is_alive() { segment.slot(self.slot)? } else { self.words.clone() };
            if now.ring_page(header, index).is_none_or(|(now, _)| now.number != words.number) {
                // What is older would have a gap behind it.
                self.runs.clear();
            } else {
                let ring = Ring { runs: vec![Run { tid: words.tid, bytes: &run }] };
                self.issued = words.before.saturating_add(ring.records().count() as u64);
                self.runs.push((words.tid, run));
            }
        }
        Ok(())
    }

    /// Copies records as far as they are some: a file that only says that it is full of them takes no memory.
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
