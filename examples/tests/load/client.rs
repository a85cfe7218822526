//! A client that does by chance what clients do, and what they should not.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use ringtrace_peers::talk::Talk;
use serde_json::json;

use crate::chance::Chance;
use crate::place::Place;

/// How often each deed was done.
pub type Deeds = BTreeMap<&'static str, u64>;

/// What clients may do to a program.
#[derive(Debug, Clone, Copy)]
pub struct License {
    /// Events that may be switched on and off, as patterns.
    pub toggled: &'static [&'static str],
    /// The trace file may be another one.
    pub sets_files: bool,
    /// The trace file may be switched off, and on again.
    pub pauses: bool,
}

/// A client that is connected.
struct Client<'a> {
    talk: Talk,
    place: &'a Place,
    license: License,
    chance: &'a mut Chance,
}

/// What came of a deed.
#[derive(PartialEq, Eq)]
enum Then {
    /// It is done, and the connection goes on.
    Stay,
    /// It is done, and so is the connection.
    Leave,
    /// The license does not allow it.
    Nothing,
}

/// What a snapshot fails for while recording is off.
const NOTHING_TO_SHOW: &str = "no trace is being recorded";

/// Something that a client does: its name, and how often it is done among others.
type Deed = (&'static str, u64, fn(&mut Client<'_>) -> io::Result<Then>);

