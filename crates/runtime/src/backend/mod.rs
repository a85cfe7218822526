//! Backends that take text: `log`, `syslog` and `ftrace`.
//!
//! An event that goes to any of them is rendered once, by its own format, into a [`TextLine`] on the stack, and each
//! backend puts before it what its lines begin with. Nothing is allocated, and no lock is waited for that the thread itself could
//! have: a probe may stand in a signal handler. One that interrupts a backend in the same thread is refused, and counted.
//!
//! A backend that cannot write counts what it loses, says so once, and the program runs on.

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

/// A backend that takes text. Its name is that of its bit in [`BACKENDS`](crate::BACKENDS).
trait TextBackend: fmt::Debug + Sync {
    /// Its bit.
    fn backend(&self) -> Backends;

    /// Makes it ready. While events go to it already, it changes over to what `settings` say.
    ///
    /// # Errors
    /// When it cannot take lines; then it is as before.
    fn open(&self, settings: &Settings) -> Result<(), OpenError>;

    /// Takes a line.
    fn write(&self, line: &mut TextLine);

    /// What became of its lines.
    fn health(&self) -> &Health;

    /// Called in a child of a fork: threads that had its lock do not exist any more.
    fn forked(&self) {}
}

/// All of them, in the order in which an event goes to them.
static TEXT_BACKENDS: &[&dyn TextBackend] = &[&log::LOG, &syslog::SYSLOG, &ftrace::FTRACE];

/// Events refused because their thread was inside a text backend.
static REFUSED: AtomicU64 = AtomicU64::new(0);
/// Those of them that nobody was told of.
static REFUSED_UNREPORTED: AtomicU64 = AtomicU64::new(0);

/// Sends an event to the text backends that its state names.
#[cold]
pub(crate) fn dispatch(event: &'static Event, values: &[Value<'_>]) {
    let wanted = Backends::from_bits(event.dstate() & Backends::TEXT);
    if wanted.is_empty() {
        return;
    }
    // The plan was made before the state said so.
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

/// Sends a line to text backends that somebody else has formatted, its line end left out. `is_cut`: it ends early.
pub(crate) fn dispatch_text(backends: Backends, text: &[u8], is_cut: bool) {
    let Some(_inside) = ReentryGuard::enter() else { return refuse() };
    let mut line = TextLine::empty();
    line.quote(text, is_cut);
    for backend in TEXT_BACKENDS.iter().filter(|backend| backends.contains(backend.backend())) {
        backend.write(&mut line);
    }
}

/// The number of the descriptor of the kernel's `trace_marker`, once it is open: it stays open.
pub(crate) fn marker() -> Option<i32> {
    ftrace::FTRACE.marker.get().map(|marker| marker.as_raw_fd())
}

/// Counts an event that goes to no text backend, though it should.
pub(crate) fn refuse() {
    REFUSED.fetch_add(1, Ordering::Relaxed);
    REFUSED_UNREPORTED.fetch_add(1, Ordering::Relaxed);
}

/// Makes the text backends among `backends` ready, before events are sent there.
///
/// # Errors
/// When one of them cannot take lines. Those before it are ready, which does no harm.
pub(crate) fn open(backends: Backends, settings: &Settings) -> Result<(), OpenError> {
    // Who reads a clock first asks the kernel where it is: here, and not in a probe, which a sandbox may hold.
    let _ = Moment::now();
    let wanted = TEXT_BACKENDS.iter().filter(|backend| backends.contains(backend.backend()));
    wanted.into_iter().try_for_each(|backend| backend.open(settings))
}

/// Has the log, which is ready, written where `settings` say, unless it is already.
///
/// # Errors
/// When it cannot be; then it is as before.
pub(crate) fn reopen_log(settings: &Settings) -> Result<(), OpenError> {
    if log::LOG.is_at(settings)? {
        return Ok(());
    }
    let _pipe = check_log_reader(settings)?;
    log::LOG.open(settings)
}

/// Looks whether opening the log would wait for somebody who reads it, and sees to it that it does not while what is given is held.
///
/// # Errors
/// When it is a pipe that nobody reads.
pub(crate) fn check_log_reader(settings: &Settings) -> Result<Option<File>, OpenError> {
    let Some(path) = log::path(settings)? else { return Ok(None) };
    files::check_reader(&path).map_err(|error| OpenError::new("log", &path, error))
}

/// Whether the log, which is ready, is written to the file that is at `path`.
pub(crate) fn log_is_at(path: &Path) -> bool {
    path.is_file() && log::LOG.is_in(path)
}

/// The file that the log is written to by `settings`; `None`: standard error.
///
/// # Errors
/// When a log cannot have that name.
pub(crate) fn log_path(settings: &Settings) -> Result<Option<PathBuf>, OpenError> {
    log::path(settings)
}

/// Called when tracing ends: says on standard error what was lost.
pub(crate) fn report_lost() {
    TEXT_BACKENDS.iter().for_each(|backend| backend.health().report_lost());
    let refused = REFUSED_UNREPORTED.swap(0, Ordering::Relaxed);
    if refused > 0 {
        let mut text = Message::new();
        let events = if refused == 1 { "event is" } else { "events are" };
        let _ = writeln!(
            text,
            "ringtrace: {refused} {events} in no text: in signal handlers, which interrupted the writing of one"
        );
        health::print(&text);
    }
}

/// Called in a child of a fork: threads that had locks of backends do not exist in it, and what was lost before is the
/// parent's to tell.
pub(crate) fn forked() {
    for backend in TEXT_BACKENDS {
        backend.forked();
        backend.health().forget_lost();
    }
    REFUSED_UNREPORTED.store(0, Ordering::Relaxed);
}

/// What became of the lines of a text backend, since the process began. Nothing happened to those of `simple`, and
/// of a set of several the first that takes text is told of.
pub fn text_counts(backend: Backends) -> TextCounts {
    let found = TEXT_BACKENDS.iter().find(|one| backend.contains(one.backend()));
    found.map_or(TextCounts::default(), |backend| backend.health().counts())
}

/// Events that went to no text backend, because they happened in a signal handler that interrupted one in the same thread.
pub fn text_refused() -> u64 {
    REFUSED.load(Ordering::Relaxed)
}

/// Why a backend cannot take lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenError {
    /// The backend's name.
    pub backend: &'static str,
    /// The file that it wanted.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: String,
    /// What to do.
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
