//! Tests `ringtrace print`.
//!
//! The console sessions in `testdata/print` run in a folder with the files that [`traces`] creates.
//! Cases that need a second process or a large file are functions below.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod console;

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use console::{Shell, root};
use ringtrace_tracefile::metadata::{Anchor, FIRST_ID, Metadata};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use rustix::process::{Pid, Signal, kill_process};

const DECLARATIONS: &str = "\
begin(int job, const char *name) \"job %d: %s\"
disable spare(void)
end(int job, uint64_t bytes) \"job %d wrote %\" PRIu64
tick(void) \"tick\"
";

/// The declarations of `states.bin`.
const STATES: &str = "\
enum state { IDLE = 0, BUSY = 1, FAILED = -1 }
changed(int disk, state to) \"disk %d: %s\"
";

/// The positions of the events in the declarations.
const BEGIN: u64 = 0;
const END: u64 = 2;
const TICK: u64 = 3;

const SECOND: u64 = 1_000_000_000;
/// The start time of the traces.
const START: u64 = 100 * SECOND;

/// A trace under construction.
struct Made {
    encoder: Encoder,
    bytes: Vec<u8>,
}

impl Made {
    /// Starts a trace with the header and, in v4, the names of the events.
    fn new(version: Version, order: ByteOrder) -> Made {
        let mut made = Made { encoder: Encoder { version, order }, bytes: Vec::new() };
        made.encoder.header(4711, START, &mut made.bytes);
        made.map(BEGIN, "begin").map(END, "end").map(TICK, "tick")
    }

    fn v4() -> Made {
        Made::new(Version::V4, ByteOrder::Little)
    }

    fn map(mut self, id: u64, name: &str) -> Made {
        self.encoder.mapping(id, name.as_bytes(), &mut self.bytes);
        self
    }

    fn metadata(self, metadata: &Metadata) -> Made {
        let name = metadata.to_name();
        self.map(FIRST_ID, &name)
    }

