//! Properties that hold for any input.

#![allow(clippy::unwrap_used, reason = "allowed in tests, but clippy also checks their helpers")]

use proptest::prelude::*;
use proptest::sample::select;
use ringtrace_events::lint::{Levels, lint};
use ringtrace_events::message::{MessageFormat, render};
use ringtrace_events::parse::{Dialect, Parsed, parse};
use ringtrace_events::spacing::{difference, normalise};
use ringtrace_events::{SourceFile, ctype};

const DIALECTS: [Dialect; 7] = [
    Dialect::NEW,
    Dialect::Generate { legacy_types: false, strict: true },
    Dialect::Generate { legacy_types: true, strict: false },
    Dialect::Extended { strict: false },
    Dialect::Read,
    Dialect::Reader2010,
    Dialect::Reader2011,
];

/// Pieces of declarations, both valid and invalid.
const PIECES: [&str; 66] = [
    "disable ",
    "vcpu ",
    "tcg ",
    "tcg-exec ",
    "name",
    "ev_1",
    "int ",
    "unsigned ",
    "long ",
    "uint64_t ",
    "bool ",
    "void",
    "const ",
    "char",
    "char *",
    "const char *",
    "struct x ",
    "TCGv ",
    "hwaddr ",
    "float ",
    "double ",
    "enum ",
    "enum e { A, B = 2 }",
    "e ",
    "{",
    "}",
    " = ",
    "-1",
    "a",
    "b",
    "next",
    "if",
    "(",
    ")",
    "(void)",
    "(int x)",
    "*",
    "**",
    ",",
    ", ",
    "\"",
    "\"x=%d\"",
    "\"%\"PRIx64",
    "\" %*.*s \"",
    "%",
    "%m",
    "%ls",
    "%5.2f",
    "PRIu32",
    "HWADDR_PRIx",
    "\\",
    "\\\"",
    "\\n",
    "\\x41",
    "#",
    "# c",
    "/*",
    "*/",
    "//",
    " ",
    "  ",
    "\t",
    "\u{a0}",
    "\u{e9}",
    "\u{4e2d}",
    "[4]",
];

const LINE_ENDS: [&str; 6] = ["\n", "\n", "\n", "\r\n", "\r", ""];

fn line() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(select(&PIECES[..]), 0..12).prop_map(|pieces| pieces.concat());
    prop_oneof![3 => declaration(), 2 => pieces, 1 => any::<String>()]
}

fn text() -> impl Strategy<Value = String> {
    let mark = select(&["", "", "", "\u{feff}"][..]);
    let lines = prop::collection::vec((line(), select(&LINE_ENDS[..])), 0..8);
    (mark, lines).prop_map(|(mark, lines)| {
        lines.into_iter().fold(mark.to_owned(), |text, (line, end)| text + &line + end)
    })
}

fn ctype_and_name() -> impl Strategy<Value = String> {
    let words = prop::collection::vec(select(&ctype::ALLOWED_WORDS[..]), 1..4);
    let blank = select(&[" ", "  ", " "][..]);
    let star = select(&["", "", " *", "*", " **", " * ", "* "][..]);
    (words, blank, star, "[a-z_][a-z0-9_]{0,3}").prop_map(|(words, blank, star, name)| {
        let blank_before_name = if star.is_empty() { " " } else { "" };
        words.join(blank) + star + blank_before_name + &name
    })
}

fn format() -> impl Strategy<Value = String> {
    let token = select(
        &["\"x=%d\"", "\"\"", "\"%\" PRIx64", "\"%\"PRId32", "PRIx64", "PRIu8", "\"a\\\"b\"", "\" z \""][..],
    );
    let gap = select(&["", " ", "  ", "\t"][..]);
    prop::collection::vec((gap, token), 0..5).prop_map(|tokens| {
        tokens.into_iter().fold(" \"\"".to_owned(), |text, (gap, token)| text + gap + token)
    })
}

/// Generates a declaration that is valid in new files. It may contain blanks wherever they are
/// allowed.
fn declaration() -> impl Strategy<Value = String> {
    let property = select(&["", "", "disable ", "disable  "][..]);
    let arguments = prop::collection::vec(ctype_and_name(), 0..6)
        .prop_map(|arguments| if arguments.is_empty() { "void".to_owned() } else { arguments.join(" ,  ") });
    let format = prop_oneof![1 => Just(String::new()), 4 => format()];
    (property, "[a-z0-9_]{1,8}", arguments, format)
        .prop_map(|(property, name, arguments, format)| format!("{property}{name}( {arguments}){format}"))
}

