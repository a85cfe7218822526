//! Counts by thread.

use std::collections::HashMap;

use super::time_grid::{Counts, Widening};

/// Maximum number of threads that are counted separately. All others are counted together.
pub(crate) const MAX_THREADS: usize = 1000;

/// Number of recently seen threads that are found without a hash table.
const RECENT: usize = 64;

/// A thread, or a process if its threads are not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadId {
    /// The number of the trace. The same ids in another trace are another thread.
    pub trace: u32,
    pub pid: u32,
    pub tid: Option<u32>,
}

#[derive(Debug)]
pub struct Threads {
    counts: Vec<(ThreadId, Counts)>,
    other: Counts,
    indices: HashMap<ThreadId, usize>,
    recent: [(ThreadId, usize); RECENT],
    buckets: usize,
}

const OTHER: usize = usize::MAX;

impl Threads {
    pub(super) fn new(buckets: usize) -> Threads {
        // A placeholder that matches no thread, because no process id is that large.
        let nobody = ThreadId { trace: u32::MAX, pid: u32::MAX, tid: Some(u32::MAX) };
        Threads {
            counts: Vec::new(),
            other: Counts::new(buckets),
            indices: HashMap::new(),
            recent: [(nobody, OTHER); RECENT],
            buckets,
        }
    }

    #[inline(always)]
    pub(super) fn of(&mut self, thread: ThreadId) -> &mut Counts {
        let at = thread.tid.unwrap_or(thread.pid) as usize % RECENT;
        let (known, index) = self.recent[at];
        let index = if known == thread { index } else { self.find(thread, at) };
        match self.counts.get_mut(index) {
            Some((_, count)) => count,
            None => &mut self.other,
        }
    }

    fn find(&mut self, thread: ThreadId, at: usize) -> usize {
        let index = match self.indices.get(&thread) {
            Some(&index) => index,
            None if self.counts.len() < MAX_THREADS => {
                self.counts.push((thread, Counts::new(self.buckets)));
                self.indices.insert(thread, self.counts.len() - 1);
                self.counts.len() - 1
            }
            None => OTHER,
        };
        self.recent[at] = (thread, index);
        index
    }

    pub(super) fn widen(&mut self, widening: Widening) {
        self.counts.iter_mut().for_each(|(_, count)| count.widen(widening));
        self.other.widen(widening);
    }

    pub fn iter(&self) -> impl Iterator<Item = (ThreadId, &Counts)> {
        self.counts.iter().map(|(thread, count)| (*thread, count))
    }

    /// Returns the total of all threads after the first [`MAX_THREADS`].
    pub fn other(&self) -> &Counts {
        &self.other
    }
}
