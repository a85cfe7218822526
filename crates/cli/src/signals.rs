//! Signals that the process was started to ignore.

/// Those signals, a bit each: `nohup` and a shell's `&` ask for it, and who handles them nevertheless takes that back.
pub fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
