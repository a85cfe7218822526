//! The backend `log` in a separate process: threads, signals, forks, pipes without a reader, and
//! file size limits.

#![cfg(feature = "runtime")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod speaker;

use std::collections::HashMap;
use std::fs;
use std::process::{Command, Stdio};

use speaker::{program, speak};

/// The length of the speaker's long strings.
const LONG: usize = 300;

/// Parses a line of a log, which must be complete: the speaker, the number and the text.
fn said(line: &str) -> (i64, u64, &str) {
    let parts = line.strip_prefix("said who=").and_then(|rest| {
        let (who, rest) = rest.split_once(" number=")?;
        let (number, rest) = rest.split_once(" what='")?;
        Some((who.parse().ok()?, number.parse().ok()?, rest.strip_suffix('\'')?))
    });
    let (who, number, what) = parts.unwrap_or_else(|| panic!("not a complete line: {line}"));
    assert!(!what.contains('w') || what == "w".repeat(LONG), "not a complete line: {line}");
    (who, number, what)
}

fn by_who(text: &str) -> HashMap<i64, Vec<u64>> {
    let mut found: HashMap<i64, Vec<u64>> = HashMap::new();
    for line in text.lines() {
        let (who, number, _) = said(line);
        found.entry(who).or_default().push(number);
    }
    found
}

#[test]
fn lines_of_threads_are_whole_and_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let option = format!("*,backend=log,logfile={}", path.display());
    assert_eq!(
        speak(&["--trace", &option, "threads:4x5000"]).unwrap(),
        "log: 20000 written, 0 cut, 0 lost\n"
    );
    let found = by_who(&fs::read_to_string(path).unwrap());
    assert_eq!(found.len(), 4);
    found.values().for_each(|numbers| assert!(numbers.iter().copied().eq(0..5000)));
}

/// A nonblocking pipe may accept only a part of a line when it is almost full.
#[test]
fn lines_of_threads_are_whole_in_a_pipe() {
    let mut command = Command::new(program());
    command.args(["--trace", "*,backend=log", "threads:4x5000"]).stdout(Stdio::null());
    let output = command.stderr(Stdio::piped()).output().unwrap();
    let found = by_who(&String::from_utf8(output.stderr).unwrap());
    assert_eq!(found.len(), 4);
    found.values().for_each(|numbers| assert!(numbers.iter().copied().eq(0..5000)));
}

#[test]
fn a_handler_that_interrupts_the_log_is_refused_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let option = format!("*,backend=log,logfile={}", path.display());
    let output = Command::new(program()).args(["--trace", &option, "nested:30000"]).output().unwrap();
    let answer = String::from_utf8(output.stdout).unwrap();
    let found = by_who(&fs::read_to_string(path).unwrap());
    assert!(found[&0].iter().copied().eq(0..30_000));
    let numbers: Vec<u64> = answer
        .split(|c: char| !c.is_ascii_digit())
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().unwrap())
        .collect();
    let &[written, 0, 0, interruptions, refused] = &numbers[..] else { panic!("{answer}") };
    assert_eq!(written, 30_000 + interruptions - refused, "{answer}");
    assert_eq!(found.get(&-1).map_or(0, Vec::len) as u64, interruptions - refused, "{answer}");
    assert!(interruptions > 100 && refused > 1, "too few interruptions for a test: {answer}");
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        format!(
            "ringtrace: {refused} events were not written as text, because they occurred in signal handlers that interrupted a text backend\n"
        )
    );
}

#[test]
fn children_of_a_fork_can_log_if_the_lock_was_held() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let option = format!("*,backend=log,logfile={}", path.display());
    let answer = speak(&["--trace", &option, "forks:100"]).unwrap();
    assert!(!answer.contains("hangs"), "{answer}");
    let text = fs::read_to_string(path).unwrap();
    let children = text.lines().map(said).filter(|(_, _, what)| *what == "child").count();
    assert_eq!(children, 100);
}

