//! The options `--trace` and `--monitor`, for programs that parse their arguments with `clap`.
//!
//! ```
//! use clap::Parser;
//!
//! #[derive(Parser)]
//! struct Arguments {
//!     #[command(flatten)]
//!     trace: ringtrace::clap::TraceArgs,
//! }
//!
//! # fn start() -> Result<(), ringtrace::StartError> {
//! let arguments = Arguments::parse();
//! let _guard = arguments.trace.start()?;
//! # Ok(()) }
//! ```

use std::ffi::OsStr;

use ::clap::builder::TypedValueParser;
use ::clap::error::ErrorKind;
use ::clap::{Arg, Command, Error};

#[cfg(feature = "monitor")]
use crate::options::{Address, MONITOR_VARIABLE, quoted};
use crate::options::{Options, OptionsError, VARIABLE, help};
use crate::session::{Guard, StartError};

use super::report::{list_events, note_unlisted};

/// The option `--trace`, for `#[command(flatten)]`.
///
/// `--trace help` ends parsing, as `--help` does, and prints the list of events.
#[derive(Debug, Clone, Default, ::clap::Args)]
pub struct TraceArgs {
    /// Enable trace events and record them
    #[arg(
        long = "trace",
        value_name = "PATTERN[,KEY=VALUE...]",
        value_parser = OptionParser,
        allow_hyphen_values = true,
        help_heading = "Tracing",
        long_help = long_help()
    )]
    given: Vec<Options>,
    #[cfg(feature = "monitor")]
    #[arg(skip)]
    monitor: Option<MonitorArgs>,
}

impl TraceArgs {
    /// Combines the options of the environment variable `RINGTRACE` with those of the arguments, in
    /// that order.
    ///
    /// # Errors
    /// Fails if the variable is invalid.
    pub fn options(self) -> Result<Options, OptionsError> {
        let mut options = Options::from_env()?;
        self.given.into_iter().for_each(|later| options.extend(later));
        #[cfg(feature = "monitor")]
        if let Some(monitor) = self.monitor {
            options.extend(monitor.options()?);
        }
        Ok(options)
    }

    /// Adds the monitors of `monitor`.
    #[cfg(feature = "monitor")]
    #[must_use]
    pub fn with_monitor(self, monitor: MonitorArgs) -> TraceArgs {
        TraceArgs { monitor: Some(monitor), ..self }
    }

    /// Starts tracing as requested: see [`Options::start`].
    ///
    /// # Errors
    /// Fails if the variable is invalid, or the session cannot start.
    pub fn start(self) -> Result<Guard, StartError> {
        self.options()?.start()
    }
}

/// Parses an option as part of clap's parsing, so that clap reports its errors.
#[derive(Debug, Clone)]
struct OptionParser;

impl TypedValueParser for OptionParser {
    type Value = Options;

    fn parse_ref(&self, command: &Command, _: Option<&Arg>, value: &OsStr) -> Result<Options, Error> {
        let options = Options::parse(value).map_err(|error| {
            Error::raw(ErrorKind::ValueValidation, format!("--trace {error}\n")).with_cmd(command)
        })?;
        if options.asks_for_list() {
            note_unlisted();
            return Err(shown(list_events()));
        }
        Ok(options)
    }
}

/// The option `--monitor`, used together with [`TraceArgs`]. A program with this option lets its
/// caller start a monitor.
///
/// ```no_run
/// use clap::Parser;
///
/// #[derive(Parser)]
/// struct Arguments {
///     #[command(flatten)]
///     trace: ringtrace::clap::TraceArgs,
///     #[command(flatten)]
///     monitor: ringtrace::clap::MonitorArgs,
/// }
///
/// # fn start() -> Result<(), ringtrace::StartError> {
/// let arguments = Arguments::parse();
/// let _tracing = arguments.trace.with_monitor(arguments.monitor).start()?;
/// # Ok(()) }
/// ```
///
/// `--monitor help` ends parsing, as `--help` does, and prints the syntax of an address.
#[cfg(feature = "monitor")]
#[derive(Debug, Clone, Default, ::clap::Args)]
pub struct MonitorArgs {
    /// Serve a socket for inspecting and controlling tracing
    #[arg(
        long = "monitor",
        value_name = "unix:PATH[,KEY=VALUE...]",
        value_parser = AddressParser,
        help_heading = "Tracing",
        long_help = monitor_long_help()
    )]
    addresses: Vec<Address>,
}

#[cfg(feature = "monitor")]
impl MonitorArgs {
    /// Returns the monitors of the arguments, or if there are none, those of the environment
    /// variable `RINGTRACE_MONITOR`.
    ///
    /// # Errors
    /// Fails if the variable is invalid.
    pub fn options(self) -> Result<Options, OptionsError> {
        self.addresses.into_iter().fold(Options::new(), Options::monitor).or_monitor_from_env()
    }
}

/// Parses an address as part of clap's parsing.
#[cfg(feature = "monitor")]
#[derive(Debug, Clone)]
struct AddressParser;

#[cfg(feature = "monitor")]
impl TypedValueParser for AddressParser {
    type Value = Address;

    fn parse_ref(&self, command: &Command, _: Option<&Arg>, value: &OsStr) -> Result<Address, Error> {
        if value == "help" || value == "?" {
            return Err(shown(Address::help()));
        }
        Address::parse(value).map_err(|error| {
            let text = format!("--monitor {}: {error}\n", quoted(value));
            Error::raw(ErrorKind::ValueValidation, text).with_cmd(command)
        })
    }
}

/// Creates the error that makes clap print a string on standard output and exit with status 0.
fn shown(text: String) -> Error {
    // For this kind of error, clap prints nothing but the text. But clap must create the error
    // itself.
    let parsed = Command::new("").override_help(text).try_get_matches_from(["", "--help"]);
    parsed.err().unwrap_or_else(|| Error::new(ErrorKind::DisplayHelp))
}

fn long_help() -> String {
    format!(
        "Enable trace events and record them\n\n\
         PATTERN is the name of an event; a `*` in it stands for any characters. `help` lists all events. Write a \
         comma in a value as `,,`. The option may be repeated, and later settings win.\n\n\
         {}\n\
         The environment variable {VARIABLE} has the same syntax; separate several options by `;`.",
        help()
    )
}

#[cfg(feature = "monitor")]
fn monitor_long_help() -> String {
    format!(
        "Serve a socket for inspecting and controlling tracing\n\n\
         For `ringtrace top`, `ringtrace ctl`, and clients of QEMU's QMP or HMP. Only the socket's owner and root can connect.\n\n\
         {}\n\
         Without this option, the environment variable {MONITOR_VARIABLE} is used, with the same syntax.",
        Address::help()
    )
}
