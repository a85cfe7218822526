//! Commits, which record which part of the rings is in the trace file.

use std::io;

use ringtrace_wire::arena::Bank;

use super::ArenaFile;

/// The newest commit that all segments contain, or a fallback.
#[derive(Debug)]
pub(super) struct Commit {
    /// The number of valid bytes in the trace file; 0 if unknown.
    pub(super) file_bytes: u64,
    /// The number of the trace file, and the monotonic time of its first anchor. The time is 0 if it
    /// is the anchor in the metadata.
    pub(super) file: u64,
    pub(super) anchor_ns: u64,
    /// For each segment, the part of its rings that is in the file.
    pub(super) banks: Vec<Bank>,
    /// Set if the segments have no commit in common. `banks` then contains each segment's
    /// oldest one.
    pub(super) is_doubtful: bool,
}

/// The maximum number of attempts to read a commit. A running process may write new commits during
/// an attempt.
const ATTEMPTS: usize = 1000;

impl Commit {
    /// Reads the newest commit that all segments contain.
    pub(super) fn read(segments: &[ArenaFile]) -> io::Result<Commit> {
        for _ in 0..ATTEMPTS {
            if let Some(commit) = Commit::attempt(segments)? {
                return Ok(commit);
            }
        }
        // The runtime never leaves the files in this state. Use the oldest commits, which cover the
        // smallest part.
        let mut banks = Vec::new();
        for segment in segments {
            let [first, second] = segment.banks()?;
            banks.push(if first.sequence < second.sequence { first } else { second });
        }
        let file_bytes = banks.iter().map(|bank| bank.file_bytes).min().unwrap_or(0);
        Ok(Commit::new(file_bytes, banks, true))
    }

    fn attempt(segments: &[ArenaFile]) -> io::Result<Option<Commit>> {
        let pairs: Vec<[Bank; 2]> = segments.iter().map(ArenaFile::banks).collect::<io::Result<_>>()?;
        let newest = |pair: &[Bank; 2]| pair[0].sequence.max(pair[1].sequence);
        // A segment without a commit is new: none of its records are in the file.
        let sequence = pairs.iter().map(newest).filter(|&newest| newest != 0).min().unwrap_or(0);
        let mut banks = Vec::new();
        for pair in pairs {
            let is_new = newest(&pair) == 0;
            let found = pair.into_iter().find(|bank| is_new || bank.sequence == sequence);
            let Some(found) = found else { return Ok(None) };
            banks.push(found);
        }
        for (segment, bank) in segments.iter().zip(&banks) {
            // The process may have been writing the bank during the first read, so read it again.
            if !segment.banks()?.contains(bank) {
                return Ok(None);
            }
        }
        let file_bytes = banks.iter().map(|bank| bank.file_bytes).max().unwrap_or(0);
        Ok(Some(Commit::new(file_bytes, banks, false)))
    }

    fn new(file_bytes: u64, banks: Vec<Bank>, is_doubtful: bool) -> Commit {
        let (file, anchor_ns) = banks.first().map_or((0, 0), |bank| (bank.file, bank.anchor_ns));
        Commit { file_bytes, file, anchor_ns, banks, is_doubtful }
    }
}
