//! One connection, without its socket: bytes that came in, commands to run, bytes to send.
//!
//! Whoever moves the bytes gives what came in to [`Dialogue::take`] and then does what [`Dialogue::next`] says, until it says
//! [`Next::Wait`]: nothing more is to be read before that, so that what is kept is one piece of input and one line or message.

mod line_reader;

pub use super::command::Program;
use super::command::{Answer, CommandError, package};
pub use super::command::{Call, Outcome};
use super::json::{Framed, Framer, MAX_DEPTH, MAX_MESSAGE_BYTES};
use super::{hmp, qmp};
use crate::options::Mode;
use line_reader::LineReader;

/// A connection's state.
#[derive(Debug)]
pub struct Dialogue {
    language: Language,
    /// What HMP prompts with.
    prompt: String,
    /// What came in and was not looked at yet, from [`Dialogue::seen`] on.
    input: Vec<u8>,
    seen: usize,
    /// No more comes in.
    has_ended: bool,
    line: LineReader,
    framer: Framer,
    /// Whom the outcome is for that is waited for.
    pending: Option<Pending>,
    ending: Option<Ending>,
}

/// What is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    /// The client's first character says it.
    Undecided,
    Hmp,
    Qmp {
        /// The client has ended the negotiation: it may give commands.
        is_negotiated: bool,
    },
}

/// Whom an outcome is for.
#[derive(Debug)]
enum Pending {
    /// A line of HMP.
    Hmp,
    /// A message of QMP, by what the client calls it.
    Qmp(Option<String>),
    /// A line of HMP in such a message.
    Human(Option<String>),
}

/// How it ends, when it does.
#[derive(Debug, Clone, Copy)]
enum Ending {
    Close,
    Quit,
}

/// What is to be done next.
#[derive(Debug)]
pub enum Next {
    /// Nothing, until more has come in.
    Wait,
    /// To run this, and give the outcome to [`Dialogue::answer`]. Nothing of this connection is looked at meanwhile.
    Run(Call),
    /// To send what is to be sent, and close.
    Close,
    /// The same, and then to end the program, which allows it.
    Quit,
}

/// Something that clients are told unasked, in QMP.
#[derive(Debug, Clone)]
pub enum Notice {
    /// Events were dropped: so many since the last notice, and since tracing was started.
    Dropped {
        /// Since the last notice.
        count: u64,
        /// Since tracing was started.
        total: u64,
    },
    /// The trace file takes nothing.
    FileError {
        /// The trace file.
        file: std::path::PathBuf,
        /// Why.
        error: String,
    },
    /// Another client ends the program.
    Shutdown,
}

impl Dialogue {
    /// Begins: `out` gets the greeting.
    pub fn new(mode: Mode, program: &Program, out: &mut Vec<u8>) -> Dialogue {
        let dialogue = Dialogue {
            language: match mode {
                Mode::Auto => Language::Undecided,
                Mode::Qmp => Language::Qmp { is_negotiated: false },
                Mode::Hmp => Language::Hmp,
            },
            prompt: program.prompt.clone().unwrap_or_else(|| "(ringtrace) ".to_owned()),
            input: Vec::new(),
            seen: 0,
            has_ended: false,
            line: LineReader::default(),
            framer: Framer::default(),
            pending: None,
            ending: None,
        };
        if dialogue.language == Language::Hmp {
            push_lines(out, &format!("{} monitor - type 'help' for more information\n", package()));
            dialogue.prompt(out);
        } else {
            out.extend(qmp::greeting().as_bytes());
        }
        dialogue
    }

    /// Takes what came in. Bounded: what is too long is not kept.
    pub fn take(&mut self, bytes: &[u8]) {
        self.input.drain(..self.seen);
        self.seen = 0;
        self.input.extend(bytes);
    }

    /// Nothing more comes in: a last line without an end is one, too.
    pub fn finish(&mut self) {
        self.has_ended = true;
    }

    /// What is to be done with what came in. Errors that need no command are answered here, into `out`.
    pub fn next(&mut self, out: &mut Vec<u8>) -> Next {
        loop {
            match self.ending {
                Some(Ending::Close) => return Next::Close,
                Some(Ending::Quit) => return Next::Quit,
                None if self.pending.is_some() => return Next::Wait,
                None => {}
            }
            let call = match self.language {
                Language::Undecided => {
                    if !self.decide() {
                        return Next::Wait;
                    }
                    continue;
                }
                Language::Hmp => self.next_line(out),
                Language::Qmp { is_negotiated } => self.next_message(is_negotiated, out),
            };
            match call {
                Step::Nothing => {}
                Step::AtEnd => {
                    self.input = Vec::new();
                    self.seen = 0;
                    return Next::Wait;
                }
                Step::Call(call, pending) => {
                    self.pending = Some(pending);
                    return Next::Run(call);
                }
            }
        }
    }

    /// What the command that was to be run has done.
    pub fn answer(&mut self, outcome: Outcome, out: &mut Vec<u8>) {
        let Outcome(outcome) = outcome;
        let Some(pending) = self.pending.take() else { return };
        if matches!(outcome, Ok(Answer::Quit)) {
            self.ending = Some(Ending::Quit);
            if !matches!(pending, Pending::Hmp) {
                self.push_shutdown(out);
            }
        }
        match (pending, &outcome) {
            (Pending::Hmp, _) => {
                push_lines(out, &hmp::render(&outcome));
                if self.ending.is_none() {
                    self.prompt(out);
                }
            }
            (Pending::Human(id), _) => {
                out.extend(qmp::text(&hmp::render(&outcome), id.as_deref()).as_bytes());
            }
            (Pending::Qmp(id), Ok(answer)) => out.extend(qmp::returned(answer, id.as_deref()).as_bytes()),
            (Pending::Qmp(id), Err(error)) => push_error(out, error, id.as_deref()),
        }
    }

