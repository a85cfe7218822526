//! A line on standard error that says how far reading is, for somebody who waits there.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ringtrace_tracefile::Reader;

use crate::quantity;
use crate::terminal::{self, Terminal};

/// Who gets an answer sooner need not be told.
const PATIENCE: Duration = Duration::from_secs(1);

/// Between two looks at how far it is.
const STEP: Duration = Duration::from_millis(100);

/// No bar is longer: it would grow and shrink with the numbers beside it.
const MAX_BAR_COLUMNS: usize = 24;

/// The speed is that of so many steps.
const SPEED_STEPS: usize = 30;

/// Shows how far reading is, until it is dropped.
#[derive(Debug)]
pub struct Progress {
    done: Arc<Done>,
    thread: Option<JoinHandle<()>>,
}

/// Whether there is nothing more to wait for.
#[derive(Debug, Default)]
pub struct Done {
    flag: Mutex<bool>,
    changed: Condvar,
}

impl Progress {
    /// Watches `readers`, if standard error is a terminal. `writing` says that text goes to standard output
    /// meanwhile: on one terminal, the two would be in each other's way.
    pub fn watch<'r>(
        readers: impl IntoIterator<Item = &'r Reader>,
        writing: bool,
        terminal: &Terminal,
    ) -> Option<Progress> {
        if !terminal.watched || (writing && terminal.shown) {
            return None;
        }
        let readers: Vec<_> =
            readers.into_iter().map(|reader| (reader.progress(), reader.file_bytes())).collect();
        if readers.is_empty() {
            return None;
        }
        let done = Arc::new(Done::default());
        let mut show = Show {
            readers,
            steps: VecDeque::new(),
            started: Instant::now(),
            colour: terminal.colour_err,
            unicode: terminal.unicode,
        };
        let watched = Arc::clone(&done);
        let thread = thread::Builder::new().name("progress".to_owned()).spawn(move || show.run(&watched));
        // Without a thread nothing is shown.
        Some(Progress { done, thread: Some(thread.ok()?) })
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.done.set();
        if let Some(thread) = self.thread.take() {
            // It shows, no more: whatever happened to it changes nothing.
            let _ = thread.join();
        }
    }
}

impl Done {
    /// It is done.
    pub fn set(&self) {
        *self.flag.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }

    /// Waits for `time` at most, and says whether it is done.
    pub fn wait(&self, time: Duration) -> bool {
        let flag = self.flag.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_timeout_while(flag, time, |done| !*done);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// What is shown.
struct Show {
    /// Bytes read so far, and of the whole file where that is known.
    readers: Vec<(Arc<AtomicU64>, Option<u64>)>,
    /// The bytes read at the last steps.
    steps: VecDeque<(Instant, u64)>,
    started: Instant,
    colour: bool,
    unicode: bool,
}

impl Show {
    fn run(&mut self, done: &Done) {
        if done.wait(PATIENCE) {
            return;
        }
        loop {
            let (read, all) = self.look();
            let width = terminal::columns(io::stderr()).unwrap_or(80);
            let line = line(read, all, self.bytes_per_s(), self.started.elapsed(), width, self.unicode);
            let line = if self.colour { format!("\x1b[36m{line}\x1b[0m") } else { line };
            put(&format!("\r{line}\x1b[K"));
            if done.wait(STEP) {
                put("\r\x1b[K");
                return;
            }
        }
    }

    /// Bytes read, and of all files where that is known.
    fn look(&mut self) -> (u64, Option<u64>) {
        let read = self.readers.iter().map(|(counter, _)| counter.load(Ordering::Relaxed)).sum();
        // What is sorted, or has times from the smallest one, is read twice: the second time begins.
        if self.steps.back().is_some_and(|&(_, before)| read < before) {
            self.steps.clear();
            self.started = Instant::now();
        }
        self.steps.push_back((Instant::now(), read));
        if self.steps.len() > SPEED_STEPS {
            self.steps.pop_front();
        }
        (read, self.readers.iter().map(|(_, bytes)| *bytes).sum())
    }

    fn bytes_per_s(&self) -> f64 {
        let (Some(first), Some(last)) = (self.steps.front(), self.steps.back()) else { return 0.0 };
        let (since, before) = if self.steps.len() > 1 { *first } else { (self.started, 0) };
        last.1.saturating_sub(before) as f64 / last.0.duration_since(since).as_secs_f64().max(1e-3)
    }
}

fn put(text: &str) {
    let mut stderr = io::stderr().lock();
    // A closed standard error leaves nobody to tell.
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

/// `45% ████████░░░░░░░░ 412 MiB of 915 MiB, 1.20 GiB/s, 4 s left`, one column less than `width`.
fn line(
    read: u64,
    all: Option<u64>,
    bytes_per_s: f64,
    elapsed: Duration,
    width: usize,
    unicode: bool,
) -> String {
    let speed = format!("{}/s", quantity::bytes(bytes_per_s as u64));
    let Some(all) = all.filter(|&all| all > 0) else {
        return format!("{} read, {speed}, {}", quantity::bytes(read), seconds(elapsed.as_secs()));
    };
    let read = read.min(all);
    let share = read as f64 / all as f64;
    let left = (all - read) as f64 / bytes_per_s.max(1.0);
    // A day and more is no estimate.
    let left =
        if left < 86_400.0 { format!(", {} left", seconds(left.ceil() as u64)) } else { String::new() };
    let head = format!("{:>3.0}% ", (share * 100.0).floor());
    let tail = format!(" {} of {}, {speed}{left}", quantity::bytes(read), quantity::bytes(all));
    let columns = width.saturating_sub(1 + head.chars().count() + tail.chars().count());
    match columns {
        0..5 => head + tail.trim_start(),
        _ => {
            let columns = columns.min(MAX_BAR_COLUMNS);
            let full = (share * columns as f64) as usize;
            let (full_mark, empty_mark) = if unicode { ("\u{2588}", "\u{2591}") } else { ("#", ".") };
            head + &full_mark.repeat(full) + &empty_mark.repeat(columns - full) + &tail
        }
    }
}

/// `12 s`, `3 min 4 s`, `5 h 6 min`.
pub fn seconds(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_fits_the_terminal() {
        let gib = 1 << 30;
        let second = Duration::from_secs(1);
        for (width, expected) in [
            (99, " 25% ######.................. 256 MiB of 1.00 GiB, 100 MiB/s, 8 s left"),
            (60, " 25% ###.......... 256 MiB of 1.00 GiB, 100 MiB/s, 8 s left"),
            (40, " 25% 256 MiB of 1.00 GiB, 100 MiB/s, 8 s left"),
        ] {
            let got = line(gib / 4, Some(gib), 100.0 * 1_048_576.0, second, width, false);
            assert_eq!(got, expected);
        }
        assert_eq!(
            line(gib, None, 1e6, Duration::from_secs(75), 80, false),
            "1.00 GiB read, 977 KiB/s, 1 min 15 s"
        );
        assert_eq!(line(0, Some(gib), 0.0, second, 30, false), "  0% 0 B of 1.00 GiB, 0 B/s");
        assert_eq!(
            line(9 * gib, Some(gib), 1e9, second, 30, false),
            "100% 1.00 GiB of 1.00 GiB, 954 MiB/s, 0 s left"
        );
        assert_eq!(seconds(7265), "2 h 1 min");
    }
}
