//! The monitor's socket: who may have its place, what is left there at the end, and what children of the program have of it.

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

/// Whether a monitor answers there.
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
fn an_umask_takes_nothing_from_the_owner() {
    // The umask is the whole process's.
    run("an_umask_takes_nothing_from_the_owner", || {
        rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o277));
        let path = Path::new("monitor");
        let _serving = serve(path);
        assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o7777, 0o600);
        assert!(greets(path));
    });
}

#[test]
fn other_programs_sockets_are_not_taken_away() {
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
fn what_is_no_socket_is_not_touched() {
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
fn of_those_who_start_at_once_one_serves() {
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
fn a_folder_that_somebody_has_locked_is_used() {
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
fn a_socket_that_has_another_ones_place_stays() {
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
fn a_program_has_as_many_servers_as_it_wants() {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<_> = (0..4).map(|number| folder.path().join(number.to_string())).collect();
    let mut serving: Vec<_> = paths.iter().map(|path| serve(path)).collect();
    drop(serving.remove(0));
    assert!(!paths[0].exists());
    assert!(paths[1..].iter().all(|path| greets(path)));
}

#[test]
fn the_socket_is_gone_when_the_program_exits_from_another_folder() {
    let ran = run("the_socket_is_gone_when_the_program_exits_from_another_folder", || {
        let serving = serve(Path::new("monitor"));
        assert!(greets(Path::new("monitor")));
        std::env::set_current_dir("/").unwrap();
        std::mem::forget(serving);
    });
    assert!(!ran.folder().join("monitor").exists());
}

#[test]
fn programs_that_are_started_have_nothing_of_a_monitor() {
    run("programs_that_are_started_have_nothing_of_a_monitor", || {
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
fn children_of_a_fork_have_nothing_of_a_monitor() {
    run("children_of_a_fork_have_nothing_of_a_monitor", || {
        let path = Path::new("monitor");
        let before = descriptors();
        let mut serving = Some(serve(path));
        let mut client = Client::connect(path);
        assert!(client.line().starts_with("{\"QMP\""));
        let client_only: Vec<_> = [before, vec!["socket".to_owned()]].concat();
        let child = fork(|| {
            let open: Vec<_> = descriptors();
            assert_eq!(open.len(), client_only.len(), "{open:?}, before: {client_only:?}");
            // What is inherited does nothing, and is not in the way of what is the child's own.
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
        // The child had not held the connection.
        assert_eq!(client.rest(), "");
    });
}

#[test]
fn a_parent_that_is_dead_does_not_look_alive_by_its_child() {
    run("a_parent_that_is_dead_does_not_look_alive_by_its_child", || {
        let path = Path::new("monitor");
        let (ours, theirs) = UnixStream::pair().unwrap();
        let mut ours = Some(ours);
        let parent = fork(|| {
            let _serving = serve(path);
            fork(|| {
                ours = None;
                (&theirs).write_all(b"!").unwrap();
                // Until the test is over, however it is.
                let _ = (&theirs).read(&mut [0]);
            });
            // SAFETY: ends the process, as being killed does.
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
        // Ends the child, which has the other end as the last one.
        ours.shutdown(std::net::Shutdown::Write).unwrap();
        assert_eq!(ours.read(&mut [0]).unwrap(), 0);
    });
}

#[test]
fn forks_and_clients_do_not_meet() {
    run("forks_and_clients_do_not_meet", || {
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
                    // Clients' sockets are there, which are the parent's own, and have no name; the monitor's have.
                    let open = descriptors();
                    assert!(!open.iter().any(|open| open.contains("eventfd")), "{open:?}");
                    let inodes: Vec<_> =
                        open.iter().filter_map(|open| open.strip_prefix("socket:[")).collect();
                    let all = std::fs::read_to_string("/proc/self/net/unix").unwrap();
                    let ours = all.lines().filter(|line| line.ends_with(" monitor"));
                    let ours: Vec<_> = ours.map(|line| line.split_whitespace().nth(6).unwrap()).collect();
                    assert!(!ours.is_empty());
                    assert!(!inodes.iter().any(|inode| ours.contains(&inode.trim_end_matches(']'))));
                    // SAFETY: ends the process: what else there is are threads that it does not have.
                    unsafe { libc::_exit(0) };
                }));
            }
            is_over.store(true, Ordering::Relaxed);
        });
    });
}
