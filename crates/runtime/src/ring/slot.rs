//! A slot: what a thread and the writer thread share, a page of words and a ring.

#![expect(unsafe_code, reason = "words and bytes of a mapped ring")]

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

use ringtrace_wire::arena::slot;
pub(crate) use ringtrace_wire::arena::{RING_PAGES, readable_page_bytes, ring_page_at};

/// The word in a slot's page that says up to where records are whole.
///
/// # Safety
/// It is a slot's page.
#[inline(always)]
pub(crate) unsafe fn published(page: *mut u8) -> &'static AtomicU64 {
    // SAFETY: an aligned word of the page, which is never unmapped.
    unsafe { AtomicU64::from_ptr(page.add(slot::PUBLISHED).cast()) }
}

/// What a thread and the writer thread share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    page: *mut u8,
    ring: *mut u8,
    ring_bytes: u32,
}

// SAFETY: as for `Arena`, whose mappings it points to.
unsafe impl Send for Slot {}
// SAFETY: as above.
unsafe impl Sync for Slot {}

impl Slot {
    /// The slot whose page is `page` and whose ring is `ring`.
    ///
    /// # Safety
    /// They came from [`Slot::page`] and [`Slot::ring`] of one slot.
    #[inline(always)]
    pub(crate) unsafe fn from_raw(page: *mut u8, ring: *mut u8, ring_bytes: u32) -> Slot {
        Slot { page, ring, ring_bytes }
    }

    /// Its page.
    pub(crate) fn page(&self) -> *mut u8 {
        self.page
    }

    /// Its ring, which is mapped twice in a row.
    pub(crate) fn ring(&self) -> *mut u8 {
        self.ring
    }

    /// The size of its ring.
    pub(crate) fn ring_bytes(&self) -> u32 {
        self.ring_bytes
    }

