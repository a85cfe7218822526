//! socat as a client: commands from a pipe.

use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::{end, engine};

/// Sends `words` and closes the pipe. Returns the output, or `None` if socat is missing.
fn run_session(socket: &Path, words: &str) -> Option<String> {
    let mut socat = Command::new("socat");
    // After its input ends, socat waits for the end of the output. By default it waits only half a
    // second.
    socat.args(["-t", "60", "-"]).arg(format!("UNIX-CONNECT:{}", socket.display()));
    socat.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = match socat.spawn() {
        Ok(process) => process,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            eprintln!("SKIPPED: no socat (on Debian in the package socat)");
            return None;
        }
        Err(error) => panic!("socat: {error}"),
    };
    let mut stdin = process.stdin.take().unwrap();
    let words = words.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(words.as_bytes()).unwrap());
    let output = process.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

/// The lines of a session, without the version.
fn lines(output: &str) -> Vec<String> {
    let version = env!("CARGO_PKG_VERSION");
    output.split("\r\n").map(|line| line.replace(version, "VERSION")).collect()
}

#[test]
fn a_session_with_a_pipe() {
    let folder = TempDir::new().unwrap();
    let engine = engine(folder.path(), "hmp", &[]);
    let session = "info trace-events get_*\n\
                   trace-event get_* on\n\
                   info trace-events get_*\n\
                   trace-event nosuch on\n\
                   trace-event get_end maybe\n\
                   \n\
                   trace-file flush\n\
                   trace-file\n\
                   nosuch\n";
    let Some(output) = run_session(engine.socket(), session) else { return };
    let file = folder.path().join("first.trace");
    let expected = [
        "ringtrace VERSION monitor - type 'help' for more information",
        "(ringtrace) get_begin : state 0",
        "get_end : state 0",
        "(ringtrace) (ringtrace) get_begin : state 1",
        "get_end : state 1",
        "(ringtrace) unknown event \"nosuch\"",
        "(ringtrace) Expected 'on' or 'off'",
        "Try \"help trace-event\" for more information",
        &format!("(ringtrace) (ringtrace) (ringtrace) Trace file \"{}\" on.", file.display()),
        "(ringtrace) unknown command: 'nosuch'",
        "(ringtrace) ",
    ];
    assert_eq!(lines(&output), expected);
    end(engine);
}

#[test]
fn auto_mode_accepts_hmp_and_qmp() {
    let folder = TempDir::new().unwrap();
    let engine = engine(folder.path(), "auto", &[]);
    let Some(output) = run_session(engine.socket(), "info trace-events get_begin\n") else { return };
    let (greeting, words) = output.split_once("\r\n").unwrap();
    assert!(greeting.starts_with("{\"QMP\": {"), "{greeting}");
    assert_eq!(words, "get_begin : state 0\r\n(ringtrace) ");
    let output = run_session(
        engine.socket(),
        "{\"execute\": \"qmp_capabilities\"}{\"execute\": \"trace-event-get-state\", \"arguments\": {\"name\": \"get_begin\"}}",
    );
    let answers =
        "\r\n{\"return\": {}}\r\n{\"return\": [{\"name\": \"get_begin\", \"state\": \"disabled\"}]}\r\n";
    assert!(output.as_ref().unwrap().ends_with(answers), "{output:?}");
    end(engine);
}

/// Sends more data in both directions than the buffers of the socket and the monitor can hold.
#[test]
fn all_answers_of_a_long_session_arrive() {
    const ROUNDS: usize = 50;
    let folder = TempDir::new().unwrap();
    let engine = engine(folder.path(), "hmp", &["--trace", "get_*"]);
    let round = "info trace-events *\n".repeat(100) + "trace-file flush\n";
    let Some(output) = run_session(engine.socket(), &round.repeat(ROUNDS)) else { return };
    assert_eq!(output.matches("(ringtrace) ").count(), 101 * ROUNDS + 1);
    assert_eq!(output.matches("get_begin : state 1\r\n").count(), 100 * ROUNDS);
    assert!(output.ends_with("(ringtrace) "));
    end(engine);
}

/// The last line needs no line end.
#[test]
fn a_last_line_without_line_end() {
    let folder = TempDir::new().unwrap();
    let engine = engine(folder.path(), "hmp", &[]);
    let Some(output) = run_session(engine.socket(), "info trace-events get_begin") else { return };
    assert!(output.contains("get_begin : state 0\r\n"), "{output:?}");
    end(engine);
}
