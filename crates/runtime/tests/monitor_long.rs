//! Slow commands, notices, the end of a server, and the end of the program by `quit`.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, reason = "tests")]

mod scenario;
mod talk;

use std::fs::File;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::sync::mpsc;

use ringtrace::monitor::{Mode, Serving};
use ringtrace::{Guard, Policy, Settings};
use scenario::{fork, numbers, run};
use talk::{Client, TIMEOUT, wait_until};

const NAME: &str = "{\"execute\": \"query-name\"}";
const NAMED: &str = "{\"return\": {\"name\": \"toy\"}}";
const FLUSH: &str = "{\"execute\": \"trace-file-flush\"}";
const DONE: &str = "{\"return\": {}}";

fn serve(path: &Path) -> Serving {
    talk::server(path, Mode::Qmp).name("toy").start().unwrap()
}

/// Starts a trace into a full pipe that nothing reads. A flush does not return until the test reads
/// the pipe.
fn stuck() -> (File, Guard) {
    rustix::fs::mkfifoat(rustix::fs::CWD, "pipe", rustix::fs::Mode::RWXU).unwrap();
    let reader = File::options().read(true).write(true).open("pipe").unwrap();
    let settings = Settings { file: Some("pipe".into()), policy: Policy::Discard, ..Settings::default() };
    let guard = ringtrace::session::start(settings).unwrap();
    ringtrace::set_enabled("*", true);
    // A record has 40 bytes, and the pipe holds 64 KiB.
    numbers(0..10_000);
    (reader, guard)
}

fn human(line: &str) -> String {
    format!("{{\"execute\": \"human-monitor-command\", \"arguments\": {{\"command-line\": \"{line}\"}}}}")
}

fn read_on(mut reader: File) {
    std::thread::spawn(move || while reader.read(&mut [0; 4096]).is_ok() {});
}

#[test]
fn a_slow_call_delays_only_its_client() {
    run("a_slow_call_delays_only_its_client", || {
        let path = Path::new("monitor");
        let (reader, _guard) = stuck();
        let _serving = serve(path);
        let mut long: Vec<_> = (0..5).map(|_| Client::qmp(path)).collect();
        long.iter_mut().for_each(|client| client.send(&format!("{FLUSH}{NAME}")));
        let mut person = Client::qmp(path);
        person.send(&human("trace-file flush"));
        let mut gone = Client::qmp(path);
        gone.send(FLUSH);
        drop(gone);
        let mut quick = Client::qmp(path);
        for _ in 0..20 {
            assert_eq!(quick.ask(NAME), NAMED);
            for command in ["trace-event * on", "trace-event nothing* off", "info trace-events", "trace-file"]
            {
                let answer = quick.ask(&human(command));
                assert!(answer.starts_with("{\"return\": \""), "{answer}");
            }
            let status = quick.ask("{\"execute\": \"query-trace-status\"}");
            assert!(status.starts_with("{\"return\": {"), "{status}");
        }
        for client in &mut long {
            client.stream.set_nonblocking(true).unwrap();
            assert!(client.stream.read(&mut [0]).is_err(), "an answer before the pipe was read");
            client.stream.set_nonblocking(false).unwrap();
        }
        read_on(reader);
        for client in &mut long {
            assert_eq!([client.line(), client.line()], [DONE, NAMED]);
        }
        assert_eq!(person.line(), "{\"return\": \"\"}");
    });
}

#[test]
fn a_flush_ends_after_its_timeout_and_writing_continues() {
    run("a_flush_ends_after_its_timeout_and_writing_continues", || {
        let path = Path::new("monitor");
        let (reader, _guard) = stuck();
        let _serving = serve(path);
        let mut client = Client::qmp(path);
        let answer = client.ask(FLUSH);
        assert!(
            answer.contains("pipe: some records were still not written after 8 s; writing continues"),
            "{answer}"
        );
        read_on(reader);
        assert_eq!(client.ask(FLUSH), DONE);
    });
}

#[test]
fn the_end_does_not_wait_for_a_hanging_call() {
    run("the_end_does_not_wait_for_a_hanging_call", || {
        let path = Path::new("monitor");
        let (_reader, _guard) = stuck();
        let serving = serve(path);
        let mut clients = [Client::qmp(path), Client::qmp(path)];
        clients.iter_mut().for_each(|client| client.send(FLUSH));
        assert_eq!(Client::qmp(path).ask(NAME), NAMED);
        drop(serving);
        assert!(!path.exists());
        for client in &mut clients {
            assert_eq!(client.rest(), "");
        }
    });
}

fn value(answer: &str, name: &str) -> u64 {
    let rest = answer.split(&format!("\"{name}\": ")).nth(1).unwrap_or_else(|| panic!("no {name}: {answer}"));
    rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
}

