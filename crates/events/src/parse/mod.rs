//! Parses declarations.
//!
//! Each step of parsing a line has its own file: the head (properties and name), the arguments, the
//! formats, and the resulting events. `v0` contains the different rules of the format v0 readers.

mod arguments;
mod conversions;
mod enumerations;
mod events;
mod formats;
mod head;
mod v0;

use std::ops::Range;
use std::sync::Arc;

use crate::codes;
use crate::diagnostic::{Finding, Findings};
use crate::nearest::nearest;
use crate::syntax::{self, SourceLine, SplitError};
use crate::text::{MAX_LINE_BYTES, MAX_SOURCE_BYTES};
pub(crate) use enumerations::is_enumeration;

use crate::{Declarations, Diagnostic, Enumeration, Event, Severity, SourceFile, Text};

/// The rules by which declarations are parsed. They depend on the purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// For generators: only types that every backend knows.
    Generate {
        /// Accept the types of files from before 2018, and the properties `vcpu` and `tcg`.
        legacy_types: bool,
        /// Treat declarations that QEMU rejects as errors, even where this crate tolerates them.
        strict: bool,
    },
    /// For generators of programs other than QEMU: as [`Dialect::NEW`], and also
    /// enumerations, `double` and `float`.
    Extended {
        /// Treat declarations that QEMU rejects as errors, even where this crate tolerates them.
        strict: bool,
    },
    /// For readers of trace files of any year: any type, `vcpu`, `tcg`. If an event can still be
    /// counted and read, errors in its declaration are warnings and the event is kept.
    Read,
    /// The line rules of QEMU's first reader (2010), which required a quoted format. Like that
    /// reader, the parser skips lines that do not match. An error means that the reader would have
    /// crashed on the file.
    Reader2010,
    /// The line rules that QEMU's readers of format v0 have used since 2011. Like those readers,
    /// the parser skips lines that do not match. An error means that they would have crashed on the
    /// file.
    Reader2011,
}

impl Dialect {
    /// The rules for new declarations files.
    pub const NEW: Dialect = Dialect::Generate { legacy_types: false, strict: false };
}

/// The result of parsing. Declarations with an error are omitted.
#[derive(Debug, Clone, Default)]
pub struct Parsed {
    /// The valid declarations.
    pub declarations: Declarations,
    /// Errors and warnings, in the order of the sources and lines. At most 20 for one line and
    /// 10,000 for one run.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of diagnostics dropped because of these limits.
    pub omitted: usize,
}

/// Parses `sources` as one concatenated declarations file.
pub fn parse(sources: Vec<SourceFile>, dialect: Dialect) -> Parsed {
    let mut diagnostics = Findings::default();
    let mut events = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        events.reserve(source.text().len().min(MAX_SOURCE_BYTES) / BYTES_PER_DECLARATION);
        let mut parser = Parser {
            source,
            index,
            rules: Rules::of(dialect),
            diagnostics: &mut diagnostics,
            events: &mut events,
            enumerations: Vec::new(),
        };
        match dialect {
            Dialect::Reader2010 => parser.v0_source(v0::V0Reader::Y2010),
            Dialect::Reader2011 => parser.v0_source(v0::V0Reader::Y2011),
            Dialect::Generate { .. } | Dialect::Extended { .. } | Dialect::Read => parser.source(),
        }
    }
    let Findings { found: diagnostics, omitted, .. } = diagnostics;
    Parsed { declarations: Declarations { sources, events }, diagnostics, omitted }
}

/// Maximum number of events. QEMU has about 6,000. The size limit of a file does not limit memory
/// use enough, because an event takes a hundred times as much memory as the shortest declaration.
pub const MAX_EVENTS: usize = 1 << 17;

/// Length of a typical line.
const BYTES_PER_DECLARATION: usize = 96;

/// The mark that some editors put at the start of UTF-8 files.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// The rules of a [`Dialect`].
#[derive(Debug, Clone, Copy)]
struct Rules {
    /// Accept types made of unknown words.
    any_type: bool,
    /// Accept enumerations, and `double` and `float`, which are recorded as the bits of a `double`.
    extended: bool,
    /// Accept the properties `vcpu` and `tcg`.
    legacy_properties: bool,
    /// Report recoverable errors as warnings, and do not report bad style.
    forgiving: bool,
    /// Report declarations that QEMU rejects as errors, even if this crate could tolerate them.
    strict: bool,
}

