//! A client that performs random actions, both valid and invalid.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use ringtrace_peers::monitor_client::MonitorClient;
use serde_json::json;

use crate::random::Random;
use crate::trace_folder::TraceFolder;

/// How often each action was performed.
pub type ActionCounts = BTreeMap<&'static str, u64>;

/// The actions that a load allows.
#[derive(Debug, Clone, Copy)]
pub struct Permissions {
    /// Patterns of the events that clients may enable and disable.
    pub toggled: &'static [&'static str],
    /// Whether clients may switch to another trace file.
    pub sets_files: bool,
    /// Whether clients may pause recording.
    pub pauses: bool,
}

struct Client<'a> {
    client: MonitorClient,
    folder: &'a TraceFolder,
    permissions: Permissions,
    random: &'a mut Random,
}

/// The result of an action, and the state of the connection after it.
#[derive(PartialEq, Eq)]
enum Connection {
    /// The action was performed, and the connection is still open.
    Open,
    /// The action was performed, and the connection is closed.
    Closed,
    /// The action is not allowed, so it was not performed.
    Unused,
}

/// The error message for a snapshot while recording is off.
const NOT_RECORDING: &str = "no trace is being recorded";

/// An action: its name, its relative frequency, and its function.
type Action = (&'static str, u64, fn(&mut Client<'_>) -> io::Result<Connection>);

/// The actions of HMP clients.
const WORDS: &[Action] = &[
    ("hmp trace-event", 30, words::toggle),
    ("hmp info trace-events", 10, words::list),
    ("hmp trace-file flush", 3, words::flush),
    ("hmp trace-file", 5, words::file),
    ("hmp trace-file set", 2, words::set_file),
    ("hmp trace-file off and on", 2, words::pause),
    ("hmp info trace-status", 10, words::status),
    ("hmp trace-snapshot", 1, words::snapshot),
    ("hmp help", 3, words::help),
    ("hmp quit, refused", 1, words::quit),
    ("hmp garbage", 10, words::garbage),
    ("hmp ends in mid-line", 4, words::leave_in_mid_line),
    ("hmp ends in mid-answer", 2, words::leave_in_mid_answer),
    ("hmp half-closes", 2, words::half_close),
];

/// The actions of QMP clients.
const JSON: &[Action] = &[
    ("qmp trace-event-set-state", 30, json::toggle),
    ("qmp trace-event-get-state", 10, json::list),
    ("qmp trace-file-flush", 3, json::flush),
    ("qmp trace-file-set", 2, json::set_file),
    ("qmp trace-file-set-state off and on", 2, json::pause),
    ("qmp query-trace-status", 10, json::status),
    ("qmp trace-snapshot", 1, json::snapshot),
    ("qmp human-monitor-command", 5, json::human),
    ("qmp 50 commands at once", 3, json::many),
    ("qmp byte by byte", 2, json::slowly),
    ("qmp quit, refused", 1, json::quit),
    ("qmp garbage", 10, json::garbage),
    ("qmp ends in mid-line", 4, json::leave_in_mid_line),
    ("qmp ends in mid-answer", 2, json::leave_in_mid_answer),
    ("qmp half-closes", 2, json::half_close),
];

