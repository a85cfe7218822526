//! Tests of `ringtrace sql`, which starts another program. That program has tests of its own.

#![allow(clippy::unwrap_used, reason = "allowed in tests, but clippy also checks their helpers")]

use std::path::Path;
use std::process::{Command, Output};

use ringtrace_peers::program;

/// Runs `ringtrace sql` from a copy of the tool in `folder`, with `path` as PATH.
fn sql(folder: &Path, path: &Path, arguments: &[&str]) -> Output {
    let tool = folder.join("ringtrace");
    if !tool.exists() {
        program::copy(Path::new(env!("CARGO_BIN_EXE_ringtrace")), &tool);
    }
    Command::new(tool).arg("sql").args(arguments).env("PATH", path).output().unwrap()
}

/// Creates a program `ringtrace-sql` that prints `word` and its arguments, and exits with status 7.
fn create_program(folder: &Path, word: &str) {
    let script = format!("#!/bin/sh\necho {word}\nfor word do echo \"<$word>\"; done\nexit 7\n");
    program::create_script(&folder.join("ringtrace-sql"), &script);
}

#[test]
fn the_program_gets_all_arguments_and_determines_the_status() {
    let folder = tempfile::tempdir().unwrap();
    create_program(folder.path(), "beside");
    let output =
        sql(folder.path(), Path::new("/bin"), &["--format", "csv", "a b", "-e", "x", "select\n1", "--help"]);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "beside\n<--format>\n<csv>\n<a b>\n<-e>\n<x>\n<select\n1>\n<--help>\n"
    );
    assert_eq!(output.status.code(), Some(7));
}

#[test]
fn the_program_beside_the_tool_is_preferred_to_path() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    create_program(other.path(), "path");
    let output = sql(folder.path(), other.path(), &["t"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "path\n<t>\n");
    create_program(folder.path(), "beside");
    let output = sql(folder.path(), other.path(), &["t"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "beside\n<t>\n");
}

#[test]
fn without_the_program_the_error_says_how_to_build_it() {
    let folder = tempfile::tempdir().unwrap();
    let output = sql(folder.path(), folder.path(), &["t", "select 1"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(4));
    assert!(error.contains("error: the program `ringtrace-sql` is not installed\n"), "{error}");
    assert!(error.contains("cargo install --path crates/query"), "{error}");
}
