//! Model version of a slot. It uses loom's cells, which detect a read that races with a write.

use std::ptr;

use loom::cell::UnsafeCell;
use ringtrace_wire::arena as layout;

use crate::os::sync::{AtomicU32, AtomicU64};

/// The number of pages. It is smaller than in production, so that the ring wraps around early.
pub(crate) const RING_PAGES: usize = 4;

pub(crate) fn ring_page_at(number: u64, page_bytes: usize) -> usize {
    layout::ring_page_at(number % RING_PAGES as u64, page_bytes)
}

pub(crate) fn readable_page_bytes(number: u64, bytes: u64, published: u64, page_bytes: usize) -> usize {
    // Map the number to a number with the same position in a ring of the production size.
    let number = if number == 0 { 0 } else { layout::RING_PAGES as u64 + number % RING_PAGES as u64 };
    layout::readable_page_bytes(number, bytes, published, page_bytes)
}

pub(crate) const NOBODY: u32 = 0;
pub(crate) const READER: u32 = 1;
pub(crate) const ENTERED: u32 = 2;

pub(crate) const FREE: u32 = 0;
pub(crate) const USED: u32 = 1;
pub(crate) const LEFT: u32 = 2;

/// The ring's address for its thread.
const BASE: usize = 1 << 20;

#[derive(Debug)]
struct Memory {
    words: [AtomicU64; 6],
    half_words: [AtomicU32; 5],
    pages: Vec<([AtomicU64; 4], [AtomicU32; 2])>,
    ring: Vec<UnsafeCell<u64>>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot(&'static Memory);

#[derive(Debug, Clone, Copy)]
pub(crate) struct RingPage {
    pub(crate) number: &'static AtomicU64,
    pub(crate) bytes: &'static AtomicU64,
    pub(crate) records: &'static AtomicU64,
    pub(crate) claim: &'static AtomicU32,
    pub(crate) tid: &'static AtomicU32,
    pub(crate) before: &'static AtomicU64,
}

macro_rules! words {
    ($field:ident: $kind:ty: $($name:ident $at:literal),*) => {
        $(pub(crate) fn $name(&self) -> &'static $kind {
            &self.0.$field[$at]
        })*
    };
}

impl Slot {
    words!(words: AtomicU64: published 0, dropped 1, overwritten 2, consumed 3, base 4, refused 5);
    words!(half_words: AtomicU32: room 0, waiting 1, state 2, tid 3, owner_number 4);

    pub(crate) fn new(ring_bytes: usize, pages: usize) -> Slot {
        let memory = Memory {
            words: std::array::from_fn(|_| AtomicU64::new(0)),
            half_words: std::array::from_fn(|_| AtomicU32::new(0)),
            pages: (0..pages)
                .map(|_| {
                    (std::array::from_fn(|_| AtomicU64::new(0)), std::array::from_fn(|_| AtomicU32::new(0)))
                })
                .collect(),
            ring: (0..ring_bytes / 8).map(|_| UnsafeCell::new(0)).collect(),
        };
        Slot(Box::leak(Box::new(memory)))
    }

    /// # Safety
    /// The slot must no longer be used.
    pub(crate) unsafe fn free(self) {
        // SAFETY: the pointer is from a box, and the caller guarantees that the slot is unused.
        drop(unsafe { Box::from_raw(ptr::from_ref(self.0).cast_mut()) });
    }

    pub(crate) unsafe fn from_raw(page: *mut u8, _ring: *mut u8, _ring_bytes: u32) -> Slot {
        // SAFETY: `page` came from `Slot::page`.
        Slot(unsafe { &*page.cast() })
    }

    pub(crate) fn page(&self) -> *mut u8 {
        ptr::from_ref(self.0).cast_mut().cast()
    }

    pub(crate) fn ring(&self) -> *mut u8 {
        ptr::without_provenance_mut(BASE)
    }

    pub(crate) fn ring_bytes(&self) -> u32 {
        8 * self.0.ring.len() as u32
    }

    pub(crate) fn ring_page(&self, number: u64) -> RingPage {
        let (words, half_words) = &self.0.pages[number as usize % RING_PAGES];
        let [number, bytes, records, before] = words;
        let [claim, tid] = half_words;
        RingPage { number, bytes, records, claim, tid, before }
    }

    /// The models do not cover the allocation of memory.
    pub(crate) fn allocate(&self, _offset: u64, _bytes: u64) -> bool {
        true
    }

    pub(crate) fn keep_before(&self, _records: u64) {}

    /// Writes words as the thread does. Positions wrap around, as in a ring that is mapped twice.
    pub(crate) unsafe fn put<const N: usize>(&self, place: u64, words: [u64; N]) {
        for (at, word) in words.into_iter().enumerate() {
            let cell = &self.0.ring[(place as usize / 8 + at) % self.0.ring.len()];
            // SAFETY: loom checks that no other thread accesses the cell at the same time.
            cell.with_mut(|place| unsafe { *place = word });
        }
    }

    /// Copies bytes. Production code reads them at any time until it releases the space. This
    /// function reads them all at once.
    pub(crate) unsafe fn bytes(&self, position: u64, length: usize) -> &'static [u8] {
        let first = position as usize / 8;
        let words = (first..first + length / 8).map(|at| {
            let cell = &self.0.ring[at % self.0.ring.len()];
            // SAFETY: loom checks that no other thread writes to the cell at the same time.
            cell.with(|place| unsafe { *place })
        });
        words.flat_map(u64::to_ne_bytes).collect::<Vec<u8>>().leak()
    }
}

pub(crate) unsafe fn published(page: *mut u8) -> &'static AtomicU64 {
    // SAFETY: `page` came from `Slot::page`.
    unsafe { Slot::from_raw(page, ptr::null_mut(), 0) }.published()
}
