//! Checks `docs/trace-events.md` against the language.
//!
//! Each code block marked `trace-events` is checked as a file. Words after the mark are the
//! expected codes; without any, the block must be correct. `legacy` accepts old types, `extended`
//! those for programs other than QEMU.
//! `RINGTRACE_ACCEPT=1` updates the table of codes.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::path::Path;

use ringtrace_events::SourceFile;
use ringtrace_events::codes::{CODES, find};
use ringtrace_events::lint::{Levels, lint};
use ringtrace_events::message::{MessageFormat, render};
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::spacing::normalise;

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/trace-events.md");

fn document() -> String {
    std::fs::read_to_string(DOCUMENT).unwrap()
}

#[test]
fn examples_have_the_expected_codes() {
    let document = document();
    let mut examples = 0;
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        let Some(marks) = line.strip_prefix("```trace-events") else { continue };
        examples += 1;
        let text: String =
            lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
        let (codes, flags): (Vec<&str>, Vec<&str>) =
            marks.split_whitespace().partition(|mark| find(mark).is_some());
        let dialect = match *flags {
            [] => Dialect::Generate { legacy_types: false, strict: true },
            ["legacy"] => Dialect::Generate { legacy_types: true, strict: true },
            ["extended"] => Dialect::Extended { strict: true },
            _ => panic!("{marks}: no such mark"),
        };
        let mut parsed = parse(vec![SourceFile::new("docs/trace-events.md", &*text)], dialect);
        lint(&mut parsed, &Levels::default(), None);
        let found: Vec<&str> = parsed.diagnostics.iter().map(|found| found.code).collect();
        let messages =
            render(&parsed.diagnostics, &parsed.declarations.sources, MessageFormat::Human { colour: false });
        assert_eq!(found, codes, "{text}{messages}");
        assert_eq!(normalise(&text), text, "examples have canonical spacing");
    }
    assert!(examples > 5, "only {examples} examples found");
}

#[test]
fn the_message_shown_is_the_message() {
    let line = r#"my_event(struct bar *b) "bar=%p""#;
    let text = "\n".repeat(13) + line + "\n";
    let parsed = parse(vec![SourceFile::new("hw/net/trace-events", text)], Dialect::NEW);
    let message =
        render(&parsed.diagnostics, &parsed.declarations.sources, MessageFormat::Human { colour: false });
    let shown: String = message.trim_end().lines().map(|line| format!("    {line}\n")).collect();
    assert!(document().contains(&shown), "{shown}");
}

#[test]
fn the_table_of_codes_is_complete() {
    let rows = CODES.iter().map(|code| {
        let number = if code.is_lint() { "" } else { code.code };
        format!("| {number} | `{}` | {} |\n", code.name, code.title)
    });
    let table = format!("| code | name | what it is |\n| --- | --- | --- |\n{}", rows.collect::<String>());
    let document = document();
    let (before, rest) = document.split_once("<!-- codes:").unwrap();
    let (mark, rest) = rest.split_once("-->\n").unwrap();
    let (shown, after) = rest.split_once("<!-- end of codes -->").unwrap();
    if std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1") {
        let new = format!("{before}<!-- codes:{mark}-->\n{table}<!-- end of codes -->{after}");
        std::fs::write(Path::new(DOCUMENT), new).unwrap();
        return;
    }
    assert_eq!(shown, table, "RINGTRACE_ACCEPT=1 writes the table");
}
