//! Where the corpus is: files that other programs wrote, which some tests and benches read where there are such.
//!
//! The environment variable `RINGTRACE_CORPUS` names its folder; else it is `shared/corpus` beside the workspace.

#![forbid(unsafe_code)]
#![allow(clippy::print_stderr, reason = "a test that cannot do its work says so there")]

use std::path::{Path, PathBuf};

const BESIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus");

/// The file or folder at `part` of the corpus, if it is there; the corpus itself for an empty one.
pub fn find(part: impl AsRef<Path>) -> Option<PathBuf> {
    let folder = std::env::var_os("RINGTRACE_CORPUS").map_or_else(|| PathBuf::from(BESIDE), PathBuf::from);
    Some(folder.join(part)).filter(|path| path.exists())
}

/// The same for a test, which has nothing to do without it: that is said as `cargo xtask check` counts it.
pub fn find_or_skip(part: impl AsRef<Path>) -> Option<PathBuf> {
    let found = find(part);
    if found.is_none() {
        eprintln!("SKIPPED: no corpus (RINGTRACE_CORPUS)");
    }
    found
}
