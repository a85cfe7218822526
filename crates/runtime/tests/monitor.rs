//! The monitor's socket: who may be there, what is left there, and what clients cannot do to each other.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};

use ringtrace::monitor::{Address, Server, ServerError};

fn server(path: &std::path::Path) -> Server {
    Server::new(Address::new(path))
}

#[test]
fn a_stale_socket_is_replaced_and_a_live_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("monitor");
    drop(UnixListener::bind(&path).unwrap());

    let serving = server(&path).start().unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let again = server(&path).start();
    assert!(matches!(again, Err(ServerError::InUse(at)) if at == path));
    UnixStream::connect(&path).unwrap();
    drop(serving);
    assert!(!path.exists());
}

#[test]
fn what_is_no_socket_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes");
    std::fs::write(&path, "mine").unwrap();
    assert!(matches!(server(&path).start(), Err(ServerError::NotSocket(at)) if at == path));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
}
