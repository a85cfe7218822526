//! Ctrl-C while a trace is read.

#![expect(unsafe_code, reason = "Python's C interface")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::{PyErr, PyResult, Python, ffi};

use crate::error::Message;

/// The longest time between two checks.
pub const INTERVAL: Duration = Duration::from_millis(50);

/// Checks from time to time whether a signal handler of Python must run.
#[derive(Debug)]
pub struct Interrupts {
    checked: Instant,
    /// Whether this is the main thread, in which Python runs its signal handlers.
    is_main: bool,
}

impl Interrupts {
    /// Starts to check.
    pub fn new() -> Interrupts {
        let is_main = rustix::thread::gettid() == rustix::process::getpid();
        Interrupts { checked: Instant::now(), is_main }
    }

    /// Runs Python's signal handlers if it is time to do so.
    ///
    /// # Errors
    /// A handler raised an exception, which is returned.
    pub fn check(&mut self) -> Result<(), PyErr> {
        if !self.is_main || self.checked.elapsed() < INTERVAL {
            return Ok(());
        }
        self.checked = Instant::now();
        // The library that called may have released the lock of the interpreter, or may hold it. If
        // another thread holds it, that thread does not wait for this one: it is running Python code.
        #[expect(clippy::redundant_closure_for_method_calls, reason = "the lifetime of the method is fixed")]
        let checked = Python::try_attach(|py| py.check_signals());
        // `None` means that the interpreter is shutting down.
        checked.unwrap_or(Ok(()))
    }
}

/// Runs `work` in a thread, so that Ctrl-C can interrupt the caller, and other threads of Python run.
/// After an interrupt, the flag that is passed to `work` is set.
///
/// # Errors
/// `work` failed, or a signal handler raised an exception.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> Result<T, Message> + Send + 'static,
) -> PyResult<T> {
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&is_interrupted);
    let (sender, results) = sync_channel(1);
    // If the caller was interrupted, nobody needs the result.
    thread::spawn(move || drop(sender.send(work(&flag))));
    let results = Mutex::new(results);
    loop {
        let result = py.detach(|| {
            let results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results.recv_timeout(INTERVAL)
        });
        match result {
            Ok(result) => return Ok(result?),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Message::new("internal error: reading panicked", None).into());
            }
        }
        if let Err(raised) = py.check_signals() {
            is_interrupted.store(true, Ordering::Relaxed);
            return Err(raised);
        }
    }
}

/// Returns the text of the exception of a signal handler.
pub fn text(raised: &PyErr) -> String {
    Python::try_attach(|py| {
        (!raised.is_instance_of::<PyKeyboardInterrupt>(py)).then(|| format!("interrupted: {raised}"))
    })
    .flatten()
    .unwrap_or_else(|| INTERRUPTED.to_owned())
}

/// The text of Ctrl-C.
pub const INTERRUPTED: &str = "interrupted";

/// Lets Python handle Ctrl-C again as soon as a library returns to it.
pub fn repeat() {
    // The interpreter may be shutting down.
    let _ = Python::try_attach(|_| {
        // SAFETY: the function only sets a flag, and this thread is attached to the interpreter.
        unsafe { ffi::PyErr_SetInterrupt() };
    });
}
