//! From text to declarations.
//!
//! A line goes through four steps, a file each: its head (properties and name), its arguments, its formats, and
//! the events that follow from them. The readers of format v0 had rules of their own: `era`.

mod arguments;
mod conversions;
mod era;
mod events;
mod formats;
mod head;

use std::ops::Range;

use crate::codes;
use crate::nearest::nearest;
use crate::problems::{Problem, Problems};
use crate::syntax::{self, Line, Uncut};
use crate::text::{MAX_LINE_BYTES, MAX_SOURCE_BYTES};
use crate::{Declarations, Diagnostic, Event, Severity, SourceFile, Text};

/// Whom the declarations are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// A generator: only the types every backend knows; with `strict`, the last line must end.
    Generate {
        /// Accept the types of files before 2017 and the properties `vcpu` and `tcg`.
        legacy_types: bool,
        /// Treat what QEMU rejects and we tolerate as an error.
        strict: bool,
    },
    /// A reader of trace files of any year: any type, `vcpu`, `tcg`. Whatever still leaves an event to count and
    /// to read is a warning here, and the event is kept.
    Read,
    /// The line rules of QEMU's first reader (2010), that needed a quoted format. Other lines are skipped, as it
    /// did; an error means that it would have crashed on the file.
    Reader2010,
    /// The line rules of the readers of format v0 from 2011 on. Other lines are skipped, as they did; an error
    /// means that they would have crashed on the file.
    Reader2011,
}

impl Dialect {
    /// What a new declarations file is checked against.
    pub const NEW: Dialect = Dialect::Generate { legacy_types: false, strict: false };
}

/// Declarations and all problems found. Declarations with an error are left out.
#[derive(Debug, Clone, Default)]
pub struct Parsed {
    /// What could be understood.
    pub declarations: Declarations,
    /// What was wrong, in the order of the sources and lines. At most 20 of one line and 10,000 of one run.
    pub diagnostics: Vec<Diagnostic>,
    /// How many problems there were beyond those.
    pub omitted: usize,
}

/// Parses `sources` as one concatenated declarations file.
pub fn parse(sources: Vec<SourceFile>, dialect: Dialect) -> Parsed {
    let mut problems = Problems::default();
    let mut events = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        events.reserve(source.text().len().min(MAX_SOURCE_BYTES) / BYTES_PER_DECLARATION);
        let mut parser =
            Parser { source, index, rules: Rules::of(dialect), problems: &mut problems, events: &mut events };
        match dialect {
            Dialect::Reader2010 => parser.era_source(era::Era::Y2010),
            Dialect::Reader2011 => parser.era_source(era::Era::Y2011),
            Dialect::Generate { .. } | Dialect::Read => parser.source(),
        }
    }
    let Problems { found: diagnostics, omitted, .. } = problems;
    Parsed { declarations: Declarations { sources, events }, diagnostics, omitted }
}

/// More events than this are not read: each takes a hundred times the bytes of the shortest declaration. QEMU has
/// some 6,000.
pub const MAX_EVENTS: usize = 1 << 17;

/// Length of an ordinary line.
const BYTES_PER_DECLARATION: usize = 96;

/// What some editors put before a text to say that it is UTF-8.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// What a [`Dialect`] comes down to.
#[derive(Debug, Clone, Copy)]
struct Rules {
    /// Types made of unknown words are fine.
    any_type: bool,
    /// `vcpu` and `tcg` are properties.
    legacy_properties: bool,
    /// What can be read around is a warning, and what is only bad style nothing at all.
    forgiving: bool,
    /// What QEMU rejects is an error even where we can do without.
    strict: bool,
}

impl Rules {
    fn of(dialect: Dialect) -> Rules {
        match dialect {
            Dialect::Generate { legacy_types, strict } => {
                Rules { any_type: legacy_types, legacy_properties: legacy_types, forgiving: false, strict }
            }
            Dialect::Read | Dialect::Reader2010 | Dialect::Reader2011 => {
                Rules { any_type: true, legacy_properties: true, forgiving: true, strict: false }
            }
        }
    }
}

/// Reads one source.
struct Parser<'a> {
    source: &'a SourceFile,
    index: usize,
    rules: Rules,
    problems: &'a mut Problems,
    events: &'a mut Vec<Event>,
}

