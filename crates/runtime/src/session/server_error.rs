//! Errors that occur when a monitor is started, with advice.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::os::error_text;

/// An error that occurs when a monitor is started.
///
/// `Debug` prints the message, because a `main` that returns the error prints it that way.
pub enum ServerError {
    /// Another program is listening on that socket.
    InUse(PathBuf),
    /// The file at that path is not a socket. It is not changed.
    NotSocket(PathBuf),
    /// The path is longer than the system allows for sockets.
    TooLong(PathBuf),
    /// A system call failed.
    System(PathBuf, io::Error),
    /// The folder for clients' files does not exist.
    NoDirectory(PathBuf, io::Error),
    /// The folder in the address is outside the folder that the program has set.
    Outside {
        /// The folder in the address.
        requested: PathBuf,
        /// The folder that the program has set.
        allowed: PathBuf,
    },
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServerError::InUse(path) => write!(
                f,
                "monitor {}: another monitor is listening there; end that program or use another path (`%d` in it \
                 stands for the process id)",
                path.display()
            ),
            ServerError::NotSocket(path) => {
                write!(f, "monitor {}: the file exists and is not a socket; use another path", path.display())
            }
            ServerError::TooLong(path) => write!(
                f,
                "monitor {}: the path has {} bytes, but a socket's path can have at most 107; use a shorter path, or \
                 one relative to the current folder",
                path.display(),
                path.as_os_str().len()
            ),
            ServerError::System(path, error) => {
                write!(f, "monitor {}: {}", path.display(), Refused(path, error))
            }
            ServerError::NoDirectory(path, error) => {
                write!(
                    f,
                    "cannot use folder `{}` for the monitor's files: {}",
                    path.display(),
                    error_text(error)
                )
            }
            ServerError::Outside { requested, allowed } => write!(
                f,
                "cannot use folder `{}` for the monitor's files: the program allows only files in {}",
                requested.display(),
                allowed.display()
            ),
        }
    }
}

impl fmt::Debug for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A system error at a path, printed with advice.
struct Refused<'e>(&'e Path, &'e io::Error);

impl fmt::Display for Refused<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refused(path, error) = self;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).display();
        match error.kind() {
            io::ErrorKind::NotFound => write!(f, "the folder {folder} does not exist; create it first"),
            io::ErrorKind::PermissionDenied => {
                write!(f, "no permission to create a socket in {folder}; use a folder that you own")
            }
            _ => f.write_str(&error_text(error)),
        }
    }
}

impl std::error::Error for ServerError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ServerError::System(_, error) | ServerError::NoDirectory(_, error) => Some(error),
            _ => None,
        }
    }
}
