//! Talking with the monitor of a running program: ours, or QEMU's.
//!
//! [`Client::connect`] finds out what the socket speaks. With QMP (`mode=auto`, `mode=qmp`, QEMU's `-qmp`) there is everything:
//! [`Client::execute`] for machines, [`Client::human`] for words, [`Client::notices`] for what is told unasked. With HMP (`mode=hmp`,
//! QEMU's `-monitor`) there are words only.
//!
//! Every call ends within the client's time limit. After an error that [ends the connection](MonitorErrorKind::ends), nothing works any more.

mod client;
mod error;
mod hmp;
mod qmp;
mod socket;

#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use client::{Client, Notice, Protocol};
pub use error::{MonitorError, MonitorErrorKind};

/// How long a call waits, where nothing else is said: a disk may be slow to take what is flushed.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// The path of the socket that `word` names: a path, or an address as programs take it, `unix:PATH[,mode=..]`.
pub fn socket_path(word: &OsStr) -> PathBuf {
    let Some(address) = word.as_bytes().strip_prefix(b"unix:") else { return word.into() };
    if Path::new(word).exists() {
        return word.into();
    }
    let end = address.windows(6).position(|window| window == b",mode=").unwrap_or(address.len());
    OsStr::from_bytes(&address[..end]).into()
}

/// Whether `word` names a socket, and not a file: who takes both, a monitor or a trace, asks here.
pub fn is_socket(word: &OsStr) -> bool {
    socket_path(word).metadata().is_ok_and(|metadata| metadata.file_type().is_socket())
}
