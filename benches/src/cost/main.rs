//! Measures the cost of recording for the thread that emits events, in alternation with equivalent
//! handwritten code. `cargo xtask bench` runs it in a new process for each case, because a process
//! has only one session.
//!
//! ```text
//! cost NAME ROUNDS    prints a line `round OURS_NS THEIRS_NS FIGURE` for each round, then `note TEXT`;
//!                     or `skipped REASON`
//! ```

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod cases;
mod control;
mod original;
mod policies;
mod probes;
mod recorder;
mod start;
mod sustained;
mod threads;
mod turn;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["turn", rest @ ..] => turn::run(rest),
        [name, rounds] => match (cases::CASES.iter().find(|case| case.0 == *name), rounds.parse()) {
            (Some(case), Ok(rounds)) => (case.1)(rounds),
            _ => return usage(),
        },
        _ => return usage(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: cost NAME ROUNDS, where NAME is one of");
    cases::CASES.iter().for_each(|case| eprintln!("  {}", case.0));
    ExitCode::from(2)
}
