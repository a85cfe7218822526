//! The reading side of a flight recorder's rings: pages, claimed one after another, copied and given back.
//!
//! The writing side is in `slow.rs`. A page belongs to one side at a time: a reader claims it, and the thread goes around
//! claimed pages. Only the page that is being written is shared: what is published of it does not change, for the thread cannot
//! come to it a second time while it is claimed.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use ringtrace_wire::arena::{RING_PAGES, page_records, records_between};
use ringtrace_wire::assembly::Ring;

use crate::arena::Slot;

/// What a page held when it was copied.
#[derive(Debug)]
struct PageCopy {
    begin: u64,
    end: u64,
    bytes: Vec<u8>,
}

/// What a ring held, oldest page first.
#[derive(Debug)]
pub(crate) struct RingCopy {
    tid: u32,
    pages: Vec<PageCopy>,
}

/// Whether pages are given back after they were copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    /// The thread goes on.
    GiveBack,
    /// What is copied is the end: the thread overwrites nothing more, so that counts stay as they are.
    Keep,
}

/// Nobody has the page.
const NOBODY: u64 = 0;
/// A reader has it. (2: its thread is about to overwrite it.)
const READER: u64 = 1;

impl RingCopy {
    /// Copies what the slot holds: threads may go on recording into it meanwhile.
    pub(crate) fn of(slot: &Slot, then: Then) -> RingCopy {
        let mut order: Vec<(u32, usize)> = (0..RING_PAGES)
            .map(|page| {
                let [begin, ..] = slot.ring_page(page);
                (slot.published().load(Ordering::Relaxed).wrapping_sub(begin.load(Ordering::Relaxed)) as u32, page)
            })
            .collect();
        // The oldest first, as it is the next to go; what is written while others are copied comes last.
        order.sort_unstable_by_key(|&(age, page)| (std::cmp::Reverse(age), page));
        if then == Then::Keep {
            order.retain(|&(_, page)| claim(slot, page));
        }
        let mut pages: Vec<PageCopy> = Vec::new();
        for (_, page) in order {
            if then == Then::Keep {
                pages.extend(copy(slot, page));
            } else if claim(slot, page) {
                pages.extend(copy(slot, page));
                let [_, _, claim] = slot.ring_page(page);
                // Release: the bytes were read before the thread may write them again.
                claim.store(NOBODY, Ordering::Release);
            }
        }
        // A page that was entered since is newer than its turn said.
        let newest = pages.iter().map(|page| page.end).reduce(|a, b| if is_after(b, a) { b } else { a });
        if let Some(newest) = newest {
            pages.sort_by_key(|page| std::cmp::Reverse(newest.wrapping_sub(page.end)));
        }
        RingCopy { tid: slot.tid().load(Ordering::Relaxed), pages }
    }

    /// Its records, to be assembled.
    pub(crate) fn ring(&self) -> Ring<'_> {
        Ring { tid: self.tid, runs: self.pages.iter().map(|page| page.bytes.as_slice()).collect() }
    }

    /// Up to where records were copied; `None` when there are none.
    pub(crate) fn end(&self) -> Option<u64> {
        self.pages.last().map(|page| page.end)
    }

    /// How many records of each thread there are.
    pub(crate) fn count(&self, records: &mut HashMap<u32, u64>) {
        for found in self.ring().records() {
            *records.entry(found.tid).or_default() += 1;
        }
    }
}

/// Positions go round: the one that is less than half a round ahead is after.
fn is_after(a: u64, b: u64) -> bool {
    a.wrapping_sub(b).cast_signed() > 0
}

/// Claims a page. `false`: its thread is just about to overwrite it, and stands still there.
fn claim(slot: &Slot, page: usize) -> bool {
    let [_, _, claim] = slot.ring_page(page);
    for attempt in 0..1000 {
        // Acquire: what the thread wrote to the page's words when it entered it.
        match claim.compare_exchange(NOBODY, READER, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => return true,
            Err(_) if attempt < 100 => std::hint::spin_loop(),
            Err(_) => std::thread::yield_now(),
        }
    }
    false
}

/// Copies a page that is claimed.
fn copy(slot: &Slot, page: usize) -> Option<PageCopy> {
    let [begin, end, _] = slot.ring_page(page);
    let begin = begin.load(Ordering::Relaxed);
    // Acquire: the records up to there are whole.
    let published = slot.published().load(Ordering::Acquire);
    // Behind `published`: if the thread has left the page meanwhile, this tells where it ended.
    let end = end.load(Ordering::Acquire);
    let page_bytes = slot.ring_bytes() / RING_PAGES as u32;
    let (begin, end) = page_records(page, begin, end, published, page_bytes)?;
    // SAFETY: published, and the page is claimed: its thread writes behind `end` only.
    let bytes = unsafe { slot.bytes(begin, end) }.to_vec();
    Some(PageCopy { begin, end, bytes })
}

/// Records published between two looks at a slot, at most 2^32.
pub(crate) fn published_between(from: u64, to: u64) -> u64 {
    u64::from(records_between(from, to))
}
