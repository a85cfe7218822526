//! Datasets in object stores. A script takes the place of the program `ringtrace-sql`, which has tests
//! of its own.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use ringtrace_peers::program;

use super::fleet::FLEET;

/// Runs `ringtrace ingest s3://bucket/fleet` for the first traces of the fleet. `folder` is PATH, and
/// the folder for temporary files.
fn ingest(folder: &Path, traces: usize, options: &[&str]) -> Output {
    let paths = FLEET.iter().take(traces).map(super::fleet::Recording::path);
    Command::new(env!("CARGO_BIN_EXE_ringtrace"))
        .args(["ingest", "s3://bucket/fleet"])
        .args(options)
        .args(paths)
        .env("PATH", format!("{}:/usr/bin:/bin", folder.display()))
        .env("TMPDIR", folder)
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap()
}

/// Creates a program that appends its options, and the number of files in the folder that it is
/// given, to `log`. For `--publish`, it then runs `publish`.
fn create_program(folder: &Path, publish: &str) {
    let path = folder.join("ringtrace-sql");
    let script = format!(
        "#!/bin/sh\ncd '{}'\n\
         echo \"$1 $2 $4 $(find \"$3/traces\" \"$3/events\" -type f 2> /dev/null | wc -l)\" >> log\n\
         case $1 in --publish)\n{publish}\nesac\n",
        folder.display()
    );
    program::create_script(&path, &script);
}

#[test]
fn each_trace_is_published() {
    let folder = tempfile::tempdir().unwrap();
    // The types of the second trace's columns are registered by another process at the same time.
    create_program(
        folder.path(),
        "case $(wc -l < log) in 2) printf changed ;; 3) printf columns ;; *) printf unchanged ;; esac",
    );
    let output = ingest(folder.path(), 2, &["--signed"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (one, two) = ("a1000000000000000000000000000001", "a2000000000000000000000000000002");
    let log = fs::read_to_string(folder.path().join("log")).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines[0], "--fetch-signed s3://bucket/fleet  0");
    let calls: Vec<&str> = lines[1..].iter().map(|line| line.rsplit_once(' ').unwrap().0).collect();
    let call = |trace: &str| format!("--publish s3://bucket/fleet {trace}");
    assert_eq!(calls, [call(one), call(two), call(two)]);
    // Each time, the folder contains only one trace.
    assert_eq!(lines[2], lines[3]);
    assert!(
        lines[1..].iter().all(|line| line.rsplit_once(' ').unwrap().1.parse::<usize>().unwrap() > 3),
        "{log}"
    );
    let said = String::from_utf8(output.stdout).unwrap();
    let said: Vec<&str> = said.lines().collect();
    assert_eq!(said.len(), 2);
    assert!(said[0].ends_with(&format!(" files, as trace {one}")), "{said:?}");
    assert!(said[1].ends_with(&format!(" files, as trace {two} (already there)")), "{said:?}");
    // No temporary files are left.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn errors_of_the_program_end_the_ingest() {
    let folder = tempfile::tempdir().unwrap();
    create_program(folder.path(), "echo 'error: access denied' >&2; exit 4");
    let output = ingest(folder.path(), 2, &[]);
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "error: access denied\n");
    assert_eq!(output.stdout, b"");
    assert_eq!(fs::read_to_string(folder.path().join("log")).unwrap().lines().count(), 2);

    create_program(folder.path(), "printf other");
    let output = ingest(folder.path(), 1, &[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(4));
    assert!(
        said.contains("ringtrace-sql printed `other`\n") && said.contains("of the same version"),
        "{said}"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn without_the_program_the_error_says_how_to_build_it() {
    let folder = tempfile::tempdir().unwrap();
    let output = ingest(folder.path(), 1, &[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(4));
    assert!(said.contains("error: the program `ringtrace-sql` is not installed\n"), "{said}");
    assert!(said.contains("cargo install --path crates/query"), "{said}");
}
