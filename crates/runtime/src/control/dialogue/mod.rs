//! The protocol of one connection, without its socket: input bytes, commands to run, output bytes.
//!
//! The caller passes input to [`Dialogue::take`]. It then calls [`Dialogue::next`] and acts on the
//! result, until the result is [`Next::Wait`]. The caller must not read more input before that. The
//! dialogue thus never stores more than one piece of input and one line or message.

mod line_reader;

pub use super::command::Program;
use super::command::{Answer, CommandError, package};
pub use super::command::{Call, Outcome};
use super::json::{Framed, Framer, MAX_DEPTH, MAX_MESSAGE_BYTES};
use super::{hmp, qmp};
use crate::options::Mode;
use line_reader::LineReader;

/// The state of a connection.
#[derive(Debug)]
pub struct Dialogue {
    language: Language,
    prompt: String,
    /// The input. The bytes from offset `seen` on are unprocessed.
    input: Vec<u8>,
    seen: usize,
    /// Whether the input has ended.
    has_ended: bool,
    line: LineReader,
    framer: Framer,
    /// How to answer the pending call, if there is one.
    pending: Option<Pending>,
    ending: Option<Ending>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    /// The client's first character will determine the language.
    Undecided,
    Hmp,
    Qmp {
        /// Whether the client has completed the negotiation, and may send commands.
        is_negotiated: bool,
    },
}

#[derive(Debug)]
enum Pending {
    Hmp,
    /// A QMP message with this `id`.
    Qmp(Option<String>),
    /// An HMP line in a QMP message with this `id`.
    Human(Option<String>),
}

#[derive(Debug, Clone, Copy)]
enum Ending {
    Close,
    Quit,
}

/// The caller's next action.
#[derive(Debug)]
pub enum Next {
    /// Wait for more input.
    Wait,
    /// Run the call, and pass the outcome to [`Dialogue::answer`]. Input is not processed
    /// meanwhile.
    Run(Call),
    /// Send the output, and close the connection.
    Close,
    /// Send the output, close the connection, and end the program.
    Quit,
}

/// A notice that QMP clients receive without a request.
#[derive(Debug, Clone)]
pub enum Notice {
    /// Events were dropped.
    Dropped {
        /// The number of events dropped since the last notice.
        count: u64,
        /// The number of events dropped since tracing was started.
        total: u64,
    },
    /// Writing to the trace file failed.
    FileError {
        /// The trace file.
        file: std::path::PathBuf,
        /// Description of the error.
        error: String,
    },
    /// Another client has ended the program.
    Shutdown,
}

impl Dialogue {
    /// Starts a dialogue. Appends the greeting to `out`.
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

    /// Takes input. Input that is too long is discarded, which limits the memory used.
    pub fn take(&mut self, bytes: &[u8]) {
        self.input.drain(..self.seen);
        self.seen = 0;
        self.input.extend(bytes);
    }

    /// Reports the end of the input. A last line without a line end is processed, too.
    pub fn finish(&mut self) {
        self.has_ended = true;
    }

    /// Processes input and returns the next action. Writes errors that need no command to `out`.
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

    /// Renders the outcome of the command into `out`.
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

    /// Whether this client receives notices, because it uses QMP and has completed the negotiation.
    pub fn wants_notices(&self) -> bool {
        self.language == Language::Qmp { is_negotiated: true }
    }

    /// Appends a notice to `out`, if this client receives notices.
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

    /// Chooses the language by the first non-blank character. Returns `false` if there is no such
    /// character yet.
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

/// The result of processing a piece of input.
enum Step {
    Nothing,
    AtEnd,
    Call(Call, Pending),
}

fn push_lines(out: &mut Vec<u8>, lines: &str) {
    out.extend(lines.replace('\n', "\r\n").as_bytes());
}

fn push_error(out: &mut Vec<u8>, error: &CommandError, id: Option<&str>) {
    out.extend(qmp::error(error, id).as_bytes());
}
