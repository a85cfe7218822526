//! Answers do not depend on how the input is divided, and a client can recover after any input.

use proptest::prelude::*;
use ringtrace::monitor::Mode;
use ringtrace::monitor::dialogue::Program;

use crate::client::{Client, End, TestFolder};

/// Valid and invalid input from clients.
fn said() -> impl Strategy<Value = Vec<u8>> {
    let word = prop::sample::select(&[
        "info trace-events",
        "trace-event",
        "nosuch*",
        "on",
        "help",
        "?",
        "log help",
        "quit",
        "\"",
        "\\",
        "'",
        "\n",
        "\r\n",
        " ",
        "\t",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "{\"execute\": \"qmp_capabilities\"}",
        "{\"execute\": \"query-version\"}",
        "{\"execute\": \"query-commands\", \"id\": ",
        "[1, \"x\"]}",
        "\"trace-event-get-state\"",
        "\"arguments\"",
        "null",
        "5",
        "{\"execute\": \"human-monitor-command\", \"arguments\": {\"command-line\": \"help\"}}",
        "caf\u{e9}",
        "\u{1}",
    ]);
    let piece = prop_oneof![
        8 => word.prop_map(|word| word.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
        1 => (1..300usize).prop_map(|count| vec![b'['; count]),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn mode() -> impl Strategy<Value = Mode> {
    prop::sample::select(&[Mode::Auto, Mode::Qmp, Mode::Hmp])
}

/// Returns the answers to `said`, which is divided at `cuts`. Stops sending when the connection is
/// closed.
fn answers(mode: Mode, said: &[u8], cuts: &[prop::sample::Index]) -> (Vec<u8>, Option<End>) {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(said.len() + 1)).collect();
    cuts.extend([0, said.len()]);
    cuts.sort_unstable();
    let (mut client, mut answers) = Client::connect(mode, Program::default());
    for piece in cuts.windows(2) {
        if client.end.is_none() {
            answers.extend(client.send(&said[piece[0]..piece[1]]));
        }
    }
    if client.end.is_none() {
        answers.extend(client.finish());
    }
    (answers, client.end)
}

proptest! {
    #[test]
    fn pieces_make_no_difference(mode in mode(), said in said(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..30)) {
        let _folder = TestFolder::new();
        prop_assert_eq!(answers(mode, &said, &cuts), answers(mode, &said, &[]));
    }

    #[test]
    fn every_answer_is_whole(mode in mode(), said in said()) {
        let _folder = TestFolder::new();
        let (answers, _) = answers(mode, &said, &[]);
        let text = String::from_utf8(answers).unwrap();
        for line in text.split("\r\n") {
            prop_assert!(!line.contains(|c: char| c.is_control()), "{:?}", line);
        }
        if mode == Mode::Qmp {
            prop_assert!(text.is_ascii() && text.ends_with("\r\n"));
            for line in text.lines() {
                prop_assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{}", line);
            }
        }
    }

    /// To recover, the client sends the byte FF in QMP, or a line end in HMP.
    #[test]
    fn a_client_can_recover_after_any_input(said in said()) {
        let _folder = TestFolder::new();
        let (mut client, _) = Client::connect(Mode::Qmp, Program::default());
        client.send(&said);
        let answer = String::from_utf8(client.send(b"\xff{\"execute\": \"nosuch\", \"id\": 7}")).unwrap();
        prop_assert!(answer.lines().last().unwrap().starts_with("{\"id\": 7, \"error\": "), "{}", answer);

        let (mut client, _) = Client::connect(Mode::Hmp, Program::default());
        client.send(&said);
        let answer = String::from_utf8(client.send(b"\ninfo version\n")).unwrap();
        prop_assert!(answer.contains("10.2.2 (ringtrace "), "{}", answer);
    }
}
