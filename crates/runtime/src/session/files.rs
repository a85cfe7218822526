//! The trace file and the log of a program that runs: recording on and off, and other files.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use super::error::StartError;
use super::file_checks::{check_log_is_not_trace, check_trace_reader, is_one_file, log_conflict};
use super::flush::flush;
use super::info::info;
use super::snapshot;
use super::state::{Origin, SessionState, state, switch_backends_by};
use crate::backend;
use crate::clock;
use crate::event::registry;
use crate::options::{Backends, Settings};
use crate::ring::recording::{Recording, current, set_current};

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
    let change = |now: Backends| if on { now | Backends::SIMPLE } else { now.without(Backends::SIMPLE) };
    let before = switch_backends_by(change)?.contains(Backends::SIMPLE);
    if before && !on {
        flush();
    }
    Ok(before)
}

/// The trace file, as the program or its user named it; `None`: nothing was started.
pub fn trace_file() -> Option<PathBuf> {
    info().started.map(|started| started.named)
}

/// Whether it is undecided where events will go: nobody has named a file, and none was begun.
#[cfg(feature = "monitor")]
pub(crate) fn is_undecided() -> bool {
    let state = state();
    state.settings.as_ref().is_some_and(|settings| settings.file.is_none()) && current().is_none()
}

/// Goes on in another trace file; `None`: in `trace-PID`. What happened before is in the file before, and what happens from then on in the
/// other one: nothing is lost between them. When nothing is being recorded, the file is made when that begins. The file that is written
/// already stays as it is, whatever name it is given; one that was moved away meanwhile is another one, as for who rotates files.
///
/// # Errors
/// When the file cannot be made, or nothing was started. Nothing is recorded then, until the file can be made or another one is set. A pipe that
/// nobody reads is an error that changes nothing: the program would wait for a reader with everything locked.
pub fn set_trace_file(path: Option<&Path>) -> Result<(), StartError> {
    set_trace_file_within(path, None)
}

/// [`set_trace_file`]; `within`: a folder that the file must be in, without a link, whenever it is made.
pub(crate) fn set_trace_file_within(path: Option<&Path>, within: Option<&Path>) -> Result<(), StartError> {
    let _pipe = check_trace_reader(path)?;
    let mut state = state();
    let mut settings = state.settings.take().ok_or(StartError::NotRunning)?;
    // Another name can mean the file that is being written, and that would be emptied.
    let is_open = |path| current().is_some_and(|recording| is_one_file(recording.trace_path(), path));
    let set = if path.is_some_and(is_open) {
        Ok(())
    } else if let Some(path) = path.filter(|path| state.is_of_log(path)) {
        Err(log_conflict(path))
    } else {
        settings.file = path.map(Path::to_owned);
        settings.file_within = within.map(Path::to_owned);
        state.change_trace_file(&settings)
    };
    state.settings = Some(settings);
    state.publish_info();
    set
}

impl SessionState {
    /// Whether this is the file of the log, by any name: it is emptied by who makes it a trace. A log that is off goes on there, too.
    pub(super) fn is_of_log(&self, path: &Path) -> bool {
        self.ready.contains(Backends::LOG) && backend::log_is_at(path)
    }

    /// Goes on as `settings` say, which differ by the trace file alone.
    fn change_trace_file(&mut self, settings: &Settings) -> Result<(), StartError> {
        self.forget_if_inherited();
        self.origin = Some(Origin::of(settings));
        let before = registry::backends();
        if !before.contains(Backends::SIMPLE) {
            self.end_trace();
            self.ready = self.ready.without(Backends::SIMPLE);
            return Ok(());
        }
        let Some(old) = current() else { return self.make_ready(settings, Backends::SIMPLE) };
        // The clock goes on. Threads change over when they next have no room, and at the latest when the old trace ends.
        let writer = self.writer.take();
        snapshot::stop_listening();
        let begun = self.start_trace(settings);
        if begun.is_err() {
            self.send_to(before.without(Backends::SIMPLE));
            self.ready = self.ready.without(Backends::SIMPLE);
            set_current(None);
        }
        end(old, writer);
        if begun.is_err() {
            clock::stop();
        }
        begun
    }

    /// Ends the trace that is being recorded, if there is one: all that was published is in its file. Events go there no more already.
    pub(super) fn end_trace(&mut self) {
        let recording = current();
        set_current(None);
        let Some(recording) = recording else {
            // Nothing was recorded; in a child of a fork, what there is is the parent's.
            self.forget_writer();
            return;
        };
        snapshot::stop_listening();
        end(recording, self.writer.take());
        clock::stop();
    }
}

/// Ends a trace that is no longer the current one.
fn end(recording: &Recording, writer: Option<JoinHandle<()>>) {
    recording.stop();
    if let Some(handle) = writer {
        let _ = handle.join();
    }
}

/// Where lines of the backend `log` go from now on; `None`: to standard error. One `%d` in it stands for the process id. A file that is there
/// is emptied; the one that is written already stays as it is, and that of the trace is none for a log. While nothing goes to `log`, the file is made when something does.
///
/// # Errors
/// When the name is none for a log, the file cannot be made or is a pipe that nobody reads, or nothing was started. Nothing is changed then.
pub fn set_log_file(path: Option<&Path>) -> Result<(), StartError> {
    set_log_file_within(path, None)
}

/// [`set_log_file`]; `within`: a folder that the file must be in, without a link, whenever it is made.
pub(crate) fn set_log_file_within(path: Option<&Path>, within: Option<&Path>) -> Result<(), StartError> {
    let mut state = state();
    let before = state.settings.take().ok_or(StartError::NotRunning)?;
    let settings = Settings {
        log_file: path.map(Path::to_owned),
        log_file_within: within.map(Path::to_owned),
        ..before.clone()
    };
    let set = check_log_is_not_trace(&settings);
    let set = set.and_then(|()| {
        if state.ready.contains(Backends::LOG) {
            backend::reopen_log(&settings)
        } else {
            backend::log_path(&settings).map(|_| ())
        }
    });
    state.settings = Some(if set.is_ok() { settings } else { before });
    set.map_err(StartError::Backend)
}
