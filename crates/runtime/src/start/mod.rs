//! Starting tracing with options: events are enabled, then the session and the monitors start.

#[cfg(feature = "clap")]
pub mod clap;
#[cfg(feature = "monitor")]
mod monitor;
mod report;

use crate::event::registry;
#[cfg(feature = "monitor")]
use crate::options::OptionItem;
use crate::options::{EventSwitch, Options, OptionsError, of_program};
use crate::session::{self, Guard, StartError};

pub use report::{Warning, list_events, report_error, report_warnings};

impl Options {
    /// Combines the options of the environment variable `RINGTRACE` with those of the program's
    /// arguments, in that order.
    ///
    /// Reads every `--trace OPTION` and `--trace=OPTION` before a `--`. The program's arguments are
    /// not changed, so its own parser sees these options, too. If that parser would reject them,
    /// see [`Options::from_args`]; for `clap`, see `ringtrace::clap::TraceArgs`.
    ///
    /// The option `help` lists the events on standard output and exits the process with status 0.
    ///
    /// # Errors
    /// Fails if an option is invalid, or an events file cannot be read.
    pub fn from_env_and_args() -> Result<Options, OptionsError> {
        let mut options = Options::from_env()?;
        let (from_args, _) = Options::from_args(of_program())?;
        options.extend(from_args);
        options.print_help_and_exit();
        Ok(options)
    }

    /// Starts tracing: enables and disables events, warns on standard error about patterns that
    /// have no effect, and starts the session and the monitors. Dropping the guard ends all of it.
    /// If a pattern can match events that are [declared later](crate::dynamic), but has matched
    /// none, the warning is printed at the end.
    ///
    /// Patterns also apply to libraries that are loaded later. Empty options start nothing. With
    /// monitors only, nothing is recorded until a client requests it. The option `help` lists the
    /// events on standard output and exits the process with status 0.
    ///
    /// # Errors
    /// Fails if the options contradict each other, or if the session or a monitor cannot start, for
    /// example because its file cannot be created. In this case, nothing is recorded.
    pub fn start(self) -> Result<Guard, StartError> {
        #[cfg(feature = "monitor")]
        return self.start_with(|monitor| monitor);
        #[cfg(not(feature = "monitor"))]
        self.start_session()
    }

    /// Prints the requested help, if any, and ends the process.
    pub(super) fn print_help_and_exit(&self) {
        if self.asks_for_list() {
            report::note_unlisted();
            report::print_and_exit(&list_events());
        }
        #[cfg(feature = "monitor")]
        if self.items.iter().any(|item| matches!(item, OptionItem::MonitorHelp)) {
            report::print_and_exit(&crate::options::Address::help());
        }
    }

    pub(super) fn start_session(self) -> Result<Guard, StartError> {
        self.print_help_and_exit();
        if !self.given {
            return Ok(Guard::of_nothing());
        }
        let settings = self.settings()?;
        let (warnings, late) = self.switch_now();
        report_warnings(&warnings);
        let guard = session::start(settings)?;
        report::report_unmatched_at_end(late);
        Ok(guard)
    }

    /// Enables and disables events, now and in libraries that are loaded later. Returns warnings
    /// about patterns that have no effect. This is the first half of [`Options::start`], for
    /// programs that call [`session::start`] later.
    #[must_use]
    pub fn switch_events(&self) -> Vec<Warning> {
        self.switch_now().0
    }

    /// Enables and disables events. Returns warnings about patterns that have no effect, and the
    /// patterns that match no event yet but may match events that are declared later.
    fn switch_now(&self) -> (Vec<Warning>, Vec<EventSwitch>) {
        let switches: Vec<&EventSwitch> = self.event_switches().collect();
        // Before events are enabled, so that no record lacks its context.
        for (part, pattern) in self.contexts() {
            registry::add_context_for_good(part, pattern.clone());
        }
        let done = registry::switch_for_good(self.switches().cloned().collect());
        let mut warnings = report::warnings(&switches, &done);
        warnings.extend(report::stack_warning(self.contexts()));
        (warnings, report::late(&switches, &done))
    }
}

/// Compiles the Rust examples of the document.
#[cfg(all(doctest, feature = "clap"))]
#[doc = include_str!("../../../../docs/options.md")]
struct Document;
