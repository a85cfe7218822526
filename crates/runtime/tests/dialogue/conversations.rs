//! Runs conversations with clients, `testdata/monitor/*.conversation`, in a program with the events
//! in `testdata/monitor/program.events`.
//!
//! `RINGTRACE_ACCEPT=1` accepts the current answers. A new case needs a new line or a new file,
//! but no code:
//!
//! | line | effect |
//! | --- | --- |
//! | `connect MODE [quit] [in FOLDER] [named NAME]` | connects a client, with these permissions; prints the greeting |
//! | `HMP -> LINE` | sends a line; `  \| ` precedes the lines of the answer, without the prompt |
//! | `QMP -> MESSAGE` | sends a message and a line end; `QMP <- ` precedes the answers |
//! | `RAW -> BYTES` | sends bytes, with Rust's escapes; `  = ` precedes the answer, with the same escapes |
//! | `END` | ends the input |
//! | `start FILE [overwrite]`, `stop` | starts tracing, optionally as a flight recorder; stops it |
//! | `happens EVENT TIMES` | emits events |
//! | `folder NAME`, `file NAME`, `link NAME TARGET` | creates a folder, a file or a link |
//! | `remove NAME`, `show NAME` | removes a file; prints its contents |

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use ringtrace::monitor::Mode;
use ringtrace::monitor::dialogue::Program;
use ringtrace::{Guard, Policy, Settings, session};

use crate::client::{Client, End, TestFolder};
use crate::declared::Declared;
use crate::worker::Worker;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/monitor")
}

struct Stage {
    tracing: Option<Guard>,
    client: Option<Client>,
    declared: Declared,
    worker: Worker,
    test_folder: TestFolder,
}

#[test]
fn answers_are_the_accepted_ones() {
    let accepts = std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1");
    let mut files: Vec<_> = std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "conversation"));
    files.sort();
    assert!(!files.is_empty());
    let mut failures = Vec::new();
    for file in files {
        let accepted = std::fs::read_to_string(&file).unwrap();
        let now = hold(&accepted);
        if accepts {
            std::fs::write(&file, now).unwrap();
        } else if now != accepted {
            let differing = accepted.lines().zip(now.lines()).find(|(accepted, now)| accepted != now);
            failures.push(format!("{}: first difference at {differing:#?}\nnow\n{now}", file.display()));
        }
    }
    assert!(failures.is_empty(), "RINGTRACE_ACCEPT=1 accepts\n{}", failures.join("\n"));
}

/// Replays a conversation, and returns it with the current answers.
fn hold(conversation: &str) -> String {
    let test_folder = TestFolder::new();
    let declared = Declared::of(&folder().join("program.events"), |_| true);
    let mut stage = Stage { tracing: None, client: None, declared, worker: Worker::start(), test_folder };
    let mut text = String::new();
    let is_answer = |line: &&str| !line.starts_with("  ") && !line.starts_with("QMP <- ");
    for line in conversation.lines().filter(is_answer) {
        writeln!(text, "{line}").unwrap();
        let answer = stage.act(line);
        text += &stage.mask(&answer);
    }
    text
}

impl Stage {
    fn act(&mut self, line: &str) -> String {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let said = rest.strip_prefix("-> ").unwrap_or_default();
        match word {
            "" | "#" => {}
            "connect" => return self.connect(rest),
            "HMP" => return lines(&self.say(format!("{said}\n").as_bytes())),
            "QMP" => return messages(&self.say(format!("{said}\n").as_bytes())),
            "RAW" => return raw(&self.say(&unescaped(said))),
            "END" => {
                let answer = self.client.as_mut().unwrap().finish();
                return raw(&answer);
            }
            "start" => {
                let (file, policy) = match rest.strip_suffix(" overwrite") {
                    Some(file) => (file, Policy::Overwrite),
                    None => (rest, Policy::Discard),
                };
                let (file, log_file) = (Some(file.into()), Some("log".into()));
                let settings = Settings { file, log_file, policy, ..Settings::default() };
                self.tracing = Some(session::start(settings).unwrap());
            }
            "stop" => self.tracing = None,
            "happens" => self.emit(rest),
            "folder" => std::fs::create_dir(rest).unwrap(),
            "file" => std::fs::write(rest, "mine\n").unwrap(),
            "remove" => std::fs::remove_file(rest).unwrap(),
            "show" => return shown(&std::fs::read_to_string(rest).unwrap()),
            "link" => {
                let (name, target) = rest.split_once(' ').unwrap();
                std::os::unix::fs::symlink(target, name).unwrap();
            }
            other => panic!("{other}: unknown keyword"),
        }
        String::new()
    }

    fn connect(&mut self, how: &str) -> String {
        let mut words = how.split(' ');
        let mode = match words.next().unwrap() {
            "auto" => Mode::Auto,
            "qmp" => Mode::Qmp,
            "hmp" => Mode::Hmp,
            other => panic!("{other}: unknown mode"),
        };
        let mut program = Program::default();
        while let Some(word) = words.next() {
            match word {
                "quit" => program.may_quit = true,
                "in" => program.directory = words.next().map(PathBuf::from),
                "named" => program.name = words.next().map(str::to_owned),
                other => panic!("{other}: unknown property"),
            }
        }
        let (client, greeting) = Client::connect(mode, program);
        self.client = Some(client);
        if mode == Mode::Hmp { lines(&greeting) } else { messages(&greeting) }
    }

