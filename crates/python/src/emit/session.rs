//! Recording, and switching events.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use ringtrace::{Guard, Options, OptionsError};

use crate::error::Message;

/// The guard of the session. It is not in a Python object, because tracing would end when that is
/// collected.
static GUARD: Mutex<Option<Guard>> = Mutex::new(None);

fn guard() -> MutexGuard<'static, Option<Guard>> {
    GUARD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts tracing with the options of the environment, if wanted, and then with `options`. Returns
/// whether there are any.
#[pyfunction]
pub fn start(py: Python<'_>, options: Vec<OsString>, environment: bool) -> PyResult<bool> {
    // Events can be declared later, so patterns that match none yet are not mistakes.
    ringtrace::dynamic::on_switch(|| {});
    let mistaken = |error: OptionsError| PyValueError::new_err(error.to_string());
    let mut all = Options::new();
    if environment {
        all.extend(Options::from_env().and_then(Options::or_monitor_from_env).map_err(mistaken)?);
    }
    for text in options {
        all.extend(Options::parse(text).map_err(mistaken)?);
    }
    if all.is_empty() {
        return Ok(false);
    }
    let started = py.detach(|| all.start()).map_err(|error| Message::new(error.to_string(), None))?;
    *guard() = Some(started);
    Ok(true)
}

/// Ends tracing, after all events were written. All events are then off, so that the next recording
/// starts like the first.
#[pyfunction]
pub fn stop(py: Python<'_>) {
    let Some(ended) = guard().take() else { return };
    py.detach(|| {
        drop(ended);
        ringtrace::set_enabled("*", false);
    });
}

/// Waits until all earlier events are in the trace file. Returns `false` if nothing is being
/// recorded.
#[pyfunction]
pub fn flush(py: Python<'_>) -> bool {
    py.detach(ringtrace::flush)
}

/// The current trace file, or `None` if nothing is being recorded.
#[pyfunction]
pub fn trace_path() -> Option<PathBuf> {
    guard().as_ref().and_then(Guard::path)
}

/// Switches the events that `pattern` matches on or off. Returns their number.
#[pyfunction]
pub fn set_enabled(py: Python<'_>, pattern: &str, enabled: bool) -> usize {
    py.detach(|| ringtrace::set_enabled(pattern, enabled)).matched
}
