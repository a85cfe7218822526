//! Program names: other programs that the tool replaces when it is called by their name. To add
//! one, add a file here and an entry in [`PROGRAM_NAMES`].
//!
//! The tool accepts the same arguments as the original program, and returns the same output and
//! exit statuses. Where the original printed a traceback, the tool prints an error message and
//! returns the same status.

mod kvmtrace_format;
mod simpletrace;

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use crate::terminal::Terminal;

/// A program that the tool replaces.
pub struct ProgramName {
    pub name: &'static str,
    pub usage: &'static str,
    pub about: &'static str,
    /// Runs the program. The first argument is the path under which it was called.
    pub run: fn(&[OsString], &Terminal) -> ExitCode,
}

pub const PROGRAM_NAMES: &[ProgramName] = &[simpletrace::PROGRAM_NAME, kvmtrace_format::PROGRAM_NAME];

/// Returns the program for `called_as` (the path in `argv[0]`), or `None` for the tool itself.
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
            assert!(tested, "no file in {folder} tests {mark}");
        }
    }

    #[test]
    fn only_the_file_name_selects_the_program() {
        assert_eq!(of("/usr/bin/simpletrace".as_ref()).map(|program| program.name), Some("simpletrace"));
        assert!(of("/opt/simpletrace/bin/ringtrace".as_ref()).is_none());
    }
}
