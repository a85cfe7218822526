//! Monitors that are asked for: `--monitor ADDRESS`, and the variable `RINGTRACE_MONITOR`. A program opts in, because whoever may
//! connect to a monitor may have the program write files.

use std::ffi::{OsStr, OsString};

use super::arguments::{of_program, quoted, take, values, variable};
use super::mistake::{Mistake, OptionsError};
use super::{Options, Wish};
use crate::monitor::{Address, Listening, Server};
use crate::session::{Guard, StartError};

/// The variable that has addresses of monitors.
pub const MONITOR_VARIABLE: &str = "RINGTRACE_MONITOR";

const OPTION: &str = "--monitor";

impl Options {
    /// A monitor at this address, beside those that were asked for before.
    #[must_use]
    pub fn monitor(mut self, address: Address) -> Options {
        self.wishes.push(Wish::Monitor(address));
        self
    }

    /// Lets who starts the program have it serve a monitor, by which it can be asked and told while it runs: every `--monitor ADDRESS` and
    /// `--monitor=ADDRESS` before a `--`, or, where there is none, the environment variable `RINGTRACE_MONITOR`, in which addresses
    /// are parted by `;`.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let _tracing = ringtrace::Options::from_env_and_args()?.with_monitor()?.start()?;
    /// # Ok(()) }
    /// ```
    ///
    /// The variable is not asked beside the option, because programs pass it on to programs that they start, and only one can
    /// listen at a socket. For a parser that does not know the option, see [`Options::monitor_from_args`]; for `clap`, there are
    /// `ringtrace::clap::MonitorArgs`.
    ///
    /// When asked for `help`, says on standard output what an address is, and exits the process with status 0.
    ///
    /// # Errors
    /// When an address cannot be understood.
    pub fn with_monitor(mut self) -> Result<Options, OptionsError> {
        let (given, _) = Options::monitor_from_args(of_program())?;
        self.extend(given.or_monitor_from_env()?);
        self.answer_questions();
        Ok(self)
    }

    /// The monitors that the environment variable `RINGTRACE_MONITOR` asks for. A program with more rights than
    /// who starts it does not look at it.
    ///
    /// # Errors
    /// When an address cannot be understood.
    pub fn monitor_from_env() -> Result<Options, OptionsError> {
        variable(MONITOR_VARIABLE)
            .map_or(Ok(Options::new()), |text| Options::parse_monitor_variable(MONITOR_VARIABLE, text))
    }

    /// The monitors that the value of a variable asks for: addresses, each on its line or parted by `;`. In an address, `;;` is a
    /// semicolon. Empty ones ask for nothing.
    ///
    /// # Errors
    /// When an address cannot be understood. The text of the error has the variable's name.
    pub fn parse_monitor_variable(name: &str, value: impl AsRef<OsStr>) -> Result<Options, OptionsError> {
        let mut options = Options::new();
        for address in values(value.as_ref()) {
            options.wishes.push(wish(&format!("{name}="), &address)?);
        }
        Ok(options)
    }

    /// The monitors that arguments ask for; and the other arguments, in order, for the program's own parser.
    ///
    /// # Errors
    /// When an address cannot be understood or is missing.
    pub fn monitor_from_args<A: Into<OsString>>(
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<(Options, Vec<OsString>), OptionsError> {
        let (addresses, rest) = take(OPTION, "unix:monitor.sock", arguments)?;
        let mut options = Options::new();
        for address in addresses {
            options.wishes.push(wish(&format!("{OPTION} "), &address)?);
        }
        Ok((options, rest))
    }

    /// These, or, if there is no monitor among them, those that the environment variable `RINGTRACE_MONITOR` asks for.
    ///
    /// # Errors
    /// When an address of the variable cannot be understood.
    pub fn or_monitor_from_env(mut self) -> Result<Options, OptionsError> {
        if !self.wishes.iter().any(|wish| matches!(wish, Wish::Monitor(_) | Wish::MonitorHelp)) {
            self.extend(Options::monitor_from_env()?);
        }
        Ok(self)
    }

    /// The monitors that are asked for.
    pub fn monitors(&self) -> impl Iterator<Item = &Address> {
        self.wishes.iter().filter_map(|wish| match wish {
            Wish::Monitor(address) => Some(address),
            _ => None,
        })
    }

    /// Begins as [`Options::start`] does; `configure` says of each monitor what its clients may do, and what it says of the program:
    ///
    /// ```no_run
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let options = ringtrace::Options::from_env_and_args()?.with_monitor()?;
    /// let _tracing = options.start_with(|monitor| monitor.directory("/var/lib/vmm/traces").allow_quit(true))?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// As [`Options::start`].
    pub fn start_with(self, configure: impl Fn(Server) -> Server) -> Result<Guard, StartError> {
        self.answer_questions();
        // Before the session, which empties the trace file: another process that was started in the same way may still write it. It is
        // served when that has begun.
        let servers = self.monitors().map(|address| configure(Server::new(address.clone())).listen());
        let servers = servers.collect::<Result<Vec<_>, _>>()?;
        let mut guard = self.begin()?;
        guard.monitors = servers.into_iter().map(Listening::serve).collect::<Result<_, _>>()?;
        Ok(guard)
    }
}

/// What an address asks for, or `help`, that stood behind `place`.
fn wish(place: &str, text: &OsStr) -> Result<Wish, OptionsError> {
    if ["help", "?"].iter().any(|word| *word == text) {
        return Ok(Wish::MonitorHelp);
    }
    let failed = |error| OptionsError::new(format!("{place}{}", quoted(text)), Mistake::Monitor(error));
    Address::parse(text).map(Wish::Monitor).map_err(failed)
}

/// What the document shows as Rust compiles.
#[cfg(all(doctest, feature = "clap"))]
#[doc = include_str!("../../../../docs/control.md")]
struct Document;
