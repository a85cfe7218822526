//! Why a monitor cannot be started, and what to do.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::os::error_text;

/// Why a monitor cannot be started.
///
/// Its `Debug` is its text, too, since that is what a `main` that returns it prints.
pub enum ServerError {
    /// Another program serves at that socket.
    InUse(PathBuf),
    /// There is something at that path that is no socket. It stays as it is.
    NotSocket(PathBuf),
    /// The system's sockets have shorter paths.
    TooLong(PathBuf),
    /// The system refused it.
    System(PathBuf, io::Error),
    /// The folder that clients may name files in is not there.
    NoDirectory(PathBuf, io::Error),
    /// The folder that an address has is not within the one that the program has.
    Outside {
        /// What the address has.
        asked: PathBuf,
        /// What the program has.
        allowed: PathBuf,
    },
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServerError::InUse(path) => write!(
                f,
                "monitor {}: another program, or this one, serves there already: end that, or give another path; `%d` in a path is the process id",
                path.display()
            ),
            ServerError::NotSocket(path) => write!(
                f,
                "monitor {}: something that is no socket is there, and is left as it is: give another path",
                path.display()
            ),
            ServerError::TooLong(path) => write!(
                f,
                "monitor {}: {} bytes are too many, a socket's path has at most 107: give a shorter one, or one that begins at \
                 the current folder",
                path.display(),
                path.as_os_str().len()
            ),
            ServerError::System(path, error) => {
                write!(f, "monitor {}: {}", path.display(), Refused(path, error))
            }
            ServerError::NoDirectory(path, error) => {
                write!(f, "monitor's folder for files {}: {}", path.display(), error_text(error))
            }
            ServerError::Outside { asked, allowed } => write!(
                f,
                "monitor's folder for files {}: the program allows files in {} only",
                asked.display(),
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

/// What the system refused at a path, with advice.
struct Refused<'e>(&'e Path, &'e io::Error);

impl fmt::Display for Refused<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refused(path, error) = self;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).display();
        match error.kind() {
            io::ErrorKind::NotFound => write!(f, "there is no folder {folder}: make it first"),
            io::ErrorKind::PermissionDenied => {
                write!(f, "no right to make a socket in {folder}: give a path in a folder of this user's")
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
