//! Services of the operating system: futexes, signals, forks, thread exit, files.
//!
//! Nothing here depends on events or rings.

#[cfg(ringtrace_delays)]
mod delays;
pub(crate) mod exit;
pub(crate) mod files;
pub(crate) mod fork;
pub(crate) mod identity;
pub(crate) mod modules;
pub(crate) mod program;
pub(crate) mod sanitizer;
#[cfg(feature = "monitor")]
pub(crate) mod services;
pub(crate) mod signal;
pub(crate) mod stack;
pub(crate) mod sync;
pub(crate) mod thread;
pub(crate) mod wait;
pub(crate) mod write_signals;

use std::io;
use std::sync::{LockResult, Mutex, MutexGuard, PoisonError};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Locks `mutex`, even if a thread has panicked while it held the lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    unpoisoned(mutex.lock())
}

/// Returns the guard, even if a thread has panicked while it held the lock.
pub(crate) fn unpoisoned<G>(result: LockResult<G>) -> G {
    result.unwrap_or_else(PoisonError::into_inner)
}

/// Removes the first error number, such as ` (os error 2)`, from a message. The standard library
/// appends it to system errors.
#[cfg(feature = "monitor")]
pub(crate) fn without_error_number(message: &str) -> String {
    let number =
        message.split_once(" (os error ").and_then(|(text, rest)| Some((text, rest.split_once(')')?.1)));
    number.map_or_else(|| message.to_owned(), |(text, rest)| format!("{text}{rest}"))
}

/// Returns an error's message, without the error number that the standard library appends.
pub(crate) fn error_text(error: &io::Error) -> String {
    let text = error.to_string();
    let number = error.raw_os_error().map(|code| format!(" (os error {code})"));
    number.and_then(|number| text.strip_suffix(&number).map(str::to_owned)).unwrap_or(text)
}

/// Writes `text` to standard error, with one system call, also in a signal handler. Ignores errors,
/// because the program may run without standard error.
pub(crate) fn print_error(text: &str) {
    let _ = rustix::io::write(rustix::stdio::stderr(), text.as_bytes());
}

/// Like [`print_error`], but prints nothing if that would block.
pub(crate) fn print_error_if_ready(text: &str) {
    let mut stderr = [PollFd::from_borrowed_fd(rustix::stdio::stderr(), PollFlags::OUT)];
    if matches!(poll(&mut stderr, Some(&Timespec::default())), Ok(1)) {
        print_error(text);
    }
}
