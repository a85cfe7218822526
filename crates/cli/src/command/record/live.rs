//! A line that says how recording goes, for somebody who waits at a terminal that the program can write to, too.
//!
//! The line stands by itself, with the cursor below it, where the program's next output begins: what the program writes is whole. From
//! then on the line is left alone, and a new one is begun when the program has been quiet for some time: twice as long each time, so that
//! a program that speaks every now and then is not answered by us each time. Where a program asks or draws (no echo, or keys one by
//! one), or another job has the terminal, nothing is shown.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ringtrace_tracefile::recover::ArenaFile;
use rustix::termios::{LocalModes, tcgetattr, tcgetpgrp};

use super::quiet::Watch;
use super::traces::{self, Traces};
use crate::progress::{Done, seconds};
use crate::quantity::{bytes, count};
use crate::terminal::{self, Terminal};

/// Who ends sooner need not be shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// Between two looks.
const STEP: Duration = Duration::from_millis(250);

/// Shows how recording goes, until it is dropped.
#[derive(Debug)]
pub struct Live {
    done: Arc<Done>,
    line: Arc<Mutex<Line>>,
    thread: Option<JoinHandle<()>>,
}

/// The line on the terminal.
#[derive(Debug)]
struct Line {
    watch: Watch,
    is_shown: bool,
    /// When the program was last seen to write.
    quiet_since: Instant,
    /// How long it must have been quiet.
    patience: Duration,
}

/// What is shown.
struct Show {
    started: Instant,
    colour: bool,
    list: std::path::PathBuf,
}

/// How far recording is.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    traces: usize,
    bytes: u64,
    dropped: u64,
}

impl Live {
    /// Begins, if standard error is a terminal that tells who writes to it.
    pub fn show(traces: &Traces<'_>, terminal: &Terminal) -> Option<Live> {
        if !terminal.watched {
            return None;
        }
        let now = Instant::now();
        let line = Line { watch: Watch::begin()?, is_shown: false, quiet_since: now, patience: PATIENCE };
        let (done, line) = (Arc::new(Done::default()), Arc::new(Mutex::new(line)));
        let show = Show { started: now, colour: terminal.colour_err, list: traces.list() };
        let (watched, shared) = (Arc::clone(&done), Arc::clone(&line));
        let thread = thread::Builder::new().name("progress".to_owned());
        let thread = thread.spawn(move || show.run(&watched, &shared)).ok()?;
        Some(Live { done, line, thread: Some(thread) })
    }

    /// Takes the line away, for the program is about to be stopped.
    pub fn clear(&self) {
        self.line.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.done.set();
        if let Some(thread) = self.thread.take() {
            // It shows, no more: whatever happened to it changes nothing.
            let _ = thread.join();
        }
        self.clear();
    }
}

impl Show {
    fn run(&self, done: &Done, line: &Mutex<Line>) {
        while !done.wait(STEP) {
            let mut line = line.lock().unwrap_or_else(PoisonError::into_inner);
            if line.may_be_put() {
                let width = terminal::columns(io::stderr()).unwrap_or(80);
                let counts = look(&self.list);
                line.put(&text(&counts, self.started.elapsed(), width), width, self.colour);
            }
        }
    }
}

impl Line {
    fn may_be_put(&mut self) -> bool {
        self.notice_writing();
        self.quiet_since.elapsed() >= self.patience && is_ours_alone()
    }

    /// What others have written stands below the line, which stays where it is.
    fn notice_writing(&mut self) {
        if self.watch.was_written() {
            self.quiet_since = Instant::now();
            self.patience = (self.patience * 2).max(2 * PATIENCE);
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

/// What the traces that were begun hold by now.
fn look(list: &std::path::Path) -> Counts {
    let mut counts = Counts::default();
    for one in traces::read(list) {
        counts.traces += 1;
        counts.bytes += std::fs::metadata(&one.trace).map_or(0, |found| found.len());
        let arena = ArenaFile::open(&one.arena);
        counts.dropped += arena.ok().and_then(|arena| arena.dropped().ok()).unwrap_or(0);
    }
    counts
}

/// `recording for 12 s: 34.5 MiB, 1,234 events dropped`, one column less than `width`.
fn text(counts: &Counts, elapsed: Duration, width: usize) -> String {
    let time = seconds(elapsed.as_secs());
    let mut text = match counts.traces {
        0 => format!("running for {time}: nothing is recorded yet"),
        1 => format!("recording for {time}: {}", bytes(counts.bytes)),
        more => format!("recording for {time}: {} in {more} traces", bytes(counts.bytes)),
    };
    if counts.dropped > 0 {
        text.push_str(&format!(", {} dropped", count(counts.dropped)));
    }
    text.chars().take(width.saturating_sub(1)).collect()
}
