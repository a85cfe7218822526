//! LTTng records programs in Rust and in C, and babeltrace2 prints the recorded events.
//!
//! These tests need the Debian packages lttng-tools, liblttng-ust-dev and babeltrace2, and fail
//! without them.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod c_program;
mod session;
#[path = "../uprobes/mod.rs"]
mod uprobes;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use std::time::{Duration, Instant};

use c_program::CProgram;
use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader};
use session::Daemon;

/// The events of the group `listened` that are not `disable`d.
const LIVE_EVENTS: [&str; 17] = [
    "nothing", "signs", "widths", "pointers", "strings", "lazy", "one", "two", "three", "four", "five",
    "six", "seven", "eight", "nine", "ten", "done",
];

/// The Rust program. It has no tracepoints if its build script did not find LTTng's headers.
fn in_rust() -> &'static Path {
    if !cfg!(has_lttng) {
        panic!("`listened` was built without LTTng: install Debian's package liblttng-ust-dev");
    }
    Path::new(env!("CARGO_BIN_EXE_listened"))
}

/// A program that waits for commands.
struct Running {
    child: Child,
    words: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Running {
    fn start(daemon: &Daemon, program: &Path, arguments: &[&str]) -> Running {
        let mut command = daemon.program(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (words, answers) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Running { child, words, answers: BufReader::new(answers).lines() }
    }

    fn ask(&mut self, word: &str) -> String {
        writeln!(self.words, "{word}").unwrap();
        self.answers.next().expect("the program lives").unwrap()
    }

    /// Ends the program and returns its standard error.
    fn end(self) -> String {
        drop(self.words);
        let output = self.child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{:?}: {told}", output.status);
        told
    }
}

/// Returns the replies of `program` to commands.
fn ask(daemon: &Daemon, program: &Path, words: &[&str]) -> Vec<String> {
    let mut running = Running::start(daemon, program, &[]);
    let answers = words.iter().map(|word| running.ask(word)).collect();
    running.end();
    answers
}

/// Shortens `PROVIDER:EVENT { .. }` to `EVENT { .. }`.
fn without_provider(lines: &[String]) -> Vec<&str> {
    lines.iter().map(|line| line.split_once(':').unwrap().1).collect()
}

/// `RINGTRACE_ACCEPT=1` updates `values.out`.
#[test]
fn every_value_arrives_from_rust_and_from_c() {
    let daemon = Daemon::start();
    let c = CProgram::build(&["dtrace", "ust"]);
    let words = ["listened", "extremes", "numbers", "lazy", "done"];

    let mut answers = Vec::new();
    let rust = daemon.record("rust", &["listened:*"], || answers = ask(&daemon, in_rust(), &words));
    let expected = ["17 events are listened to", "extremes", "numbers", "2 arguments were computed", "done"];
    assert_eq!(answers, expected);
    let c = daemon.record("c", &["qemu:*"], || answers = ask(&daemon, &c.path, &words));
    assert_eq!(answers, expected);

    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lttng/values.out");
    let text = format!("== Rust\n{}\n\n== C\n{}\n", rust.join("\n"), c.join("\n"));
    if std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1") {
        std::fs::write(&golden, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(&golden).unwrap(), "RINGTRACE_ACCEPT=1 accepts");

    // C has one more group.
    let mut c = without_provider(&c);
    c.retain(|line| !line.starts_with("more_"));
    assert_eq!(without_provider(&rust), c);
}

#[test]
fn arguments_are_computed_only_for_a_session() {
    let daemon = Daemon::start();
    let c = CProgram::build(&["ust"]);
    let words = ["listened", "extremes", "numbers", "lazy"];
    for (name, program, provider) in [("rust", in_rust(), "listened"), ("c", &c.path, "qemu")] {
        let wanted = [format!("{provider}:signs"), format!("{provider}:t*")];
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        let mut answers = Vec::new();
        let lines = daemon.record(name, &wanted, || answers = ask(&daemon, program, &words));
        assert_eq!(answers[0], "4 events are listened to", "{name}");
        assert_eq!(answers[3], "0 arguments were computed", "{name}");
        assert_eq!(names(without_provider(&lines)), ["signs", "signs", "two", "three", "ten"], "{name}");
    }
    // No tracer listens.
    for program in [in_rust(), &c.path] {
        let answers = ask(&daemon, program, &words);
        assert_eq!(answers[0], "0 events are listened to");
        assert_eq!(answers[3], "0 arguments were computed");
    }
}

#[test]
fn tracepoints_are_listed_but_those_that_are_disabled() {
    let daemon = Daemon::start();
    let c = CProgram::build(&["ust"]);
    for (program, provider, count) in [(in_rust(), "listened", 17), (&c.path, "qemu", 18)] {
        let mut running = Running::start(&daemon, program, &[]);
        // Once the program replies, the daemon knows it.
        assert_eq!(running.ask("listened"), "0 events are listened to");
        let listed = daemon.command(&["list", "--userspace"]);
        running.end();
        assert_eq!(listed.matches(&format!(" {provider}:")).count(), count, "{listed}");
        assert!(!listed.contains("never"), "{listed}");
    }
}

/// In a program with four backends, each backend gets each event.
#[test]
fn events_go_to_all_backends_that_are_compiled_in() {
    let daemon = Daemon::start();
    let c = CProgram::build(&["ust", "dtrace", "simple", "log"]);
    let mut running = Running::start(&daemon, &c.path, &["--trace", "enable=*,file=simple"]);
    let bpftrace = Bpftrace::attach(&mut running, &daemon.copy_of(&c.path));
    let mut log = String::new();
    let lttng = daemon.record("lttng", &["qemu:*"], || {
        for word in ["extremes", "numbers", "lazy", "done"] {
            running.ask(word);
        }
        log = running.end();
    });
    let lttng: Vec<&str> = names(without_provider(&lttng));
    assert_eq!(lttng.len(), 21, "{lttng:?}");
    assert_eq!(names(log.lines()), lttng);
    assert_eq!(recorded(&daemon.home().join("simple")), lttng);
    if let Some(bpftrace) = bpftrace {
        let mut expected = counts(lttng);
        expected.remove("more_of_it");
        assert_eq!(bpftrace.counts(), expected);
    }
}

/// The first word of each line.
fn names<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    lines.into_iter().map(|line| line.split(' ').next().unwrap()).collect()
}

/// The names of events in a trace file.
fn recorded(path: &Path) -> Vec<String> {
    let mut reader = Reader::new("simple", Input::open(path).unwrap(), &Options::default()).unwrap();
    let mut names = Vec::new();
    let read = reader.for_each(|entry: &Entry<'_>| {
        names.push(entry.schema.name.to_string());
        Flow::Continue
    });
    read.unwrap();
    names
}

