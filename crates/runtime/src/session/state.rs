//! Starting, switching and stopping of sessions, under one lock.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use super::error::StartError;
use super::start::{RunningWriter, start_recording};
use super::{file_checks, fork, snapshot};
use crate::event::{counts, registry};
use crate::options::{Backends, ExistingFile, OptionsError, Settings};
use crate::os;
use crate::ring::recording::{Recording, current, inherited, set_current};
use crate::writer::preamble::Facts;
use crate::writer::sink::{Sink, SinkError, old_path};
use crate::{backend, clock};

/// How long to wait at the end for another thread to release the lock. That thread may be creating
/// a file on a disk that does not respond.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);

const LOCK_RETRY: Duration = Duration::from_millis(1);

static STATE: Mutex<SessionState> = Mutex::new(SessionState {
    settings: None,
    origin: None,
    starts: 0,
    ready: Backends::NONE,
    writer: None,
    standbys: 0,
    is_standing_by: false,
    paused_since_ns: None,
    report_at_end: None,
});

/// The session's state. Starting, switching, stopping and forking change it under a lock.
#[derive(Debug)]
pub(crate) struct SessionState {
    pub(super) settings: Option<Settings>,
    /// The process that started the session. In a forked child, this is another process.
    pub(super) origin: Option<Origin>,
    /// The number of starts so far. A guard stops only the session that it started.
    pub(super) starts: u64,
    /// The backends opened since the start. A backend that is switched off stays open, and
    /// continues writing to the same destination when it is switched on again.
    pub(super) ready: Backends,
    pub(super) writer: Option<RunningWriter>,
    /// The number of [`Standby`](super::standby::Standby) values.
    pub(super) standbys: usize,
    /// Whether the session is only in standby.
    pub(super) is_standing_by: bool,
    /// The time at which recording was switched off, if it was on before.
    pub(super) paused_since_ns: Option<u64>,
    /// A function that prints messages when the session ends.
    report_at_end: Option<fn()>,
}

#[derive(Debug)]
pub(super) struct Origin {
    pid: u32,
    /// The absolute path of the trace file. The file might not exist.
    pub(super) trace: PathBuf,
}

impl Origin {
    /// Creates the origin for this process, with the trace file of `settings`.
    pub(super) fn of(settings: &Settings) -> Origin {
        let pid = std::process::id();
        let trace = settings.file.clone().unwrap_or_else(|| PathBuf::from(format!("trace-{pid}")));
        Origin { pid, trace: std::path::absolute(&trace).unwrap_or(trace) }
    }
}

impl SessionState {
    /// Whether this process started the session. Returns `false` in a forked child.
    fn is_origin(&self) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.pid == std::process::id())
    }

    pub(super) fn forget_if_inherited(&mut self) {
        if !self.is_origin() {
            self.forget_writer();
        }
    }

    /// Forgets the writer thread without waiting for it, because the thread exists only in the
    /// parent process.
    pub(crate) fn forget_writer(&mut self) {
        self.writer = None;
    }
}

pub(crate) fn state() -> MutexGuard<'static, SessionState> {
    os::lock(&STATE)
}

/// Locks the state with a timeout, for a thread that must not hang. Returns `None` after the
/// timeout.
pub(super) fn state_at_end() -> Option<MutexGuard<'static, SessionState>> {
    let give_up = Instant::now() + LOCK_TIMEOUT;
    loop {
        match STATE.try_lock() {
            Ok(state) => return Some(state),
            Err(TryLockError::Poisoned(state)) => return Some(state.into_inner()),
            Err(TryLockError::WouldBlock) if Instant::now() >= give_up => return None,
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_RETRY),
        }
    }
}

/// Starts tracing, and returns the number of the start. Opens every backend of `settings` and sends
/// it the enabled events.
///
/// # Errors
/// Fails if a backend cannot be opened, or tracing is running already. In this case, nothing is
/// changed, with one exception: a recording that a client of a monitor has started ends if the
/// trace file can be created but something else fails.
pub(super) fn start(settings: Settings) -> Result<u64, StartError> {
    let mut state = state();
    // A session inherited by a forked child does not run there until the child records something.
    if state.settings.is_some() && !state.is_standing_by && (state.is_origin() || current().is_some()) {
        return Err(StartError::Running);
    }
    if !settings.format.is_supported() {
        return Err(StartError::Format(settings.format));
    }
    if let Some(kind) = settings.contradiction() {
        return Err(OptionsError::new(String::new(), kind).into());
    }
    let sink = create_sink(&settings)?;
    state.leave_standby();
    let started = state.start(settings, sink);
    // If the start failed, return to standby.
    state.stand_by();
    started
}

