//! How a text backend is doing: what it wrote, what it lost, how long it waits.

use std::fmt::Write;
use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::time::{ClockId, clock_gettime};

use super::line::ShortText;
use crate::os::write_signals::BlockedWriteSignals;

/// What became of the lines of a text backend, since the process began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextCounts {
    /// Lines that were taken.
    pub written: u64,
    /// Of these, lines that were longer than fits, and end in `...`.
    pub cut: u64,
    /// Lines that were not taken: a full disk, a reader that went away, a daemon that does not answer.
    pub lost: u64,
}

/// How long a probe waits for somebody who does not take lines, before they are lost. From then on lines are lost at once,
/// until one is taken again.
pub(crate) const WAIT_LIMIT_NS: u64 = 1_000_000_000;

/// Counts of a backend, and whether it is in trouble.
#[derive(Debug)]
pub(crate) struct Health {
    name: &'static str,
    written: AtomicU64,
    cut: AtomicU64,
    lost: AtomicU64,
    /// The last line was lost by waiting in vain.
    is_stuck: AtomicBool,
    is_reported: AtomicBool,
    /// Lost lines that were reported of at the end of tracing, or that are the parent's of this process.
    reported: AtomicU64,
}

impl Health {
    pub(crate) const fn new(name: &'static str) -> Health {
        Health {
            name,
            written: AtomicU64::new(0),
            cut: AtomicU64::new(0),
            lost: AtomicU64::new(0),
            is_stuck: AtomicBool::new(false),
            is_reported: AtomicBool::new(false),
            reported: AtomicU64::new(0),
        }
    }

    pub(crate) fn counts(&self) -> TextCounts {
        TextCounts {
            written: self.written.load(Ordering::Relaxed),
            cut: self.cut.load(Ordering::Relaxed),
            lost: self.lost.load(Ordering::Relaxed),
        }
    }

    /// Counts a line and what became of it. The first loss is reported on standard error, if that takes it; `advice` says what
    /// can be done about an error.
    pub(crate) fn note(
        &self,
        outcome: Result<(), Errno>,
        is_cut: bool,
        advice: fn(Errno) -> Option<&'static str>,
    ) {
        match outcome {
            Ok(()) => {
                self.written.fetch_add(1, Ordering::Relaxed);
                self.cut.fetch_add(u64::from(is_cut), Ordering::Relaxed);
                self.is_stuck.store(false, Ordering::Relaxed);
            }
            Err(error) => {
                self.lost.fetch_add(1, Ordering::Relaxed);
                if !self.is_reported.swap(true, Ordering::Relaxed) {
                    self.report(error, advice(error));
                }
            }
        }
    }

    /// Waits until `file` takes more, at most until `deadline_ns`, which is set at the first call.
    ///
    /// # Errors
    /// [`Errno::AGAIN`] when it does not.
    pub(crate) fn wait(&self, file: BorrowedFd<'_>, deadline_ns: &mut Option<u64>) -> Result<(), Errno> {
        let now_ns = monotonic_ns();
        let limit_ns = if self.is_stuck.load(Ordering::Relaxed) { 0 } else { WAIT_LIMIT_NS };
        let left_ns = deadline_ns.get_or_insert(now_ns + limit_ns).saturating_sub(now_ns);
        let timeout = Timespec {
            tv_sec: (left_ns / 1_000_000_000).cast_signed(),
            tv_nsec: (left_ns % 1_000_000_000).cast_signed(),
        };
        match poll(&mut [PollFd::from_borrowed_fd(file, PollFlags::OUT)], Some(&timeout)) {
            Ok(0) => {
                self.is_stuck.store(true, Ordering::Relaxed);
                Err(Errno::AGAIN)
            }
            // A signal: the caller tries again, and the deadline stays.
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Tells how many lines were lost since that was reported last.
    pub(crate) fn report_lost(&self) {
        let lost = self.forget_lost();
        if lost > 0 {
            let mut text = Message::new();
            let lines = if lost == 1 { "line was" } else { "lines were" };
            let _ = writeln!(text, "ringtrace: {}: {lost} {lines} lost", self.name);
            print(&text);
        }
    }

    /// How many lines were lost since this or [`Health::report_lost`] was called.
    pub(crate) fn forget_lost(&self) -> u64 {
        let lost = self.lost.load(Ordering::Relaxed);
        lost - self.reported.swap(lost, Ordering::Relaxed).min(lost)
    }

    fn report(&self, error: Errno, advice: Option<&'static str>) {
        let mut text = Message::new();
        let _ = match describe(error) {
            Some(what) => write!(text, "ringtrace: {}: {what}", self.name),
            None => write!(text, "ringtrace: {}: error {}", self.name, error.raw_os_error()),
        };
        if let Some(advice) = advice {
            let _ = write!(text, ": {advice}");
        }
        let _ = writeln!(text, "; lines are lost from here on, and counted");
        print(&text);
    }
}

/// A line for people.
pub(crate) type Message = ShortText<512>;

/// Writes a line to standard error.
pub(crate) fn print(text: &Message) {
    let stderr = rustix::stdio::stderr();
    // It may be what does not take any more; nobody waits for it to say so.
    let mut ready = [PollFd::new(&stderr, PollFlags::OUT)];
    if !matches!(poll(&mut ready, Some(&Timespec::default())), Ok(1)) {
        return;
    }
    let blocked = BlockedWriteSignals::new();
    if rustix::io::write(stderr, text.as_bytes()).is_err() {
        blocked.take();
    }
}

/// Nanoseconds of the monotonic clock.
pub(crate) fn monotonic_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec.cast_unsigned() * 1_000_000_000 + now.tv_nsec.cast_unsigned()
}

/// What an error means. The C library's texts are allocated, which a signal handler may not.
fn describe(error: Errno) -> Option<&'static str> {
    let text = match error {
        Errno::AGAIN => "nothing was taken for a second",
        Errno::BADF => "the file takes nothing now",
        Errno::CONNREFUSED | Errno::CONNRESET | Errno::NOENT | Errno::NOTCONN => "nobody listens",
        Errno::DQUOT => "the disk quota is used up",
        Errno::FBIG => "the file is as large as may be",
        Errno::IO => "input/output error",
        Errno::NOSPC => "no space left on the device",
        Errno::PIPE => "the reader went away",
        _ => return None,
    };
    Some(text)
}
