//! SnapshotRequests: what the rings hold now, as a trace of its own, while the program goes on.
//!
//! A ring has one consumer: whoever wants a snapshot asks the writer thread. Any number of threads may ask at once; a signal handler may
//! ask, too, for one in a file that the writer thread names.

#![expect(unsafe_code, reason = "a signal handler")]

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use super::file_checks::is_of_trace;
use crate::os::signal::KeptErrno;
use crate::os::{self, files};
use crate::ring::recording::{self, Recording};
use crate::ring::snapshot_requests::SnapshotRequest;

/// Writes what is in the rings now to `path`, as a trace of its own; says how many events that are.
///
/// Of a flight recorder (`policy=overwrite`) these are the newest events of each thread. With the other policies, what is not in the
/// trace file yet. The program goes on, and nothing is taken away. Everything that was recorded before the call is in the
/// snapshot, or told of as lost; what other threads record meanwhile may be. A file that is there is replaced. Any number
/// of threads may call this at once.
///
/// ```no_run
/// if let Err(error) = ringtrace::snapshot("/var/log/vmm/last-moments") {
///     eprintln!("no snapshot: {error}");
/// }
/// ```
///
/// # Errors
/// When nothing is being recorded, tracing ends meanwhile, the file cannot be written, it is the trace file, or a pipe that nobody reads.
pub fn snapshot(path: impl AsRef<Path>) -> io::Result<u64> {
    snapshot_within(path.as_ref(), None)
}

/// [`snapshot`]; `within`: a folder that the file must be in, without a link.
pub(crate) fn snapshot_within(path: &Path, within: Option<&Path>) -> io::Result<u64> {
    let recording = recording::current().ok_or_else(ended)?;
    if is_of_trace(path) {
        return Err(io::Error::other("it is the trace file"));
    }
    let _pipe = files::check_reader(path)?;
    snapshot_into(recording, files::open_emptied(path, within)?)
}

fn ended() -> io::Error {
    io::Error::new(io::ErrorKind::NotConnected, "no trace is being recorded")
}

/// [`snapshot`], into a file that is open.
pub(crate) fn snapshot_into(recording: &Recording, file: File) -> io::Result<u64> {
    let (answer, answered) = mpsc::sync_channel(1);
    recording.snapshots().request(SnapshotRequest { file, answer });
    loop {
        recording.want_writer();
        match answered.recv_timeout(Duration::from_millis(100)) {
            Ok(answer) => return answer,
            Err(RecvTimeoutError::Timeout) if recording.has_writer_thread() => {}
            // It has ended; it may have answered just before.
            Err(_) => return answered.try_recv().unwrap_or_else(|_| Err(ended())),
        }
    }
}

/// The signal that has our handler; 0: none.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// What it did before.
static BEFORE: Mutex<Option<Action>> = Mutex::new(None);

struct Action(libc::sigaction);

// SAFETY: plain memory; the address of a handler is the same in all threads.
unsafe impl Send for Action {}

extern "C" fn on_signal(_: i32) {
    // Only atomics and a futex: a handler may do no more.
    let _errno = KeptErrno::new();
    if let Some(recording) = recording::current() {
        recording.snapshots().signalled.store(true, Ordering::Release);
        recording.want_writer();
    }
}

/// From here on, `signal` asks for a snapshot.
///
/// # Errors
/// When the system has no such signal, or does not let it be handled.
pub(crate) fn listen_to(signal: i32) -> io::Result<()> {
    // SAFETY: both structures are plain memory, of which the first is filled as the call wants it; the handler does only
    // what a handler may.
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

/// The signal does again what it did before.
pub(crate) fn stop_listening() {
    let before = os::lock(&BEFORE).take();
    if let Some(Action(before)) = before {
        // SAFETY: what the call gave before.
        unsafe {
            libc::sigaction(SIGNAL.swap(0, Ordering::Relaxed), &raw const before, std::ptr::null_mut())
        };
    }
}

/// What the document shows as Rust compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/recover.md")]
struct Document;
