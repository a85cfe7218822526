//! Compares answers with QEMU 10.2.2's answers, byte for byte, except for the listed differences.
//!
//! All tracing commands in the transcripts are sent to ringtrace's dialogues, in a program that
//! declares QEMU's events.

use std::collections::BTreeSet;

use ringtrace::monitor::Mode;
use ringtrace::monitor::dialogue::Program;
use ringtrace::{Settings, session};

use crate::client::{Client, End, TestFolder};
use crate::declared::Declared;

/// Commands whose answers differ from QEMU's, with ringtrace's answers. The table serves both HMP
/// and QMP, because no HMP command is also a QMP message.
const DIFFERENT: &[(&str, &str)] = &[
    // In older versions of QEMU, events had a separate state for each processor. For clients of
    // those versions, `vcpu` is accepted and ignored.
    (
        r#"{"execute": "trace-event-get-state", "arguments": {"name": "runstate_set", "vcpu": 0}}"#,
        r#"{"return": [{"name": "runstate_set", "state": "enabled"}]}"#,
    ),
    (
        r#"{"execute": "trace-event-set-state", "arguments": {"name": "runstate_set", "enable": true, "vcpu": 0}}"#,
        r#"{"return": {}}"#,
    ),
    // ringtrace's log items differ from QEMU's. The QEMU in the transcripts was built without the
    // backend `log`, so it has no item for trace events.
    ("help log", ITEMS),
    ("log help", ITEMS),
    ("log trace:qemu_mutex_*", ""),
    // Without a name, the command has no effect in QEMU.
    (
        "trace-file set",
        "trace-file set: filename expected\n\
         trace-file on|off|flush|set [arg] -- open, close, or flush trace file, or set a new file name\n",
    ),
];

const ITEMS: &str = "Log items (comma separated):
none            remove all logs
trace:PATTERN   enable trace events and show them in the log (-PATTERN: disable)
trace:help      list the trace events
help            show this list
";

/// The answer if a file cannot be opened. QEMU prints nothing.
const CANNOT_OPEN: &str = r#"{"return": "trace file /nonexistent-dir/x.bin: No such file or directory\r\n"}"#;

/// A command and QEMU's answer: HMP lines, or a QMP message.
#[derive(Debug, Clone)]
struct Exchange {
    is_hmp: bool,
    said: String,
    answered: String,
}

/// Parses `HMP (qemu) COMMAND` followed by `  | LINE`, and `QMP -> MESSAGE` followed by `QMP <-
/// MESSAGE`. Skips QEMU's events.
fn of_monitors(text: &str) -> Vec<Exchange> {
    let mut exchanges: Vec<Exchange> = Vec::new();
    for line in text.lines() {
        let begun = |is_hmp, said: &str| Exchange { is_hmp, said: said.to_owned(), answered: String::new() };
        if let Some(command) = line.strip_prefix("HMP (qemu) ") {
            exchanges.push(begun(true, command));
        } else if let Some(message) = line.strip_prefix("QMP -> ") {
            exchanges.push(begun(false, message.trim_end()));
        } else if let Some(line) = line.strip_prefix("  | ") {
            exchanges.last_mut().unwrap().answered += &format!("{line}\n");
        } else if let Some(message) = line.strip_prefix("QMP <- ").filter(|line| !line.starts_with("(event)"))
        {
            exchanges.last_mut().unwrap().answered = message.to_owned();
        }
    }
    exchanges
}

/// Parses `TIME -> MESSAGE  <- MESSAGE`.
fn of_lines(text: &str) -> Vec<Exchange> {
    let exchange = |line: &str| {
        let (said, answered) = line.split_once(" -> ")?.1.split_once("  <- ")?;
        Some(Exchange { is_hmp: false, said: said.to_owned(), answered: answered.to_owned() })
    };
    text.lines().filter_map(exchange).collect()
}

/// Whether a command controls QEMU's virtual machine. Only the `id` in its answer is compared.
fn is_qemus_own(said: &str) -> bool {
    matches!(said, "cont" | "stop")
        || ["query-status", "\"cont\"", "\"stop\""].iter().any(|word| said.contains(word))
}

/// Sends all commands, and returns the differences between the answers.
fn differences(exchanges: &[Exchange]) -> Vec<String> {
    let program = || Program { may_quit: true, prompt: Some("(qemu) ".to_owned()), ..Program::default() };
    let (mut hmp, greeting) = Client::connect(Mode::Hmp, program());
    assert!(greeting.ends_with(b" monitor - type 'help' for more information\r\n(qemu) "));
    let (mut qmp, _) = Client::connect(Mode::Qmp, program());
    let mut differences = Vec::new();
    for exchange in exchanges {
        let Exchange { is_hmp, said, answered } = exchange;
        if is_qemus_own(said) {
            differences.extend(same_id(&mut qmp, exchange));
            continue;
        }
        let mut ours = if *is_hmp { hmp.line(said) } else { qmp.message(said) };
        if said.contains("\"quit\"") {
            // An event may precede the answer.
            ours = ours.lines().last().unwrap_or_default().to_owned();
        }
        if answered.contains("bytes]...") || answered.ends_with(" bytes]\n") {
            differences.extend(not_listed(answered, &ours, said));
            continue;
        }
        let expected = match DIFFERENT.iter().find(|(word, _)| word == said) {
            Some((_, expected)) => {
                assert_ne!(expected, answered, "{said}: the answers do not differ");
                expected.to_string()
            }
            None if file_is_missing() && said.contains("trace-file on") => CANNOT_OPEN.to_owned(),
            // QEMU lists events in reverse order of declaration.
            None => turned(answered),
        };
        if said == "log trace:qemu_mutex_*" {
            // In the transcript, the command did not enable the events.
            ringtrace::set_enabled("qemu_mutex_*", false);
        }
        if ours != expected {
            differences.push(format!("{said}\n  expected {expected}\n  ours     {ours}"));
        }
    }
    assert_ne!(hmp.end, Some(End::Closed));
    differences
}

