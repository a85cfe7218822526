//! The traces of a signal handler, forked processes and a thousand short-lived threads account for
//! every event.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::process::Command;

#[test]
fn all_events_are_accounted_for() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_life")).arg(folder.path()).output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(stdout.matches("life.trace").count(), 6, "{stdout}");
    assert!(stdout.contains("all events are accounted for\n"), "{stdout}");
}
