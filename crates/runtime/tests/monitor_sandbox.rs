//! Monitors of programs that may only make the system calls listed in docs/PLATFORM.md.

#![cfg(target_arch = "x86_64")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod filter;
mod scenario;
mod talk;

use std::os::unix::net::UnixStream;
use std::path::Path;

use filter::{OWN, allow, calls, calls_for_monitor};
use ringtrace::monitor::{Mode, Serving};
use ringtrace::{Guard, Settings};
use scenario::{fork, numbers, run, wait};
use talk::{Client, wait_until};

const MONITOR: &str = "monitor";

fn traced() -> (Guard, Serving) {
    let settings =
        Settings { file: Some("t.trace".into()), buffer_bytes: 1 << 17, threads: 4, ..Settings::default() };
    let guard = ringtrace::session::start(settings).unwrap();
    let serving = talk::server(Path::new(MONITOR), Mode::Auto).on_quit(|| ()).start().unwrap();
    (guard, serving)
}

/// Runs clients, in a process without a filter.
fn talk(questions: &[&str]) {
    let path = Path::new(MONITOR);
    wait_until("a monitor", || UnixStream::connect(path).is_ok());
    let mut clients: Vec<_> = (0..10).map(|_| Client::qmp(path)).collect();
    for question in questions {
        for client in &mut clients {
            let answer = client.ask(&format!(
                "{{\"execute\": \"human-monitor-command\", \"arguments\": {{\"command-line\": \"{question}\"}}}}"
            ));
            assert!(answer.starts_with("{\"return\": \""), "{question}: {answer}");
        }
    }
    let mut human = Client::connect(path);
    human.send("help\nquit\n");
    human.rest();
}

const QUESTIONS: [&str; 8] = [
    "help",
    "info trace-events",
    "trace-event * on",
    "trace-event * off",
    "info trace-status",
    "trace-file",
    "trace-file flush",
    "nonsense",
];

/// Returns the system calls of the test itself, which waits for the child.
fn own() -> impl Iterator<Item = String> {
    OWN.iter().chain(&["wait4"]).map(|name| (*name).to_owned())
}

#[test]
fn a_program_with_a_monitor() {
    run("a_program_with_a_monitor", || {
        let client = fork(|| talk(&QUESTIONS));
        let both = traced();
        let calls = &calls(&["probe", "writer", "end"]) | &calls_for_monitor(&["serve", "end"]);
        allow(&calls.into_iter().chain(own()).collect());
        numbers(0..1000);
        wait(client);
        drop(both);
    });
}

#[test]
fn from_start_to_end() {
    run("from_start_to_end", || {
        let changes = ["trace-file off", "trace-file on", "trace-file set 2.trace", "trace-snapshot 3.trace"];
        let questions = [QUESTIONS.as_slice(), &changes].concat();
        let client = fork(move || talk(&questions));
        let calls =
            &calls(&["start", "probe", "writer", "end"]) | &calls_for_monitor(&["start", "serve", "end"]);
        allow(&calls.into_iter().chain(own()).collect());
        let both = traced();
        wait(client);
        drop(both);
    });
}