fn file_is_missing() -> bool {
    session::trace_file().is_some_and(|file| file.starts_with("/nonexistent-dir"))
}

/// Reverses a list of events; returns other answers unchanged.
fn turned(answer: &str) -> String {
    if let Some(list) = answer.strip_prefix(r#"{"return": [{"#).and_then(|rest| rest.strip_suffix("}]}")) {
        let turned: Vec<&str> = list.split("}, {").collect::<Vec<_>>().into_iter().rev().collect();
        return format!(r#"{{"return": [{{{}}}]}}"#, turned.join("}, {"));
    }
    if answer.lines().all(|line| line.contains(" : state ") && !line.starts_with('{')) {
        return answer.lines().rev().map(|line| format!("{line}\n")).collect();
    }
    answer.to_owned()
}

/// For an answer that is truncated in the transcript, returns the events that ringtrace does not
/// list in the same way.
fn not_listed(answered: &str, ours: &str, said: &str) -> Vec<String> {
    let events = |text: &str| -> BTreeSet<String> {
        let json = text.split("{\"name\": \"").filter(|part| part.contains('}') && !part.contains("bytes]"));
        let json = json.map(|part| part.split('}').next().unwrap().to_owned());
        let lines = text.lines().filter(|line| line.contains(" : state ")).map(str::to_owned);
        json.chain(lines).collect()
    };
    let (theirs, ours) = (events(answered), events(ours));
    assert!(theirs.len() > 5, "{said}: {theirs:?}");
    theirs.difference(&ours).map(|event| format!("{said}: {event}")).collect()
}

/// Compares the `id` of an answer, if the transcript contains the complete answer.
fn same_id(qmp: &mut Client, exchange: &Exchange) -> Option<String> {
    let Exchange { is_hmp, said, answered } = exchange;
    let id = answered.split_once(r#""id": "#).map(|(_, id)| id.trim_end_matches('}'));
    let id = id.filter(|_| !is_hmp && said.ends_with('}'))?;
    let ours = qmp.message(said);
    let error =
        r#""error": {"class": "CommandNotFound", "desc": "The command query-status has not been found"}"#;
    let expected = format!(r#"{{"id": {id}, {error}}}"#);
    // The script that recorded the transcript toggle2 wrote escapes in lower case.
    (!ours.eq_ignore_ascii_case(&expected))
        .then(|| format!("{said}\n  expected {expected}\n  ours     {ours}"))
}

#[test]
fn answers_are_those_of_qemu() {
    let Some(corpus) = ringtrace_corpus::find_or_skip("qemu") else { return };
    let _folder = TestFolder::new();
    let read = |name: &str| std::fs::read_to_string(corpus.join("transcripts").join(name)).unwrap();
    // The program in the transcripts lacks the events of other processor architectures.
    let declared = Declared::of(&corpus.join("trace-events-all"), |name| !name.starts_with("hppa_"));
    let start = |file: &str, log: &str| {
        let settings =
            Settings { file: Some(file.into()), log_file: Some(log.into()), ..Settings::default() };
        session::start(settings).unwrap()
    };

    let exchanges = of_monitors(&read("monitor-simple.txt"));
    assert_eq!(exchanges.len(), 104);
    let guard = start("toggle-start.bin", "log");
    ringtrace::set_enabled("virtio_blk_*", true);
    let first = differences(&exchanges);
    drop(guard);
    ringtrace::set_enabled("*", false);

    let exchanges = of_lines(&read("toggle2.txt"));
    assert_eq!(exchanges.len(), 83);
    let guard = start("toggle2-a.bin", "log");
    let second = differences(&exchanges);
    drop(guard);
    drop(declared);
    let all: Vec<_> = first.into_iter().chain(second).collect();
    assert!(all.is_empty(), "{} differences\n{}", all.len(), all.join("\n"));
}

/// QEMU's greeting, except for the name of the package and the capability `oob`, which is not
/// implemented.
#[test]
fn the_greeting_is_that_of_qemu() {
    let Some(corpus) = ringtrace_corpus::find_or_skip("qemu") else { return };
    let transcript = std::fs::read_to_string(corpus.join("transcripts/monitor-simple.txt")).unwrap();
    let theirs = transcript.lines().find_map(|line| line.strip_prefix("QMP greeting: ")).unwrap();
    let package = format!(r#""package": "ringtrace {}""#, env!("CARGO_PKG_VERSION"));
    let expected = theirs.replace(r#""package": """#, &package).replace(r#"["oob"]"#, "[]");
    assert_ne!(theirs, expected);
    for mode in [Mode::Qmp, Mode::Auto] {
        let (_, greeting) = Client::connect(mode, Program::default());
        assert_eq!(String::from_utf8(greeting).unwrap(), format!("{expected}\r\n"));
    }
}