    #[inline(always)]
    fn word(&self, at: usize) -> &'static AtomicU64 {
        // SAFETY: `at` is an aligned place in the slot's page, which is never unmapped.
        unsafe { AtomicU64::from_ptr(self.page.add(at).cast()) }
    }

    #[inline(always)]
    fn half_word(&self, at: usize) -> &'static AtomicU32 {
        // SAFETY: as above.
        unsafe { AtomicU32::from_ptr(self.page.add(at).cast()) }
    }

    /// The position up to which records are whole.
    #[inline(always)]
    pub(crate) fn published(&self) -> &'static AtomicU64 {
        self.word(slot::PUBLISHED)
    }

    /// The address of the ring, for who finds it in the crash image.
    pub(crate) fn base(&self) -> &'static AtomicU64 {
        self.word(slot::BASE)
    }

    /// Records dropped.
    pub(crate) fn dropped(&self) -> &'static AtomicU64 {
        self.word(slot::DROPPED)
    }

    /// Records overwritten.
    pub(crate) fn overwritten(&self) -> &'static AtomicU64 {
        self.word(slot::OVERWRITTEN)
    }

    /// Records refused.
    pub(crate) fn refused(&self) -> &'static AtomicU64 {
        self.word(slot::REFUSED)
    }

    /// Strings cut.
    pub(crate) fn cut(&self) -> &'static AtomicU64 {
        self.word(slot::CUT)
    }

    /// The position up to which the ring may be used again.
    pub(crate) fn consumed(&self) -> &'static AtomicU64 {
        self.word(slot::CONSUMED)
    }

    /// Counts the times that room was made while somebody waited; threads wait on it.
    pub(crate) fn room(&self) -> &'static AtomicU32 {
        self.half_word(slot::ROOM)
    }

    /// Whether the thread waits for room.
    pub(crate) fn waiting(&self) -> &'static AtomicU32 {
        self.half_word(slot::WAITING)
    }

    /// Who has it: one of [`FREE`], [`USED`] and [`LEFT`].
    pub(crate) fn state(&self) -> &'static AtomicU32 {
        self.half_word(slot::STATE)
    }

    /// The thread's id.
    pub(crate) fn tid(&self) -> &'static AtomicU32 {
        self.half_word(slot::TID)
    }

    /// How many threads have had it.
    pub(crate) fn owner_number(&self) -> &'static AtomicU32 {
        self.half_word(slot::OWNER_NUMBER)
    }

    /// The page of a flight recorder's ring that holds the contents numbered `number`.
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

    /// Keeps what the slot has had before its thread, of which `records` records in a flight recorder's ring. Only the
    /// thread that just took the slot may.
    pub(crate) fn keep_before(&self, records: u64) {
        self.word(slot::BEFORE).store(records, Ordering::Relaxed);
        self.word(slot::DROPPED_BEFORE).store(self.dropped().load(Ordering::Relaxed), Ordering::Relaxed);
        self.word(slot::REFUSED_BEFORE).store(self.refused().load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// How many of [`Slot::dropped`] were so before its thread came.
    pub(crate) fn dropped_before(&self) -> u64 {
        self.word(slot::DROPPED_BEFORE).load(Ordering::Relaxed)
    }

    /// The thread's name.
    pub(crate) fn name(&self) -> Vec<u8> {
        let name = self.name_bytes().each_ref().map(|byte| byte.load(Ordering::Relaxed));
        slot::name_of(&name).to_vec()
    }

    /// Sets the thread's name. Only the thread that just took the slot may.
    pub(crate) fn set_name(&self, name: [u8; slot::NAME_BYTES]) {
        for (cell, byte) in self.name_bytes().iter().zip(name) {
            cell.store(byte, Ordering::Relaxed);
        }
    }

    /// As atomics: who asks how recording goes may look at a slot that is just changing hands.
    fn name_bytes(&self) -> &'static [AtomicU8; slot::NAME_BYTES] {
        // SAFETY: within the page, which is never unmapped; these bytes are reached in no other way.
        unsafe { &*self.page.add(slot::NAME).cast() }
    }

    /// Writes `words` at `place` of the ring.
    ///
    /// # Safety
    /// There is room for them, and this is the slot's thread.
    pub(crate) unsafe fn put<const N: usize>(&self, offset: u64, words: [u64; N]) {
        // SAFETY: as the caller promises; places are multiples of eight.
        unsafe { self.ring.add(offset as usize).cast::<[u64; N]>().write(words) };
    }

    /// `length` bytes behind the first `position` that the ring ever had.
    ///
    /// # Safety
    /// They stand there, as [`readable_bytes`](super::consumer::readable_bytes) said, and the thread has not been told since that it may use them again.
    pub(crate) unsafe fn bytes(&self, position: u64, length: usize) -> &'static [u8] {
        let start = (position & u64::from(self.ring_bytes - 1)) as usize;
        debug_assert!(length < self.ring_bytes as usize);
        // SAFETY: the ring is mapped twice in a row, so `length` bytes from any place in the first lie in both, for as long
        // as the process lives; the caller's promise is that the thread does not write there.
        unsafe { std::slice::from_raw_parts(self.ring.add(start), length) }
    }
}

/// A page of a flight recorder's ring: its words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RingPage {
    /// The number of its contents; 0: none.
    pub(crate) number: &'static AtomicU64,
    /// How many bytes of it are records; 0 while it is written.
    pub(crate) bytes: &'static AtomicU64,
    /// How many records it has, once it is no longer written.
    pub(crate) records: &'static AtomicU64,
    /// Who has it: one of [`NOBODY`], [`READER`] and [`ENTERED`].
    pub(crate) claim: &'static AtomicU32,
    /// The thread that wrote it.
    pub(crate) tid: &'static AtomicU32,
    /// How many records the slot had before those of the page.
    pub(crate) before: &'static AtomicU64,
}

/// The page may be claimed.
pub(crate) const NOBODY: u32 = 0;
/// A reader copies it: its thread goes around it.
pub(crate) const READER: u32 = slot::READER;
/// Its thread is about to write it.
pub(crate) const ENTERED: u32 = slot::ENTERED;

/// No thread has the slot.
pub(crate) const FREE: u32 = 0;
/// A thread has it.
pub(crate) const USED: u32 = 1;
/// Its thread has left; what is in its ring is not in the file yet.
pub(crate) const LEFT: u32 = 2;