/// Performs random actions until `stop` is set. Connects again after each action that closes the
/// connection. Even seeds use HMP, odd seeds use QMP.
pub fn run(
    socket: &Path,
    folder: &TraceFolder,
    permissions: Permissions,
    seed: u64,
    stop: &AtomicBool,
) -> ActionCounts {
    let mut random = Random::new(seed);
    let mut actions = ActionCounts::new();
    let (connect, all): (fn(&Path) -> io::Result<MonitorClient>, _) =
        if seed.is_multiple_of(2) { (MonitorClient::hmp, WORDS) } else { (MonitorClient::qmp, JSON) };
    let total: u64 = all.iter().map(|(_, often, _)| often).sum();
    while !stop.load(Ordering::Relaxed) {
        let client = connect(socket).unwrap_or_else(|error| panic!("client {seed} cannot connect: {error}"));
        *actions.entry("connect").or_default() += 1;
        let mut client = Client { client, folder, permissions, random: &mut random };
        while !stop.load(Ordering::Relaxed) {
            let mut choice = client.random.below(total);
            let chosen = all.iter().find(|(_, often, _)| {
                let here = choice < *often;
                choice = choice.wrapping_sub(*often);
                here
            });
            let (name, _, action) = chosen.unwrap();
            let connection =
                action(&mut client).unwrap_or_else(|error| panic!("client {seed}, {name}: {error}"));
            *actions.entry(name).or_default() += u64::from(connection != Connection::Unused);
            if connection == Connection::Closed {
                break;
            }
        }
    }
    actions
}

impl Client<'_> {
    /// Returns a pattern of events, and whether to enable them. Enabling all events is always
    /// allowed.
    fn toggle(&mut self) -> (&'static str, bool) {
        let enable = self.random.below(2) == 0;
        let whole = if enable { &["*"][..] } else { &[] };
        (self.random.one_of(&[self.permissions.toggled, whole].concat()), enable)
    }
}

/// The actions of HMP clients.
mod words {
    use super::{Client, Connection, NOT_RECORDING};
    use std::io;

    /// Runs a command and checks its answer.
    fn run_command(
        client: &mut Client<'_>,
        words: &str,
        is_right: impl Fn(&str) -> bool,
    ) -> io::Result<Connection> {
        let answer = client.client.run(words)?;
        assert!(is_right(&answer), "{words}: {answer}");
        Ok(Connection::Open)
    }

    pub(super) fn toggle(client: &mut Client<'_>) -> io::Result<Connection> {
        let (pattern, enable) = client.toggle();
        let word = if enable { "on" } else { "off" };
        run_command(client, &format!("trace-event {pattern} {word}"), str::is_empty)
    }

    pub(super) fn list(client: &mut Client<'_>) -> io::Result<Connection> {
        run_command(client, "info trace-events *", |answer| answer.lines().count() > 25)
    }

    pub(super) fn flush(client: &mut Client<'_>) -> io::Result<Connection> {
        run_command(client, "trace-file flush", str::is_empty)
    }

    pub(super) fn file(client: &mut Client<'_>) -> io::Result<Connection> {
        run_command(client, "trace-file", |answer| answer.starts_with("Trace file \""))
    }

    pub(super) fn set_file(client: &mut Client<'_>) -> io::Result<Connection> {
        if !client.permissions.sets_files {
            return Ok(Connection::Unused);
        }
        let path = client.folder.new_file();
        run_command(client, &format!("trace-file set {}", path.display()), str::is_empty)?;
        client.folder.add_trace(path);
        Ok(Connection::Open)
    }

    pub(super) fn pause(client: &mut Client<'_>) -> io::Result<Connection> {
        if !client.permissions.pauses {
            return Ok(Connection::Unused);
        }
        run_command(client, "trace-file off", str::is_empty)?;
        run_command(client, "trace-file on", str::is_empty)?;
        Ok(Connection::Open)
    }

    pub(super) fn status(client: &mut Client<'_>) -> io::Result<Connection> {
        run_command(client, "info trace-status", |answer| answer.contains("recorded"))
    }

    pub(super) fn snapshot(client: &mut Client<'_>) -> io::Result<Connection> {
        let path = client.folder.new_file();
        let answer = client.client.run(&format!("trace-snapshot {}", path.display()))?;
        if client.permissions.pauses && answer.contains(NOT_RECORDING) {
            return Ok(Connection::Unused);
        }
        assert!(!answer.contains("snapshot "), "{answer}");
        client.folder.add_snapshot(path);
        Ok(Connection::Open)
    }

    pub(super) fn help(client: &mut Client<'_>) -> io::Result<Connection> {
        run_command(client, "help", |answer| answer.contains("trace-event name on|off"))
    }

