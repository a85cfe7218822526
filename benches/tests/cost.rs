//! The program `cost` prints its measurements and loses no events.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::process::Command;

/// Runs one round of `case`. Returns `None` if it cannot be measured on this machine.
fn one_round(case: &str) -> Option<Vec<String>> {
    let output = Command::new(env!("CARGO_BIN_EXE_cost")).args([case, "1"]).output().unwrap();
    assert!(output.status.success(), "{case}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    if let Some(why) = text.strip_prefix("skipped ") {
        eprintln!("SKIPPED: {case}: {}", why.trim());
        return None;
    }
    Some(text.lines().map(str::to_owned).collect())
}

#[track_caller]
fn assert_all_recorded(case: &str) {
    let Some(lines) = one_round(case) else { return };
    assert_eq!(lines.len(), 2, "{case}: {lines:?}");
    let (round, note) = (&lines[0], &lines[1]);
    assert_eq!(round.split(' ').count(), 4, "{case}: {round}");
    assert!(note.contains("all recorded"), "{case}: {note}");
}

#[test]
fn all_events_are_recorded_while_the_writer_thread_sleeps() {
    ["two", "coarse", "gettime", "string"].iter().for_each(|case| assert_all_recorded(case));
}

#[test]
fn all_events_are_recorded_while_the_writer_thread_runs() {
    assert_all_recorded("two-writer");
}

#[test]
fn all_events_from_c_and_rust_are_recorded() {
    ["in-c-two", "in-c-string"].iter().for_each(|case| assert_all_recorded(case));
}

#[test]
fn all_events_of_two_threads_are_recorded() {
    assert_all_recorded("threads");
}

#[test]
fn a_flight_recorder_counts_overwritten_events() {
    assert_all_recorded("overwrite");
}

#[test]
fn all_events_are_switched_and_counted() {
    for case in ["control-switch", "control-text", "control-c", "control-status"] {
        let lines = one_round(case).unwrap();
        assert_eq!(lines[0].split(' ').count(), 4, "{case}: {lines:?}");
        assert!(lines[1].starts_with("note 6011 events, all "), "{case}: {lines:?}");
    }
}

#[test]
fn a_disabled_event_is_measured() {
    assert!(one_round("off").unwrap()[0].starts_with("round "));
}
