//! Properties of a session. They can be read without waiting for a thread that starts, switches or
//! ends a session, which may take a long time, for example if it creates a file on a slow disk.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use super::state::SessionState;
use crate::options::{Clock, FileFormat, Policy, Settings};
use crate::os;
use crate::ring::recording::{Recording, current};

/// Properties of the session, and the policy under which the counts were collected.
#[derive(Debug, Clone)]
pub(crate) struct SessionInfo {
    /// Properties of the started session, or `None` if tracing was not started.
    pub(crate) started: Option<StartedInfo>,
    /// The policy of the session to which the counts belong: the most recent one, even after its
    /// end. Standby does not count as a session until something is recorded.
    pub(crate) counted: Policy,
}

#[derive(Debug, Clone)]
pub(crate) struct StartedInfo {
    /// The absolute path of the trace file, if it exists or was named by the program or its user.
    pub(crate) file: Option<PathBuf>,
    pub(crate) policy: Policy,
    pub(crate) format: FileFormat,
    pub(crate) clock: Clock,
    pub(crate) buffer_bytes: u64,
    /// The time at which recording was switched off, if it was on before.
    pub(crate) paused_since_ns: Option<u64>,
    /// The trace file, as the program or its user named it.
    pub(crate) named: PathBuf,
    /// Whether that name is the folder of the trace files.
    pub(crate) has_folder: bool,
}

static INFO: Mutex<SessionInfo> = Mutex::new(SessionInfo { started: None, counted: Policy::Discard });

/// Returns the properties. The lock is never held for long.
pub(crate) fn info() -> SessionInfo {
    let mut info = lock_info().clone();
    // The writer thread may have continued in another file.
    if let (Some(started), Some(recording)) = (&mut info.started, current()) {
        let path = recording.trace_path();
        if started.has_folder
            && let Some(name) = path.file_name()
        {
            started.named.push(name);
        }
        started.file = Some(path);
    }
    info
}

/// Locks the properties. A thread that takes both locks must lock the state first.
pub(crate) fn lock_info() -> MutexGuard<'static, SessionInfo> {
    os::lock(&INFO)
}

impl SessionState {
    /// Publishes the current properties. After a change, this must be called before the lock of the
    /// state is released.
    pub(super) fn publish_info(&self) {
        let started = self.settings.as_ref().map(|settings| self.started(settings));
        let is_counted = !self.is_standing_by || current().is_some();
        let mut info = lock_info();
        if let Some(started) = started.as_ref().filter(|_| is_counted) {
            info.counted = started.policy;
        }
        info.started = started;
    }

    fn started(&self, settings: &Settings) -> StartedInfo {
        let made = current().map(Recording::trace_path);
        let origin = self.origin.as_ref().map(|origin| origin.trace.clone());
        let is_meant = !self.is_standing_by || settings.file.is_some();
        let default = || PathBuf::from(format!("trace-{}", std::process::id()));
        let has_folder = settings.rotation.is_on();
        let made_here = if has_folder { made.as_deref().and_then(Path::parent) } else { made.as_deref() };
        let base = made_here.and_then(Path::file_name).map(PathBuf::from);
        let named = settings.file.clone().or(base).unwrap_or_else(default);
        let (least, most) = (*Settings::BUFFER_BYTES.start(), *Settings::BUFFER_BYTES.end());
        StartedInfo {
            file: made.or(origin.filter(|_| is_meant)),
            named,
            has_folder,
            paused_since_ns: self.paused_since_ns,
            policy: settings.policy,
            format: settings.format,
            clock: settings.clock,
            buffer_bytes: settings.buffer_bytes.clamp(least, most).next_power_of_two() as u64,
        }
    }
}
