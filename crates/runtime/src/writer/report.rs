//! Messages of the writer thread about memory and incomplete files.

use ringtrace_wire::arena::FullPolicy;

use super::Writer;
use super::reader::Reader;
use super::sink::Sink;

impl Writer {
    /// Reports once that there is no memory for rings.
    pub(super) fn report_memory(&mut self) {
        let Some(tid) = self.recording.thread_without_memory().filter(|_| !self.reported_memory) else {
            return;
        };
        self.reported_memory = true;
        self.sink.report_text(&format!(
            "no memory for the buffer of thread {tid} in {}; events that do not fit are dropped and counted",
            self.recording.directory().display(),
        ));
    }

    /// Reports once, also to a recovery, that a thread's ring is in private memory, because it does not fit into
    /// the folder.
    pub(super) fn report_private(&mut self) {
        if self.reported_private || !self.recording.has_private_thread() {
            return;
        }
        self.reported_private = true;
        if let Some(first) = self.recording.arenas().next() {
            first.note_private_rings();
        }
        self.sink.report_text(&format!(
            "no space for the buffers of more threads in {}: they are in private memory, and are lost if the \
             program is killed; `ringtrace list` lists what killed programs have left behind",
            self.recording.directory().display(),
        ));
    }

    /// Reports once that the arena has no room for declarations.
    pub(super) fn report_declarations(&mut self) {
        if !self.recording.lacks_declarations() || self.reported_declarations {
            return;
        }
        self.reported_declarations = true;
        self.sink.report_text(&format!(
            "no room for further declarations in {}; after a kill, `recover` finds only those that are in the trace file",
            self.recording.directory().display(),
        ));
    }

    /// Reports that the trace continues in the file of `sink`, because the current file is
    /// incomplete.
    pub(super) fn report_carried(&self, sink: &Sink) {
        let why = if self.sink.is_abandoned() {
            "the reader has closed the pipe"
        } else if self.sink.left_its_folder() {
            "was removed"
        } else {
            "the file is incomplete"
        };
        self.sink.report_text(&format!("{why}; the trace continues in {}", sink.path().display()));
    }

    /// At the end, reports the records that are in the rings but not in the file.
    pub(super) fn report_unwritten(&self) {
        let records = match self.recording.full {
            FullPolicy::Overwrite => "the records in memory".to_owned(),
            _ => format!("the last {} records", self.readers.iter().flat_map(Reader::unwritten).count()),
        };
        let arenas = self.recording.arenas().filter(|arena| !arena.is_private());
        let rings: Vec<_> = arenas.map(|arena| arena.path().display().to_string()).collect();
        let rings = rings.join(" ");
        self.sink.report_text(&if self.sink.is_abandoned() {
            format!("the reader has closed the pipe; {records} were not written")
        } else if rings.is_empty() {
            format!("the file is incomplete; {records} were not written")
        } else {
            format!("the file is incomplete; {records} were not written: `ringtrace recover {rings}` recovers them")
        });
    }
}
