//! What measures the cost of recording does what it says: it prints rounds, and no event is missing.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests may; clippy knows only functions marked as tests"
)]

use std::process::Command;

/// Runs one round of `case`. `None`: it cannot be measured here, and that was said.
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
fn a_round_and_all_events(case: &str) {
    let Some(lines) = one_round(case) else { return };
    assert_eq!(lines.len(), 2, "{case}: {lines:?}");
    let (round, said) = (&lines[0], &lines[1]);
    assert_eq!(round.split(' ').count(), 4, "{case}: {round}");
    assert!(said.contains("all recorded"), "{case}: {said}");
}

#[test]
fn events_are_all_recorded_while_the_writer_thread_sleeps() {
    ["two", "coarse", "gettime", "string"].iter().for_each(|case| a_round_and_all_events(case));
}

#[test]
fn events_are_all_recorded_while_the_writer_thread_is_awake() {
    a_round_and_all_events("two-writer");
}

#[test]
fn events_from_c_and_from_rust_are_all_recorded() {
    ["in-c-two", "in-c-string"].iter().for_each(|case| a_round_and_all_events(case));
}

#[test]
fn events_of_two_threads_are_all_recorded() {
    a_round_and_all_events("threads");
}

#[test]
fn a_flight_recorder_counts_what_it_overwrites() {
    a_round_and_all_events("overwrite");
}

#[test]
fn all_events_are_switched_and_counted() {
    for case in ["control-switch", "control-text", "control-c", "control-status"] {
        let lines = one_round(case).unwrap();
        assert_eq!(lines[0].split(' ').count(), 4, "{case}: {lines:?}");
        assert!(lines[1].starts_with("said 6011 events, all "), "{case}: {lines:?}");
    }
}

#[test]
fn an_event_that_is_off_costs_a_time() {
    assert!(one_round("off").unwrap()[0].starts_with("round "));
}
