//! Programs that a test creates and starts.
//!
//! Another process writes them. If this process did, a test on another thread could start a process at
//! that moment, which has the open file until it calls `exec`, and "text file busy" would be the result.

use std::path::Path;
use std::process::Command;

/// Creates an executable script with the contents `text`.
pub fn create_script(path: &Path, text: &str) {
    run(Command::new("sh").args(["-c", r#"printf %s "$1" > "$2" && chmod 755 "$2""#, "sh", text]).arg(path));
}

/// Copies an executable program.
pub fn copy(from: &Path, to: &Path) {
    run(Command::new("cp").arg(from).arg(to));
}

fn run(command: &mut Command) {
    assert!(command.status().unwrap().success(), "{command:?}");
}
