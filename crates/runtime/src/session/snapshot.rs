//! Snapshots: what the rings hold now, as a trace of its own, while the program goes on.
//!
//! A ring has one consumer: whoever wants a snapshot asks the writer thread. Any number of threads may ask at once; a signal handler may
//! ask, too, for one in a file that the writer thread names.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::session::{self, Session};
use crate::signal::KeptErrno;
use crate::sink;

/// What is asked of the writer thread.
#[derive(Debug, Default)]
pub(crate) struct Snapshots {
    waiting: Mutex<Waiting>,
    /// There are some that wait: the writer thread takes no lock to find out that there are none.
    asked: AtomicBool,
    /// A signal has come.
    signalled: AtomicBool,
}

#[derive(Debug, Default)]
struct Waiting {
    requests: Vec<Request>,
    /// The writer thread has ended: nobody would take them.
    is_over: bool,
}

/// A snapshot that somebody waits for.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) file: File,
    pub(crate) answer: SyncSender<io::Result<u64>>,
}

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
    let session = session::current().ok_or_else(ended)?;
    if session::is_of_trace(path) {
        return Err(io::Error::other("it is the trace file"));
    }
    let _pipe = sink::look_for_reader(path)?;
    snapshot_into(session, sink::open_emptied(path, within)?)
}

fn ended() -> io::Error {
    io::Error::new(io::ErrorKind::NotConnected, "no trace is being recorded")
}

/// [`snapshot`], into a file that is open.
pub(crate) fn snapshot_into(session: &Session, file: File) -> io::Result<u64> {
    let (answer, answered) = mpsc::sync_channel(1);
    session.snapshots().ask(Request { file, answer });
    loop {
        session.want_writer();
        match answered.recv_timeout(Duration::from_millis(100)) {
            Ok(answer) => return answer,
            Err(RecvTimeoutError::Timeout) if session.has_writer_thread() => {}
            // It has ended; it may have answered just before.
            Err(_) => return answered.try_recv().unwrap_or_else(|_| Err(ended())),
        }
    }
}

impl Snapshots {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for one. Of what is dropped unanswered, who waits is told by that.
    fn ask(&self, request: Request) {
        let mut waiting = self.waiting();
        if !waiting.is_over {
            waiting.requests.push(request);
            self.asked.store(true, Ordering::Release);
        }
    }

    /// For the writer thread: it ends. A session is never freed, so what still waited would keep its file open for ever.
    pub(crate) fn end(&self) {
        let mut waiting = self.waiting();
        waiting.is_over = true;
        waiting.requests.clear();
    }

    /// For the writer thread: takes what is asked, if anything.
    pub(crate) fn take(&self) -> Vec<Request> {
        if !self.asked.swap(false, Ordering::Acquire) {
            return Vec::new();
        }
        std::mem::take(&mut self.waiting().requests)
    }

    /// For the writer thread: whether a signal has come since the last time.
    pub(crate) fn take_signal(&self) -> bool {
        self.signalled.swap(false, Ordering::Acquire)
    }
}

/// A new file for the snapshot that a signal asks for: `TRACE.snapshot-N`, with the first N that is free; beside
/// a trace that is no file, `trace-PID.snapshot-N`.
pub(crate) fn create_numbered(session: &Session) -> io::Result<(File, PathBuf)> {
    let trace = session.trace_path();
    let is_file = std::fs::metadata(trace).is_ok_and(|found| found.is_file());
    let base = if is_file { trace.to_path_buf() } else { PathBuf::from(format!("trace-{}", session.pid)) };
    let mut number = 1;
    loop {
        let mut path = base.clone().into_os_string();
        path.push(format!(".snapshot-{number}"));
        let path = PathBuf::from(path);
        match sink::options().create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 10_000 => number += 1,
            Err(error) => return Err(error),
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
    if let Some(session) = session::current() {
        session.snapshots().signalled.store(true, Ordering::Release);
        session.want_writer();
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
    *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(Action(before));
    Ok(())
}

/// The signal does again what it did before.
pub(crate) fn stop_listening() {
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(Action(before)) = before {
        // SAFETY: what the call gave before.
        unsafe {
            libc::sigaction(SIGNAL.swap(0, Ordering::Relaxed), &raw const before, std::ptr::null_mut())
        };
    }
}

/// What the document shows as Rust compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/recover.md")]
struct Document;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_of_a_writer_thread_that_ends_is_dropped() {
        let snapshots = Snapshots::default();
        let ask = || {
            let (answer, answered) = mpsc::sync_channel(1);
            snapshots.ask(Request { file: File::open("/dev/null").unwrap(), answer });
            answered
        };
        let before = ask();
        assert_eq!(before.try_recv().unwrap_err(), mpsc::TryRecvError::Empty);
        snapshots.end();
        let behind = ask();
        for answered in [before, behind] {
            assert_eq!(answered.try_recv().unwrap_err(), mpsc::TryRecvError::Disconnected);
        }
        assert!(snapshots.take().is_empty());
    }
}
