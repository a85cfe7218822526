//! Tests `ringtrace report`: the page agrees with the other commands, stays small, and works in a
//! browser.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod console;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use console::{Shell, root};
use ringtrace_peers::chromium;
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use ringtrace_wire::simpletrace::metadata::{Anchor, COMMAND, Cause, HOST, Lost, Metadata};
use tempfile::TempDir;

/// Markup that a browser would execute if the page did not escape it.
const HOSTILE: &str = "</script><img src=x onerror=hacked=1>";

/// The size limit of a page, for any trace.
const MAX_PAGE_BYTES: usize = 2_000_000;

fn testdata(name: &str) -> PathBuf {
    root().join("testdata").join(name)
}

fn tool(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ringtrace")).args(arguments).output().unwrap()
}

/// Creates a report in `folder`, and returns its text and path.
fn report(folder: &TempDir, name: &str, arguments: &[&str]) -> (String, PathBuf) {
    let out = folder.path().join(name);
    let output = tool(&[&["report", "--force", "-o", out.to_str().unwrap()], arguments].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (fs::read_to_string(&out).unwrap(), out)
}

fn boot() -> [String; 3] {
    let path = |name| testdata(name).to_str().unwrap().to_owned();
    ["--events".to_owned(), path("boot-small.events"), path("boot-small.bin")]
}

/// A trace under construction.
struct Made {
    bytes: Vec<u8>,
    pieces: u32,
    now_ns: u64,
}

const ENCODER: Encoder = Encoder { version: Version::V4, order: ByteOrder::Little };

impl Made {
    fn new(declarations: impl IntoIterator<Item = String>) -> Made {
        let mut made = Made { bytes: Vec::new(), pieces: 0, now_ns: 1_000_000_000 };
        ENCODER.header(0, 0, &mut made.bytes);
        made.say(&Metadata::Version(1));
        made.say(&Metadata::Anchor(Anchor { monotonic_ns: 0, realtime_ns: 1_795_257_000_000_000_000 }));
        for (id, declaration) in (1..).zip(declarations) {
            let name = declaration.split_once('(').unwrap().0.to_owned();
            made.say(&Metadata::Declaration(declaration));
            ENCODER.mapping(id, name.as_bytes(), &mut made.bytes);
        }
        made
    }

    fn say(&mut self, metadata: &Metadata) {
        metadata.encode(self.pieces, ByteOrder::Little, &mut self.bytes);
        self.pieces += 1;
    }

    fn record(&mut self, tid: u64, event: u64, values: &[Value<'_>]) {
        ENCODER.record(tid << 32 | event, self.now_ns, 7, values, &mut self.bytes).unwrap();
        self.now_ns += 1_000;
    }

    fn write(&self, folder: &TempDir, name: &str) -> String {
        let path = folder.path().join(name);
        fs::write(&path, &self.bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

/// Creates a trace in which all names are hostile markup: threads, host, command line, strings and
/// the file name.
fn hostile(folder: &TempDir) -> String {
    let mut made = Made::new(
        [r#"begin(int id, const char *what) """#, r#"end(int id, const char *what) """#].map(str::to_owned),
    );
    made.say(&Metadata::Other(HOST.to_owned(), HOSTILE.into()));
    made.say(&Metadata::Other(COMMAND.to_owned(), format!("{HOSTILE}\0--x={HOSTILE}\0").into()));
    made.say(&Metadata::Thread(7, HOSTILE.to_owned()));
    made.say(&Metadata::Thread(8, "\u{202e}\u{7}\"'&amp;".to_owned()));
    for id in 0..20 {
        for event in [1, 2] {
            made.record(7 + id % 2, event, &[Value::Integer(id), Value::Str(HOSTILE.as_bytes())]);
        }
    }
    made.record(7, 1, &[Value::Integer(99), Value::Str(b"never ends\xff")]);
    made.say(&Metadata::Lost(Lost { tid: 7, cause: Cause::Overwritten, count: 5 }));
    ENCODER.dropped(5, made.now_ns, 7, &mut made.bytes);
    made.say(&Metadata::Paused(made.now_ns));
    made.write(folder, "<b>&'.trace")
}

/// Creates a trace with as many kinds of events as QEMU has. All of them occur throughout the
/// trace, in many threads and with overlapping spans.
fn many(folder: &TempDir) -> String {
    let kinds = 6_000;
    let declaration = |kind| match kind {
        0 => r#"begin(int id, const char *what) """#.to_owned(),
        1 => r#"end(int id) """#.to_owned(),
        kind => format!("event_{kind}(int id) \"\""),
    };
    let mut made = Made::new((0..kinds).map(declaration));
    let what = "x".repeat(250);
    for round in 0..10 {
        for kind in 0..kinds {
            let (tid, id) = (kind % 900 + 1, Value::Integer(kind + round));
            match kind % 3 {
                0 => made.record(tid, 1, &[id, Value::Str(what.as_bytes())]),
                1 if round > 0 => made.record(tid, 2, &[Value::Integer(kind + round - 2)]),
                _ => {}
            }
            if kind > 1 {
                made.record(tid, kind + 1, &[id]);
            }
        }
    }
    made.write(folder, "many.trace")
}

/// Creates a trace with long event names, long thread names, and many arguments.
fn wide(folder: &TempDir) -> String {
    let declaration = |edge| {
        let arguments: Vec<String> = (0..8).map(|number| format!("const char *argument_{number}")).collect();
        format!("storage_cache_lookup_of_block_{edge}(int id, {}) \"\"", arguments.join(", "))
    };
    let mut made = Made::new(["begin", "end"].map(declaration));
    made.say(&Metadata::Thread(7, "worker of the storage cache".to_owned()));
    let text = "some words ".repeat(12);
    for id in 0..20 {
        for event in [1, 2] {
            let texts = [Value::Str(text.as_bytes()); 8];
            made.record(7, event, &[&[Value::Integer(id)], &texts[..]].concat());
        }
    }
    made.write(folder, "wide.trace")
}

/// Creates a trace with more long event names than the table of events has room for.
fn many_names(folder: &TempDir) -> String {
    let kinds = 9_000;
    let name = "kind_with_a_long_name_".repeat(5);
    let mut made = Made::new((0..kinds).map(|kind| format!("{name}{kind}(int id) \"\"")));
    (0..kinds).for_each(|kind| made.record(7, kind + 1, &[Value::Integer(kind)]));
    made.write(folder, "names.trace")
}

/// Creates a trace with 300 events, a gap of 400 days, 300 more events, and 5 lost events. Only
/// a small part of the last bucket is within the trace.
fn gap(folder: &TempDir) -> String {
    let mut made = Made::new(["busy(int id) \"\"".to_owned()]);
    for id in 0..600 {
        if id == 300 {
            made.now_ns += 400 * 86_400 * 1_000_000_000;
        }
        made.record(7, 1, &[Value::Integer(id)]);
    }
    ENCODER.dropped(5, made.now_ns, 7, &mut made.bytes);
    made.write(folder, "gap.trace")
}

#[test]
fn latencies_are_those_that_stat_prints() {
    let folder = tempfile::tempdir().unwrap();
    let boot = boot();
    let boot: Vec<&str> = boot.iter().map(String::as_str).collect();
    let (page, _) = report(&folder, "boot.html", &boot);
    let stat = tool(&[&["stat", "--json", "--pairs", "qemu"], &boot[..]].concat());
    let stat: serde_json::Value = serde_json::from_slice(&stat.stdout).unwrap();
    let pairs = stat["pairs"].as_array().unwrap();
    let requests = pairs.iter().find(|pair| pair["name"] == "virtio-blk request").unwrap();
    let latencies = &requests["latencies"];
    assert_eq!(latencies["count"], 275);
    let row = page.lines().find(|line| line.contains("\">virtio-blk request</a><td>")).unwrap();
    let shown: Vec<u64> =
        row.split("data-v=").skip(1).map(|cell| cell.split('>').next().unwrap().parse().unwrap()).collect();
    let fields = ["min_ns", "p50_ns", "p90_ns", "p99_ns", "p99_9_ns", "max_ns", "mean_ns"];
    assert_eq!(shown, fields.map(|field| latencies[field].as_u64().unwrap()));
    assert!(row.contains("<td>275<"), "{row}");
    // The slowest span lists its records, and its latency is the maximum.
    let article =
        page.split("<article").find(|article| article.contains("<h3>virtio-blk request</h3>")).unwrap();
    let details = article.split("<details").nth(1).unwrap();
    for event in ["virtio_blk_handle_read", "virtio_blk_rw_complete", "virtio_blk_req_complete"] {
        assert!(details.contains(event), "{details}");
    }
    let max_us = latencies["max_ns"].as_u64().unwrap();
    let (us, ns) = (max_us / 1000, max_us % 1000);
    assert!(details.contains(&format!("{},{:03}.{ns:03}", us / 1000, us % 1000)), "{details}");
}

#[test]
fn a_page_stays_small() {
    let folder = tempfile::tempdir().unwrap();
    let many = many(&folder);
    let (page, _) = report(&folder, "many.html", &[&many, "--pair", "begin:end:id"]);
    assert!(page.len() < MAX_PAGE_BYTES, "{}", page.len());
    for kind in 2..6_000 {
        assert!(page.contains(&format!(">event_{kind}<")), "event_{kind} has no row");
    }
}

/// Creates a trace with as many spans of each pair as in `counts`, and returns its path and the
/// options that describe the pairs.
fn spans(folder: &TempDir, name: &str, counts: &[u64]) -> (String, Vec<String>) {
    let edges = (0..counts.len()).flat_map(|pair| [format!("begin_{pair}"), format!("end_{pair}")]);
    let mut made = Made::new(edges.map(|edge| format!("{edge}(int id) \"\"")));
    for (pair, &count) in (0..).zip(counts) {
        for id in 0..count {
            made.record(7, 2 * pair + 1, &[Value::Integer(id)]);
            made.record(7, 2 * pair + 2, &[Value::Integer(id)]);
        }
    }
    let pair = |pair| ["--pair".to_owned(), format!("begin_{pair}:end_{pair}:id")];
    (made.write(folder, name), (0..counts.len()).flat_map(pair).collect())
}

#[test]
fn pairs_share_the_spans_of_the_timeline() {
    let folder = tempfile::tempdir().unwrap();
    for (counts, drawn) in [
        (&[2000, 1600, 100, 50, 25, 25][..], &[2000, 1600, 100, 50, 25, 25][..]),
        (&[4000, 11_000, 100], &[2450, 2450, 100]),
    ] {
        let (trace, pairs) = spans(&folder, "spans.trace", counts);
        let arguments: Vec<&str> = [&trace].into_iter().chain(&pairs).map(String::as_str).collect();
        let (page, _) = report(&folder, "spans.html", &arguments);
        let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        let mut tracks: Vec<[u64; 3]> = data["tracks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|track| ["pair", "drawn", "count"].map(|field| track[field].as_u64().unwrap()))
            .collect();
        tracks.sort_unstable();
        let expected: Vec<[u64; 3]> =
            (0..).zip(drawn).zip(counts).map(|((pair, &drawn), &count)| [pair, drawn, count]).collect();
        assert_eq!(tracks, expected);
    }
}

#[test]
fn a_page_loads_no_other_files() {
    let folder = tempfile::tempdir().unwrap();
    let hostile = hostile(&folder);
    let (page, _) = report(&folder, "hostile.html", &[&hostile, "--pair", "begin:end:id"]);
    assert!(page.contains("Content-Security-Policy\" content=\"default-src 'none'"));
    let addresses: Vec<&str> =
        page.match_indices("://").map(|(at, _)| &page[at.saturating_sub(8)..at + 16]).collect();
    assert_eq!(addresses.len(), 1, "only the SVG namespace is allowed: {addresses:?}");
    assert!(!page.contains("<img"), "text from the trace became a tag");
    assert!(page.contains("&lt;/script&gt;&lt;img"));
}

/// The fast path and filtered reading must give the same counts. The filter here matches all
/// events.
#[test]
fn the_fast_path_counts_like_filtered_reading() {
    let folder = tempfile::tempdir().unwrap();
    let many = many(&folder);
    let boot = boot();
    let boot: Vec<&str> = boot.iter().map(String::as_str).collect();
    for traces in [&[many.as_str(), "--pair", "begin:end:id"][..], &boot[..]] {
        let quick = report(&folder, "quick.html", traces).0;
        let looked = report(&folder, "looked.html", &[traces, &["--where", "time >= 0"]].concat()).0;
        let parts = |page: &str| {
            let (body, recording) = page.split_once("<section id=recording").unwrap();
            let data = recording.split_once("id=\"data\"").unwrap().1.split_once("</script>").unwrap().0;
            (body.split_once("<nav").unwrap().1.to_owned(), data.to_owned())
        };
        assert!(parts(&quick) == parts(&looked), "{traces:?}");
    }
}

#[test]
fn missing_data_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let hostile = hostile(&folder);
    let (page, _) = report(&folder, "part.html", &[&hostile, "--event", "begin", "--where", "id < 3"]);
    for told in [
        "This report covers a part of the trace",
        "--event begin",
        "--where id &lt; 3",
        "5 events were overwritten",
    ] {
        assert!(page.contains(told), "{told}");
    }
    // The page must also report read errors.
    let mut bytes = fs::read(&hostile).unwrap();
    ENCODER.record(77, 0, 7, &[], &mut bytes).unwrap();
    let damaged = folder.path().join("damaged.trace");
    fs::write(&damaged, bytes).unwrap();
    let out = folder.path().join("damaged.html");
    let output = tool(&["report", damaged.to_str().unwrap(), "-o", out.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(fs::read_to_string(out).unwrap().contains("could not be read to its end"));
}

#[test]
fn console_sessions_match_the_accepted_files() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["boot-small.bin", "boot-small.events", "export/everything.trace"] {
        let from = testdata(name);
        fs::copy(&from, folder.path().join(from.file_name().unwrap())).unwrap();
    }
    Shell::new(folder.path()).hold_all(&testdata("report"));
}

#[test]
fn a_failed_report_leaves_no_page() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("page.html");
    let names = || fs::read_dir(folder.path()).unwrap().count();
    let boot = boot();
    let boot: Vec<&str> = boot.iter().map(String::as_str).collect();
    let out_argument = ["report", "-o", out.to_str().unwrap()];
    let output =
        tool(&[&out_argument, &boot[..], &["--pair", "virtio_blk_handle_read:no_such_event:req"]].concat());
    assert_eq!((output.status.code(), names()), (Some(2), 0));
    // The output must not be one of the inputs.
    let output = tool(&["report", "-o", boot[2], boot[2]]);
    assert_eq!(output.status.code(), Some(2));
    // A trace without events also gets a report.
    let empty = Path::new(&testdata("export/empty.trace")).to_str().unwrap().to_owned();
    let (page, _) = report(&folder, "empty.html", &[&empty]);
    assert!(page.contains("The trace contains no events"));
    // Its clock starts at 0, when the machine was booted, but the page must not show that time.
    let unused = Made::new(["unused() \"\"".to_owned()]).write(&folder, "unused.trace");
    let (page, _) = report(&folder, "unused.html", &[&unused]);
    for time in [" UTC", "First record", "0 ns<"] {
        assert!(!page.contains(time), "{time}");
    }
}

#[test]
fn a_browser_shows_it() {
    let folder = tempfile::tempdir().unwrap();
    let (hostile, many, wide, gap) = (hostile(&folder), many(&folder), wide(&folder), gap(&folder));
    let (spans, pairs) = spans(&folder, "spans.trace", &[6000]);
    let pair = "storage_cache_lookup_of_block_begin:storage_cache_lookup_of_block_end:id";
    let boot = boot();
    let boot: Vec<&str> = boot.iter().map(String::as_str).collect();
    let empty = testdata("export/empty.trace").to_str().unwrap().to_owned();
    let pages = [
        report(&folder, "boot.html", &boot).1,
        report(&folder, "hostile.html", &[&hostile, "--pair", "begin:end:id"]).1,
        report(&folder, "many.html", &[&many, "--pair", "begin:end:id"]).1,
        report(&folder, "empty.html", &[&empty]).1,
        report(&folder, "wide.html", &[&wide, "--pair", pair]).1,
        report(&folder, "gap.html", &[&gap]).1,
        report(&folder, "spans.html", &[&spans, &pairs[0], &pairs[1]]).1,
        report(&folder, "names.html", &[&many_names(&folder)]).1,
    ];
    let Some(ran) = chromium::run(include_str!("report/browser.js"), &pages) else { return };
    assert_eq!(ran.succeeded().trim(), "done");
}
