//! State of the session and of the monitors, each with its own lock.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard};

use ringtrace::{Backends, Guard, Options, Settings, StartError, ffi, session};

use crate::globals::{log_levels, show_marker};
use crate::groups::groups;
use crate::host;
use crate::interop::lock;

/// The options of the program, and the running session.
#[derive(Debug)]
pub(crate) struct SessionState {
    /// `None` if no option was given.
    pub(crate) options: Option<Options>,
    /// The trace file set by a function call, which overrides all options. `Some(None)` is the
    /// default file.
    pub(crate) file: Option<Option<PathBuf>>,
    /// Whether to record, as set by a function call, which overrides all options.
    pub(crate) recording: Option<bool>,
    /// Whether `trace_init_backends` or `ringtrace_start` was called.
    pub(crate) is_ready: bool,
    /// Whether the options of the variable `RINGTRACE` have been read.
    pub(crate) has_read_environment: bool,
    /// The file that was opened for QEMU's log because of the options.
    pub(crate) opened_log_file: Option<PathBuf>,
    /// Whether the first options were set when `is_ready` was already true. They take effect in
    /// `trace_init_file`.
    pub(crate) is_late: bool,
    /// The running session. It ends when the process exits or calls `ringtrace_stop`.
    pub(crate) running: Option<Guard>,
}

pub(crate) const INITIAL: SessionState = SessionState {
    options: None,
    file: None,
    recording: None,
    is_ready: false,
    has_read_environment: false,
    opened_log_file: None,
    is_late: false,
    running: None,
};

static SESSION: Mutex<SessionState> = Mutex::new(INITIAL);

pub(crate) fn session_state() -> MutexGuard<'static, SessionState> {
    lock(&SESSION)
}

impl SessionState {
    /// Returns the settings of the session to start.
    pub(crate) fn settings(&self) -> Result<Settings, StartError> {
        let mut settings = self.settings_without_host()?;
        if probes_use_log_of_host() {
            settings.log_file = None;
        }
        Ok(settings)
    }

    /// Returns the file for QEMU's log, if probes write to that log.
    pub(crate) fn log_file_of_host(&self) -> Option<PathBuf> {
        let settings = probes_use_log_of_host().then(|| self.settings_without_host().ok()).flatten()?;
        settings.log_file.filter(|_| settings.backends.contains(Backends::LOG))
    }

    fn settings_without_host(&self) -> Result<Settings, StartError> {
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
            // SAFETY: the name may be NULL. The C library then uses the program's name.
            unsafe { libc::openlog(std::ptr::null(), libc::LOG_PID, libc::LOG_DAEMON) };
        }
        let settings = self.settings()?;
        let has_log = settings.backends.contains(Backends::LOG);
        if settings.backends.contains(Backends::SIMPLE) && groups().lacks_simple() {
            host::report_warning(
                "the trace will contain no C event, because the probes were generated without the backend simple",
            );
        }
        self.running = Some(session::start(settings)?);
        show_marker();
        if has_log {
            // Set the bit here too: other code sets it only when an event is enabled.
            log_levels().fetch_or(ffi::LOG_TRACE, Ordering::Relaxed);
        }
        self.is_ready = true;
        Ok(())
    }
}

/// Whether the program has QEMU's log, and the probes of any group call `qemu_log()`.
fn probes_use_log_of_host() -> bool {
    host::has_log_file() && groups().has_log()
}

/// The permissions of clients, and the running monitors.
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
