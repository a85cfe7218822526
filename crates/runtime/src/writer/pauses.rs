//! Writing pauses to the file.

use ringtrace_wire::arena::FullPolicy;
use ringtrace_wire::ring::ORDER;
use ringtrace_wire::simpletrace::metadata::Metadata;

use super::Writer;

/// The maximum size of the pauses that a flight recorder retains for later snapshots. It is enough
/// for several thousand pauses.
const MAX_BYTES: usize = 128 << 10;

impl Writer {
    /// Writes the starts and ends of pauses, each at its time between the records. For a flight
    /// recorder, they precede all records, which are written at the end. Returns the number of
    /// bytes written from rings. If writing to the file fails, returns `None`. The remaining
    /// changes and the rings must then be written later.
    pub(super) fn write_pauses(&mut self) -> Option<usize> {
        let mut moved = 0;
        let mut changes = self.recording.pauses().take().into_iter();
        while let Some(change) = changes.next() {
            moved += self.write_until(change.stamp);
            // A flight recorder writes no records here, so it is never stuck. At the end there is
            // no later attempt.
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
        let begun = self.out.v4.len();
        change.encode(self.preamble.next_number(), ORDER, &mut self.out.v4);
        let bytes = &self.out.v4[begun..];
        if self.recording.full == FullPolicy::Overwrite && self.changes.len() + bytes.len() <= MAX_BYTES {
            self.changes.extend_from_slice(bytes);
            if let Some(first) = self.recording.arenas().next() {
                first.append_metadata(bytes);
            }
        }
    }
}
