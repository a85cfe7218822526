//! Tests `ringtrace diff` on datasets: rows of a dataset are compared like the traces that were
//! ingested, whether their files are merged or not.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod console;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use console::{accepting, root};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use ringtrace_wire::simpletrace::metadata::{Anchor, BOOT, Cause, HOST, Lost, Metadata, TRACE};
use serde_json::{Value as Json, json};

const ENCODER: Encoder = Encoder { version: Version::V4, order: ByteOrder::Little };

const SECOND_NS: u64 = 1_000_000_000;

const EVENTS: [&str; 6] = ["get_begin", "get_end", "read_begin", "read_end", "tick", "retry"];

const PAIRS: [&str; 2] = ["get_begin:get_end:op", "read_begin:read_end:op"];

/// A trace of a program whose threads answer gets, each of which reads from a disk.
#[derive(Clone, Copy)]
struct Made {
    name: &'static str,
    host: &'static str,
    id: &'static str,
    /// The time since 1970 at which it begins, or `None` without a wall clock.
    begin_s: Option<u64>,
    /// The duration of a read.
    read_ns: u64,
    /// Every how many gets there is a retry.
    retries: u64,
    gets: u64,
    threads: u64,
    /// Whether events are lost, and recording is off at times.
    has_gaps: bool,
    seed: u64,
}

/// 2026-11-23T10:00:00Z.
const MONDAY_S: u64 = 1_795_428_000;

const DAY_S: u64 = 86_400;

const PLAIN: Made = Made {
    name: "alpha-23.trace",
    host: "alpha",
    id: "0000000000000000000000000000a123",
    begin_s: Some(MONDAY_S),
    read_ns: 50_000,
    retries: 40,
    gets: 300,
    threads: 2,
    has_gaps: false,
    seed: 1,
};

/// The traces of `testdata/diff/traces`, which documents compare. The disk of `beta` is slow, and since
/// Tuesday, reads are repeated more often.
const FLEET: [Made; 4] = [
    PLAIN,
    Made {
        name: "alpha-24.trace",
        id: "0000000000000000000000000000a124",
        begin_s: Some(MONDAY_S + DAY_S),
        retries: 4,
        seed: 2,
        ..PLAIN
    },
    Made {
        name: "beta-23.trace",
        host: "beta",
        id: "0000000000000000000000000000b123",
        read_ns: 75_000,
        seed: 3,
        ..PLAIN
    },
    Made {
        name: "beta-24.trace",
        host: "beta",
        id: "0000000000000000000000000000b124",
        begin_s: Some(MONDAY_S + DAY_S),
        read_ns: 75_000,
        retries: 4,
        seed: 4,
        ..PLAIN
    },
];

/// A generator of pseudo-random numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % limit
    }
}

