//! The monitor's socket: existing files at its path, its removal, and child processes that inherit
//! it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod scenario;
mod talk;

use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::path::Path;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};

use ringtrace::monitor::{Mode, ServerError, Serving};
use scenario::{fork, run, wait};
use talk::{Client, descriptors};

fn serve(path: &Path) -> Serving {
    start(path).unwrap()
}

fn start(path: &Path) -> Result<Serving, ServerError> {
    talk::server(path, Mode::Qmp).start()
}

fn greets(path: &Path) -> bool {
    Client::connect(path).line().starts_with("{\"QMP\"")
}

#[test]
fn a_stale_socket_is_replaced_and_a_live_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("monitor");
    drop(UnixListener::bind(&path).unwrap());

    let serving = serve(&path);
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
    assert!(matches!(start(&path), Err(ServerError::InUse(at)) if at == path));
    assert!(greets(&path));
    drop(serving);
    assert!(!path.exists());
}

#[test]
fn an_umask_does_not_restrict_the_owner() {
    // Run this in a separate process, because the umask belongs to the process.
    run("an_umask_does_not_restrict_the_owner", || {
        rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o277));
        let path = Path::new("monitor");
        let _serving = serve(path);
        assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o7777, 0o600);
        assert!(greets(path));
    });
}

#[test]
fn sockets_of_other_programs_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (stream, datagram) = (folder.path().join("stream"), folder.path().join("datagram"));
    let _listener = UnixListener::bind(&stream).unwrap();
    let _datagram = UnixDatagram::bind(&datagram).unwrap();
    for path in [stream, datagram] {
        assert!(matches!(start(&path), Err(ServerError::InUse(at)) if at == path));
        assert!(path.exists());
    }
}

#[test]
fn files_that_are_not_sockets_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("notes"), folder.path().join("link"));
    std::fs::write(&file, "mine").unwrap();
    std::os::unix::fs::symlink("nowhere", &link).unwrap();
    for path in [file.as_path(), &link, folder.path()] {
        assert!(matches!(start(path), Err(ServerError::NotSocket(at)) if at == path));
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    assert!(link.is_symlink());
}

#[test]
fn only_one_of_concurrent_starts_succeeds() {
    const STARTERS: usize = 4;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("monitor");
    for _ in 0..50 {
        drop(UnixListener::bind(&path).unwrap());
        let barrier = Barrier::new(STARTERS);
        let started: Vec<_> = std::thread::scope(|scope| {
            let starter = || {
                barrier.wait();
                start(&path)
            };
            let threads: Vec<_> = (0..STARTERS).map(|_| scope.spawn(starter)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(greets(&path));
        let (serving, refused): (Vec<_>, Vec<_>) = started.into_iter().partition(Result::is_ok);
        assert_eq!(serving.len(), 1);
        assert!(refused.iter().all(|error| matches!(error, Err(ServerError::InUse(_)))), "{refused:?}");
        drop(serving);
        assert!(!path.exists());
    }
}

#[test]
fn a_locked_folder_can_be_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("monitor");
    let lock = std::fs::File::open(folder.path()).unwrap();
    lock.lock().unwrap();
    let serving = serve(&path);
    assert!(greets(&path));
    drop(serving);
    assert!(!path.exists());
}

#[test]
fn one_server_follows_another_at_the_same_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("monitor");
    for _ in 0..50 {
        let serving = serve(&path);
        let mut client = Client::connect(&path);
        assert!(client.line().starts_with("{\"QMP\""));
        drop(serving);
        assert_eq!(client.rest(), "");
        assert!(!path.exists());
    }
}

#[test]
fn a_socket_that_replaced_another_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("monitor");
    let first = serve(&path);
    std::fs::remove_file(&path).unwrap();
    let second = serve(&path);
    drop(first);
    assert!(greets(&path));
    drop(second);
    assert!(!path.exists());
}

#[test]
fn a_program_can_have_several_servers() {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<_> = (0..4).map(|number| folder.path().join(number.to_string())).collect();
    let mut serving: Vec<_> = paths.iter().map(|path| serve(path)).collect();
    drop(serving.remove(0));
    assert!(!paths[0].exists());
    assert!(paths[1..].iter().all(|path| greets(path)));
}

