//! The options `--trace` and `--monitor` for programs that parse their arguments by `clap`.
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

use super::list_events;

/// The option `--trace`; for `#[command(flatten)]`.
///
/// `--trace help` ends the parsing, as `--help` does, with the list of events.
#[derive(Debug, Clone, Default, ::clap::Args)]
pub struct TraceArgs {
    /// Switch trace events on and record them
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
    /// What the environment variable `RINGTRACE` and then the arguments ask for.
    ///
    /// # Errors
    /// When the variable cannot be understood.
    pub fn options(self) -> Result<Options, OptionsError> {
        let mut options = Options::from_env()?;
        self.given.into_iter().for_each(|later| options.extend(later));
        #[cfg(feature = "monitor")]
        if let Some(monitor) = self.monitor {
            options.extend(monitor.options()?);
        }
        Ok(options)
    }

    /// The same, with a monitor, if one is asked for.
    #[cfg(feature = "monitor")]
    #[must_use]
    pub fn with_monitor(self, monitor: MonitorArgs) -> TraceArgs {
        TraceArgs { monitor: Some(monitor), ..self }
    }

    /// Begins, as asked: see [`Options::start`].
    ///
    /// # Errors
    /// When the variable cannot be understood, or the session cannot start.
    pub fn start(self) -> Result<Guard, StartError> {
        self.options()?.start()
    }
}

/// Understands an option while clap parses, so that what is wrong is told as clap tells it.
#[derive(Debug, Clone)]
struct OptionParser;

impl TypedValueParser for OptionParser {
    type Value = Options;

    fn parse_ref(&self, command: &Command, _: Option<&Arg>, value: &OsStr) -> Result<Options, Error> {
        let options = Options::parse(value).map_err(|error| {
            Error::raw(ErrorKind::ValueValidation, format!("--trace {error}\n")).with_cmd(command)
        })?;
        if options.asks_for_list() {
            return Err(shown(list_events()));
        }
        Ok(options)
    }
}

/// The option `--monitor`, beside [`TraceArgs`]: by it a program opts in to be asked and told while it runs.
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
/// `--monitor help` ends the parsing, as `--help` does, and says what an address is.
#[cfg(feature = "monitor")]
#[derive(Debug, Clone, Default, ::clap::Args)]
pub struct MonitorArgs {
    /// Serve a socket by which tracing can be watched and steered
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
    /// The monitors that the arguments ask for, or, where they ask for none, the environment variable `RINGTRACE_MONITOR`.
    ///
    /// # Errors
    /// When the variable cannot be understood.
    pub fn options(self) -> Result<Options, OptionsError> {
        self.addresses.into_iter().fold(Options::new(), Options::monitor).or_monitor_from_env()
    }
}

/// Understands an address while clap parses.
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

/// The end of parsing that shows a text on standard output and exits with status 0.
fn shown(text: String) -> Error {
    // The one way to have such an error show nothing but the text.
    let asked = Command::new("").override_help(text).try_get_matches_from(["", "--help"]);
    asked.err().unwrap_or_else(|| Error::new(ErrorKind::DisplayHelp))
}

fn long_help() -> String {
    format!(
        "Switch trace events on and record them\n\n\
         PATTERN is the name of an event, or has a `*` for any characters; `help` lists all events. A comma in a \
         value is written `,,`. The option may be given several times, and what comes later wins.\n\n\
         {}\n\
         The environment variable {VARIABLE} takes the same; several are parted by `;`.",
        help()
    )
}

#[cfg(feature = "monitor")]
fn monitor_long_help() -> String {
    format!(
        "Serve a socket by which tracing can be watched and steered\n\n\
         For `ringtrace top`, `ringtrace ctl`, and whatever speaks QEMU's QMP or HMP. The socket is its owner's alone.\n\n\
         {}\n\
         The environment variable {MONITOR_VARIABLE} takes the same, where there is no such option.",
        Address::help()
    )
}
