//! Recovers the events that killed processes left in memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use ringtrace::announcement::Announcement;
use ringtrace_tracefile::recover::{ArenaFile, ProcessState, gather};

use crate::arenas;
use crate::output::Overwrite;
use crate::terminal::Terminal;

/// How long to wait for a process that is ending. The kernel may still release its memory, or write
/// a core file.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The time between two checks of a process that is ending.
const INTERVAL: Duration = Duration::from_millis(10);

/// The flag of a process that is ending, in the ninth field of `/proc/PID/stat`.
const PF_EXITING: u64 = 4;

/// The bit of SIGKILL in a set of signals.
const SIGKILL_BIT: u64 = 1 << 8;

/// The outcome of a process that did not finish its trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessOutcome {
    /// The process was killed. This many events were still in memory, and are now in its trace.
    Recovered(u64),
    /// The process was killed, and its events could not be recovered.
    NotRecovered,
    /// The process is running, and continues its trace.
    Running,
}

/// Adds the traces in which processes continued, if they were killed before they announced them.
pub fn add_unannounced(traces: &mut Vec<Announcement>) {
    for at in 0..traces.len() {
        let Some(trace) = current_trace(&traces[at].arena) else { continue };
        let current = Announcement { trace, ..traces[at].clone() };
        if !traces.contains(&current) {
            traces.push(current);
        }
    }
}

/// Returns the trace file to which the process of `arena` writes, or wrote when it was killed.
fn current_trace(arena: &Path) -> Option<PathBuf> {
    let processes = gather(vec![ArenaFile::open(arena).ok()?]).ok()?;
    processes.first()?.trace_path().map(Path::to_path_buf)
}

/// Recovers the events of `trace` that are still in memory. Returns `None` if the process finished
/// the trace.
pub fn recover_killed(trace: &Announcement, terminal: &Terminal) -> Option<ProcessOutcome> {
    // A process that exits normally removes its arenas.
    let mut arena = ArenaFile::open(&trace.arena).ok()?;
    if current_trace(&trace.arena).is_some_and(|current| current != trace.trace) {
        // The process has finished this trace, and continues in another file.
        return None;
    }
    let deadline = Instant::now() + TIMEOUT;
    let mut is_first = true;
    while arena.is_alive() {
        // While a process ends, it may briefly look as if it were running.
        if !is_ending(trace.pid) && !is_first || Instant::now() > deadline {
            return Some(ProcessOutcome::Running);
        }
        is_first = false;
        thread::sleep(INTERVAL);
        arena = ArenaFile::open(&trace.arena).ok()?;
    }
    // Rewrite the trace: the file's contents, followed by the events from memory.
    let process = arenas::process_of(&trace.arena, trace.pid, terminal);
    let has_ended = process.as_ref().is_ok_and(|process| process.state() == ProcessState::Unwritten);
    let recovered = process.and_then(|process| {
        let (recovered, _) = arenas::recover(&process, &trace.trace, Overwrite::ALWAYS, false, terminal)?;
        Ok((recovered, process))
    });
    match recovered {
        Ok((recovered, process)) => {
            // If an arena cannot be removed, a later `ringtrace recover` can still remove it.
            process.segments().iter().for_each(|segment| drop(segment.remove()));
            Some(ProcessOutcome::Recovered(recovered.ring_records))
        }
        Err(failure) => {
            let how = match has_ended {
                true => "could not write its last events, which",
                false => "was killed, and its events",
            };
            terminal.warn(
                &format!("process {} {how} are still in memory: {}", trace.pid, failure.message),
                Some(&format!(
                    "to try again, run `ringtrace recover {}`",
                    arenas::argument(&trace.arena, trace.pid)
                )),
            );
            Some(ProcessOutcome::NotRecovered)
        }
    }
}

/// Returns whether a process was killed or is exiting, although it still exists. The started
/// program may end before a process that it has killed.
fn is_ending(pid: u32) -> bool {
    let Ok(status) = fs::read_to_string(format!("/proc/{pid}/status")) else { return true };
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.unwrap_or_default().trim()
    };
    let is_killed = |set: &str| u64::from_str_radix(set, 16).is_ok_and(|set| set & SIGKILL_BIT != 0);
    if field("State").starts_with(['Z', 'X'])
        || field("CoreDumping") == "1"
        || is_killed(field("SigPnd"))
        || is_killed(field("ShdPnd"))
    {
        return true;
    }
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return true };
    // The name of the program, in parentheses, may contain spaces.
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let flags = fields.split(' ').nth(6).and_then(|flags| flags.parse::<u64>().ok());
    flags.is_some_and(|flags| flags & PF_EXITING != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_running_process_is_not_ending_and_a_zombie_is() {
        assert!(!is_ending(std::process::id()));
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while !is_ending(child.id()) {
            assert!(Instant::now() < deadline);
            thread::sleep(INTERVAL);
        }
        child.wait().unwrap();
        assert!(is_ending(child.id()));
    }
}
