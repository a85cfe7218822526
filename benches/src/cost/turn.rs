//! Measurements that run in separate processes, because a process can have only one session.

use std::process::Command;

use crate::{policies, start, sustained};

/// Runs this program for one measurement. Returns the numbers that it prints.
///
/// # Errors
/// Fails if the program cannot be run, or if it fails. In the latter case, the message contains the
/// program's own message.
pub fn numbers<const N: usize>(words: &[&str]) -> Result<[f64; N], String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(program).arg("turn").args(words).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        let first = stderr.lines().next().unwrap_or("no error message");
        return Err(format!("{}: {first} ({})", words.join(" "), output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let found: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    found.try_into().map_err(|_| format!("{}: unexpected output {text:?}", words.join(" ")))
}

/// Makes one measurement, in the process that [`numbers`] started.
///
/// # Errors
/// Fails if `words` are unknown, or the measurement fails.
pub fn run(words: &[&str]) -> Result<(), String> {
    match words {
        ["policy", policy] => policies::turn(policy),
        ["start", side, events] => start::turn(side, events),
        ["sustained", side, output, events] => sustained::turn(side, output, events),
        _ => Err(format!("unknown measurement `{}`", words.join(" "))),
    }
}