    pub(super) fn quit(client: &mut Client<'_>) -> io::Result<Connection> {
        run_command(client, "quit", |answer| !answer.is_empty())
    }

    pub(super) fn garbage(client: &mut Client<'_>) -> io::Result<Connection> {
        let long = "x".repeat(10_000);
        let words = [
            "trace-event",
            "trace-event get_begin perhaps",
            "trace-event nosuch on",
            "no such command",
            "info nosuch",
            "trace-file nosuch",
            "\u{1}\u{2}\u{1b}[31m",
            "\"never closed",
            "trace-event \"\\q\" on",
            &long,
        ];
        let words = client.random.one_of(&words);
        run_command(client, words, |answer| !answer.is_empty())
    }

    pub(super) fn leave_in_mid_line(client: &mut Client<'_>) -> io::Result<Connection> {
        client.client.send(b"trace-event * o")?;
        Ok(Connection::Closed)
    }

    pub(super) fn leave_in_mid_answer(client: &mut Client<'_>) -> io::Result<Connection> {
        let count = 1 + client.random.below(200) as usize;
        client.client.send("info trace-events *\ninfo trace-status\n".repeat(count).as_bytes())?;
        Ok(Connection::Closed)
    }

    /// Commands sent before the half-close are answered.
    pub(super) fn half_close(client: &mut Client<'_>) -> io::Result<Connection> {
        client.client.send("info trace-events get_begin\n".repeat(50).as_bytes())?;
        let rest = client.client.read_to_end()?;
        assert_eq!(rest.matches("get_begin : state").count(), 50, "{rest}");
        Ok(Connection::Closed)
    }
}

/// The actions of QMP clients.
mod json {
    use super::{Client, Connection, NOT_RECORDING, json};
    use serde_json::Value;
    use std::io;

    /// Runs a command that must succeed, and returns its result.
    fn execute(client: &mut Client<'_>, command: &str, arguments: &Value) -> io::Result<Value> {
        let answer = client.client.execute(command, arguments)?;
        Ok(answer.unwrap_or_else(|error| panic!("{command} {arguments}: {error}")))
    }

    fn toggling(client: &mut Client<'_>) -> Value {
        let (pattern, enable) = client.toggle();
        json!({"name": pattern, "enable": enable, "ignore-unavailable": true})
    }

    pub(super) fn toggle(client: &mut Client<'_>) -> io::Result<Connection> {
        let arguments = toggling(client);
        assert_eq!(execute(client, "trace-event-set-state", &arguments)?, json!({}));
        Ok(Connection::Open)
    }

    pub(super) fn list(client: &mut Client<'_>) -> io::Result<Connection> {
        let events = execute(client, "trace-event-get-state", &json!({"name": "*"}))?;
        assert!(events.as_array().unwrap().len() > 25, "{events}");
        Ok(Connection::Open)
    }

    pub(super) fn flush(client: &mut Client<'_>) -> io::Result<Connection> {
        assert_eq!(execute(client, "trace-file-flush", &json!({}))?, json!({}));
        Ok(Connection::Open)
    }

    pub(super) fn set_file(client: &mut Client<'_>) -> io::Result<Connection> {
        if !client.permissions.sets_files {
            return Ok(Connection::Unused);
        }
        let path = client.folder.new_file();
        assert_eq!(execute(client, "trace-file-set", &json!({"file": path}))?, json!({}));
        client.folder.add_trace(path);
        Ok(Connection::Open)
    }

    pub(super) fn pause(client: &mut Client<'_>) -> io::Result<Connection> {
        if !client.permissions.pauses {
            return Ok(Connection::Unused);
        }
        for enable in [false, true] {
            execute(client, "trace-file-set-state", &json!({"enable": enable}))?;
        }
        Ok(Connection::Open)
    }

