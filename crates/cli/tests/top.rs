//! Tests `ringtrace top` without a terminal, with conversations in `testdata/top` and with counts
//! of the example `engine`. `tests/screens` tests the screen, and `src/command/top/view/tests.rs`
//! tests each state of the screen.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod console;
mod engine;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use console::{Shell, expect, root};
use ringtrace_peers::monitored::wait_until;
use ringtrace_peers::program;
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};

const TOOL: &str = env!("CARGO_BIN_EXE_ringtrace");

/// No process has this id.
const NOBODY: u32 = 4_194_305;

const DECLARATIONS: &str = "\
tick(int n) \"n=%d\"
tock(int n) \"n=%d\"
never(void) \"\"
";

/// Returns a trace of ten seconds with one event whose rate rises and one whose rate falls.
fn rising_and_falling() -> Vec<u8> {
    let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
    let mut bytes = Vec::new();
    encoder.header(0, 0, &mut bytes);
    encoder.mapping(0, b"tick", &mut bytes);
    encoder.mapping(1, b"tock", &mut bytes);
    for second in 0..=10_u64 {
        let at_ns = (1000 + second) * 1_000_000_000;
        for n in 0..second * 10 {
            encoder.record(0, at_ns + n, NOBODY, &[Value::Integer(n)], &mut bytes).unwrap();
        }
        for n in 0..10 - second {
            encoder.record(1, at_ns + n, NOBODY, &[Value::Integer(n)], &mut bytes).unwrap();
        }
        if second == 7 {
            encoder.dropped(25, at_ns, NOBODY, &mut bytes);
        }
    }
    bytes
}

/// Writes a trace with an old modification time.
fn write_old(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
    let before = SystemTime::now() - Duration::from_secs(3600);
    File::options().write(true).open(path).unwrap().set_modified(before).unwrap();
}

/// Checks a conversation in `folder`.
fn hold(name: &str, folder: &Path) {
    let file = root().join("testdata/top").join(name);
    let accepted = fs::read_to_string(&file).unwrap();
    let differing = expect(&file, &accepted, &Shell::new(folder).held_now(&accepted));
    assert_eq!(differing, None, "RINGTRACE_ACCEPT=1 accepts");
}

#[test]
fn of_traces() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("events"), DECLARATIONS).unwrap();
    let bytes = rising_and_falling();
    write_old(&path("trace.bin"), &bytes);
    write_old(&path("damaged.bin"), &[&bytes[..], &[0xee; 1 << 20]].concat());
    write_old(&path("cut.bin"), &bytes[..bytes.len() - 5]);
    write_old(&path("nothing.bin"), &bytes[..24]);
    hold("trace.console", folder.path());
}

#[test]
fn mistakes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("text"), "no trace at all\n").unwrap();
    fs::write(path("empty"), "").unwrap();
    fs::create_dir(path("folder")).unwrap();
    write_old(&path("trace.bin"), &rising_and_falling());
    drop(UnixListener::bind(path("dead")).unwrap());
    hold("mistakes.console", folder.path());
}

/// Masks varying numbers, and the column widths that depend on them.
const MASKED: &str = r#"#!/bin/sh
exec sed -E -e "s|$PWD|FOLDER|" -e 's/[0-9][0-9.,]*( [kMG]\b)?/N/g; s/ - / N /g; s/ +/ /g; s/ (KiB|MiB|B)$/ SIZE/; s/for N (ms|s);/for TIME;/'
"#;

#[test]
fn of_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let masked = folder.path().join("masked");
    program::create_script(&masked, MASKED);
    let _engine = engine::start(folder.path(), "auto", &["--trace", "blk_*,file=x.trace"]);
    hold("program.console", folder.path());
}

fn top(folder: &Path, arguments: &[&str]) -> Output {
    let mut top = Command::new(TOOL);
    top.arg("top").args(arguments).current_dir(folder).env("LC_ALL", "C").env_remove("COLUMNS");
    top.output().unwrap()
}

/// Returns the number in column `head` for each event, and the first line.
fn table(output: &Output, head: &str) -> (BTreeMap<String, u64>, String) {
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let mut lines = text.lines();
    let first = lines.next().unwrap().to_owned();
    let heads = lines.by_ref().find(|line| line.contains("RECORDED")).unwrap();
    let end = heads.find(head).unwrap() + head.len();
    let rows = lines.map(|line| {
        let number = line[..end].rsplit(' ').next().unwrap().replace(',', "");
        (line.rsplit(' ').next().unwrap().to_owned(), number.parse().unwrap())
    });
    (rows.collect(), first)
}

/// The program's own counts, the summary of its trace, and the trace's records agree.
#[test]
fn counts_are_those_of_the_trace() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let engine = engine::start(folder, "auto", &["--trace", "*,file=x.trace"]);
    wait_until("a hundred events", || {
        let (events, _) = table(&top(folder, &["--once", "--interval", "0.05", "socket"]), "RECORDED");
        events.values().sum::<u64>() > 100
    });
    let ctl = |words: &[&str]| {
        let said = Command::new(TOOL).args(["ctl", "socket"]).args(words).current_dir(folder).output();
        assert!(said.unwrap().status.success(), "{words:?}");
    };
    ctl(&["trace-event", "*", "off"]);
    ctl(&["trace-file", "flush"]);
    // Probes that were running when their events were disabled have finished by the second sample.
    let output = top(folder, &["--once", "--interval", "0.05", "socket"]);
    let (told, first) = table(&output, "RECORDED");
    let (dropped, _) = table(&output, "DROPPED");
    let recorded: u64 = told.values().sum();
    let number = ringtrace_number(recorded);
    assert!(first.contains(&format!(" {number} recorded, ")), "{first}; the records add up to {number}");
    assert_eq!(dropped.values().sum::<u64>(), 0, "{first}");
    assert!(engine.end().status.success());
    let (read, first) = table(&top(folder, &["--once", "x.trace"]), "RECORDED");
    assert!(first.contains("no longer written"), "{first}");
    assert_eq!(read, told);
}

/// Formats a number as the tool does, like `1,234`.
fn ringtrace_number(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap());
    groups.collect::<Vec<_>>().join(",")
}

#[test]
fn tables_end_with_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine::start(folder.path(), "auto", &["--trace", "blk_*,file=x.trace"]);
    let mut top = Command::new(TOOL);
    top.args(["top", "--batch", "--interval", "0.05", "socket"]).current_dir(folder.path());
    let tables = folder.path().join("tables");
    top.stdout(File::create(&tables).unwrap()).stderr(Stdio::piped());
    let top = top.spawn().unwrap();
    wait_until("three tables", || fs::read_to_string(&tables).unwrap().matches("RECORDED").count() > 2);
    assert!(engine.end().status.success());
    let output = top.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "note: the program has ended\n");
    let tables = fs::read_to_string(tables).unwrap();
    assert!(tables.split("\n\n").all(|table| table.starts_with("engine ")), "{tables}");
}
