//! Reports the result of a load.

use std::fmt;
use std::time::Duration;

use ringtrace_peers::monitored::Usage;

use crate::client::ActionCounts;
use crate::counts::{Files, MonitorStatus, ProbeStatistics, sum};

/// The result of a load.
#[derive(Debug)]
pub struct Report {
    text: String,
    actions: ActionCounts,
    usages: Vec<Usage>,
}

impl Report {
    /// Starts the report of a load that takes `time`.
    pub fn new(name: &str, time: Duration) -> Report {
        let text = format!("== {name}: 16 clients for {:.1} s\n", time.as_secs_f64());
        Report { text, actions: ActionCounts::new(), usages: Vec::new() }
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        self.text += &format!("{line}\n");
    }

    /// Adds the durations of probes.
    pub fn stalls(&mut self, clients: &str, probes: &ProbeStatistics) {
        let calls: u64 = probes.times.iter().map(|(_, count)| count).sum();
        let text = |name: &str| {
            let name = name.strip_prefix("probes-").unwrap_or(name);
            name.replace("below-", "<")
                .replace("000000-ns", " ms")
                .replace("000-ns", " us")
                .replace("-ns", " ns")
        };
        let times: Vec<String> =
            probes.times.iter().map(|(name, count)| format!("{} {count}", text(name))).collect();
        let longest_ms = probes.longest_ns as f64 / 1e6;
        self.line(format_args!(
            "probes with {clients}: {calls}, longest {longest_ms:.2} ms; {}",
            times.join(", ")
        ));
    }

    pub fn add_actions(&mut self, clients: &[ActionCounts]) {
        for (name, count) in clients.iter().flatten() {
            *self.actions.entry(name).or_default() += count;
        }
    }

    /// Returns how many times the actions in `names` were executed.
    pub fn actions(&self, names: &[&str]) -> u64 {
        names.iter().filter_map(|name| self.actions.get(name)).sum()
    }

    /// Records the program's resource usage after a round of clients.
    pub fn usage(&mut self, usage: Usage) {
        self.usages.push(usage);
    }

    /// Returns the growth of memory from the first round to the last.
    pub fn growth_bytes(&self) -> u64 {
        let [first, .., last] = self.usages.as_slice() else { return 0 };
        last.anonymous_bytes.saturating_sub(first.anonymous_bytes)
    }

    /// Adds the counts of events.
    pub fn balance(
        &mut self,
        probes: &ProbeStatistics,
        status: &MonitorStatus,
        files: &Files,
        snapshots: &Files,
    ) {
        let [recorded, dropped, overwritten] = status.totals;
        let calls = sum(&probes.calls);
        let off = calls - recorded - dropped - overwritten;
        self.line(format_args!(
            "events: {calls} calls, {recorded} recorded, {dropped} dropped, {overwritten} overwritten, {off} while disabled"
        ));
        for (name, files) in [("traces", files), ("snapshots", snapshots)] {
            let (count, mib, records) = (files.count, files.bytes >> 20, sum(&files.recorded));
            self.line(format_args!(
                "{name}: {count} files, {mib} MiB, {records} records, {} dropped",
                files.dropped
            ));
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        writeln!(f, "commands: {}", self.actions.values().sum::<u64>())?;
        for (name, count) in &self.actions {
            writeln!(f, "  {count:7} {name}")?;
        }
        for usage in &self.usages {
            let kib = |bytes: u64| bytes >> 10;
            writeln!(
                f,
                "after a round: {} descriptors, {} threads, {} KiB private, {} KiB proportional",
                usage.descriptors,
                usage.threads,
                kib(usage.anonymous_bytes),
                kib(usage.proportional_bytes),
            )?;
        }
        Ok(())
    }
}
