//! Running the program `tests/programs/speaker.rs`.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

use std::path::PathBuf;
use std::process::Command;

/// The program, which cargo builds with all tests.
pub fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let path = test.parent().unwrap().with_file_name("examples").join("speaker");
    assert!(path.exists(), "{} is missing: `cargo build -p ringtrace --examples` makes it", path.display());
    path
}

/// What it says on standard output, or, when it fails, on standard error.
pub fn speak(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(program()).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    if output.status.success() {
        let complaints = text(output.stderr);
        assert_eq!(complaints, "", "{arguments:?}");
        Ok(text(output.stdout))
    } else {
        Err(text(output.stderr))
    }
}