impl<'a> Parser<'a> {
    fn source(&mut self) {
        if !self.check_encoding() {
            return;
        }
        let text = self.source.text();
        // An editor that does not know its own mark adds one more every time.
        let start = text.len() - text.trim_start_matches(BYTE_ORDER_MARK).len();
        if start > 0 {
            self.byte_order_mark();
        }
        for line in syntax::lines_from(text, start) {
            if self.events.len() >= MAX_EVENTS {
                self.too_many_events(line);
                break;
            }
            if line.end_bytes == 0 {
                self.no_newline_at_end(line);
            }
            LineParser { parser: self, line, failed: false }.declaration();
        }
    }

    /// Whether the source can be read at all; reports where it is not UTF-8.
    fn check_encoding(&mut self) -> bool {
        if self.source.text().len() > MAX_SOURCE_BYTES {
            let problem = Problem::new(&codes::SOURCE_TOO_LARGE, 0..0, "the file is larger than 8 MiB")
                .label("nothing was read")
                .help("give the declarations file (QEMU: trace-events-all), not a trace");
            self.problems.report(Severity::Error, self.index, 0, problem);
            return false;
        }
        if let Some(not_utf8) = self.source.not_utf8() {
            if self.is_binary() {
                let problem = Problem::new(&codes::NOT_UTF8, 0..0, "the file is not text")
                    .label("zero bytes and bytes that are not UTF-8 follow")
                    .help("give the declarations file (QEMU: trace-events-all), not a trace or a program");
                self.problems.report(Severity::Error, self.index, 0, problem);
                return false;
            }
            let severity = if self.rules.forgiving { Severity::Warning } else { Severity::Error };
            let offset = not_utf8.offset;
            let problem = Problem::new(
                &codes::NOT_UTF8,
                offset..offset + char::REPLACEMENT_CHARACTER.len_utf8(),
                "the file is not UTF-8",
            )
            .label(format!("byte 0x{:02x} at offset {offset} does not belong here", not_utf8.byte))
            .help("convert it, for example with `iconv -f latin1 -t utf-8`");
            self.problems.report(severity, self.index, 0, problem);
        }
        true
    }

    /// Whether what is not UTF-8 is no text at all: there is no point in reporting every line of a trace.
    fn is_binary(&self) -> bool {
        let bytes = self.source.text().as_bytes();
        memchr::memchr(0, &bytes[..bytes.len().min(1024)]).is_some()
    }

    fn too_many_events(&mut self, line: Line<'a>) {
        let at = line.start..line.start + line.text.len();
        let problem =
            Problem::new(&codes::SOURCE_TOO_LARGE, at, format!("more than {MAX_EVENTS} events are declared"))
                .label("nothing was read from here on")
                .help("give the declarations of one program (QEMU: trace-events-all)");
        self.problems.report(Severity::Error, self.index, line.number, problem);
    }

    fn byte_order_mark(&mut self) {
        let problem = Problem::new(
            &codes::BYTE_ORDER_MARK,
            0..BYTE_ORDER_MARK.len_utf8(),
            "the file begins with a byte order mark",
        )
        .label("takes the first line for part of a declaration in QEMU")
        .help("save it as UTF-8 without the mark");
        self.tolerated(1, problem);
    }

    fn no_newline_at_end(&mut self, line: Line<'a>) {
        let end = line.start + line.text.len();
        let problem = Problem::new(&codes::NO_NEWLINE_AT_END, end..end, "the last line does not end")
            .label("expected a newline here")
            .help("QEMU rejects the file; `ringtrace fmt` adds the newline");
        self.tolerated(line.number, problem);
    }

    /// Something that we can read and QEMU rejects.
    fn tolerated(&mut self, line: usize, problem: Problem) {
        if self.rules.strict {
            self.problems.report(Severity::Error, self.index, line, problem);
        } else if !self.rules.forgiving {
            self.problems.report(Severity::Warning, self.index, line, problem);
        }
    }
}

/// Reads one line.
struct LineParser<'p, 'a> {
    parser: &'p mut Parser<'a>,
    line: Line<'a>,
    /// There was an error: the declaration is left out.
    failed: bool,
}

