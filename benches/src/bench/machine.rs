//! Describes the machine.

use std::fs::read_to_string;

use crate::measure::cores;

/// Returns a line that describes the processor, cores, memory and system.
pub fn describe() -> String {
    let cpuinfo = read_to_string("/proc/cpuinfo").unwrap_or_default();
    let mut processor = field(&cpuinfo, "model name").unwrap_or(std::env::consts::ARCH).to_owned();
    // In a virtual machine, different processors often have the same name.
    if let (Some(family), Some(model)) = (field(&cpuinfo, "cpu family"), field(&cpuinfo, "model")) {
        processor = format!("{processor} family {family} model {model}");
    }
    let meminfo = read_to_string("/proc/meminfo").unwrap_or_default();
    let kib: f64 = field(&meminfo, "MemTotal")
        .and_then(|value| value.strip_suffix(" kB"))
        .and_then(|value| value.parse().ok())
        .unwrap_or(0.0);
    let system = read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let version = system.split(['-', '+']).next().unwrap_or_default().trim();
    let gib = kib / f64::from(1 << 20);
    format!("{processor}, {} cores, {gib:.0} GiB, {} {version}", cores(), std::env::consts::OS)
}

fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| key.trim() == name)
        .map(|(_, v)| v.trim())
}
