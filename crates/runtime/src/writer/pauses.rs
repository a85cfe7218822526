//! When recording went off and on, in the file.

use ringtrace_wire::arena::Full;
use ringtrace_wire::ring::ORDER;
use ringtrace_wire::simpletrace::metadata::Metadata;

use super::Writer;

/// How much a flight recorder keeps of it for who asks later: some thousand times.
const MOST_BYTES: usize = 128 << 10;

impl Writer {
    /// Tells it where it happened; of a flight recorder, whose records are written at the end, before them. Says how many bytes were
    /// written of rings.
    pub(super) fn tell_changes(&mut self) -> usize {
        let mut moved = 0;
        for change in self.session.pauses().take() {
            moved += self.write_until(change.stamp);
            self.tell_change(&change.to_metadata());
        }
        moved
    }

    fn tell_change(&mut self, change: &Metadata) {
        let begun = self.out.len();
        change.encode(self.opening.next_number(), ORDER, &mut self.out);
        let told = &self.out[begun..];
        if self.session.full == Full::Overwrite && self.changes.len() + told.len() <= MOST_BYTES {
            self.changes.extend_from_slice(told);
            if let Some(first) = self.session.arenas().next() {
                first.append_metadata(told);
            }
        }
    }
}
