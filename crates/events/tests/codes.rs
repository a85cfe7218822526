//! Checks the table of codes and its examples.

use ringtrace_events::SourceFile;
use ringtrace_events::codes::{CODES, find};
use ringtrace_events::lint::{Levels, lint};
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::text::{MAX_LINE_BYTES, MAX_SOURCE_BYTES};

/// Codes without examples, because an example would not be valid text, would be too large, or would
/// need source files.
const WITHOUT_EXAMPLE: [&str; 4] = ["E0001", "E0020", "E0021", "unused-event"];

#[test]
fn entries_are_complete_and_in_order() {
    for (index, code) in CODES.iter().enumerate() {
        if !code.is_lint() {
            assert_eq!(code.code, format!("E{:04}", index + 1));
        }
        assert!(!code.title.is_empty() && !code.title.ends_with('.'), "{}", code.code);
        assert!(code.explanation.trim_end_matches(')').ends_with('.'), "{}", code.code);
        assert!(code.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
        assert_eq!(find(&code.code.to_lowercase()), Some(*code));
        assert_eq!(find(code.name), Some(*code));
    }
}

#[test]
fn bad_examples_have_the_problem_and_no_other() {
    for code in CODES.iter().filter(|code| !WITHOUT_EXAMPLE.contains(&code.code)) {
        let found: Vec<_> = code.example().diagnostics.iter().map(|found| found.code).collect();
        assert!(!found.is_empty(), "{}", code.code);
        assert!(found.iter().all(|found| *found == code.code), "{}: {found:?}", code.code);
    }
}

/// A lint must report the same findings even if all other lints are allowed.
#[test]
fn a_lint_alone_finds_the_same() {
    let places = |levels: &Levels, name: &str| {
        let dialect = Dialect::Generate { legacy_types: true, strict: false };
        let sources = CODES.iter().map(|code| SourceFile::new(code.name, code.bad)).collect();
        let mut parsed = parse(sources, dialect);
        lint(&mut parsed, levels, Some(&["trace_my_event"].into()));
        let found = parsed.diagnostics.into_iter().filter(|found| found.code == name);
        found.map(|found| (found.source, found.span, found.message)).collect::<Vec<_>>()
    };
    for code in CODES.iter().filter(|code| code.is_lint()) {
        let mut alone = Levels::default();
        alone.allow(Levels::ALL).unwrap();
        alone.deny(code.name).unwrap();
        let among_others = places(&Levels::default(), code.name);
        assert!(!among_others.is_empty() || code.bad.is_empty(), "{}", code.name);
        assert_eq!(places(&alone, code.name), among_others, "{}", code.name);
    }
}

#[test]
fn good_examples_have_none() {
    for code in CODES {
        let legacy_types = code.good.starts_with("tcg ");
        let dialect = Dialect::Generate { legacy_types, strict: true };
        let mut parsed = parse(vec![SourceFile::new("good", code.good)], dialect);
        lint(&mut parsed, &Levels::default(), None);
        assert_eq!(parsed.diagnostics, [], "{}", code.code);
    }
}

#[test]
fn a_source_that_is_too_large_is_not_parsed() {
    let text = "a\n".repeat(MAX_SOURCE_BYTES / 2 + 1);
    let parsed = parse(vec![SourceFile::new("trace-4711", text)], Dialect::Read);
    let found: Vec<_> = parsed.diagnostics.iter().map(|found| found.code).collect();
    assert_eq!(found, ["E0020"]);
}

#[test]
fn a_line_that_is_too_long_is_left_out() {
    let long = "x".repeat(MAX_LINE_BYTES);
    let text = format!("a(int {long}) \"%d\"\n# {long}\nb(int x) \"%d\"\n");
    let parsed = parse(vec![SourceFile::new("trace-events", text)], Dialect::Read);
    let found: Vec<_> = parsed.diagnostics.iter().map(|found| found.code).collect();
    assert_eq!(found, ["E0021"]);
    assert_eq!(parsed.declarations.events.len(), 1);
}
