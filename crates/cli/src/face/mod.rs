//! The faces: other programs that the tool answers as when it is called by their name. A new one is a file here
//! and a line in [`FACES`].
//!
//! A face keeps the arguments, the output and the exit statuses of the program it stands for. What that program
//! answered with a traceback is a clear error here, with the same status.

mod kvmtrace_format;
mod simpletrace;

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use crate::terminal::Terminal;

/// One program the tool stands for.
pub struct Face {
    /// The file name it is called by.
    pub name: &'static str,
    /// Does what that program does. The first argument is the path it was called by.
    pub run: fn(&[OsString], &Terminal) -> ExitCode,
}

/// All faces.
pub const FACES: &[Face] = &[simpletrace::FACE, kvmtrace_format::FACE];

/// The face that belongs to `called_as`, the path in `argv[0]`; `None` for the tool itself.
pub fn of(called_as: &OsStr) -> Option<&'static Face> {
    let name = Path::new(called_as).file_name()?;
    FACES.iter().find(|face| name == face.name)
}