    fn record(mut self, id: u64, timestamp_ns: u64, pid: u32, values: &[Value<'_>]) -> Made {
        self.encoder.record(id, timestamp_ns, pid, values, &mut self.bytes).unwrap();
        self
    }

    fn begin(self, after_ms: u64, pid: u32, job: u64, name: &[u8]) -> Made {
        self.record(BEGIN, START + after_ms * 1_000_000, pid, &[Value::Integer(job), Value::Str(name)])
    }

    fn end(self, after_ms: u64, pid: u32, job: u64, bytes: u64) -> Made {
        self.record(END, START + after_ms * 1_000_000, pid, &[Value::Integer(job), Value::Integer(bytes)])
    }

    fn tick(self, timestamp_ns: u64) -> Made {
        self.record(TICK, timestamp_ns, 1, &[])
    }

    fn dropped(mut self, count: u64, timestamp_ns: u64) -> Made {
        self.encoder.dropped(count, timestamp_ns, 1, &mut self.bytes);
        self
    }

    fn raw(mut self, bytes: &[u8]) -> Made {
        self.bytes.extend_from_slice(bytes);
        self
    }

    fn cut(mut self, bytes: usize) -> Made {
        self.bytes.truncate(self.bytes.len() - bytes);
        self
    }
}

/// Returns the files for the sessions.
fn traces() -> Vec<(&'static str, Vec<u8>)> {
    // Two processes run at the same time, with one job each, and record at the same times.
    let one = || Made::v4().begin(0, 10, 1, b"one").end(20, 10, 1, 4096).tick(START + 30_000_000);
    let two = Made::v4().begin(10, 20, 2, b"two").end(20, 20, 2, 512).tick(START + 40_000_000);
    let at = |second: u64| START + second * SECOND;
    let filtered = (0..6).fold(Made::v4(), |made, job| {
        let (ms, pid) = (job * 1000, 10 + (job % 2) as u32);
        let made =
            made.begin(ms, pid, job, format!("disk{job}").as_bytes()).end(ms + 500, pid, job, job << 12);
        if job == 2 { made.dropped(7, at(2) + 600_000_000) } else { made }
    });
    let odd = Made::v4()
        .begin(0, 1, u64::MAX, b"it's \"quoted\" \\ back")
        .begin(1, 1, 1, b"two\nlines\r\tand \x1b[31mred\x7f")
        .begin(2, 1, 2, "caf\u{e9} \u{9b}m".as_bytes())
        .begin(3, 1, 3, b"caf\xe9 \xff\x00")
        .begin(4, 1, 4, b"")
        .end(5, 1, 5, u64::MAX)
        .end(6, 1, 6, 1 << 53);
    let times = Made::v4().tick(5).tick(u64::MAX).tick(0).tick(1 << 50).tick((1 << 50) + 1).tick(3);
    let own = Made::v4()
        .metadata(&Metadata::Version(1))
        .metadata(&Metadata::Anchor(Anchor {
            monotonic_ns: START,
            realtime_ns: 1_800_000_000 * 1_000_000_000,
        }))
        .metadata(&Metadata::Declaration("tick(void) \"tock\"".to_owned()))
        .metadata(&Metadata::Declaration("own(int8_t x) \"x is %d\"".to_owned()))
        .map(7 << 32 | 1, "own")
        .map(9 << 32 | 1, "own")
        .record(7 << 32 | 1, START, 5, &[Value::Integer(u64::MAX)])
        .record(9 << 32 | 1, START + 1_500_000, 5, &[Value::Integer(0x1ff)])
        .tick(START + 2_000_000);
    let measured = "measured(const char *job, double seconds, float share) \"%s: %.3f s, %g\"";
    let doubles = [("a", 0.1, 0.5), ("b", 1.5e-7, -0.0), ("c", f64::NAN, 2.5), ("d", 1e22, f64::INFINITY)];
    let doubles = doubles.into_iter().zip(0..).fold(
        Made::v4()
            .metadata(&Metadata::Version(1))
            .metadata(&Metadata::Declaration(measured.to_owned()))
            .map(7 << 32 | 1, "measured"),
        |made, ((job, seconds, share), number)| {
            let values = [seconds, share].map(|value: f64| Value::Integer(value.to_bits()));
            let values = [Value::Str(job.as_bytes()), values[0], values[1]];
            made.record(7 << 32 | 1, START + number * 1_000_000, 5, &values)
        },
    );
    let states = [0, 1, u64::MAX, 7].into_iter().zip(0..).fold(
        Made::v4()
            .metadata(&Metadata::Version(1))
            .metadata(&Metadata::Declaration(STATES.trim_end().to_owned()))
            .map(7 << 32 | 1, "changed"),
        |made, (state, number)| {
            let values = [Value::Integer(number), Value::Integer(state)];
            made.record(7 << 32 | 1, START + number * 1_000_000, 5, &values)
        },
    );
    let v3 = Made::new(Version::V3, ByteOrder::Big).begin(5, 30, 3, b"three").end(25, 30, 3, 9);
    // Dropped records in v0 have no time.
    let v0 = Made::new(Version::V0, ByteOrder::Little)
        .end(15, 0, 4, 1)
        .dropped(3, 0)
        .dropped(0xffff_fecd, 0)
        .end(35, 0, 4, 2);
    // The ids come from a program that did not count disabled events.
    let skipping = Made::new(Version::V3, ByteOrder::Little)
        .record(1, START, 1, &[Value::Integer(1), Value::Integer(2)])
        .record(2, START + 1000, 1, &[]);
    let damaged = Made::v4().begin(0, 1, 1, b"good").raw(&[0xee; 64]).end(9, 1, 1, 1).tick(START + SECOND);
    vec![
        ("events", DECLARATIONS.as_bytes().to_vec()),
        ("one.bin", one().bytes),
        ("two.bin", two.bytes),
        ("filtered.bin", filtered.bytes),
        ("odd.bin", odd.bytes),
        ("times.bin", times.bytes),
        ("own.bin", own.bytes),
        ("doubles.bin", doubles.bytes),
        ("states.bin", states.bytes),
        ("states.events", STATES.as_bytes().to_vec()),
        ("v3.bin", v3.bytes),
        ("v0.bin", v0.bytes),
        ("skipping.bin", skipping.bytes),
        ("damaged.bin", damaged.bytes),
        ("cut.bin", one().cut(10).bytes),
        ("nothing.bin", Made::v4().bytes),
        ("empty.bin", Vec::new()),
        ("text.bin", b"no trace at all\n".to_vec()),
    ]
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in traces() {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

#[test]
fn console_sessions() {
    let folder = folder();
    // A monitor's socket instead of a trace.
    drop(UnixListener::bind(folder.path().join("socket")).unwrap());
    for name in ["qemu-io.bin", "qemu-io.events"] {
        fs::copy(root().join("testdata").join(name), folder.path().join(name)).unwrap();
    }
    Shell::new(folder.path()).hold_all(&root().join("testdata/print"));
}

/// Starts the tool in `folder`.
fn start(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits for the end, and returns the output and the exit status.
fn end(child: Child) -> (String, String, Option<i32>) {
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(output.stdout), text(output.stderr), output.status.code())
}

/// Returns the next `lines` lines of the output.
fn printed(child: &mut Child, lines: usize) -> String {
    let stdout = child.stdout.as_mut().unwrap();
    let mut text = Vec::new();
    while text.iter().filter(|byte| **byte == b'\n').count() < lines {
        let mut byte = [0];
        stdout.read_exact(&mut byte).unwrap();
        text.push(byte[0]);
    }
    String::from_utf8(text).unwrap()
}

#[test]
fn a_trace_is_followed_until_interrupted() {
    let folder = folder();
    let whole = fs::read(folder.path().join("one.bin")).unwrap();
    let path = folder.path().join("growing.bin");
    // The file grows in steps: the header; part of a record; the rest and part of the next record.
    let [header, within] = [24, whole.len() - 50];
    fs::write(&path, &whole[..header]).unwrap();
    let mut child = start(folder.path(), &["print", "--follow", "-e", "events", "growing.bin"]);
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(&whole[header..within]).unwrap();
    assert_eq!(printed(&mut child, 1), "begin 0.000 pid=10 job=0x1 name=b'one'\n");
    file.write_all(&whole[within..whole.len() - 3]).unwrap();
    assert_eq!(printed(&mut child, 1), "end 20000.000 pid=10 job=0x1 bytes=0x1000\n");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let (out, err, status) = end(child);
    assert_eq!((out.as_str(), status), ("", Some(0)));
    assert_eq!(err, "note: 2 records read, no event was dropped\n");
}

#[test]
fn a_followed_trace_can_be_limited_filtered_and_truncated() {
    let folder = folder();
    let follow = |arguments: &[&str]| {
        let all = [&["print", "--follow", "-e", "events"], arguments].concat();
        start(folder.path(), &all)
    };
    let (out, err, status) = end(follow(&["filtered.bin", "--head", "1", "--event", "end", "--since", "1s"]));
    assert_eq!(out, "end 0.000 pid=11 job=0x1 bytes=0x1000\n");
    assert_eq!((err.lines().count(), status), (1, Some(0)), "{err}");

    let mut child = follow(&["one.bin"]);
    printed(&mut child, 3);
    OpenOptions::new().write(true).open(folder.path().join("one.bin")).unwrap().set_len(30).unwrap();
    let (_, err, status) = end(child);
    assert!(err.contains("the file has become shorter"), "{err}");
    assert_eq!(status, Some(4));
}

/// Creates a trace of `records` records of about forty bytes each.
fn large_trace(records: u64) -> Vec<u8> {
    (0..records)
        .fold(Made::v4(), |made, number| match number % 4 {
            0 => made.begin(number, 1 + (number / 1000) as u32, number, b"large"),
            1 if number % 5000 == 1 => made.dropped(number, START + number * 1_000_000),
            3 => made.tick(START + number * 999_999),
            _ => made.end(number, 1, number, number << 7),
        })
        .bytes
}

/// All ways to read and render a trace must print the same text.
#[test]
fn threads_and_pipes_change_nothing() {
    let folder = folder();
    let mut bytes = large_trace(110_000);
    bytes.truncate(bytes.len() - 5);
    assert!(bytes.len() > 4 << 20, "large enough to be rendered by several threads");
    fs::write(folder.path().join("large.bin"), bytes).unwrap();
    for options in
        ["", "--style jsonl --strict", "--values typed --where 'job > 1000' --since 10s --until 100s"]
    {
        let shell = Shell::new(folder.path());
        let print = |how: &str| {
            shell.answer(&format!("{how} -e events {options} >out.txt 2>err.txt; echo $?; md5sum <out.txt"))
        };
        let one = print("ringtrace print --threads 1 large.bin");
        assert!(fs::metadata(folder.path().join("out.txt")).unwrap().len() > 1 << 20, "{options}");
        let said = fs::read_to_string(folder.path().join("err.txt")).unwrap();
        for threads in [2, 16] {
            assert_eq!(print(&format!("ringtrace print --threads {threads} large.bin")), one, "{options}");
            assert_eq!(fs::read_to_string(folder.path().join("err.txt")).unwrap(), said, "{options}");
        }
        // For a pipe, the origin is the first record, which has the smallest time here.
        assert_eq!(print("cat large.bin | ringtrace print -"), one, "{options}");
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = folder();
    fs::write(folder.path().join("large.bin"), large_trace(110_000)).unwrap();
    for threads in ["1", "2"] {
        let mut child = start(folder.path(), &["print", "-e", "events", "large.bin", "--threads", threads]);
        printed(&mut child, 3);
        drop(child.stdout.take());
        let (_, err, status) = end(child);
        assert_eq!((err.as_str(), status), ("", Some(0)), "{threads} threads");
    }
}

#[test]
fn a_file_truncated_while_reading_is_reported() {
    let folder = folder();
    let path = folder.path().join("large.bin");
    let bytes = large_trace(110_000);
    for threads in ["1", "2"] {
        fs::write(&path, &bytes).unwrap();
        let mut child = start(folder.path(), &["print", "-e", "events", "large.bin", "--threads", threads]);
        // The tool now waits for the reader of its output.
        printed(&mut child, 1);
        File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
        let started = Instant::now();
        let (_, err, status) = end(child);
        assert!(
            err.starts_with("error: a file that was being read was truncated"),
            "{threads} threads: {err}"
        );
        assert_eq!(status, Some(4), "{threads} threads");
        assert!(started.elapsed() < Duration::from_secs(60));
    }
}

/// Runs `ringtrace print` on a terminal with `PAGER`. Returns what appears there.
fn on_a_terminal(pager: &str, options: &str) -> String {
    let testdata = root().join("testdata");
    let command = format!(
        "{} print -e qemu-io.events qemu-io.bin --head 2 {options}; echo status $?",
        env!("CARGO_BIN_EXE_ringtrace")
    );
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &command, "/dev/null"]).current_dir(testdata);
    script.env("PAGER", pager).env("TERM", "xterm").env_remove("NO_COLOR").env_remove("LESS");
    let output = script.stdin(Stdio::null()).output().unwrap();
    String::from_utf8(output.stdout).unwrap().replace('\r', "")
}

#[test]
fn a_pager_shows_the_output_on_a_terminal() {
    let shown = on_a_terminal("sed s/^/PAGED:/", "");
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].starts_with("PAGED:\u{1b}[") && lines[0].contains("bdrv_open_common"), "{shown}");
    assert_eq!(
        (lines.len(), lines[2]),
        (3, "status 0"),
        "the pager gets colours, and the tool waits for the pager: {shown}"
    );
    // The pager also shows messages.
    let shown = on_a_terminal("sed s/^/PAGED:/", "--event nothing");
    assert!(shown.lines().filter(|line| line.starts_with("PAGED:")).count() == 2, "{shown}");
    assert!(on_a_terminal("exit 3 #", "").ends_with("status 0\n"), "the user may quit at any time");
    for (pager, options) in [
        ("sed s/^/PAGED:/", "--no-pager"),
        ("sed s/^/PAGED:/", "-o -"),
        ("", ""),
        ("cat", ""),
        ("no-such-pager --option", ""),
    ] {
        let shown = on_a_terminal(pager, options);
        assert!(!shown.contains("PAGED:") && shown.ends_with("status 0\n"), "{pager} {options}: {shown}");
    }
    // `less` exits immediately if everything fits on the screen.
    let shown = on_a_terminal("less", "");
    assert!(shown.contains("bdrv_open_common") && shown.ends_with("status 0\n"), "{shown}");
}

#[test]
fn a_pipe_gets_no_pager() {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    tool.args(["print", "-e", "qemu-io.events", "qemu-io.bin"]).current_dir(root().join("testdata"));
    let output = tool.env("PAGER", "sed s/^/PAGED:/").output().unwrap();
    assert!(output.status.success() && !output.stdout.starts_with(b"PAGED:"));
}
