//! The socket, and who is connected to it.
//!
//! Two threads serve. `ringtrace-mon` (`poller.rs`) polls the listening socket and all connections, reads, makes the calls that are
//! quick, and sends; it never waits for a client, a disk or the writer thread. `ringtrace-ctl` (`worker.rs`) makes the calls that take long, one after
//! the other. Both are made at the start, since a sandbox may forbid it later, and have all signals blocked. Probes in them never wait.
//!
//! | bound | why |
//! | --- | --- |
//! | 64 clients; another one is told so | descriptors and memory |
//! | a client with 64 KiB of answers waiting is not read, and nothing is done for it | memory, with a client that does not read |
//! | 60 s in which such a client takes nothing | it would keep its place for ever |
//! | 8 calls, then others have their turn | a client that sends without end |
//! | what a line or a message may have | is the dialogue's (`dialogue/mod.rs`) |

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
use crate::session::{self, ServerError, Standby};
use listener::Listener;
use poller::{Poller, Quit};
use running::{Running, Threads};
use thread::Wake;
use worker::Calls;

/// A monitor that is to be started: where it listens, and what its clients may do.
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use ringtrace::monitor::{Address, Server};
///
/// let _serving = Server::new(Address::new("/run/vmm/trace.sock"))
///     .directory("/var/lib/vmm/traces") // where clients may have files written
///     .allow_quit(true)                 // by SIGTERM, as if it came from elsewhere
///     .name("vm-17")
///     .start()?;
/// # Ok(()) }
/// ```
///
/// **Who may connect.** The socket is its owner's alone (0600), and whoever connects must be the user that the program runs as, or root. A client can have the
/// program write files with the program's rights: [`Server::directory`] says where.
///
/// **What clients cannot do.** The program's own threads never wait for a client, and clients do not wait for each other, but for calls that take long, which
/// are made one after the other. 64 clients can be connected; another one is told so, and disconnected. One that does not read its answers is not read either, and is
/// disconnected when it has taken nothing for 60 s. Lines and messages are bounded; a client that has gone away has what it asked for done, and
/// leaves nothing else behind.
///
/// **Forks.** A child has no monitor, whatever it inherits, and may start one of its own.
///
/// A program may have several servers, in one language each, for example. What they switch is the program's: all see the same.
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

/// A monitor that serves, until it is dropped: then its socket is gone, and its clients are disconnected.
///
/// When the process exits without having dropped it, that is done as well, but not when it is killed: the socket that is
/// left then is replaced by the next server there. A call that hangs, because a disk does, is waited for a second, and then left to itself;
/// so is a function for `quit` that has not returned.
#[derive(Debug)]
#[must_use = "bind it to a name: `let _serving = ..`; `let _ = ..` ends the monitor at once"]
pub struct Serving {
    path: PathBuf,
    running: Arc<Running>,
    /// Clients can switch tracing on that the program does not start itself.
    _standby: Standby,
}

/// A monitor whose socket is there, and that does not serve yet.
#[derive(Debug)]
pub(crate) struct Listening {
    server: Server,
    path: PathBuf,
    listener: Listener,
    standby: Standby,
}

impl Server {
    /// A monitor at `address`. Clients may name trace files anywhere, and may not end the program.
    pub fn new(address: Address) -> Server {
        Server { address, program: Program::default(), quit: None }
    }

    /// Files that clients name must be in this folder or below.
    #[must_use]
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Server {
        self.program.directory = Some(directory.into());
        self
    }

    /// What `query-name` answers.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Server {
        self.program.name = Some(name.into());
        self
    }

    /// What HMP clients are prompted with, `(ringtrace) ` otherwise. Scripts that were written for QEMU wait for `(qemu) `.
    #[must_use]
    pub fn prompt(mut self, prompt: impl Into<String>) -> Server {
        self.program.prompt = Some(prompt.into());
        self
    }

    /// Whether clients may end the program by `quit`: it gets `SIGTERM` then, and ends as it does when that comes from elsewhere.
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

    /// Clients may end the program by `quit`: then this is called, in the thread of the monitor, once the client has its answer. It should
    /// make the program end and return soon: until it has, nobody is served.
    #[must_use]
    pub fn on_quit(mut self, quit: impl Fn() + Send + 'static) -> Server {
        self.program.may_quit = true;
        self.quit = Some(Box::new(quit));
        self
    }

    /// Begins to serve, in threads of its own.
    ///
    /// # Errors
    /// When another program serves at that socket, or it cannot be made. A socket that nobody serves any more is replaced; what
    /// is no socket is never removed.
    pub fn start(self) -> Result<Serving, ServerError> {
        self.listen()?.serve()
    }

    /// Has the socket made: clients can connect to it, and wait.
    pub(crate) fn listen(mut self) -> Result<Listening, ServerError> {
        let path = self.address.socket();
        let (allowed, asked) = (self.program.directory.as_deref(), self.address.directory.as_deref());
        self.program.directory = limit_directory(allowed, asked)?;
        let failed = |error| ServerError::System(path.clone(), error);
        // Before the socket is there: who connects finds the program ready.
        let standby = session::standby().map_err(failed)?;
        let listener = Listener::bind(&path)?;
        Ok(Listening { server: self, path, listener, standby })
    }
}

impl Listening {
    /// Begins to serve.
    pub(crate) fn serve(self) -> Result<Serving, ServerError> {
        let Listening { server, path, listener, standby } = self;
        let failed = |error| ServerError::System(path.clone(), error);
        let wake = Arc::new(Wake::new().map_err(failed)?);
        let socket = listener.socket_file();
        let program = Arc::new(server.program);
        let stopping = Arc::new(AtomicBool::new(false));
        let calls = Arc::new(Calls::default());
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
        Ok(Serving { path, running, _standby: standby })
    }
}

impl Serving {
    /// The socket.
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

/// The folder that holds where the program allows one and the address asks for another: it may ask for less, not for more.
fn limit_directory(allowed: Option<&Path>, asked: Option<&Path>) -> Result<Option<PathBuf>, ServerError> {
    let allowed = allowed.map(found).transpose()?;
    let asked = asked.map(found).transpose()?;
    match (allowed, asked) {
        (Some(allowed), Some(asked)) if !asked.starts_with(&allowed) => {
            Err(ServerError::Outside { asked, allowed })
        }
        (allowed, asked) => Ok(asked.or(allowed)),
    }
}

/// Where a folder is, behind all links, whatever the current folder is later.
fn found(folder: &Path) -> Result<PathBuf, ServerError> {
    folder.canonicalize().map_err(|error| ServerError::NoDirectory(folder.to_owned(), error))
}
