//! What is known of a session without waiting for who starts, switches or ends one, which may take long: making a file on a slow disk.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{State, current};
use crate::{Clock, Policy, Settings};

/// What was started.
#[derive(Debug, Clone)]
pub(crate) struct Facts {
    /// `None`: nothing was started.
    pub(crate) started: Option<Started>,
    /// The policy of what was started last, also when it has ended: what is counted comes from there. Being ready to be told to
    /// trace is not one before something is recorded.
    pub(crate) counted: Policy,
}

/// Something that was started.
#[derive(Debug, Clone)]
pub(crate) struct Started {
    /// The trace file, absolute, if there is one or the program or its user has said so.
    pub(crate) file: Option<PathBuf>,
    pub(crate) policy: Policy,
    pub(crate) clock: Clock,
    pub(crate) buffer_bytes: u64,
    /// Since when recording is off, if it was on.
    pub(crate) paused_since_ns: Option<u64>,
    /// The trace file, as the program or its user named it.
    pub(crate) named: PathBuf,
}

static FACTS: Mutex<Facts> = Mutex::new(Facts { started: None, counted: Policy::Discard });

/// What is known. Nobody waits long for it.
pub(crate) fn facts() -> Facts {
    lock().clone()
}

fn lock() -> MutexGuard<'static, Facts> {
    FACTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Holds the facts still during a fork. Taken behind the lock of the state.
pub(crate) fn lock_for_fork() -> MutexGuard<'static, Facts> {
    lock()
}

impl State {
    /// Lets everybody know how it is now. To be called before the lock is given back under which something was changed.
    pub(super) fn tell(&self) {
        let started = self.settings.as_ref().map(|settings| self.started(settings));
        let is_counted = !self.is_standing_by || current().is_some();
        let mut facts = lock();
        if let Some(started) = started.as_ref().filter(|_| is_counted) {
            facts.counted = started.policy;
        }
        facts.started = started;
    }

    fn started(&self, settings: &Settings) -> Started {
        let made = current().map(|session| session.trace_path().to_path_buf());
        let origin = self.origin.as_ref().map(|origin| origin.trace.clone());
        let is_meant = !self.is_standing_by || settings.file.is_some();
        let default = || PathBuf::from(format!("trace-{}", std::process::id()));
        let base = made.as_deref().and_then(Path::file_name).map(PathBuf::from);
        let named = settings.file.clone().or(base).unwrap_or_else(default);
        let (least, most) = (*Settings::BUFFER_BYTES.start(), *Settings::BUFFER_BYTES.end());
        Started {
            file: made.or(origin.filter(|_| is_meant)),
            named,
            paused_since_ns: self.paused_since_ns,
            policy: settings.policy,
            clock: settings.clock,
            buffer_bytes: settings.buffer_bytes.clamp(least, most).next_power_of_two() as u64,
        }
    }
}
