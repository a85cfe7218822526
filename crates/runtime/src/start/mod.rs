//! Starting what options ask for: events are switched on, the session starts, monitors are served.

#[cfg(feature = "clap")]
pub mod clap;
#[cfg(feature = "monitor")]
mod monitor;
mod report;

use crate::event::registry;
#[cfg(feature = "monitor")]
use crate::options::OptionItem;
use crate::options::{Backends, EventSwitch, Options, OptionsError, Settings, of_program};
use crate::ring::arena;
use crate::session::{self, Guard, StartError};

pub use report::{list_events, report_error};

impl Options {
    /// What the environment variable `RINGTRACE` and then the program's arguments ask for.
    ///
    /// Every `--trace OPTION` and `--trace=OPTION` before a `--` is taken; no other argument is touched, and the program still
    /// finds these among its own. For a parser that does not know them, see [`Options::from_args`]; for `clap`, there are
    /// `ringtrace::clap::TraceArgs`.
    ///
    /// When asked for `help`, lists the events on standard output and exits the process with status 0.
    ///
    /// # Errors
    /// When an option cannot be understood, or an events file not be read.
    pub fn from_env_and_args() -> Result<Options, OptionsError> {
        let mut options = Options::from_env()?;
        let (from_args, _) = Options::from_args(of_program())?;
        options.extend(from_args);
        options.print_help_and_exit();
        Ok(options)
    }

    /// Begins, as asked: switches events, says on standard error which of them there are not, starts the session, and serves the
    /// monitors. All of it ends when the guard is dropped.
    ///
    /// Patterns also hold for libraries that are loaded later. Nothing starts when nothing was asked. Where only a monitor was asked for, nothing is
    /// recorded before a client says so. When asked for `help`, lists the events on standard output and exits the process with
    /// status 0.
    ///
    /// # Errors
    /// When the options contradict each other, or the session or a monitor cannot start: because of its file, for example. Then
    /// nothing is recorded.
    pub fn start(self) -> Result<Guard, StartError> {
        #[cfg(feature = "monitor")]
        return self.start_with(|monitor| monitor);
        #[cfg(not(feature = "monitor"))]
        self.start_session()
    }

    /// Says what is asked for and ends the process, if that is all that is wanted.
    pub(super) fn print_help_and_exit(&self) {
        if self.asks_for_list() {
            report::print_and_exit(&list_events());
        }
        #[cfg(feature = "monitor")]
        if self.items.iter().any(|item| matches!(item, OptionItem::MonitorHelp)) {
            report::print_and_exit(&crate::options::Address::help());
        }
    }

    /// The session, if it is asked for.
    pub(super) fn start_session(self) -> Result<Guard, StartError> {
        self.print_help_and_exit();
        if !self.given {
            return Ok(Guard::of_nothing());
        }
        let settings = self.settings()?;
        self.switch_events();
        begin(settings)
    }

    /// Switches events as asked, now and in libraries that are loaded later, and says on standard error which of them there are not. The
    /// first half of [`Options::start`], for programs that do the other half later: by [`begin`].
    pub fn switch_events(&self) {
        let switches: Vec<&EventSwitch> = self.event_switches().collect();
        let done = registry::switch_for_good(self.switches().cloned().collect());
        report::warn(&switches, &done);
    }
}

/// Starts the session, and says on standard error when processes were killed whose events nobody has recovered.
///
/// # Errors
/// As [`session::start`].
pub fn begin(settings: Settings) -> Result<Guard, StartError> {
    if settings.backends.contains(Backends::SIMPLE)
        && let Ok(directory) = arena::directory(settings.directory.as_deref())
    {
        report::note_killed(&arena::take_left_behind(&directory), &directory);
    }
    session::start(settings)
}

/// What the document shows as Rust compiles.
#[cfg(all(doctest, feature = "clap"))]
#[doc = include_str!("../../../../docs/options.md")]
struct Document;
