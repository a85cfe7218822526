//! The trace file of a program that runs: on and off, and another one.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::{CURRENT, Origin, StartError, State, current, flush, state, switch_backends};
use crate::{Backends, clock, registry, snapshot};

/// Whether events go to a trace file now.
pub fn is_recording() -> bool {
    registry::backends().contains(Backends::SIMPLE)
}

/// Begins or stops to record, and says what was so before. What was recorded is in the file when this returns; a trace that was off goes
/// on in the same file.
///
/// # Errors
/// When the file cannot be made, or nothing was started. Nothing is changed then.
pub fn set_recording(on: bool) -> Result<bool, StartError> {
    let now = registry::backends();
    let wanted = if on { now | Backends::SIMPLE } else { now.without(Backends::SIMPLE) };
    let before = switch_backends(wanted)?.contains(Backends::SIMPLE);
    if before && !on {
        flush();
    }
    Ok(before)
}

/// The trace file, as the program or its user named it; `None`: nothing was started.
pub fn trace_file() -> Option<PathBuf> {
    let state = state();
    let settings = state.settings.as_ref()?;
    let made = current().and_then(|session| session.path.file_name()).map(PathBuf::from);
    let default = || made.unwrap_or_else(|| PathBuf::from(format!("trace-{}", std::process::id())));
    Some(settings.file.clone().unwrap_or_else(default))
}

/// Goes on in another trace file; `None`: in `trace-PID`. What was recorded before is in the file before. When nothing is being recorded, the
/// file is made when that begins.
///
/// # Errors
/// When the file cannot be made, or nothing was started. Nothing is recorded then, until the file can be made or another one is set.
pub fn set_trace_file(path: Option<&Path>) -> Result<(), StartError> {
    let mut state = state();
    let mut settings = state.settings.take().ok_or(StartError::NotRunning)?;
    state.forget_if_inherited();
    settings.file = path.map(Path::to_owned);
    let pid = std::process::id();
    let trace = settings.file.clone().unwrap_or_else(|| PathBuf::from(format!("trace-{pid}")));
    state.origin = Some(Origin { pid, trace: std::path::absolute(&trace).unwrap_or(trace) });
    let before = registry::backends();
    registry::set_backends(before.without(Backends::SIMPLE));
    state.end_trace();
    state.ready = state.ready.without(Backends::SIMPLE);
    let made = if before.contains(Backends::SIMPLE) {
        state.make_ready(&settings, Backends::SIMPLE).map(|()| {
            state.ready |= Backends::SIMPLE;
            registry::set_backends(before);
        })
    } else {
        Ok(())
    };
    state.settings = Some(settings);
    made
}

impl State {
    /// Ends the trace that is being recorded, if there is one: all that was published is in its file. Events go there no more already.
    pub(super) fn end_trace(&mut self) {
        let session = current();
        CURRENT.store(std::ptr::null_mut(), Ordering::Release);
        let Some(session) = session else {
            // Nothing was recorded; in a child of a fork, what there is is the parent's.
            self.forget_writer();
            return;
        };
        snapshot::stop_listening();
        session.stopping.store(true, Ordering::Release);
        session.want_writer();
        if let Some(handle) = self.writer.take() {
            let _ = handle.join();
        }
        clock::stop();
    }
}
