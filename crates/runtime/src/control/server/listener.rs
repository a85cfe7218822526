//! The listening socket. Only the user of the process and root can connect. A new socket replaces a
//! stale one, but no other file. The socket is removed at the end.

#![expect(unsafe_code, reason = "`getsockopt` for the peer's user id")]

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, Mode, chmod, fchmod, flock};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, SocketAddrUnix, SocketFlags, SocketType, accept_with, bind, connect, listen, socket_with,
};
use rustix::process::geteuid;

use crate::options::MAX_PATH_BYTES;
use crate::os::services::Descriptor;
use crate::session::ServerError;

/// The number of clients that may wait to be accepted.
const BACKLOG: i32 = 64;

/// Read and write for the owner only.
const RIGHTS: Mode = Mode::RUSR.union(Mode::WUSR);

const LOCK_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct Listener {
    socket: Descriptor,
    file: Arc<SocketFile>,
}

/// The file of a socket, removed on drop.
#[derive(Debug)]
pub(super) struct SocketFile {
    /// Absolute, because the program may change its folder.
    path: PathBuf,
    /// The device and inode numbers of the socket. Another socket may later be created at this
    /// path.
    identity: (u64, u64),
    mode: u32,
    /// The process that created the socket. A forked child must not remove it.
    pid: u32,
    is_removed: AtomicBool,
}

impl Listener {
    /// Listens at `path`. Replaces a stale socket, at which no process listens.
    pub(super) fn bind(path: &Path) -> Result<Listener, ServerError> {
        let failed = |error: Errno| ServerError::System(path.to_owned(), error.into());
        if path.as_os_str().len() > MAX_PATH_BYTES {
            return Err(ServerError::TooLong(path.to_owned()));
        }
        let address = SocketAddrUnix::new(path).map_err(failed)?;
        let socket = Descriptor::open(unconnected).map_err(failed)?;
        // The socket has these permissions from its creation, except those that the umask removes.
        fchmod(&socket, RIGHTS).map_err(failed)?;
        let _lock = lock(folder(path));
        remove_stale(path, &address)?;
        bind(&socket, &address).map_err(|error| match error {
            Errno::ADDRINUSE => ServerError::InUse(path.to_owned()),
            error => failed(error),
        })?;
        let file = SocketFile::find(path).map_err(|error| ServerError::System(path.to_owned(), error))?;
        if file.mode & RIGHTS.as_raw_mode() != RIGHTS.as_raw_mode() {
            chmod(path, RIGHTS).map_err(failed)?;
        }
        listen(&socket, BACKLOG).map_err(failed)?;
        Ok(Listener { socket, file: Arc::new(file) })
    }

    pub(super) fn socket_file(&self) -> Arc<SocketFile> {
        Arc::clone(&self.file)
    }

    pub(super) fn accept(&self) -> Result<Descriptor, Errno> {
        Descriptor::open(|| accept_with(&self.socket, SocketFlags::CLOEXEC | SocketFlags::NONBLOCK))
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

fn unconnected() -> Result<std::os::fd::OwnedFd, Errno> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)
}

/// Removes a stale socket at `path`. Returns an error if there is any other file.
fn remove_stale(path: &Path, address: &SocketAddrUnix) -> Result<(), ServerError> {
    let failed = |error| ServerError::System(path.to_owned(), error);
    match std::fs::symlink_metadata(path) {
        Ok(found) if !found.file_type().is_socket() => return Err(ServerError::NotSocket(path.to_owned())),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(error)),
    }
    let probe = Descriptor::open(unconnected).map_err(|error| failed(error.into()))?;
    match connect(&probe, address) {
        Err(Errno::CONNREFUSED) => match std::fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
            _ => Ok(()),
        },
        Err(Errno::NOENT) => Ok(()),
        // EAGAIN: the other listener's queue is full. EPROTOTYPE: it is a socket of another type.
        Ok(()) | Err(Errno::AGAIN | Errno::PROTOTYPE) => Err(ServerError::InUse(path.to_owned())),
        Err(error) => Err(failed(error.into())),
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Locks the folder against other monitors that check and bind there, until the returned file is
/// dropped.
///
/// Without the lock, two programs that start at the same time could both find a stale socket, and
/// one could remove the other's new socket. The lock has no other purpose. Any user who may read
/// the folder can hold its lock forever, so the wait is short, and the monitor continues without
/// the lock if necessary.
fn lock(folder: &Path) -> Option<File> {
    let folder = File::open(folder).ok()?;
    let give_up = Instant::now() + LOCK_TIMEOUT;
    while flock(&folder, FlockOperation::NonBlockingLockExclusive).is_err() {
        if Instant::now() >= give_up {
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Some(folder)
}

impl SocketFile {
    fn find(path: &Path) -> io::Result<SocketFile> {
        let path = std::path::absolute(path)?;
        let found = std::fs::symlink_metadata(&path)?;
        let (identity, pid) = ((found.dev(), found.ino()), std::process::id());
        Ok(SocketFile { path, identity, mode: found.mode(), pid, is_removed: AtomicBool::new(false) })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the socket, unless another file has replaced it.
    pub(super) fn remove(&self) {
        if self.pid != std::process::id() || self.is_removed.swap(true, Ordering::Relaxed) {
            return;
        }
        let _lock = lock(folder(&self.path));
        if identity(&self.path).is_ok_and(|found| found == self.identity) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        self.remove();
    }
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    let found = std::fs::symlink_metadata(path)?;
    Ok((found.dev(), found.ino()))
}

/// Returns the user of the peer process.
///
/// `rustix` cannot be used here, because its process ids are never 0. The kernel returns 0 if this
/// process cannot see the peer, for example if the peer is on the host and this process is in a
/// container.
pub(super) fn peer_user(socket: impl AsFd) -> io::Result<u32> {
    let mut peer = libc::ucred { pid: 0, uid: 0, gid: 0 };
    let mut length = size_of::<libc::ucred>() as libc::socklen_t;
    // SAFETY: `peer` is `length` bytes long, and the call writes at most `length` bytes to it.
    let answer = unsafe {
        libc::getsockopt(
            socket.as_fd().as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            (&raw mut peer).cast(),
            &raw mut length,
        )
    };
    if answer == 0 { Ok(peer.uid) } else { Err(io::Error::last_os_error()) }
}

/// Whether the user may connect. Only the program's own user and root may.
pub(super) fn is_allowed(user: u32) -> bool {
    user == 0 || user == geteuid().as_raw()
}
