//! The monitor's server: its socket, connections and threads.
//!
//! Two threads serve the clients. `ringtrace-mon` (`poller.rs`) polls the listening socket and all
//! connections, reads input, runs quick commands, and sends answers. It never waits for a client, a
//! disk or the writer thread. `ringtrace-ctl` (`worker.rs`) runs slow commands one after the other.
//! Both threads are created at the start, because a sandbox may forbid new threads later. All
//! signals are blocked in both threads, and their probes never wait.
//!
//! | limit | reason |
//! | --- | --- |
//! | 64 clients; others get an error and are disconnected | descriptors and memory |
//! | while more than 64 KiB of answers are unsent, the client's input is not processed | memory |
//! | a client that leaves answers unread for 60 s (1 s after `quit`) is disconnected | connections |
//! | while a slow command runs, its connection stays open | commands must not pile up |
//! | after 8 calls for one client, the other clients get their turn | fairness |
//! | length of a line or a message | memory; see `dialogue` |

mod calls;
mod connection;
mod listener;
mod notices;
mod poller;
mod running;
mod thread;
mod worker;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use super::command::Program;
use crate::options::Address;
use crate::os::services;
use crate::ring::recording;
use crate::session::{self, ServerError, Standby};
use listener::Listener;
use poller::{Poller, Quit};
use running::{Running, Threads};
use thread::Wake;
use worker::Calls;

/// A monitor to be started: its address, and the permissions of its clients.
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use ringtrace::monitor::{Address, Server};
///
/// let _serving = Server::new(Address::new("/run/vmm/trace.sock"))
///     .directory("/var/lib/vmm/traces") // the folder for files that clients name
///     .allow_quit(true)                 // `quit` sends SIGTERM
///     .name("vm-17")
///     .start()?;
/// # Ok(()) }
/// ```
///
/// **Who may connect.** The socket has mode 0600, and only the program's own user and root may
/// connect. A client can make the program write files with the program's privileges;
/// [`Server::directory`] restricts these files to a folder.
///
/// **Limits.** The program's own threads never wait for a client. Clients do not wait for each
/// other, except for slow commands, which run one after the other. 64 clients can be connected;
/// further ones get an error and are disconnected. If a client does not read its answers, the
/// server soon stops reading its input. If it has read nothing for 60 s although answers are
/// waiting, it is disconnected. The lengths of lines and messages are limited. If a client
/// disconnects, the commands that it has sent still run.
///
/// **Forks.** A forked child has no monitor, but may start its own.
///
/// A program may have several servers, for example one for each language. All of them control the
/// same tracing.
pub struct Server {
    address: Address,
    program: Program,
    quit: Option<Quit>,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("address", &self.address)
            .field("program", &self.program)
            .finish_non_exhaustive()
    }
}

/// A running monitor. Dropping it removes its socket and disconnects its clients.
///
/// The same happens when the process exits without dropping it. If the process is killed, the
/// socket remains, and the next server at that path replaces it. Dropping waits at most one second
/// for a command that hangs, for example because of a disk, or for a function passed to
/// [`Server::on_quit`] that has not returned.
#[derive(Debug)]
#[must_use = "bind it to a name: `let _serving = ..`; `let _ = ..` ends the monitor at once"]
pub struct Serving {
    path: PathBuf,
    running: Arc<Running>,
    /// Allows clients to start recording if the program has not started tracing.
    _standby: Standby,
}

/// A monitor whose socket exists, but which does not serve yet.
#[derive(Debug)]
pub(crate) struct Listening {
    server: Server,
    path: PathBuf,
    listener: Listener,
    standby: Standby,
}

impl Server {
    /// Creates a monitor for `address`. By default, clients may name files anywhere, but cannot end
    /// the program.
    pub fn new(address: Address) -> Server {
        Server { address, program: Program::default(), quit: None }
    }

    /// Sets the folder that must contain all files named by clients.
    #[must_use]
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Server {
        self.program.directory = Some(directory.into());
        self
    }

