//! Checks the tests that docs/proof.md lists.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{root, rust_files};

/// Returns the document without its code blocks, and the lines of its code blocks.
fn proof() -> (String, Vec<String>) {
    let text = std::fs::read_to_string(root().join("docs/proof.md")).unwrap();
    let (mut prose, mut code, mut is_code) = (String::new(), Vec::new(), false);
    for line in text.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        } else if is_code {
            code.push(line.to_owned());
        } else {
            prose += line;
            prose.push('\n');
        }
    }
    (prose, code)
}

/// Returns the words in backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Returns the names of the functions in `file` that are marked as tests.
fn tests_in(file: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let mut names = BTreeSet::new();
    let mut is_marked = false;
    for line in text.lines().map(str::trim_start) {
        is_marked |= line.starts_with("#[test]");
        if let Some(rest) = line.strip_prefix("fn ").filter(|_| is_marked) {
            names.extend(rest.split(['(', '<']).next().map(str::to_owned));
            is_marked = false;
        }
    }
    names
}

/// Returns whether the file or one of its folders has this name.
fn is_in(path: &Path, name: &str) -> bool {
    let stem = path.file_stem().is_some_and(|stem| stem == name);
    stem || path.components().any(|component| component.as_os_str() == name)
}

/// Returns all Rust files that may contain tests.
fn files() -> Vec<PathBuf> {
    ["crates", "examples", "fuzz/targets", "xtask"]
        .iter()
        .flat_map(|folder| rust_files(&root().join(folder)))
        .collect()
}

/// The document refers to tests as `FILE::FUNCTION`. FILE is the name of the file or of a folder
/// above it.
#[test]
fn tests_that_the_proof_names_exist() {
    let (prose, _) = proof();
    let files = files();
    let is_word =
        |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase() || b"_0123456789".contains(&byte));
    let names: BTreeSet<(&str, &str)> = quoted(&prose)
        .filter_map(|name| name.split_once("::"))
        .filter(|(file, test)| is_word(file) && is_word(test))
        .collect();
    assert!(names.len() > 50, "docs/proof.md names only {} tests", names.len());
    let missing: Vec<_> = names
        .iter()
        .filter(|(file, test)| !files.iter().any(|path| is_in(path, file) && tests_in(path).contains(*test)))
        .collect();
    assert!(missing.is_empty(), "docs/proof.md names tests that do not exist: {missing:?}");
}

#[test]
fn commands_of_the_proof_run_existing_tests() {
    let (_, code) = proof();
    let mut count = 0;
    for line in code.iter().filter(|line| line.contains("cargo test")) {
        let words: Vec<&str> = line.split_whitespace().take_while(|word| *word != "#").collect();
        for pair in words.windows(2).filter(|pair| pair[0] == "--test") {
            let found = files().iter().any(|path| {
                let is_file = path.parent().is_some_and(|folder| folder.ends_with("tests"))
                    && path.file_stem().is_some_and(|stem| stem == pair[1]);
                is_file || path.ends_with(Path::new("tests").join(pair[1]).join("main.rs"))
            });
            assert!(found, "there is no test {}: {line}", pair[1]);
            count += 1;
        }
    }
    assert!(count > 0);
}

/// The table of models lists every model, and no other.
#[test]
fn the_proof_lists_all_models() {
    let (prose, _) = proof();
    let (_, table) = prose.split_once("| model | shows |\n").expect("a table of models");
    let rows = table.lines().skip(1).take_while(|line| line.starts_with('|'));
    let listed: BTreeSet<&str> = rows.filter_map(|row| row.split('|').nth(1)).flat_map(quoted).collect();
    let folder = root().join("crates/runtime/tests/models");
    let sources: String =
        rust_files(&folder).iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    // The models of the ring are in a list. The monitor's models are separate tests.
    let (_, models) = sources.split_once("MODELS: &[Model] = &[").expect("the list of models");
    let (models, _) = models.split_once("];").unwrap();
    let mut existing: BTreeSet<&str> = models.split('"').skip(1).step_by(2).collect();
    let of_monitor = tests_in(&folder.join("monitor.rs"));
    existing.extend(of_monitor.iter().map(String::as_str));
    assert_eq!(listed, existing);
}