#[test]
fn a_pipe_without_a_reader_does_not_end_the_program() {
    let mut command = Command::new(program());
    command.args(["--trace", "*,backend=log", "sigpipe", "sleep:50", "times:100"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", output.status);
    let answer = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answer, "log: 0 written, 0 cut, 100 lost\n");
}

#[test]
fn a_size_limit_loses_lines_and_the_next_line_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let option = format!("*,backend=log,logfile={}", path.display());
    // The limit is set before the log is opened, as if by the user's shell.
    let script = "ulimit -S -f 4; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(program());
    let deeds = ["--trace", &option, "times:20", "no-limit", "say:behind"];
    let output = command.args(deeds).output().unwrap();
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(path).unwrap();
    let (before, behind) = text.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(said(behind), (0, 0, "behind"));
    let (whole, torn) = before.rsplit_once('\n').unwrap();
    let written = whole.lines().map(said).count();
    assert!(torn.is_empty() || torn.starts_with("said who=0 number="), "{torn}");
    let answer = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answer, format!("log: {} written, 0 cut, {} lost\n", written + 1, 20 - written));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        format!(
            "ringtrace: log: the file has reached its size limit: choose another file or raise the limit (ulimit -f); \
             lost lines are counted\n\
             ringtrace: log: {} lines were lost\n",
            20 - written
        )
    );
}

#[test]
fn a_full_disk_is_reported_once() {
    let option = "*,backend=log,logfile=/dev/full";
    let output = Command::new(program()).args(["--trace", option, "times:20"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "log: 0 written, 0 cut, 20 lost\n");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "ringtrace: log: no space left on the device: free some space or choose another file; \
         lost lines are counted\n\
         ringtrace: log: 20 lines were lost\n"
    );
}

#[test]
fn backends_are_switched_while_the_program_runs() {
    let folder = tempfile::tempdir().unwrap();
    let daemon = std::os::unix::net::UnixDatagram::bind(folder.path().join("daemon")).unwrap();
    fs::write(folder.path().join("marker"), "").unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let option = format!("*,backend=log,logfile={},file={}", at("log"), at("trace"));
    let deeds = [
        "--trace",
        &option,
        "--syslog",
        &at("daemon"),
        "--marker",
        &at("marker"),
        "say:1",
        "switch:log+syslog",
        "say:2",
        "switch:ftrace",
        "say:3",
        "switch:simple+ftrace",
        "say:4",
        "switch:none",
        "say:nothing",
        "switch:simple+log+syslog+ftrace",
        "say:5",
    ];
    assert_eq!(
        speak(&deeds).unwrap(),
        "\
from log to log+syslog
from log+syslog to ftrace
from ftrace to simple+ftrace
from simple+ftrace to none
from none to simple+log+syslog+ftrace
log: 3 written, 0 cut, 0 lost
syslog: 2 written, 0 cut, 0 lost
ftrace: 3 written, 0 cut, 0 lost
"
    );
    let words = |text: &str| text.lines().map(|line| said(line).2.to_owned()).collect::<Vec<_>>();
    assert_eq!(words(&fs::read_to_string(at("log")).unwrap()), ["1", "2", "5"]);
    assert_eq!(words(&fs::read_to_string(at("marker")).unwrap()), ["3", "4", "5"]);
    for word in ["2", "5"] {
        let mut message = [0; 1000];
        let length = daemon.recv(&mut message).unwrap();
        let message = String::from_utf8_lossy(&message[..length]).into_owned();
        assert_eq!(said(message.split_once("]: ").unwrap().1).2, word);
    }
    let reader = ringtrace_tracefile::Reader::new(
        "trace",
        ringtrace_tracefile::Input::open(at("trace").as_ref()).unwrap(),
        &ringtrace_tracefile::Options::default(),
    );
    let mut traced = Vec::new();
    let read = reader.unwrap().for_each(|entry: &ringtrace_tracefile::Entry<'_>| {
        if let Some(ringtrace_tracefile::Value::Str(word)) = entry.values().last() {
            traced.push(String::from_utf8_lossy(word).into_owned());
        }
        ringtrace_tracefile::Flow::Continue
    });
    read.unwrap();
    assert_eq!(traced, ["4", "5"]);
}

#[test]
fn a_backend_that_cannot_be_opened_is_an_error_at_the_start() {
    for (option, deeds, message) in [
        (
            "*,backend=log,logfile=/nowhere/log",
            &[][..],
            "backend log: `/nowhere/log`: No such file or directory",
        ),
        (
            "*,backend=syslog",
            &["--syslog", "/nowhere/log"],
            "backend syslog: `/nowhere/log`: No such file or directory\n  \
             help: no log daemon listens there; start one (rsyslogd, systemd-journald)",
        ),
        (
            "*,backend=ftrace",
            &["--marker", "/nowhere/trace_marker"],
            "backend ftrace: `/nowhere/trace_marker`: No such file or directory\n  \
             help: tracefs is not mounted: `mount -t tracefs none /sys/kernel/tracing`, as root",
        ),
    ] {
        let words = [&["--trace", option], deeds, &["say:never"]].concat();
        assert_eq!(speak(&words).unwrap_err(), format!("Error: {message}\n"));
    }
}
