//! Tests `check`, `fmt` and `explain` with the files of `testdata/declarations`.
//!
//! A test is a file `NAME.events` in a folder named after the tested feature. A comment line that
//! starts with `# ringtrace ` is the command line, to which the file name is appended. Without such
//! a line, the command is `ringtrace check`, or `ringtrace fmt - < NAME.events` in the folder
//! `fmt`. The expected output and exit status are in `NAME.out`. `RINGTRACE_ACCEPT=1` writes the
//! current output. A new case needs a new file and no code.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ringtrace_events::codes::CODES;
use ringtrace_tracefile::pair::PAIR_CODES;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/declarations").join(name)
}

/// Returns the `.events` files of a folder, sorted.
fn inputs(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "events")).collect();
    files.sort();
    assert!(!files.is_empty(), "no test files in {}", folder.display());
    files
}

/// Returns the tool's output for `arguments` in `folder`, and its exit status in brackets.
fn transcript(folder: &Path, arguments: &[&str], stdin: Option<&Path>) -> String {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    tool.args(arguments).current_dir(folder);
    tool.stdin(stdin.map_or(Stdio::null(), |path| std::fs::File::open(path).unwrap().into()));
    let output = tool.output().unwrap();
    let mut text = String::from_utf8(output.stdout).unwrap();
    text.push_str(&String::from_utf8(output.stderr).unwrap());
    text.push_str(&format!("[exit {}]\n", output.status.code().unwrap()));
    text
}

/// Compares `text` with the accepted text in `path`.
fn expect(path: &Path, text: &str) -> Result<(), String> {
    if std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1") {
        std::fs::write(path, text).unwrap();
        return Ok(());
    }
    let accepted = std::fs::read_to_string(path).unwrap_or_default();
    if accepted == text {
        return Ok(());
    }
    Err(format!("{}: RINGTRACE_ACCEPT=1 accepts\n--- accepted\n{accepted}--- now\n{text}", path.display()))
}

fn run_folder(name: &str) {
    let folder = folder(name);
    let mut failures = Vec::new();
    for input in inputs(&folder) {
        let bytes = std::fs::read(&input).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let command_line = text.lines().find_map(|line| line.strip_prefix("# ringtrace "));
        let file = input.file_name().unwrap().to_str().unwrap();
        let text = match command_line {
            Some(line) => {
                let arguments: Vec<&str> = line.split_whitespace().chain([file]).collect();
                transcript(&folder, &arguments, None)
            }
            None if name == "fmt" => transcript(&folder, &["fmt", "-"], Some(&input)),
            None => transcript(&folder, &["check", file], None),
        };
        failures.extend(expect(&input.with_extension("out"), &text).err());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn errors() {
    run_folder("err");
}

#[test]
fn lints() {
    run_folder("lint");
}

#[test]
fn spacing() {
    run_folder("fmt");
}

/// Codes that no file in the repository can cause, and the tests that cause them.
const SHOWN_ELSEWHERE: [(&str, &str); 2] = [
    ("E0020", "a_source_that_is_too_large_is_not_parsed, in the crate events"),
    ("E0021", "a_line_that_is_too_long_is_left_out, in the crate events"),
];

#[test]
fn every_code_has_a_test_file_that_shows_it() {
    for code in CODES.iter().filter(|code| !SHOWN_ELSEWHERE.iter().any(|(shown, _)| *shown == code.code)) {
        let (file, mark) = if code.is_lint() {
            (folder("lint").join(format!("{}.out", code.name)), format!("warning[{}]", code.code))
        } else {
            (folder("err").join(format!("{}-{}.out", code.code, code.name)), format!("error[{}]", code.code))
        };
        let text = std::fs::read_to_string(&file).unwrap_or_else(|_| panic!("{} is missing", file.display()));
        assert!(text.contains(&mark), "{} does not show {mark}", file.display());
    }
}

#[test]
fn explanations() {
    let mut text = transcript(&folder(""), &["explain"], None);
    for code in CODES.iter().chain(PAIR_CODES) {
        text.push('\n');
        text.push_str(&transcript(&folder(""), &["explain", code.code], None));
    }
    expect(&folder("explain.out"), &text).unwrap_or_else(|difference| panic!("{difference}"));
}
