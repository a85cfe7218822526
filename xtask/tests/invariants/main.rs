//! What always holds, as ARCHITECTURE.md says it. Its tables are read here, so that they cannot be wrong.
//!
//! The numbers of tests' names are those of its list.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests may; clippy knows only functions marked as tests"
)]

mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use source::{Source, sources};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The rows of the table in ARCHITECTURE.md whose first column is `heading`, in words between backticks.
fn table(heading: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut lines = text.lines().map(str::trim).skip_while(|line| !line.starts_with(heading));
    lines.next().unwrap_or_else(|| panic!("ARCHITECTURE.md has no table `{heading}`"));
    let rows = lines.skip(1).take_while(|line| line.starts_with('|'));
    rows.map(|row| row.split('|').skip(1).take(4).map(|cell| cell.trim().to_owned()).collect()).collect()
}

fn quoted(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The files in the first column of the table `heading`.
fn files_of_table(heading: &str) -> BTreeSet<String> {
    table(heading).iter().map(|row| row[0].trim_matches('`').to_owned()).collect()
}

/// The crates below `crates/`: the folder's word, and the names of what each depends on, tests aside.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--locked"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut crates = BTreeMap::new();
    for package in metadata["packages"].as_array().unwrap() {
        let manifest = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap();
        let Ok(folder) = manifest.strip_prefix(root().join("crates")) else { continue };
        let all = package["dependencies"].as_array().unwrap();
        let normal = all.iter().filter(|dependency| dependency["kind"].is_null());
        let names = normal.map(|dependency| dependency["name"].as_str().unwrap().to_owned());
        crates.insert(folder.to_str().unwrap().to_owned(), names.collect());
    }
    crates
}

#[test]
fn i1_crates_depend_as_the_table_says() {
    let mut said = BTreeMap::new();
    for row in table("| folder | does |") {
        let [folder, _does, ours, others] = row.as_slice() else { panic!("not four columns: {row:?}") };
        let folder = folder.trim_matches('`').strip_prefix("crates/").unwrap().to_owned();
        let ours = quoted(ours).into_iter().map(|word| format!("ringtrace-{word}"));
        said.insert(folder, ours.chain(quoted(others)).collect::<BTreeSet<String>>());
    }
    assert_eq!(dependencies(), said, "left: Cargo.toml of each crate, right: ARCHITECTURE.md");
}

/// Where code of `crate_name` says one of `words`.
fn places(crate_name: &str, words: &[&str]) -> Vec<String> {
    let found = sources(crate_name);
    found.iter().flat_map(|source| source.places(words)).collect()
}

#[test]
fn i2_events_and_wire_touch_nothing_outside() {
    for name in ["events", "wire"] {
        let outside = [
            "std::fs",
            "std::io",
            "std::net",
            "std::env",
            "std::process",
            "std::thread",
            "std::time",
            "unsafe",
        ];
        assert_eq!(places(name, &outside), [""; 0], "{name}");
        assert_eq!(places(name, &PRINTING), [""; 0], "{name}");
        let lib = std::fs::read_to_string(root().join("crates").join(name).join("src/lib.rs")).unwrap();
        assert!(lib.contains("#![forbid(unsafe_code)]"), "{name}");
    }
}

/// Words by which code prints.
const PRINTING: [&str; 7] =
    ["print!", "println!", "eprint!", "eprintln!", "dbg!", "std::io::stdout", "std::io::stderr"];

#[test]
fn i3_integers_are_taken_out_of_bytes_in_wire_alone() {
    let words = [
        "from_le_bytes",
        "from_be_bytes",
        "from_ne_bytes",
        "to_le_bytes",
        "to_be_bytes",
        "to_ne_bytes",
        "u32_at",
        "u64_at",
        "put_u32",
        "put_u64",
    ];
    let other_crates = dependencies().into_keys().filter(|name| name != "wire");
    let found: BTreeSet<String> = other_crates
        .flat_map(|name| sources(&name))
        .filter(|source| !source.places(&words).is_empty())
        .map(|source| source.path)
        .collect();
    assert_eq!(found, files_of_table("| file | whose bytes |"), "left: the code, right: ARCHITECTURE.md");
}

#[test]
fn i4_only_the_cli_prints_and_reads_the_environment() {
    let outside = [PRINTING.as_slice(), &["std::process::exit", "std::env"]].concat();
    let mut found = BTreeSet::new();
    for name in dependencies().into_keys() {
        let words = if name == "cli" { &["std::env"] } else { outside.as_slice() };
        let here = sources(&name).into_iter().filter(|source| !source.places(words).is_empty());
        found.extend(here.map(|source| source.path));
    }
    let said = files_of_table("| file | what it has to do with the outside |");
    assert_eq!(found, said, "left: the code, right: ARCHITECTURE.md");
}

#[test]
fn i5_unsafe_stands_in_the_files_listed() {
    let found: BTreeSet<String> = dependencies()
        .into_keys()
        .flat_map(|name| sources(&name))
        .filter(|source| !source.places(&["unsafe"]).is_empty())
        .map(|source| source.path)
        .collect();
    assert_eq!(found, files_of_table("| file | why |"), "left: the code, right: ARCHITECTURE.md");
}

#[test]
fn files_are_of_a_size_that_can_be_read() {
    for name in dependencies().into_keys() {
        for Source { path, lines, .. } in sources(&name) {
            assert!(lines <= 600, "{path} has {lines} lines: what else is in it?");
        }
    }
}

#[test]
fn no_file_is_named_for_nothing() {
    for name in dependencies().into_keys() {
        for Source { path, .. } in sources(&name) {
            for word in ["utils", "util", "helpers", "helper", "common", "misc", "manager"] {
                let named = Path::new(&path)
                    .components()
                    .any(|part| Path::new(part.as_os_str()).file_stem().is_some_and(|stem| stem == word));
                assert!(!named, "{path}");
            }
        }
    }
}

/// Every crate's first page has the picture, and says where in it the crate is.
#[test]
fn every_crate_shows_where_it_stands() {
    for name in dependencies().into_keys() {
        let folder = root().join("crates").join(&name).join("src");
        let page = ["lib.rs", "main.rs"]
            .into_iter()
            .find_map(|file| std::fs::read_to_string(folder.join(file)).ok());
        let page = page.unwrap();
        assert!(page.contains("//! trace-events --> tracetool"), "{name}");
        assert!(page.contains("you are here"), "{name}");
    }
}
