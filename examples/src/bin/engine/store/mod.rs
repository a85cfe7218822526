//! The store: keys in pages, a cache of pages, and a journal of changes. Each thread has its own
//! part of the store.

use crate::blk::{Completion, Op, Queue};
use crate::probe_statistics::{ProbeStatistics, probe};
use crate::random::Random;
use crate::slowdown::{RequestKind, Slowdown};

ringtrace::include_trace!("store");

const KEYS: u64 = 1 << 20;
const KEYS_PER_PAGE: u64 = 64;
const CACHE_PAGES: usize = 1024;
/// The size of the journal at which a checkpoint writes the changed pages.
const JOURNAL_BYTES: u64 = 256 << 10;

/// A page in the cache. Page 0 means an empty slot.
#[derive(Debug, Clone, Copy, Default)]
struct Page {
    number: u64,
    uses: u32,
    dirty: bool,
}

/// The part of the store that belongs to one thread.
#[derive(Debug)]
pub struct Shard {
    queue: Queue,
    cache: Vec<Page>,
    random: Random,
    worker: u32,
    next_op: u64,
    stride: u64,
    requests: u64,
    seq: u64,
    journal_bytes: u64,
    slow: Slowdown,
    pub account: Option<ProbeStatistics>,
}

impl Shard {
    /// Opens the part of the store that belongs to thread `worker` (of `threads`). With
    /// `accounting`, counts the calls of probes.
    pub fn open(worker: u32, threads: u32, seed: u64, accounting: bool) -> Shard {
        let account = || accounting.then(ProbeStatistics::default);
        let mut shard = Shard {
            queue: Queue::open(worker, threads, Random::new(!seed, worker), account()),
            cache: vec![Page::default(); CACHE_PAGES],
            random: Random::new(seed, worker),
            worker,
            next_op: u64::from(worker),
            stride: u64::from(threads),
            requests: 0,
            seq: 0,
            journal_bytes: 0,
            slow: Slowdown::default(),
            account: account(),
        };
        probe!(shard, store_open("engine", threads, CACHE_PAGES as u32));
        probe!(shard, worker_begin(worker));
        shard
    }

    /// Makes one kind of request slower from now on.
    pub fn slow_down(&mut self, slow: Slowdown) {
        self.slow = slow;
        self.queue.slow = slow;
    }

    /// Serves a random request.
    pub fn request(&mut self) {
        self.requests += 1;
        let key = self.random.skewed(KEYS);
        match self.random.below(100) {
            0..70 => self.get(key),
            70..97 => self.put(key),
            _ => self.delete(key),
        }
        self.queue.poll();
        while let Some(completion) = self.queue.next_completion() {
            self.complete(&completion);
        }
    }

    fn get(&mut self, key: u64) {
        let op = self.next_op;
        self.next_op += self.stride;
        probe!(self, get_begin(op, key));
        let start = self.slow.begin(RequestKind::Get);
        let cached = self.look_up(key, false);
        self.slow.linger(start);
        if cached {
            probe!(self, get_end(op, 0, true));
        } else {
            self.submit(Op::Read, page_of(key), Some(op));
        }
    }

    fn put(&mut self, key: u64) {
        let op = self.next_op;
        self.next_op += self.stride;
        let len = 16 + self.random.skewed(8000) as usize;
        probe!(self, put_begin(op, key, len));
        self.append("put", len);
        let start = self.slow.begin(RequestKind::Put);
        self.look_up(key, true);
        self.slow.linger(start);
        probe!(self, put_end(op, self.seq));
    }

    fn delete(&mut self, key: u64) {
        self.append("delete", 16);
        let start = self.slow.begin(RequestKind::Delete);
        let existed = self.look_up(key, true);
        self.slow.linger(start);
        probe!(self, key_delete(key, existed));
    }

    /// Loads a key's page into the cache. Returns whether it was already there.
    fn look_up(&mut self, key: u64, changes: bool) -> bool {
        let number = page_of(key);
        let slot = number as usize % CACHE_PAGES;
        let old = self.cache[slot];
        if old.number == number {
            self.cache[slot] = Page { uses: old.uses + 1, dirty: old.dirty | changes, number };
            probe!(self, cache_hit(number, old.uses + 1));
            return true;
        }
        probe!(self, cache_miss(number));
        if old.number != 0 {
            probe!(self, cache_evict(old.number, old.dirty, old.uses));
            if old.dirty {
                self.submit(Op::Write, old.number, None);
            }
        }
        self.cache[slot] = Page { number, uses: 1, dirty: changes };
        false
    }

    fn append(&mut self, kind: &str, len: usize) {
        self.seq += 1;
        self.journal_bytes += len as u64;
        probe!(self, journal_append(self.seq, kind, len));
        if self.journal_bytes >= JOURNAL_BYTES {
            probe!(self, journal_full(self.journal_bytes));
            self.checkpoint();
        }
    }

    /// Writes the changed pages, and empties the journal.
    fn checkpoint(&mut self) {
        let dirty: Vec<usize> = (0..CACHE_PAGES).filter(|&slot| self.cache[slot].dirty).collect();
        probe!(self, checkpoint_begin(self.seq, dirty.len() as u32));
        for &slot in &dirty {
            self.cache[slot].dirty = false;
            self.submit(Op::Write, self.cache[slot].number, None);
        }
        self.submit(Op::Flush, 0, None);
        self.journal_bytes = 0;
        probe!(self, checkpoint_end(self.seq, dirty.len() as u32));
    }

    fn submit(&mut self, op: Op, page: u64, waiter: Option<u64>) {
        if let Some(completion) = self.queue.submit(op, page, waiter) {
            self.complete(&completion);
        }
    }

    fn complete(&mut self, completion: &Completion) {
        let Some(op) = completion.waiter else { return };
        if self.random.once_in(20_000) {
            let expected = self.random.below(1 << 32) as u32;
            probe!(self, page_damaged(op, "checksum", expected, expected ^ 1 << 7));
        }
        probe!(self, get_end(op, completion.ret, false));
    }

    /// Closes the store. Returns the number of requests and the statistics of the probes.
    pub fn close(mut self) -> (u64, Option<ProbeStatistics>) {
        for completion in self.queue.drain() {
            self.complete(&completion);
        }
        probe!(self, worker_end(self.worker, self.requests));
        probe!(self, store_close(self.requests));
        let of_queue = self.queue.close();
        if let (Some(account), Some(of_queue)) = (&mut self.account, &of_queue) {
            account.add(of_queue);
        }
        (self.requests, self.account)
    }
}

/// Returns the page of a key.
fn page_of(key: u64) -> u64 {
    1 + key / KEYS_PER_PAGE
}
