//! What is known of a session without waiting for who starts, switches or ends one, which may take long: making a file on a slow disk.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{State, current};
use crate::{Clock, Policy, Settings};

/// What was started.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    /// `None`: nothing was started.
    pub(crate) started: Option<Started>,
}

/// Something that was started.
#[derive(Debug, Clone)]
pub(crate) struct Started {
    /// The trace file, absolute, if there is one or will be.
    pub(crate) file: Option<PathBuf>,
    pub(crate) policy: Policy,
    pub(crate) clock: Clock,
    pub(crate) buffer_bytes: u64,
}

static FACTS: Mutex<Facts> = Mutex::new(Facts { started: None });

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
        *lock() = Facts { started };
    }

    fn started(&self, settings: &Settings) -> Started {
        let made = current().map(|session| session.trace_path().to_path_buf());
        let named = || self.origin.as_ref().map(|origin| origin.trace.clone());
        let (least, most) = (*Settings::BUFFER_BYTES.start(), *Settings::BUFFER_BYTES.end());
        Started {
            file: made.or_else(named),
            policy: settings.policy,
            clock: settings.clock,
            buffer_bytes: settings.buffer_bytes.clamp(least, most).next_power_of_two() as u64,
        }
    }
}
