//! Parses the files in `testdata/declarations/ok`, and compares the results with golden files.
//!
//! A comment line `# read as: new read` lists the dialects for a file. The expected result is in
//! `NAME.out`. `RINGTRACE_ACCEPT=1` updates it.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use ringtrace_events::message::{MessageFormat, render};
use ringtrace_events::parse::{Dialect, Parsed, parse};
use ringtrace_events::{Event, SourceFile};

fn dialect(word: &str) -> Dialect {
    match word {
        "new" => Dialect::NEW,
        "legacy" => Dialect::Generate { legacy_types: true, strict: false },
        "extended" => Dialect::Extended { strict: false },
        "read" => Dialect::Read,
        "2010" => Dialect::Reader2010,
        "2011" => Dialect::Reader2011,
        _ => panic!("no dialect {word}"),
    }
}

/// Lists all parsed parts of the events, then the diagnostics.
fn outline(parsed: &Parsed) -> String {
    let mut text = String::new();
    for (id, event) in parsed.declarations.events.iter().enumerate() {
        writeln!(text, "{id} {}{}", event.name, marks(event)).unwrap();
        for argument in &event.arguments {
            writeln!(text, "    `{}` `{}` {:?}", argument.ctype_text, argument.name, argument.ctype).unwrap();
        }
        if let Some(format) = &event.format {
            writeln!(text, "    {}{format}", event.format_prefix).unwrap();
        }
    }
    text + &render(&parsed.diagnostics, &parsed.declarations.sources, MessageFormat::Short)
}

fn marks(event: &Event) -> String {
    let tcg = event.tcg.map(|half| format!("{half:?}"));
    let marks = [event.disabled.then_some("disabled"), event.vcpu.then_some("vcpu"), tcg.as_deref()];
    let marks: Vec<&str> = marks.into_iter().flatten().collect();
    if marks.is_empty() { String::new() } else { format!(" ({})", marks.join(", ")) }
}

#[test]
fn parsed_declarations_match_golden_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/declarations/ok");
    let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "events")).collect();
    files.sort();
    assert!(!files.is_empty());
    let mut failures = String::new();
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        let source = SourceFile::from_bytes(name, &std::fs::read(&file).unwrap());
        let words = source.text().lines().find_map(|line| line.strip_prefix("# read as: "));
        let mut text = String::new();
        for word in words.unwrap_or("new").split_whitespace() {
            let parsed = parse(vec![source.clone()], dialect(word));
            writeln!(text, "== {word}\n{}", outline(&parsed)).unwrap();
        }
        let accepted_file = file.with_extension("out");
        if std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1") {
            std::fs::write(&accepted_file, text).unwrap();
            continue;
        }
        let accepted = std::fs::read_to_string(&accepted_file).unwrap_or_default();
        if accepted != text {
            let file = accepted_file.display();
            writeln!(failures, "{file}: RINGTRACE_ACCEPT=1 accepts\n--- accepted\n{accepted}--- now\n{text}")
                .unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}");
}