impl Rules {
    fn of(dialect: Dialect) -> Rules {
        match dialect {
            Dialect::Generate { legacy_types, strict } => Rules {
                any_type: legacy_types,
                extended: false,
                legacy_properties: legacy_types,
                forgiving: false,
                strict,
            },
            Dialect::Extended { strict } => {
                Rules { any_type: false, extended: true, legacy_properties: false, forgiving: false, strict }
            }
            Dialect::Read | Dialect::Reader2010 | Dialect::Reader2011 => Rules {
                any_type: true,
                extended: dialect == Dialect::Read,
                legacy_properties: true,
                forgiving: true,
                strict: false,
            },
        }
    }
}

struct Parser<'a> {
    source: &'a SourceFile,
    index: usize,
    rules: Rules,
    diagnostics: &'a mut Findings,
    events: &'a mut Vec<Event>,
    /// The enumerations of this source. Those of other sources are not visible.
    enumerations: Vec<Arc<Enumeration>>,
}

impl<'a> Parser<'a> {
    fn source(&mut self) {
        if !self.check_encoding() {
            return;
        }
        let text = self.source.text();
        // An editor that does not recognise its own byte order mark adds another one on each save.
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

    /// Reports invalid UTF-8. Returns whether the source can be parsed at all.
    fn check_encoding(&mut self) -> bool {
        if self.source.text().len() > MAX_SOURCE_BYTES {
            let diagnostic = Finding::new(&codes::SOURCE_TOO_LARGE, 0..0, "the file is larger than 8 MiB")
                .label("the file is ignored")
                .help("expected a declarations file (for QEMU, trace-events-all), not a trace");
            self.diagnostics.report(Severity::Error, self.index, 0, diagnostic);
            return false;
        }
        if let Some(not_utf8) = self.source.not_utf8() {
            if self.is_binary() {
                let diagnostic = Finding::new(&codes::NOT_UTF8, 0..0, "the file is not UTF-8")
                    .label("it contains NUL bytes and invalid UTF-8")
                    .help(
                        "expected a declarations file (for QEMU, trace-events-all), not a trace or a program",
                    );
                self.diagnostics.report(Severity::Error, self.index, 0, diagnostic);
                return false;
            }
            let severity = if self.rules.forgiving { Severity::Warning } else { Severity::Error };
            let offset = not_utf8.offset;
            let diagnostic = Finding::new(
                &codes::NOT_UTF8,
                offset..offset + char::REPLACEMENT_CHARACTER.len_utf8(),
                "the file is not UTF-8",
            )
            .label(format!("byte 0x{:02x} at offset {offset} is invalid", not_utf8.byte))
            .help("convert the file, for example with `iconv -f latin1 -t utf-8`");
            self.diagnostics.report(severity, self.index, 0, diagnostic);
        }
        true
    }

    /// Whether a file that is not UTF-8 is binary. If it is, for example, a trace, reporting every
    /// line would be useless.
    fn is_binary(&self) -> bool {
        let bytes = self.source.text().as_bytes();
        memchr::memchr(0, &bytes[..bytes.len().min(1024)]).is_some()
    }

    fn too_many_events(&mut self, line: SourceLine<'a>) {
        let at = line.start..line.start + line.text.len();
        let diagnostic =
            Finding::new(&codes::SOURCE_TOO_LARGE, at, format!("more than {MAX_EVENTS} events are declared"))
                .label("the rest of the file is ignored")
                .help("pass the declarations of a single program (for QEMU, trace-events-all)");
        self.diagnostics.report(Severity::Error, self.index, line.number, diagnostic);
    }

    fn byte_order_mark(&mut self) {
        let diagnostic = Finding::new(
            &codes::BYTE_ORDER_MARK,
            0..BYTE_ORDER_MARK.len_utf8(),
            "the file begins with a byte order mark",
        )
        .label("QEMU treats it as part of the first line")
        .help("save the file as UTF-8 without the mark");
        self.tolerated(1, diagnostic);
    }

    fn no_newline_at_end(&mut self, line: SourceLine<'a>) {
        let end = line.start + line.text.len();
        let diagnostic =
            Finding::new(&codes::NO_NEWLINE_AT_END, end..end, "the last line does not end in a newline")
                .label("expected a newline here")
                .help("QEMU rejects the file; `ringtrace fmt` adds the newline");
        self.tolerated(line.number, diagnostic);
    }

    /// Reports a problem that this crate tolerates and QEMU rejects.
    fn tolerated(&mut self, line: usize, diagnostic: Finding) {
        if self.rules.strict {
            self.diagnostics.report(Severity::Error, self.index, line, diagnostic);
        } else if !self.rules.forgiving {
            self.diagnostics.report(Severity::Warning, self.index, line, diagnostic);
        }
    }
}

struct LineParser<'p, 'a> {
    parser: &'p mut Parser<'a>,
    line: SourceLine<'a>,
    /// Whether there was an error. If so, the declaration is omitted.
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
        if is_enumeration(&text[whole.clone()]) {
            return self.enumeration(whole);
        }
        let parts = match syntax::split_declaration(text) {
            Ok(parts) => parts,
            Err(SplitError::NoOpening) => return self.not_a_declaration(whole),
            Err(SplitError::NoClosing(open)) => return self.unclosed(open..open + 1),
        };
        // If a declaration lacks its `)`, the first `)` may belong to the format.
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
        let diagnostic = Finding::new(
            &codes::LINE_TOO_LONG,
            whole.start..whole.start,
            format!(
                "the line has {} bytes, but a declaration can have at most {MAX_LINE_BYTES}",
                self.line.text.len()
            ),
        )
        .label("the line is ignored");
        self.error(diagnostic);
    }

