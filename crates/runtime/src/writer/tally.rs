//! Totals of a flight recorder's threads. They are accumulated here, because rings pass from thread
//! to thread, and most records are overwritten before they are read.

use std::collections::HashMap;

use ringtrace_wire::assembly::Assembly;
use ringtrace_wire::simpletrace::metadata::{Cause, Metadata, Total};

#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    pub(crate) name: Vec<u8>,
    pub(crate) published: u64,
    /// The number of dropped records, without refused ones.
    pub(crate) dropped: u64,
    pub(crate) refused: u64,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Tallies {
    threads: HashMap<u32, Tally>,
}

impl Tallies {
    pub(crate) fn add(&mut self, tid: u32, done: Tally) {
        let tally = self.threads.entry(tid).or_default();
        tally.name = done.name;
        tally.published += done.published;
        tally.dropped += done.dropped;
        tally.refused += done.refused;
    }

    /// Adds the threads' names and counts of overwritten records to an assembly. `found` contains
    /// the number of each thread's remaining records.
    pub(crate) fn introduce(&self, found: &HashMap<u32, u64>, assembly: &mut Assembly<'_>) {
        for (&tid, tally) in &self.threads {
            assembly.name_thread(tid, &tally.name);
            assembly.add_loss(tid, Cause::Overwritten, tally.overwritten(tid, found));
        }
    }

    /// Writes the dropped and refused records and, if `totals` is set, the totals of threads.
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
