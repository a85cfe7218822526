//! Tests the client against scripted monitors. The scripts contain QEMU's answers, and errors that
//! no correct monitor produces. `tests/ctl.rs` tests the client against the real monitor.

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::thread::{self, JoinHandle};

use serde_json::json;

use super::*;

/// The greeting of QEMU 10.2.2.
const GREETING: &str = "{\"QMP\": {\"version\": {\"qemu\": {\"micro\": 2, \"minor\": 2, \"major\": 10}, \"package\": \"\"}, \"capabilities\": [\"oob\"]}}\r\n";

/// A step of the fake monitor.
enum Step {
    Send(&'static str),
    Expect(&'static str),
    WaitForClose,
}
use Step::{Expect, Send, WaitForClose};

/// A socket that serves one client according to a script.
struct FakeMonitor {
    _folder: tempfile::TempDir,
    path: PathBuf,
    player: Option<JoinHandle<()>>,
}

impl FakeMonitor {
    fn new(script: Vec<Step>) -> FakeMonitor {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sock");
        let listener = UnixListener::bind(&path).unwrap();
        let player = thread::spawn(move || play(&mut listener.accept().unwrap().0, script));
        FakeMonitor { _folder: folder, path, player: Some(player) }
    }

    /// Returns a QMP monitor that completes the negotiation and then follows `script`.
    fn qmp(script: Vec<Step>) -> FakeMonitor {
        let mut all = vec![Send(GREETING), Expect("\"id\":1}\r\n"), Send("{\"return\": {}, \"id\": 1}\r\n")];
        all.extend(script);
        FakeMonitor::new(all)
    }

    fn connect(&self) -> Result<Client, MonitorError> {
        Client::connect_within(&self.path, Duration::from_mins(1))
    }

    fn connect_hastily(&self) -> Result<Client, MonitorError> {
        Client::connect_within(&self.path, Duration::from_millis(50))
    }

    /// Checks that the script was followed to its end.
    fn end(mut self) {
        self.player.take().unwrap().join().unwrap();
    }
}

fn play(stream: &mut UnixStream, script: Vec<Step>) {
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    for act in script {
        match act {
            Send(words) => stream.write_all(words.as_bytes()).unwrap(),
            Expect(words) => {
                let mut heard = Vec::new();
                while !heard.ends_with(words.as_bytes()) {
                    let mut byte = [0];
                    let got = stream.read(&mut byte);
                    assert!(matches!(got, Ok(1)), "`{words}` expected: {}", String::from_utf8_lossy(&heard));
                    heard.push(byte[0]);
                }
            }
            WaitForClose => {
                let _ = stream.read_to_end(&mut Vec::new());
            }
        }
    }
}

/// Returns the error's message without the path, and its advice.
fn words(monitor: &FakeMonitor, error: MonitorError) -> String {
    let failure = crate::exit::CliError::from(error);
    let path = monitor.path.display().to_string();
    let words = match failure.help {
        Some(help) => format!("{}; {help}", failure.message),
        None => failure.message,
    };
    words.replace(&path, "SOCK")
}

#[test]
fn commands_are_answered_by_number_and_notices_wait() {
    let monitor = FakeMonitor::qmp(vec![
        Expect("{\"execute\":\"query-status\",\"id\":2}\r\n"),
        Send(
            "{\"timestamp\": {\"seconds\": 1795178485, \"microseconds\": 543282}, \"event\": \"RESUME\"}\r\n{\"return\": {\"running\": tr",
        ),
        Send("ue}, \"id\": 2}\r\n"),
        Expect("{\"arguments\":{\"name\":\"nosuch\"},\"execute\":\"trace-event-get-state\",\"id\":3}\r\n"),
        Send(
            "{\"id\": 3, \"error\": {\"class\": \"GenericError\", \"desc\": \"unknown event \\\"nosuch\\\"\"}}\r\n",
        ),
        WaitForClose,
    ]);
    let mut client = monitor.connect().unwrap();
    assert_eq!(client.program(), "QEMU 10.2.2");
    assert_eq!(client.protocol(), Protocol::Qmp);
    assert_eq!(client.execute("query-status", json!(null)).unwrap(), json!({"running": true}));
    assert!(client.wait(Duration::ZERO).unwrap());
    let notice = Notice { time_us: 1_795_178_485_543_282, event: "RESUME".to_owned(), data: json!(null) };
    assert_eq!(client.notices().unwrap(), [notice]);
    assert_eq!(client.notices().unwrap(), []);
    let error = client.execute("trace-event-get-state", json!({"name": "nosuch"})).unwrap_err();
    assert!(!error.kind.ends());
    assert_eq!(words(&monitor, error), "unknown event \"nosuch\"");
    drop(client);
    monitor.end();
}

#[test]
fn words_go_through_qmp() {
    let monitor = FakeMonitor::qmp(vec![
        Expect(
            "{\"arguments\":{\"command-line\":\"trace-file\"},\"execute\":\"human-monitor-command\",\"id\":2}\r\n",
        ),
        Send("{\"return\": \"Trace file \\\"with \\u00E9\\\" off.\\r\\n\", \"id\": 2}\r\n"),
    ]);
    let mut client = monitor.connect().unwrap();
    assert_eq!(client.human("trace-file").unwrap(), "Trace file \"with \u{e9}\" off.\n");
    assert_eq!(client.human("a\nb").unwrap_err().to_string(), "a command must be a single line");
    let path = client.path().to_owned();
    monitor.end();
    let error = loop {
        if let Err(error) = client.notices() {
            break error;
        }
    };
    assert_eq!(error.to_string(), format!("{}: the program has ended", path.display()));
    assert!(error.kind.ends());
}

#[test]
fn words_go_through_hmp_whatever_the_prompt() {
    let monitor = FakeMonitor::new(vec![
        Send("ringtrace 0.1.0 monitor - type 'help' for more information\r\n(my "),
        Expect("\n"),
        Send("vmm) "),
        Send("(my vmm) "),
        Expect("trace-file\n"),
        Send("Trace file \"x\" on.\r\n(my vmm"),
        Send(") "),
        Expect("trace-file off\n"),
        Send("(my vmm) "),
        WaitForClose,
    ]);
    let mut client = monitor.connect().unwrap();
    assert_eq!(client.program(), "ringtrace 0.1.0");
    assert_eq!(client.protocol(), Protocol::Hmp);
    assert_eq!(client.human("trace-file").unwrap(), "Trace file \"x\" on.\n");
    assert_eq!(client.human("trace-file off").unwrap(), "");
    let error = client.execute("query-name", json!(null)).unwrap_err();
    assert!(
        words(&monitor, error)
            .starts_with("SOCK: the monitor supports only HMP, but `query-name` is a QMP command; start")
    );
    drop(client);
    monitor.end();
}

#[test]
fn the_echo_of_qemu_is_not_part_of_the_answer() {
    let monitor = FakeMonitor::new(vec![
        Send("QEMU 10.2.2 monitor - type 'help' for more information\r\n(qemu) "),
        Expect("\n"),
        Send("\r\n(qemu) "),
        Expect("stop\n"),
        Send("s\u{1b}[K\u{1b}[Dst\u{1b}[K\u{1b}[D\u{1b}[Dsto\u{1b}[Kp\r\n(qemu) "),
        Expect("trace-event x\n"),
        Send("t\u{1b}[K\u{1b}[Dt\r\nExpected 'on' or 'off'\r\n(qemu) "),
    ]);
    let mut client = monitor.connect().unwrap();
    assert_eq!(client.human("stop").unwrap(), "");
    assert_eq!(client.human("trace-event x").unwrap(), "Expected 'on' or 'off'\n");
    let error = client.execute("query-name", json!(null)).unwrap_err();
    assert_eq!(
        words(&monitor, error),
        "SOCK: the monitor supports only HMP, but `query-name` is a QMP command; this is QEMU's -monitor; specify the socket \
         of its -qmp"
    );
    monitor.end();
}

#[test]
fn an_answer_that_comes_too_late_is_not_taken_for_the_next() {
    let monitor = FakeMonitor::qmp(vec![
        Expect("\"id\":2}\r\n"),
        Expect("\"id\":3}\r\n"),
        Send("{\"return\": \"late\", \"id\": 2}\r\n{\"return\": \"right\", \"id\": 3}\r\n"),
    ]);
    let mut client = monitor.connect().unwrap();
    client.set_timeout(Duration::from_millis(20));
    let error = client.execute("slow", json!(null)).unwrap_err();
    assert!(!error.kind.ends());
    assert!(words(&monitor, error).starts_with("SOCK: no answer within 0.02 s; "));
    client.set_timeout(Duration::from_mins(1));
    assert_eq!(client.execute("quick", json!(null)).unwrap(), json!("right"));
    monitor.end();
}

/// Checks the messages for all ways in which connecting can fail.
#[test]
fn peers_that_are_not_monitors_are_recognized() {
    let full =
        "{\"error\": {\"class\": \"GenericError\", \"desc\": \"64 clients are connected already\"}}\r\n";
    for (script, expected) in [
        (vec![WaitForClose], "SOCK: did not send a monitor's greeting; the program may be stopped or busy"),
        (vec![], "SOCK: the program has ended"),
        (vec![Send(full)], "SOCK: the monitor reports: 64 clients are connected already"),
        (vec![Send("64 clients are connected already\r\n")], "SOCK: the monitor reports: 64 clients"),
        (
            vec![Send("220 mail ESMTP\r\n"), WaitForClose],
            "SOCK: not a monitor: it sent `220 mail ESMTP`; specify the socket",
        ),
        (
            vec![Send("SSH-2.0\x1b"), WaitForClose],
            "SOCK: not a monitor: it sent `SSH-2.0\u{241b}`; specify the socket",
        ),
        (vec![Send("{}\r\n"), WaitForClose], "SOCK: not a monitor: it sent `{}`"),
        (vec![Send("{\"QMP\": 1\r\n"), WaitForClose], "SOCK: not a monitor: it sent `{\"QMP\": 1`"),
    ] {
        let monitor = FakeMonitor::new(script);
        let said = words(&monitor, monitor.connect_hastily().unwrap_err());
        assert!(said.starts_with(expected), "{said}\nexpected: {expected}");
        monitor.end();
    }
}

#[test]
fn a_malformed_answer_is_shown() {
    for (answer, expected) in [
        ("[1]\r\n", "SOCK: not a QMP answer: [1]"),
        ("{\"id\": 2}\r\n", "SOCK: not a QMP answer: {\"id\": 2}"),
        ("{\"re\r\n", "SOCK: not a QMP answer: {\"re"),
    ] {
        let monitor = FakeMonitor::qmp(vec![Expect("\"id\":2}\r\n"), Send(answer)]);
        let error = monitor.connect().unwrap().execute("query-name", json!(null)).unwrap_err();
        assert!(error.kind.ends());
        assert_eq!(words(&monitor, error), expected);
        monitor.end();
    }
}

#[test]
fn paths_without_a_monitor_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    let refused = |path: &Path| {
        let failure = crate::exit::CliError::from(Client::connect(path).unwrap_err());
        assert_eq!(failure.exit, crate::exit::Exit::System);
        format!("{}; {}", failure.message, failure.help.unwrap_or_default())
            .replace(&path.display().to_string(), "X")
    };
    assert!(refused(&path).starts_with("X: No such file or directory; a program creates a monitor's socket"));
    std::fs::write(&path, "").unwrap();
    assert!(refused(&path).starts_with("X: not a socket; a program creates a monitor's socket if"));
    std::fs::remove_file(&path).unwrap();
    drop(UnixListener::bind(&path).unwrap());
    assert!(refused(&path).starts_with("X: no program is listening on this socket; its program has ended"));
    let long = folder.path().join("x".repeat(120));
    std::os::unix::fs::symlink(&path, &long).unwrap();
    assert!(refused(&long).starts_with("X: File name too long"));
}

#[test]
fn addresses_are_paths_too() {
    let path = |word: &str| socket_path(OsStr::new(word)).into_os_string().into_string().unwrap();
    assert_eq!(path("/run/x.sock"), "/run/x.sock");
    assert_eq!(path("unix:/run/x.sock"), "/run/x.sock");
    assert_eq!(path("unix:x,mode=hmp"), "x");
}
