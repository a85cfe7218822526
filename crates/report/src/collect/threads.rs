//! Which thread's counts are where.

use std::collections::HashMap;

use super::count::Count;
use super::grid::Widening;

/// Threads beyond this many are counted together.
pub const MAX_THREADS: usize = 1000;

/// Threads met lately are found without a hash of strength.
const RECENT: usize = 64;

/// Who did something: a thread, or a process of which no threads are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Who {
    /// The process, 0 where the trace has none.
    pub pid: u32,
    /// The thread, where the trace tells it.
    pub tid: Option<u32>,
}

/// Counts by thread.
#[derive(Debug)]
pub struct Threads {
    counts: Vec<(Who, Count)>,
    other: Count,
    places: HashMap<Who, usize>,
    recent: [(Who, usize); RECENT],
    buckets: usize,
}

/// The place of those that have none of their own.
const NOWHERE: usize = usize::MAX;

impl Threads {
    pub(super) fn new(buckets: usize) -> Threads {
        // No pid is that large.
        let nobody = Who { pid: u32::MAX, tid: Some(u32::MAX) };
        Threads {
            counts: Vec::new(),
            other: Count::new(buckets),
            places: HashMap::new(),
            recent: [(nobody, NOWHERE); RECENT],
            buckets,
        }
    }

    /// The counts of `who`.
    #[inline(always)]
    pub(super) fn of(&mut self, who: Who) -> &mut Count {
        let at = who.tid.unwrap_or(who.pid) as usize % RECENT;
        let (known, place) = self.recent[at];
        let place = if known == who { place } else { self.find(who, at) };
        match self.counts.get_mut(place) {
            Some((_, count)) => count,
            None => &mut self.other,
        }
    }

    fn find(&mut self, who: Who, at: usize) -> usize {
        let place = match self.places.get(&who) {
            Some(&place) => place,
            None if self.counts.len() < MAX_THREADS => {
                self.counts.push((who, Count::new(self.buckets)));
                self.places.insert(who, self.counts.len() - 1);
                self.counts.len() - 1
            }
            None => NOWHERE,
        };
        self.recent[at] = (who, place);
        place
    }

    pub(super) fn widen(&mut self, widening: Widening) {
        self.counts.iter_mut().for_each(|(_, count)| count.widen(widening));
        self.other.widen(widening);
    }

    /// The threads, in order of their first record.
    pub fn iter(&self) -> impl Iterator<Item = (Who, &Count)> {
        self.counts.iter().map(|(who, count)| (*who, count))
    }

    /// What all those did together that came when there were [`MAX_THREADS`] already.
    pub fn other(&self) -> &Count {
        &self.other
    }
}
