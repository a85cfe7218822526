//! Writing pauses of recording to the file.

use ringtrace_wire::arena::FullPolicy;
use ringtrace_wire::ring::ORDER;
use ringtrace_wire::simpletrace::metadata::Metadata;

use super::Writer;

/// The limit of pauses that a flight recorder keeps for later snapshots: some thousands.
const MAX_BYTES: usize = 128 << 10;

impl Writer {
    /// Writes each change at its place between records. A flight recorder writes its records at the
    /// end, after all changes. Returns the number of bytes written from rings, or `None` if the
    /// file fails. Then the remaining changes wait, and the rings wait behind them.
    pub(super) fn write_pauses(&mut self) -> Option<usize> {
        let mut moved = 0;
        let mut changes = self.recording.pauses().take().into_iter();
        while let Some(change) = changes.next() {
            moved += self.write_until(change.stamp);
            // A flight recorder has written no records here. At the end there is no later attempt.
            let is_stuck = !self.out.is_empty() && self.recording.full != FullPolicy::Overwrite;
            if is_stuck && !self.recording.is_stopping() {
                self.recording.pauses().put_back(std::iter::once(change).chain(changes));
                return None;
            }
            self.write_pause(&change.to_metadata());
        }
        Some(moved)
    }

    fn write_pause(&mut self, change: &Metadata) {
        let begun = self.out.len();
        change.encode(self.preamble.next_number(), ORDER, &mut self.out);
        let bytes = &self.out[begun..];
        if self.recording.full == FullPolicy::Overwrite && self.changes.len() + bytes.len() <= MAX_BYTES {
            self.changes.extend_from_slice(bytes);
            if let Some(first) = self.recording.arenas().next() {
                first.append_metadata(bytes);
            }
        }
    }
}