/// A running bpftrace that counts the hits of each USDT probe.
struct Bpftrace(Child);

impl Bpftrace {
    /// Starts bpftrace if the kernel supports it, and waits until it listens.
    fn attach(running: &mut Running, program: &Path) -> Option<Bpftrace> {
        if !uprobes::are_there() {
            return None;
        }
        let probe =
            |name: &&str| format!("usdt:{}:qemu:{name} {{ @[\"{name}\"] = count(); }}\n", program.display());
        let script: String = LIVE_EVENTS.iter().map(probe).collect();
        let mut command = Command::new("bpftrace");
        command.args(["-q", "-p", &running.child.id().to_string(), "-e", &script]);
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child =
            child.unwrap_or_else(|error| panic!("bpftrace: {error}; install Debian's package bpftrace"));
        let begin = Instant::now();
        let wanted = format!("{} probes are stopped at", LIVE_EVENTS.len());
        while running.ask("stopped-at") != wanted {
            assert!(begin.elapsed() < Duration::from_secs(60), "bpftrace does not attach");
            std::thread::sleep(Duration::from_millis(10));
        }
        Some(Bpftrace(child))
    }

    /// Returns the counts after the program has ended.
    fn counts(self) -> BTreeMap<String, usize> {
        let output = self.0.wait_with_output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        let lines = printed.lines().filter_map(|line| line.strip_prefix("@[")?.split_once("]: "));
        lines.map(|(name, count)| (name.to_owned(), count.parse().unwrap())).collect()
    }
}

fn counts<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    names.into_iter().for_each(|name| *counts.entry(name.to_owned()).or_default() += 1);
    counts
}
