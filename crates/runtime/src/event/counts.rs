//! Counts of recorded and dropped records: a row of counters for each event id.
//!
//! The rows are kept apart from the data that probes read on the hot path. The kernel zeroes their
//! memory in a forked child, so the child counts from zero even if a bare system call created it.
//! Rows never move, so probes count without a lock.

#![expect(unsafe_code, reason = "rows of counters in mapped memory that forks wipe")]

use std::io;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use rustix::mm::{Advice, MapFlags, ProtFlags};

#[derive(Debug)]
pub(crate) struct Row {
    recorded: AtomicU64,
    dropped: AtomicU64,
}

impl Row {
    /// The number of records in trace files.
    pub(crate) fn recorded(&self) -> u64 {
        self.recorded.load(Ordering::Relaxed)
    }

    /// The number of records that were refused or did not fit.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }
}

const FIRST_ROWS: usize = ringtrace_wire::arena::PAGE_BYTES / size_of::<Row>();

/// Block 0 contains the ids below [`FIRST_ROWS`]. Each further block is as large as all previous
/// blocks together.
static BLOCKS: [AtomicPtr<Row>; 1 + (u32::BITS - FIRST_ROWS.ilog2()) as usize] =
    [const { AtomicPtr::new(ptr::null_mut()) }; _];

fn rows_of(block: usize) -> usize {
    FIRST_ROWS << block.saturating_sub(1)
}

fn locate(id: u32) -> (usize, usize) {
    let id = id as usize;
    if id < FIRST_ROWS {
        return (0, id);
    }
    let power = id.ilog2();
    ((power - FIRST_ROWS.ilog2() + 1) as usize, id - (1 << power))
}

fn block(number: usize) -> Option<&'static [Row]> {
    let first = BLOCKS[number].load(Ordering::Acquire);
    // SAFETY: the block was allocated with this number of rows, and is never unmapped. Zeroed
    // memory is a valid row.
    (!first.is_null()).then(|| unsafe { std::slice::from_raw_parts(first, rows_of(number)) })
}

/// Returns the row of an id. If there was no memory for the row, returns the row of id 0, which no
/// event has.
pub(crate) fn row(id: u32) -> Option<&'static Row> {
    let (number, at) = locate(id);
    block(number).map(|rows| &rows[at]).or_else(|| block(0)?.first())
}

/// Allocates rows for the ids up to `last`. Called under the registry's lock.
///
/// # Errors
/// Fails when there is not enough memory.
pub(crate) fn provide(last: u32) -> io::Result<()> {
    for (number, first_row) in BLOCKS.iter().enumerate().take(locate(last).0 + 1) {
        if block(number).is_some() {
            continue;
        }
        let bytes = rows_of(number) * size_of::<Row>();
        // SAFETY: a new mapping at an address that the kernel chooses does not affect other memory.
        let rows = unsafe {
            let protection = ProtFlags::READ | ProtFlags::WRITE;
            let rows = rustix::mm::mmap_anonymous(ptr::null_mut(), bytes, protection, MapFlags::PRIVATE)?;
            rustix::mm::madvise(rows, bytes, Advice::LinuxWipeOnFork)?;
            rows
        };
        first_row.store(rows.cast(), Ordering::Release);
    }
    Ok(())
}

pub(crate) fn reset() {
    for row in all() {
        row.recorded.store(0, Ordering::Relaxed);
        row.dropped.store(0, Ordering::Relaxed);
    }
}

/// Counts a record that a thread could not write. Called by probes.
#[cold]
pub(crate) fn count_dropped(id: u32) {
    add_dropped(id, 1);
}

pub(crate) fn add_dropped(id: u32, count: u64) {
    if let Some(row) = row(id) {
        row.dropped.fetch_add(count, Ordering::Relaxed);
    }
}

/// The id under which records of unknown events are counted. No event has this id.
const UNNAMED: u32 = 0;

/// Counts a record that a thread could not write because the session ended.
pub(crate) fn count_dropped_unnamed() {
    add_dropped(UNNAMED, 1);
}

/// Attributes a record that [`count_dropped_unnamed`] has counted to `event`.
pub(crate) fn name_dropped(event: u32) {
    let unnamed = row(UNNAMED).map(|row| {
        row.dropped.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| count.checked_sub(1))
    });
    // The counts may have been reset for another session in the meantime.
    if unnamed.is_some_and(|before| before.is_ok()) {
        count_dropped(event);
    }
}

pub(crate) fn add_recorded(id: u32, count: u64) {
    if let Some(row) = row(id) {
        // Use an atomic addition, because there are two writer threads while the trace file
        // changes.
        row.recorded.fetch_add(count, Ordering::Relaxed);
    }
}

pub(crate) fn take_back(id: u32, count: u64) {
    if let Some(row) = row(id) {
        row.recorded.fetch_sub(count, Ordering::Relaxed);
        row.dropped.fetch_add(count, Ordering::Relaxed);
    }
}

/// Returns the total counts of recorded and dropped records, including those of unloaded libraries.
pub(crate) fn totals() -> [u64; 2] {
    all().fold([0; 2], |[recorded, dropped], row| [recorded + row.recorded(), dropped + row.dropped()])
}

fn all() -> impl Iterator<Item = &'static Row> {
    (0..BLOCKS.len()).filter_map(block).flatten()
}

#[cfg(test)]
mod tests {
    use super::{BLOCKS, FIRST_ROWS, locate, rows_of};

    #[test]
    fn every_id_has_a_row_of_its_own() {
        let mut next = (0, 0);
        for id in 0..100_000 {
            assert_eq!(locate(id), next, "{id}");
            next = if next.1 + 1 == rows_of(next.0) { (next.0 + 1, 0) } else { (next.0, next.1 + 1) };
        }
        assert_eq!(locate(u32::MAX), (BLOCKS.len() - 1, rows_of(BLOCKS.len() - 1) - 1));
        assert_eq!(FIRST_ROWS, 256);
    }
}
