//! Threads without a slot, and the records that they drop.
//!
//! If every slot is taken, a thread counts its dropped records in an entry of a table. When the
//! thread gets a slot, the count moves there, and the ring reports the loss before the thread's
//! first record. If the thread exits first, or the session ends, the writer thread takes the count
//! and reports it for the thread.
//!
//! **Orderings.** An entry passes from thread to thread through its state. Claiming it is an
//! acquire, which pairs with the release that frees it: the new thread counts only after the
//! previous count was taken. The writer thread acquires the state that the thread released, and so
//! sees the thread's id, its name and its count. While the thread lives, only one of the two takes
//! the count, because each first changes the state with a compare-and-exchange. At the end of the
//! session the writer thread takes all counts by setting [`CLOSED`] in them. A thread that counts
//! later, or releases its entry later, finds the bit: its records belong to the next session.
//!
//! If no thread has an entry at the end of the session, another session may use the entries. A
//! thread first increases the number of claims and then checks for the end. The writer thread first
//! notes the end and then checks the number. Fences between the two steps ensure that one sees the
//! other.

use crate::os::sync::{AtomicU32, AtomicU64, Ordering, fence};

const FREE: u32 = 0;
/// The entry's thread or the writer thread is changing the entry.
const CLAIMED: u32 = 1;
const USED: u32 = 2;
/// The thread has exited.
const LEFT: u32 = 3;

/// The bit that closes a count at the end of the session.
const CLOSED: u64 = 1 << 63;

/// The entry of a thread.
#[derive(Debug)]
pub(crate) struct Entry {
    state: AtomicU32,
    tid: AtomicU32,
    name: [AtomicU64; 2],
    dropped: AtomicU64,
}

/// Creates the entries of a table.
pub(crate) fn new_entries(count: usize) -> Box<[Entry]> {
    let entry = || Entry {
        state: AtomicU32::new(FREE),
        tid: AtomicU32::new(0),
        name: [AtomicU64::new(0), AtomicU64::new(0)],
        dropped: AtomicU64::new(0),
    };
    std::iter::repeat_with(entry).take(count).collect()
}

/// A thread that dropped records before it had a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dropped {
    pub(crate) tid: u32,
    pub(crate) name: [u8; 16],
    pub(crate) count: u64,
}

/// The entries of a session. Records of threads that find no free entry are counted together.
#[derive(Debug)]
pub(crate) struct WithoutSlot {
    entries: &'static [Entry],
    /// The number of claimed entries, and of threads that look for one. While it is 0, the writer
    /// thread need not search the table.
    claimed: AtomicU32,
    /// The number of records dropped by threads without an entry, and [`CLOSED`].
    unlisted: AtomicU64,
}

impl WithoutSlot {
    /// Creates the table of a session. No other session may use `entries`.
    pub(crate) fn new(entries: &'static [Entry]) -> WithoutSlot {
        WithoutSlot { entries, claimed: AtomicU32::new(0), unlisted: AtomicU64::new(0) }
    }

