//! Who is connected.

use std::io;
use std::mem::size_of;
use std::os::fd::{AsFd, AsRawFd};

use rustix::process::geteuid;

/// Whose program it is that has connected.
///
/// Not by `rustix`, whose process numbers are never 0: that is what the kernel says of a process that this one cannot
/// see, on the host of a container for one.
pub(super) fn user(socket: impl AsFd) -> io::Result<u32> {
    let mut peer = libc::ucred { pid: 0, uid: 0, gid: 0 };
    let mut length = size_of::<libc::ucred>() as libc::socklen_t;
    // SAFETY: the call writes at most `length` bytes to `peer`.
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

/// Whether that user may talk to this program: its own, and root.
pub(super) fn is_allowed(user: u32) -> bool {
    user == 0 || user == geteuid().as_raw()
}
