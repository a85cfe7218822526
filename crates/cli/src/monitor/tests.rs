//! The client against a script: QEMU's own words, and mishaps that no good monitor lets happen. Against the real monitor it is
//! tried in `tests/ctl.rs`.

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::thread::{self, JoinHandle};

use serde_json::json;

use super::*;

/// QEMU 10.2.2's.
const GREETING: &str = "{\"QMP\": {\"version\": {\"qemu\": {\"micro\": 2, \"minor\": 2, \"major\": 10}, \"package\": \"\"}, \"capabilities\": [\"oob\"]}}\r\n";

/// What happens on the other side.
enum Act {
    Say(&'static str),
    /// Until this has come in.
    Hear(&'static str),
    /// Until the client has gone.
    Linger,
}
use Act::{Hear, Linger, Say};

/// A socket at which somebody follows a script, once.
struct Stage {
    _folder: tempfile::TempDir,
    path: PathBuf,
    player: Option<JoinHandle<()>>,
}

impl Stage {
    fn new(script: Vec<Act>) -> Stage {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sock");
        let listener = UnixListener::bind(&path).unwrap();
        let player = thread::spawn(move || play(&mut listener.accept().unwrap().0, script));
        Stage { _folder: folder, path, player: Some(player) }
    }

    /// A monitor of QMP that agrees, and then follows the script.
    fn qmp(script: Vec<Act>) -> Stage {
        let mut all = vec![Say(GREETING), Hear("\"id\":1}\r\n"), Say("{\"return\": {}, \"id\": 1}\r\n")];
        all.extend(script);
        Stage::new(all)
    }

    fn connect(&self) -> Result<Client, MonitorError> {
        Client::connect_within(&self.path, Duration::from_mins(1))
    }

    fn connect_hastily(&self) -> Result<Client, MonitorError> {
        Client::connect_within(&self.path, Duration::from_millis(50))
    }

    /// The script was followed to its end.
    fn end(mut self) {
        self.player.take().unwrap().join().unwrap();
    }
}

fn play(stream: &mut UnixStream, script: Vec<Act>) {
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    for act in script {
        match act {
            Say(words) => stream.write_all(words.as_bytes()).unwrap(),
            Hear(words) => {
                let mut heard = Vec::new();
                while !heard.ends_with(words.as_bytes()) {
                    let mut byte = [0];
                    let got = stream.read(&mut byte);
                    assert!(matches!(got, Ok(1)), "`{words}` expected: {}", String::from_utf8_lossy(&heard));
                    heard.push(byte[0]);
                }
            }
            Linger => {
                let _ = stream.read_to_end(&mut Vec::new());
            }
        }
    }
}

/// The error's message without the path, and its advice.
fn words(stage: &Stage, error: MonitorError) -> String {
    let failure = crate::exit::Failure::from(error);
    let path = stage.path.display().to_string();
    let words = match failure.help {
        Some(help) => format!("{}; {help}", failure.message),
        None => failure.message,
    };
    words.replace(&path, "SOCK")
}

#[test]
fn commands_are_answered_by_number_and_notices_wait() {
    let stage = Stage::qmp(vec![
        Hear("{\"execute\":\"query-status\",\"id\":2}\r\n"),
        Say(
            "{\"timestamp\": {\"seconds\": 1795178485, \"microseconds\": 543282}, \"event\": \"RESUME\"}\r\n{\"return\": {\"running\": tr",
        ),
        Say("ue}, \"id\": 2}\r\n"),
        Hear("{\"arguments\":{\"name\":\"nosuch\"},\"execute\":\"trace-event-get-state\",\"id\":3}\r\n"),
        Say(
            "{\"id\": 3, \"error\": {\"class\": \"GenericError\", \"desc\": \"unknown event \\\"nosuch\\\"\"}}\r\n",
        ),
        Linger,
    ]);
    let mut client = stage.connect().unwrap();
    assert_eq!(client.greeting().program, "QEMU 10.2.2");
    assert_eq!(client.language(), Language::Qmp);
    assert_eq!(client.execute("query-status", json!(null)).unwrap(), json!({"running": true}));
    assert!(client.wait(Duration::ZERO).unwrap());
    let notice = Notice { time_us: 1_795_178_485_543_282, event: "RESUME".to_owned(), data: json!(null) };
    assert_eq!(client.notices().unwrap(), [notice]);
    assert_eq!(client.notices().unwrap(), []);
    let error = client.execute("trace-event-get-state", json!({"name": "nosuch"})).unwrap_err();
    assert!(!error.trouble.ends());
    assert_eq!(words(&stage, error), "unknown event \"nosuch\"");
    drop(client);
    stage.end();
}

#[test]
fn words_go_through_qmp() {
    let stage = Stage::qmp(vec![
        Hear(
            "{\"arguments\":{\"command-line\":\"trace-file\"},\"execute\":\"human-monitor-command\",\"id\":2}\r\n",
        ),
        Say("{\"return\": \"Trace file \\\"with \\u00E9\\\" off.\\r\\n\", \"id\": 2}\r\n"),
    ]);
    let mut client = stage.connect().unwrap();
    assert_eq!(client.human("trace-file").unwrap(), "Trace file \"with \u{e9}\" off.\n");
    assert_eq!(client.human("a\nb").unwrap_err().to_string(), "a command is one line");
    let path = client.path().to_owned();
    stage.end();
    let error = loop {
        if let Err(error) = client.notices() {
            break error;
        }
    };
    assert_eq!(error.to_string(), format!("{}: the program has ended", path.display()));
    assert!(error.trouble.ends());
}

#[test]
fn words_go_through_hmp_whatever_the_prompt() {
    let stage = Stage::new(vec![
        Say("ringtrace 0.1.0 monitor - type 'help' for more information\r\n(my "),
        Hear("\n"),
        Say("vmm) "),
        Say("(my vmm) "),
        Hear("trace-file\n"),
        Say("Trace file \"x\" on.\r\n(my vmm"),
        Say(") "),
        Hear("trace-file off\n"),
        Say("(my vmm) "),
        Linger,
    ]);
    let mut client = stage.connect().unwrap();
    assert_eq!(client.greeting().program, "ringtrace 0.1.0");
    assert_eq!(client.language(), Language::Hmp);
    assert_eq!(client.human("trace-file").unwrap(), "Trace file \"x\" on.\n");
    assert_eq!(client.human("trace-file off").unwrap(), "");
    let error = client.execute("query-name", json!(null)).unwrap_err();
    assert!(
        words(&stage, error).starts_with("SOCK: the monitor speaks HMP only, and `query-name` is QMP; start")
    );
    drop(client);
    stage.end();
}

#[test]
fn what_qemu_echoes_is_no_answer() {
    let stage = Stage::new(vec![
        Say("QEMU 10.2.2 monitor - type 'help' for more information\r\n(qemu) "),
        Hear("\n"),
        Say("\r\n(qemu) "),
        Hear("stop\n"),
        Say("s\u{1b}[K\u{1b}[Dst\u{1b}[K\u{1b}[D\u{1b}[Dsto\u{1b}[Kp\r\n(qemu) "),
        Hear("trace-event x\n"),
        Say("t\u{1b}[K\u{1b}[Dt\r\nExpected 'on' or 'off'\r\n(qemu) "),
    ]);
    let mut client = stage.connect().unwrap();
    assert_eq!(client.human("stop").unwrap(), "");
    assert_eq!(client.human("trace-event x").unwrap(), "Expected 'on' or 'off'\n");
    stage.end();
}

#[test]
fn an_answer_that_comes_too_late_is_not_taken_for_the_next() {
    let stage = Stage::qmp(vec![
        Hear("\"id\":2}\r\n"),
        Hear("\"id\":3}\r\n"),
        Say("{\"return\": \"late\", \"id\": 2}\r\n{\"return\": \"right\", \"id\": 3}\r\n"),
    ]);
    let mut client = stage.connect().unwrap();
    client.set_timeout(Duration::from_millis(20));
    let error = client.execute("slow", json!(null)).unwrap_err();
    assert!(!error.trouble.ends());
    assert!(words(&stage, error).starts_with("SOCK: no answer within 0.02 s; "));
    client.set_timeout(Duration::from_mins(1));
    assert_eq!(client.execute("quick", json!(null)).unwrap(), json!("right"));
    stage.end();
}

/// Every way in which connecting goes wrong, and what is said then.
#[test]
fn who_is_no_monitor_is_told_apart() {
    let full =
        "{\"error\": {\"class\": \"GenericError\", \"desc\": \"64 clients are connected already\"}}\r\n";
    for (script, expected) in [
        (vec![Linger], "SOCK: no greeting of a monitor; the program may be stopped or busy"),
        (vec![], "SOCK: the program has ended"),
        (vec![Say(full)], "SOCK: the monitor says: 64 clients are connected already"),
        (vec![Say("64 clients are connected already\r\n")], "SOCK: the monitor says: 64 clients"),
        (
            vec![Say("220 mail ESMTP\r\n"), Linger],
            "SOCK: not a monitor: it says `220 mail ESMTP`; give the socket",
        ),
        (vec![Say("SSH-2.0\x1b"), Linger], "SOCK: not a monitor: it says `SSH-2.0\u{241b}`; give the socket"),
        (vec![Say("{}\r\n"), Linger], "SOCK: not a monitor: it says `{}`"),
        (vec![Say("{\"QMP\": 1\r\n"), Linger], "SOCK: not a monitor: it says `{\"QMP\": 1`"),
    ] {
        let stage = Stage::new(script);
        let said = words(&stage, stage.connect_hastily().unwrap_err());
        assert!(said.starts_with(expected), "{said}\nexpected: {expected}");
        stage.end();
    }
}

#[test]
fn an_answer_that_makes_no_sense_is_shown() {
    for (answer, expected) in [
        ("[1]\r\n", "SOCK: not an answer of QMP: [1]"),
        ("{\"id\": 2}\r\n", "SOCK: not an answer of QMP: {\"id\": 2}"),
        ("{\"re\r\n", "SOCK: not an answer of QMP: {\"re"),
    ] {
        let stage = Stage::qmp(vec![Hear("\"id\":2}\r\n"), Say(answer)]);
        let error = stage.connect().unwrap().execute("query-name", json!(null)).unwrap_err();
        assert!(error.trouble.ends());
        assert_eq!(words(&stage, error), expected);
        stage.end();
    }
}

#[test]
fn paths_that_lead_to_no_monitor() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    let refused = |path: &Path| {
        let failure = crate::exit::Failure::from(Client::connect(path).unwrap_err());
        assert_eq!(failure.exit, crate::exit::Exit::System);
        format!("{}; {}", failure.message, failure.help.unwrap_or_default())
            .replace(&path.display().to_string(), "X")
    };
    assert!(refused(&path).starts_with("X: No such file or directory; a program makes a monitor's socket"));
    std::fs::write(&path, "").unwrap();
    assert!(refused(&path).starts_with("X: not a socket; a program makes a monitor's socket when"));
    std::fs::remove_file(&path).unwrap();
    drop(UnixListener::bind(&path).unwrap());
    assert!(refused(&path).starts_with("X: nobody listens there any more; its program has ended"));
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
