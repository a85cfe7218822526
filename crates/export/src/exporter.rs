//! What an exporter is.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::pair::{Description, SpanEvent, SpanTracker, Track};
use ringtrace_tracefile::{Dropped, Entry, OrdinaryRecords, Pause};

/// A format of others: one line of [`EXPORTERS`](crate::EXPORTERS).
#[derive(Debug)]
pub struct Format {
    /// What `--to` calls it.
    pub name: &'static str,
    /// What it is for, in a line of help.
    pub about: &'static str,
    /// How names of such files end, with the dot, the usual one first. The longest ending of all formats that fits decides.
    pub endings: &'static [&'static str],
    /// What is written.
    pub output: OutputKind,
    /// Whether times must not go back: then the caller sorts.
    pub needs_order: bool,
    /// Begins an export. It must not write what [`Exporter::finish`] alone can know.
    pub start: fn(ExportTarget, &TraceInfo) -> io::Result<Box<dyn Exporter>>,
}

/// What an export is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputKind {
    /// A text that is written from its begin to its end: it can be a pipe, or a terminal.
    Text,
    /// The same of bytes that are no text.
    Stream,
    /// A folder.
    Folder,
}

/// Where an exporter writes. The caller sees to it that nothing half is left, also of a process that is killed; temporary files of an
/// exporter's own are those without a name (`tempfile::tempfile`).
#[derive(Debug)]
pub enum ExportTarget {
    /// An empty file, or a pipe for [`OutputKind::Text`] and [`OutputKind::Stream`].
    File(File),
    /// An empty folder.
    Folder(PathBuf),
}

impl ExportTarget {
    pub(crate) fn into_file(self) -> io::Result<File> {
        match self {
            ExportTarget::File(file) => Ok(file),
            ExportTarget::Folder(_) => Err(io::ErrorKind::IsADirectory.into()),
        }
    }

    pub(crate) fn into_folder(self) -> io::Result<PathBuf> {
        match self {
            ExportTarget::Folder(folder) => Ok(folder),
            ExportTarget::File(_) => Err(io::ErrorKind::NotADirectory.into()),
        }
    }
}

/// What is known before the first record.
#[derive(Debug, Clone, Default)]
pub struct TraceInfo {
    /// The traces' names.
    pub traces: Vec<String>,
    /// How the traces' clock goes with the wall clock.
    pub anchor: Option<Anchor>,
    /// What belongs together.
    pub description: Description,
    /// The names of processes, where traces tell them.
    pub processes: Vec<(u32, String)>,
}

impl TraceInfo {
    /// What a process is called: 0 is that of versions that do not tell.
    pub(crate) fn process_name(&self, pid: u32) -> String {
        match self.processes.iter().find(|(those, _)| *those == pid) {
            Some((_, name)) => name.clone(),
            None if pid == 0 => self.traces.join(", "),
            None => format!("process {pid}"),
        }
    }
}

/// What is known after the last record.
#[derive(Debug)]
pub struct TraceEnd<'e> {
    /// All that was dropped.
    pub dropped: Dropped,
    /// When recording was off.
    pub pauses: &'e [Pause],
    /// How many spans of each pair never ended.
    pub open: &'e [u64],
    /// What was seen in all of it: among others the spans that never ended, with the records that began them.
    pub tracker: &'e SpanTracker,
}

/// Writes what it is given in one format. Records come in the order in which they are read.
///
/// Errors are those of writing; an exporter that cannot express something keeps it in another form, and the format's documentation says which.
pub trait Exporter {
    /// Tells of a record, and what it means. New tracks stand at the end of `tracks`, before anything stands on them.
    ///
    /// # Errors
    /// When writing fails.
    fn event(&mut self, entry: &Entry<'_>, span_events: &[SpanEvent<'_>], tracks: &[Track])
    -> io::Result<()>;

    /// Tells that events were lost here: `entry` is a dropped record.
    ///
    /// # Errors
    /// When writing fails.
    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()>;

    /// Takes bare records, as many as it likes, when all are wanted. None of them means anything.
    /// As in [`Visitor::fast_path`](ringtrace_tracefile::Visitor::fast_path).
    ///
    /// # Errors
    /// When writing fails.
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> io::Result<()> {
        let _ = records;
        Ok(())
    }

    /// Nothing more can be read for now, which may take long: what is held back can be written.
    ///
    /// # Errors
    /// When writing fails.
    fn idle(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Writes what remains, and tells of pauses.
    ///
    /// # Errors
    /// When writing fails.
    fn finish(self: Box<Self>, end: &TraceEnd<'_>) -> io::Result<()>;
}
