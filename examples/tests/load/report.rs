//! What a load came to, for people.

use std::fmt;
use std::time::Duration;

use ringtrace_peers::monitored::Usage;

use crate::client::ActionCounts;
use crate::counts::{Files, MonitorStatus, ProbeStatistics, sum};

/// What a load came to.
#[derive(Debug)]
pub struct Report {
    text: String,
    actions: ActionCounts,
    usages: Vec<Usage>,
}

impl Report {
    /// Of clients that are there for so long.
    pub fn new(name: &str, time: Duration) -> Report {
        let text = format!("== {name}: 16 clients for {:.1} s\n", time.as_secs_f64());
        Report { text, actions: ActionCounts::new(), usages: Vec::new() }
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        self.text += &format!("{line}\n");
    }

    /// How long probes took, with those clients.
    pub fn stalls(&mut self, clients: &str, account: &ProbeStatistics) {
        let calls: u64 = account.times.iter().map(|(_, count)| count).sum();
        let text = |name: &str| {
            let name = name.strip_prefix("probes-").unwrap_or(name);
            name.replace("below-", "<")
                .replace("000000-ns", " ms")
                .replace("000-ns", " us")
                .replace("-ns", " ns")
        };
        let times: Vec<String> =
            account.times.iter().map(|(name, count)| format!("{} {count}", text(name))).collect();
        let longest_ms = account.longest_ns as f64 / 1e6;
        self.line(format_args!(
            "probes with {clients}: {calls}, the longest {longest_ms:.2} ms; {}",
            times.join(", ")
        ));
    }

    /// What clients did.
    pub fn did(&mut self, clients: &[ActionCounts]) {
        for (name, count) in clients.iter().flatten() {
            *self.actions.entry(name).or_default() += count;
        }
    }

    /// How often clients did one of these.
    pub fn actions(&self, names: &[&str]) -> u64 {
        names.iter().filter_map(|name| self.actions.get(name)).sum()
    }

    /// What the program has of the system after another round of clients.
    pub fn usage(&mut self, usage: Usage) {
        self.usages.push(usage);
    }

    /// By how much memory grew from the first round of clients to the last.
    pub fn growth_bytes(&self) -> u64 {
        let [first, .., last] = self.usages.as_slice() else { return 0 };
        last.anonymous_bytes.saturating_sub(first.anonymous_bytes)
    }

    /// What became of the events.
    pub fn balance(
        &mut self,
        account: &ProbeStatistics,
        status: &MonitorStatus,
        files: &Files,
        snapshots: &Files,
    ) {
        let [recorded, dropped, overwritten] = status.totals;
        let calls = sum(&account.calls);
        let off = calls - recorded - dropped - overwritten;
        self.line(format_args!(
            "events: {calls} calls, {recorded} recorded, {dropped} dropped, {overwritten} overwritten, {off} while off"
        ));
        for (what, files) in [("traces", files), ("snapshots", snapshots)] {
            let (count, mib, records) = (files.count, files.bytes >> 20, sum(&files.recorded));
            self.line(format_args!(
                "{what}: {count} files, {mib} MiB, {records} records, {} dropped",
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
                "after a round: {} descriptors, {} threads, {} KiB of its own, {} KiB with its part of what is shared",
                usage.descriptors,
                usage.threads,
                kib(usage.anonymous_bytes),
                kib(usage.proportional_bytes),
            )?;
        }
        Ok(())
    }
}
