//! Switching recording on and off, and changing the trace file and the log file, while the program
//! runs.

use std::path::{Path, PathBuf};

use ringtrace_wire::arena::FullPolicy;

use super::error::StartError;
use super::file_checks::{check_log_is_not_trace, check_trace_reader, is_one_file, log_conflict};
use super::flush::flush;
use super::info::info;
use super::snapshot;
use super::start::{RunningWriter, announce};
use super::state::{Origin, SessionState, state, switch_backends_by};
use crate::backend;
use crate::clock;
use crate::event::registry;
use crate::options::{Backends, Settings};
use crate::ring::recording::{Recording, current, set_current};

/// Whether events are recorded to a trace file now.
pub fn is_recording() -> bool {
    registry::backends().contains(Backends::SIMPLE)
}

/// Starts or stops recording. Returns whether it was on before. When recording stops, this waits
/// until all records are in the file. When it starts again, it continues in the same file.
///
/// # Errors
/// Fails if the file cannot be created, or tracing was not started. In this case, nothing is
/// changed.
pub fn set_recording(on: bool) -> Result<bool, StartError> {
    let change = |now: Backends| if on { now | Backends::SIMPLE } else { now.without(Backends::SIMPLE) };
    let before = switch_backends_by(change)?.contains(Backends::SIMPLE);
    if before && !on {
        flush();
    }
    Ok(before)
}

/// The trace file, as the program or its user named it, or `None` if tracing was not started.
pub fn trace_file() -> Option<PathBuf> {
    info().started.map(|started| started.named)
}

/// Whether no trace file has been chosen yet: none has been named or created.
#[cfg(feature = "monitor")]
pub(crate) fn is_undecided() -> bool {
    let state = state();
    state.settings.as_ref().is_some_and(|settings| settings.file.is_none()) && current().is_none()
}

/// Continues in another trace file, or in `trace-PID` if `path` is `None`. Earlier records are in
/// the previous file, later ones in the new file, and none is lost between them. If recording is
/// off, the file is created when recording starts. If the path leads to the current file, under any
/// name, recording continues in it. A current file that was renamed counts as a different file,
/// which allows log rotation.
///
/// # Errors
/// Fails if the file cannot be created, or tracing was not started. If recording was on, it is off
/// after the error ([`StartError::RecordingEnded`]), until it is switched on again or another file
/// is set. Also fails if the path is a pipe without a reader, for which the program would wait
/// while it holds all locks. In this case, nothing is changed.
pub fn set_trace_file(path: Option<&Path>) -> Result<(), StartError> {
    set_trace_file_within(path, None)
}

/// Like [`set_trace_file`], for a file in the folder `within`. The path below the folder must not
/// contain symbolic links, which is checked whenever the file is created.
pub(crate) fn set_trace_file_within(path: Option<&Path>, within: Option<&Path>) -> Result<(), StartError> {
    let _pipe = check_trace_reader(path)?;
    let mut state = state();
    let mut settings = state.settings.take().ok_or(StartError::NotRunning)?;
    // `path` may be another name for the current trace file, which must not be truncated.
    let has_folder = settings.rotation.is_on();
    let is_open = |path| {
        let current = current().map(Recording::trace_path);
        let current = if has_folder { current.as_deref().and_then(Path::parent) } else { current.as_deref() };
        current.is_some_and(|current| is_one_file(current, path))
    };
    // Opening and closing the folder again would release its lock.
    let is_same = path.map_or(has_folder && settings.file.is_none(), is_open);
    let set = if is_same {
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
    /// Whether the path leads to the log file, under any name. This includes the file of a log that
    /// is switched off, because the log would continue there.
    pub(super) fn is_of_log(&self, path: &Path) -> bool {
        self.ready.contains(Backends::LOG) && backend::log_is_at(path)
    }

    /// Continues with `settings`, which differ only in the trace file.
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
        if old.full != FullPolicy::Overwrite
            && let Some(writer) = self.writer.take_if(|_| old.has_writer_thread())
        {
            let sink = self.create_sink(settings).map_err(StartError::from);
            let changed = sink.and_then(|sink| {
                let path = sink.path().to_path_buf();
                writer.change_sink(old, sink).map_err(|error| StartError::File(path, error))
            });
            self.writer = Some(writer);
            return match changed {
                Ok(()) => {
                    announce(settings, old);
                    Ok(())
                }
                Err(error) => {
                    self.send_to(before.without(Backends::SIMPLE));
                    self.ready = self.ready.without(Backends::SIMPLE);
                    self.end_trace();
                    Err(StartError::RecordingEnded(Box::new(error)))
                }
            };
        }
        // Do not stop the clock. Threads change to the new rings when their old rings are full, and
        // at the latest when the old trace ends.
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
        begun.map_err(|error| StartError::RecordingEnded(Box::new(error)))
    }

    /// Ends the current trace, if there is one. All published records are then in its file. The
    /// caller must first stop sending events to the trace.
    pub(super) fn end_trace(&mut self) {
        let recording = current();
        set_current(None);
        let Some(recording) = recording else {
            // Nothing was recorded. In a forked child, the remaining state belongs to the parent.
            self.forget_writer();
            return;
        };
        snapshot::stop_listening();
        end(recording, self.writer.take());
        clock::stop();
    }
}

fn end(recording: &Recording, writer: Option<RunningWriter>) {
    recording.stop();
    if let Some(handle) = writer {
        handle.join();
    }
}

/// Sets the file of the backend `log`, or standard error if `path` is `None`. One `%d` in the name
/// is replaced by the process id. An existing file is emptied, unless it is the current log file.
/// If the log is off, the file is created when it is switched on.
///
/// # Errors
/// Fails if the name is not a valid name for a log file, if the file cannot be created, is the
/// current trace file or is a pipe without a reader, or if tracing was not started. In this case,
/// nothing is changed.
pub fn set_log_file(path: Option<&Path>) -> Result<(), StartError> {
    set_log_file_within(path, None)
}

/// Like [`set_log_file`], for a file in the folder `within`. The path below the folder must not
/// contain symbolic links, which is checked whenever the file is created.
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
