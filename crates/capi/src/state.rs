//! What the program has requested and what runs, behind one lock each.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard};

use ringtrace::{Backends, Guard, Options, Settings, StartError, lent, options};

use crate::globals::{log_levels, show_marker};
use crate::groups::groups;
use crate::interop::lock;

/// What the program has state for so far.
#[derive(Debug)]
pub(crate) struct SessionState {
    /// `None`: no option was given.
    pub(crate) options: Option<Options>,
    /// By a call, that comes after all options: `Some(None)` is the default file.
    pub(crate) file: Option<Option<PathBuf>>,
    /// Whether the trace file is wanted, by a call that comes after all options.
    pub(crate) recording: Option<bool>,
    /// `trace_init_backends` was called, or `ringtrace_start`.
    pub(crate) is_ready: bool,
    /// The first options came after that, and wait for `trace_init_file`.
    pub(crate) is_late: bool,
    /// What was started, which ends with the process, or before, by `ringtrace_stop`.
    pub(crate) running: Option<Guard>,
}

pub(crate) const INITIAL: SessionState = SessionState {
    options: None,
    file: None,
    recording: None,
    is_ready: false,
    is_late: false,
    running: None,
};

static SESSION: Mutex<SessionState> = Mutex::new(INITIAL);

pub(crate) fn session_state() -> MutexGuard<'static, SessionState> {
    lock(&SESSION)
}

impl SessionState {
    /// What a session is to be started with.
    pub(crate) fn settings(&self) -> Result<Settings, StartError> {
        let mut options = Options::new().backends(groups().default_backends());
        if let Some(given) = &self.options {
            options.extend(given.clone());
        }
        let mut settings = options.settings()?;
        if let Some(file) = &self.file {
            settings.file.clone_from(file);
        }
        match self.recording {
            Some(true) => settings.backends |= Backends::SIMPLE,
            None if self.options.is_some() => {}
            _ => settings.backends = settings.backends.without(Backends::SIMPLE),
        }
        Ok(settings)
    }

    pub(crate) fn start(&mut self) -> Result<(), StartError> {
        if groups().has_syslog() {
            // SAFETY: no name is given that would have to stay: the C library takes the program's.
            unsafe { libc::openlog(std::ptr::null(), libc::LOG_PID, libc::LOG_DAEMON) };
        }
        let settings = self.settings()?;
        let has_log = settings.backends.contains(Backends::LOG);
        self.running = Some(options::begin(settings)?);
        show_marker();
        if has_log {
            // While no event is on, nobody else would say so.
            log_levels().fetch_or(lent::LOG_TRACE, Ordering::Relaxed);
        }
        self.is_ready = true;
        Ok(())
    }
}

/// What clients may do, and what serves them.
#[derive(Debug)]
pub(crate) struct MonitorState {
    pub(crate) may_quit: bool,
    pub(crate) directory: Option<PathBuf>,
    pub(crate) serving: Vec<Guard>,
}

static MONITORS: Mutex<MonitorState> =
    Mutex::new(MonitorState { may_quit: false, directory: None, serving: Vec::new() });

pub(crate) fn monitors() -> MutexGuard<'static, MonitorState> {
    lock(&MONITORS)
}