/// Sends events to these backends from now on, and returns the previous backends. New backends are
/// opened first, with the settings that tracing was started with. A trace or a log that was off
/// continues in the same file.
///
/// # Errors
/// Fails if a backend cannot be opened, or tracing was not started. In this case, nothing is
/// changed.
pub fn switch_backends(backends: Backends) -> Result<Backends, StartError> {
    switch_backends_by(|_| backends)
}

/// Like [`switch_backends`], but `change` computes the new backends under the lock, so that
/// concurrent switches are not lost.
pub(crate) fn switch_backends_by(change: impl FnOnce(Backends) -> Backends) -> Result<Backends, StartError> {
    let mut state = state();
    let settings = state.settings.take().ok_or(StartError::NotRunning)?;
    let backends = change(registry::backends());
    let new = backends.without(state.ready);
    let ready = state.make_ready_at_once(&settings, new);
    state.settings = Some(settings);
    ready?;
    state.ready |= backends;
    Ok(state.send_to(backends))
}

/// Starts a session in a forked child when it first records something, with the parent's settings
/// and a file of its own. If this fails, it prints the error once, and the child records nothing.
pub(crate) fn start_in_child() -> Option<&'static Recording> {
    let mut state = state();
    if inherited().is_none() {
        // Another thread of the child has already started the session.
        return current();
    }
    state.forget_writer();
    let settings = state.settings.take()?;
    let begun = clock::start_in_child(settings.clock).map_err(StartError::Clock);
    let begun = begun.and_then(|()| state.start_trace(&settings));
    state.settings = Some(settings);
    if let Err(error) = begun {
        set_current(None);
        state.ready = state.ready.without(Backends::SIMPLE);
        registry::set_backends(registry::backends().without(Backends::SIMPLE));
        let pid = std::process::id();
        let text =
            format!("ringtrace: process {pid}, forked from a traced process, is not recorded: {error}\n");
        os::print_error(&text);
    }
    state.publish_info();
    current()
}

/// Creates the trace file before ending anything that it replaces. If a client's recording already
/// writes to the same file, the file is opened only after that recording has ended.
fn create_sink(settings: &Settings) -> Result<Option<Sink>, StartError> {
    let path = settings.file.as_deref();
    if !settings.backends.contains(Backends::SIMPLE) || path.is_some_and(file_checks::is_of_trace) {
        return Ok(None);
    }
    Ok(Some(new_sink(settings)?))
}

/// Creates the trace file of the process that started the session.
fn new_sink(settings: &Settings) -> Result<Sink, SinkError> {
    let (file, within) = (settings.file.as_deref(), settings.file_within.as_deref());
    let (rotation, existing, pid) = (settings.rotation, settings.existing, std::process::id());
    if existing == ExistingFile::Rename
        && let Some(old) = file.map(old_path).filter(|old| file_checks::is_of_trace(old))
    {
        let why = "this process writes its trace to that file, which another one would replace";
        return Err(SinkError { path: old, error: std::io::Error::other(why) });
    }
    if rotation.is_on() {
        Sink::create_in_folder(file, within, rotation, existing, pid)
    } else {
        Sink::create(file, within, existing, pid)
    }
}

impl SessionState {
    fn start(&mut self, settings: Settings, sink: Option<Sink>) -> Result<u64, StartError> {
        self.forget_if_inherited();
        fork::prepare().map_err(StartError::Rings)?;
        registry::count_events().map_err(StartError::Rings)?;
        counts::reset();
        self.ready = Backends::NONE;
        self.origin = Some(Origin::of(&settings));
        self.make_ready_with(&settings, settings.backends, sink)?;
        registry::set_backends(settings.backends);
        self.ready = settings.backends;
        // In a forked child, this is the parent's value.
        self.paused_since_ns = None;
        self.starts += 1;
        self.settings = Some(settings);
        self.publish_info();
        Ok(self.starts)
    }

    /// Sends events to `backends`, which must be open, and returns the previous backends. If this
    /// switches recording off or on, the change is noted in the trace.
    pub(super) fn send_to(&mut self, backends: Backends) -> Backends {
        let on = backends.contains(Backends::SIMPLE);
        let changes = registry::backends().contains(Backends::SIMPLE) != on;
        let recording = current().filter(|_| changes);
        if let Some(recording) = recording.filter(|_| on) {
            recording.pauses().resume();
        }
        let before = registry::set_backends(backends);
        if let Some(recording) = recording.filter(|_| !on) {
            recording.pauses().pause();
            recording.want_writer();
        }
        if on {
            self.paused_since_ns = None;
        } else if changes {
            self.paused_since_ns = Some(clock::monotonic_ns());
        }
        self.publish_info();
        before
    }

