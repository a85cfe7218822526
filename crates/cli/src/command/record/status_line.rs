//! A status line about the recording, on a terminal that the program may also write to.
//!
//! The line ends with a line feed, so the program's output starts on the next line and remains
//! intact. Once the program has written something, the line is no longer updated. A new status line
//! appears when the program has been quiet for some time. This time doubles with each output, so
//! that a program that writes now and then does not get a status line after every output. No status
//! line appears while the program reads a password or single keys, or while another job owns the
//! terminal.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ringtrace_tracefile::recover::ArenaFile;
use rustix::termios::{LocalModes, tcgetattr, tcgetpgrp};

use super::quiet::TerminalWatch;
use super::traces::{self, RunTraces};
use crate::monitor::Client;
use crate::quantity::{bytes, count, counted};
use crate::sync::{StopFlag, lock};
use crate::terminal::{self, Terminal};
use crate::trace_status::TraceStatus;

/// A run shorter than this shows no status line. Also the initial quiet time.
const QUIET_TIME: Duration = Duration::from_secs(1);

/// If the monitor does not answer within this time, the counts are taken from the files.
const MONITOR_TIMEOUT: Duration = Duration::from_millis(500);

/// The time between two updates.
const STEP: Duration = Duration::from_millis(250);

/// Shows the progress of recording until it is dropped.
#[derive(Debug)]
pub struct StatusLine {
    stop: Arc<StopFlag>,
    line: Arc<Mutex<TerminalLine>>,
    thread: Option<JoinHandle<()>>,
}

/// The line on the terminal.
#[derive(Debug)]
struct TerminalLine {
    watch: TerminalWatch,
    is_shown: bool,
    quiet_since: Instant,
    quiet_time: Duration,
}

/// Reads counters from the monitors and files of the recorded processes.
struct Updater {
    started: Instant,
    colour: bool,
    /// The file in which programs announce their traces.
    list: PathBuf,
    is_flight_recorder: bool,
    clients: HashMap<u32, Client>,
}

/// The progress of recording.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    traces: usize,
    is_flight_recorder: bool,
    /// `None` if a program does not report the number.
    events: Option<u64>,
    bytes: u64,
    dropped: u64,
}

impl StatusLine {
    /// Starts the display if standard error is a terminal that can be watched.
    pub fn start(traces: &RunTraces<'_>, terminal: &Terminal) -> Option<StatusLine> {
        if !terminal.watched {
            return None;
        }
        let now = Instant::now();
        let line = TerminalLine {
            watch: TerminalWatch::begin()?,
            is_shown: false,
            quiet_since: now,
            quiet_time: QUIET_TIME,
        };
        let (stop, line) = (Arc::new(StopFlag::default()), Arc::new(Mutex::new(line)));
        let mut updater = Updater {
            started: now,
            colour: terminal.colour_err,
            list: traces.list(),
            is_flight_recorder: traces.is_flight_recorder(),
            clients: HashMap::new(),
        };
        let (watched, shared) = (Arc::clone(&stop), Arc::clone(&line));
        let thread = thread::Builder::new().name("progress".to_owned());
        let thread = thread.spawn(move || updater.run(&watched, &shared)).ok()?;
        Some(StatusLine { stop, line, thread: Some(thread) })
    }

    /// Removes the line before the program is stopped.
    pub fn clear(&self) {
        lock(&self.line).clear();
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        self.stop.set();
        if let Some(thread) = self.thread.take() {
            // A panic of the display thread must not change the result.
            let _ = thread.join();
        }
        self.clear();
    }
}

impl Updater {
    fn run(&mut self, stop: &StopFlag, line: &Mutex<TerminalLine>) {
        while !stop.wait(STEP) {
            let mut line = lock(line);
            if line.may_be_put() {
                let width = terminal::columns(io::stderr()).unwrap_or(80);
                let counts = self.counts();
                line.put(&text(&counts, self.started.elapsed(), width), width, self.colour);
            }
        }
    }

    fn counts(&mut self) -> Counts {
        let mut counts =
            Counts { events: Some(0), is_flight_recorder: self.is_flight_recorder, ..Counts::default() };
        // The monitor's totals cover all traces of a process, so count each process once.
        let mut seen = HashSet::new();
        for trace in traces::read(&self.list) {
            counts.traces += 1;
            counts.bytes += std::fs::metadata(&trace.trace).map_or(0, |found| found.len());
            if !seen.insert(trace.pid) {
                continue;
            }
            let status = self.query(trace.pid);
            let status = status.as_ref();
            counts.events = counts.events.zip(status).map(|(sum, status)| sum + status.recorded);
            counts.dropped += status.map_or_else(|| dropped(&trace.arena), |status| status.dropped);
            counts.is_flight_recorder |= status.is_some_and(|status| status.policy == "overwrite");
        }
        counts
    }

