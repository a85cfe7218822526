//! A turn in a process of its own: what is compared cannot be in one process, because a process has one session.

use std::process::Command;

use crate::{policies, sustained};

/// Runs this program for one turn, and returns the numbers that it prints.
///
/// # Errors
/// When it cannot be run or fails: its own words.
pub fn numbers<const N: usize>(words: &[&str]) -> Result<[f64; N], String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(program).arg("turn").args(words).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let first = said.lines().next().unwrap_or("it says nothing");
        return Err(format!("{}: {first} ({})", words.join(" "), output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let found: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    found.try_into().map_err(|_| format!("{}: it says {text:?}", words.join(" ")))
}

/// One turn, in the process that [`numbers`] started.
///
/// # Errors
/// When it does not know `words`, or what they ask for cannot be done.
pub fn run(words: &[&str]) -> Result<(), String> {
    match words {
        ["policy", policy] => policies::turn(policy),
        ["sustained", side, output, events] => sustained::turn(side, output, events),
        _ => Err(format!("there is no turn `{}`", words.join(" "))),
    }
}