    fn not_a_declaration(&mut self, whole: Range<usize>) {
        let diagnostic = Finding::new(&codes::NOT_A_DECLARATION, whole, "this line is not a declaration")
            .label("expected `name(type arg, ...) \"format\"`")
            .help("comments begin with `#`");
        self.error(diagnostic);
    }

    fn unclosed(&mut self, at: Range<usize>) {
        let text = &self.line.text[at.clone()];
        let diagnostic = if text == "(" {
            Finding::new(&codes::UNCLOSED_ARGUMENTS, at, "the argument list is not closed")
                .label("no `)` follows this `(`")
        } else {
            Finding::new(&codes::UNCLOSED_ARGUMENTS, at, "the argument list is not closed before the format")
                .label("expected `)` before this")
        };
        self.error(diagnostic.help("write the declaration on one line: `name(type arg, ...) \"format\"`"));
    }

    fn text(&self, range: Range<usize>) -> Text {
        self.parser.source.slice(self.line.start + range.start..self.line.start + range.end)
    }

    /// Reports an error, so that the declaration is omitted. The span is relative to the line.
    fn error(&mut self, diagnostic: Finding) {
        self.failed = true;
        self.report(Severity::Error, diagnostic);
    }

    /// Reports an error that trace readers can tolerate.
    fn forgivable(&mut self, diagnostic: Finding) {
        if self.parser.rules.forgiving {
            self.report(Severity::Warning, diagnostic);
        } else {
            self.error(diagnostic);
        }
    }

    /// Reports a legal declaration that is probably a mistake. Does nothing for trace readers,
    /// which need no lints, and after an error, because the error is probably the cause.
    fn lint(&mut self, diagnostic: Finding) {
        if !self.parser.rules.forgiving && !self.failed {
            self.report(Severity::Warning, diagnostic);
        }
    }

    fn report(&mut self, severity: Severity, diagnostic: Finding) {
        let span = self.line.start + diagnostic.span.start..self.line.start + diagnostic.span.end;
        self.parser.diagnostics.report(
            severity,
            self.parser.index,
            self.line.number,
            Finding { span, ..diagnostic },
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

/// Returns the closest of `words`, if it is close to `word`.
fn near<'w>(word: &str, words: &[&'w str]) -> Option<&'w str> {
    nearest(word, words.iter().copied())
}
