//! The cost of starting and ending a process that records one event, compared with the same process
//! without tracing.

use std::process::{Command, Stdio};

use ringtrace::{Settings, session};
use ringtrace_benches::recording::stopwatch::time_ns;

use crate::{control, probes};

/// Number of processes of each side in a round.
const TIMES: usize = 25;

/// Measures processes with and without tracing alternately. With `many`, they have 6,011 events
/// instead of a few.
///
/// # Errors
/// Fails if a process cannot be run or fails.
pub fn turns(rounds: usize, many: bool) -> Result<(), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let events = if many { "many" } else { "few" };
    let mut added_ns = Vec::new();
    for _ in 0..rounds {
        let mut sides = [("traced", Vec::new()), ("untraced", Vec::new())];
        for number in 0..2 * TIMES {
            let (side, times_ns) = &mut sides[(number + number / 2) % 2];
            let mut command = Command::new(&program);
            command.args(["turn", "start", side, events]).stdout(Stdio::null());
            let mut status = None;
            times_ns.push(time_ns(|| status = Some(command.status())));
            match status {
                Some(Ok(status)) if status.success() => {}
                Some(Err(error)) => return Err(error.to_string()),
                _ => return Err(format!("a {side} process failed")),
            }
        }
        let [ours_ns, theirs_ns] = sides.map(|(_, times_ns)| control::median(times_ns));
        added_ns.push(ours_ns - theirs_ns);
        println!("round {ours_ns:.0} {theirs_ns:.0} {:.4}", ours_ns / theirs_ns);
    }
    println!(
        "note start, one event and exit: {:.2} ms more than without tracing",
        control::median(added_ns) / 1e6
    );
    Ok(())
}

/// Does the measured work, in the process that [`turns`] started.
///
/// # Errors
/// Fails if tracing cannot be started.
pub fn turn(side: &str, events: &str) -> Result<(), String> {
    if events == "many" {
        ringtrace::probe::register(control::group(false));
    }
    if side == "traced" {
        ringtrace::set_enabled("*", true);
        let settings = Settings { file: Some("/dev/null".into()), ..Settings::default() };
        let guard = session::start(settings).map_err(|error| error.to_string())?;
        probes::two(1);
        drop(guard);
    }
    Ok(())
}
