//! A line that says how recording goes, for somebody who waits at a terminal that the program can write to, too.
//!
//! The line stands by itself, with the cursor below it, where the program's next output begins: what the program writes is whole. From
//! then on the line is left alone, and a new one is begun when the program has been quiet for some time: twice as long each time, so that
//! a program that speaks every now and then is not answered by us each time. Where a program asks or draws (no echo, or keys one by
//! one), or another job has the terminal, nothing is shown.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ringtrace_tracefile::recover::ArenaFile;
use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
use rustix::io::Errno;
use rustix::termios::{LocalModes, tcgetattr, tcgetpgrp};

use super::traces::{self, RunTraces};
use crate::monitor::Client;
use crate::quantity::{bytes, count, counted};
use crate::sync::{StopFlag, lock};
use crate::terminal::{self, Terminal};
use crate::trace_status::TraceStatus;

/// Who ends sooner need not be shown.
const QUIET_TIME: Duration = Duration::from_secs(1);

/// A program that does not answer within this is shown by what its files tell.
const MONITOR_TIMEOUT: Duration = Duration::from_millis(500);

/// Between two looks.
const STEP: Duration = Duration::from_millis(250);

/// Shows how recording goes, until it is dropped.
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

/// What is shown.
struct Updater {
    started: Instant,
    colour: bool,
    reader: CountReader,
}

/// How far recording is.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    traces: usize,
    is_flight_recorder: bool,
    /// `None`: not every program tells.
    events: Option<u64>,
    bytes: u64,
    dropped: u64,
}

impl StatusLine {
    /// Begins, if standard error is a terminal that tells who writes to it.
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
        let reader = CountReader {
            list: traces.list(),
            keeps_newest: traces.is_flight_recorder(),
            clients: HashMap::new(),
        };
        let mut start = Updater { started: now, colour: terminal.colour_err, reader };
        let (watched, shared) = (Arc::clone(&stop), Arc::clone(&line));
        let thread = thread::Builder::new().name("progress".to_owned());
        let thread = thread.spawn(move || start.run(&watched, &shared)).ok()?;
        Some(StatusLine { stop, line, thread: Some(thread) })
    }

    /// Takes the line away, for the program is about to be stopped.
    pub fn clear(&self) {
        lock(&self.line).clear();
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        self.stop.set();
        if let Some(thread) = self.thread.take() {
            // It shows, no more: whatever happened to it changes nothing.
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
                let counts = self.reader.look();
                line.put(&text(&counts, self.started.elapsed(), width), width, self.colour);
            }
        }
    }
}

impl TerminalLine {
    fn may_be_put(&mut self) -> bool {
        self.notice_writing();
        self.quiet_since.elapsed() >= self.quiet_time && is_ours_alone()
    }

    /// What others have written stands below the line, which stays where it is.
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
            // From wherever the cursor is to the start of a line: blanks that fill one end in the next, but for those that began at its start.
            let blanks = " ".repeat(width);
            write(&format!("{blanks}\r{text}\x1b[K\n"));
        }
        self.is_shown = true;
        // That was this process itself.
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

/// Watches the terminal that standard error is.
#[derive(Debug)]
pub struct TerminalWatch {
    events: OwnedFd,
}

impl TerminalWatch {
    /// Begins to watch; `None` where the system does not tell.
    pub fn begin() -> Option<TerminalWatch> {
        let path = fs::read_link("/proc/self/fd/2").ok()?;
        let events = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok()?;
        inotify::add_watch(&events, path, WatchFlags::MODIFY).ok()?;
        Some(TerminalWatch { events })
    }

    /// Whether anything was written since this was asked last.
    pub fn was_written(&self) -> bool {
        let mut buffer = [MaybeUninit::uninit(); 1024];
        let mut reader = inotify::Reader::new(&self.events, &mut buffer);
        let mut any = false;
        loop {
            match reader.next() {
                Ok(_) => any = true,
                Err(Errno::INTR) => {}
                Err(_) => return any,
            }
        }
    }
}

/// Whether the terminal is this job's, and shows lines as they are written and typed.
fn is_ours_alone() -> bool {
    let stderr = io::stderr();
    let plain = tcgetattr(&stderr)
        .is_ok_and(|modes| modes.local_modes.contains(LocalModes::ICANON | LocalModes::ECHO));
    plain && tcgetpgrp(&stderr).is_ok_and(|group| group == rustix::process::getpgrp())
}

fn write(text: &str) {
    let mut stderr = io::stderr().lock();
    // A closed standard error leaves nobody to tell.
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

/// Asks programs that record how far they are.
#[derive(Debug)]
struct CountReader {
    list: PathBuf,
    keeps_newest: bool,
    clients: HashMap<u32, Client>,
}

impl CountReader {
    fn look(&mut self) -> Counts {
        let mut counts =
            Counts { events: Some(0), is_flight_recorder: self.keeps_newest, ..Counts::default() };
        // The totals of a process are of all its traces.
        let mut told: HashMap<u32, Option<TraceStatus>> = HashMap::new();
        for trace in traces::read(&self.list) {
            counts.traces += 1;
            counts.bytes += fs::metadata(&trace.trace).map_or(0, |found| found.len());
            if told.contains_key(&trace.pid) {
                continue;
            }
            let recording = self.ask(trace.pid);
            let asked = recording.as_ref();
            counts.events = counts.events.zip(asked).map(|(sum, asked)| sum + asked.recorded);
            counts.dropped += asked.map_or_else(|| dropped(&trace.arena), |asked| asked.dropped);
            counts.is_flight_recorder |= asked.is_some_and(|asked| asked.policy == "overwrite");
            told.insert(trace.pid, recording);
        }
        counts
    }

    /// What the monitor of process `pid` says, if it has one.
    fn ask(&mut self, pid: u32) -> Option<TraceStatus> {
        if !self.clients.contains_key(&pid) {
            let client =
                Client::connect_within(&traces::socket(&self.list, &pid.to_string()), MONITOR_TIMEOUT);
            self.clients.insert(pid, client.ok()?);
        }
        let recording = TraceStatus::query(self.clients.get_mut(&pid)?);
        if recording.is_err() {
            self.clients.remove(&pid);
        }
        recording.ok()
    }
}

/// How many events the process of an arena has dropped, 0 when it is gone.
fn dropped(arena: &Path) -> u64 {
    ArenaFile::open(arena).ok().and_then(|arena| arena.dropped().ok()).unwrap_or(0)
}

/// `12 s`, `3 min 4 s`, `5 h 6 min`.
fn seconds(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// `recording for 12 s: 310,000 events, 34.5 MiB, 1,234 dropped`, one column less than `width`.
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
    fn the_line_says_what_is_known() {
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
