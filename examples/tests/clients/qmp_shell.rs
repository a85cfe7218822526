//! QEMU's shell, which has two modes: QMP commands with `name=value` arguments, and HMP.

use std::io::Write as _;
use std::process::{Command, Stdio};

use ringtrace_peers::python;
use tempfile::TempDir;

use crate::{end, engine};

/// Runs `command` with `words` on its standard input. Returns its output.
fn run(mut command: Command, words: &str) -> String {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().unwrap();
    process.stdin.take().unwrap().write_all(words.as_bytes()).unwrap();
    let output = process.wait_with_output().unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success(), "{text}");
    text
}

/// Runs the shell with `words` from a pipe. Returns its output, or `None` if the shell is missing.
fn pipe(options: &[&str], words: &str) -> Option<String> {
    let folder = TempDir::new().unwrap();
    let mut shell = python::qmp_shell(folder.path())?;
    let engine = engine(folder.path(), "auto", &[]);
    shell.args(options).arg(engine.socket());
    let output = run(shell, words);
    end(engine);
    Some(output.replace(folder.path().to_str().unwrap(), "FOLDER"))
}

/// Runs the shell in a terminal; `terminal.py` interprets `conversation`. Returns the shell's
/// output, or `None` if the shell is missing.
fn at_a_terminal(options: &[&str], conversation: &[&str]) -> Option<String> {
    let folder = TempDir::new().unwrap();
    let shell = python::qmp_shell(folder.path())?;
    let engine = engine(folder.path(), "auto", &[]);
    let mut terminal = Command::new(shell.get_program());
    terminal.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/terminal.py"));
    terminal.arg(shell.get_program()).args(shell.get_args()).args(options).arg(engine.socket());
    terminal.envs(shell.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = run(terminal, &conversation.join("\n"));
    end(engine);
    Some(output)
}

#[test]
fn qmp_commands() {
    let words = "trace-event-get-state name=get_begin\n\
                 trace-event-set-state name=get_* enable=true\n\
                 trace-event-get-state name=get_*\n\
                 trace-event-get-state name=nosuch\n\
                 trace-event-get-state\n\
                 trace-file-flush\n";
    let Some(output) = pipe(&[], words) else { return };
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
    assert_eq!(output, expected);
}

#[test]
fn verbose_output_shows_messages() {
    let Some(output) = pipe(&["-v", "-p"], "trace-event-get-state name=get_begin\n") else { return };
    for part in ["\"execute\": \"trace-event-get-state\"", "\"state\": \"disabled\""] {
        assert!(output.contains(part), "{output}");
    }
}

#[test]
fn hmp_commands() {
    let words = "info trace-events get_*\n\
                 trace-event get_* on\n\
                 info trace-events get_*\n\
                 trace-event nosuch on\n\
                 trace-file\n";
    let Some(output) = pipe(&["-H"], words) else { return };
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
    // The shell adds line ends.
    assert_eq!(output.replace("\r\n", "\n").replace("\n (QEMU)", "\n(QEMU)"), expected);
}

#[test]
fn qmp_commands_are_completed() {
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
    let Some(output) = at_a_terminal(&[], &conversation) else { return };
    for command in ["human-monitor-command", "query-trace-status", "trace-file-set-state"] {
        assert!(output.contains(command), "{output}");
    }
}

/// The shell gets the names of commands from the output of `help` and `help info`.
#[test]
fn hmp_commands_are_completed() {
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