    /// Sets the answer to `query-name`.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Server {
        self.program.name = Some(name.into());
        self
    }

    /// Sets the HMP prompt, by default `(ringtrace) `. Scripts written for QEMU wait for `(qemu) `.
    #[must_use]
    pub fn prompt(mut self, prompt: impl Into<String>) -> Server {
        self.program.prompt = Some(prompt.into());
        self
    }

    /// Sets whether clients may end the program with `quit`. The program then receives `SIGTERM`.
    #[must_use]
    pub fn allow_quit(self, allow: bool) -> Server {
        if allow {
            self.on_quit(|| {
                let _ =
                    rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::TERM);
            })
        } else {
            Server { program: Program { may_quit: false, ..self.program }, quit: None, ..self }
        }
    }

    /// Sets the function that ends the program when a client sends `quit`, and allows `quit`. The
    /// monitor's thread calls the function after the client has received its answer. The function
    /// should only initiate the exit and return soon: no client is served before it returns.
    #[must_use]
    pub fn on_quit(mut self, quit: impl Fn() + Send + 'static) -> Server {
        self.program.may_quit = true;
        self.quit = Some(Box::new(quit));
        self
    }

    /// Starts to serve clients, in threads of its own.
    ///
    /// # Errors
    /// Fails if another program is listening at that socket, or the socket cannot be created. A
    /// socket without a listener is replaced; a file that is not a socket is never removed.
    pub fn start(self) -> Result<Serving, ServerError> {
        self.listen()?.serve()
    }

    /// Creates the socket. Clients can then connect, but are not served yet.
    pub(crate) fn listen(mut self) -> Result<Listening, ServerError> {
        let path = self.address.socket();
        let (allowed, requested) = (self.program.directory.as_deref(), self.address.directory.as_deref());
        self.program.directory = limit_directory(allowed, requested)?;
        let failed = |error| ServerError::System(path.clone(), error);
        // Enter standby before the socket exists, so that clients can use it at once.
        let standby = session::standby().map_err(failed)?;
        let listener = Listener::bind(&path)?;
        Ok(Listening { server: self, path, listener, standby })
    }
}

impl Listening {
    pub(crate) fn serve(self) -> Result<Serving, ServerError> {
        let Listening { server, path, listener, standby } = self;
        let failed = |error| ServerError::System(path.clone(), error);
        let wake = Arc::new(Wake::new().map_err(failed)?);
        let socket = listener.socket_file();
        let program = Arc::new(server.program);
        let stopping = Arc::new(AtomicBool::new(false));
        let calls = Arc::new(Calls::new());
        let worker = worker::start(Arc::clone(&calls), Arc::clone(&program), Arc::clone(&wake));
        let worker = worker.map_err(failed)?;
        let poller = Poller {
            listener,
            mode: server.address.mode,
            program,
            quit: server.quit,
            wake: Arc::clone(&wake),
            calls: Arc::clone(&calls),
            stopping: Arc::clone(&stopping),
            connections: Vec::new(),
            accepted: 0,
            no_accept_before: None,
            notices_due: None,
        };
        let poller = poller.start().inspect_err(|_| calls.stop()).map_err(failed)?;
        let pid = std::process::id();
        let threads = Mutex::new(Some(Threads { poller, worker }));
        let running = Arc::new(Running { pid, socket, stopping, wake, calls, threads });
        services::add(Arc::<Running>::clone(&running));
        recording::note_monitor();
        Ok(Serving { path, running, _standby: standby })
    }
}

impl Serving {
    /// The path of the socket.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        services::Service::end(&*self.running);
    }
}

impl session::Service for Serving {
    fn socket(&self) -> &Path {
        &self.path
    }
}

/// Combines the folders set by the program and the address. The address may restrict the program's
/// folder, but not extend it.
fn limit_directory(allowed: Option<&Path>, requested: Option<&Path>) -> Result<Option<PathBuf>, ServerError> {
    let allowed = allowed.map(found).transpose()?;
    let requested = requested.map(found).transpose()?;
    match (allowed, requested) {
        (Some(allowed), Some(requested)) if !requested.starts_with(&allowed) => {
            Err(ServerError::Outside { requested, allowed })
        }
        (allowed, requested) => Ok(requested.or(allowed)),
    }
}

/// Makes the path absolute and resolves all symbolic links.
fn found(folder: &Path) -> Result<PathBuf, ServerError> {
    folder.canonicalize().map_err(|error| ServerError::NoDirectory(folder.to_owned(), error))
}
