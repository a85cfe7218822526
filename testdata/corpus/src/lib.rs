//! Finds the corpus: files written by other programs, which some tests and benchmarks read if they
//! are available.
//!
//! The environment variable `RINGTRACE_CORPUS` contains the path of its folder. The default is
//! `../shared/corpus`.

#![forbid(unsafe_code)]
#![allow(clippy::print_stderr, reason = "skipped tests print the reason")]

use std::path::{Path, PathBuf};

const DEFAULT_FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus");

/// Returns the path of a file or folder in the corpus, if it exists. An empty `part` is the corpus
/// itself.
pub fn find(part: impl AsRef<Path>) -> Option<PathBuf> {
    let folder =
        std::env::var_os("RINGTRACE_CORPUS").map_or_else(|| PathBuf::from(DEFAULT_FOLDER), PathBuf::from);
    Some(folder.join(part)).filter(|path| path.exists())
}

/// Returns the path of a file or folder in the corpus. If it does not exist, prints that the test
/// is skipped and returns `None`.
pub fn find_or_skip(part: impl AsRef<Path>) -> Option<PathBuf> {
    let found = find(part);
    if found.is_none() {
        eprintln!("SKIPPED: no corpus (RINGTRACE_CORPUS)");
    }
    found
}