impl Made {
    /// Returns the bytes of the trace.
    fn bytes(&self) -> Vec<u8> {
        let begin_ns = 5_000 * SECOND_NS + self.seed;
        let (mut out, mut pieces) = (Vec::new(), 0);
        ENCODER.header(0, 0, &mut out);
        let mut say = |metadata: Metadata, out: &mut Vec<u8>| {
            metadata.encode(pieces, ByteOrder::Little, out);
            pieces += 1;
        };
        say(Metadata::Version(1), &mut out);
        if let Some(begin_s) = self.begin_s {
            let realtime_ns = i128::from(begin_s * SECOND_NS);
            say(Metadata::Anchor(Anchor { monotonic_ns: begin_ns, realtime_ns }), &mut out);
        }
        for (key, value) in [(HOST, self.host), (BOOT, self.host), (TRACE, self.id)] {
            say(Metadata::Other(key.to_owned(), value.into()), &mut out);
        }
        for (id, name) in (1..).zip(EVENTS) {
            say(Metadata::Declaration(format!("{name}(uint64_t op) \"op=%u\"")), &mut out);
            for tid in 1..=self.threads {
                ENCODER.mapping((100 + tid) << 32 | id, name.as_bytes(), &mut out);
            }
        }
        // The records: time, thread, event and operation. No two have the same time, because a dataset
        // does not contain the order of records of different events with the same time.
        let mut records: Vec<(u64, u64, u64, u64)> = Vec::new();
        let mut random = Random(self.seed);
        for tid in 1..=self.threads {
            let mut now_ns = begin_ns + 10 * tid;
            for get in 0..self.gets {
                let op = get * self.threads + tid;
                let mut add = |event, ns| {
                    now_ns += ns;
                    records.push((now_ns, 100 + tid, event, op));
                };
                add(1, 30_000 + random.below(6_000));
                add(3, 4_000 + random.below(800));
                add(5, 9_000 + random.below(2_000));
                add(4, self.read_ns - 10_000 + random.below(self.read_ns / 5));
                if get % self.retries == 0 {
                    add(6, 500 + random.below(100));
                }
                add(5, 2_000 + random.below(400));
                add(2, 3_000 + random.below(600));
            }
        }
        records.sort_unstable();
        for index in 1..records.len() {
            records[index].0 = records[index].0.max(records[index - 1].0 + 2);
        }
        let mut off_ns = 0;
        for (number, (ns, tid, event, op)) in (1_u64..).zip(records) {
            let ns = ns + off_ns;
            ENCODER.record(tid << 32 | event, ns, 100, &[Value::Integer(op)], &mut out).unwrap();
            if self.has_gaps && number % 2800 == 0 {
                let (cause, count) =
                    if number % 3 == 0 { (Cause::Dropped, 7) } else { (Cause::Overwritten, number) };
                say(Metadata::Lost(Lost { tid: tid as u32, cause, count }), &mut out);
                ENCODER.dropped(count, ns + 1, 100, &mut out);
            }
            if self.has_gaps && number % 1500 == 0 {
                say(Metadata::Paused(ns + 1), &mut out);
                off_ns += 3_000_000;
                say(Metadata::Resumed(ns + 2_900_000), &mut out);
            }
        }
        out
    }
}

