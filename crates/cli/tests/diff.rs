//! Tests `ringtrace diff` with console sessions, and with real recordings of the example `engine`.
//! Some pairs of recordings are alike; in others, a single step is slower.
//!
//! The sessions in `testdata/diff` run in a folder with the recordings of `testdata` and those that
//! [`folder`] creates.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod console;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use console::Shell;
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

const DECLARATIONS: &str = "\
read_begin(uint64_t id) \"id=%u\"
read_end(uint64_t id) \"id=%u\"
retry(uint64_t id) \"id=%u\"
tick(uint64_t id) \"id=%u\"
";

/// Creates a trace with a read every 100 µs that takes `read_ns` (within 10 %), a tick after each
/// read, and a retry after every `retries`-th read.
fn trace(reads: u64, read_ns: u64, retries: Option<u64>, dropped: bool) -> Vec<u8> {
    stretched_trace(1, reads, read_ns, retries, dropped)
}

/// Creates a trace like [`trace`] in which everything takes `times` times as long.
fn stretched_trace(times: u64, reads: u64, read_ns: u64, retries: Option<u64>, dropped: bool) -> Vec<u8> {
    let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
    let mut out = Vec::new();
    encoder.header(0, 0, &mut out);
    for (id, name) in [(0, "read_begin"), (1, "read_end"), (2, "retry"), (3, "tick")] {
        encoder.mapping(id, name.as_bytes(), &mut out);
    }
    let mut add = |event, ns: u64, id| {
        let ns = 1_000_000_000 + (ns - 1_000_000_000) * times;
        encoder.record(event, ns, 10, &[Value::Integer(id)], &mut out).unwrap();
    };
    for id in 0..reads {
        let begin_ns = 1_000_000_000 + id * 100_000;
        let uneven_ns = read_ns / 10 * (id * 7919 % 21) / 10;
        add(0, begin_ns, id);
        add(1, begin_ns + read_ns + uneven_ns, id);
        if retries.is_some_and(|retries| id % retries == 0) {
            add(2, begin_ns + 80_000, id);
        }
        add(3, begin_ns + 90_000, id);
    }
    if dropped {
        encoder.dropped(1234, 1_000_000_000 + reads / 2 * 100_000, 10, &mut out);
    }
    out
}

/// Creates a recording in which 7 of every 10 ms are missing, with retries only right after the
/// gaps.
fn lossy() -> Vec<u8> {
    let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
    let mut out = trace(0, 0, None, false);
    for id in (0..5000).filter(|id| id % 100 >= 70) {
        let ns = 1_000_000_000 + id * 100_000;
        if id % 100 == 70 {
            encoder.dropped(70, ns, 10, &mut out);
        }
        let events: &[u64] = if id % 100 < 72 { &[3, 2] } else { &[3] };
        for &event in events {
            encoder.record(event, ns, 10, &[Value::Integer(id)], &mut out).unwrap();
        }
    }
    out
}

/// Creates a folder with recordings, for the sessions.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["boot-small.bin", "boot-small.events", "qemu-io.bin", "qemu-io.events"] {
        fs::copy(testdata().join(name), folder.path().join(name)).unwrap();
    }
    for (name, bytes) in [
        ("before.bin", trace(5000, 20_000, None, false)),
        ("after.bin", trace(4000, 26_000, Some(20), false)),
        ("slower.bin", trace(5000, 30_000, None, false)),
        ("dropped.bin", trace(5000, 20_000, None, true)),
        ("short.bin", trace(5, 20_000, None, false)),
        ("lossy.bin", lossy()),
        ("stretched.bin", stretched_trace(71, 5000, 20_000, None, false)),
        ("stretched-read.bin", stretched_trace(71, 5000, 40_000, None, false)),
        ("empty.bin", trace(0, 0, None, false)),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    fs::write(folder.path().join("made.events"), DECLARATIONS).unwrap();
    std::os::unix::fs::symlink(testdata().join("diff/traces"), folder.path().join("traces")).unwrap();
    folder
}

#[test]
fn console_sessions() {
    let folder = folder();
    Shell::new(folder.path()).hold_all(&testdata().join("diff"));
}

