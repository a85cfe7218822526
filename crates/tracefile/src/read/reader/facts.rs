//! Facts about a trace, as known so far.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ringtrace_events::{Diagnostic, SourceFile};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::{ArgumentKind, Header, Version};

use super::Reader;
use crate::compressed::Compression;
use crate::entry::{Modules, Pause, Schemas, Threads, pauses};
use crate::error::Anomalies;
use crate::input::map::MappedFile;
use crate::metadata::{Anchor, Metadata};
use crate::read::era::Era;
use crate::read::files::TraceFiles;
use crate::read::table::Table;

impl Reader {
    /// Returns the format from which the file is decompressed, if it is compressed.
    pub fn compression(&self) -> Option<Compression> {
        self.compression
    }

    /// Returns whether the file is a compact trace.
    pub fn is_compact(&self) -> bool {
        self.is_compact
    }

    /// Returns the size of a compact trace in the file, up to the part that was read if it is a
    /// stream. `None` if the trace is not compact, or was copied to a temporary file.
    pub fn compact_bytes(&self) -> Option<u64> {
        match &self.files {
            Some(files) if self.is_compact => Some(files.stored_bytes(&self.input)),
            _ => self.input.compact_bytes(),
        }
    }

    /// Returns whether [`Reader::again`] can read the file again.
    pub fn is_rereadable(&self) -> bool {
        match &self.files {
            Some(files) => !files.are_followed(),
            None => self.input.is_rereadable(),
        }
    }

    /// Returns the version of the file.
    pub fn version(&self) -> Version {
        self.layout.0
    }

    /// Returns the byte order of the file.
    pub fn order(&self) -> ByteOrder {
        self.layout.1
    }

    /// Returns the header of the file, if it has one.
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// Returns the era of the reader that is imitated.
    pub fn era(&self) -> Era {
        self.era
    }

    /// Returns the name of the file that is being read, or was read last.
    pub fn file(&self) -> &str {
        &self.state.tally.file
    }

    /// Returns the trace's name in messages: that of its file, or that of its files' folder.
    pub fn name(&self) -> &str {
        self.files.as_ref().map_or(&self.state.tally.file, |files| files.name())
    }

    /// Returns the number of the trace among several traces, as in [`Entry::trace`](crate::Entry).
    pub fn trace(&self) -> u32 {
        self.place.trace
    }

    /// Returns the files of a trace that consists of several.
    pub fn files(&self) -> Option<&TraceFiles> {
        self.files.as_deref()
    }

    /// Returns the metadata of the current file, and the totals of threads in the files before it. A
    /// thread has a total for each file.
    pub fn metadata_of_files(&self) -> impl Iterator<Item = &Metadata> {
        self.files().into_iter().flat_map(TraceFiles::totals).chain(self.metadata())
    }

    /// Returns the files of the trace that were removed before they could be read.
    pub fn removed(&self) -> &[PathBuf] {
        self.files.as_ref().map_or(&self.removed, |files| files.removed())
    }

    /// Returns all schemas known so far. A trace can declare more as it is read.
    pub fn schemas(&self) -> &Arc<Schemas> {
        &self.state.context.schemas
    }

    /// Returns the event ids known so far.
    pub fn table(&self) -> &Table {
        &self.state.context.table
    }

    /// Returns the sources of the user's declarations, and the problems found in these sources.
    pub fn diagnostics(&self) -> (&[SourceFile], &[Diagnostic]) {
        (&self.declared.sources, &self.declared.diagnostics)
    }

    /// Returns the arguments of an event id, if the event's declaration is known so far.
    pub(crate) fn kinds(&self, id: u64) -> Option<&[ArgumentKind]> {
        let schema = self.schemas().get(self.table().schema(id)?);
        (!schema.is_opaque).then_some(&schema.kinds)
    }

    /// Returns the number of records read so far.
    pub fn records(&self) -> u64 {
        self.state.tally.number
    }

    /// Returns whether event ids contain the thread.
    pub fn is_threaded(&self) -> bool {
        self.state.context.threaded
    }

    /// Returns the metadata read so far.
    pub fn metadata(&self) -> &[Metadata] {
        &self.state.context.metadata
    }

    /// Returns the wall-clock time at one moment of the trace's clock, if known so far. If there are
    /// several, the first one applies to the whole trace.
    pub fn anchor(&self) -> Option<Anchor> {
        self.given_anchor.or(self.state.context.anchor)
    }

    /// Sets the anchor. It replaces those in the trace.
    pub fn set_anchor(&mut self, anchor: Anchor) {
        self.given_anchor = Some(anchor);
    }

    /// Returns the pauses of the recording read so far, on the common clock of all traces.
    pub fn pauses(&self) -> Vec<Pause> {
        let shift = |ns: Option<u64>| ns.map(|ns| ns.saturating_add(self.place.shift_ns));
        let placed = |pause: Pause| Pause {
            from_ns: shift(pause.from_ns),
            to_ns: shift(pause.to_ns),
            trace: self.place.trace,
        };
        pauses(self.metadata()).into_iter().map(placed).collect()
    }

    /// Returns the names of threads read so far.
    pub fn threads(&self) -> &Threads {
        &self.state.context.threads
    }

    /// Returns the executable segments of the program's memory, as read so far.
    pub fn modules(&self) -> &Modules {
        &self.state.context.modules
    }

    /// Returns the anomalies found so far.
    pub fn anomalies(&self) -> &Anomalies {
        &self.state.tally.anomalies
    }

    /// Returns a counter of the bytes read, which other threads can poll.
    pub fn progress(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.progress)
    }

    /// Returns the size of the trace in bytes, if known. For a compact trace, this is its size as v4.
    pub fn file_bytes(&self) -> Option<u64> {
        match &self.files {
            Some(files) => files.total_bytes(&self.input),
            None => self.input.file_bytes(),
        }
    }

    /// Returns the number of bytes that were read, except those in skipped and missing blocks.
    pub(crate) fn read_bytes(&self) -> u64 {
        self.files.as_ref().map_or(0, |files| files.before().read_bytes) + self.input.read_bytes()
    }

    pub(crate) fn note_progress(&self) {
        let before = self.files.as_ref().map_or(0, |files| files.before().read_bytes);
        self.progress.store(before + self.input.offset(), Ordering::Relaxed);
    }

    /// Returns the mapped file, unless the input is a stream.
    pub fn mapped(&self) -> Option<&Arc<MappedFile>> {
        self.input.mapped()
    }
}