/// Runs the tool in `folder`, which succeeds. Returns its standard output.
fn run(folder: &Path, words: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    let output = command.current_dir(folder).args(words).env("LC_ALL", "C.UTF-8").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {}: {said}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the options for the pairs.
fn pairs() -> [&'static str; 4] {
    ["--pair", PAIRS[0], "--pair", PAIRS[1]]
}

/// Writes traces to a folder, and ingests them into `fleet`.
fn dataset(traces: &[Made]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for trace in traces {
        fs::write(folder.path().join(trace.name), trace.bytes()).unwrap();
    }
    let names = traces.iter().map(|trace| trace.name);
    let words: Vec<&str> = ["ingest", "fleet"].into_iter().chain(pairs()).chain(names).collect();
    run(folder.path(), &words);
    folder
}

fn compare(folder: &Path, a: &str, b: &str, options: &[&str]) -> Json {
    let words: Vec<&str> = ["diff", "--json", a, b].into_iter().chain(options.iter().copied()).collect();
    serde_json::from_str(&run(folder, &words)).unwrap()
}

/// Compares, but removes the names of the recordings.
fn compare_unnamed(folder: &Path, a: &str, b: &str, options: &[&str]) -> Json {
    let mut document = compare(folder, a, b, options);
    for recording in document["recordings"].as_array_mut().unwrap() {
        recording["trace"] = Json::Null;
    }
    document
}

/// Recordings with losses and pauses, with one thread and several, with and without a wall clock.
fn odd_traces() -> [Made; 4] {
    let gaps = Made { has_gaps: true, gets: 1500, ..PLAIN };
    [
        Made { name: "a.trace", id: "a", ..gaps },
        Made {
            name: "b.trace",
            id: "b",
            read_ns: 70_000,
            retries: 10,
            seed: 9,
            gets: 1800,
            threads: 3,
            ..gaps
        },
        Made { name: "c.trace", id: "c", threads: 1, begin_s: None, has_gaps: false, ..gaps },
        Made { name: "d.trace", id: "d", threads: 1, begin_s: None, read_ns: 30_000, seed: 5, ..gaps },
    ]
}

#[test]
fn rows_are_compared_like_the_traces() {
    let folder = dataset(&odd_traces());
    let compacted = dataset(&odd_traces());
    run(compacted.path(), &["compact-dataset", "fleet"]);
    for [a, b] in [["a", "b"], ["b", "a"], ["a", "a"], ["c", "d"], ["a", "d"]] {
        for options in [
            &[][..],
            &["--whole", "--absolute"],
            &["--event", "read_*,tick"],
            &["--event", "-tick"],
            &["--since", "20ms", "--until", "60ms"],
            &["--tid", "101"],
            &["--pid", "100", "--level", "5%"],
        ] {
            let traces: Vec<&str> = options.iter().copied().chain(pairs()).collect();
            let [of_a, of_b] = [a, b].map(|id| format!("{id}.trace"));
            let expected = compare_unnamed(folder.path(), &of_a, &of_b, &traces);
            assert!(expected["questions"].as_u64().unwrap() >= 5, "{expected}");
            let [of_a, of_b] = [a, b].map(|id| format!("fleet/trace={id}"));
            for folder in [&folder, &compacted] {
                let found = compare_unnamed(folder.path(), &of_a, &of_b, options);
                assert_eq!(found, expected, "{a} {b} {options:?}");
            }
        }
    }
}

/// The comparison contains everything that it should: losses, pauses, doubtful spans and changes.
#[test]
fn losses_and_pauses_are_compared() {
    let folder = dataset(&odd_traces());
    let document = compare(folder.path(), "fleet/trace=a", "fleet/trace=b", &[]);
    for recording in document["recordings"].as_array().unwrap() {
        for member in ["dropped", "overwritten", "pauses", "paused_ns"] {
            assert!(recording[member].as_u64().unwrap() > 0, "{member}: {recording}");
        }
    }
    assert!(document["pairs"].as_array().unwrap().iter().any(|pair| pair["doubtful"][0] != 0));
    let found = document["findings"].to_string();
    assert!(found.contains("\"slower\"") && found.contains(PAIRS[1]), "{found}");
}

#[test]
fn a_trace_is_compared_with_rows() {
    let folder = dataset(&odd_traces());
    let options: Vec<&str> = pairs().into();
    let expected = compare_unnamed(folder.path(), "a.trace", "b.trace", &options);
    for (a, b) in [("fleet/trace=a", "b.trace"), ("a.trace", "fleet/trace=b")] {
        assert_eq!(compare_unnamed(folder.path(), a, b, &options), expected, "{a} {b}");
    }
}

#[test]
fn runs_can_be_selections() {
    let folder = dataset(&odd_traces());
    let runs = |names: [&str; 4], more: &[&str]| {
        let [a1, a2, b1, b2] = names;
        let words: Vec<&str> =
            ["diff", "--json"].iter().chain(more).copied().chain([a1, a2, "--", b1, b2]).collect();
        let mut document: Json = serde_json::from_str(&run(folder.path(), &words)).unwrap();
        document["recordings"].as_array_mut().unwrap().iter_mut().for_each(|run| run["trace"] = Json::Null);
        document
    };
    let expected = runs(["a.trace", "c.trace", "b.trace", "d.trace"], &pairs());
    let found = runs(["fleet/trace=a", "fleet/trace=c", "fleet/trace=b", "fleet/trace=d"], &[]);
    assert_eq!(found, expected);
}

/// Merging the files changes nothing, whichever rows are selected.
#[test]
fn merged_files_have_the_same_result() {
    let traces = FLEET.map(|made| Made { has_gaps: true, gets: 900, ..made });
    let mut more = traces.to_vec();
    // Another process on the same machine, at the same time, with threads of the same ids.
    more.push(Made { name: "more.trace", id: "0000000000000000000000000000a223", seed: 8, ..traces[0] });
    let folder = dataset(&more);
    let sides = [
        ("fleet/host=alpha", "fleet/host=beta"),
        ("fleet/date=2026-11-23", "fleet/date=2026-11-24"),
        ("fleet/host=alpha/date=2026-11-23", "fleet/date=2026-11-24/host=alpha"),
        ("fleet/trace=0000000000000000000000000000a123", "fleet/trace=0000000000000000000000000000a223"),
        ("fleet", "fleet/host=beta"),
    ];
    let compare_all = || sides.map(|(a, b)| compare(folder.path(), a, b, &["--whole"]));
    let before = compare_all();
    run(folder.path(), &["compact-dataset", "fleet"]);
    let after = compare_all();
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before, after);
    }
    // Events of all traces are counted, and the night between them is a pause.
    let count = |index: usize, side: usize| before[index]["recordings"][side]["events"].as_u64().unwrap();
    assert_eq!(count(4, 0), count(0, 0) + count(0, 1));
    assert_eq!(count(0, 0), count(2, 0) + count(2, 1));
    let beta = &before[0]["recordings"][1];
    assert!(
        beta["pauses"].as_u64().unwrap() > 2 && beta["paused_ns"].as_u64().unwrap() > 20 * 3600 * SECOND_NS,
        "{beta}"
    );
}

