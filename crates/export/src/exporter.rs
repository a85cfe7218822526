//! The interface of exporters.

use std::fs::{self, File};
use std::io::{self, Seek};
use std::path::PathBuf;
use std::sync::Arc;

use ringtrace_tracefile::align::Origin;
use ringtrace_tracefile::metadata::{Anchor, COMMAND, Metadata, program_name};
use ringtrace_tracefile::pair::{Description, SpanEvent, SpanTracker, Track};
use ringtrace_tracefile::parallel::Pieces;
use ringtrace_tracefile::text::stack::Finder;
use ringtrace_tracefile::{
    BlockRecords, Dropped, Entry, Filter, Flow, OrdinaryRecords, Pause, Reader, Schemas,
};

use crate::run::Error;

/// An output format, which is an item of [`EXPORTERS`](crate::EXPORTERS).
#[derive(Debug)]
pub struct Format {
    /// The format's name for `--to`.
    pub name: &'static str,
    /// One-line description for the help.
    pub about: &'static str,
    /// File name endings, with the dot. The usual one comes first. If endings of several formats
    /// match a file name, the longest one determines the format.
    pub endings: &'static [&'static str],
    /// The kind of output.
    pub output: OutputKind,
    /// Whether times must not decrease. If set, the caller sorts the records.
    pub needs_order: bool,
    /// Whether the output contains the stacks of events.
    pub has_stacks: bool,
    /// Whether another thread encodes the output while records are read.
    pub encodes_on_thread: bool,
    /// Starts an export. It must not write data that is not known until [`Exporter::finish`].
    pub start: fn(ExportTarget, &TraceInfo) -> io::Result<Box<dyn Exporter>>,
}

/// The kind of output of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputKind {
    /// Text that is written sequentially. The output can be a pipe or a terminal.
    Text,
    /// Binary data that is written sequentially.
    Stream,
    /// A folder.
    Folder,
}

/// The output of an exporter. The caller removes partial output, even that of a killed process.
/// Temporary files of an exporter must have no name (`tempfile::tempfile`).
#[derive(Debug)]
pub enum ExportTarget {
    /// An empty file, or a pipe for [`OutputKind::Text`] and [`OutputKind::Stream`].
    File(File),
    /// An empty folder.
    Folder(PathBuf),
}

impl ExportTarget {
    /// Returns another handle to the same target, for [`ExportTarget::clear`]. Returns `None` if what is written
    /// cannot be taken back, as in a pipe.
    ///
    /// # Errors
    /// Returns the error of the system.
    pub fn for_clearing(&self) -> io::Result<Option<ExportTarget>> {
        Ok(match self {
            ExportTarget::File(file) if !file.metadata()?.is_file() => None,
            ExportTarget::File(file) => Some(ExportTarget::File(file.try_clone()?)),
            ExportTarget::Folder(folder) => Some(ExportTarget::Folder(folder.clone())),
        })
    }

    /// Removes the content.
    ///
    /// # Errors
    /// Returns the error of the system.
    pub fn clear(&mut self) -> io::Result<()> {
        match self {
            ExportTarget::File(file) => {
                file.set_len(0)?;
                file.rewind()
            }
            ExportTarget::Folder(folder) => {
                for entry in folder.read_dir()? {
                    let entry = entry?;
                    match entry.file_type()?.is_dir() {
                        true => fs::remove_dir_all(entry.path())?,
                        false => fs::remove_file(entry.path())?,
                    }
                }
                Ok(())
            }
        }
    }

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

/// Information that is known before the first record.
#[derive(Debug, Clone, Default)]
pub struct TraceInfo {
    /// The traces' names.
    pub traces: Vec<String>,
    /// The origins of the traces, by [`Entry::trace`], if there are several.
    pub origins: Arc<[Origin]>,
    /// The relation between the traces' clock and the wall clock.
    pub anchor: Option<Anchor>,
    /// The description of pairs and counters.
    pub description: Description,
    /// The names of processes, if the traces contain them.
    pub processes: Vec<Process>,
    /// Finds the names of functions in stacks. Without it, stacks contain addresses.
    pub finder: Finder,
    /// The events that the traces have declared so far.
    pub schemas: Vec<Arc<Schemas>>,
}

/// The name of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// The number of the trace.
    pub trace: u32,
    /// The id of the process.
    pub pid: u32,
    /// The name of its program.
    pub name: String,
}

