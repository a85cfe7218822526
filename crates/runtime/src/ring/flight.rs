//! The reading side of a flight recorder's rings, which claims, copies and releases pages.
//!
//! The writing side is in `overflow.rs`. A page belongs to one side at a time: a reader claims it,
//! and the thread skips claimed pages. Only the page that is being written is shared. Its published
//! part does not change, because the thread cannot come back to the page while it is claimed.

#![expect(unsafe_code, reason = "pages that were claimed are read as slices")]

use std::borrow::Cow;
use std::collections::HashMap;

use ringtrace_wire::assembly::{Ring, Run};
use ringtrace_wire::ring;

use super::slot::{NOBODY, READER, RING_PAGES, Slot, readable_page_bytes, ring_page_at};
use crate::os::sync::{self, Ordering, SPINS};
use crate::os::wait;

/// The contents of a page when it was read.
#[derive(Debug)]
struct Page {
    number: u64,
    tid: u32,
    /// The number of records written to the slot before this page.
    before: u64,
    records: Cow<'static, [u8]>,
}

#[derive(Debug)]
pub(crate) struct Pages {
    pages: Vec<Page>,
}

/// How to treat pages after they are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AfterRead {
    Release,
    /// Keep pages claimed, at session end: nothing is overwritten, so records and counts do not
    /// change.
    Keep,
}

impl Pages {
    /// Reads the slot's pages. Its thread may record at the same time.
    pub(crate) fn of(slot: &Slot, after: AfterRead) -> Pages {
        let mut pages = match after {
            AfterRead::Keep => {
                let claimed = (0..RING_PAGES as u64).filter(|&at| claim(slot, at)).collect::<Vec<_>>();
                claimed.into_iter().filter_map(|at| read_page(slot, at)).collect()
            }
            AfterRead::Release => copy(slot),
        };
        pages.sort_unstable_by_key(|page: &Page| page.number);
        // An overwritten page leaves a gap. Drop everything older than the gap.
        let gap = pages.windows(2).rposition(|pair| pair[0].issued() != pair[1].before);
        pages.drain(..gap.map_or(0, |gap| gap + 1));
        Pages { pages }
    }

    pub(crate) fn ring(&self) -> Ring<'_> {
        Ring { runs: self.pages.iter().map(Page::run).collect() }
    }

    /// The number of records written to the slot up to the last of these pages; 0 without pages.
    pub(crate) fn issued(&self) -> u64 {
        self.pages.last().map_or(0, Page::issued)
    }

    /// Returns whether the newest page, as read from the slot, contains a record at this offset in
    /// the ring.
    pub(crate) fn contain(&self, slot: &Slot, offset: u64) -> bool {
        let page_bytes = slot.ring_bytes() as usize / RING_PAGES;
        self.pages.last().is_some_and(|page| {
            let start = ring_page_at(page.number, page_bytes) as u64;
            (start..start + page.records.len() as u64).contains(&offset)
        })
    }

    pub(crate) fn count(&self, records: &mut HashMap<u32, u64>) {
        for found in self.ring().records() {
            *records.entry(found.tid).or_default() += 1;
        }
    }
}

impl Page {
    /// The number of records written to the slot up to the end of this page.
    fn issued(&self) -> u64 {
        self.before + ring::count(&self.records)
    }

    fn run(&self) -> Run<'_> {
        Run { tid: self.tid, bytes: &self.records }
    }
}

/// The number of records ever written to a slot. No thread may be writing to it.
pub(crate) fn issued(slot: &Slot) -> u64 {
    let pages = (0..RING_PAGES as u64).filter_map(|at| read_page(slot, at));
    pages.max_by_key(|page| page.number).map_or(0, |newest| newest.issued())
}

/// The number of records written to a slot so far. Its thread may be recording meanwhile. If the
/// newest page cannot be claimed at once, its records are not counted.
pub(crate) fn issued_so_far(slot: &Slot) -> u64 {
    let newest = newest(slot);
    if newest == 0 {
        return 0;
    }
    let page = slot.ring_page(newest);
    let before = page.before.load(Ordering::Relaxed);
    // Acquire: this thread sees what the owner wrote to the page's words when it entered the page.
    if page.claim.compare_exchange(NOBODY, READER, Ordering::Acquire, Ordering::Relaxed).is_err() {
        return before;
    }
    let issued = read_page(slot, newest).map_or(before, |page| page.issued());
    // Release: the page was read before its thread may write it again.
    page.claim.store(NOBODY, Ordering::Release);
    issued
}

