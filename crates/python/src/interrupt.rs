//! Ctrl-C while a library waits for the next batch.

#![expect(unsafe_code, reason = "Python's C interface")]

use std::time::{Duration, Instant};

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::{Python, ffi};

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
    /// A handler raised an exception, whose text is returned. After Ctrl-C, Python raises
    /// `KeyboardInterrupt` again as soon as the caller returns to it.
    pub fn check(&mut self) -> Result<(), String> {
        if !self.is_main || self.checked.elapsed() < INTERVAL {
            return Ok(());
        }
        self.checked = Instant::now();
        // The library that called may have released the lock of the interpreter, or may hold it. If
        // another thread holds it, that thread does not wait for this one: it is running Python code.
        let raised = Python::try_attach(|py| {
            let Err(raised) = py.check_signals() else { return None };
            if raised.is_instance_of::<PyKeyboardInterrupt>(py) {
                // SAFETY: the function only sets a flag.
                unsafe { ffi::PyErr_SetInterrupt() };
                return Some("interrupted".to_owned());
            }
            Some(format!("interrupted: {raised}"))
        });
        raised.flatten().map_or(Ok(()), Err)
    }
}
