//! The reading side of a flight recorder's rings: pages, claimed one after another, copied and given back.
//!
//! The writing side is in `overflow.rs`. A page belongs to one side at a time: a reader claims it, and the thread goes around
//! claimed pages. Only the page that is being written is shared: what is published of it does not change, for the
//! thread cannot come to it a second time while it is claimed.

#![expect(unsafe_code, reason = "pages that were claimed are read as slices")]

use std::borrow::Cow;
use std::collections::HashMap;

use ringtrace_wire::assembly::{Ring, Run};
use ringtrace_wire::ring;

use super::slot::{NOBODY, READER, RING_PAGES, Slot, readable_page_bytes, ring_page_at};
use crate::os::sync::{self, Ordering, SPINS};
use crate::os::wait;

/// What a page held when it was looked at.
#[derive(Debug)]
struct Page {
    number: u64,
    /// The thread that wrote it.
    tid: u32,
    /// How many records the slot had before it.
    before: u64,
    records: Cow<'static, [u8]>,
}

/// What a ring held, oldest page first.
#[derive(Debug)]
pub(crate) struct Pages {
    pages: Vec<Page>,
}

/// What becomes of pages after they were looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AfterRead {
    /// They are copied, and the thread goes on.
    Release,
    /// It is the end: nothing more is overwritten, so that neither records nor counts change.
    Keep,
}

impl Pages {
    /// What the slot holds. Its thread may go on recording meanwhile.
    pub(crate) fn of(slot: &Slot, after: AfterRead) -> Pages {
        let mut pages = match after {
            AfterRead::Keep => {
                let claimed = (0..RING_PAGES as u64).filter(|&at| claim(slot, at)).collect::<Vec<_>>();
                claimed.into_iter().filter_map(|at| read_page(slot, at)).collect()
            }
            AfterRead::Release => copy(slot),
        };
        pages.sort_unstable_by_key(|page: &Page| page.number);
        // Where one was overwritten before it was its turn, what is older would have a gap behind it.
        let gap = pages.windows(2).rposition(|pair| pair[0].issued() != pair[1].before);
        pages.drain(..gap.map_or(0, |gap| gap + 1));
        Pages { pages }
    }

    /// The records, to be assembled.
    pub(crate) fn ring(&self) -> Ring<'_> {
        Ring { runs: self.pages.iter().map(Page::run).collect() }
    }

    /// How many records the slot had up to the last one of these; 0 when there is none.
    pub(crate) fn issued(&self) -> u64 {
        self.pages.last().map_or(0, Page::issued)
    }

    /// Adds to `records` how many there are of each thread.
    pub(crate) fn count(&self, records: &mut HashMap<u32, u64>) {
        for found in self.ring().records() {
            *records.entry(found.tid).or_default() += 1;
        }
    }
}

impl Page {
    /// How many records the slot had with those of the page.
    fn issued(&self) -> u64 {
        self.before + ring::count(&self.records)
    }

    fn run(&self) -> Run<'_> {
        Run { tid: self.tid, bytes: &self.records }
    }
}

/// How many records a slot has had that no thread writes to.
pub(crate) fn issued(slot: &Slot) -> u64 {
    let pages = (0..RING_PAGES as u64).filter_map(|at| read_page(slot, at));
    pages.max_by_key(|page| page.number).map_or(0, |newest| newest.issued())
}

/// How many records a slot has had by now. Its thread goes on; where its newest page cannot be had at once, those in it are left out.
pub(crate) fn issued_so_far(slot: &Slot) -> u64 {
    let newest = newest(slot);
    if newest == 0 {
        return 0;
    }
    let page = slot.ring_page(newest);
    let before = page.before.load(Ordering::Relaxed);
    // Acquire: what the thread wrote to the page's words when it entered it.
    if page.claim.compare_exchange(NOBODY, READER, Ordering::Acquire, Ordering::Relaxed).is_err() {
        return before;
    }
    let issued = read_page(slot, newest).map_or(before, |page| page.issued());
    // Release: it was read before the thread may write it again.
    page.claim.store(NOBODY, Ordering::Release);
    issued
}

