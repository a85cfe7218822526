//! A slot: a page of words and a ring, shared by a thread and the writer thread.

#![expect(unsafe_code, reason = "words and bytes of a mapped ring")]

use std::sync::atomic::{AtomicBool, AtomicU8};

use ringtrace_wire::arena::slot;
pub(crate) use ringtrace_wire::arena::{RING_PAGES, readable_page_bytes, ring_page_at};
use rustix::mm::{Advice, madvise};

use crate::os::sync::{AtomicU32, AtomicU64, Ordering};

/// Returns the word of a slot's page that holds the end position of the published records.
///
/// # Safety
/// `page` must be a slot's page.
#[inline(always)]
pub(crate) unsafe fn published(page: *mut u8) -> &'static AtomicU64 {
    // SAFETY: this is an aligned word of the page, which is never unmapped.
    unsafe { AtomicU64::from_ptr(page.add(slot::PUBLISHED).cast()) }
}

/// Set if the memory of rings is allocated with their arena, because the kernel cannot allocate it
/// later.
pub(crate) static IS_ALLOCATED: AtomicBool = AtomicBool::new(false);

#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    page: *mut u8,
    ring: *mut u8,
    ring_bytes: u32,
}

// SAFETY: the pointers point to mappings of an `Arena`, which is `Send` for the same reasons.
unsafe impl Send for Slot {}
// SAFETY: `Arena` is `Sync` for the same reasons.
unsafe impl Sync for Slot {}

impl Slot {
    /// Builds a slot from its page and its ring.
    ///
    /// # Safety
    /// Both pointers must be from [`Slot::page`] and [`Slot::ring`] of the same slot.
    #[inline(always)]
    pub(crate) unsafe fn from_raw(page: *mut u8, ring: *mut u8, ring_bytes: u32) -> Slot {
        Slot { page, ring, ring_bytes }
    }

    pub(crate) fn page(&self) -> *mut u8 {
        self.page
    }

    /// The slot's ring, mapped twice in a row.
    pub(crate) fn ring(&self) -> *mut u8 {
        self.ring
    }

    pub(crate) fn ring_bytes(&self) -> u32 {
        self.ring_bytes
    }

    /// Allocates a part of the ring's memory. Returns `false` if there is not enough memory.
    pub(crate) fn allocate(&self, offset: u64, bytes: u64) -> bool {
        debug_assert!(offset + bytes <= u64::from(self.ring_bytes));
        // SAFETY: the range is in the ring's mapping, which is never unmapped. This advice changes
        // no contents.
        IS_ALLOCATED.load(Ordering::Relaxed)
            || unsafe {
                let start = self.ring.add(offset as usize);
                madvise(start.cast(), bytes as usize, Advice::LinuxPopulateWrite).is_ok()
            }
    }

