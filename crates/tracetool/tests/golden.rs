//! What is generated of the files in `testdata/tracetool`.
//!
//! The Rust of `NAME.events` stands beside it in `NAME.rs`, or why there is none in `NAME.out`; a comment line `# read as: read` has it parsed as a reader of
//! old files does. `RINGTRACE_ACCEPT=1` writes what comes out now. That it compiles is for the package `testdata/tracetool/user`
//! to show.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests may; clippy knows only functions marked as tests"
)]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use ringtrace_events::codes::{Code, find};
use ringtrace_events::message::{MessageFormat, render};
use ringtrace_events::parse::{Dialect, Parsed, parse};
use ringtrace_events::{Severity, Source};
use ringtrace_tracetool::{FORMATS, Format, Group, Request, SourceWriter};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/tracetool")
}

/// The declarations of `text`, as its comment wants them to be read.
fn declarations(name: &str, text: &str) -> Parsed {
    let reader = text.lines().any(|line| line == "# read as: read");
    let parsed = parse(vec![Source::new(name, text)], if reader { Dialect::Read } else { Dialect::NEW });
    let errors = parsed.diagnostics.iter().filter(|found| found.severity == Severity::Error).count();
    assert_eq!(
        errors,
        0,
        "{}",
        render(&parsed.diagnostics, &parsed.declarations.sources, MessageFormat::Short)
    );
    parsed
}

/// The source that `format` makes of them; else what it has against them.
fn generate(format: &Format, group: &str, parsed: &Parsed) -> Result<String, String> {
    let declarations = &parsed.declarations;
    let group = Group {
        name: group,
        sources: declarations.sources.iter().collect(),
        events: declarations.events.iter().collect(),
    };
    let mut out = SourceWriter::new();
    match (format.generate)(&Request::new(group, &[]), &mut out) {
        Ok(()) => Ok(out.finish()),
        Err(refused) => Err(render(&refused, &declarations.sources, MessageFormat::Human { colour: false })),
    }
}

#[test]
fn what_is_generated() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "events"))
        .collect();
    files.sort();
    assert!(files.len() > 5);
    let format = Format::named("ringtrace-rs").unwrap();
    let mut failures = String::new();
    for file in files {
        let group = file.file_stem().unwrap().to_str().unwrap();
        let name = file.file_name().unwrap().to_str().unwrap();
        let parsed = declarations(name, &std::fs::read_to_string(&file).unwrap());
        let (text, extension) = match generate(format, group, &parsed) {
            Ok(text) => (text, "rs"),
            Err(refused) => (refused, "out"),
        };
        let accepted_file = file.with_extension(extension);
        if std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1") {
            std::fs::write(accepted_file, text).unwrap();
            continue;
        }
        if std::fs::read_to_string(&accepted_file).unwrap_or_default() != text {
            let file = accepted_file.display();
            writeln!(failures, "{file}: RINGTRACE_ACCEPT=1 accepts; now it is\n{text}").unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn formats_have_names_of_their_own() {
    for (index, format) in FORMATS.iter().enumerate() {
        assert!(!FORMATS[..index].iter().any(|other| other.name == format.name));
        assert!(!format.about.is_empty());
        for lint in format.denied_lints {
            assert!(find(lint).is_some_and(Code::is_lint), "{lint}");
        }
    }
}