#[test]
fn every_member_of_the_json_is_described() {
    let description = fs::read_to_string(testdata().join("../docs/diff.md")).unwrap();
    let folder = folder();
    let line = "ringtrace diff --json -e made.events before.bin after.bin --pair read_begin:read_end:id";
    let document: serde_json::Value = serde_json::from_str(&Shell::new(folder.path()).answer(line)).unwrap();
    let mut members = Vec::new();
    collect_members(&document, &mut members);
    assert!(members.len() > 50);
    for member in members {
        assert!(description.contains(&format!("`{member}`")), "docs/diff.md does not describe `{member}`");
    }
}

#[test]
fn a_page_lists_all_changes_and_is_self_contained() {
    let folder = folder();
    let line =
        "ringtrace diff -e made.events before.bin after.bin --pair read_begin:read_end:id -o page.html";
    assert_eq!(Shell::new(folder.path()).answer(line), "");
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    for told in
        ["<h1>2 changes</h1>", "mean of read_begin:read_end:id", "+30%", "retry", "<th class=n>A", "<svg "]
    {
        assert!(page.contains(told), "{told} is not in {page}");
    }
    assert!(!page.contains("http://") && !page.contains("https://"), "{page}");
    assert!(page.len() < 100_000);
}

#[test]
fn a_phone_shows_all_columns_of_the_page() {
    let folder = folder();
    let line =
        "ringtrace diff -e made.events before.bin after.bin --pair read_begin:read_end:id -o page.html";
    assert_eq!(Shell::new(folder.path()).answer(line), "");
    let steps = r"
await page.setViewportSize({ width: 400, height: 800 });
await page.goto('file://' + args[0]);
const cut = await page.evaluate(() => [...document.querySelectorAll('td, thead th')].map(cell => [cell.textContent, cell.getBoundingClientRect().right]).filter(([, right]) => right > 400));
expect(cut.length === 0, 'all cells within 400 pixels, found ' + JSON.stringify(cut));
expect(await page.evaluate(() => [...document.querySelectorAll('.scroll')].every(part => part.scrollWidth <= part.clientWidth)), 'nothing to scroll');
expect(await page.locator('td').count() >= 12, 'cells');
return 'done';
";
    let Some(ran) = ringtrace_peers::chromium::run(steps, &[folder.path().join("page.html")]) else { return };
    assert_eq!(ran.succeeded().trim(), "done");
}

fn collect_members(value: &serde_json::Value, members: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(object) => {
            for (member, value) in object {
                members.push(member.clone());
                collect_members(value, members);
            }
        }
        serde_json::Value::Array(values) => values.iter().for_each(|value| collect_members(value, members)),
        _ => {}
    }
}

/// If one recording is much longer, the period that both cover is compared as if it were all.
#[test]
fn a_much_longer_recording_is_compared_at_its_start() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("made.events"), DECLARATIONS).unwrap();
    fs::write(folder.path().join("long"), trace(60_000, 20_000, None, false)).unwrap();
    fs::write(folder.path().join("short"), trace(1500, 30_000, None, false)).unwrap();
    let diff = |words: &[&str]| {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
        let words = [&["diff", "-e", "made.events", "--pair", "read_begin:read_end:id"], words].concat();
        let output = tool.current_dir(folder.path()).args(words).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let changes = |text: &str| text.split("\n\n").take(2).collect::<Vec<_>>().join("\n");
    for names in [["long", "short"], ["short", "long"]] {
        let text = diff(&names);
        assert!(text.contains(" mean of read_begin:read_end:id\n"), "{text}");
        assert!(text.contains("The first 150 ms of each recording were compared"), "{text}");
        let dated = diff(&[&names[..], &["--epoch", "short=2026-11-23T00:00:00Z"]].concat());
        assert_eq!(dated, text);
        let limited = diff(&[&names[..], &["--until", "0.15"]].concat());
        assert_eq!(changes(&text), changes(&limited));
    }
}

/// Creates a recording of the engine.
fn record(folder: &Path, name: &str, options: &[&str]) -> PathBuf {
    let engine = Path::new(env!("CARGO_BIN_EXE_ringtrace")).with_file_name("engine");
    assert!(engine.exists(), "{}: build it with `cargo build --workspace --bins`", engine.display());
    let trace = format!("*,file={name},policy=block");
    let output = Command::new(engine)
        .current_dir(folder)
        .env_remove("RINGTRACE")
        .env_remove("RINGTRACE_MONITOR")
        .env("RINGTRACE_DIR", folder.join("arenas"))
        .args(options)
        .args(["--trace", &trace])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder.join(name)
}

