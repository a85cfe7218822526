//! A trace file that somebody else has shortened begins anew: what a reader needs is told again, and what was cut away is told as
//! dropped.

use std::io;

use ringtrace_wire::arena::FullPolicy;
use ringtrace_wire::simpletrace::metadata::Cause;

use super::{Reader, Writer, tell_lost};
use crate::opening::{ENCODER, Opening};
use crate::registry;

/// What of a thread is in the file.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Written {
    /// Its records.
    pub(super) recorded: u64,
    /// Dropped records that the file tells of, since the slot was made.
    pub(super) told: u64,
}

impl Writer {
    /// Empties the file, and puts what it must begin with before what is to be written next. Of threads that have left
    /// there is nothing in it any more.
    pub(super) fn begin_anew(&mut self) -> io::Result<()> {
        self.sink.empty()?;
        self.counted.cut_away();
        let next = std::mem::take(&mut self.out);
        self.out.extend_from_slice(self.opening.bytes());
        self.out.extend_from_slice(&self.changes[..self.changes_written]);
        if self.session.full != FullPolicy::Overwrite {
            for reader in &mut self.readers {
                reader.tell_again(&mut self.opening, &mut self.out);
            }
        }
        self.out.extend_from_slice(&next);
        Ok(())
    }
}

impl Reader {
    fn tell_again(&mut self, opening: &mut Opening, out: &mut Vec<u8>) {
        if self.mapped.is_empty() {
            return;
        }
        self.introduce(opening, out);
        for event in
            (0..64 * self.mapped.len()).filter(|event| self.mapped[event / 64] & 1 << (event % 64) != 0)
        {
            self.tell_name(event as u32, out);
        }
        let written = std::mem::take(&mut self.written.recorded);
        self.recorded = self.recorded.saturating_sub(written);
        self.cut_away += written;
        let told = self.written.told.saturating_sub(self.dropped_before);
        tell_lost(self.tid, Cause::Dropped, self.cut_away + told, opening, out);
    }

    /// Tells the name of an event of this thread.
    pub(super) fn tell_name(&self, event: u32, out: &mut Vec<u8>) {
        let name = registry::describe(event).map_or_else(|| format!("event_{event}"), |event| event.name);
        let id = u64::from(self.tid) << 32 | u64::from(event);
        ENCODER.mapping(id, name.as_bytes(), out);
    }
}
