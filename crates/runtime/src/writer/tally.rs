//! What the threads of a flight recorder have done: their records stand in rings that go from thread to thread, and most
//! of them are overwritten before anybody reads them.

use std::collections::HashMap;

use ringtrace_wire::assembly::Assembly;
use ringtrace_wire::simpletrace::metadata::{Cause, Metadata, Total};

/// What a thread has done so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    /// Its name, as the system has it.
    pub(crate) name: Vec<u8>,
    /// Records that it published.
    pub(crate) published: u64,
    /// Records that it dropped, without those that were refused.
    pub(crate) dropped: u64,
    /// Records that were refused.
    pub(crate) refused: u64,
}

/// The threads of a flight recorder.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tallies {
    threads: HashMap<u32, Tally>,
}

impl Tallies {
    /// Adds what thread `tid` has done with a slot.
    pub(crate) fn add(&mut self, tid: u32, done: Tally) {
        let tally = self.threads.entry(tid).or_default();
        tally.name = done.name;
        tally.published += done.published;
        tally.dropped += done.dropped;
        tally.refused += done.refused;
    }

    /// Tells an assembly who the threads are, and what of theirs was overwritten: `found` says how many records of each there are.
    pub(crate) fn introduce(&self, found: &HashMap<u32, u64>, assembly: &mut Assembly<'_>) {
        for (&tid, tally) in &self.threads {
            assembly.name_thread(tid, &tally.name);
            assembly.add_loss(tid, Cause::Overwritten, tally.overwritten(tid, found));
        }
    }

    /// Tells what is told behind the last record: what was dropped and refused, and, when it is the end, the totals.
    pub(crate) fn conclude(
        &self,
        found: &HashMap<u32, u64>,
        totals: bool,
        assembly: &mut Assembly<'_>,
        out: &mut Vec<u8>,
    ) {
        for (&tid, tally) in &self.threads {
            assembly.add_loss(tid, Cause::Refused, tally.refused);
            assembly.add_loss(tid, Cause::Dropped, tally.dropped);
        }
        assembly.finish(out);
        let mut tids: Vec<u32> = self.threads.keys().copied().filter(|_| totals).collect();
        tids.sort_unstable();
        for tid in tids {
            let tally = &self.threads[&tid];
            let overwritten = tally.overwritten(tid, found);
            let recorded = tally.published - overwritten;
            let issued = tally.published + tally.dropped + tally.refused;
            let (dropped, refused) = (tally.dropped, tally.refused);
            let total = Total { tid, issued, recorded, dropped, overwritten, refused };
            assembly.push_metadata(&Metadata::Total(total), out);
        }
    }
}

impl Tally {
    fn overwritten(&self, tid: u32, found: &HashMap<u32, u64>) -> u64 {
        self.published.saturating_sub(found.get(&tid).copied().unwrap_or(0))
    }
}
