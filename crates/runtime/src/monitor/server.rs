//! The socket, and who is connected to it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::Address;
use super::dialogue::Program;

/// A monitor that is to be started.
#[derive(Debug)]
pub struct Server {
    address: Address,
    program: Program,
}

/// A monitor that serves, until it is dropped: then its socket is gone.
#[derive(Debug)]
#[must_use = "the monitor ends when this is dropped"]
pub struct Serving {
    path: PathBuf,
}

/// Why a monitor cannot be started.
#[derive(Debug)]
pub enum ServerError {
    /// Another program serves at that socket.
    InUse(PathBuf),
    /// The system refused it.
    System(PathBuf, io::Error),
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServerError::InUse(path) => write!(f, "monitor {}: another program serves there", path.display()),
            ServerError::System(path, error) => write!(f, "monitor {}: {error}", path.display()),
        }
    }
}

impl std::error::Error for ServerError {}

impl Server {
    /// A monitor at `address`. Clients may name trace files anywhere, and may not end the program.
    pub fn new(address: Address) -> Server {
        Server { address, program: Program::default() }
    }

    /// Files that clients name must be in this folder or below.
    #[must_use]
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Server {
        self.program.directory = Some(directory.into());
        self
    }

    /// Begins to serve, in a thread of its own.
    ///
    /// # Errors
    /// When another program serves at that socket, or it cannot be made.
    pub fn start(self) -> Result<Serving, ServerError> {
        Ok(Serving { path: self.address.path })
    }
}

impl Serving {
    /// The socket.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