    /// Opens `backends` while the program runs. Refuses a pipe without a reader: opening it would
    /// block while the lock is held.
    fn make_ready_at_once(&mut self, settings: &Settings, backends: Backends) -> Result<(), StartError> {
        let trace = settings.file.as_deref().filter(|_| backends.contains(Backends::SIMPLE));
        let _trace = file_checks::check_trace_reader(trace)?;
        let _log = match backends.contains(Backends::LOG) {
            true => backend::check_log_reader(settings).map_err(StartError::Backend)?,
            false => None,
        };
        self.make_ready(settings, backends)
    }

    pub(super) fn make_ready(&mut self, settings: &Settings, backends: Backends) -> Result<(), StartError> {
        self.make_ready_with(settings, backends, None)
    }

    /// Opens `backends`. `sink` is the trace file, if it has already been created.
    fn make_ready_with(
        &mut self,
        settings: &Settings,
        backends: Backends,
        sink: Option<Sink>,
    ) -> Result<(), StartError> {
        if backends.contains(Backends::LOG) {
            file_checks::check_log_is_not_trace(settings).map_err(StartError::Backend)?;
        }
        backend::open(backends, settings).map_err(StartError::Backend)?;
        self.ready |= backends.without(Backends::SIMPLE);
        if self.standbys > 0 {
            registry::prepare_for(backends);
        }
        if backends.contains(Backends::SIMPLE) && current().is_none() {
            // A file that `exists=keep` protects is not opened.
            let named = settings.file.as_deref().filter(|_| settings.existing != ExistingFile::Keep);
            let emptied = sink.as_ref().map(Sink::path).or(named);
            if let Some(path) = emptied.filter(|path| self.is_of_log(path)) {
                return Err(file_checks::log_conflict(path));
            }
            let facts = clock::start(settings.clock, || Facts::new(settings)).map_err(StartError::Clock)?;
            self.start_trace_with(settings, sink, facts).inspect_err(|_| clock::stop())?;
        }
        Ok(())
    }

    pub(super) fn start_trace(&mut self, settings: &Settings) -> Result<(), StartError> {
        self.start_trace_with(settings, None, Facts::new(settings))
    }

    fn start_trace_with(
        &mut self,
        settings: &Settings,
        sink: Option<Sink>,
        facts: Facts,
    ) -> Result<(), StartError> {
        let sink = sink.map_or_else(|| self.create_sink(settings), Ok)?;
        // In a forked child the handler is already installed.
        if let Some(signal) = settings.snapshot_signal.filter(|_| self.is_origin()) {
            snapshot::listen_to(signal).map_err(|error| StartError::Signal(signal, error))?;
        }
        self.writer =
            Some(start_recording(settings, sink, facts).inspect_err(|_| snapshot::stop_listening())?);
        Ok(())
    }

    /// Creates the trace file of this process, which may be a forked child.
    pub(super) fn create_sink(&self, settings: &Settings) -> Result<Sink, SinkError> {
        let pid = std::process::id();
        let within = settings.file_within.as_deref();
        let (rotation, is_named) = (settings.rotation, settings.file.is_some());
        match &self.origin {
            Some(origin) if !self.is_origin() && rotation.is_on() => {
                Sink::create_folder_beside(&origin.trace, within, is_named, rotation, pid)
            }
            Some(origin) if !self.is_origin() => Sink::create_beside(&origin.trace, within, is_named, pid),
            _ => new_sink(settings),
        }
    }
}

/// Calls `report` when the session ends, unless the process is killed. Forked children do not call
/// it.
pub(crate) fn report_at_end(report: fn()) {
    state().report_at_end = Some(report);
}

/// Stops the session with number `start`, if it still runs.
pub(super) fn stop(start: u64) {
    let mut state = state();
    if state.starts == start {
        state.stop();
        state.stand_by();
    }
}

/// Stops tracing when the process exits. If another thread holds the lock too long, the session is
/// left as it is: `ringtrace recover` can restore the records in the rings, as after a kill.
pub(crate) fn stop_at_exit() {
    let Some(mut state) = state_at_end() else { return };
    state.standbys = 0;
    state.stop();
}

impl SessionState {
    pub(super) fn stop(&mut self) {
        self.is_standing_by = false;
        self.end();
        self.publish_info();
    }

    pub(super) fn end(&mut self) {
        if self.settings.take().is_none() {
            return;
        }
        registry::set_backends(Backends::NONE);
        backend::report_lost();
        self.end_trace();
        self.paused_since_ns = None;
        let report = self.report_at_end.take();
        report.into_iter().filter(|_| self.is_origin()).for_each(|report| report());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_does_not_wait_for_a_held_lock() {
        let held = state();
        std::thread::scope(|scope| {
            assert!(scope.spawn(|| state_at_end().is_none()).join().is_ok_and(|is_left| is_left));
        });
        drop(held);
    }
}
