//! A trace file in the folder of a trace that consists of several files.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Sink, SinkError, with_suffix};
use crate::options::{ExistingFile, Rotation};
use crate::os::error_text;
use crate::writer::folder::TraceFolder;

/// How much smaller than requested a file is at least when the trace continues in another one. A
/// piece of data is smaller, so a file does not exceed the requested size.
const ROTATION_RESERVE: u64 = 512 << 10;

impl Sink {
    /// Creates the first file in the folder at `path`. If another program writes to that folder, fails,
    /// or uses another folder if the `existing` one should be kept.
    pub(crate) fn create_in_folder(
        path: Option<&Path>,
        within: Option<&Path>,
        rotation: Rotation,
        existing: ExistingFile,
        pid: u32,
    ) -> Result<Sink, SinkError> {
        let default = PathBuf::from(format!("trace-{pid}"));
        let wanted = path.unwrap_or(&default);
        let folder = match TraceFolder::open(wanted, within, rotation) {
            Err(error) if existing == ExistingFile::Keep && error.kind() == io::ErrorKind::ResourceBusy => {
                let beside = with_suffix(wanted, pid);
                TraceFolder::open(&beside, within, rotation).map_err(|error| SinkError::new(beside, error))?
            }
            opened => opened.map_err(|error| SinkError::new(wanted, error))?,
        };
        Sink::create_next(&Arc::new(folder)).map_err(|error| SinkError::new(wanted, error))
    }

    /// Creates the first file of process `pid`, which was forked from a process that records to the
    /// folder `parent`.
    pub(crate) fn create_folder_beside(
        parent: &Path,
        within: Option<&Path>,
        is_named: bool,
        rotation: Rotation,
        pid: u32,
    ) -> Result<Sink, SinkError> {
        let path = match is_named {
            true => with_suffix(parent, pid),
            false => parent.with_file_name(format!("trace-{pid}")),
        };
        Sink::create_in_folder(Some(&path), within.filter(|_| is_named), rotation, ExistingFile::Replace, pid)
    }

    /// Creates the next file in the folder of this one.
    pub(in crate::writer) fn create_after(&self) -> Option<io::Result<Sink>> {
        self.folder.as_ref().map(Sink::create_next)
    }

    fn create_next(folder: &Arc<TraceFolder>) -> io::Result<Sink> {
        let (folder, path, file) = TraceFolder::create_in(folder)?;
        let mut sink = Sink::of(&path, file, true).map_err(|error| error.error)?;
        (sink.folder, sink.is_unnamed) = (Some(folder), true);
        Ok(sink)
    }

    /// Returns whether the trace should continue in another file. A file that contains no records is
    /// not replaced, so that an idle program does not push out old files.
    pub(in crate::writer) fn is_due(&self) -> bool {
        let Some(folder) = &self.folder else { return false };
        let Rotation { size_bytes, time, .. } = folder.rotation;
        let is_full = size_bytes.is_some_and(|most| self.bytes + ROTATION_RESERVE >= most);
        let is_old = time.is_some_and(|time| self.started.elapsed() >= time);
        self.bytes > self.start_bytes && (is_full || is_old)
    }

    /// Removes the oldest files in the folder. Reports the first failure.
    pub(in crate::writer) fn remove_old_files(&mut self) {
        let removed = self.folder.as_ref().map_or(Ok(()), |folder| folder.remove_old());
        if let Err(error) = removed
            && !std::mem::replace(&mut self.reported.removing, true)
        {
            self.report_text(&format!("cannot remove old files in its folder: {}", error_text(&error)));
        }
    }

    /// Gives the file its name, if it is in a folder and does not have one yet.
    pub(super) fn publish(&mut self) -> io::Result<()> {
        if self.is_unnamed
            && let Some(folder) = &self.folder
        {
            folder.publish(&self.path)?;
            self.is_unnamed = false;
        }
        Ok(())
    }

    /// Returns whether the last check found that the file was removed from its folder.
    pub(in crate::writer) fn left_its_folder(&self) -> bool {
        self.reported.removal && self.folder.is_some()
    }
}
