//! Starting monitors with options. Their sockets are created before the session starts, and clients
//! are served after that.

use crate::control::{Listening, Server};
use crate::options::{Options, OptionsError, of_program};
use crate::session::{Guard, Service, StartError};

impl Options {
    /// Lets the caller of the program start monitors, which inspect and control tracing while the
    /// program runs. Reads every `--monitor ADDRESS` and `--monitor=ADDRESS` before a `--`. Without
    /// this option, reads the environment variable `RINGTRACE_MONITOR`, in which `;` separates
    /// addresses.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let _tracing = ringtrace::Options::from_env_and_args()?.with_monitor()?.start()?;
    /// # Ok(()) }
    /// ```
    ///
    /// The option overrides the variable: child processes inherit the variable, but only one
    /// process can listen at a socket. If the program's parser would reject the option, see
    /// [`Options::monitor_from_args`]; for `clap`, see `ringtrace::clap::MonitorArgs`.
    ///
    /// The address `help` prints the syntax of an address on standard output and exits the process
    /// with status 0.
    ///
    /// # Errors
    /// Fails if an address is invalid.
    pub fn with_monitor(mut self) -> Result<Options, OptionsError> {
        let (given, _) = Options::monitor_from_args(of_program())?;
        self.extend(given.or_monitor_from_env()?);
        self.print_help_and_exit();
        Ok(self)
    }

    /// Starts tracing like [`Options::start`]. `configure` sets the properties of each monitor,
    /// such as the permissions of its clients:
    ///
    /// ```no_run
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let options = ringtrace::Options::from_env_and_args()?.with_monitor()?;
    /// let _tracing = options.start_with(|monitor| monitor.directory("/var/lib/vmm/traces").allow_quit(true))?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Returns the same errors as [`Options::start`].
    pub fn start_with(self, configure: impl Fn(Server) -> Server) -> Result<Guard, StartError> {
        self.print_help_and_exit();
        // Create the sockets first. If another process with the same options is running, this fails
        // before the session empties the trace file, which that process may be writing. Serve
        // clients after the session has started.
        let servers = self.monitors().map(|address| configure(Server::new(address.clone())).listen());
        let servers = servers.collect::<Result<Vec<_>, _>>()?;
        let mut guard = self.start_session()?;
        let serving = servers.into_iter().map(Listening::serve).collect::<Result<Vec<_>, _>>()?;
        guard.services = serving.into_iter().map(|serving| Box::new(serving) as Box<dyn Service>).collect();
        Ok(guard)
    }
}

/// Compiles the Rust examples of the document.
#[cfg(all(doctest, feature = "clap"))]
#[doc = include_str!("../../../../docs/control.md")]
struct Document;
