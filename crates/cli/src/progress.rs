//! A progress line on standard error.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ringtrace_tracefile::Reader;

use crate::sync::StopFlag;
use crate::terminal::{self, Terminal};

/// The progress line appears only if reading takes longer than this.
const DELAY: Duration = Duration::from_secs(1);

const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// On terminals narrower than this, the line has no bar.
const BAR_MIN_WIDTH: usize = 80;

/// A progress line, shown until it is dropped.
#[derive(Debug)]
pub struct Progress {
    stop: Arc<StopFlag>,
    thread: Option<JoinHandle<()>>,
}

/// The number of bytes read so far, and the size of the file if it is known.
type Counter = (Arc<AtomicU64>, Option<u64>);

impl Progress {
    /// Shows the progress of `readers` if standard error is a terminal. Shows nothing if the
    /// command also writes text to a terminal (`writing`).
    pub fn watch<'r>(
        readers: impl IntoIterator<Item = &'r Reader>,
        writing: bool,
        terminal: &Terminal,
    ) -> Option<Progress> {
        let counter = |reader: &Reader| (reader.progress(), reader.file_bytes());
        let counters: Vec<Counter> = readers.into_iter().map(counter).collect();
        if (writing && terminal.shown) || counters.is_empty() {
            None
        } else {
            Progress::show(counters, terminal)
        }
    }

    /// Shows the progress of `readers`, and of `others` with their total numbers of bytes.
    pub fn watch_all<'r>(
        readers: impl IntoIterator<Item = &'r Reader>,
        others: impl IntoIterator<Item = (Arc<AtomicU64>, u64)>,
        terminal: &Terminal,
    ) -> Option<Progress> {
        let readers = readers.into_iter().map(|reader| (reader.progress(), reader.file_bytes()));
        let others = others.into_iter().map(|(done, total)| (done, Some(total)));
        Progress::show(readers.chain(others).collect(), terminal)
    }

    /// Shows the progress of other work: `done` of `total` bytes.
    pub fn count(done: Arc<AtomicU64>, total: u64, terminal: &Terminal) -> Option<Progress> {
        Progress::show(vec![(done, Some(total))], terminal)
    }

    fn show(counters: Vec<Counter>, terminal: &Terminal) -> Option<Progress> {
        if !terminal.watched {
            return None;
        }
        let stop = Arc::new(StopFlag::default());
        let (watched, colour, unicode) = (Arc::clone(&stop), terminal.colour_err, terminal.unicode);
        let run = move || {
            if !watched.wait(DELAY) {
                let width = terminal::columns(std::io::stderr()).unwrap_or(80);
                let total = counters.iter().map(|(_, bytes)| *bytes).sum();
                let bar = bar(ProgressDrawTarget::stderr(), total, width, colour, unicode);
                show(&bar.with_elapsed(DELAY), &counters, &watched);
            }
        };
        // If the thread cannot be started, no progress is shown.
        let thread = thread::Builder::new().name("progress".to_owned()).spawn(run).ok()?;
        Some(Progress { stop, thread: Some(thread) })
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.stop.set();
        if let Some(thread) = self.thread.take() {
            // Ignore a panic of the thread: it affects only the display.
            let _ = thread.join();
        }
    }
}

fn show(bar: &ProgressBar, counters: &[Counter], stop: &StopFlag) {
    loop {
        let read = counters.iter().map(|(counter, _)| counter.load(Ordering::Relaxed)).sum();
        // A trace is read twice if it is sorted, or if its smallest timestamp must be known in
        // advance.
        if read < bar.position() {
            bar.reset();
        }
        bar.set_position(read);
        if stop.wait(POLL_INTERVAL) {
            return bar.finish_and_clear();
        }
    }
}

/// Creates a bar such as ` 45% ████░░░░ 412.00 MiB of 915.00 MiB, 1.20 GiB/s, 4s left`.
fn bar(
    target: ProgressDrawTarget,
    total: Option<u64>,
    width: usize,
    colour: bool,
    unicode: bool,
) -> ProgressBar {
    let total = total.filter(|&total| total > 0);
    let template = match total {
        None => "{bytes} read, {bytes_per_sec}, {elapsed}",
        Some(_) if width < BAR_MIN_WIDTH => {
            "{percent:>3}% {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left"
        }
        Some(_) => "{percent:>3}% {bar:24} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
    };
    let template = if colour { format!("\x1b[36m{template}\x1b[0m") } else { template.to_owned() };
    // The templates are constants, and a test parses them.
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let marks = if unicode { "\u{2588}\u{2591}" } else { "#." };
    ProgressBar::with_draw_target(total, target).with_style(style.progress_chars(marks))
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Mutex;

    use indicatif::TermLike;

    use super::*;
    use crate::sync::lock;

    /// A terminal that stores the last line.
    #[derive(Debug, Clone, Default)]
    struct FakeTerminal {
        line: Arc<Mutex<String>>,
    }

    impl TermLike for FakeTerminal {
        fn width(&self) -> u16 {
            100
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, line: &str) -> io::Result<()> {
            self.write_str(line)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            lock(&self.line).push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            lock(&self.line).clear();
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Returns two lines: the progress line after `read` of `total` bytes, and the line that
    /// remains when the bar is finished.
    fn lines(read: u64, total: Option<u64>, width: usize) -> [String; 2] {
        let terminal = FakeTerminal::default();
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let bar = bar(target, total, width, false, false);
        let (shown, stop) = (Arc::clone(&terminal.line), Arc::new(StopFlag::default()));
        let counters = [(Arc::new(AtomicU64::new(read)), total)];
        let thread = thread::spawn({
            let stop = Arc::clone(&stop);
            move || show(&bar, &counters, &stop)
        });
        let line = loop {
            let line = lock(&shown).trim_end().to_owned();
            if line.contains("MiB") {
                break line;
            }
            thread::sleep(Duration::from_millis(1));
        };
        stop.set();
        thread.join().unwrap();
        let after = lock(&shown).clone();
        [line, after]
    }

    #[test]
    fn a_line_fits_the_terminal_and_is_cleared() {
        let mib = 1 << 20;
        for (read, total, width, expected) in [
            (64 * mib, Some(256 * mib), 99, " 25% ######.................. 64.00 MiB of 256.00 MiB, "),
            (64 * mib, Some(256 * mib), 60, " 25% 64.00 MiB of 256.00 MiB, "),
            (999 * mib, Some(256 * mib), 60, "100% 999.00 MiB of 256.00 MiB, "),
            (64 * mib, None, 99, "64.00 MiB read, "),
            (64 * mib, Some(0), 99, "64.00 MiB read, "),
        ] {
            let [line, after] = lines(read, total, width);
            assert!(line.starts_with(expected), "{line}");
            assert!(line.chars().count() < width, "{line}");
            assert_eq!(after, "");
        }
    }
}
