//! Starting, switching and stopping: what changes by that, one at a time.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::error::StartError;
use super::start::start_recording;
use super::{file_checks, fork, snapshot};
use crate::event::{counts, registry};
use crate::options::{Backends, Settings};
use crate::os;
use crate::ring::recording::{Recording, current, inherited, set_current};
use crate::writer::sink::Sink;
use crate::{backend, clock};

/// How long an end waits for who changes something: a client may have had a file made on a disk that does not answer.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);

/// How often it looks meanwhile.
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
});

/// What starting, switching, stopping and forking change, one at a time.
#[derive(Debug)]
pub(crate) struct SessionState {
    /// What was started with, while it runs.
    pub(super) settings: Option<Settings>,
    /// Who started it, and where. Another process than this one: this is a child of a fork.
    pub(super) origin: Option<Origin>,
    /// How often something was started: a guard stops what it was given for.
    pub(super) starts: u64,
    /// The backends that are ready since then. One that is switched off stays so, and goes on where it was.
    pub(super) ready: Backends,
    /// The writer thread, while there is a trace.
    pub(super) writer: Option<JoinHandle<()>>,
    /// How many want that tracing can be switched on when the program did not start it.
    pub(super) standbys: usize,
    /// That is all that was started.
    pub(super) is_standing_by: bool,
    /// Since when recording is off, if there is something that it was on for.
    pub(super) paused_since_ns: Option<u64>,
}

/// Where something was started.
#[derive(Debug)]
pub(super) struct Origin {
    pid: u32,
    /// The trace file, if there is one.
    pub(super) trace: PathBuf,
}

impl Origin {
    /// Here, with these settings.
    pub(super) fn of(settings: &Settings) -> Origin {
        let pid = std::process::id();
        let trace = settings.file.clone().unwrap_or_else(|| PathBuf::from(format!("trace-{pid}")));
        Origin { pid, trace: std::path::absolute(&trace).unwrap_or(trace) }
    }
}

impl SessionState {
    /// Whether this process started what runs, and was not forked from the one that did.
    fn is_origin(&self) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.pid == std::process::id())
    }

    pub(super) fn forget_if_inherited(&mut self) {
        if !self.is_origin() {
            self.forget_writer();
        }
    }

    /// Forgets the writer thread without waiting for it: it is one of the process that this one was forked from.
    pub(crate) fn forget_writer(&mut self) {
        std::mem::forget(self.writer.take());
    }
}

/// Takes the lock under which all of that changes.
pub(crate) fn state() -> MutexGuard<'static, SessionState> {
    os::lock(&STATE)
}

/// [`state`], for who must come to an end. `None`: it was not to be had for a second.
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

/// Starts tracing, and returns the number of the start: makes every backend of `settings` ready and sends it the events that are enabled.
///
/// # Errors
/// When a backend cannot be made ready, or something was started already. Nothing is changed then; but what a client of a monitor has
/// begun ends when the trace file can be made and something else cannot.
pub(super) fn start(settings: Settings) -> Result<u64, StartError> {
    let mut state = state();
    // What a child of a fork has inherited is not running in it, unless something was recorded.
    if state.settings.is_some() && !state.is_standing_by && (state.is_origin() || current().is_some()) {
        return Err(StartError::Running);
    }
    let sink = create_sink(&settings)?;
    state.leave_standby();
    let started = state.start(settings, sink);
    // What did not start leaves it as it was.
    state.stand_by();
    started
}

/// Sends events to these backends from now on, and answers where they went before. Those that are new are made ready first, as
/// the settings say that tracing was started with; a trace or a log that was off goes on in the same file.
///
/// # Errors
/// When a backend cannot be made ready, or nothing was started. Nothing is changed then.
pub fn switch_backends(backends: Backends) -> Result<Backends, StartError> {
    switch_backends_by(|_| backends)
}

/// [`switch_backends`] to what becomes of those where events go now: what others switch at the same time is not lost.
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

