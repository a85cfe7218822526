//! Rewrites a trace file that another program has truncated. The data that readers need is written
//! again, and the removed records are reported as dropped.

use std::io;

use ringtrace_wire::arena::FullPolicy;
use ringtrace_wire::simpletrace::metadata::Cause;

use super::preamble::{ENCODER, Preamble};
use super::{Reader, Writer, write_lost};
use crate::event::registry;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Written {
    pub(super) recorded: u64,
    /// The number of dropped records since the slot was created, as reported in the file.
    pub(super) reported: u64,
}

impl Writer {
    /// Empties the file, and prepends the preamble to the data to be written next. The file then
    /// contains nothing about exited threads.
    pub(super) fn rewrite(&mut self) -> io::Result<()> {
        self.sink.empty()?;
        self.event_counts.cut_away();
        let next = self.out.restart(&self.preamble);
        let out = &mut self.out.v4;
        out.extend_from_slice(&self.changes[..self.changes_written]);
        if self.recording.full != FullPolicy::Overwrite {
            for reader in &mut self.readers {
                reader.known.clear();
                reader.restate(&mut self.preamble, out);
            }
        }
        out.extend_from_slice(&next);
        Ok(())
    }
}

impl Reader {
    fn restate(&mut self, preamble: &mut Preamble, out: &mut Vec<u8>) {
        self.is_named = false;
        if self.mapped.is_empty() {
            return;
        }
        self.restate_names(preamble, out);
        let written = std::mem::take(&mut self.written.recorded);
        self.recorded = self.recorded.saturating_sub(written);
        self.cut_away += written;
        let reported = self.written.reported.saturating_sub(self.dropped_before);
        write_lost(self.tid, Cause::Dropped, self.cut_away + reported, preamble, out);
    }

    /// Writes the name of the thread and the mappings of its events.
    pub(super) fn restate_names(&mut self, preamble: &mut Preamble, out: &mut Vec<u8>) {
        self.write_thread_name(preamble, out);
        self.mapped.iter().for_each(|event| self.write_name(event, out));
    }

    pub(super) fn write_name(&self, event: u32, out: &mut Vec<u8>) {
        let name = registry::describe(event).map_or_else(|| format!("event_{event}"), |event| event.name);
        let id = u64::from(self.tid) << 32 | u64::from(event);
        ENCODER.mapping(id, name.as_bytes(), out);
    }
}