/// The number of the page that a slot's thread writes; 0: it has written nothing.
fn newest(slot: &Slot) -> u64 {
    let numbers = (0..RING_PAGES as u64).map(|at| slot.ring_page(at).number.load(Ordering::Relaxed));
    numbers.max().unwrap_or(0)
}

/// How much of a slot's ring holds something.
pub(crate) fn held_bytes(slot: &Slot) -> u64 {
    let newest = newest(slot);
    if newest >= RING_PAGES as u64 {
        return slot.ring_bytes().into();
    }
    newest * (u64::from(slot.ring_bytes()) / RING_PAGES as u64)
}

/// Copies of a slot's pages.
fn copy(slot: &Slot) -> Vec<Page> {
    let mut copies: [Option<Page>; RING_PAGES] = [const { None }; RING_PAGES];
    for _ in 0..ROUNDS {
        let number = |at: usize| slot.ring_page(at as u64).number.load(Ordering::Relaxed);
        let numbered = copies.iter().enumerate().map(|(at, copy)| (number(at), copy));
        // What was overwritten since it was copied is copied again: else the newest would be missing.
        let is_new = |(number, copy): &(u64, &Option<Page>)| {
            // One that was being written has got more until it was left.
            let grown = |copy: &Page| {
                (copy.records.len() as u64) < slot.ring_page(*number).bytes.load(Ordering::Acquire)
            };
            *number != 0 && copy.as_ref().is_none_or(|copy| copy.number != *number || grown(copy))
        };
        let mut wanted: Vec<u64> = numbered.filter(is_new).map(|(number, _)| number).collect();
        if wanted.is_empty() {
            break;
        }
        // The oldest first, for it is the next to go.
        wanted.sort_unstable();
        for number in wanted {
            if !claim(slot, number) {
                continue;
            }
            let page = read_page(slot, number);
            let page = page.map(|page| Page { records: page.records.into_owned().into(), ..page });
            copies[(number % RING_PAGES as u64) as usize] = page;
            // Release: the bytes were read before the thread may write them again.
            slot.ring_page(number).claim.store(NOBODY, Ordering::Release);
        }
    }
    copies.into_iter().flatten().collect()
}

/// How often it is looked for pages that were overwritten while others were copied: a thread may be so fast that there are always
/// some.
const ROUNDS: usize = 4;

/// Claims a page. `false`: its thread is just about to write it, and does not come on.
fn claim(slot: &Slot, number: u64) -> bool {
    let claim = slot.ring_page(number).claim;
    for attempt in 0..SPINS {
        // Acquire: what the thread wrote to the page's words when it entered it.
        match claim.compare_exchange(NOBODY, READER, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => return true,
            Err(_) if attempt < SPINS / 2 => sync::spin_loop(),
            // It is a handful of instructions, of a thread that waits for a processor.
            Err(_) => wait::sleep_briefly(),
        }
    }
    false
}

/// What stands in a page. It is claimed, or no thread has the slot.
fn read_page(slot: &Slot, number: u64) -> Option<Page> {
    let words = slot.ring_page(number);
    let number = words.number.load(Ordering::Relaxed);
    let (tid, before) = (words.tid.load(Ordering::Relaxed), words.before.load(Ordering::Relaxed));
    // Acquire: the records up to there are whole.
    let published = slot.published().load(Ordering::Acquire);
    // Behind `published`: if the thread has left the page meanwhile, this tells what it left.
    let bytes = words.bytes.load(Ordering::Acquire);
    let page_bytes = slot.ring_bytes() as usize / RING_PAGES;
    let published = published.wrapping_sub(slot.ring().addr() as u64);
    let length = readable_page_bytes(number, bytes, published, page_bytes);
    // SAFETY: they are published, and the thread writes behind them only.
    let records = unsafe { slot.bytes(ring_page_at(number, page_bytes) as u64, length) };
    (length > 0).then_some(Page { number, tid, before, records: records.into() })
}
