//! Checks of files that a session is about to write: trace and log must be different files, and
//! opening a pipe must not block.

use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::error::StartError;
use crate::backend::{self, OpenError};
use crate::options::Settings;
use crate::os::files;
use crate::ring::recording::current;

/// Checks that opening this trace does not block, as it would for a pipe without a reader. This is
/// guaranteed only while the returned file is open.
pub(super) fn check_trace_reader(trace: Option<&Path>) -> Result<Option<File>, StartError> {
    let Some(path) = trace else { return Ok(None) };
    files::check_reader(path).map_err(|error| StartError::File(path.to_owned(), error))
}

/// Whether the path leads to the current trace file, under any name. Emptying that file would
/// destroy the recording.
pub(crate) fn is_of_trace(path: &Path) -> bool {
    current().is_some_and(|recording| path.is_file() && is_one_file(&recording.trace_path(), path))
}

/// Creates the error for a trace file that is also the log file.
pub(super) fn log_conflict(path: &Path) -> StartError {
    StartError::File(path.to_owned(), std::io::Error::other("already in use as the log file"))
}

pub(super) fn is_one_file(a: &Path, b: &Path) -> bool {
    let identity = |path| std::fs::metadata(path).map(|found| (found.dev(), found.ino())).ok();
    identity(a).is_some_and(|file| identity(b) == Some(file))
}

/// Checks that the log file is not the current trace file.
///
/// # Errors
/// Fails if it is, or if the name of the log file is invalid.
pub(super) fn check_log_is_not_trace(settings: &Settings) -> Result<(), OpenError> {
    match backend::log_path(settings)? {
        Some(path) if is_of_trace(&path) => {
            Err(OpenError::new("log", &path, std::io::Error::other("already in use as the trace file")))
        }
        _ => Ok(()),
    }
}