    fn say(&mut self, bytes: &[u8]) -> Vec<u8> {
        let client = self.client.as_mut().unwrap();
        let mut answer = client.send(bytes);
        if let Some(end) = client.end {
            let end: &[u8] = if end == End::Quit { b"(and the program ends)" } else { b"(and closes)" };
            answer.extend(end);
        }
        answer
    }

    fn emit(&self, what: &str) {
        let (name, times) = what.split_once(' ').unwrap();
        let event = self.declared.events().iter().find(|event| event.name() == name).unwrap();
        self.worker.emit(event, times.parse().unwrap());
    }

    /// Replaces values that vary between runs by `N`, and the folder by `FOLDER`.
    fn mask(&self, text: &str) -> String {
        let mut text = text.replace(&*self.test_folder.path().to_string_lossy(), "FOLDER");
        text = text.replace(env!("CARGO_PKG_VERSION"), "VERSION");
        text = text.replace(&format!("process {}", std::process::id()), "process N");
        for key in ["pid", "time-ns", "seconds", "microseconds", "thread", "written-bytes", "paused-ns"] {
            text = masked_after(&text, &format!("\"{key}\": "));
        }
        text = masked_before(&text, " bytes written");
        text = masked_before(&text, " s, ");
        text = masked_rings(&text);
        masked_moments(&text)
    }
}

fn masked_after(text: &str, key: &str) -> String {
    let mut parts = text.split(key);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |masked, part| {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        masked + key + if digits > 0 { "N" } else { "" } + &part[digits..]
    })
}

fn masked_before(text: &str, key: &str) -> String {
    let mut parts: Vec<&str> = text.split(key).collect();
    let last = parts.pop().unwrap_or_default();
    let is_digit = |c: char| c.is_ascii_digit() || c == '.';
    let masked = parts.into_iter().map(|part| match part.trim_end_matches(is_digit) {
        all if all.len() == part.len() => format!("{part}{key}"),
        text => format!("{text}N{key}"),
    });
    masked.collect::<String>() + last
}

/// Replaces `TID@SECONDS.MICROSECONDS:` before events by `N@N:`.
fn masked_moments(text: &str) -> String {
    let is_moment = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let masked =
        |line: &str| match line.split_once('@').and_then(|(tid, rest)| Some((tid, rest.split_once(':')?))) {
            Some((tid, (moment, event))) if is_moment(moment) => {
                format!("{}N@N:{event}", tid.trim_end_matches(|c: char| c.is_ascii_digit()))
            }
            _ => line.to_owned(),
        };
    text.split_inclusive('\n').map(masked).collect()
}

/// Masks the line of the worker's ring, because the length of its thread id varies between runs.
fn masked_rings(text: &str) -> String {
    let masked = |line: &str| match line.split_whitespace().collect::<Vec<_>>()[..] {
        ["|", "ring", "thread", ..] => "  | (rings)\n".to_owned(),
        ["|", "worker", _, dropped, full] => format!("  | worker  N  {dropped}  {full}\n"),
        _ => line.to_owned(),
    };
    text.split_inclusive('\n').map(masked).collect()
}

fn shown(text: &str) -> String {
    text.lines().map(|line| format!("  | {line}\n")).collect()
}

/// Formats HMP lines. Adds a note if the final prompt is missing.
fn lines(answer: &[u8]) -> String {
    let text = String::from_utf8(answer.to_vec()).unwrap();
    let text =
        text.strip_suffix("(ringtrace) ").map_or_else(|| format!("{text}(no prompt)\r\n"), str::to_owned);
    let mut lines: Vec<&str> = text.split("\r\n").collect();
    assert_eq!(lines.pop(), Some(""), "{text:?}");
    assert!(lines.iter().all(|line| !line.contains(char::is_control)), "{lines:?}");
    lines.into_iter().map(|line| format!("  | {line}\n")).collect()
}

fn messages(answer: &[u8]) -> String {
    let text = String::from_utf8(answer.to_vec()).unwrap();
    text.split_terminator("\r\n").map(|message| format!("QMP <- {message}\n")).collect()
}

fn raw(answer: &[u8]) -> String {
    answer
        .split_inclusive(|&byte| byte == b'\n')
        .map(|line| format!("  = {}\n", line.escape_ascii()))
        .collect()
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        let (byte, length) = match (byte, behind.first()) {
            (b'\\', Some(b'x')) => {
                (u8::from_str_radix(&text[text.len() - rest.len()..][2..4], 16).unwrap(), 4)
            }
            (b'\\', Some(b'n')) => (b'\n', 2),
            (b'\\', Some(b'r')) => (b'\r', 2),
            (b'\\', Some(b't')) => (b'\t', 2),
            (b'\\', Some(b'\\')) => (b'\\', 2),
            (b'\\', _) => panic!("{text}: unknown escape"),
            _ => (byte, 1),
        };
        bytes.push(byte);
        rest = &rest[length..];
    }
    bytes
}
