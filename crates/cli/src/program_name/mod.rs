//! The faces: other programs that the tool answers as when it is called by their name. A new one is a file here
//! and a line in [`PROGRAM_NAMES`].
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
pub struct ProgramName {
    pub name: &'static str,
    pub usage: &'static str,
    pub about: &'static str,
    /// Does what that program does. The first argument is the path it was called by.
    pub run: fn(&[OsString], &Terminal) -> ExitCode,
}

/// All faces.
pub const PROGRAM_NAMES: &[ProgramName] = &[simpletrace::PROGRAM_NAME, kvmtrace_format::PROGRAM_NAME];

/// The face that belongs to `called_as`, the path in `argv[0]`; `None` for the tool itself.
pub fn of(called_as: &OsStr) -> Option<&'static ProgramName> {
    let name = Path::new(called_as).file_name()?;
    PROGRAM_NAMES.iter().find(|program| name == program.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_name_has_a_test_file() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let texts: Vec<String> = files.filter_map(|file| std::fs::read_to_string(file).ok()).collect();
        for program in PROGRAM_NAMES {
            let mark = format!("the program name `{}`", program.name);
            let tested = texts.iter().any(|text| {
                text.lines().any(|line| line.starts_with("//!") && line.to_ascii_lowercase().contains(&mark))
            });
            assert!(tested, "no file in {folder} says that it tests {mark}");
        }
    }

    #[test]
    fn a_program_is_known_by_its_file_name_alone() {
        assert_eq!(of("/usr/bin/simpletrace".as_ref()).map(|program| program.name), Some("simpletrace"));
        assert!(of("/opt/simpletrace/bin/ringtrace".as_ref()).is_none());
    }
}