    pub(crate) fn entries(&self) -> &'static [Entry] {
        self.entries
    }

    /// Claims an entry for the current thread. Returns `None` if there is none, or if the session
    /// has ended.
    #[expect(clippy::disallowed_methods, reason = "words of this process, not of a file")]
    pub(crate) fn claim(&self, tid: u32, name: [u8; 16]) -> Option<&'static Entry> {
        self.claimed.fetch_add(1, Ordering::Relaxed);
        // Pairs with the fence of `close`.
        fence(Ordering::SeqCst);
        let is_closed = self.unlisted.load(Ordering::Relaxed) & CLOSED != 0;
        let Some(entry) = (if is_closed { None } else { self.claim_free(tid) }) else {
            self.claimed.fetch_sub(1, Ordering::Relaxed);
            return None;
        };
        entry.tid.store(tid, Ordering::Relaxed);
        let (words, _) = name.as_chunks();
        for (word, bytes) in entry.name.iter().zip(words) {
            word.store(u64::from_ne_bytes(*bytes), Ordering::Relaxed);
        }
        entry.state.store(USED, Ordering::Release);
        Some(entry)
    }

    fn claim_free(&self, tid: u32) -> Option<&'static Entry> {
        let first = tid as usize % self.entries.len();
        let (before, from) = self.entries.split_at(first);
        let is_claimed = |entry: &&Entry| {
            entry.state.load(Ordering::Relaxed) == FREE
                && entry.state.compare_exchange(FREE, CLAIMED, Ordering::Acquire, Ordering::Relaxed).is_ok()
        };
        from.iter().chain(before).find(is_claimed)
    }

    /// Takes the count of the current thread, and frees its entry. Returns 0 if the session has
    /// ended, because the writer thread has then taken the count.
    pub(crate) fn take(&self, entry: &Entry) -> u64 {
        // Relaxed: this thread wrote the entry.
        if entry.state.compare_exchange(USED, CLAIMED, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            return 0;
        }
        let count = entry.dropped.fetch_and(CLOSED, Ordering::Relaxed);
        self.free(entry);
        if count & CLOSED == 0 { count } else { 0 }
    }

    /// Counts dropped records of a thread without an entry. Returns `false` if the session has ended.
    pub(crate) fn count_unlisted(&self, records: u64) -> bool {
        add(&self.unlisted, records)
    }

    /// At the end of the session, stops threads from claiming entries, and from counting without
    /// one. Returns whether no thread has an entry. If so, another session may use the entries.
    pub(crate) fn close(&self) -> bool {
        self.unlisted.fetch_or(CLOSED, Ordering::Relaxed);
        // Pairs with the fence of `claim`.
        fence(Ordering::SeqCst);
        // Relaxed: the fence of the next session's `claim` ensures that it sees the entries as their
        // last threads left them.
        self.claimed.load(Ordering::Relaxed) == 0
    }

    /// The number of records dropped by threads without an entry.
    pub(crate) fn unlisted(&self) -> u64 {
        self.unlisted.load(Ordering::Relaxed) & !CLOSED
    }

    fn free(&self, entry: &Entry) {
        entry.state.store(FREE, Ordering::Release);
        // Release: the next session's `claim` has a fence that pairs with this.
        self.claimed.fetch_sub(1, Ordering::Release);
    }

    /// Takes the counts of exited threads or, after [`WithoutSlot::close`], of all threads. Threads
    /// for which `is_gone` returns true have exited without calling [`Entry::leave`]. Only the
    /// writer thread calls this.
    pub(crate) fn collect(&self, all: bool, is_gone: impl Fn(u32) -> bool, mut found: impl FnMut(Dropped)) {
        if !all && self.claimed.load(Ordering::Relaxed) == 0 {
            return;
        }
        for entry in self.entries {
            let count = if all {
                // Do this in any state, because a thread may be about to count. Acquire: this
                // thread sees whose count this is.
                entry.dropped.fetch_or(CLOSED, Ordering::Acquire) & !CLOSED
            } else if entry.is_over(&is_gone) {
                entry.dropped.swap(0, Ordering::Relaxed)
            } else {
                continue;
            };
            let mut name = [0; 16];
            for (bytes, word) in name.chunks_exact_mut(8).zip(&entry.name) {
                bytes.copy_from_slice(&word.load(Ordering::Relaxed).to_ne_bytes());
            }
            if count > 0 {
                found(Dropped { tid: entry.tid.load(Ordering::Relaxed), name, count });
            }
            if !all {
                self.free(entry);
            }
        }
    }
}

impl Entry {
    /// Returns whether the entry's thread has exited. If so, claims the entry.
    fn is_over(&self, is_gone: impl Fn(u32) -> bool) -> bool {
        // Acquire: the caller sees what the thread wrote before.
        let state = self.state.load(Ordering::Acquire);
        let is_over = match state {
            LEFT => true,
            USED => is_gone(self.tid.load(Ordering::Relaxed)),
            _ => false,
        };
        is_over && self.state.compare_exchange(state, CLAIMED, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Counts dropped records of the current thread. Returns `false` if the session has ended. In
    /// that case, its file does not report the records.
    pub(crate) fn count(&self, records: u64) -> bool {
        add(&self.dropped, records)
    }

    /// Notes that the current thread is exiting.
    pub(crate) fn leave(&self) {
        // Release: the writer thread sees the count. If this fails, it has already taken the count.
        let _ = self.state.compare_exchange(USED, LEFT, Ordering::Release, Ordering::Relaxed);
    }
}

/// Adds to a count. Returns `false` if it is closed.
fn add(counter: &AtomicU64, records: u64) -> bool {
    let mut count = counter.load(Ordering::Relaxed);
    while count & CLOSED == 0 {
        // Release: a thread that takes the count also sees whose it is.
        match counter.compare_exchange(count, count + records, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => return true,
            Err(now) => count = now,
        }
    }
    false
}
