//! The open spans of [`RingSubscriber`](crate::RingSubscriber).
//!
//! A span has an entry in a table. Its `Id` contains the entry's index and how often the entry was
//! used, so an old id never refers to a new span. Free entries are in lists under locks. There are
//! several lists, so threads rarely wait for each other.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use tracing_core::span::Id;

use crate::places::{self, Place};

/// An entry for a span.
#[derive(Debug, Default)]
struct Entry {
    /// The upper half counts how often the entry was used. The lower half is the number of handles
    /// of the span, or 0 if it is closed.
    state: AtomicU64,
    /// The number of the place, plus 1.
    place: AtomicU32,
    /// The span's number in the trace.
    number: AtomicU64,
    /// The id of the parent, which this span keeps open; 0 without a parent.
    parent: AtomicU64,
}

/// An open span.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenSpan {
    pub(crate) place: &'static Place,
    pub(crate) number: u64,
}

const LISTS: usize = 16;

/// The table, and the entries that are free.
#[derive(Debug)]
pub(crate) struct Spans {
    /// Block n has 2^n times as many entries as the first.
    blocks: [OnceLock<Box<[Entry]>>; 20],
    free: [Mutex<Vec<u32>>; LISTS],
    /// The number of entries that were ever used.
    used: AtomicU32,
    /// The number of the last span.
    last: AtomicU64,
}

const FIRST_BLOCK: u64 = 256;

thread_local! {
    /// The list that this thread uses, plus 1; 0 before its first span.
    static LIST: Cell<usize> = const { Cell::new(0) };
}

fn list() -> usize {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    if LIST.get() == 0 {
        LIST.set(1 + NEXT.fetch_add(1, Ordering::Relaxed) as usize % LISTS);
    }
    LIST.get() - 1
}

fn locate(index: u32) -> (usize, usize) {
    let from = u64::from(index) + FIRST_BLOCK;
    let block = from.ilog2() - FIRST_BLOCK.ilog2();
    (block as usize, (from - (FIRST_BLOCK << block)) as usize)
}

impl Spans {
    pub(crate) const fn new() -> Spans {
        Spans {
            blocks: [const { OnceLock::new() }; 20],
            free: [const { Mutex::new(Vec::new()) }; LISTS],
            used: AtomicU32::new(0),
            last: AtomicU64::new(0),
        }
    }

    fn entry(&self, index: u32) -> Option<&Entry> {
        let (block, at) = locate(index);
        self.blocks.get(block)?.get()?.get(at)
    }

    /// Returns the entry of an open span.
    fn of(&self, id: &Id) -> Option<&Entry> {
        let id = id.into_u64();
        let entry = self.entry((id as u32).checked_sub(1)?)?;
        let state = entry.state.load(Ordering::Acquire);
        (state >> 32 == id >> 32 && state as u32 != 0).then_some(entry)
    }

    /// Returns an open span.
    #[inline]
    pub(crate) fn get(&self, id: &Id) -> Option<OpenSpan> {
        let entry = self.of(id)?;
        let place = places::by_index(entry.place.load(Ordering::Relaxed).checked_sub(1)?)?;
        Some(OpenSpan { place, number: entry.number.load(Ordering::Relaxed) })
    }

    /// Opens a span, and returns its id and number. The span takes ownership of one handle to
    /// `parent`.
    pub(crate) fn open(&self, place: &'static Place, parent: Option<&Id>) -> (Id, u64) {
        let index = self.take_free();
        let (block, at) = locate(index);
        // 28 bits are enough for all spans that fit into a machine's memory. If there are more
        // spans, some share an entry, which makes their ids wrong but has no other effect.
        let block = block.min(self.blocks.len() - 1);
        let entries =
            self.blocks[block].get_or_init(|| (0..FIRST_BLOCK << block).map(|_| Entry::default()).collect());
        let entry = &entries[at % entries.len()];
        let number = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        entry.place.store(place.index + 1, Ordering::Relaxed);
        entry.number.store(number, Ordering::Relaxed);
        entry.parent.store(parent.map_or(0, Id::into_u64), Ordering::Relaxed);
        let uses = (entry.state.load(Ordering::Relaxed) >> 32) + 1;
        // Release: a thread that receives the id without a lock also sees the entry.
        entry.state.store(uses << 32 | 1, Ordering::Release);
        (Id::from_u64(uses << 32 | u64::from(index + 1)), number)
    }

    fn take_free(&self) -> u32 {
        let own = list();
        let free = self.free[own].lock().unwrap_or_else(PoisonError::into_inner).pop();
        free.unwrap_or_else(|| self.used.fetch_add(1, Ordering::Relaxed))
    }

    /// Adds a handle of a span.
    pub(crate) fn keep(&self, id: &Id) {
        if let Some(entry) = self.of(id) {
            entry.state.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Removes a handle of a span. If it was the last one, closes the span, and returns the span
    /// and its parent. The caller must then release the span's handle of the parent.
    pub(crate) fn release(&self, id: &Id) -> Option<(OpenSpan, Option<Id>)> {
        let (entry, span) = (self.of(id)?, self.get(id)?);
        // Release and acquire: the thread that closes the span sees the work of the others.
        let before = entry.state.fetch_sub(1, Ordering::AcqRel);
        if before as u32 != 1 {
            return None;
        }
        let parent = entry.parent.load(Ordering::Relaxed);
        let index = id.into_u64() as u32 - 1;
        self.free[list()].lock().unwrap_or_else(PoisonError::into_inner).push(index);
        Some((span, (parent != 0).then(|| Id::from_u64(parent))))
    }
}
