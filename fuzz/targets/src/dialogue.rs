//! A monitor's client: whatever it says, in whatever pieces, it is answered alike, and finds back.
//!
//! An input is a byte for the mode, one for the lengths of pieces, then what the client says. Commands that wait for disks or threads are
//! not run, so nothing outside of the process changes.

use std::sync::Once;

use ringtrace::monitor::Mode;
use ringtrace::monitor::dialogue::{Dialogue, Next, Notice, Outcome, Program};
use ringtrace::{Declaration, Event, Group};

use crate::Target;
use crate::choices::{Choices, Chunks};

pub(crate) const TARGET: Target = Target {
    name: "dialogue",
    about: "pieces make no difference; answers are whole lines; a client that is lost finds back",
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

/// What a client was answered, and what can be said of the end.
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
        // Times are other ones each time.
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
    let said = choices.rest();

    let mut client = Client::connect(mode);
    client.send(said);
    check_text(&client.out, mode);
    let whole = client.finish();

    switch_off();
    let mut client = Client::connect(mode);
    let mut rest = said;
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(chunks.next_bytes().clamp(1, rest.len()));
        client.send(piece);
        rest = behind;
    }
    assert_eq!(client.finish(), whole);

    switch_off();
    check_return(mode, said);
    switch_off();
}

fn switch_off() {
    ringtrace::set_enabled("*", false);
}

/// Answers are lines without control characters; in QMP, each is an object, in ASCII.
fn check_text(out: &[u8], mode: Mode) {
    let text = std::str::from_utf8(out).expect("answers are UTF-8");
    for line in text.split("\r\n") {
        assert!(!line.contains(|c: char| c.is_control()), "{line:?}");
    }
    if mode == Mode::Qmp {
        assert!(text.is_ascii() && text.ends_with("\r\n"), "{text:?}");
        // That it is JSON is a property in the tests of the runtime.
        assert!(text.lines().all(|line| line.starts_with('{') && line.ends_with('}')), "{text:?}");
    }
}

/// Whatever a client has said, it finds back: in QMP by the byte FF, in HMP by a line end. It is told what happens, or not.
fn check_return(mode: Mode, said: &[u8]) {
    let mut client = Client::connect(mode);
    client.send(said);
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
    // The line end may be one that the last line had not.
    assert!(client.quits || answered.contains(answer), "{answered}");
}
