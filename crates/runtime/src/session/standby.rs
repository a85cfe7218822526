//! Standby: the program has not started tracing, but clients of a monitor may start it. In standby,
//! a session has settings but nothing is open.

#[cfg(feature = "monitor")]
use super::fork;
use super::state::{Origin, SessionState};
#[cfg(feature = "monitor")]
use super::state::{state, state_at_end};
#[cfg(feature = "monitor")]
use crate::event::registry;
use crate::options::{Backends, Settings};

/// Lets clients start tracing while it exists. If the program itself starts tracing, its session
/// replaces a client's session. When the program's session ends, clients can start one again.
#[cfg(feature = "monitor")]
#[derive(Debug)]
pub(crate) struct Standby(());

/// Enters standby.
///
/// # Errors
/// Fails if there is no memory.
#[cfg(feature = "monitor")]
pub(crate) fn standby() -> std::io::Result<Standby> {
    let mut state = state();
    fork::prepare()?;
    registry::count_events()?;
    state.standbys += 1;
    registry::prepare_for(state.ready);
    state.stand_by();
    Ok(Standby(()))
}

#[cfg(feature = "monitor")]
impl Drop for Standby {
    fn drop(&mut self) {
        // If the lock cannot be taken, the program stays in standby, although clients can no longer
        // connect.
        let Some(mut state) = state_at_end() else { return };
        state.standbys = state.standbys.saturating_sub(1);
        if state.standbys == 0 && state.is_standing_by {
            state.stop();
        }
    }
}

impl SessionState {
    /// Enters standby, if nothing is started and a [`Standby`] exists.
    pub(super) fn stand_by(&mut self) {
        if self.settings.is_some() || self.standbys == 0 {
            return;
        }
        self.forget_if_inherited();
        let settings = Settings { backends: Backends::NONE, ..Settings::default() };
        self.origin = Some(Origin::of(&settings));
        self.ready = Backends::NONE;
        self.starts += 1;
        self.is_standing_by = true;
        self.settings = Some(settings);
        self.publish_info();
    }

    /// Ends standby and its recording, because the program itself starts tracing.
    pub(super) fn leave_standby(&mut self) {
        if std::mem::take(&mut self.is_standing_by) {
            self.end();
        }
    }
}
