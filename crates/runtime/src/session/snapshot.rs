//! Snapshots: the current contents of the rings, written as a separate trace while the program
//! continues.
//!
//! A ring has one consumer, so snapshots are requested from the writer thread. Any number of
//! threads may request one at the same time. A signal handler may request one, too; the writer
//! thread then names the file.

#![expect(unsafe_code, reason = "a signal handler")]

use std::cell::Cell;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use super::file_checks::is_of_trace;
use crate::os::signal::KeptErrno;
use crate::os::{self, files, thread};
use crate::ring::recording::{self, Recording};
use crate::ring::snapshot_requests::SnapshotRequest;

/// Writes the current contents of the rings to a separate trace `path`. Returns the number of
/// events in it.
///
/// For a flight recorder (`policy=overwrite`), the snapshot contains the newest events of each
/// thread. With the other policies it contains those that are not in the trace file yet. The
/// program continues, and the rings and the trace file are not changed. The snapshot contains
/// everything recorded before the call, or reports it as lost; events recorded meanwhile may be
/// included. An existing file is replaced. Several threads may call this at the same time.
///
/// ```no_run
/// if let Err(error) = ringtrace::snapshot("/var/log/vmm/last-moments") {
///     eprintln!("no snapshot: {error}");
/// }
/// ```
///
/// # Errors
/// Fails if nothing is being recorded, tracing ends meanwhile, or the file cannot be written, is
/// the trace file, or is a pipe without a reader.
pub fn snapshot(path: impl AsRef<Path>) -> io::Result<u64> {
    snapshot_within(path.as_ref(), None)
}

/// Like [`snapshot`], but the file must be inside the folder `within`, and the path below that
/// folder must not contain symbolic links.
pub(crate) fn snapshot_within(path: &Path, within: Option<&Path>) -> io::Result<u64> {
    let recording = recording::current().ok_or_else(ended)?;
    if is_of_trace(path) {
        return Err(io::Error::other("already in use as the trace file"));
    }
    let _pipe = files::check_reader(path)?;
    snapshot_into(recording, &files::open_emptied(path, within)?)
}

/// Makes each panic of the program write a [`snapshot`](fn@snapshot) to `path`, before the panic's
/// message is printed. The file then contains the events that led to the last panic. If nothing is
/// being recorded, no snapshot is written.
///
/// ```
/// ringtrace::snapshot_on_panic("/var/log/vmm/panic.trace");
/// ```
pub fn snapshot_on_panic(path: impl Into<PathBuf>) {
    let path = path.into();
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |information| {
        thread_local! {
            static WRITING: Cell<bool> = const { Cell::new(false) };
        }
        // The writer thread cannot wait for itself.
        if !thread::is_current() && !WRITING.replace(true) {
            if let Err(error) = snapshot(&path)
                && error.kind() != io::ErrorKind::NotConnected
            {
                os::print_error(&format!("ringtrace: cannot write snapshot {}: {error}\n", path.display()));
            }
            WRITING.set(false);
        }
        before(information);
    }));
}

fn ended() -> io::Error {
    io::Error::new(io::ErrorKind::NotConnected, "no trace is being recorded")
}

/// Like [`snapshot`], but writes to an open file. If the trace continues in another file meanwhile,
/// everything recorded before is in the previous file, and the snapshot contains only later
/// records.
pub(crate) fn snapshot_into(mut recording: &'static Recording, file: &File) -> io::Result<u64> {
    loop {
        let written = snapshot_of(recording, file.try_clone()?);
        match recording::current().filter(|now| now.id != recording.id) {
            Some(next) if written.as_ref().is_err_and(|error| error.kind() == ended().kind()) => {
                recording = next;
            }
            _ => return written,
        }
    }
}

fn snapshot_of(recording: &Recording, file: File) -> io::Result<u64> {
    let (answer, answered) = mpsc::sync_channel(1);
    recording.snapshots().inbox.request(SnapshotRequest { file, answer });
    loop {
        recording.want_writer();
        match answered.recv_timeout(Duration::from_millis(100)) {
            Ok(answer) => return answer,
            Err(RecvTimeoutError::Timeout) if recording.has_writer_thread() => {}
            // The writer thread has ended. It may have answered just before.
            Err(_) => return answered.try_recv().unwrap_or_else(|_| Err(ended())),
        }
    }
}

/// The signal that has the snapshot handler, or 0 if there is none.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
static BEFORE: Mutex<Option<Action>> = Mutex::new(None);

struct Action(libc::sigaction);

// SAFETY: the value is plain memory, and the address of a handler is valid in all threads.
unsafe impl Send for Action {}

extern "C" fn on_signal(_: i32) {
    // Use only atomics and a futex: most other calls are forbidden in a signal handler.
    let _errno = KeptErrno::new();
    if let Some(recording) = recording::current() {
        recording.snapshots().signalled.store(true, Ordering::Release);
        recording.want_writer();
    }
}

/// Makes `signal` request a snapshot.
///
/// # Errors
/// Fails if the system does not have this signal, or does not allow handling it.
pub(crate) fn listen_to(signal: i32) -> io::Result<()> {
    // SAFETY: both structures are plain memory. The first is initialized as the call requires, and
    // the handler does only what a signal handler may do.
    let before = unsafe {
        let (mut action, mut before): (libc::sigaction, libc::sigaction) =
            (std::mem::zeroed(), std::mem::zeroed());
        action.sa_sigaction = on_signal as extern "C" fn(i32) as usize;
        action.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
        if libc::sigaction(signal, &raw const action, &raw mut before) != 0 {
            return Err(io::Error::last_os_error());
        }
        before
    };
    SIGNAL.store(signal, Ordering::Relaxed);
    *os::lock(&BEFORE) = Some(Action(before));
    Ok(())
}

/// Restores the signal's previous action.
pub(crate) fn stop_listening() {
    let before = os::lock(&BEFORE).take();
    if let Some(Action(before)) = before {
        // SAFETY: `before` is an action that the call returned.
        unsafe {
            libc::sigaction(SIGNAL.swap(0, Ordering::Relaxed), &raw const before, std::ptr::null_mut())
        };
    }
}

/// Compiles the Rust examples of the document.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/recover.md")]
struct Document;
