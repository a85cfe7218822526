//! Options with monitors: their sockets are made before the session starts, and served when it has.

use crate::control::{Listening, Server};
use crate::options::{Options, OptionsError, of_program};
use crate::session::{Guard, Service, StartError};

impl Options {
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
        self.print_help_and_exit();
        Ok(self)
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
        self.print_help_and_exit();
        // Before the session, which empties the trace file: another process that was started in the same way may still write it. It is
        // served when that has begun.
        let servers = self.monitors().map(|address| configure(Server::new(address.clone())).listen());
        let servers = servers.collect::<Result<Vec<_>, _>>()?;
        let mut guard = self.start_session()?;
        let serving = servers.into_iter().map(Listening::serve).collect::<Result<Vec<_>, _>>()?;
        guard.services = serving.into_iter().map(|serving| Box::new(serving) as Box<dyn Service>).collect();
        Ok(guard)
    }
}

/// What the document shows as Rust compiles.
#[cfg(all(doctest, feature = "clap"))]
#[doc = include_str!("../../../../docs/control.md")]
struct Document;