    /// Queries the monitor of process `pid`. Returns `None` if it has no monitor.
    fn query(&mut self, pid: u32) -> Option<TraceStatus> {
        if !self.clients.contains_key(&pid) {
            let client =
                Client::connect_within(&traces::socket(&self.list, &pid.to_string()), MONITOR_TIMEOUT);
            self.clients.insert(pid, client.ok()?);
        }
        let status = TraceStatus::query(self.clients.get_mut(&pid)?);
        if status.is_err() {
            self.clients.remove(&pid);
        }
        status.ok()
    }
}

impl TerminalLine {
    fn may_be_put(&mut self) -> bool {
        self.notice_writing();
        self.quiet_since.elapsed() >= self.quiet_time && is_ours_alone()
    }

    /// If another process has written to the terminal, leaves the line as it is and doubles the
    /// quiet time.
    fn notice_writing(&mut self) {
        if self.watch.was_written() {
            self.quiet_since = Instant::now();
            self.quiet_time = (self.quiet_time * 2).max(2 * QUIET_TIME);
            self.is_shown = false;
        }
    }

    fn put(&mut self, text: &str, width: usize, colour: bool) {
        let text = if colour { format!("\x1b[36m{text}\x1b[0m") } else { text.to_owned() };
        if self.is_shown {
            write(&format!("\x1b[A\r{text}\x1b[K\n"));
        } else {
            // Move to the start of an empty line, wherever the cursor is. Writing as many spaces as
            // the terminal is wide wraps to the next line, unless the cursor was in column 0.
            let blanks = " ".repeat(width);
            write(&format!("{blanks}\r{text}\x1b[K\n"));
        }
        self.is_shown = true;
        // Discard the notification of our own write.
        self.watch.was_written();
    }

    fn clear(&mut self) {
        self.notice_writing();
        if self.is_shown && is_ours_alone() {
            write("\x1b[A\r\x1b[K");
            self.watch.was_written();
        }
        self.is_shown = false;
    }
}

/// Returns whether this job owns the terminal, and the terminal is in its normal mode: it echoes
/// input and reads it line by line.
fn is_ours_alone() -> bool {
    let stderr = io::stderr();
    let plain = tcgetattr(&stderr)
        .is_ok_and(|modes| modes.local_modes.contains(LocalModes::ICANON | LocalModes::ECHO));
    plain && tcgetpgrp(&stderr).is_ok_and(|group| group == rustix::process::getpgrp())
}

fn write(text: &str) {
    let mut stderr = io::stderr().lock();
    // Errors cannot be reported if standard error is closed.
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

/// Returns the number of events that the arena's process dropped, or 0 if the arena no longer exists.
fn dropped(arena: &Path) -> u64 {
    ArenaFile::open(arena).ok().and_then(|arena| arena.dropped().ok()).unwrap_or(0)
}

/// Formats a duration like `12 s`, `3 min 4 s` or `5 h 6 min`.
fn seconds(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// Formats the status line so that it is shorter than `width`, like `recording for 12 s: 310,000
/// events, 34.5 MiB, 1,234 dropped`.
fn text(counts: &Counts, elapsed: Duration, width: usize) -> String {
    let time = seconds(elapsed.as_secs());
    let mut text = match counts.traces {
        0 => format!("running for {time}: nothing is recorded yet"),
        _ => format!("recording for {time}: "),
    };
    if counts.is_flight_recorder {
        text.push_str("the newest events are kept");
    } else if counts.traces > 0 {
        if let Some(events) = counts.events {
            text.push_str(&format!("{}, ", counted(events, "event", "events")));
        }
        text.push_str(&bytes(counts.bytes));
    }
    if counts.traces > 1 && !counts.is_flight_recorder {
        text.push_str(&format!(" in {} traces", counts.traces));
    }
    if counts.dropped > 0 {
        text.push_str(&format!(", {} dropped", count(counts.dropped)));
    }
    text.chars().take(width.saturating_sub(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_times_are_hours_and_minutes() {
        assert_eq!(seconds(7265), "2 h 1 min");
    }

    #[test]
    fn the_line_shows_what_is_known() {
        let line = |traces, events, dropped, width| {
            let counts = Counts { traces, events, bytes: 5 << 20, dropped, is_flight_recorder: false };
            text(&counts, Duration::from_millis(61_900), width)
        };
        assert_eq!(line(0, Some(0), 0, 80), "running for 1 min 1 s: nothing is recorded yet");
        assert_eq!(line(1, Some(1), 0, 80), "recording for 1 min 1 s: 1 event, 5.00 MiB");
        assert_eq!(line(1, None, 1234, 80), "recording for 1 min 1 s: 5.00 MiB, 1,234 dropped");
        assert_eq!(line(3, None, 0, 80), "recording for 1 min 1 s: 5.00 MiB in 3 traces");
        assert_eq!(line(3, Some(77_000), 9, 40), "recording for 1 min 1 s: 77,000 events,");
    }
}
