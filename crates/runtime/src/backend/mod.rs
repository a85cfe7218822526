//! Backends that write text: `log`, `syslog` and `ftrace`.
//!
//! An event is rendered once for all of them, with its own format, into a [`TextLine`] on the
//! stack. Each backend then adds its prefix. A probe may be in a signal handler, so nothing is
//! allocated, and a probe never waits for a lock that its own thread could hold. An event in a
//! handler that interrupts a text backend is dropped and counted.
//!
//! A backend that cannot write counts the lost lines and reports the first loss; the program
//! continues.

mod descriptor;
mod ftrace;
mod health;
mod line;
mod lock;
mod log;
mod moment;
mod reentry;
mod syslog;
#[cfg(test)]
mod tests;

use std::fmt::{self, Write};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering, fence};

pub use health::TextCounts;
pub(crate) use moment::Moment;

use crate::event::Value;
use crate::event::{Event, format};
use crate::options::{Backends, Settings};
use crate::os::{error_text, files};
use health::{Health, Message};
use line::TextLine;
use reentry::ReentryGuard;

/// A backend that writes text. It has the same name as its bit in [`BACKENDS`](crate::BACKENDS).
trait TextBackend: fmt::Debug + Sync {
    fn backend(&self) -> Backends;

    /// Opens the backend. If it is open already, changes it to `settings`.
    ///
    /// # Errors
    /// Fails if the backend cannot be opened. Its state is then unchanged.
    fn open(&self, settings: &Settings) -> Result<(), OpenError>;

    fn write(&self, line: &mut TextLine);

    fn health(&self) -> &Health;

    /// Resets locks in a forked child, where the threads that held them do not exist.
    fn forked(&self) {}
}

/// All text backends, in the order in which events are sent to them.
static TEXT_BACKENDS: &[&dyn TextBackend] = &[&log::LOG, &syslog::SYSLOG, &ftrace::FTRACE];

/// The number of events refused because their thread was inside a text backend.
static REFUSED: AtomicU64 = AtomicU64::new(0);
/// The number of refused events that have not been reported yet.
static REFUSED_UNREPORTED: AtomicU64 = AtomicU64::new(0);

/// Sends an event to the text backends that are enabled in its state.
#[cold]
pub(crate) fn dispatch(event: &'static Event, values: &[Value<'_>]) {
    let wanted = Backends::from_bits(event.dstate() & Backends::TEXT);
    if wanted.is_empty() {
        return;
    }
    // Pairs with the store of the event's state. The format was parsed before that store.
    fence(Ordering::Acquire);
    let (Some(_inside), Some(format)) = (ReentryGuard::enter(), format::of(event.id())) else {
        return refuse();
    };
    let mut line = TextLine::empty();
    line.render(event.name(), format, values);
    for backend in TEXT_BACKENDS.iter().filter(|backend| wanted.contains(backend.backend())) {
        backend.write(&mut line);
    }
}

/// Sends a formatted line, without its line end, to text backends. `is_cut` means that the line is
/// truncated.
pub(crate) fn dispatch_text(backends: Backends, text: &[u8], is_cut: bool) {
    let Some(_inside) = ReentryGuard::enter() else { return refuse() };
    let mut line = TextLine::empty();
    line.quote(text, is_cut);
    for backend in TEXT_BACKENDS.iter().filter(|backend| backends.contains(backend.backend())) {
        backend.write(&mut line);
    }
}

/// The descriptor of the kernel's `trace_marker`, if it is open. It is never closed.
pub(crate) fn marker() -> Option<i32> {
    ftrace::FTRACE.marker.get().map(|marker| marker.as_raw_fd())
}

/// Counts an event that could not be sent to text backends.
pub(crate) fn refuse() {
    REFUSED.fetch_add(1, Ordering::Relaxed);
    REFUSED_UNREPORTED.fetch_add(1, Ordering::Relaxed);
}

