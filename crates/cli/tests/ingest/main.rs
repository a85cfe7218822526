//! Tests of `ringtrace ingest`: datasets are complete whatever happens, and SQL engines read them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]
#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

mod compaction;
mod engines;
mod evolution;
mod fleet;
mod repeated;
mod store;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use fleet::FLEET;
use tempfile::TempDir;

/// Returns a command that ingests into `dataset`.
fn ingest<S: AsRef<OsStr>>(dataset: &Path, words: &[S]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    command.arg("ingest").arg(dataset).args(words).env("LC_ALL", "C.UTF-8");
    command
}

/// Runs `command`, which succeeds. Returns its standard output.
fn succeed(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let said = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{command:?}: {status}: {said}");
    String::from_utf8(stdout).unwrap()
}

/// The words that ingest the whole fleet.
fn fleet_words() -> Vec<PathBuf> {
    let words = ["--pair", "disk_read:disk_done:req"].map(PathBuf::from);
    words.into_iter().chain(FLEET.iter().map(fleet::Recording::path)).collect()
}

/// Returns a dataset with the whole fleet.
fn fleet_dataset() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    succeed(&mut ingest(&folder.path().join("fleet"), &fleet_words()));
    folder
}

/// Returns a dataset with the whole fleet, whose files are merged.
fn compacted_fleet() -> TempDir {
    let folder = fleet_dataset();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    succeed(command.arg("compact-dataset").arg(folder.path().join("fleet")));
    folder
}

/// Returns the files of a dataset by their relative paths, with their contents.
fn contents(dataset: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    fn collect(path: &Path, name: PathBuf, contents: &mut BTreeMap<PathBuf, Vec<u8>>) {
        if path.is_dir() {
            for entry in fs::read_dir(path).unwrap().map(|entry| entry.unwrap()) {
                collect(&entry.path(), name.join(entry.file_name()), contents);
            }
        } else {
            contents.insert(name, fs::read(path).unwrap());
        }
    }
    let mut all = BTreeMap::new();
    collect(dataset, PathBuf::new(), &mut all);
    all
}
