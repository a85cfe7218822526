//! The last events of a killed program match its last output.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::process::Command;

#[test]
fn the_last_events_of_a_killed_program_are_recovered() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_flight")).arg(folder.path()).output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(stdout.matches("the trace ends with msg_ack of ").count(), 3, "{stdout}");
    assert!(stdout.contains("No event is missing at the end.\n"), "{stdout}");
    // The program removes the rings after the recovery.
    let left = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut left: Vec<_> = left.map(|name| name.into_string().unwrap()).collect();
    left.sort();
    assert_eq!(left, ["broker.trace", "flight.trace"]);
}
