//! Merges sorted runs of entries.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io;

use super::spool::{Spool, SpooledRun};
use crate::read::located::Located;

/// Lanes of sorted entries. The caller can examine and remove the smallest entry of all lanes.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    lanes: Vec<Lane>,
    /// Indices of finished lanes, for reuse.
    vacant: Vec<u32>,
    heads: BinaryHeap<Reverse<HeapItem>>,
    /// The number of entries in memory, excluding those of lanes with a run in the spool.
    in_memory: usize,
}

/// Sorted entries. The first ones are in memory; the rest may be in the spool.
#[derive(Debug)]
struct Lane {
    entries: Vec<Located>,
    next: usize,
    rest: Option<SpooledRun>,
}

/// A lane in the heap, ordered by its first entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct HeapItem {
    key: SortKey,
    lane: u32,
}

/// The order of entries: by time, and by number in the file for equal times.
pub(super) type SortKey = (u64, u64);

fn sort_key(entry: &Located) -> SortKey {
    (entry.timestamp_ns, entry.number)
}

impl Lanes {
    pub(super) fn push(&mut self, entries: Vec<Located>) {
        self.in_memory += entries.len();
        self.add(Lane { entries, next: 0, rest: None });
    }

    pub(super) fn push_run(&mut self, run: SpooledRun, spool: &Spool) -> io::Result<()> {
        let mut lane = Lane { entries: Vec::new(), next: 0, rest: Some(run) };
        lane.refill(spool)?;
        self.add(lane);
        Ok(())
    }

    fn add(&mut self, lane: Lane) {
        let Some(first) = lane.entries.get(lane.next).map(sort_key) else { return };
        let index = match self.vacant.pop() {
            Some(index) => {
                self.lanes[index as usize] = lane;
                index
            }
            None => {
                self.lanes.push(lane);
                self.lanes.len() as u32 - 1
            }
        };
        self.heads.push(Reverse(HeapItem { key: first, lane: index }));
    }

    pub(super) fn in_memory(&self) -> usize {
        self.in_memory
    }

    #[inline]
    pub(super) fn first_key(&self) -> Option<SortKey> {
        self.heads.peek().map(|Reverse(head)| head.key)
    }

    #[inline]
    pub(super) fn first(&self) -> Option<&Located> {
        let Reverse(head) = self.heads.peek()?;
        let lane = self.lanes.get(head.lane as usize)?;
        lane.entries.get(lane.next)
    }

    /// Removes the first entry. If it was the last entry of a lane that is only in memory, returns
    /// the lane's vector for reuse.
    #[inline]
    pub(super) fn advance(&mut self, spool: &Spool) -> io::Result<Option<Vec<Located>>> {
        let Some(mut head) = self.heads.peek_mut() else { return Ok(None) };
        let index = head.0.lane;
        let Some(lane) = self.lanes.get_mut(index as usize) else { return Ok(None) };
        lane.next += 1;
        if let Some(next) = lane.entries.get(lane.next) {
            head.0.key = sort_key(next);
            return Ok(None);
        }
        if lane.rest.is_some() {
            lane.refill(spool)?;
            if let Some(next) = lane.entries.first() {
                head.0.key = sort_key(next);
                return Ok(None);
            }
        }
        let spooled = lane.rest.is_some();
        let entries = std::mem::take(&mut lane.entries);
        PeekMut::pop(head);
        self.vacant.push(index);
        if spooled {
            return Ok(None);
        }
        self.in_memory -= entries.len();
        Ok(Some(entries))
    }

    /// Moves all lanes in memory to the spool, as one run.
    pub(super) fn spill(&mut self, spool: &mut Spool) -> io::Result<()> {
        let (spooled, in_memory): (Vec<Lane>, Vec<Lane>) =
            self.take().into_iter().partition(|lane| lane.rest.is_some());
        let run = write(in_memory, 0, spool)?;
        self.take_back(spooled);
        self.push_run(run, spool)?;
        self.join_runs(spool)
    }

    /// Joins the runs of a level into one run of the next level if there are many, which limits the
    /// total number of runs.
    fn join_runs(&mut self, spool: &mut Spool) -> io::Result<()> {
        let mut level = 0;
        loop {
            let of_level = |lane: &Lane| lane.rest.as_ref().is_some_and(|run| run.level == level);
            if self.heads.iter().filter(|head| of_level(&self.lanes[head.0.lane as usize])).count()
                < spool.limits.joined_runs
            {
                return Ok(());
            }
            let (joined, others): (Vec<Lane>, Vec<Lane>) = self.take().into_iter().partition(of_level);
            let run = write(joined, level + 1, spool)?;
            self.take_back(others);
            self.push_run(run, spool)?;
            level += 1;
        }
    }

    /// Removes and returns all unfinished lanes.
    fn take(&mut self) -> Vec<Lane> {
        let lanes = std::mem::take(self).lanes;
        lanes.into_iter().filter(|lane| lane.next < lane.entries.len()).collect()
    }

    fn take_back(&mut self, lanes: Vec<Lane>) {
        for lane in lanes {
            if lane.rest.is_none() {
                self.in_memory += lane.entries.len();
            }
            self.add(lane);
        }
    }
}

impl Lane {
    fn refill(&mut self, spool: &Spool) -> io::Result<()> {
        self.next = 0;
        self.entries.clear();
        match &mut self.rest {
            Some(run) => spool.read(run, &mut self.entries),
            None => Ok(()),
        }
    }
}

/// Merges `lanes` into a run of the spool.
fn write(lanes: Vec<Lane>, level: u32, spool: &mut Spool) -> io::Result<SpooledRun> {
    let mut merged = Lanes::default();
    merged.take_back(lanes);
    let mut writing = spool.begin(level);
    while let Some(entry) = merged.first() {
        spool.push(&mut writing, entry)?;
        merged.advance(spool)?;
    }
    spool.finish(writing)
}
