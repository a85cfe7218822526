//! Runs the program `tests/programs/speaker.rs`.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

use std::path::PathBuf;
use std::process::Command;

/// Returns the path of the program. Cargo builds it with the tests.
pub fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let path = test.parent().unwrap().with_file_name("examples").join("speaker");
    assert!(path.exists(), "{} is missing: run `cargo build -p ringtrace --examples`", path.display());
    path
}

/// Returns the program's standard output, or if it fails, its standard error.
pub fn speak(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(program()).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    if output.status.success() {
        let warnings = text(output.stderr);
        assert_eq!(warnings, "", "{arguments:?}");
        Ok(text(output.stdout))
    } else {
        Err(text(output.stderr))
    }
}
