//! Tests sessions with the program: those in `tests/sessions`, and those in documents.
//!
//! A session consists of lines `$ COMMAND`, each followed by its output on both streams. Commands
//! run in a folder with `testdata`. `RINGTRACE_ACCEPT=1` writes the current output.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests fail with a panic, and may read the environment"
)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Creates a folder with links to the input of sessions, and a program `ringtrace`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    symlink(root().join("testdata"), folder.path().join("testdata")).unwrap();
    let tool = folder.path().join("bin/ringtrace");
    fs::create_dir(tool.parent().unwrap()).unwrap();
    let program = env!("CARGO_BIN_EXE_ringtrace-sql");
    fs::write(&tool, format!("#!/bin/sh\n[ \"$1\" = sql ] || exit 99\nshift\nexec '{program}' \"$@\"\n"))
        .unwrap();
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    let damaged = folder.path().join("damaged.bin");
    let mut bytes = fs::read(root().join("testdata/boot-small.bin")).unwrap();
    bytes[700_000..700_100].fill(0);
    fs::write(damaged, bytes).unwrap();
    folder
}

/// Runs the commands of a session, and returns the session with their output.
fn run(session: &str, folder: &Path) -> String {
    let path = format!("{}:{}", folder.join("bin").display(), std::env::var("PATH").unwrap());
    let mut text = String::new();
    let lines = session.lines().filter(|line| line.starts_with("$ ") || line.starts_with('#'));
    for line in lines {
        text.push_str(line);
        text.push('\n');
        let Some(command) = line.strip_prefix("$ ") else { continue };
        let output = Command::new("sh")
            .args(["-c", &format!("{{ {command}\n}} 2>&1")])
            .current_dir(folder)
            .env("PATH", &path)
            .env("HOME", folder)
            .output()
            .unwrap();
        text.push_str(&String::from_utf8_lossy(&output.stdout));
        if !text.ends_with('\n') {
            text.push('\n');
        }
        if !output.status.success() {
            text.push_str(&format!("[status {}]\n", output.status.code().unwrap_or(-1)));
        }
    }
    text
}

fn check(path: &Path, now: &str, before: &str, rewritten: String) {
    if std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1") {
        fs::write(path, rewritten).unwrap();
    } else {
        assert!(now == before, "{}: RINGTRACE_ACCEPT=1 accepts this output:\n{now}", path.display());
    }
}

#[test]
fn sessions_have_their_output() {
    let folder = folder();
    let mut paths: Vec<PathBuf> = fs::read_dir(root().join("crates/query/tests/sessions"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert!(paths.len() >= 4, "{paths:?}");
    for path in paths {
        let before = fs::read_to_string(&path).unwrap();
        let now = run(&before, folder.path());
        check(&path, &now, &before, now.clone());
    }
}

#[test]
fn examples_in_documents_have_their_output() {
    for (name, least) in [("docs/sql.md", 5), ("README.md", 1)] {
        let folder = folder();
        let path = root().join(name);
        let document = fs::read_to_string(&path).unwrap();
        let (mut now, mut blocks) = (String::new(), 0);
        let mut lines = document.lines();
        while let Some(line) = lines.next() {
            now.push_str(line);
            now.push('\n');
            if line == "```sql-console" {
                let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
                now.push_str(&run(&block.join("\n"), folder.path()));
                now.push_str("```\n");
                blocks += 1;
            }
        }
        assert!(blocks >= least, "{name}: {blocks}");
        check(&path, &now, &document, now.clone());
    }
}
