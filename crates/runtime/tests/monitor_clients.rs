//! Too many clients of a monitor, and clients that half-close their connection, send or read
//! nothing, disconnect, or belong to another user. They cannot harm the monitor or other clients.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "tests")]

mod scenario;
mod talk;

use std::io::{ErrorKind, IoSlice, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use ringtrace::EventState;
use ringtrace::monitor::{Mode, Serving};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags};
use scenario::{fork, kill, run, wait};
use talk::{Client, TIMEOUT, descriptors, memory_bytes, wait_until};

const GREETING: &str = "{\"QMP\"";
const NAME: &str = "{\"execute\": \"query-name\"}";
const NAMED: &str = "{\"return\": {\"name\": \"toy\"}}";

fn serve(path: &Path) -> Serving {
    talk::server(path, Mode::Auto).name("toy").start().unwrap()
}

fn is_enabled() -> bool {
    ringtrace::event("number").unwrap().state() == EventState::Enabled
}

fn switch(on: bool) -> String {
    format!(
        "{{\"execute\": \"trace-event-set-state\", \"arguments\": {{\"name\": \"number\", \"enable\": {on}}}}}"
    )
}

#[test]
fn commands_are_answered_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("monitor");
    let _serving = serve(&path);
    let mut client = Client::qmp(&path);
    // Commands have no line ends, like those of QEMU's own Python library. Every tenth command is
    // slow.
    let command = |n: u32| if n.is_multiple_of(10) { "trace-file-flush" } else { "query-name" };
    let question = |n| format!("{{\"execute\": \"{}\", \"id\": {n}}}", command(n));
    client.send(&(0..1000).map(question).collect::<String>());
    for n in 0..1000 {
        let answer = client.line();
        assert!(answer.contains(&format!("\"id\": {n}")), "{n}: {answer}");
    }
}

#[test]
fn a_half_closed_client_gets_all_answers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("monitor");
    let _serving = serve(&path);
    let mut client = Client::qmp(&path);
    client.send(&format!("{NAME}\n{{\"execute\": \"trace-file-flush\"}}{NAME}{{\"execute\": "));
    client.end();
    let answers = client.rest();
    let answers: Vec<_> = answers.lines().collect();
    assert_eq!(answers.len(), 3, "{answers:?}");
    assert_eq!([answers[0], answers[2]], [NAMED; 2]);

    // This is the input of `printf 'info trace-events number' | socat - UNIX-CONNECT:monitor`, with
    // and without a line end.
    for line in ["info trace-events number\n", "info trace-events number"] {
        let mut client = Client::connect(&path);
        client.send(line);
        client.end();
        assert!(client.rest().contains("number : state "));
    }
}

#[test]
fn commands_of_disconnected_clients_still_run() {
    run("commands_of_disconnected_clients_still_run", || {
        let path = Path::new("monitor");
        let _serving = serve(path);
        let before = descriptors().len();
        let mut is_on = false;
        for round in 0..300 {
            let mut client = Client::connect(path);
            match round % 4 {
                // Leave in the middle of a message, a line or the greeting.
                0 => client.send("{\"execute\": \"trace-ev"),
                // The last line is a valid command, but it has no line end.
                1 => client.send("trace-event nothing* on\ntrace-event *ber on"),
                2 => {}
                // Leave without reading an answer.
                _ => {
                    client.send("{\"execute\": \"qmp_capabilities\"}");
                    is_on = !is_on;
                    client.send(&switch(is_on));
                    drop(client);
                    wait_until("the event is switched", || is_enabled() == is_on);
                }
            }
        }
        wait_until("all clients are disconnected", || descriptors().len() <= before);
        assert_eq!(is_enabled(), is_on);
        assert_eq!(Client::qmp(path).ask(NAME), NAMED);
    });
}

#[test]
fn a_client_that_does_not_read_stalls_only_itself() {
    run("a_client_that_does_not_read_stalls_only_itself", || {
        let path = Path::new("monitor");
        let _serving = serve(path);
        let mut silent = Client::qmp(path);
        silent.stream.set_nonblocking(true).unwrap();
        let question = b"{\"execute\": \"query-commands\", \"id\": 1}";
        let (mut asked, mut rest) = (0, question.as_slice());
        let mut others = Client::qmp(path);
        let mut refused = 0;
        let before = memory_bytes("VmRSS");
        // Send until the socket accepts nothing while another client receives a hundred answers.
        while refused < 100 {
            match silent.stream.write(rest) {
                Ok(length) => {
                    rest = &rest[length..];
                    refused = 0;
                }
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::WouldBlock);
                    refused += 1;
                    assert_eq!(others.ask(NAME), NAMED);
                }
            }
            if rest.is_empty() {
                asked += 1;
                rest = question;
            }
        }
        let grown = memory_bytes("VmRSS").saturating_sub(before);
        assert!(grown < 8 << 20, "memory grew by {grown} bytes for a client that does not read");
        // The answers to the silent client are complete.
        silent.stream.set_nonblocking(false).unwrap();
        for _ in 0..asked {
            assert!(silent.line().ends_with("\"id\": 1}"));
        }
    });
}

#[test]
fn a_client_that_sends_without_end_stalls_only_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("monitor");
    let serving = serve(&path);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut greedy = Client::qmp(&path);
                let mut reader = greedy.stream.try_clone().unwrap();
                scope.spawn(move || std::io::copy(&mut reader, &mut std::io::sink()));
                while greedy.stream.write_all(NAME.as_bytes()).is_ok() {}
            });
        }
        let mut client = Client::qmp(&path);
        for _ in 0..200 {
            assert_eq!(client.ask(NAME), NAMED);
        }
        drop(serving);
    });
}

