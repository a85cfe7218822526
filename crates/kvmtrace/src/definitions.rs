//! Definitions files: which text stands for which event.
//!
//! A line is `ID blanks FORMAT`. Lines that begin with `#`, and empty lines, say nothing; a line that begins
//! with a blank, or consists of blanks, is a mistake (it always was). The last definition of an id wins; id 0
//! is for events without one.

use std::collections::HashMap;
use std::fmt;

use crate::arguments::{Arguments, Key, TimeNames};
use crate::expression;
use crate::format::{Format, FormatError};

/// A definitions file has at most so many bytes. (Those of KVM had five thousand.)
pub const MAX_DEFINITIONS_BYTES: usize = 1 << 20;

/// What a definitions file says.
#[derive(Debug, Clone)]
pub struct Definitions {
    name: String,
    by_event: HashMap<u32, Definition>,
}

/// One line of it.
#[derive(Debug, Clone)]
pub struct Definition {
    /// Which line, from 1.
    pub line: usize,
    /// Where in the line the format begins, in bytes from 0.
    pub format_at: usize,
    /// How records of the event are printed.
    pub format: Format,
}

/// A mistake in a definitions file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file, as messages call it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, in bytes from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<&'static str>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl Definitions {
    /// None at all: no record has a line.
    pub fn empty() -> Definitions {
        Definitions { name: String::new(), by_event: HashMap::new() }
    }

    /// Parses `text`; messages will call it `name`.
    ///
    /// Mistakes in formats are none here: they count when a record needs the format. [`Definitions::diagnostics`]
    /// tells them.
    ///
    /// # Errors
    /// All lines that are no definitions.
    pub fn parse(name: &str, text: &[u8]) -> Result<Definitions, Vec<Diagnostic>> {
        let mut by_event = HashMap::new();
        let mut diagnostics = Vec::new();
        let whole_file = |message: &str| Diagnostic {
            file: name.to_owned(),
            line: 1,
            column: 1,
            message: message.to_owned(),
            help: Some(
                "the stream comes from standard input, or with -i; definitions are lines of `ID FORMAT`",
            ),
        };
        if text.len() > MAX_DEFINITIONS_BYTES {
            return Err(vec![whole_file(&format!("the file has more than {MAX_DEFINITIONS_BYTES} bytes"))]);
        }
        for (index, line) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            // An editor's byte order mark: Python skipped it too.
            let mark = if index == 0 && line.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
            let content = &line[mark..];
            if line.is_empty() || line.starts_with(b"#") {
                continue;
            }
            match parse_line(content) {
                Ok((id, format_at)) => {
                    let format = Format::compile(&content[format_at..]);
                    // Other values are no event's id, and can never be looked up.
                    if let Ok(event) = u32::try_from(id) {
                        let definition = Definition { line: index + 1, format_at: mark + format_at, format };
                        by_event.insert(event, definition);
                    }
                }
                Err(LineError { at, message, help }) => diagnostics.push(Diagnostic {
                    file: name.to_owned(),
                    line: index + 1,
                    column: mark + at + 1,
                    message,
                    help,
                }),
            }
        }
        if diagnostics.is_empty() {
            return Ok(Definitions { name: name.to_owned(), by_event });
        }
        // Who gives a stream for definitions does not want to hear of each of its lines.
        Err(if text.contains(&0) {
            vec![whole_file("these are no definitions but binary data")]
        } else {
            diagnostics
        })
    }

    /// The definition for records of `event`: its own, or the one of id 0.
    pub fn of(&self, event: u32) -> Option<&Definition> {
        self.by_event.get(&event).or_else(|| self.by_event.get(&0))
    }

    /// The first word of the event's own definition that could be a name: what people call the event.
    pub fn event_name(&self, event: u32) -> Option<String> {
        let is_name = |word: &&str| {
            word.starts_with(|letter: char| letter.is_ascii_alphabetic())
                && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        };
        let text = String::from_utf8_lossy(self.by_event.get(&event)?.format.text());
        Some(text.split_ascii_whitespace().find(is_name)?.to_owned())
    }

    /// What the definitions call the two time keys.
    pub fn time_names(&self) -> TimeNames {
        if self.uses(Key::Ts) && !self.uses(Key::Tsc) { TimeNames::Ts } else { TimeNames::Tsc }
    }

    /// Whether any definition prints `key`.
    pub fn uses(&self, key: Key) -> bool {
        self.by_event.values().any(|definition| definition.format.keys().contains(&key))
    }

    /// Appends the line of a record, whose event is `event`. Without a definition there is none.
    ///
    /// # Errors
    /// When the format is wrong, or a value does not fit it. Nothing is appended then.
    pub fn render(&self, event: u32, arguments: &Arguments, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
        match self.of(event) {
            Some(definition) => {
                definition.format.render(arguments, out).map_err(|error| self.diagnostic(definition, &error))
            }
            None => Ok(()),
        }
    }

    /// All mistakes in formats, by line.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut diagnostics: Vec<Diagnostic> = self
            .by_event
            .values()
            .filter_map(|definition| Some(self.diagnostic(definition, definition.format.error()?)))
            .collect();
        diagnostics.sort_by_key(|diagnostic| diagnostic.line);
        diagnostics
    }

    fn diagnostic(&self, definition: &Definition, error: &FormatError) -> Diagnostic {
        Diagnostic {
            file: self.name.clone(),
            line: definition.line,
            column: definition.format_at + error.at + 1,
            message: error.to_string(),
            help: error.help(),
        }
    }
}

struct LineError {
    at: usize,
    message: String,
    help: Option<&'static str>,
}

const SHAPE: &str = "a definition is `ID FORMAT`, a comment begins with `#`";

/// Python's idea of a blank; `char::is_ascii_whitespace` lacks the vertical tab.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c)
}

/// The id of a line, and where its format begins.
fn parse_line(line: &[u8]) -> Result<(i128, usize), LineError> {
    let error = |at, message: &str, help| Err(LineError { at, message: message.to_owned(), help });
    if line == b"\r" {
        let help = Some("only formats may end with a carriage return; convert the file to Unix line ends");
        return error(0, "an empty line with a carriage return", help);
    }
    let id_bytes = line.iter().take_while(|byte| !is_blank(**byte)).count();
    if id_bytes == 0 {
        return error(0, "the line begins with a blank", Some(SHAPE));
    }
    let blank_bytes = line[id_bytes..].iter().take_while(|byte| is_blank(**byte)).count();
    let format_at = id_bytes + blank_bytes;
    if format_at == line.len() {
        return error(id_bytes, "there is no format after the id", Some(SHAPE));
    }
    match expression::evaluate(&line[..id_bytes]) {
        Ok(id) => Ok((id, format_at)),
        Err(error) => Err(LineError {
            at: error.at,
            message: format!("this is no event id: {error}"),
            help: Some("an id is an integer expression: 0x10001, 65537, 0200001, 1<<16|1"),
        }),
    }
}