    #[inline(always)]
    fn word(&self, at: usize) -> &'static AtomicU64 {
        // SAFETY: `at` is an aligned offset in the slot's page, which is never unmapped.
        unsafe { AtomicU64::from_ptr(self.page.add(at).cast()) }
    }

    #[inline(always)]
    fn half_word(&self, at: usize) -> &'static AtomicU32 {
        // SAFETY: `at` is an aligned offset in the slot's page, which is never unmapped.
        unsafe { AtomicU32::from_ptr(self.page.add(at).cast()) }
    }

    /// The end position of the published records.
    #[inline(always)]
    pub(crate) fn published(&self) -> &'static AtomicU64 {
        self.word(slot::PUBLISHED)
    }

    /// The ring's address, for recovery from a crash image.
    pub(crate) fn base(&self) -> &'static AtomicU64 {
        self.word(slot::BASE)
    }

    pub(crate) fn dropped(&self) -> &'static AtomicU64 {
        self.word(slot::DROPPED)
    }

    pub(crate) fn overwritten(&self) -> &'static AtomicU64 {
        self.word(slot::OVERWRITTEN)
    }

    pub(crate) fn refused(&self) -> &'static AtomicU64 {
        self.word(slot::REFUSED)
    }

    pub(crate) fn cut(&self) -> &'static AtomicU64 {
        self.word(slot::CUT)
    }

    /// The position up to which the thread may reuse the ring.
    pub(crate) fn consumed(&self) -> &'static AtomicU64 {
        self.word(slot::CONSUMED)
    }

    /// The futex on which the thread waits for room. The value changes when room becomes available.
    pub(crate) fn room(&self) -> &'static AtomicU32 {
        self.half_word(slot::ROOM)
    }

    pub(crate) fn waiting(&self) -> &'static AtomicU32 {
        self.half_word(slot::WAITING)
    }

    pub(crate) fn state(&self) -> &'static AtomicU32 {
        self.half_word(slot::STATE)
    }

    pub(crate) fn tid(&self) -> &'static AtomicU32 {
        self.half_word(slot::TID)
    }

    /// The number of threads that have owned the slot.
    pub(crate) fn owner_number(&self) -> &'static AtomicU32 {
        self.half_word(slot::OWNER_NUMBER)
    }

    /// Returns the page of a flight recorder's ring that is used for page number `number`.
    pub(crate) fn ring_page(&self, number: u64) -> RingPage {
        let at = slot::PAGES + (number % RING_PAGES as u64) as usize * slot::PAGE_ENTRY_BYTES;
        RingPage {
            number: self.word(at + slot::PAGE_NUMBER),
            bytes: self.word(at + slot::PAGE_BYTES),
            records: self.word(at + slot::PAGE_RECORDS),
            claim: self.half_word(at + slot::PAGE_CLAIM),
            tid: self.half_word(at + slot::PAGE_TID),
            before: self.word(at + slot::PAGE_BEFORE),
        }
    }

    /// Saves the counts as they were when the current thread took the slot. For a flight recorder,
    /// `records` is the number of records written to the ring until then. Only the thread that just
    /// took the slot may call this.
    pub(crate) fn keep_before(&self, records: u64) {
        self.word(slot::BEFORE).store(records, Ordering::Relaxed);
        self.word(slot::DROPPED_BEFORE).store(self.dropped().load(Ordering::Relaxed), Ordering::Relaxed);
        self.word(slot::REFUSED_BEFORE).store(self.refused().load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// The value of [`Slot::dropped`] when the current thread took the slot.
    pub(crate) fn dropped_before(&self) -> u64 {
        self.word(slot::DROPPED_BEFORE).load(Ordering::Relaxed)
    }

    pub(crate) fn name(&self) -> Vec<u8> {
        let name = self.name_bytes().each_ref().map(|byte| byte.load(Ordering::Relaxed));
        slot::name_of(&name).to_vec()
    }

    /// Sets the thread's name. Only the thread that just took the slot may call this.
    pub(crate) fn set_name(&self, name: [u8; slot::NAME_BYTES]) {
        for (cell, byte) in self.name_bytes().iter().zip(name) {
            cell.store(byte, Ordering::Relaxed);
        }
    }

    /// The bytes are atomics, because a status request may read them while a new owner writes them.
    fn name_bytes(&self) -> &'static [AtomicU8; slot::NAME_BYTES] {
        // SAFETY: the name is inside the page, which is never unmapped, and only this function
        // accesses it.
        unsafe { &*self.page.add(slot::NAME).cast() }
    }

    /// Writes `words` at `offset` in the ring.
    ///
    /// # Safety
    /// The ring must have room for the words, and the caller must be the slot's thread.
    pub(crate) unsafe fn put<const N: usize>(&self, offset: u64, words: [u64; N]) {
        // SAFETY: the caller ensures that there is room; `offset` is a multiple of eight.
        unsafe { self.ring.add(offset as usize).cast::<[u64; N]>().write(words) };
    }

    /// Returns `length` bytes at `position`, which counts from the first byte ever written to the
    /// ring.
    ///
    /// # Safety
    /// [`readable_bytes`](super::consumer::readable_bytes) must have reported these bytes as
    /// readable, and they must not have been released since.
    pub(crate) unsafe fn bytes(&self, position: u64, length: usize) -> &'static [u8] {
        let start = (position & u64::from(self.ring_bytes - 1)) as usize;
        debug_assert!(length < self.ring_bytes as usize);
        // SAFETY: the ring is mapped twice in a row, so `length` bytes from any offset in the first
        // mapping are inside both, as long as the process lives. The caller promises that the
        // thread does not write there.
        unsafe { std::slice::from_raw_parts(self.ring.add(start), length) }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct RingPage {
    /// The page number of the contents; 0 if the page is empty.
    pub(crate) number: &'static AtomicU64,
    /// The size of the page's records in bytes; 0 while the thread writes the page.
    pub(crate) bytes: &'static AtomicU64,
    /// The number of records, set when the thread leaves the page.
    pub(crate) records: &'static AtomicU64,
    /// The page's current user: one of [`NOBODY`], [`READER`] and [`ENTERED`].
    pub(crate) claim: &'static AtomicU32,
    pub(crate) tid: &'static AtomicU32,
    /// The number of records written to the slot before this page.
    pub(crate) before: &'static AtomicU64,
}

pub(crate) const NOBODY: u32 = 0;
/// A reader is copying the page, so the thread skips it.
pub(crate) const READER: u32 = slot::READER;
/// The thread is about to write the page.
pub(crate) const ENTERED: u32 = slot::ENTERED;

pub(crate) const FREE: u32 = 0;
pub(crate) const USED: u32 = 1;
/// The thread has left; its last records are not in the file yet.
pub(crate) const LEFT: u32 = 2;