/// A host that is recorded by two traces at the same time has twice the rate, and its pairs are those of
/// both.
#[test]
fn traces_of_a_host_are_added() {
    let twice = Made { name: "twice.trace", id: "0000000000000000000000000000a223", ..PLAIN };
    let folder = dataset(&[PLAIN, twice]);
    let one = "fleet/trace=0000000000000000000000000000a123";
    let document = compare(folder.path(), one, "fleet/host=alpha", &[]);
    assert_eq!(document["overall_pace"].as_f64().map(f64::round), Some(2.0), "{document}");
    for pair in document["pairs"].as_array().unwrap() {
        let [a, b] = [0, 1].map(|side| &pair["latencies"][side]);
        assert_eq!(2 * a["count"].as_u64().unwrap(), b["count"].as_u64().unwrap());
        assert_eq!(a["mean_ns"], b["mean_ns"]);
    }
    assert_eq!(document["recordings"][1]["pauses"], json!(0));
}

/// The error names the file that cannot be read.
#[test]
fn damaged_files_are_named() {
    let folder = dataset(&[PLAIN]);
    let mut file = folder.path().join("fleet/events/event=tick/date=2026-11-23/host=alpha");
    file.push(format!("{}-000000.parquet", PLAIN.id));
    let whole = fs::read(&file).unwrap();
    let mut zeroed = whole.clone();
    // Rows follow the magic number at the begin.
    zeroed[4..whole.len() / 2].fill(0);
    for (contents, status) in [(whole[..whole.len() / 2].to_vec(), 1), (Vec::new(), 1), (zeroed, 1)] {
        fs::write(&file, contents).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
        let output = command.current_dir(folder.path()).args(["diff", "fleet", "fleet"]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{said}");
        assert!(said.starts_with("error: fleet/events/event=tick/date=2026-11-23/host=alpha/"), "{said}");
    }
    fs::remove_file(&file).unwrap();
    for (words, status) in [(["fleet", "fleet"], 4), (["fleet/host=alpha", "fleet/date=2026-11-23"], 4)] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
        let output = command.current_dir(folder.path()).arg("diff").args(words).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{said}");
        let name = format!("event=tick/date=2026-11-23/host=alpha/{}-000000.parquet: the file", PLAIN.id);
        assert!(said.contains(&name), "{said}");
    }
}

#[test]
fn the_traces_of_documents_are_current() {
    let folder: PathBuf = root().join("testdata/diff/traces");
    for made in FLEET {
        let (path, bytes) = (folder.join(made.name), made.bytes());
        // Another test may be reading the file, so do not rewrite it if it is already up to date.
        if accepting() && fs::read(&path).ok().as_deref() != Some(&bytes) {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &bytes).unwrap();
        }
        assert!(fs::read(&path).unwrap() == bytes, "{}: RINGTRACE_ACCEPT=1 accepts", path.display());
    }
}
