//! The language of `--pairs FILE`:
//!
//! ```text
//! pair virtio-blk request
//!   begin virtio_blk_handle_read req         # EVENT KEY[,KEY..]; several are alternatives
//!   begin virtio_blk_handle_write req
//!   end   virtio_blk_req_complete req
//!   step  virtio_blk_rw_complete req
//!   track vdev
//! counter dirty pages
//!   value migration_pending pages            # EVENT ARGUMENT
//! ```
//!
//! Indented lines belong to the last line above them without indentation. All errors of a file are
//! reported at once.

use std::ops::Range;
use std::sync::Arc;

use ringtrace_events::codes::Code;
use ringtrace_events::nearest::nearest;
use ringtrace_events::{Diagnostic, Severity, SourceFile};

use super::codes::{
    BAD_EVENT, BAD_KEY, BAD_NAME, INCOMPLETE, KEY_COUNT, MISPLACED, MISSING, NOT_TEXT, TOO_MANY, TWICE,
    UNKNOWN_WORD,
};
use super::description::{
    CounterDescription, CounterValue, Description, EventKeys, PairDescription, SourceLocation,
};
use super::spec::{KeySource, is_name, quoted};

/// The maximum number of pairs and counters in a file.
pub const MAX_STATEMENTS: usize = 1000;

const MAX_NAME_BYTES: usize = 200;

const MAX_DIAGNOSTICS: usize = 100;

const STATEMENTS: [&str; 2] = ["pair", "counter"];
const OF_PAIRS: [&str; 4] = ["begin", "end", "step", "track"];
const OF_COUNTERS: [&str; 2] = ["value", "track"];

/// Parses `source`. The diagnostics are in the order of the file, with [`Diagnostic::source`] set
/// to 0. The description omits statements with errors.
pub fn parse(source: &SourceFile) -> (Description, Vec<Diagnostic>) {
    let mut parser = Parser {
        file: source.name().into(),
        line: 0,
        open: Open::Nothing,
        description: Description::default(),
        diagnostics: Vec::new(),
        before: 0,
    };
    if let Some(at) = source.text().find('\0') {
        let help = "--pairs expects a text file that describes pairs; pass a trace without --pairs";
        let message = "the file is binary".to_owned();
        parser.error_at(&NOT_TEXT, at..at + 1, message, "a NUL byte", Some(help));
        return (parser.description, parser.diagnostics);
    }
    if let Some(found) = source.not_utf8() {
        let message = format!("the byte {:#04x} is not valid UTF-8", found.byte);
        // In `source`, a replacement character represents the invalid byte.
        let span = found.offset..found.offset + char::REPLACEMENT_CHARACTER.len_utf8();
        let help = "save the file as UTF-8";
        parser.error_at(&NOT_TEXT, span, message, "invalid byte", Some(help));
    }
    let mut start = 0;
    for line in source.text().split_inclusive('\n') {
        parser.line += 1;
        let text = without_comment(line).trim_end();
        if !text.trim_start().is_empty() {
            parser.parse_line(Words { text, start });
        }
        start += line.len();
    }
    parser.close();
    parser.diagnostics.sort_by_key(|found| found.span.start);
    (parser.description, parser.diagnostics)
}

/// Returns the part of `line` before a comment. A comment is a `#` at the start or after a blank.
fn without_comment(line: &str) -> &str {
    let is_comment =
        |&(at, _): &(usize, &str)| line[..at].chars().next_back().is_none_or(char::is_whitespace);
    line.match_indices('#').find(is_comment).map_or(line, |(at, _)| &line[..at])
}

#[derive(Debug, Clone, Copy)]
struct Words<'t> {
    text: &'t str,
    /// The offset in the file.
    start: usize,
}

impl<'t> Words<'t> {
    /// Splits off the first word, and removes the blanks around both parts.
    fn split_word(self) -> (Words<'t>, Words<'t>) {
        let trimmed = self.trim();
        let end = trimmed.text.find(char::is_whitespace).unwrap_or(trimmed.text.len());
        let (word, rest) = trimmed.text.split_at(end);
        (Words { text: word, ..trimmed }, Words { text: rest, start: trimmed.start + end }.trim())
    }

