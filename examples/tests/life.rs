//! A signal handler, forks and a thousand short-lived threads: nothing that happens is missing in the traces.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::process::Command;

#[test]
fn a_life_is_told_to_the_last_event() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_life")).arg(folder.path()).output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(stdout.matches("life.trace").count(), 6, "{stdout}");
    assert!(stdout.contains("all events are accounted for\n"), "{stdout}");
}
