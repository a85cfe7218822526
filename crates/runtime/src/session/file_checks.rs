//! Files that a session must not write to: the trace and the log are not one file, and nobody waits for a pipe's reader.

use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::error::StartError;
use crate::backend::{self, OpenError};
use crate::options::Settings;
use crate::os::files;
use crate::ring::recording::current;

/// Looks whether beginning this trace would wait for somebody who reads it, and sees to it that it does not while what is given is held.
pub(super) fn check_trace_reader(trace: Option<&Path>) -> Result<Option<File>, StartError> {
    let Some(path) = trace else { return Ok(None) };
    files::check_reader(path).map_err(|error| StartError::File(path.to_owned(), error))
}

/// Whether this is the file of the trace that is being recorded, by any name: who empties it destroys what was recorded.
pub(crate) fn is_of_trace(path: &Path) -> bool {
    current().is_some_and(|recording| path.is_file() && is_one_file(recording.trace_path(), path))
}

/// What is wrong with a trace file that the log is written to.
pub(super) fn log_conflict(path: &Path) -> StartError {
    StartError::File(path.to_owned(), std::io::Error::other("the log is written to it"))
}

pub(super) fn is_one_file(a: &Path, b: &Path) -> bool {
    let identity = |path| std::fs::metadata(path).map(|found| (found.dev(), found.ino())).ok();
    identity(a).is_some_and(|file| identity(b) == Some(file))
}

/// Checks that the log is not written into the trace that is being recorded.
///
/// # Errors
/// When it would be, or when that is no name for a log.
pub(super) fn check_log_is_not_trace(settings: &Settings) -> Result<(), OpenError> {
    match backend::log_path(settings)? {
        Some(path) if is_of_trace(&path) => {
            Err(OpenError::new("log", &path, std::io::Error::other("it is the trace file")))
        }
        _ => Ok(()),
    }
}