/// The number of the page that a slot's thread is writing; 0 if it has written nothing.
fn newest(slot: &Slot) -> u64 {
    let numbers = (0..RING_PAGES as u64).map(|at| slot.ring_page(at).number.load(Ordering::Relaxed));
    numbers.max().unwrap_or(0)
}

/// The number of bytes of a slot's ring that hold records.
pub(crate) fn held_bytes(slot: &Slot) -> u64 {
    let newest = newest(slot);
    if newest >= RING_PAGES as u64 {
        return slot.ring_bytes().into();
    }
    newest * (u64::from(slot.ring_bytes()) / RING_PAGES as u64)
}

fn copy(slot: &Slot) -> Vec<Page> {
    let mut copies: [Option<Page>; RING_PAGES] = [const { None }; RING_PAGES];
    for _ in 0..ROUNDS {
        let number = |at: usize| slot.ring_page(at as u64).number.load(Ordering::Relaxed);
        let numbered = copies.iter().enumerate().map(|(at, copy)| (number(at), copy));
        // Copy a page again if it was overwritten since; otherwise the newest records would be
        // missing.
        let is_new = |(number, copy): &(u64, &Option<Page>)| {
            // If a page was copied while its thread was writing it, the page may have grown since.
            let grown = |copy: &Page| {
                (copy.records.len() as u64) < slot.ring_page(*number).bytes.load(Ordering::Acquire)
            };
            *number != 0 && copy.as_ref().is_none_or(|copy| copy.number != *number || grown(copy))
        };
        let mut wanted: Vec<u64> = numbered.filter(is_new).map(|(number, _)| number).collect();
        if wanted.is_empty() {
            break;
        }
        // Copy the oldest page first, because it is overwritten next.
        wanted.sort_unstable();
        for number in wanted {
            if !claim(slot, number) {
                continue;
            }
            let page = read_page(slot, number);
            let page = page.map(|page| Page { records: page.records.into_owned().into(), ..page });
            copies[(number % RING_PAGES as u64) as usize] = page;
            // Release: the bytes were read before the thread may overwrite them.
            slot.ring_page(number).claim.store(NOBODY, Ordering::Release);
        }
    }
    copies.into_iter().flatten().collect()
}

/// The number of passes that look for pages overwritten during copying. The number is limited
/// because a fast thread may overwrite some in every pass.
const ROUNDS: usize = 4;

/// Claims a page. Returns `false` if its thread has entered it and makes no progress.
fn claim(slot: &Slot, number: u64) -> bool {
    let claim = slot.ring_page(number).claim;
    for attempt in 0..SPINS {
        // Acquire: this thread sees what the owner wrote to the page's words when it entered the
        // page.
        match claim.compare_exchange(NOBODY, READER, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => return true,
            Err(_) if attempt < SPINS / 2 => sync::spin_loop(),
            // The thread needs only a handful of instructions, but it is waiting for a processor.
            Err(_) => wait::sleep_briefly(),
        }
    }
    false
}

/// Reads a page. Either the page must be claimed, or no thread may own the slot.
fn read_page(slot: &Slot, number: u64) -> Option<Page> {
    let words = slot.ring_page(number);
    let number = words.number.load(Ordering::Relaxed);
    let (tid, before) = (words.tid.load(Ordering::Relaxed), words.before.load(Ordering::Relaxed));
    // Acquire: the records up to this position are complete.
    let published = slot.published().load(Ordering::Acquire);
    // Load this after `published`: if the thread has left the page meanwhile, this is the final
    // size.
    let bytes = words.bytes.load(Ordering::Acquire);
    let page_bytes = slot.ring_bytes() as usize / RING_PAGES;
    let published = published.wrapping_sub(slot.ring().addr() as u64);
    let length = readable_page_bytes(number, bytes, published, page_bytes);
    // SAFETY: these bytes are published, and the thread writes only past them.
    let records = unsafe { slot.bytes(ring_page_at(number, page_bytes) as u64, length) };
    (length > 0).then_some(Page { number, tid, before, records: records.into() })
}