impl Process {
    /// Returns the process that wrote the first record, and its program name. Returns `None` unless
    /// the trace has exactly one command line.
    pub fn of_trace(reader: &Reader) -> Option<Process> {
        let mut again = reader.again()?;
        let mut pid = None;
        // Ignore errors: they are found and reported when the whole trace is read.
        let _ = again.for_each(|entry: &Entry<'_>| {
            pid = Some(entry.pid);
            Flow::Stop
        });
        let mut commands = again.metadata().iter().filter_map(|piece| match piece {
            Metadata::Other(key, command) if key == COMMAND => Some(command),
            _ => None,
        });
        let command = commands.next()?;
        let name = program_name(command).filter(|_| commands.next().is_none())?;
        Some(Process { trace: reader.trace(), pid: pid.filter(|&pid| pid != 0)?, name })
    }
}

impl TraceInfo {
    /// Returns the names of processes, for formats that identify them by their ids. If several traces
    /// have a process with the same id, the name is that of the first one.
    pub(crate) fn process_names(&self) -> impl Iterator<Item = (u32, &str)> {
        let is_first = |index: usize, pid: u32| self.processes[..index].iter().all(|other| other.pid != pid);
        let first = self.processes.iter().enumerate().filter(move |(index, it)| is_first(*index, it.pid));
        first.map(|(_, process)| (process.pid, &*process.name))
    }

    /// Returns the name of a process. Format versions without process ids use process 0.
    pub(crate) fn process_name(&self, pid: u32) -> String {
        match self.process_names().find(|(those, _)| *those == pid) {
            Some((_, name)) => name.to_owned(),
            None if pid == 0 => self.traces.join(", "),
            None => format!("process {pid}"),
        }
    }
}

/// Information that is known after the last record.
#[derive(Debug)]
pub struct TraceEnd<'e> {
    /// Totals of dropped records.
    pub dropped: Dropped,
    /// Times when recording was off.
    pub pauses: &'e [Pause],
    /// Number of spans that never ended, for each pair.
    pub open: &'e [u64],
    /// The span tracker, with the spans that never ended and the records that began them.
    pub tracker: &'e SpanTracker,
}

/// Writes records in one format, in the order in which they are read.
///
/// Only write errors are returned. If the format cannot express something, the exporter writes it
/// in another form, which the format's documentation describes.
pub trait Exporter {
    /// Exports a record and its span events. New tracks are appended to `tracks`.
    ///
    /// # Errors
    /// Writing failed.
    fn event(&mut self, entry: &Entry<'_>, spans: &[SpanEvent<'_>], tracks: &[Track]) -> io::Result<()>;

    /// Exports `entry`, a "dropped" record, which reports lost events.
    ///
    /// # Errors
    /// Writing failed.
    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()>;

    /// Exports ordinary records that have no span events, up to the first one that the exporter
    /// does not support on its fast path. It is called only if all records are selected. See
    /// [`Visitor::fast_path`](ringtrace_tracefile::Visitor::fast_path).
    ///
    /// # Errors
    /// Writing failed.
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> io::Result<()> {
        let _ = records;
        Ok(())
    }

    /// Returns whether the exporter takes records in [`Exporter::take_block`].
    fn takes_blocks(&self) -> bool {
        false
    }

    /// Takes records of a compact trace while they are decoded. It is called only if all records are selected and
    /// have no span events. See [`Visitor::take_block`](ringtrace_tracefile::Visitor::take_block).
    fn take_block(&mut self, records: &mut BlockRecords<'_, '_>) {
        let _ = records;
    }

    /// Exports the records that [`Exporter::take_block`] took, or forgets them if the block is not valid.
    ///
    /// # Errors
    /// Writing failed.
    fn end_block(&mut self, is_valid: bool) -> io::Result<()> {
        let _ = is_valid;
        Ok(())
    }

    /// Exports ordinary records like [`Exporter::fast_path`], and their spans, which `tracker` follows.
    /// Returns `None` if the exporter needs [`Exporter::event`] for records with span events.
    fn fast_path_with_spans(
        &mut self,
        records: &mut OrdinaryRecords<'_>,
        tracker: &mut SpanTracker,
    ) -> Option<Result<(), Error>> {
        let _ = (records, tracker);
        None
    }

    /// Exports the rest of `reader` on `threads` threads, as far as it can be divided into pieces. The caller
    /// continues with the remainder. It is called only if there are no spans, for large files. Returns `None` if
    /// the exporter needs one thread.
    ///
    /// # Errors
    /// The inner error means that writing failed.
    fn pieces(&mut self, reader: &mut Reader, filter: &Filter, threads: usize) -> Option<io::Result<Pieces>> {
        let _ = (reader, filter, threads);
        None
    }

    /// Writes buffered data. It is called before a possibly long wait for more records.
    ///
    /// # Errors
    /// Writing failed.
    fn idle(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Writes the pauses and the remaining output.
    ///
    /// # Errors
    /// Writing failed.
    fn finish(self: Box<Self>, end: &TraceEnd<'_>) -> io::Result<()>;
}