/// Opens the text backends among `backends`, before events are sent to them.
///
/// # Errors
/// Fails if one of them cannot be opened. Those already opened stay open, which is harmless.
pub(crate) fn open(backends: Backends, settings: &Settings) -> Result<(), OpenError> {
    // The first reading of the clock looks up the kernel's vDSO function. Do this now, because a
    // sandbox may forbid it later, when a probe reads the clock.
    let _ = Moment::now();
    let wanted = TEXT_BACKENDS.iter().filter(|backend| backends.contains(backend.backend()));
    wanted.into_iter().try_for_each(|backend| backend.open(settings))
}

/// Moves the open log to the file of `settings`, unless it is there already.
///
/// # Errors
/// Fails if the file cannot be opened. The log is then unchanged.
pub(crate) fn reopen_log(settings: &Settings) -> Result<(), OpenError> {
    if log::LOG.is_at(settings)? {
        return Ok(());
    }
    let _pipe = check_log_reader(settings)?;
    log::LOG.open(settings)
}

/// Checks that opening the log does not block. This is guaranteed only while the returned file is
/// open.
///
/// # Errors
/// Fails if the log is a pipe without a reader.
pub(crate) fn check_log_reader(settings: &Settings) -> Result<Option<File>, OpenError> {
    let Some(path) = log::path(settings)? else { return Ok(None) };
    files::check_reader(&path).map_err(|error| OpenError::new("log", &path, error))
}

pub(crate) fn log_is_at(path: &Path) -> bool {
    path.is_file() && log::LOG.is_in(path)
}

/// Returns the log file of `settings`, or `None` for standard error.
///
/// # Errors
/// Fails if the name is invalid for a log.
pub(crate) fn log_path(settings: &Settings) -> Result<Option<PathBuf>, OpenError> {
    log::path(settings)
}

/// Reports losses on standard error, when tracing ends.
pub(crate) fn report_lost() {
    TEXT_BACKENDS.iter().for_each(|backend| backend.health().report_lost());
    let refused = REFUSED_UNREPORTED.swap(0, Ordering::Relaxed);
    if refused > 0 {
        let mut text = Message::new();
        let events = if refused == 1 { "event was" } else { "events were" };
        let _ = writeln!(
            text,
            "ringtrace: {refused} {events} not written as text, because they occurred in signal handlers that interrupted a text backend"
        );
        health::print(&text);
    }
}

/// Resets the state in a forked child. Threads that held locks of backends do not exist there, and
/// the parent reports earlier losses.
pub(crate) fn forked() {
    for backend in TEXT_BACKENDS {
        backend.forked();
        backend.health().forget_lost();
    }
    REFUSED_UNREPORTED.store(0, Ordering::Relaxed);
}

/// Returns the counts of a text backend's lines since the process started. For a set of backends,
/// returns the counts of the first text backend in the set; for `simple`, returns zeros.
pub fn text_counts(backend: Backends) -> TextCounts {
    let found = TEXT_BACKENDS.iter().find(|one| backend.contains(one.backend()));
    found.map_or(TextCounts::default(), |backend| backend.health().counts())
}

/// Returns the number of events that no text backend received, because they occurred in a signal
/// handler that interrupted a text backend in the same thread.
pub fn text_refused() -> u64 {
    REFUSED.load(Ordering::Relaxed)
}

/// An error that occurred while opening a backend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenError {
    /// The backend's name.
    pub backend: &'static str,
    /// The file or socket.
    pub path: PathBuf,
    /// Description of the error.
    pub problem: String,
    /// Advice, if there is any.
    pub help: Option<&'static str>,
}

impl OpenError {
    pub(crate) fn new(backend: &'static str, path: &Path, error: impl Into<io::Error>) -> OpenError {
        OpenError { backend, path: path.to_owned(), problem: error_text(&error.into()), help: None }
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "backend {}: `{}`: {}", self.backend, self.path.display(), self.problem)?;
        match self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for OpenError {}
