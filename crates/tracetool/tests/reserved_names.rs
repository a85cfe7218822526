//! The names that C headers reserve: those of the library, and those in generated code.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ringtrace_events::SourceFile;
use ringtrace_events::lint::RESERVED_NAMES;
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_tracetool::{BACKENDS, Format, Group, Request, SourceWriter};

/// The prefix of the functions of events.
const PREFIX: &str = "trace_";

/// Collects the names in `code` that begin with [`PREFIX`], without it. Comments are ignored.
fn collect(code: &str, names: &mut BTreeSet<String>) {
    for piece in code.split("/*") {
        let behind = piece.split_once("*/").map_or(piece, |(_, behind)| behind);
        let words = behind.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        names.extend(words.filter_map(|word| word.strip_prefix(PREFIX)).map(str::to_owned));
    }
}

fn headers(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { headers(&path) } else { vec![path] }).collect()
}

#[test]
fn all_names_of_the_library_are_reserved() {
    let mut names = BTreeSet::new();
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../capi/include");
    for header in headers(&include) {
        collect(&fs::read_to_string(header).unwrap(), &mut names);
    }
    let text = "vcpu own(int x) \"x=%d\"\n";
    let dialect = Dialect::Generate { legacy_types: true, strict: false };
    let parsed = parse(vec![SourceFile::new("trace-events", text)], dialect);
    let group = Group {
        name: "group",
        sources: parsed.declarations.sources.iter().collect(),
        events: parsed.declarations.events.iter().collect(),
    };

    for name in ["h", "c"] {
        let mut out = SourceWriter::new();
        (Format::named(name).unwrap().generate)(&Request::new(group.clone(), BACKENDS), &mut out).unwrap();
        collect(&out.finish(), &mut names);
    }
    // These depend on the names of the event and the group.
    names.retain(|name| name != "own" && !name.starts_with("group"));
    assert_eq!(names.iter().map(String::as_str).collect::<Vec<_>>(), RESERVED_NAMES);
}
