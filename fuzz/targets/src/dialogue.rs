//! A client of a monitor: replies do not depend on how the input is divided, and the client can
//! recover from any error.
//!
//! An input is a byte for the mode, one for the lengths of chunks, then the bytes that the client
//! sends. Slow commands are not run, so nothing outside the process changes.

use std::sync::Once;

use ringtrace::monitor::Mode;
use ringtrace::monitor::dialogue::{Dialogue, Next, Notice, Outcome, Program};
use ringtrace::{Declaration, Event, Group};

use crate::Target;
use crate::choices::{Choices, Chunks};

pub(crate) const TARGET: Target = Target {
    name: "dialogue",
    about: "the size of chunks does not matter; answers are complete lines; clients can recover",
    max_bytes: 4096,
    run,
};

const fn event(name: &'static str, traceable: bool) -> Event {
    let text = name;
    Event::new(Declaration { name, group: "fuzz", arguments: &[], format: None, text, traceable })
}

static READ: Event = event("blk_read", true);
static WRITE: Event = event("blk_write", true);
static OLD: Event = event("blk_old", false);
static GROUP: Group = Group::new("fuzz", &[&READ, &WRITE, &OLD]);

fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| ringtrace::registry::register(&GROUP));
}

/// All replies to a client, and the state of its connection.
#[derive(Debug, PartialEq, Eq)]
struct Conversation {
    text: String,
    is_closed: bool,
    quits: bool,
}

/// A client of a program.
struct Client {
    dialogue: Dialogue,
    program: Program,
    out: Vec<u8>,
    is_closed: bool,
    quits: bool,
}

impl Client {
    fn connect(mode: Mode) -> Client {
        let program = Program { may_quit: true, ..Program::default() };
        let mut out = Vec::new();
        let dialogue = Dialogue::new(mode, &program, &mut out);
        Client { dialogue, program, out, is_closed: false, quits: false }
    }

    fn send(&mut self, bytes: &[u8]) {
        if !self.is_closed {
            self.dialogue.take(bytes);
            self.run();
        }
    }

    fn run(&mut self) {
        loop {
            match self.dialogue.next(&mut self.out) {
                Next::Wait => return,
                Next::Run(call) => {
                    assert!(matches!(self.dialogue.next(&mut self.out), Next::Wait), "one command at a time");
                    let outcome =
                        if call.is_slow() { Outcome::refused("not here") } else { call.run(&self.program) };
                    self.dialogue.answer(outcome, &mut self.out);
                }
                Next::Close => break,
                Next::Quit => {
                    self.quits = true;
                    break;
                }
            }
        }
        self.is_closed = true;
    }

    fn finish(mut self) -> Conversation {
        if !self.is_closed {
            self.dialogue.finish();
            self.run();
        }
        // Times vary between runs.
        let text = String::from_utf8(self.out).expect("answers are UTF-8");
        let text = text.chars().filter(|c| !c.is_ascii_digit()).collect();
        Conversation { text, is_closed: self.is_closed, quits: self.quits }
    }
}

fn run(data: &[u8]) {
    register();
    let mut choices = Choices::new(data);
    let mode = match choices.byte() % 3 {
        0 => Mode::Auto,
        1 => Mode::Qmp,
        _ => Mode::Hmp,
    };
    let mut chunks = Chunks::new(choices.byte());
    let sent = choices.rest();

    let mut client = Client::connect(mode);
    client.send(sent);
    check_text(&client.out, mode);
    let whole = client.finish();

    switch_off();
    let mut client = Client::connect(mode);
    let mut rest = sent;
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(chunks.next_bytes().clamp(1, rest.len()));
        client.send(piece);
        rest = behind;
    }
    assert_eq!(client.finish(), whole);

    switch_off();
    check_recovery(mode, sent);
    switch_off();
}

fn switch_off() {
    ringtrace::set_enabled("*", false);
}

/// Checks that replies are lines without control characters and, in QMP, ASCII objects.
fn check_text(out: &[u8], mode: Mode) {
    let text = std::str::from_utf8(out).expect("answers are UTF-8");
    for line in text.split("\r\n") {
        assert!(!line.contains(|c: char| c.is_control()), "{line:?}");
    }
    if mode == Mode::Qmp {
        assert!(text.is_ascii() && text.ends_with("\r\n"), "{text:?}");
        // The tests of the runtime check that it is JSON.
        assert!(text.lines().all(|line| line.starts_with('{') && line.ends_with('}')), "{text:?}");
    }
}

/// Checks that a client can recover: in QMP with the byte FF, in HMP with a line end.
fn check_recovery(mode: Mode, sent: &[u8]) {
    let mut client = Client::connect(mode);
    client.send(sent);
    let notice = Notice::Dropped { count: 1, total: 2 };
    let before = client.out.len();
    client.dialogue.notify(&notice, &mut client.out);
    assert_eq!(client.out.len() > before, client.dialogue.wants_notices());
    if client.is_closed || mode == Mode::Auto {
        return;
    }
    let (question, answer) = match mode {
        Mode::Hmp => ("\ninfo version\n", "(ringtrace "),
        _ => ("{\"execute\": \"x\", \"id\": 7}", "{\"id\": 7, \"error\": {\"class\": \"CommandNotFound\""),
    };
    if mode == Mode::Qmp {
        client.send(b"\xff");
    }
    let before = client.out.len();
    client.send(question.as_bytes());
    let answered = String::from_utf8_lossy(&client.out[before..]);
    // There may be other output first, because the line end may complete an earlier line.
    assert!(client.quits || answered.contains(answer), "{answered}");
}
