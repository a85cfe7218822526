//! Tests the options of traced programs by replaying the sessions in `console/*.console` with the
//! programs in `programs`.

#![cfg(feature = "runtime")]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

#[path = "../../cli/tests/console/mod.rs"]
mod console;

use std::path::{Path, PathBuf};

use console::Shell;

/// Returns the path of a program in `tests/programs`. Cargo builds these programs with the tests.
fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let path = test.parent().unwrap().with_file_name("examples").join(name);
    assert!(path.exists(), "{} is missing: run `cargo build -p ringtrace --examples`", path.display());
    path
}

#[test]
fn programs_print_the_accepted_output() {
    let folder = tempfile::tempdir().unwrap();
    let programs = ["traced", "traced_clap"].map(|name| (name, program(name)));
    let conversations = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/console");
    let programs = programs.iter().map(|(name, path)| (*name, path.as_path()));
    Shell::with(folder.path(), programs).hold_all(&conversations);
}
