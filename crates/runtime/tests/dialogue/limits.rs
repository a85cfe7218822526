//! Limits for clients: the length, nesting and number of values. Also tests notices.

use ringtrace::monitor::Mode;
use ringtrace::monitor::dialogue::{Notice, Program};

use crate::client::{Client, End, TestFolder};

fn qmp() -> Client {
    let (mut client, _) = Client::connect(Mode::Qmp, Program::default());
    assert_eq!(client.message("{\"execute\": \"qmp_capabilities\"}"), "{\"return\": {}}");
    client
}

fn hmp() -> Client {
    let program = Program { prompt: Some("(qemu) ".to_owned()), ..Program::default() };
    Client::connect(Mode::Hmp, program).0
}

const VERSION: &str = concat!("10.2.2 (ringtrace ", env!("CARGO_PKG_VERSION"), ")\n");

fn error(text: &str) -> String {
    format!("{{\"error\": {{\"class\": \"GenericError\", \"desc\": \"JSON parse error, {text}\"}}}}")
}

#[test]
fn a_line_has_4096_bytes() {
    let mut client = hmp();
    let longest = "x".repeat(4096);
    assert_eq!(client.line(&longest), format!("unknown command: '{longest}'\n"));
    assert_eq!(client.line(&(longest + "x")), "the line is longer than 4096 bytes\n");
    assert_eq!(client.line("info version"), VERSION);
    // A line is not answered before its line end.
    for _ in 0..1000 {
        assert_eq!(client.send(&[b' '; 16 << 10]), b"");
    }
    assert_eq!(client.line(""), "the line is longer than 4096 bytes\n");
    assert_eq!(client.line("info version"), VERSION);
}

#[test]
fn a_line_in_a_message_has_4096_bytes() {
    let mut client = qmp();
    let human = |line: &str| {
        format!("{{\"execute\": \"human-monitor-command\", \"arguments\": {{\"command-line\": \"{line}\"}}}}")
    };
    let longest = "x".repeat(4096);
    let unknown = format!("{{\"return\": \"unknown command: '{longest}'\\r\\n\"}}");
    assert_eq!(client.message(&human(&longest)), unknown);
    let too_long = "{\"return\": \"the line is longer than 4096 bytes\\r\\n\"}";
    assert_eq!(client.message(&human(&(longest + "x"))), too_long);
    let listed = |items: usize| format!("log trace:help{}", ",trace:help".repeat(items - 1));
    assert_eq!(client.message(&human(&listed(80_000))), too_long);
}

#[test]
fn a_message_has_1_mib() {
    let mut client = qmp();
    let message = |bytes: usize| {
        let around = "{'execute': 'x', 'id': ''}".len();
        format!("{{'execute': 'x', 'id': '{}'}}", "x".repeat(bytes - around))
    };
    let longest = message(1 << 20);
    assert!(client.message(&longest).ends_with("The command x has not been found\"}}"));
    assert_eq!(client.message(&message((1 << 20) + 1)), error("longer than 1048576 bytes"));
    // The start of the next message cannot be found.
    assert_eq!(client.end, Some(End::Closed));
}

#[test]
fn endless_messages_are_errors() {
    for (begin, endless) in
        [("", "["), ("", "{\"a\":"), ("", "[[],"), ("\"", "x"), ("", "1"), ("", "\\"), ("[\"", "\\")]
    {
        let mut client = qmp();
        let mut answered = client.send(begin.as_bytes());
        let piece = endless.repeat(20_000);
        while client.end.is_none() {
            answered.extend(client.send(piece.as_bytes()));
        }
        let answered = String::from_utf8(answered).unwrap();
        assert_eq!(answered.trim_end(), error("longer than 1048576 bytes"), "{begin}{endless}");
    }
}

#[test]
fn brackets_are_100_deep() {
    let mut client = qmp();
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let said = |id: &str| format!("{{\"execute\": \"query-name\", \"id\": {id}}}");
    let deepest = nested(99);
    assert_eq!(client.message(&said(&deepest)), format!("{{\"return\": {{}}, \"id\": {deepest}}}"));
    assert_eq!(client.message(&said(&nested(100))), error("nested deeper than 100"));
    assert_eq!(client.message(&said(&nested(100_000))), error("nested deeper than 100"));
    assert_eq!(client.message(&said("1")), "{\"return\": {}, \"id\": 1}");
}

#[test]
fn a_message_has_65536_values() {
    let mut client = qmp();
    let said =
        |count: usize| format!("{{\"execute\": \"query-name\", \"id\": [{}0]}}", "0,".repeat(count - 1));
    // The object, the command's name and the list are values, too.
    assert!(client.message(&said(65536 - 3)).starts_with("{\"return\": {}, \"id\": [0, 0"));
    assert_eq!(client.message(&said(65536 - 2)), error("more than 65536 values"));
}

#[test]
fn a_pattern_of_many_stars_takes_no_longer() {
    let mut client = qmp();
    let stars = "*".repeat(1_000_000);
    let get = format!("{{'execute': 'trace-event-get-state', 'arguments': {{'name': '{stars}nosuch'}}}}");
    assert_eq!(client.message(&get), "{\"return\": []}");
}

#[test]
fn only_qmp_clients_get_notices() {
    let _folder = TestFolder::new();
    let notices = [
        Notice::Dropped { count: 3, total: 10 },
        Notice::FileError { file: "/a b/\u{e9}".into(), error: "No space left on device".to_owned() },
        Notice::Shutdown,
    ];
    let (mut before, _) = Client::connect(Mode::Qmp, Program::default());
    let (mut undecided, _) = Client::connect(Mode::Auto, Program::default());
    for client in [&mut before, &mut undecided, &mut hmp()] {
        notices.iter().for_each(|notice| assert_eq!(client.notify(notice), ""));
    }
    let mut client = qmp();
    let output = notices.map(|notice| {
        let text = client.notify(&notice);
        let (time, rest) = text.split_once("}, ").unwrap();
        assert!(time.starts_with("{\"timestamp\": {\"seconds\": 1"), "{text}");
        assert!(time.contains(", \"microseconds\": "), "{text}");
        rest.to_owned()
    });
    assert_eq!(
        output,
        [
            "\"event\": \"TRACE_DROPPED\", \"data\": {\"count\": 3, \"total\": 10}}\r\n",
            "\"event\": \"TRACE_FILE_ERROR\", \"data\": {\"file\": \"/a b/\\u00E9\", \"error\": \"No space left on device\"}}\r\n",
            "\"event\": \"SHUTDOWN\", \"data\": {\"guest\": false, \"reason\": \"host-qmp-quit\"}}\r\n",
        ]
    );
}
