//! The reading side of a flight recorder's rings: pages, claimed one after another, copied and given back.
//!
//! The writing side is in `slow.rs`. A page belongs to one side at a time: a reader claims it, and the thread goes around
//! claimed pages. Only the page that is being written is shared: what is published of it does not change, for the
//! thread cannot come to it a second time while it is claimed.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

use ringtrace_wire::arena::{RING_PAGES, page_records, records_between};
use ringtrace_wire::assembly::Ring;

use crate::arena::{NOBODY, READER, Slot};

/// What a page held when it was copied.
#[derive(Debug)]
struct PageCopy {
    begin: u64,
    end: u64,
    /// How many records the slot had before it.
    before: u64,
    bytes: Vec<u8>,
}

impl PageCopy {
    /// How many records the slot had with it.
    fn issued(&self) -> u64 {
        self.before + u64::from(records_between(self.begin, self.end))
    }
}

/// What a ring held, oldest page first.
#[derive(Debug)]
pub(crate) struct RingCopy {
    tid: u32,
    pages: Vec<PageCopy>,
}

/// What becomes of pages after they were copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    /// The thread goes on.
    GiveBack,
    /// The copy is the end: nothing more is overwritten, so that counts stay as they are.
    Keep,
}

impl RingCopy {
    /// Copies what the slot holds. Its thread may go on recording meanwhile.
    pub(crate) fn of(slot: &Slot, then: Then) -> RingCopy {
        let mut order: Vec<usize> = (0..RING_PAGES).collect();
        // The oldest first, for it is the next to go.
        order.sort_by_key(|&page| slot.ring_page(page).before.load(Ordering::Relaxed));
        if then == Then::Keep {
            order.retain(|&page| claim(slot, page));
        }
        let mut pages: Vec<PageCopy> = Vec::new();
        for page in order {
            match then {
                Then::Keep => pages.extend(copy(slot, page)),
                Then::GiveBack if claim(slot, page) => {
                    pages.extend(copy(slot, page));
                    // Release: the bytes were read before the thread may write them again.
                    slot.ring_page(page).claim.store(NOBODY, Ordering::Release);
                }
                Then::GiveBack => {}
            }
        }
        // One that was entered meanwhile is newer than its turn said.
        pages.sort_by_key(|page| page.before);
        RingCopy { tid: slot.tid().load(Ordering::Relaxed), pages }
    }

    /// Its records, to be assembled.
    pub(crate) fn ring(&self) -> Ring<'_> {
        Ring { tid: self.tid, runs: self.pages.iter().map(|page| page.bytes.as_slice()).collect() }
    }

    /// How many records the slot had up to the last one that was copied; 0 when there is none.
    pub(crate) fn issued(&self) -> u64 {
        self.pages.last().map_or(0, PageCopy::issued)
    }

    /// Adds to `records` how many there are of each thread.
    pub(crate) fn count(&self, records: &mut HashMap<u32, u64>) {
        for found in self.ring().records() {
            *records.entry(found.tid).or_default() += 1;
        }
    }
}

/// How many records a slot has had that no thread writes to.
pub(crate) fn issued(slot: &Slot) -> u64 {
    let pages = (0..RING_PAGES).filter_map(|page| {
        let (begin, end) = extent(slot, page)?;
        let before = slot.ring_page(page).before.load(Ordering::Relaxed);
        Some(before + u64::from(records_between(begin, end)))
    });
    pages.max().unwrap_or(0)
}

/// Claims a page. `false`: its thread is just about to overwrite it, and does not come on.
fn claim(slot: &Slot, page: usize) -> bool {
    let claim = slot.ring_page(page).claim;
    for attempt in 0..200 {
        // Acquire: what the thread wrote to the page's words when it entered it.
        match claim.compare_exchange(NOBODY, READER, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => return true,
            Err(_) if attempt < 100 => std::hint::spin_loop(),
            // It is a handful of instructions, of a thread that waits for a processor.
            Err(_) => std::thread::sleep(Duration::from_millis(1)),
        }
    }
    false
}

/// From where to where a page holds records. It is claimed, or its thread is gone.
fn extent(slot: &Slot, page: usize) -> Option<(u64, u64)> {
    let words = slot.ring_page(page);
    let begin = words.begin.load(Ordering::Relaxed);
    // Acquire: the records up to there are whole.
    let published = slot.published().load(Ordering::Acquire);
    // Behind `published`: if the thread has left the page meanwhile, this tells where it ended.
    let end = words.end.load(Ordering::Acquire);
    page_records(page, begin, end, published, slot.ring_bytes() / RING_PAGES as u32)
}

/// Copies a page that is claimed.
fn copy(slot: &Slot, page: usize) -> Option<PageCopy> {
    let (begin, end) = extent(slot, page)?;
    let before = slot.ring_page(page).before.load(Ordering::Relaxed);
    // SAFETY: published, and the page is claimed: its thread writes behind `end` only.
    let bytes = unsafe { slot.bytes(begin, end) }.to_vec();
    Some(PageCopy { begin, end, before, bytes })
}