/// In a child of a fork, when it first records something: starts a session with the parent's settings and a file of its own. It
/// cannot be started: says so once, and the child records nothing.
pub(crate) fn start_in_child() -> Option<&'static Recording> {
    let mut state = state();
    if inherited().is_none() {
        // Another thread of the child was first.
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
        let text = format!(
            "ringtrace: process {pid}, a child of one that is traced: {error}; nothing is recorded of it\n"
        );
        let _ = rustix::io::write(rustix::stdio::stderr(), text.as_bytes());
    }
    state.publish_info();
    current()
}

/// Makes the trace file before anything is ended for it. One that a client records into already is left until that has ended.
fn create_sink(settings: &Settings) -> Result<Option<Sink>, StartError> {
    let path = settings.file.as_deref();
    if !settings.backends.contains(Backends::SIMPLE) || path.is_some_and(file_checks::is_of_trace) {
        return Ok(None);
    }
    let within = settings.file_within.as_deref();
    Ok(Some(Sink::create(path, within, settings.keeps_existing, std::process::id())?))
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
        // A child of a fork has inherited since when its parent was paused.
        self.paused_since_ns = None;
        self.starts += 1;
        self.settings = Some(settings);
        self.publish_info();
        Ok(self.starts)
    }

    /// Sends events to `backends`, which are ready, and says where they went before. The trace is told when recording goes off and on.
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

    /// Makes `backends` ready while the program runs: nobody may wait with everything locked until somebody reads a pipe.
    fn make_ready_at_once(&mut self, settings: &Settings, backends: Backends) -> Result<(), StartError> {
        let trace = settings.file.as_deref().filter(|_| backends.contains(Backends::SIMPLE));
        let _trace = file_checks::check_trace_reader(trace)?;
        let _log = match backends.contains(Backends::LOG) {
            true => backend::check_log_reader(settings).map_err(StartError::Backend)?,
            false => None,
        };
        self.make_ready(settings, backends)
    }

    /// Makes `backends` ready.
    pub(super) fn make_ready(&mut self, settings: &Settings, backends: Backends) -> Result<(), StartError> {
        self.make_ready_with(settings, backends, None)
    }

    /// Makes `backends` ready, with the trace file that is made already, if it is.
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
            // One that is to stay is not opened.
            let named = settings.file.as_deref().filter(|_| !settings.keeps_existing);
            let emptied = sink.as_ref().map(Sink::path).or(named);
            if let Some(path) = emptied.filter(|path| self.is_of_log(path)) {
                return Err(file_checks::log_conflict(path));
            }
            clock::start(settings.clock).map_err(StartError::Clock)?;
            self.start_trace_with(settings, sink).inspect_err(|_| clock::stop())?;
        }
        Ok(())
    }

    /// Makes file, rings and writer thread.
    pub(super) fn start_trace(&mut self, settings: &Settings) -> Result<(), StartError> {
        self.start_trace_with(settings, None)
    }

    fn start_trace_with(&mut self, settings: &Settings, sink: Option<Sink>) -> Result<(), StartError> {
        let pid = std::process::id();
        let within = settings.file_within.as_deref();
        let sink = match (sink, &self.origin) {
            (Some(sink), _) => sink,
            (None, Some(origin)) if !self.is_origin() => {
                Sink::create_beside(&origin.trace, within, settings.file.is_some(), pid)?
            }
            (None, _) => Sink::create(settings.file.as_deref(), within, settings.keeps_existing, pid)?,
        };
        // In a child of a fork it is handled already.
        if let Some(signal) = settings.snapshot_signal.filter(|_| self.is_origin()) {
            snapshot::listen_to(signal).map_err(|error| StartError::Signal(signal, error))?;
        }
        self.writer = Some(start_recording(settings, sink).inspect_err(|_| snapshot::stop_listening())?);
        Ok(())
    }
}

/// Stops what was started by number `start`, if it still runs.
pub(super) fn stop(start: u64) {
    let mut state = state();
    if state.starts == start {
        state.stop();
        state.stand_by();
    }
}

/// Stops tracing, because the process exits. While somebody else changes it and does not come to an end, it is left as it is: what is not
/// in the file yet stays in the rings, as when the process is killed, and `ringtrace recover` has it.
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_does_not_wait_for_what_hangs() {
        let held = state();
        std::thread::scope(|scope| {
            assert!(scope.spawn(|| state_at_end().is_none()).join().is_ok_and(|is_left| is_left));
        });
        drop(held);
    }
}
