//! QEMU's shell, which has two modes: names with values, and people's words.

use std::io::Write as _;
use std::process::{Command, Stdio};

use ringtrace_peers::python;
use tempfile::TempDir;

use crate::{end, engine};

/// What `command` says when `words` are typed.
fn run(mut command: Command, words: &str) -> String {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().unwrap();
    process.stdin.take().unwrap().write_all(words.as_bytes()).unwrap();
    let output = process.wait_with_output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success(), "{said}");
    said
}

/// What the shell, started with `options`, says when `words` come through a pipe; `None`: there is none.
fn pipe(options: &[&str], words: &str) -> Option<String> {
    let folder = TempDir::new().unwrap();
    let mut shell = python::qmp_shell(folder.path())?;
    let engine = engine(folder.path(), "auto", &[]);
    shell.args(options).arg(engine.socket());
    let said = run(shell, words);
    end(engine);
    Some(said.replace(folder.path().to_str().unwrap(), "FOLDER"))
}

/// What the shell, started with `options`, says to who sits at a terminal and does what `conversation` says, in the words of
/// `terminal.py`.
fn at_a_terminal(options: &[&str], conversation: &[&str]) -> Option<String> {
    let folder = TempDir::new().unwrap();
    let shell = python::qmp_shell(folder.path())?;
    let engine = engine(folder.path(), "auto", &[]);
    let mut terminal = Command::new(shell.get_program());
    terminal.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/terminal.py"));
    terminal.arg(shell.get_program()).args(shell.get_args()).args(options).arg(engine.socket());
    terminal.envs(shell.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let said = run(terminal, &conversation.join("\n"));
    end(engine);
    Some(said)
}

#[test]
fn names_and_values() {
    let words = "trace-event-get-state name=get_begin\n\
                 trace-event-set-state name=get_* enable=true\n\
                 trace-event-get-state name=get_*\n\
                 trace-event-get-state name=nosuch\n\
                 trace-event-get-state\n\
                 trace-file-flush\n";
    let Some(said) = pipe(&[], words) else { return };
    let expected = "\
Welcome to the QMP low-level shell!
Connected to QEMU 10.2.2

(QEMU) {\"return\": [{\"name\": \"get_begin\", \"state\": \"disabled\"}]}
(QEMU) {\"return\": {}}
(QEMU) {\"return\": [{\"name\": \"get_begin\", \"state\": \"enabled\"}, {\"name\": \"get_end\", \"state\": \"enabled\"}]}
(QEMU) {\"error\": {\"class\": \"GenericError\", \"desc\": \"unknown event \\\"nosuch\\\"\"}}
(QEMU) {\"error\": {\"class\": \"GenericError\", \"desc\": \"Parameter 'name' is missing\"}}
(QEMU) {\"return\": {}}
(QEMU) 
";
    assert_eq!(said, expected);
}

#[test]
fn names_and_values_with_all_that_is_sent() {
    let Some(said) = pipe(&["-v", "-p"], "trace-event-get-state name=get_begin\n") else { return };
    for part in ["\"execute\": \"trace-event-get-state\"", "\"state\": \"disabled\""] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn words_of_people() {
    let words = "info trace-events get_*\n\
                 trace-event get_* on\n\
                 info trace-events get_*\n\
                 trace-event nosuch on\n\
                 trace-file\n";
    let Some(said) = pipe(&["-H"], words) else { return };
    let expected = "\
Welcome to the HMP shell!
Connected to QEMU 10.2.2

(QEMU) get_begin : state 0
get_end : state 0
(QEMU) (QEMU) get_begin : state 1
get_end : state 1
(QEMU) unknown event \"nosuch\"
(QEMU) Trace file \"FOLDER/first.trace\" on.
(QEMU) 
";
    // The shell ends lines of its own behind ours.
    assert_eq!(said.replace("\r\n", "\n").replace("\n (QEMU)", "\n(QEMU)"), expected);
}

#[test]
fn names_of_commands_are_completed() {
    let conversation = [
        "wait (QEMU) ",
        "type trace-event-g\\t",
        "wait trace-event-get-state",
        "type  name=get_begin\\n",
        "wait \"disabled\"",
        "wait (QEMU) ",
        "type \\t\\t",
        "wait trace-snapshot",
        "wait (QEMU) ",
        "type \\x04",
    ];
    let Some(said) = at_a_terminal(&[], &conversation) else { return };
    for command in ["human-monitor-command", "query-trace-status", "trace-file-set-state"] {
        assert!(said.contains(command), "{said}");
    }
}

/// The shell learns people's words from what `help` and `help info` say.
#[test]
fn words_of_people_are_completed() {
    let conversation = [
        "wait (QEMU) ",
        "type trace-f\\t",
        "wait trace-file",
        "type  bogus\\n",
        "wait unexpected argument \"bogus\"",
        "wait (QEMU) ",
        "type info trace-e\\t",
        "wait trace-events",
        "type  get_begin\\n",
        "wait get_begin : state 0",
        "wait (QEMU) ",
        "type \\x04",
    ];
    at_a_terminal(&["-H"], &conversation);
}
