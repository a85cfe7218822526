//! An account of the probes: how often each was called, and how long that took. What a trace holds and what it says it dropped can be
//! held against it, and a probe that waits for something shows.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::time::Instant;

/// Calls a probe of the `trace` in scope, on the account of `$on`, if there is one: `probe!(self, blk_retry(req, attempt))`.
macro_rules! probe {
    ($on:expr, $event:ident($($value:expr),* $(,)?)) => {
        match &mut $on.account {
            None => trace::$event!($($value),*),
            // The function has its values before the watch is started.
            Some(account) => {
                let watch = std::time::Instant::now();
                trace::$event($($value),*);
                account.enter(stringify!($event), watch);
            }
        }
    };
}
pub(crate) use probe;

/// The upper ends of the times that are told apart; what takes longer is counted as well.
const BELOW_NS: [u64; 7] = [100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// What one thread called.
#[derive(Debug, Default)]
pub struct ProbeStatistics {
    calls: BTreeMap<&'static str, u64>,
    /// How many took less than each of [`BELOW_NS`], and no less than the one before; then those that took longer.
    times: [u64; BELOW_NS.len() + 1],
    longest_ns: u64,
}

impl ProbeStatistics {
    /// Enters a call of the probe of `event` that began at `watch` and is over.
    pub fn enter(&mut self, event: &'static str, watch: Instant) {
        let ns = watch.elapsed().as_nanos() as u64;
        *self.calls.entry(event).or_default() += 1;
        self.times[BELOW_NS.partition_point(|&end| end <= ns)] += 1;
        self.longest_ns = self.longest_ns.max(ns);
    }

    /// Adds another thread's.
    pub fn add(&mut self, other: &ProbeStatistics) {
        for (event, calls) in &other.calls {
            *self.calls.entry(event).or_default() += calls;
        }
        for (time, calls) in self.times.iter_mut().zip(other.times) {
            *time += calls;
        }
        self.longest_ns = self.longest_ns.max(other.longest_ns);
    }

    /// Writes a line for each event, `NAME CALLS`, and then for the times; no event has a `-` in its name.
    ///
    /// # Errors
    /// What the system says of the file.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut text = String::new();
        for (event, calls) in &self.calls {
            let _ = writeln!(text, "{event} {calls}");
        }
        let _ = writeln!(text, "stall-max-ns {}", self.longest_ns);
        for (end, calls) in BELOW_NS.iter().zip(self.times) {
            let _ = writeln!(text, "probes-below-{end}-ns {calls}");
        }
        let _ = writeln!(text, "probes-longer {}", self.times[BELOW_NS.len()]);
        std::fs::write(path, text)
    }
}