#[test]
fn the_socket_is_removed_after_a_change_of_folder() {
    let ran = run("the_socket_is_removed_after_a_change_of_folder", || {
        let serving = serve(Path::new("monitor"));
        assert!(greets(Path::new("monitor")));
        std::env::set_current_dir("/").unwrap();
        std::mem::forget(serving);
    });
    assert!(!ran.folder().join("monitor").exists());
}

#[test]
fn started_programs_inherit_no_descriptors_of_a_monitor() {
    run("started_programs_inherit_no_descriptors_of_a_monitor", || {
        let path = Path::new("monitor");
        let _serving = serve(path);
        let mut client = Client::connect(path);
        client.line();
        let command = std::process::Command::new("ls").args(["-l", "/proc/self/fd"]).output().unwrap();
        let open = String::from_utf8(command.stdout).unwrap();
        assert!(!open.contains("socket:") && !open.contains("eventfd"), "{open}");
    });
}

#[test]
fn forked_children_have_no_monitor() {
    run("forked_children_have_no_monitor", || {
        let path = Path::new("monitor");
        let before = descriptors();
        let mut serving = Some(serve(path));
        let mut client = Client::connect(path);
        assert!(client.line().starts_with("{\"QMP\""));
        let client_only: Vec<_> = [before, vec!["socket".to_owned()]].concat();
        let child = fork(|| {
            let open: Vec<_> = descriptors();
            assert_eq!(open.len(), client_only.len(), "{open:?}, before: {client_only:?}");
            // The inherited monitor does nothing, and does not interfere with the child's own
            // monitor.
            let own = serve(Path::new("child"));
            drop(serving.take());
            assert!(greets(Path::new("child")));
            assert!(path.exists() && greets(path));
            drop(own);
            assert!(!Path::new("child").exists());
        });
        wait(child);
        assert!(greets(path));
        drop(serving);
        // The child does not keep the connection open.
        assert_eq!(client.rest(), "");
    });
}

#[test]
fn a_child_does_not_keep_its_parents_socket_open() {
    run("a_child_does_not_keep_its_parents_socket_open", || {
        let path = Path::new("monitor");
        let (ours, theirs) = UnixStream::pair().unwrap();
        let mut ours = Some(ours);
        let parent = fork(|| {
            let _serving = serve(path);
            fork(|| {
                ours = None;
                (&theirs).write_all(b"!").unwrap();
                // Waits until the test has ended, successfully or not.
                let _ = (&theirs).read(&mut [0]);
            });
            // SAFETY: the call has no preconditions. It ends the process without exit handlers,
            // like a kill.
            unsafe { libc::_exit(0) };
        });
        wait(parent);
        drop(theirs);
        let mut ours = ours.unwrap();
        ours.read_exact(&mut [0]).unwrap();
        assert!(path.exists());
        assert_eq!(UnixStream::connect(path).unwrap_err().kind(), std::io::ErrorKind::ConnectionRefused);
        let serving = serve(path);
        assert!(greets(path));
        drop(serving);
        // Make the child exit. It now has the only other end of the socket pair.
        ours.shutdown(std::net::Shutdown::Write).unwrap();
        assert_eq!(ours.read(&mut [0]).unwrap(), 0);
    });
}

#[test]
fn forks_do_not_inherit_the_monitors_sockets() {
    run("forks_do_not_inherit_the_monitors_sockets", || {
        let path = Path::new("monitor");
        let _serving = serve(path);
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        assert!(greets(path));
                    }
                });
            }
            for _ in 0..200 {
                wait(fork(|| {
                    // The sockets of the parent's clients are also inherited. They have no names,
                    // unlike the monitor's own sockets.
                    let open = descriptors();
                    assert!(!open.iter().any(|open| open.contains("eventfd")), "{open:?}");
                    let inodes: Vec<_> =
                        open.iter().filter_map(|open| open.strip_prefix("socket:[")).collect();
                    let all = std::fs::read_to_string("/proc/self/net/unix").unwrap();
                    let ours = all.lines().filter(|line| line.ends_with(" monitor"));
                    let ours: Vec<_> = ours.map(|line| line.split_whitespace().nth(6).unwrap()).collect();
                    assert!(!ours.is_empty());
                    assert!(!inodes.iter().any(|inode| ours.contains(&inode.trim_end_matches(']'))));
                    // SAFETY: the call has no preconditions. It ends the process. `exit` would need
                    // threads that the child does not have.
                    unsafe { libc::_exit(0) };
                }));
            }
            is_over.store(true, Ordering::Relaxed);
        });
    });
}
