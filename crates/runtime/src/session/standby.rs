//! A program that can be told to trace, and has not started by itself: it has settings, and nothing else.

#[cfg(feature = "monitor")]
use super::fork;
use super::state::{Origin, SessionState};
#[cfg(feature = "monitor")]
use super::state::{state, state_at_end};
#[cfg(feature = "monitor")]
use crate::event::registry;
use crate::options::{Backends, Settings};

/// As long as it is there, tracing can be switched on though the program did not start it. When the program does, that goes first; when
/// the program ends it, tracing can be switched on again.
#[cfg(feature = "monitor")]
#[derive(Debug)]
pub(crate) struct Standby(());

/// Makes the program ready to be told to trace.
///
/// # Errors
/// When there is no memory.
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
        // Else it stays ready to be told, with nobody to tell it.
        let Some(mut state) = state_at_end() else { return };
        state.standbys = state.standbys.saturating_sub(1);
        if state.standbys == 0 && state.is_standing_by {
            state.stop();
        }
    }
}

impl SessionState {
    /// Goes into standby, if nothing is started and somebody wants it.
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

    /// Ends standby, and what was recorded in it: the program itself starts.
    pub(super) fn leave_standby(&mut self) {
        if std::mem::take(&mut self.is_standing_by) {
            self.end();
        }
    }
}
