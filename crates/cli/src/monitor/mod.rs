//! A client for the monitor of a running program, either ringtrace's or QEMU's.
//!
//! [`Client::connect`] detects the protocol of the socket. QMP (`mode=auto`, `mode=qmp`, QEMU's
//! `-qmp`) supports everything: [`Client::execute`] for JSON commands, [`Client::human`] for HMP
//! lines, [`Client::notices`] for asynchronous events. HMP (`mode=hmp`, QEMU's `-monitor`) supports
//! only HMP lines.
//!
//! Every call ends within the client's timeout. After an error that [ends the
//! connection](MonitorErrorKind::ends), the client is unusable.

mod client;
mod error;
mod hmp;
mod process;
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
pub use process::listening_sockets;

/// The default timeout of a call. It allows for a slow disk when data is flushed.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// Returns the path of the socket that `word` refers to. `word` is a path, or an address as in a
/// program's `--monitor` option: `unix:PATH[,mode=..]`.
pub fn socket_path(word: &OsStr) -> PathBuf {
    let Some(address) = word.as_bytes().strip_prefix(b"unix:") else { return word.into() };
    if Path::new(word).exists() {
        return word.into();
    }
    let end = address.windows(6).position(|window| window == b",mode=").unwrap_or(address.len());
    OsStr::from_bytes(&address[..end]).into()
}

/// Returns whether `word` refers to a socket rather than another file.
pub fn is_socket(word: &OsStr) -> bool {
    socket_path(word).metadata().is_ok_and(|metadata| metadata.file_type().is_socket())
}
