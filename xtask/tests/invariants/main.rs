//! The rules of ARCHITECTURE.md that neither the compiler nor clippy checks.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests may; clippy knows only functions marked as tests"
)]

mod cycles;
mod modules;
mod packages;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use packages::{Package, packages};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Returns the names of the folders in `crates`.
fn crate_names() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("crates")).unwrap().map(Result::unwrap);
    let folders = entries.filter(|entry| entry.path().join("Cargo.toml").is_file());
    let mut names: Vec<String> = folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    assert!(!names.is_empty());
    names
}

/// Returns the Rust files in `folder` and below, sorted; none if there is no such folder.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return files };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Returns the table below the heading `## Crates` of ARCHITECTURE.md: for each crate the crates of
/// this workspace that it depends on, in the columns whose heading starts with "depends on".
fn crate_table() -> BTreeMap<String, BTreeSet<String>> {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, section) = text.split_once("\n## Crates\n").expect("ARCHITECTURE.md has a heading `## Crates`");
    let mut rows = section.lines().skip_while(|line| !line.starts_with('|'));
    let cells = |row: &str| -> Vec<String> {
        row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let heading = cells(rows.next().expect("a table below `## Crates`"));
    let columns: Vec<usize> =
        (0..heading.len()).filter(|&column| heading[column].starts_with("depends on")).collect();
    assert!(!columns.is_empty(), "the table of crates has no column `depends on`: {heading:?}");
    let names = crate_names();
    let quoted =
        |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let rows = rows.skip(1).take_while(|line| line.starts_with('|')).map(|row| {
        let cells = cells(row);
        let name = quoted(&cells[0]).concat();
        let name = name.trim_start_matches("crates/").to_owned();
        let words = columns.iter().flat_map(|&column| quoted(&cells[column]));
        let words = words.map(|word| if word == "ringtrace" { "runtime".to_owned() } else { word });
        (name, words.filter(|word| names.contains(word)).collect())
    });
    rows.collect()
}

#[test]
fn crates_depend_on_each_other_as_the_table_lists() {
    let packages = packages();
    let folder_of = |name: &str| packages.iter().find(|package| package.name == name)?.crate_folder();
    let found: BTreeMap<String, BTreeSet<String>> = packages
        .iter()
        .filter_map(|package| {
            let names = package.dependencies.iter().filter_map(|name| folder_of(name));
            Some((package.crate_folder()?, names.collect()))
        })
        .collect();
    assert_eq!(found, crate_table(), "left: Cargo.toml of each crate, right: ARCHITECTURE.md");
}

/// Crates that parse untrusted bytes do not need access to anything outside the process.
#[test]
fn events_and_wire_do_no_input_or_output() {
    let outside =
        ["std::fs", "std::io", "std::net", "std::env", "std::process", "std::thread", "std::time", "std::os"];
    for name in ["events", "wire"] {
        for library in modules::crates(name) {
            assert_eq!(library.external_uses(&outside), [""; 0], "{name}");
        }
        let lib = std::fs::read_to_string(root().join("crates").join(name).join("src/lib.rs")).unwrap();
        assert!(lib.contains("#![forbid(unsafe_code)]"), "{name}");
    }
}

/// Clippy refuses `println!` in libraries, but does not detect these uses.
#[test]
fn libraries_do_not_write_to_standard_output() {
    // `--trace help` and warnings about options, as in QEMU; instructions to cargo, from build scripts.
    let allowed = ["crates/runtime/src/start/report.rs", "crates/tracetool/src/build/cargo.rs"];
    for library in crate_names().iter().filter(|name| *name != "cli").flat_map(|name| modules::crates(name)) {
        let mut found = library.external_uses(&["std::io::stdout", "std::io::stderr"]);
        found.retain(|found| {
            !library.name.contains("/bin/") && !allowed.iter().any(|file| found.starts_with(file))
        });
        assert_eq!(found, [""; 0], "{}", library.name);
    }
}

/// A module with unsafe code has an attribute: `#![expect(unsafe_code, reason = "...")]`.
#[test]
fn every_crate_refuses_unsafe_code_by_default() {
    for library in crate_names().iter().flat_map(|name| modules::crates(name)) {
        let text = std::fs::read_to_string(root().join(&library.name)).unwrap();
        let refuses =
            ["#![forbid(unsafe_code)]", "#![deny(unsafe_code)]"].iter().any(|line| text.contains(line));
        assert!(refuses, "{} needs `#![deny(unsafe_code)]`", library.name);
    }
}

#[test]
fn modules_depend_on_each_other_in_one_direction() {
    let mut violations = String::new();
    for library in crate_names().iter().flat_map(|name| modules::crates(name)) {
        violations.extend(cycles::violations(&library.name, &library.folders(), &library.edges()));
    }
    assert!(violations.is_empty(), "{violations}");
}

#[test]
fn files_are_short_enough_to_read() {
    for file in crate_names().iter().flat_map(|name| modules::crates(name)).flat_map(modules::Crate::files) {
        let lines = std::fs::read_to_string(root().join(&file)).unwrap().lines().count();
        assert!(lines <= 600, "{} has {lines} lines; split it by topic", file.display());
    }
}

#[test]
fn file_names_name_a_topic() {
    for file in crate_names().iter().flat_map(|name| modules::crates(name)).flat_map(modules::Crate::files) {
        for word in ["utils", "util", "helpers", "helper", "common", "misc", "manager"] {
            let is_named = |part: &Path| part.file_stem().is_some_and(|stem| stem == word);
            let named = file.components().any(|part| is_named(Path::new(part.as_os_str())));
            assert!(!named, "{}: name it for what it contains", file.display());
        }
    }
}

#[test]
fn every_published_crate_has_the_fields_that_crates_io_shows() {
    let mut missing = Vec::new();
    for package in packages().iter().filter(|package| package.crate_folder().is_some()) {
        missing.extend(package.missing_fields().map(|field| format!("{}: {field}", package.name)));
    }
    assert_eq!(missing, [""; 0]);
}

#[test]
fn crates_are_published_and_the_rest_is_not() {
    for Package { name, is_published, manifest, .. } in &packages() {
        assert_eq!(
            *is_published,
            manifest.starts_with("crates"),
            "{name}: `publish` in {}",
            manifest.display()
        );
    }
}
