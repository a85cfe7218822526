//! Counts the calls of each probe, and measures their durations. The counts can be compared with
//! the events and losses in a trace. Long durations reveal probes that had to wait.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::time::Instant;

/// Calls a probe of the `trace` in scope. If `$on.account` exists, also counts the call:
/// `probe!(self, blk_retry(req, attempt))`.
macro_rules! probe {
    ($on:expr, $event:ident($($value:expr),* $(,)?)) => {
        match &mut $on.account {
            None => trace::$event!($($value),*),
            // The arguments are evaluated before the duration is measured.
            Some(account) => {
                let start = std::time::Instant::now();
                trace::$event($($value),*);
                account.count(stringify!($event), start);
            }
        }
    };
}
pub(crate) use probe;

/// The upper bounds of the histogram of durations. A last bucket counts longer durations.
const BELOW_NS: [u64; 7] = [100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// The calls of one thread.
#[derive(Debug, Default)]
pub struct ProbeStatistics {
    calls: BTreeMap<&'static str, u64>,
    /// The number of calls in each bucket of the histogram.
    times: [u64; BELOW_NS.len() + 1],
    longest_ns: u64,
}

impl ProbeStatistics {
    /// Counts a call of the probe of `event` that started at `start` and ends now.
    pub fn count(&mut self, event: &'static str, start: Instant) {
        let ns = start.elapsed().as_nanos() as u64;
        *self.calls.entry(event).or_default() += 1;
        self.times[BELOW_NS.partition_point(|&end| end <= ns)] += 1;
        self.longest_ns = self.longest_ns.max(ns);
    }

    /// Adds the calls of another thread.
    pub fn add(&mut self, other: &ProbeStatistics) {
        for (event, calls) in &other.calls {
            *self.calls.entry(event).or_default() += calls;
        }
        for (time, calls) in self.times.iter_mut().zip(other.times) {
            *time += calls;
        }
        self.longest_ns = self.longest_ns.max(other.longest_ns);
    }

    /// Writes a line `NAME CALLS` for each event, then lines for the durations. Only the names of
    /// durations contain a `-`.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
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
