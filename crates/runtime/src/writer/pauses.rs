//! When recording went off and on, in the file.

use ringtrace_wire::arena::FullPolicy;
use ringtrace_wire::ring::ORDER;
use ringtrace_wire::simpletrace::metadata::Metadata;

use super::Writer;

/// How much a flight recorder keeps of it for who asks later: some thousand times.
const MAX_BYTES: usize = 128 << 10;

impl Writer {
    /// Tells it where it happened; of a flight recorder, whose records are written at the end, before them. Says how many bytes were
    /// written of rings. `None`: the file takes nothing, so the rest is told when it does; what is in the rings comes behind that.
    pub(super) fn write_pauses(&mut self) -> Option<usize> {
        let mut moved = 0;
        let mut changes = self.recording.pauses().take().into_iter();
        while let Some(change) = changes.next() {
            moved += self.write_until(change.stamp);
            // A flight recorder has written nothing here. At the end there is no later.
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