    /// Whether this client is one to be told of what happens unasked: in QMP, when it may give commands.
    pub fn wants_notices(&self) -> bool {
        self.language == Language::Qmp { is_negotiated: true }
    }

    /// Tells something unasked, if this client is one to be told.
    pub fn notify(&mut self, notice: &Notice, out: &mut Vec<u8>) {
        if !self.wants_notices() {
            return;
        }
        let text = match notice {
            Notice::Dropped { count, total } => qmp::event("TRACE_DROPPED", |writer| {
                writer.name("count").number(*count);
                writer.name("total").number(*total);
            }),
            Notice::FileError { file, error } => qmp::event("TRACE_FILE_ERROR", |writer| {
                writer.name("file").text(&file.to_string_lossy());
                writer.name("error").text(error);
            }),
            Notice::Shutdown => return self.push_shutdown(out),
        };
        out.extend(text.as_bytes());
    }

    fn push_shutdown(&self, out: &mut Vec<u8>) {
        let text = qmp::event("SHUTDOWN", |writer| {
            writer.name("guest").flag(false);
            writer.name("reason").text("host-qmp-quit");
        });
        out.extend(text.as_bytes());
    }

    fn prompt(&self, out: &mut Vec<u8>) {
        out.extend(self.prompt.as_bytes());
    }

    /// Looks at the client's first character that is no blank. `false`: there is none yet.
    fn decide(&mut self) -> bool {
        let rest = &self.input[self.seen..];
        let Some(first) = rest.iter().position(|byte| !byte.is_ascii_whitespace()) else {
            self.seen = self.input.len();
            return false;
        };
        self.seen += first;
        let is_object = self.input[self.seen] == b'{';
        self.language = if is_object { Language::Qmp { is_negotiated: false } } else { Language::Hmp };
        true
    }

    fn next_line(&mut self, out: &mut Vec<u8>) -> Step {
        let (taken, mut is_found) = self.line.take(&self.input[self.seen..]);
        self.seen += taken;
        if !is_found && self.has_ended {
            is_found = !self.line.is_empty();
        }
        if !is_found {
            return Step::AtEnd;
        }
        let parsed = match self.line.line() {
            Some(line) => hmp::parse(line),
            None => hmp::ParsedLine::too_long(),
        };
        self.line.clear();
        match parsed {
            hmp::ParsedLine::Call(call) => return Step::Call(call, Pending::Hmp),
            hmp::ParsedLine::Nothing => {}
            hmp::ParsedLine::Wrong(text) => push_lines(out, &text),
        }
        self.prompt(out);
        Step::Nothing
    }

    fn next_message(&mut self, is_negotiated: bool, out: &mut Vec<u8>) -> Step {
        let (taken, framed) = self.framer.take(&self.input[self.seen..]);
        self.seen += taken;
        let error = match framed {
            None => return Step::AtEnd,
            Some(Framed::Message) => {
                let parsed = qmp::parse(self.framer.message(), is_negotiated);
                self.framer.clear();
                return self.handle(parsed, out);
            }
            Some(Framed::Broken(byte)) => {
                CommandError::new(format_args!("JSON parse error, stray '{}'", byte.escape_ascii()))
            }
            Some(Framed::TooDeep) => {
                CommandError::new(format_args!("JSON parse error, nested deeper than {MAX_DEPTH}"))
            }
            Some(Framed::TooLong) => {
                self.ending = Some(Ending::Close);
                CommandError::new(format_args!("JSON parse error, longer than {MAX_MESSAGE_BYTES} bytes"))
            }
        };
        self.framer.clear();
        push_error(out, &error, None);
        Step::Nothing
    }

    fn handle(&mut self, parsed: qmp::ParsedMessage, out: &mut Vec<u8>) -> Step {
        let qmp::ParsedMessage { id, request } = parsed;
        match request {
            Ok(qmp::Request::Call(call)) => return Step::Call(call, Pending::Qmp(id)),
            Ok(qmp::Request::Line(hmp::ParsedLine::Call(call))) => {
                return Step::Call(call, Pending::Human(id));
            }
            Ok(qmp::Request::Line(hmp::ParsedLine::Nothing)) => {
                out.extend(qmp::text("", id.as_deref()).as_bytes());
            }
            Ok(qmp::Request::Line(hmp::ParsedLine::Wrong(text))) => {
                out.extend(qmp::text(&text, id.as_deref()).as_bytes());
            }
            Ok(qmp::Request::Negotiated) => {
                self.language = Language::Qmp { is_negotiated: true };
                out.extend(qmp::returned(&Answer::Nothing, id.as_deref()).as_bytes());
            }
            Err(error) => push_error(out, &error, id.as_deref()),
        }
        Step::Nothing
    }
}

/// What came of looking at input.
enum Step {
    /// It was answered.
    Nothing,
    /// There is not enough of it.
    AtEnd,
    /// This is to be run.
    Call(Call, Pending),
}

/// Lines for people.
fn push_lines(out: &mut Vec<u8>, lines: &str) {
    out.extend(lines.replace('\n', "\r\n").as_bytes());
}

fn push_error(out: &mut Vec<u8>, error: &CommandError, id: Option<&str>) {
    out.extend(qmp::error(error, id).as_bytes());
}
