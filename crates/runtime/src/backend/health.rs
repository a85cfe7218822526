//! Counts, error reports and timeouts of a text backend.

use std::fmt::Write;
use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::time::{ClockId, clock_gettime};

use super::line::ShortText;
use crate::os::write_signals::BlockedWriteSignals;

/// Counts of a text backend's lines since the process started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextCounts {
    /// Lines that were written.
    pub written: u64,
    /// Written lines that were too long and end in `...`.
    pub cut: u64,
    /// Lines that could not be written, for example to a full disk, a closed pipe, or a daemon that
    /// does not respond.
    pub lost: u64,
}

/// How long a probe waits for its line to be accepted. After that, this line and all later ones are
/// dropped without waiting, until a line is accepted again.
pub(crate) const WAIT_LIMIT_NS: u64 = 1_000_000_000;

#[derive(Debug)]
pub(crate) struct Health {
    name: &'static str,
    written: AtomicU64,
    cut: AtomicU64,
    lost: AtomicU64,
    /// Whether the last line was lost after a timeout.
    is_stuck: AtomicBool,
    is_reported: AtomicBool,
    /// The number of lost lines that were already reported, or that belong to the parent process.
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

    /// Counts a line by its outcome. Reports the first loss on standard error, if that is possible
    /// without waiting. `advice` returns a remedy for an error.
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

    /// Waits until `file` can be written, at most until `deadline_ns`, which the first call sets.
    ///
    /// # Errors
    /// [`Errno::AGAIN`] after the deadline.
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
            // After a signal, the caller tries again with the same deadline.
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Reports how many lines were lost since the last report.
    pub(crate) fn report_lost(&self) {
        let lost = self.forget_lost();
        if lost > 0 {
            let mut text = Message::new();
            let lines = if lost == 1 { "line was" } else { "lines were" };
            let _ = writeln!(text, "ringtrace: {}: {lost} {lines} lost", self.name);
            print(&text);
        }
    }

    /// Returns how many lines were lost since the last call of this function or
    /// [`Health::report_lost`].
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
        let _ = writeln!(text, "; lost lines are counted");
        print(&text);
    }
}

pub(crate) type Message = ShortText<512>;

pub(crate) fn print(text: &Message) {
    let stderr = rustix::stdio::stderr();
    // Standard error may be blocked, too. Do not wait for it.
    let mut ready = [PollFd::new(&stderr, PollFlags::OUT)];
    if !matches!(poll(&mut ready, Some(&Timespec::default())), Ok(1)) {
        return;
    }
    let blocked = BlockedWriteSignals::new();
    if rustix::io::write(stderr, text.as_bytes()).is_err() {
        blocked.take();
    }
}

pub(crate) fn monotonic_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec.cast_unsigned() * 1_000_000_000 + now.tv_nsec.cast_unsigned()
}

/// Returns the message of an error. The C library would allocate memory for it, which is forbidden
/// in a signal handler.
fn describe(error: Errno) -> Option<&'static str> {
    let text = match error {
        Errno::AGAIN => "no line was accepted for a second",
        Errno::BADF => "the file does not accept lines at the moment",
        Errno::CONNREFUSED | Errno::CONNRESET | Errno::NOENT | Errno::NOTCONN => "no process is listening",
        Errno::DQUOT => "the disk quota is exceeded",
        Errno::FBIG => "the file has reached its size limit",
        Errno::IO => "input/output error",
        Errno::NOSPC => "no space left on the device",
        Errno::PIPE => "the reader has closed the pipe",
        _ => return None,
    };
    Some(text)
}