/// By people's words.
const WORDS: &[Deed] = &[
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

/// In JSON.
const JSON: &[Deed] = &[
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

/// Does one deed after another until `stop`; connects again when it has left. In `words` or in JSON.
pub fn run(socket: &Path, place: &Place, license: License, seed: u64, stop: &AtomicBool) -> Deeds {
    let mut chance = Chance::new(seed);
    let mut deeds = Deeds::new();
    let (connect, all): (fn(&Path) -> io::Result<Talk>, _) =
        if seed.is_multiple_of(2) { (Talk::hmp, WORDS) } else { (Talk::qmp, JSON) };
    let total: u64 = all.iter().map(|(_, often, _)| often).sum();
    while !stop.load(Ordering::Relaxed) {
        let talk = connect(socket).unwrap_or_else(|error| panic!("client {seed} cannot connect: {error}"));
        *deeds.entry("connect").or_default() += 1;
        let mut client = Client { talk, place, license, chance: &mut chance };
        while !stop.load(Ordering::Relaxed) {
            let mut choice = client.chance.below(total);
            let chosen = all.iter().find(|(_, often, _)| {
                let here = choice < *often;
                choice = choice.wrapping_sub(*often);
                here
            });
            let (name, _, deed) = chosen.unwrap();
            let then = deed(&mut client).unwrap_or_else(|error| panic!("client {seed}, {name}: {error}"));
            *deeds.entry(name).or_default() += u64::from(then != Then::Nothing);
            if then == Then::Leave {
                break;
            }
        }
    }
    deeds
}

impl Client<'_> {
    /// A pattern that may be switched, and how; everything may always be switched on.
    fn toggle(&mut self) -> (&'static str, bool) {
        let enable = self.chance.below(2) == 0;
        let whole = if enable { &["*"][..] } else { &[] };
        (self.chance.one_of(&[self.license.toggled, whole].concat()), enable)
    }
}

/// In people's words.
mod words {
    use super::{Client, NOTHING_TO_SHOW, Then};
    use std::io;

    /// Says `words` and looks at what is answered.
    fn say(client: &mut Client<'_>, words: &str, is_right: impl Fn(&str) -> bool) -> io::Result<Then> {
        let said = client.talk.say(words)?;
        assert!(is_right(&said), "{words}: {said}");
        Ok(Then::Stay)
    }

    pub(super) fn toggle(client: &mut Client<'_>) -> io::Result<Then> {
        let (pattern, enable) = client.toggle();
        let word = if enable { "on" } else { "off" };
        say(client, &format!("trace-event {pattern} {word}"), str::is_empty)
    }

    pub(super) fn list(client: &mut Client<'_>) -> io::Result<Then> {
        say(client, "info trace-events *", |said| said.lines().count() > 25)
    }

    pub(super) fn flush(client: &mut Client<'_>) -> io::Result<Then> {
        say(client, "trace-file flush", str::is_empty)
    }

    pub(super) fn file(client: &mut Client<'_>) -> io::Result<Then> {
        say(client, "trace-file", |said| said.starts_with("Trace file \""))
    }

    pub(super) fn set_file(client: &mut Client<'_>) -> io::Result<Then> {
        if !client.license.sets_files {
            return Ok(Then::Nothing);
        }
        let path = client.place.new_file();
        say(client, &format!("trace-file set {}", path.display()), str::is_empty)?;
        client.place.has_trace(path);
        Ok(Then::Stay)
    }

    pub(super) fn pause(client: &mut Client<'_>) -> io::Result<Then> {
        if !client.license.pauses {
            return Ok(Then::Nothing);
        }
        say(client, "trace-file off", str::is_empty)?;
        say(client, "trace-file on", str::is_empty)?;
        Ok(Then::Stay)
    }

    pub(super) fn status(client: &mut Client<'_>) -> io::Result<Then> {
        say(client, "info trace-status", |said| said.contains("recorded"))
    }

    pub(super) fn snapshot(client: &mut Client<'_>) -> io::Result<Then> {
        let path = client.place.new_file();
        let said = client.talk.say(&format!("trace-snapshot {}", path.display()))?;
        if client.license.pauses && said.contains(NOTHING_TO_SHOW) {
            return Ok(Then::Nothing);
        }
        assert!(!said.contains("snapshot "), "{said}");
        client.place.has_snapshot(path);
        Ok(Then::Stay)
    }

    pub(super) fn help(client: &mut Client<'_>) -> io::Result<Then> {
        say(client, "help", |said| said.contains("trace-event name on|off"))
    }

    pub(super) fn quit(client: &mut Client<'_>) -> io::Result<Then> {
        say(client, "quit", |said| !said.is_empty())
    }

    pub(super) fn garbage(client: &mut Client<'_>) -> io::Result<Then> {
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
        let words = client.chance.one_of(&words);
        say(client, words, |said| !said.is_empty())
    }

    pub(super) fn leave_in_mid_line(client: &mut Client<'_>) -> io::Result<Then> {
        client.talk.send(b"trace-event * o")?;
        Ok(Then::Leave)
    }

    pub(super) fn leave_in_mid_answer(client: &mut Client<'_>) -> io::Result<Then> {
        let count = 1 + client.chance.below(200) as usize;
        client.talk.send("info trace-events *\ninfo trace-status\n".repeat(count).as_bytes())?;
        Ok(Then::Leave)
    }

    /// All that was asked is answered.
    pub(super) fn half_close(client: &mut Client<'_>) -> io::Result<Then> {
        client.talk.send("info trace-events get_begin\n".repeat(50).as_bytes())?;
        let rest = client.talk.rest()?;
        assert_eq!(rest.matches("get_begin : state").count(), 50, "{rest}");
        Ok(Then::Leave)
    }
}

/// In JSON.
mod json {
    use super::{Client, NOTHING_TO_SHOW, Then, json};
    use serde_json::Value;
    use std::io;

    /// What a command returns, which must be no error.
    fn execute(client: &mut Client<'_>, command: &str, arguments: &Value) -> io::Result<Value> {
        let answer = client.talk.execute(command, arguments)?;
        Ok(answer.unwrap_or_else(|error| panic!("{command} {arguments}: {error}")))
    }

    fn toggling(client: &mut Client<'_>) -> Value {
        let (pattern, enable) = client.toggle();
        json!({"name": pattern, "enable": enable, "ignore-unavailable": true})
    }

    pub(super) fn toggle(client: &mut Client<'_>) -> io::Result<Then> {
        let arguments = toggling(client);
        assert_eq!(execute(client, "trace-event-set-state", &arguments)?, json!({}));
        Ok(Then::Stay)
    }

    pub(super) fn list(client: &mut Client<'_>) -> io::Result<Then> {
        let events = execute(client, "trace-event-get-state", &json!({"name": "*"}))?;
        assert!(events.as_array().unwrap().len() > 25, "{events}");
        Ok(Then::Stay)
    }

    pub(super) fn flush(client: &mut Client<'_>) -> io::Result<Then> {
        assert_eq!(execute(client, "trace-file-flush", &json!({}))?, json!({}));
        Ok(Then::Stay)
    }

    pub(super) fn set_file(client: &mut Client<'_>) -> io::Result<Then> {
        if !client.license.sets_files {
            return Ok(Then::Nothing);
        }
        let path = client.place.new_file();
        assert_eq!(execute(client, "trace-file-set", &json!({"file": path}))?, json!({}));
        client.place.has_trace(path);
        Ok(Then::Stay)
    }

    pub(super) fn pause(client: &mut Client<'_>) -> io::Result<Then> {
        if !client.license.pauses {
            return Ok(Then::Nothing);
        }
        for enable in [false, true] {
            execute(client, "trace-file-set-state", &json!({"enable": enable}))?;
        }
        Ok(Then::Stay)
    }

    pub(super) fn status(client: &mut Client<'_>) -> io::Result<Then> {
        let status = execute(client, "query-trace-status", &json!({}))?;
        assert!(status["events"].as_array().unwrap().len() > 25, "{status}");
        Ok(Then::Stay)
    }

    pub(super) fn snapshot(client: &mut Client<'_>) -> io::Result<Then> {
        let path = client.place.new_file();
        match client.talk.execute("trace-snapshot", &json!({"file": path}))? {
            Ok(snapshot) => assert!(snapshot["records"].is_u64(), "{snapshot}"),
            Err(error) if client.license.pauses && error.contains(NOTHING_TO_SHOW) => {
                return Ok(Then::Nothing);
            }
            Err(error) => panic!("{error}"),
        }
        client.place.has_snapshot(path);
        Ok(Then::Stay)
    }

    pub(super) fn human(client: &mut Client<'_>) -> io::Result<Then> {
        let said = execute(client, "human-monitor-command", &json!({"command-line": "info trace-status"}))?;
        assert!(said.as_str().unwrap().contains("recorded"), "{said}");
        Ok(Then::Stay)
    }

    pub(super) fn many(client: &mut Client<'_>) -> io::Result<Then> {
        let mut ids = Vec::new();
        for _ in 0..25 {
            let arguments = toggling(client);
            ids.push(client.talk.ask("trace-event-set-state", &arguments)?);
            ids.push(client.talk.ask("query-trace-status", &json!({"name": "blk_submit"}))?);
        }
        for id in ids {
            client.talk.answer(&id)?.unwrap();
        }
        Ok(Then::Stay)
    }

    pub(super) fn slowly(client: &mut Client<'_>) -> io::Result<Then> {
        for byte in br#"{ "execute": "query-name", "id": "slow" }"# {
            client.talk.send(&[*byte])?;
        }
        client.talk.answer(&json!("slow"))?.unwrap();
        Ok(Then::Stay)
    }

    pub(super) fn quit(client: &mut Client<'_>) -> io::Result<Then> {
        assert!(client.talk.execute("quit", &json!({}))?.is_err());
        Ok(Then::Stay)
    }

    /// Each of these has one error for its answer.
    pub(super) fn garbage(client: &mut Client<'_>) -> io::Result<Then> {
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
        let garbage = client.chance.one_of(GARBAGE);
        client.talk.send(garbage.as_bytes())?;
        let answer = client.talk.message()?;
        assert!(answer["error"]["desc"].is_string(), "{garbage}: {answer}");
        Ok(Then::Stay)
    }

    pub(super) fn leave_in_mid_line(client: &mut Client<'_>) -> io::Result<Then> {
        client
            .talk
            .send(b"{\"execute\": \"trace-event-set-state\", \"arguments\": {\"name\": \"*\", \"ena")?;
        Ok(Then::Leave)
    }

    pub(super) fn leave_in_mid_answer(client: &mut Client<'_>) -> io::Result<Then> {
        for _ in 0..=client.chance.below(200) {
            client.talk.ask("query-trace-status", &json!({}))?;
        }
        Ok(Then::Leave)
    }

    /// All that was asked is answered.
    pub(super) fn half_close(client: &mut Client<'_>) -> io::Result<Then> {
        for _ in 0..50 {
            client.talk.ask("query-name", &json!({}))?;
        }
        let rest = client.talk.rest()?;
        assert_eq!(rest.matches("{\"return\":").count(), 50, "{rest}");
        Ok(Then::Leave)
    }
}