#[test]
fn a_client_above_the_limit_gets_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for (mode, reported) in [
        (Mode::Hmp, "error: 64 clients are connected already\r\n"),
        (
            Mode::Auto,
            "{\"error\": {\"class\": \"GenericError\", \"desc\": \"64 clients are connected already\"}}\r\n",
        ),
    ] {
        let path = folder.path().join("monitor");
        let _serving = talk::server(&path, mode).start().unwrap();
        let mut clients: Vec<_> = (0..64).map(|_| Client::connect(&path)).collect();
        // Wait for the greetings of all clients.
        clients.iter_mut().for_each(|client| _ = client.until(" "));
        for _ in 0..3 {
            assert_eq!(Client::connect(&path).rest(), reported);
        }
        clients.pop();
        wait_until("a connection is free", || {
            let mut client = Client::connect(&path);
            !reported.starts_with(&client.until(" "))
        });
    }
}

#[test]
fn a_thousand_clients_leave_no_descriptor() {
    run("a_thousand_clients_leave_no_descriptor", || {
        let path = Path::new("monitor");
        let before = descriptors().len();
        let serving = serve(path);
        for _ in 0..1000 {
            assert_eq!(Client::qmp(path).ask(NAME), NAMED);
        }
        drop(serving);
        assert_eq!(descriptors().len(), before);
    });
}

#[test]
fn descriptors_sent_by_clients_are_closed() {
    run("descriptors_sent_by_clients_are_closed", || {
        let path = Path::new("monitor");
        let _serving = serve(path);
        let mut client = Client::qmp(path);
        let file = std::fs::File::open("/dev/zero").unwrap();
        let files = [file.as_fd(); 32];
        for _ in 0..100 {
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(32))];
            let mut sent = SendAncillaryBuffer::new(&mut space);
            assert!(sent.push(SendAncillaryMessage::ScmRights(&files)));
            let text = [IoSlice::new(NAME.as_bytes())];
            rustix::net::sendmsg(&client.stream, &text, &mut sent, SendFlags::empty()).unwrap();
            assert_eq!(client.line(), NAMED);
        }
        assert_eq!(descriptors().iter().filter(|open| *open == "/dev/zero").count(), 1);
    });
}

fn processor_time() -> Duration {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    used.try_into().unwrap()
}

#[test]
fn without_descriptors_clients_wait_and_nothing_spins() {
    run("without_descriptors_clients_wait_and_nothing_spins", || {
        let path = Path::new("monitor");
        let _serving = serve(path);
        let mut first = Client::qmp(path);
        let limit = rustix::process::Rlimit { current: Some(64), maximum: Some(64) };
        rustix::process::setrlimit(rustix::process::Resource::Nofile, limit).unwrap();
        let mut open = Vec::new();
        while let Ok(file) = std::fs::File::open("/dev/null") {
            open.push(file);
        }
        // Leave one descriptor for the client's own socket.
        open.pop();
        let mut second = Client::connect(path);
        assert_eq!(first.ask(NAME), NAMED);
        let before = processor_time();
        // This is the measured period, not a wait for an event.
        std::thread::sleep(Duration::from_secs(1));
        let used = processor_time() - before;
        assert!(used < Duration::from_millis(200), "{used:?} of processor time in a second without work");
        assert_eq!(first.ask(NAME), NAMED);
        open.clear();
        assert!(second.line().starts_with(GREETING));
    });
}

/// The user and group without any privileges.
const NOBODY: u32 = 65534;

/// Changes to the user `nobody` permanently. Only root can do that.
fn become_nobody() {
    // SAFETY: these functions have no preconditions. The C library changes the user of all threads.
    unsafe {
        assert_eq!(libc::setgroups(0, std::ptr::null()), 0);
        assert_eq!(libc::setgid(NOBODY), 0);
        assert_eq!(libc::setuid(NOBODY), 0);
    }
}

fn is_root() -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        eprintln!("SKIPPED: only root may connect as another user");
    }
    is_root
}

fn open_to_all(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn other_users_are_refused() {
    if !is_root() {
        return;
    }
    run("other_users_are_refused", || {
        let path = Path::new("monitor");
        for (mode, reported) in [
            (
                Mode::Hmp,
                "error: user 65534 may not connect, because this program belongs to another user\r\n",
            ),
            (
                Mode::Qmp,
                "{\"error\": {\"class\": \"GenericError\", \"desc\": \"user 65534 may not connect, because this program belongs to another user\"}}\r\n",
            ),
        ] {
            let _serving = talk::server(path, mode).start().unwrap();
            let child = fork(|| {
                become_nobody();
                let refused = UnixStream::connect(path).unwrap_err();
                assert_eq!(refused.kind(), ErrorKind::PermissionDenied);
            });
            wait(child);
            open_to_all(Path::new("."), 0o755);
            open_to_all(path, 0o666);
            wait(fork(|| {
                become_nobody();
                let mut client = Client::connect(path);
                // The monitor ignores the client's input.
                let _ = client.stream.write_all(b"trace-event number on\n");
                assert_eq!(client.rest(), reported);
            }));
            assert!(!is_enabled());
        }
    });
}

#[test]
fn root_may_connect() {
    if !is_root() {
        return;
    }
    run("root_may_connect", || {
        let path = Path::new("monitor");
        open_to_all(Path::new("."), 0o777);
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let program = fork(|| {
            become_nobody();
            let _serving = serve(path);
            (&ours).write_all(b"!").unwrap();
            loop {
                std::thread::park();
            }
        });
        theirs.set_read_timeout(Some(TIMEOUT)).unwrap();
        theirs.read_exact(&mut [0]).unwrap();
        assert_eq!(Client::qmp(path).ask(NAME), NAMED);
        kill(program);
    });
}
