//! Definitions files, which map event ids to formats.
//!
//! A line is `ID blanks FORMAT`. Empty lines and lines that start with `#` are ignored. A line that
//! starts with a blank, or contains only blanks, is an error, as in the original formatters. If an
//! id has several definitions, the last one applies. The definition of id 0 applies to events that
//! have no definition.

use std::collections::HashMap;
use std::fmt;

use crate::arguments::{Arguments, Key, TimeNames};
use crate::expression;
use crate::format::{Format, FormatError};

/// The maximum size of a definitions file, in bytes. KVM's own file was about 5 kB long.
pub const MAX_DEFINITIONS_BYTES: usize = 1 << 20;

/// A parsed definitions file.
#[derive(Debug, Clone)]
pub struct Definitions {
    name: String,
    by_event: HashMap<u32, Definition>,
}

/// One definition: a line of the file.
#[derive(Debug, Clone)]
pub struct Definition {
    /// The line number, from 1.
    pub line: usize,
    /// The offset of the format in the line, in bytes from 0.
    pub format_at: usize,
    /// The format of the event's records.
    pub format: Format,
}

/// An error in a definitions file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file's name in messages.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, in bytes from 1.
    pub column: usize,
    /// The error message.
    pub message: String,
    /// Advice for the user.
    pub help: Option<&'static str>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl Definitions {
    /// Creates an empty set of definitions, so that no record is printed.
    pub fn empty() -> Definitions {
        Definitions { name: String::new(), by_event: HashMap::new() }
    }

    /// Parses `text`. Messages use `name` as the file's name.
    ///
    /// An error in a format is not reported here, because it matters only when a record needs the
    /// format. [`Definitions::diagnostics`] returns those errors.
    ///
    /// # Errors
    /// Returns a diagnostic for each line that is not a definition.
    pub fn parse(name: &str, text: &[u8]) -> Result<Definitions, Vec<Diagnostic>> {
        let mut by_event = HashMap::new();
        let mut diagnostics = Vec::new();
        let whole_file = |message: &str| Diagnostic {
            file: name.to_owned(),
            line: 1,
            column: 1,
            message: message.to_owned(),
            help: Some(
                "pass the stream on standard input or with -i; a definitions file consists of lines of the form `ID FORMAT`",
            ),
        };
        if text.len() > MAX_DEFINITIONS_BYTES {
            return Err(vec![whole_file(&format!("the file is larger than {MAX_DEFINITIONS_BYTES} bytes"))]);
        }
        for (index, line) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            // Skip an editor's byte order mark, as Python did.
            let mark = if index == 0 && line.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
            let content = &line[mark..];
            if line.is_empty() || line.starts_with(b"#") {
                continue;
            }
            match parse_line(content) {
                Ok((id, format_at)) => {
                    let format = Format::compile(&content[format_at..]);
                    // Values outside u32 are not event ids and can never be looked up.
                    if let Ok(event) = u32::try_from(id) {
                        let definition = Definition { line: index + 1, format_at: mark + format_at, format };
                        by_event.insert(event, definition);
                    }
                }
                Err((at, message, help)) => diagnostics.push(Diagnostic {
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
        // A user who passed a stream by mistake needs a single message, not one per line.
        Err(if text.contains(&0) {
            vec![whole_file("the file contains binary data, not definitions")]
        } else {
            diagnostics
        })
    }

    /// Returns the definition for records of `event`. If the event has none, it is the definition
    /// of id 0.
    pub fn of(&self, event: u32) -> Option<&Definition> {
        self.by_event.get(&event).or_else(|| self.by_event.get(&0))
    }

    /// Returns the event's usual name, which is the first word of its definition that could be a
    /// name.
    pub fn event_name(&self, event: u32) -> Option<String> {
        let is_name = |word: &&str| {
            word.starts_with(|letter: char| letter.is_ascii_alphabetic())
                && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        };
        let text = String::from_utf8_lossy(self.by_event.get(&event)?.format.text());
        Some(text.split_ascii_whitespace().find(is_name)?.to_owned())
    }

    /// Returns the names that the definitions use for the two time keys.
    pub fn time_names(&self) -> TimeNames {
        if self.uses(Key::Ts) && !self.uses(Key::Tsc) { TimeNames::Ts } else { TimeNames::Tsc }
    }

    /// Returns true if any definition prints `key`.
    pub fn uses(&self, key: Key) -> bool {
        self.by_event.values().any(|definition| definition.format.keys().contains(&key))
    }

    /// Appends the line of a record of `event`. Without a definition, nothing is appended.
    ///
    /// # Errors
    /// Returns an error, and appends nothing, if the format is invalid or a value does not fit it.
    pub fn render(&self, event: u32, arguments: &Arguments, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
        match self.of(event) {
            Some(definition) => {
                definition.format.render(arguments, out).map_err(|error| self.diagnostic(definition, &error))
            }
            None => Ok(()),
        }
    }

    /// Returns all errors in formats, sorted by line.
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

/// Offset, message and advice.
type LineError = (usize, String, Option<&'static str>);

const SHAPE: &str = "a definition has the form `ID FORMAT`, and comments start with `#`";

/// Tests for a blank as Python does. `char::is_ascii_whitespace` lacks the vertical tab.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c)
}

/// Returns the id of a line, and the offset of its format.
fn parse_line(line: &[u8]) -> Result<(i128, usize), LineError> {
    let error = |at, message: &str, help| Err((at, message.to_owned(), help));
    if line == b"\r" {
        let help = Some(
            "a line may end with a carriage return only if it has a format; convert the file to Unix line ends",
        );
        return error(0, "the line contains only a carriage return", help);
    }
    let id_bytes = line.iter().take_while(|byte| !is_blank(**byte)).count();
    if id_bytes == 0 {
        return error(0, "the line starts with a blank", Some(SHAPE));
    }
    let blank_bytes = line[id_bytes..].iter().take_while(|byte| is_blank(**byte)).count();
    let format_at = id_bytes + blank_bytes;
    if format_at == line.len() {
        return error(id_bytes, "the format after the id is missing", Some(SHAPE));
    }
    match expression::evaluate(&line[..id_bytes]) {
        Ok(id) => Ok((id, format_at)),
        Err(error) => {
            let help = "an id must be an integer expression, such as 0x10001, 65537, 0200001 or 1<<16|1";
            Err((error.at, format!("invalid event id: {error}"), Some(help)))
        }
    }
}