#[test]
fn clients_get_notices_of_dropped_events() {
    run("clients_get_notices_of_dropped_events", || {
        let path = Path::new("monitor");
        let (_reader, _guard) = stuck();
        let _serving = serve(path);
        numbers(0..100_000);
        let mut client = Client::qmp(path);
        let mut human = Client::qmp(path);
        human.send("{\"execute\": ");
        let status = Client::qmp(path).ask("{\"execute\": \"query-trace-status\"}");
        let before = value(&status, "dropped");
        assert!(before > 0);
        numbers(0..1000);
        let mut reported = 0;
        while reported < 1000 {
            let notice = client.line();
            assert!(notice.contains("\"event\": \"TRACE_DROPPED\""), "{notice}");
            reported += value(&notice, "count");
            assert_eq!(value(&notice, "total"), before + reported);
        }
        assert_eq!(reported, 1000);
    });
}

#[test]
fn clients_get_notices_of_file_errors() {
    run("clients_get_notices_of_file_errors", || {
        let path = Path::new("monitor");
        let (reader, _guard) = stuck();
        let _serving = serve(path);
        let mut client = Client::qmp(path);
        drop(reader);
        let notice = client.until("TRACE_FILE_ERROR") + &client.line();
        assert!(notice.contains("/pipe\"") && notice.contains("Broken pipe"), "{notice}");
        // A later client can query the error.
        let mut client = Client::qmp(path);
        assert!(client.ask("{\"execute\": \"query-trace-status\"}").contains("Broken pipe"));
    });
}

#[test]
fn quit_ends_programs_that_allow_it() {
    run("quit_ends_programs_that_allow_it", || {
        let quit = "{\"execute\": \"quit\"}";
        let path = Path::new("monitor");
        let serving = serve(path);
        let answer = Client::qmp(path).ask(quit);
        assert!(answer.starts_with("{\"error\": "), "{answer}");
        drop(serving);

        let (asked, was_asked) = mpsc::channel();
        let serving =
            talk::server(path, Mode::Auto).on_quit(move || asked.send(()).unwrap()).start().unwrap();
        let (mut client, mut other) = (Client::qmp(path), Client::qmp(path));
        assert!(client.ask(quit).contains("\"SHUTDOWN\""));
        assert!(other.line().contains("\"SHUTDOWN\""));
        assert_eq!(client.rest(), format!("{DONE}\r\n"));
        was_asked.recv_timeout(TIMEOUT).unwrap();
        Client::connect(path).send("quit\n");
        was_asked.recv_timeout(TIMEOUT).unwrap();
        drop(serving);

        // The default function for `quit` sends SIGTERM.
        let child = fork(|| {
            let _serving = talk::server(path, Mode::Auto).allow_quit(true).start().unwrap();
            loop {
                std::thread::park();
            }
        });
        wait_until("the child serves", || std::os::unix::net::UnixStream::connect(path).is_ok());
        Client::qmp(path).ask(quit);
        let mut status = 0;
        // SAFETY: the call initializes `status`.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        assert_eq!(std::process::ExitStatus::from_raw(status).signal(), Some(libc::SIGTERM));
    });
}

/// The `quit` function may exit the process while another thread is already doing so.
#[test]
fn the_end_does_not_wait_for_a_hanging_quit() {
    run("the_end_does_not_wait_for_a_hanging_quit", || {
        let path = Path::new("monitor");
        let (called, is_called) = mpsc::channel();
        let (end, has_end) = mpsc::channel::<()>();
        let quit = move || {
            called.send(()).unwrap();
            let _ = has_end.recv();
        };
        let serving = talk::server(path, Mode::Auto).on_quit(quit).start().unwrap();
        Client::qmp(path).ask("{\"execute\": \"quit\"}");
        is_called.recv_timeout(TIMEOUT).unwrap();
        let (dropped, is_dropped) = mpsc::channel();
        std::thread::spawn(move || {
            drop(serving);
            dropped.send(()).unwrap();
        });
        is_dropped.recv_timeout(TIMEOUT).expect("the server ends");
        assert!(!path.exists());
        drop(end);
    });
}

#[test]
fn quit_may_end_the_server_itself_or_the_process() {
    run("quit_may_end_the_server_itself_or_the_process", || {
        let path = Path::new("monitor");
        let held = std::sync::Arc::new(std::sync::Mutex::new(None));
        let (ended, has_ended) = mpsc::channel();
        let own = std::sync::Arc::clone(&held);
        let quit = move || {
            drop(own.lock().unwrap().take());
            ended.send(()).unwrap();
        };
        let mut serving = held.lock().unwrap();
        *serving = Some(talk::server(path, Mode::Auto).on_quit(quit).start().unwrap());
        drop(serving);
        Client::qmp(path).ask("{\"execute\": \"quit\"}");
        has_ended.recv_timeout(TIMEOUT).unwrap();
        wait_until("the socket is removed", || !path.exists());

        let child = fork(|| {
            let exit = || std::process::exit(7);
            let _serving = talk::server(path, Mode::Auto).on_quit(exit).start().unwrap();
            loop {
                std::thread::park();
            }
        });
        wait_until("the child serves", || std::os::unix::net::UnixStream::connect(path).is_ok());
        Client::qmp(path).ask("{\"execute\": \"quit\"}");
        let mut status = 0;
        // SAFETY: the call initializes `status`.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        assert_eq!(std::process::ExitStatus::from_raw(status).code(), Some(7));
        assert!(!path.exists());
    });
}
