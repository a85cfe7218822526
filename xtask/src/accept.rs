//! `cargo xtask accept`: what the golden tests get becomes what they expect.

use std::process::ExitCode;

use crate::check::{TESTS, run_tests};

/// Runs all tests with `RINGTRACE_ACCEPT=1`, in which those with golden files write them.
pub fn run() -> ExitCode {
    println!("== golden tests, accepting what they get");
    let outcome = run_tests(TESTS, &[("RINGTRACE_ACCEPT", "1")]);
    if let Some(output) = outcome.output {
        println!("{output}");
    }
    if outcome.tally.failed == 0 {
        println!("accepted; `git diff` shows what changed");
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
