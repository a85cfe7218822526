//! The rules of ARCHITECTURE.md that neither the compiler nor clippy checks.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod cycles;
mod modules;
mod packages;
mod proof;

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

/// Returns the Rust files in `folder` and below, sorted; none if the folder does not exist.
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

#[derive(Debug, Default, PartialEq, Eq)]
struct Dependencies {
    /// The folders of other crates in this workspace.
    ours: BTreeSet<String>,
    /// The names of external crates.
    others: BTreeSet<String>,
}

/// Returns the table below the heading `## Crates` of ARCHITECTURE.md: the dependencies of each
/// crate, and whether the list of external crates is complete. It is incomplete if it ends with
/// "and more".
fn crate_table() -> BTreeMap<String, (Dependencies, bool)> {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, section) = text.split_once("\n## Crates\n").expect("ARCHITECTURE.md has a heading `## Crates`");
    let mut rows = section.lines().skip_while(|line| !line.starts_with('|'));
    let heading = rows.next().expect("a table below `## Crates`");
    assert_eq!(heading, "| folder | does | depends on ours | depends on others |");
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<BTreeSet<_>>();
    let rows = rows.skip(1).take_while(|line| line.starts_with('|')).map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [name, _, ours, others] = cells[..] else { panic!("not four columns: {row}") };
        let is_complete = !others.ends_with("and more");
        (
            name.trim_matches('`').to_owned(),
            (Dependencies { ours: quoted(ours), others: quoted(others) }, is_complete),
        )
    });
    rows.collect()
}

#[test]
fn crates_depend_on_what_the_table_lists() {
    let packages = packages();
    let folder_of = |name: &str| packages.iter().find(|package| package.name == name)?.crate_folder();
    let mut listed = crate_table();
    for package in &packages {
        let Some(folder) = package.crate_folder() else { continue };
        let (listed, is_complete) =
            listed.remove(&folder).unwrap_or_else(|| panic!("{folder} is not listed"));
        let mut found = Dependencies::default();
        for name in &package.dependencies {
            match folder_of(name) {
                Some(folder) => found.ours.insert(folder),
                None => found.others.insert(name.clone()),
            };
        }
        if !is_complete {
            found.others.retain(|name| listed.others.contains(name));
        }
        assert_eq!(found, listed, "{folder}: left: Cargo.toml, right: ARCHITECTURE.md");
    }
    assert!(listed.is_empty(), "no such crates: {listed:?}");
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

/// Clippy forbids `println!` in libraries, but does not detect these uses.
#[test]
fn libraries_do_not_write_to_standard_output() {
    // The first file prints `--trace help` and warnings about options, as QEMU does. The second
    // file prints instructions for cargo from build scripts.
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