    fn trim(self) -> Words<'t> {
        let blanks = self.text.len() - self.text.trim_start().len();
        Words { text: self.text.trim(), start: self.start + blanks }
    }

    fn split_commas(self) -> impl Iterator<Item = Words<'t>> {
        let mut start = self.start;
        self.text.split(',').map(move |text| {
            let words = Words { text, start };
            start += text.len() + 1;
            words.trim()
        })
    }

    fn span(self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

/// The statement to which indented lines belong.
#[derive(Debug)]
enum Open {
    Nothing,
    /// A statement with an error that was already reported. The indented lines that follow are
    /// ignored.
    Skipped,
    Pair {
        pair: PairDescription,
        head: Range<usize>,
    },
    Counter {
        counter: CounterDescription,
        head: Range<usize>,
    },
}

struct Parser {
    file: Arc<str>,
    line: u32,
    open: Open,
    description: Description,
    diagnostics: Vec<Diagnostic>,
    /// The number of diagnostics before the open statement.
    before: usize,
}

impl Parser {
    fn error_at(
        &mut self,
        code: &'static Code,
        span: Range<usize>,
        message: String,
        label: impl Into<String>,
        help: Option<&str>,
    ) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(Diagnostic {
                severity: Severity::Error,
                code: code.code,
                message,
                source: 0,
                span,
                label: label.into(),
                help: help.map(str::to_owned),
            });
        }
    }

    fn parse_line(&mut self, line: Words<'_>) {
        let (word, rest) = line.split_word();
        let is_indented = line.text.starts_with(char::is_whitespace);
        let belongs = OF_PAIRS.contains(&word.text) || OF_COUNTERS.contains(&word.text);
        if !is_indented && !belongs {
            self.close();
            self.before = self.diagnostics.len();
            self.open = self.parse_statement(word, rest);
            return;
        }
        if !is_indented {
            let message = format!("`{}` must be below a pair or a counter", word.text);
            let help = "indent it below its `pair NAME` or `counter NAME` line";
            self.error_at(&MISPLACED, word.span(), message, "not indented", Some(help));
        }
        match std::mem::replace(&mut self.open, Open::Skipped) {
            Open::Skipped => {}
            Open::Nothing if !is_indented => {}
            Open::Nothing => {
                let message = format!("`{}` does not belong to a pair or counter", shown(word.text));
                let help = "start with a line `pair NAME` or `counter NAME`, without indentation";
                let label = "there is no `pair` or `counter` above this line";
                self.error_at(&MISPLACED, word.span(), message, label, Some(help));
            }
            Open::Pair { mut pair, head } => {
                self.parse_in_pair(&mut pair, word, rest);
                self.open = Open::Pair { pair, head };
            }
            Open::Counter { mut counter, head } => {
                self.parse_in_counter(&mut counter, word, rest);
                self.open = Open::Counter { counter, head };
            }
        }
    }

    /// Parses `pair NAME` or `counter NAME`.
    fn parse_statement(&mut self, word: Words<'_>, name: Words<'_>) -> Open {
        let is_pair = word.text == "pair";
        if !STATEMENTS.contains(&word.text) {
            self.report_word(word, &STATEMENTS);
            return Open::Skipped;
        }
        if self.description.pairs.len() + self.description.counters.len() >= MAX_STATEMENTS {
            let message = format!("the file has more than {MAX_STATEMENTS} pairs and counters");
            self.error_at(&TOO_MANY, word.span(), message, "beyond the limit", Some("split the file"));
            return Open::Skipped;
        }
        if !self.check_name(word, name) {
            return Open::Skipped;
        }
        let (head, name) = (name.span(), name.text.to_owned());
        if is_pair {
            Open::Pair { pair: PairDescription { name, ..PairDescription::default() }, head }
        } else {
            Open::Counter { counter: CounterDescription { name, ..CounterDescription::default() }, head }
        }
    }

    fn check_name(&mut self, word: Words<'_>, name: Words<'_>) -> bool {
        let what = word.text;
        let taken = |taken: &str| taken == name.text;
        let (message, label, help) = if name.text.is_empty() {
            let help = format!("write `{what} NAME` with a display name, such as `{what} disk read`");
            return self.report_missing(word, "a name", &help);
        } else if name.text.len() > MAX_NAME_BYTES {
            let message = format!("the name is longer than {MAX_NAME_BYTES} bytes");
            (message, "too long", "choose a shorter name")
        } else if name.text.chars().any(char::is_control) {
            let message = "the name contains a control character".to_owned();
            (message, "not printable", "use only printable characters")
        } else if self.description.pairs.iter().any(|pair| taken(&pair.name))
            || self.description.counters.iter().any(|counter| taken(&counter.name))
        {
            let message = format!("the name `{}` is already used", name.text);
            let help = "choose another name; one pair can have several `begin` and `end` lines";
            (message, "duplicate name", help)
        } else {
            return true;
        };
        self.error_at(&BAD_NAME, name.span(), message, label, Some(help));
        false
    }

    /// Parses `begin EVENT KEY..`, `end`, `step` or `track SOURCE..`.
    fn parse_in_pair(&mut self, pair: &mut PairDescription, word: Words<'_>, rest: Words<'_>) {
        if word.text == "track" {
            return self.parse_track(&mut pair.track, word, rest);
        }
        if !OF_PAIRS.contains(&word.text) {
            return self.report_word(word, &OF_PAIRS);
        }
        let (event, keys) = rest.split_word();
        if !self.check_event(word, event) {
            return;
        }
        let of_same = match word.text {
            "begin" => &pair.begins,
            "end" => &pair.ends,
            _ => &pair.steps,
        };
        let is_this = |other: &EventKeys| other.event == event.text;
        // An event can end one span and begin the next. Any other repetition is ambiguous.
        let elsewhere = match word.text {
            "step" => pair.begins.iter().chain(&pair.ends).any(is_this),
            _ => pair.steps.iter().any(is_this),
        };
        if of_same.iter().any(is_this) || elsewhere {
            let message = format!("`{}` is already in this pair", event.text);
            let help = "an event can be both `begin` and `end` of a pair, but cannot be repeated otherwise";
            return self.error_at(&TWICE, event.span(), message, "repeated here", Some(help));
        }
        let Some(sources) = self.parse_sources(keys, word) else { return };
        if let Some(first) = pair.events().next()
            && first.keys.len() != sources.len()
        {
            let message = format!(
                "`{}` has {}, but `{}` has {}",
                event.text,
                keys_in_words(sources.len()),
                first.event,
                keys_in_words(first.keys.len())
            );
            let help = "keys are matched by position: give each event the same number of keys";
            return self.error_at(
                &KEY_COUNT,
                rest.span(),
                message,
                "the number of keys is different",
                Some(help),
            );
        }
        let event =
            EventKeys { event: event.text.to_owned(), keys: sources, location: Some(self.location()) };
        match word.text {
            "begin" => pair.begins.push(event),
            "end" => pair.ends.push(event),
            _ => pair.steps.push(event),
        }
    }

    /// Parses `value EVENT ARGUMENT` or `track SOURCE..`.
    fn parse_in_counter(&mut self, counter: &mut CounterDescription, word: Words<'_>, rest: Words<'_>) {
        match word.text {
            "track" => return self.parse_track(&mut counter.track, word, rest),
            "value" => {}
            _ => return self.report_word(word, &OF_COUNTERS),
        }
        let (event, argument) = rest.split_word();
        if !self.check_event(word, event) {
            return;
        }
        if counter.values.iter().any(|value| value.event == event.text) {
            let message = format!("`{}` is already in this counter", event.text);
            let help = "a counter uses one argument of an event: add another counter for another argument";
            return self.error_at(&TWICE, event.span(), message, "repeated here", Some(help));
        }
        match KeySource::parse(argument.text) {
            Some(KeySource::Argument(name)) => {
                let (event, location) = (event.text.to_owned(), Some(self.location()));
                counter.values.push(CounterValue { event, argument: name, location });
            }
            _ if argument.text.is_empty() => {
                self.report_missing(word, "an argument", "write `value EVENT ARGUMENT`");
            }
            _ => {
                let message = format!("expected an argument's name, found {}", quoted(shown(argument.text)));
                let help = "a value must be an argument of the event";
                self.error_at(&BAD_KEY, argument.span(), message, "not an argument's name", Some(help));
            }
        }
    }

    fn parse_track(&mut self, track: &mut Vec<KeySource>, word: Words<'_>, rest: Words<'_>) {
        if !track.is_empty() {
            let message = "the track is already defined".to_owned();
            let help = "put all parts on one line, as in `track pid,queue`";
            return self.error_at(&TWICE, word.span(), message, "repeated here", Some(help));
        }
        if rest.text.is_empty() {
            let help = "specify the value that distinguishes the tracks: an argument, `pid` or `tid`";
            self.report_missing(word, "an argument", help);
        } else if let Some(sources) = self.parse_sources(rest, word) {
            *track = sources;
        }
    }

    /// Parses `a,b,pid`, or an empty list.
    fn parse_sources(&mut self, list: Words<'_>, word: Words<'_>) -> Option<Vec<KeySource>> {
        if list.text.is_empty() {
            return Some(Vec::new());
        }
        let mut sources = Vec::new();
        for words in list.split_commas() {
            let Some(source) = KeySource::parse(words.text) else {
                let message = format!("expected an argument's name, found {}", quoted(shown(words.text)));
                let help = match words.text {
                    text if text.contains(char::is_whitespace) => "separate several keys with commas",
                    text if text.contains('=') => {
                        "write only the argument's name in this event; other events have their own lines"
                    }
                    _ => {
                        "names consist of letters, digits and `_`; `pid` and `tid` are the record's process and thread"
                    }
                };
                let span = if words.text.is_empty() { word.span() } else { words.span() };
                self.error_at(&BAD_KEY, span, message, "not an argument's name", Some(help));
                return None;
            };
            sources.push(source);
        }
        Some(sources)
    }

    fn check_event(&mut self, word: Words<'_>, event: Words<'_>) -> bool {
        if event.text.is_empty() {
            let help = format!("write `{} EVENT ..`", word.text);
            return self.report_missing(word, "an event", &help);
        }
        if is_name(event.text) {
            return true;
        }
        let message = format!("expected an event's name, found `{}`", shown(event.text));
        let help = "names consist of letters, digits and `_`; patterns are not allowed";
        self.error_at(&BAD_EVENT, event.span(), message, "not an event's name", Some(help));
        false
    }

    /// Reports that `what` is missing after `word`. Always returns false.
    fn report_missing(&mut self, word: Words<'_>, what: &str, help: &str) -> bool {
        let message = format!("expected {what} after `{}`", word.text);
        self.error_at(&MISSING, word.span(), message, format!("{what} is missing"), Some(help));
        false
    }

    fn report_word(&mut self, word: Words<'_>, known: &[&'static str]) {
        let list: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
        let message = format!("expected {}, found `{}`", list.join(" or "), shown(word.text));
        let help = nearest(word.text, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
        self.error_at(&UNKNOWN_WORD, word.span(), message, "unknown word", help.as_deref());
    }

    fn close(&mut self) {
        // If the statement had an error, the line with that error may be the missing one.
        let is_valid = self.diagnostics.len() == self.before;
        match std::mem::replace(&mut self.open, Open::Nothing) {
            Open::Nothing | Open::Skipped => {}
            Open::Pair { pair, head } => {
                let missing = match (pair.begins.is_empty(), pair.ends.is_empty()) {
                    (false, false) => return self.description.pairs.push(pair),
                    (true, true) => "a begin and an end",
                    (true, false) => "a begin",
                    (false, true) => "an end",
                };
                if is_valid {
                    let message = format!("pair `{}` lacks {missing}", pair.name);
                    let help = "add lines `begin EVENT KEY` and `end EVENT KEY`, indented below it";
                    self.error_at(&INCOMPLETE, head, message, "incomplete pair", Some(help));
                }
            }
            Open::Counter { counter, .. } if !counter.values.is_empty() => {
                self.description.counters.push(counter);
            }
            Open::Counter { counter, head } => {
                if is_valid {
                    let message = format!("counter `{}` lacks a value", counter.name);
                    let help = "add a line `value EVENT ARGUMENT`, indented below it";
                    self.error_at(&INCOMPLETE, head, message, "incomplete counter", Some(help));
                }
            }
        }
    }

    fn location(&self) -> SourceLocation {
        SourceLocation { file: Arc::clone(&self.file), line: self.line }
    }
}

fn shown(word: &str) -> &str {
    let end = word.char_indices().nth(60).map_or(word.len(), |(at, _)| at);
    &word[..end]
}

fn keys_in_words(count: usize) -> String {
    match count {
        0 => "no key".to_owned(),
        1 => "one key".to_owned(),
        _ => format!("{count} keys"),
    }
}
