//! Tests the project's documents. Sample output must be up to date, and the files that documents
//! name must exist.
//!
//! The info string of each code block determines how it is checked. A block marked `console` is a
//! session, run in a folder with `testdata`, `docs` and `python`. `RINGTRACE_ACCEPT=1` writes the
//! current output into the document.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod console;

use std::fs;
use std::path::{Path, PathBuf};

use console::{Shell, expect, root};
use ringtrace_events::glob;

/// The allowed info strings of code blocks, and where each kind of block is checked.
const MARKS: [(&str, &str); 19] = [
    ("c", "crates/tracetool/tests/generated/c.rs"),
    ("cmake", "xtask/tests/c_library.rs"),
    ("cpp", "xtask/tests/c_library.rs"),
    ("console", "here"),
    ("calls", "crates/tracetool/tests/calls.rs"),
    ("trace-events", "crates/events/tests/document.rs, crates/tracetool/tests/document.rs"),
    ("where", "crates/tracefile/tests/expression.rs"),
    ("mistake", "crates/tracefile/tests/expression.rs"),
    ("options", "crates/runtime/tests/options.rs"),
    ("mistaken-options", "crates/runtime/tests/options.rs"),
    ("addresses", "crates/runtime/tests/options.rs"),
    ("mistaken-addresses", "crates/runtime/tests/options.rs"),
    ("pycon", "crates/python/tests/test_documents.py"),
    ("spark", "crates/cli/tests/spark.rs"),
    ("sql", "crates/export/tests/tables.rs, crates/cli/tests/ingest/engines.rs"),
    ("sql-console", "crates/query/tests/sessions.rs"),
    (
        "rust",
        "docs/generate.md: testdata/tracetool/user; README.md, docs/options.md, docs/tracing.md: doctests; elsewhere \
         not checked, because the code itself is compiled",
    ),
    ("text", "not checked: a drawing or a layout"),
    ("sh", "not checked: commands that build, install or need something missing here"),
];

/// Returns all documents, as paths from the workspace's root.
fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(&root(), &mut found);
    found.sort();
    assert!(found.len() > 5, "{found:?}");
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" && name != "dist" {
                collect(&path, found);
            }
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// Creates a folder for sessions. It contains only links to the folders that they read.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["testdata", "docs", "python"] {
        std::os::unix::fs::symlink(root().join(name), folder.path().join(name)).unwrap();
    }
    folder
}

#[test]
fn samples_match_the_tools_output() {
    let mut differing = Vec::new();
    let mut conversations = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        let folder = folder();
        let shell = Shell::new(folder.path());
        let mut now = String::new();
        let mut lines = text.split_inclusive('\n');
        while let Some(line) = lines.next() {
            now.push_str(line);
            if line.trim_end() == "```console" {
                conversations += 1;
                let block: String = lines.by_ref().take_while(|line| line.trim_end() != "```").collect();
                assert!(
                    block.starts_with("$ "),
                    "{}: a conversation begins with a command",
                    document.display()
                );
                now.push_str(&shell.held_now(&block));
                now.push_str("```\n");
            }
        }
        differing.extend(expect(&document, &text, &now));
    }
    assert!(differing.is_empty(), "RINGTRACE_ACCEPT=1 accepts\n{}", differing.join("\n"));
    assert!(conversations > 5, "only {conversations} sessions were found");
}

#[test]
fn every_block_has_a_known_mark() {
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        let mut fences = text.lines().filter(|line| line.trim_start().starts_with("```"));
        while let Some(opening) = fences.next() {
            let mark = opening.trim_start().trim_start_matches('`');
            let word = mark.split_whitespace().next().unwrap_or_default();
            assert!(
                MARKS.iter().any(|(known, _)| *known == word),
                "{}: a block is marked `{mark}`, which no test checks",
                document.display()
            );
            let closing = fences.next();
            assert_eq!(
                closing.map(str::trim),
                Some("```"),
                "{}: a code block is not closed",
                document.display()
            );
        }
    }
}

#[test]
fn links_lead_somewhere() {
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split([')', ' ', '\n']).next().unwrap();
            let file = target.split('#').next().unwrap();
            if file.is_empty() || target.contains("://") {
                continue;
            }
            let path = document.parent().unwrap().join(file);
            assert!(path.exists(), "{}: the link target {target} does not exist", document.display());
        }
    }
}

/// The documents that code comments refer to as `docs/..` must exist.
#[test]
fn documents_that_code_names_exist() {
    let mut files = Vec::new();
    for folder in ["crates", "xtask", "fuzz/targets"] {
        files_below(&root().join(folder), &mut files);
    }
    for file in files.iter().filter(|file| file.extension().is_some_and(|it| it == "rs")) {
        let text = fs::read_to_string(file).unwrap();
        for (at, _) in text.match_indices("docs/") {
            let end = text[at..].find(|c: char| !c.is_ascii_alphanumeric() && !"/-_.".contains(c));
            let name = text[at..].get(..end.unwrap_or(0)).unwrap_or_default();
            let exists = !name.ends_with(".md") || root().join(name).exists();
            assert!(exists, "{}: {name} does not exist", file.display());
        }
    }
}

/// The files that documents refer to as `crates/..` or `docs/..` must exist. This finds incomplete
/// renames.
#[test]
fn files_that_are_named_exist() {
    const FOLDERS: [&str; 6] = ["crates/", "docs/", "testdata/", "xtask/", "fuzz/", "benches/"];
    for document in documents().iter().filter(|path| !path.ends_with("CHANGELOG.md")) {
        let text = fs::read_to_string(document).unwrap();
        for quoted in text.split('`').skip(1).step_by(2) {
            let is_path = FOLDERS.iter().any(|folder| quoted.starts_with(folder))
                && !quoted.contains(|c: char| c.is_whitespace() || "*{}<>$".contains(c))
                && !["NAME", "CODE", "DIR", "TARGET"].iter().any(|placeholder| quoted.contains(placeholder));
            assert!(
                !is_path || root().join(quoted).exists(),
                "{}: {quoted} does not exist",
                document.display()
            );
        }
    }
}

/// `testdata/README.md` must list the source of every file. It contains names and patterns in
/// backticks.
#[test]
fn every_file_of_testdata_has_a_provenance() {
    let folder = root().join("testdata");
    let text = fs::read_to_string(folder.join("README.md")).unwrap();
    let patterns: Vec<&str> =
        text.split('`').skip(1).step_by(2).filter(|word| word.contains(['.', '*'])).collect();
    let mut files = Vec::new();
    files_below(&folder, &mut files);
    let names: Vec<&str> =
        files.iter().map(|file| file.strip_prefix(&folder).unwrap().to_str().unwrap()).collect();
    let matches = |pattern: &str, name: &str| glob::matches(pattern.as_bytes(), name.as_bytes());
    for name in names.iter().filter(|name| **name != "README.md") {
        assert!(
            patterns.iter().any(|pattern| matches(pattern, name)),
            "testdata/README.md does not mention {name}"
        );
    }
    let of_this_folder = patterns.iter().filter(|pattern| pattern.contains('*'));
    for pattern in of_this_folder {
        assert!(
            names.iter().any(|name| matches(pattern, name)),
            "testdata/README.md: no file matches {pattern}"
        );
    }
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}