impl LineParser<'_, '_> {
    fn declaration(mut self) {
        let text = self.line.text;
        let whole = syntax::trim(text, 0..text.len());
        if whole.is_empty() || text[whole.clone()].starts_with('#') {
            return;
        }
        if text.len() > MAX_LINE_BYTES {
            return self.too_long(whole);
        }
        let parts = match syntax::cut(text) {
            Ok(parts) => parts,
            Err(Uncut::NoOpening) => return self.not_a_declaration(whole),
            Err(Uncut::NoClosing(open)) => return self.unclosed(open..open + 1),
        };
        // The first `)` may belong to the format, of a declaration that lacks its own.
        if let Some(quote) = memchr::memchr(b'"', &text.as_bytes()[parts.arguments.clone()]) {
            let quote = parts.arguments.start + quote;
            return self.unclosed(quote..quote + 1);
        }
        let head = self.head(parts.head, parts.arguments.start - 1);
        let arguments = self.arguments(parts.arguments);
        let formats = self.formats(parts.rest);
        if let (Some(head), false) = (head, self.failed) {
            self.events(whole, &head, arguments, formats);
        }
    }

    fn too_long(&mut self, whole: Range<usize>) {
        let problem = Problem::new(
            &codes::LINE_TOO_LONG,
            whole.start..whole.start,
            format!(
                "the line has {} bytes, and a declaration at most {MAX_LINE_BYTES}",
                self.line.text.len()
            ),
        )
        .label("nothing of this line was read");
        self.error(problem);
    }

    fn not_a_declaration(&mut self, whole: Range<usize>) {
        let problem = Problem::new(&codes::NOT_A_DECLARATION, whole, "this line is no declaration")
            .label("expected `name(type arg, ...) \"format\"`")
            .help("begin a comment with `#`");
        self.error(problem);
    }

    fn unclosed(&mut self, at: Range<usize>) {
        let text = &self.line.text[at.clone()];
        let problem = if text == "(" {
            Problem::new(&codes::UNCLOSED_ARGUMENTS, at, "the argument list is not closed")
                .label("no `)` follows this `(`")
        } else {
            Problem::new(&codes::UNCLOSED_ARGUMENTS, at, "the argument list is not closed before the format")
                .label("expected `)` before this")
        };
        self.error(problem.help("a declaration stands on one line: `name(type arg, ...) \"format\"`"));
    }

    /// The words at `range` of the line.
    fn text(&self, range: Range<usize>) -> Text {
        self.parser.source.slice(self.line.start + range.start..self.line.start + range.end)
    }

    /// Reports a problem that leaves nothing to declare. Its span counts from the line's start.
    fn error(&mut self, problem: Problem) {
        self.failed = true;
        self.report(Severity::Error, problem);
    }

    /// Reports a problem that a reader of traces can do with.
    fn forgivable(&mut self, problem: Problem) {
        if self.parser.rules.forgiving {
            self.report(Severity::Warning, problem);
        } else {
            self.error(problem);
        }
    }

    /// Reports what is legal and likely not meant; nothing that a reader of traces cares about, and likely a
    /// consequence where there was an error.
    fn lint(&mut self, problem: Problem) {
        if !self.parser.rules.forgiving && !self.failed {
            self.report(Severity::Warning, problem);
        }
    }

    fn report(&mut self, severity: Severity, problem: Problem) {
        let span = self.line.start + problem.span.start..self.line.start + problem.span.end;
        self.parser.problems.report(
            severity,
            self.parser.index,
            self.line.number,
            Problem { span, ..problem },
        );
    }
}

/// Whether `word` is `[A-Za-z_][A-Za-z0-9_]*`.
fn is_identifier(word: &str) -> bool {
    !word.as_bytes().first().is_some_and(u8::is_ascii_digit) && is_name(word)
}

/// Whether `word` is `[A-Za-z0-9_]+`.
fn is_name(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(syntax::is_word_byte)
}

/// The entry of `words` that `word` is likely a misspelling of.
fn near<'w>(word: &str, words: &[&'w str]) -> Option<&'w str> {
    nearest(word, words.iter().copied())
}
