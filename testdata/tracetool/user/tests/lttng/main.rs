//! LTTng records programs of ours, in Rust and in C, and its reader prints what they reported.
//!
//! It is the real thing: Debian's packages lttng-tools, liblttng-ust-dev and babeltrace2. Where one is missing, these tests fail.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests may; clippy knows only functions marked as tests"
)]

mod c_program;
mod session;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

use c_program::CProgram;
use session::Daemon;

/// The program in Rust. Its build script found LTTng's headers, or it has no tracepoints.
fn in_rust() -> &'static Path {
    if !cfg!(has_lttng) {
        panic!("`listened` was built without LTTng: install Debian's package liblttng-ust-dev");
    }
    Path::new(env!("CARGO_BIN_EXE_listened"))
}

/// What the `program` answers to words.
fn ask(daemon: &Daemon, program: &Path, arguments: &[&str], words: &[&str]) -> Vec<String> {
    let mut command = daemon.program(program);
    let mut child = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    writeln!(child.stdin.take().unwrap(), "{}", words.join("\n")).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{program:?}: {:?}", output.status);
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// `PROVIDER:EVENT { .. }` is `EVENT { .. }`.
fn without_provider(lines: &[String]) -> Vec<&str> {
    lines.iter().map(|line| line.split_once(':').unwrap().1).collect()
}

/// `RINGTRACE_ACCEPT=1` writes `values.out`.
#[test]
fn every_value_arrives_from_rust_and_from_c() {
    let daemon = Daemon::start();
    let c = CProgram::build(&["dtrace", "ust"]);
    let words = ["listened", "extremes", "numbers", "lazy", "done"];

    let mut answers = Vec::new();
    let rust = daemon.record("rust", &["listened:*"], || answers = ask(&daemon, in_rust(), &[], &words));
    let expected = ["17 events are listened to", "extremes", "numbers", "2 arguments were computed", "done"];
    assert_eq!(answers, expected);
    let c = daemon.record("c", &["qemu:*"], || answers = ask(&daemon, &c.path, &[], &words));
    assert_eq!(answers, expected);

    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lttng/values.out");
    let text = format!("== Rust\n{}\n\n== C\n{}\n", rust.join("\n"), c.join("\n"));
    if std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1") {
        std::fs::write(&golden, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(&golden).unwrap(), "RINGTRACE_ACCEPT=1 accepts");

    // In Rust there is no string that is none: it is empty. And C has a group more.
    let c: Vec<String> = c.iter().map(|line| line.replace("(null)", "")).collect();
    let mut c = without_provider(&c);
    c.retain(|line| !line.starts_with("more_"));
    assert_eq!(without_provider(&rust), c);
}

#[test]
fn only_what_a_session_wants_is_computed() {
    let daemon = Daemon::start();
    let c = CProgram::build(&["ust"]);
    let words = ["listened", "extremes", "numbers", "lazy"];
    for (name, program, provider) in [("rust", in_rust(), "listened"), ("c", &c.path, "qemu")] {
        let wanted = [format!("{provider}:signs"), format!("{provider}:t*")];
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        let mut answers = Vec::new();
        let lines = daemon.record(name, &wanted, || answers = ask(&daemon, program, &[], &words));
        assert_eq!(answers[0], "4 events are listened to", "{name}");
        assert_eq!(answers[3], "0 arguments were computed", "{name}");
        let names: Vec<&str> =
            without_provider(&lines).into_iter().map(|line| line.split(' ').next().unwrap()).collect();
        assert_eq!(names, ["signs", "signs", "two", "three", "ten"], "{name}");
    }
    // Nobody listens.
    for program in [in_rust(), &c.path] {
        let answers = ask(&daemon, program, &[], &words);
        assert_eq!(answers[0], "0 events are listened to");
        assert_eq!(answers[3], "0 arguments were computed");
    }
}

#[test]
fn tracepoints_are_listed_but_those_that_are_disabled() {
    let daemon = Daemon::start();
    let c = CProgram::build(&["ust"]);
    for (program, provider, count) in [(in_rust(), "listened", 17), (&c.path, "qemu", 18)] {
        let mut command = daemon.program(program);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut words = child.stdin.take().unwrap();
        // When it answers, the daemon knows it.
        writeln!(words, "listened").unwrap();
        let answer = BufReader::new(child.stdout.take().unwrap()).lines().next();
        assert_eq!(answer.unwrap().unwrap(), "0 events are listened to");
        let listed = daemon.command(&["list", "--userspace"]);
        drop(words);
        child.wait().unwrap();
        assert_eq!(listed.matches(&format!(" {provider}:")).count(), count, "{listed}");
        assert!(!listed.contains("never"), "{listed}");
    }
}
