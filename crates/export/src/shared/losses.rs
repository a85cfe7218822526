//! Dropped records and pauses.

use ringtrace_tracefile::metadata::Cause;
use ringtrace_tracefile::{Entry, Pause};

pub(crate) fn cause(dropped: &Entry<'_>) -> &'static str {
    dropped.lost.map_or(Cause::Dropped, |lost| lost.cause).word()
}

/// Returns the label of a dropped record: `12 overwritten`, `some dropped`.
pub(crate) fn label(dropped: &Entry<'_>) -> String {
    match dropped.dropped() {
        Some(count) => format!("{count} {}", cause(dropped)),
        None => format!("some {}", cause(dropped)),
    }
}

/// Returns the time of `entry`. Dropped records in v0 traces have no time; they get the previous
/// record's time, `last_ns`.
pub(crate) fn time_ns(entry: &Entry<'_>, last_ns: u64) -> u64 {
    if entry.is_dropped() && entry.timestamp_ns == 0 { last_ns } else { entry.timestamp_ns }
}

/// Returns the pauses in order of time, each with the number of a row in which it does not overlap
/// other pauses. Pauses of several traces can overlap.
pub(crate) fn pause_rows(pauses: &[Pause]) -> Vec<(usize, Pause)> {
    let mut pauses = pauses.to_vec();
    pauses.sort_by_key(|pause| (pause.from_ns.or(pause.to_ns), pause.to_ns));
    let mut free_from_ns: Vec<u64> = Vec::new();
    let with_row = |pause: Pause| {
        let first_ns = pause.from_ns.or(pause.to_ns)?;
        let row = free_from_ns.iter().position(|&ns| ns <= first_ns).unwrap_or_else(|| {
            free_from_ns.push(0);
            free_from_ns.len() - 1
        });
        free_from_ns[row] = pause.to_ns.map_or(u64::MAX, |to_ns| to_ns.max(first_ns));
        Some((row, pause))
    };
    pauses.into_iter().filter_map(with_row).collect()
}
