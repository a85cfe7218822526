//! Functions of `ringtrace.h`, and their errors.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod program;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use program::Bench;
use ringtrace_wire::compact::BlockHeader;

fn own() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| program::compile("extensions", "cc", "extensions.c", &[]))
}

/// Runs the program, which must succeed, and returns its output.
fn output_of(bench: &Bench, arguments: &[&str]) -> String {
    String::from_utf8(bench.run(own(), arguments).stdout).unwrap()
}

#[test]
fn options_are_taken_out_of_the_arguments() {
    let bench = Bench::new();
    let arguments = ["--trace", "demo_two,file=t", "-v", "--trace=-demo_named", "file", "--", "--trace", "x"];
    assert_eq!(output_of(&bench, &[&["args"], &arguments[..]].concat()), "0\nargs -v file -- --trace x\n");
    assert_eq!(bench.trace("t").lines, ["demo_two 1 2"]);
}

#[test]
fn help_lists_the_events_and_ends() {
    let listed = output_of(&Bench::new(), &["args", "--trace", "help"]);
    assert!(listed.starts_with("demo_"), "{listed}");
    assert!(listed.lines().any(|line| line == "demo_two"), "{listed}");
    assert!(!listed.contains("args"), "{listed}");
}

#[test]
fn the_variable_is_used() {
    let bench = Bench::new();
    let output = bench.command(own()).arg("args").env("RINGTRACE", "demo_two;file=v").output().unwrap();
    assert_eq!(output.stdout, b"0\nargs\n");
    assert_eq!(bench.trace("v").lines, ["demo_two 1 2"]);
}

#[test]
fn traces_are_compressed() {
    let bench = Bench::new();
    output_of(&bench, &["args", "--trace", "demo_two,file=t,format=compact,compress=zstd"]);
    assert_eq!(bench.trace("t").lines, ["demo_two 1 2"]);
    let file = std::fs::read(bench.path("t")).unwrap();
    assert!(BlockHeader::parse(&file).unwrap().is_zstd);
}

#[test]
fn errors_return_a_message() {
    let bench = Bench::new();
    let output = output_of(&bench, &["errors"]);
    assert_eq!(
        output.lines().collect::<Vec<_>>(),
        [
            "version 0.1.0, no error: ''",
            "-1 options=fiel=x: Invalid parameter 'fiel'; did you mean `file=`?",
            "-1 trace file /none/t: No such file or directory",
            "-1 tracing was not started",
            "-1 unknown backend 'sample'; did you mean `simple`?",
            "-1 snap: no trace is being recorded",
            "0 started without options",
            "0 started",
            "-1 tracing has already been started",
            "-1 /none/snap: No such file or directory",
            "-1 '\u{fffd}' is not UTF-8",
        ]
    );
}

#[test]
fn events_backends_and_traces_are_switched() {
    let bench = Bench::new();
    let output = bench.run(own(), &["life"]);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "1 switched, 0 unknown, flushed 1, snapshot 1, switched 0\nflushed 0\n"
    );
    assert_eq!(String::from_utf8_lossy(&output.stderr), "demo_two a 2 b 2\n");
    assert_eq!(bench.trace("first").lines, ["demo_two 1 2", "demo_two 3 2"]);
    assert_eq!(bench.trace("second").lines, ["demo_two 5 2"]);
    let last = bench.trace("snap").lines;
    assert_eq!(last, ["demo_two 5 2"]);
}