    pub(super) fn status(client: &mut Client<'_>) -> io::Result<Connection> {
        let status = execute(client, "query-trace-status", &json!({}))?;
        assert!(status["events"].as_array().unwrap().len() > 25, "{status}");
        Ok(Connection::Open)
    }

    pub(super) fn snapshot(client: &mut Client<'_>) -> io::Result<Connection> {
        let path = client.folder.new_file();
        match client.client.execute("trace-snapshot", &json!({"file": path}))? {
            Ok(snapshot) => assert!(snapshot["records"].is_u64(), "{snapshot}"),
            Err(error) if client.permissions.pauses && error.contains(NOT_RECORDING) => {
                return Ok(Connection::Unused);
            }
            Err(error) => panic!("{error}"),
        }
        client.folder.add_snapshot(path);
        Ok(Connection::Open)
    }

    pub(super) fn human(client: &mut Client<'_>) -> io::Result<Connection> {
        let answer = execute(client, "human-monitor-command", &json!({"command-line": "info trace-status"}))?;
        assert!(answer.as_str().unwrap().contains("recorded"), "{answer}");
        Ok(Connection::Open)
    }

    pub(super) fn many(client: &mut Client<'_>) -> io::Result<Connection> {
        let mut ids = Vec::new();
        for _ in 0..25 {
            let arguments = toggling(client);
            ids.push(client.client.send_command("trace-event-set-state", &arguments)?);
            ids.push(client.client.send_command("query-trace-status", &json!({"name": "blk_submit"}))?);
        }
        for id in ids {
            client.client.answer(&id)?.unwrap();
        }
        Ok(Connection::Open)
    }

    pub(super) fn slowly(client: &mut Client<'_>) -> io::Result<Connection> {
        for byte in br#"{ "execute": "query-name", "id": "slow" }"# {
            client.client.send(&[*byte])?;
        }
        client.client.answer(&json!("slow"))?.unwrap();
        Ok(Connection::Open)
    }

    pub(super) fn quit(client: &mut Client<'_>) -> io::Result<Connection> {
        assert!(client.client.execute("quit", &json!({}))?.is_err());
        Ok(Connection::Open)
    }

    /// Each of these inputs causes one error.
    pub(super) fn garbage(client: &mut Client<'_>) -> io::Result<Connection> {
        const GARBAGE: &[&str] = &[
            "{}",
            "[1, 2, 3]",
            "\"text\"",
            "{\"execute\": 7}",
            "{\"execute\": \"nosuch\"}",
            "{\"execute\": \"quit\", \"nosuch\": 1}",
            "{\"execute\": \"trace-event-set-state\", \"arguments\": []}",
            "{\"execute\": \"trace-event-set-state\", \"arguments\": {\"name\": \"nosuch\", \"enable\": true}}",
        ];
        let garbage = client.random.one_of(GARBAGE);
        client.client.send(garbage.as_bytes())?;
        let answer = client.client.message()?;
        assert!(answer["error"]["desc"].is_string(), "{garbage}: {answer}");
        Ok(Connection::Open)
    }

    pub(super) fn leave_in_mid_line(client: &mut Client<'_>) -> io::Result<Connection> {
        client
            .client
            .send(b"{\"execute\": \"trace-event-set-state\", \"arguments\": {\"name\": \"*\", \"ena")?;
        Ok(Connection::Closed)
    }

    pub(super) fn leave_in_mid_answer(client: &mut Client<'_>) -> io::Result<Connection> {
        for _ in 0..=client.random.below(200) {
            client.client.send_command("query-trace-status", &json!({}))?;
        }
        Ok(Connection::Closed)
    }

    /// Commands sent before the half-close are answered.
    pub(super) fn half_close(client: &mut Client<'_>) -> io::Result<Connection> {
        for _ in 0..50 {
            client.client.send_command("query-name", &json!({}))?;
        }
        let rest = client.client.read_to_end()?;
        assert_eq!(rest.matches("{\"return\":").count(), 50, "{rest}");
        Ok(Connection::Closed)
    }
}
