//! Parses real declarations: all of QEMU's declarations, from every period.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::path::PathBuf;

use ringtrace_events::format::{Format, Outline, Value};
use ringtrace_events::parse::{Dialect, Parsed, parse};
use ringtrace_events::spacing::normalise;
use ringtrace_events::{CType, Event, SourceFile};

/// Returns the folder of files that the original tools wrote, if it exists.
fn corpus() -> Option<PathBuf> {
    ringtrace_corpus::find_or_skip("")
}

fn parse_file(path: &str, dialect: Dialect) -> Option<Parsed> {
    let bytes = std::fs::read(corpus()?.join(path)).unwrap();
    Some(parse(vec![SourceFile::from_bytes(path, &bytes)], dialect))
}

#[test]
fn all_of_qemu_parses_without_a_problem() {
    for dialect in [Dialect::NEW, Dialect::Generate { legacy_types: false, strict: true }, Dialect::Read] {
        let Some(parsed) = parse_file("qemu/trace-events-all", dialect) else { return };
        assert_eq!(parsed.diagnostics, [], "{dialect:?}");
        let events = &parsed.declarations.events;
        assert_eq!(events.len(), 6011);
        assert_eq!(events.iter().filter(|event| event.disabled).count(), 15);
        let arguments = events.iter().flat_map(|event| &event.arguments);
        assert_eq!(arguments.filter(|argument| argument.ctype == CType::Unknown).count(), 0);
    }
}

/// Formats each event's name and argument names as one line.
fn outline(parsed: &Parsed) -> Vec<String> {
    let events = parsed.declarations.events.iter();
    events
        .map(|event| {
            let names: Vec<&str> = event.arguments.iter().map(|argument| argument.name.as_str()).collect();
            format!("{} {}", event.name, names.join(" ")).trim_end().to_owned()
        })
        .collect()
}

#[test]
fn unusual_lines_match_the_readers_of_format_v0() {
    for dialect in [Dialect::Reader2010, Dialect::Reader2011] {
        let Some(parsed) = parse_file("historic/simpletrace-v0/trace-events-odd2", dialect) else { return };
        let expected = ["ev_a a", "ev_indent b c", "ev_pri a", "ev_dis a", "ev_last z"];
        assert_eq!(outline(&parsed), expected, "{dialect:?}");
        assert_eq!(parsed.diagnostics, []);
    }
}

#[test]
fn empty_parentheses_stopped_the_readers_of_format_v0() {
    for dialect in [Dialect::Reader2010, Dialect::Reader2011] {
        let Some(parsed) = parse_file("historic/simpletrace-v0/trace-events-odd", dialect) else { return };
        assert_eq!(outline(&parsed), ["ev_a a"]);
        let codes: Vec<_> = parsed.diagnostics.iter().map(|problem| problem.code).collect();
        assert_eq!(codes, ["E0006"], "{dialect:?}");
    }
}

#[test]
fn void_was_a_name_for_the_readers_of_format_v0() {
    let Some(parsed) = parse_file("historic/simpletrace-v0/trace-events", Dialect::Reader2011) else {
        return;
    };
    assert_eq!(outline(&parsed)[..3], ["ev_none void", "ev_one a", "ev_two a b"]);
    assert_eq!(outline(&parsed).len(), 10);
}

#[test]
fn spacing_of_all_of_qemu_changes_no_meaning() {
    let Some(parsed) = parse_file("qemu/trace-events-all", Dialect::NEW) else { return };
    let before = &parsed.declarations;
    let text = normalise(before.sources[0].text());
    assert_eq!(normalise(&text), text);
    let after = parse(vec![SourceFile::new("normalised", text)], Dialect::NEW).declarations;
    assert_eq!(after.events.len(), before.events.len());
    for (before, after) in before.events.iter().zip(&after.events) {
        assert_eq!((&after.name, after.disabled), (&before.name, before.disabled));
        assert_eq!(Outline::parse(after.format.as_deref().unwrap_or_default()).errors, []);
        let types = |event: &Event| event.arguments.iter().map(|argument| argument.ctype).collect::<Vec<_>>();
        assert_eq!(types(after), types(before), "{}", before.name);
        let values: Vec<Value<'_>> =
            after.arguments.iter().map(|_| Value::Integer(0x8000_0000_dead_beef)).collect();
        let line = |event: &Event| {
            let mut line = Vec::new();
            Format::of(event).render(&types(event), &values, &mut line);
            line
        };
        assert_eq!(line(after), line(before), "{}", before.name);
    }
}