/// Parses, lints and renders `text`, and checks the positions of all results.
fn run(text: &str, dialect: Dialect) -> Parsed {
    let mut parsed = parse(vec![SourceFile::new("text", text)], dialect);
    lint(&mut parsed, &Levels::default(), Some(&["trace_name"].into()));
    for found in &parsed.diagnostics {
        assert!(text.get(found.span.clone()).is_some(), "{found:?}");
        let line_of = |at: usize| text[..at].matches('\n').count();
        assert_eq!(line_of(found.span.start), line_of(found.span.end), "{found:?}");
    }
    for format in [MessageFormat::Human { colour: true }, MessageFormat::Short, MessageFormat::Json] {
        let message = render(&parsed.diagnostics, &parsed.declarations.sources, format);
        assert!(!message.contains(|c: char| c.is_control() && c != '\n' && c != '\x1b'), "{message:?}");
    }
    let objects = render(&parsed.diagnostics, &parsed.declarations.sources, MessageFormat::Json);
    for (line, found) in objects.lines().zip(&parsed.diagnostics) {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(object["message"], found.message);
        assert_eq!(object["start_byte"], found.span.start);
        assert_eq!(object["help"].as_str(), found.help.as_deref());
    }
    parsed
}

/// Returns the meaning of declarations, which does not depend on blanks.
fn meaning(text: &str, dialect: Dialect) -> (Vec<String>, Vec<&'static str>) {
    let parsed = parse(vec![SourceFile::new("text", text)], dialect);
    let squeeze = |text: &str| text.replace([' ', '\t'], "");
    let events = parsed.declarations.events.iter().map(|event| {
        let arguments = event.arguments.iter().map(|argument| {
            let is_c_str = argument.ctype_text.as_str() == "const char *";
            (squeeze(&argument.ctype_text), is_c_str, argument.ctype, argument.name.to_string())
        });
        let format = event.format.as_ref().map(|format| outside_of_strings(format));
        let arguments: Vec<_> = arguments.collect();
        format!("{} {} {} {:?} {arguments:?} {format:?}", event.name, event.disabled, event.vcpu, event.tcg)
    });
    let tolerated = ["no-newline-at-end", "byte-order-mark"];
    let codes = parsed.diagnostics.iter().map(|found| found.code).filter(|code| !tolerated.contains(code));
    (events.collect(), codes.collect())
}

/// Removes the blanks between the string literals of `format`.
fn outside_of_strings(format: &str) -> String {
    let (mut out, mut in_string, mut escaped) = (String::new(), false, false);
    for c in format.chars() {
        let quote = c == '"' && !escaped;
        escaped = in_string && c == '\\' && !escaped;
        in_string ^= quote;
        if in_string || !c.is_whitespace() {
            out.push(c);
        }
    }
    out
}

proptest! {
    #[test]
    fn no_panics_and_valid_positions(text in text()) {
        for dialect in DIALECTS {
            run(&text, dialect);
        }
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let parsed = parse(vec![SourceFile::from_bytes("bytes", &bytes)], Dialect::NEW);
        let is_utf8 = std::str::from_utf8(&bytes).is_ok();
        prop_assert_eq!(parsed.diagnostics.iter().any(|found| found.code == "E0001"), !is_utf8);
    }

    #[test]
    fn well_formed_declarations_parse(declaration in declaration()) {
        let parsed = parse(vec![SourceFile::new("text", declaration.clone() + "\n")], Dialect::NEW);
        prop_assert_eq!(&parsed.diagnostics, &[], "{}", declaration);
        let [event] = &parsed.declarations.events[..] else { panic!("expected one event") };
        prop_assert_eq!(event.declaration.as_str(), &*declaration);
        let read = parse(vec![SourceFile::new("text", declaration.clone())], Dialect::Read);
        prop_assert_eq!(read.diagnostics, []);
    }

    #[test]
    fn spacing_is_idempotent(text in text()) {
        let once = normalise(&text);
        prop_assert_eq!(normalise(&once), once.clone());
        prop_assert_eq!(difference("text", &once), "");
        prop_assert_eq!(difference("text", &text).is_empty(), once == text);
    }

    #[test]
    fn spacing_changes_no_meaning(text in text()) {
        let once = normalise(&text);
        for dialect in DIALECTS {
            // The readers of format v0 accepted other words as names, such as `char*s`.
            if matches!(dialect, Dialect::Reader2010 | Dialect::Reader2011) {
                continue;
            }
            prop_assert_eq!(meaning(&text, dialect), meaning(&once, dialect), "{:?}\n{}", dialect, once);
        }
    }
}