/// Returns the findings of a comparison of two recordings of the engine: the change, and the name
/// of the event or pair.
fn found(a: &Path, b: &Path) -> Vec<(String, String)> {
    let mut diff = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    diff.arg("diff").arg("--json").args([a, b]);
    for pair in ["blk_submit:blk_complete:req", "get_begin:get_end:op", "put_begin:put_end:op"] {
        diff.args(["--pair", pair]);
    }
    let output = diff.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let of = |finding: &serde_json::Value| {
        let text = |member: &str| finding.get(member).and_then(serde_json::Value::as_str);
        (text("change").unwrap().to_owned(), text("event").or(text("pair")).unwrap().to_owned())
    };
    document["findings"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn equal_recordings_of_the_engine_do_not_differ() {
    let folder = tempfile::tempdir().unwrap();
    let as_fast_as_it_can = ["--rate", "0", "--threads", "2", "--requests", "4000"];
    let at_a_rate = ["--rate", "500", "--threads", "2", "--seconds", "1"];
    for (options, recordings) in [(&as_fast_as_it_can[..], 7), (&at_a_rate[..], 4)] {
        let traces: Vec<PathBuf> = (0..recordings)
            .map(|seed: u32| {
                let seed = seed.to_string();
                record(folder.path(), &format!("{seed}.trace"), &[options, &["--seed", &seed]].concat())
            })
            .collect();
        let pairs: Vec<_> = traces
            .iter()
            .enumerate()
            .flat_map(|(index, a)| traces[index + 1..].iter().map(move |b| (a, b)))
            .collect();
        let told: Vec<_> = pairs.iter().map(|(a, b)| found(a, b)).filter(|found| !found.is_empty()).collect();
        eprintln!("{options:?}: {} of {} equal pairs differ", told.len(), pairs.len());
        assert!(told.len() <= 1, "of {} pairs: {told:?}", pairs.len());
    }
}

/// A busy machine can hide the slowdown, so several attempts are made. It can also slow down something else
/// during one of two recordings, so the tool may report that once.
const ATTEMPTS: u32 = 4;

#[test]
fn only_the_slower_step_of_the_engine_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--rate", "0", "--threads", "2", "--requests", "20000"];
    // A thread works on puts while its gets wait for the device, so slower puts can also delay gets.
    // `diff` may report both, because it subtracts only the longest put from each get.
    let get = "get_begin:get_end:op";
    for (slow, pair, delayed) in [
        ("read=+100%", "blk_submit:blk_complete:req", None),
        ("put=+200%", "put_begin:put_end:op", Some(get)),
    ] {
        let mut mistaken = Vec::new();
        let is_found = (0..ATTEMPTS).any(|attempt| {
            let seeds = [2 * attempt, 2 * attempt + 1].map(|seed| seed.to_string());
            let usual = record(folder.path(), "usual", &[&options[..], &["--seed", &seeds[0]]].concat());
            let slow = record(
                folder.path(),
                "slow",
                &[&options[..], &["--slow", slow, "--seed", &seeds[1]]].concat(),
            );
            let told = [("slower", found(&usual, &slow)), ("faster", found(&slow, &usual))];
            let is_it = |(change, told): &(&str, Vec<(String, String)>)| {
                let expected = |name: &str| ((*change).to_owned(), name.to_owned());
                let rest: Vec<_> = told.iter().filter(|told| **told != expected(pair)).collect();
                told.len() == rest.len() + 1
                    && rest.iter().all(|told| delayed.is_some_and(|name| **told == expected(name)))
            };
            let is_all = told.iter().all(is_it);
            mistaken.extend(told.into_iter().find(|told| !told.1.is_empty() && !is_it(told)));
            is_all
        });
        assert!(mistaken.len() <= 1, "{slow}: {mistaken:?}");
        assert!(is_found, "{slow} was not found in {ATTEMPTS} attempts");
    }
}
