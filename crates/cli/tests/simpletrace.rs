//! Tests the program name `simpletrace` with damaged files, which are rebuilt here from
//! `testdata/qemu-io.bin`. The expected results come from QEMU 10.2's script.
//!
//! Each case contains the file's bytes, the lines that the script printed, its exit status, and its
//! last message unless it was a traceback.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

/// The tool under the script's name, in a temporary folder.
struct Script {
    folder: TempDir,
}

impl Script {
    fn new() -> Script {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_ringtrace"), folder.path().join("simpletrace"))
            .unwrap();
        Script { folder }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.folder.path().join("simpletrace"));
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    /// Runs the tool on a file with these bytes, with the declarations of the recording.
    fn read(&self, flags: &[&str], bytes: &[u8]) -> Output {
        std::fs::write(self.folder.path().join("trace"), bytes).unwrap();
        let declarations = testdata("qemu-io.events");
        self.command(flags).arg(declarations).arg("trace").output().unwrap()
    }
}

const HEADER_BYTES: usize = 24;
/// The offset of the first record.
const MAPPINGS_END: usize = 18734;
/// Offsets within a record: its type, event id, length and first argument.
const TYPE_AT: usize = 0;
const ID_AT: usize = 8;
const LENGTH_AT: usize = 24;
const ARGUMENTS_AT: usize = 32;

/// The recording, split into its parts.
struct Recording {
    bytes: Vec<u8>,
    /// The offset of each record, and the end of the last one.
    records: Vec<usize>,
    /// The printed line of each record, without the time.
    lines: Vec<String>,
}

impl Recording {
    fn open() -> Recording {
        let bytes = std::fs::read(testdata("qemu-io.bin")).unwrap();
        let mut records = vec![MAPPINGS_END];
        while let Some(&at) = records.last().filter(|at| **at < bytes.len()) {
            let length = u32::from_le_bytes(*bytes[at + LENGTH_AT..].first_chunk().unwrap());
            records.push(at + 8 + length as usize);
        }
        let text = std::fs::read_to_string(testdata("qemu-io.txt")).unwrap();
        let lines: Vec<String> = text
            .lines()
            .map(|line| {
                let mut words = line.splitn(3, ' ');
                let (name, _delta) = (words.next().unwrap(), words.next().unwrap());
                format!("{name} DELTA {}", words.next().unwrap())
            })
            .collect();
        assert_eq!(lines.len() + 1, records.len());
        Recording { bytes, records, lines }
    }

    /// Returns the header and the mapping records.
    fn start(&self) -> &[u8] {
        &self.bytes[..MAPPINGS_END]
    }

    fn record(&self, index: usize) -> Vec<u8> {
        self.bytes[self.records[index]..self.records[index + 1]].to_vec()
    }

    /// Returns the record with `value` at offset `at`.
    fn patched(&self, index: usize, at: usize, value: &[u8]) -> Vec<u8> {
        patch(self.record(index), at, value)
    }

    fn line(&self, index: usize, delta: &str) -> String {
        self.lines[index].replace("DELTA", delta) + "\n"
    }

    /// Returns the first record whose line contains these words.
    fn find(&self, words: &str) -> usize {
        self.lines.iter().position(|line| line.contains(words)).unwrap()
    }

    fn timestamp_ns(&self, index: usize) -> u64 {
        u64::from_le_bytes(*self.bytes[self.records[index] + 16..].first_chunk().unwrap())
    }
}

fn patch(mut bytes: Vec<u8>, at: usize, value: &[u8]) -> Vec<u8> {
    bytes[at..at + value.len()].copy_from_slice(value);
    bytes
}

/// Encodes a mapping record as QEMU does.
fn mapping(id: u64, name: &[u8]) -> Vec<u8> {
    let length = u32::try_from(name.len()).unwrap().to_le_bytes();
    [&0_u64.to_le_bytes(), &id.to_le_bytes(), &length[..], name].concat()
}

/// Encodes a dropped record.
fn dropped(timestamp_ns: u64, pid: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(24 + payload.len()).unwrap();
    [
        &1_u64.to_le_bytes()[..],
        &(u64::MAX - 1).to_le_bytes(),
        &timestamp_ns.to_le_bytes(),
        &length.to_le_bytes(),
        &pid.to_le_bytes(),
        payload,
    ]
    .concat()
}

/// A damaged file, and the script's result.
struct Case {
    name: &'static str,
    /// The size of the original file, to check the rebuilt file.
    size: usize,
    bytes: Vec<u8>,
    printed: String,
    status: i32,
    /// The script's last message, unless it was a traceback.
    words: Option<String>,
}

const WRONG_FILETYPE: &str = "Error reading header. Wrong filetype provided?";

fn undeclared(name: &str) -> Option<String> {
    Some(format!(
        "'{name}' event is logged but is not declared in the trace eventsfile, try using trace-events-all instead."
    ))
}

fn cases(recording: &Recording) -> Vec<Case> {
    let header = &recording.bytes[..HEADER_BYTES];
    let start = recording.start();
    let [first, second, third] = [0, 1, 2].map(|index| recording.record(index));
    let three = [first.as_slice(), &second, &third].concat();
    let line = |index: usize, delta: &str| recording.line(index, delta);
    let first_line = || line(0, "0.000");
    let second_line = || line(1, "0.000");

    let mut cases = Vec::new();
    // Damage after the header and the mappings.
    let mut add = |name, size, records: &[&[u8]], printed: String, status, words: Option<String>| {
        let bytes = [&[start], records].concat().concat();
        cases.push(Case { name, size, bytes, printed, status, words });
    };
    let none = String::new;

    add("hdr-maps", 18734, &[], none(), 0, None);
    let payload = 0_u64.to_le_bytes();
    let before_ns = recording.timestamp_ns(0) - 1_509_219_292_233;
    add(
        "dropped-zero",
        18854,
        &[&dropped(before_ns, 42, &payload), &first],
        format!("Dropped_Event 0.000 pid=42 num_events_dropped=0x0\n{}", line(0, "1509219292.233")),
        0,
        None,
    );
    add("dropped-nopayload", 18846, &[&dropped(before_ns, 42, &[]), &first], none(), 1, None);
    let unknown_name = mapping(777_777, b"nosuch");
    let of_unknown_name = [
        &1_u64.to_le_bytes()[..],
        &777_777_u64.to_le_bytes(),
        &recording.timestamp_ns(1).to_le_bytes(),
        &24_u32.to_le_bytes(),
        &28480_u32.to_le_bytes(),
    ]
    .concat();
    let records: [&[u8]; 3] = [&unknown_name, &first, &of_unknown_name];
    add("event-unknown-name", 18872, &records, first_line(), 1, undeclared("nosuch"));
    add("map-unknown-name", 18840, &[&unknown_name, &first], first_line(), 0, None);
    add("map-badutf8", 18837, &[&mapping(5, b"\xff\xfe\xfd"), &first], none(), 1, None);
    let id = u64::from_le_bytes(*first[ID_AT..].first_chunk().unwrap());
    let remapped = mapping(id, b"bdrv_co_flush");
    add("map-remap", 18927, &[&first, &remapped, &first], first_line(), 1, undeclared("bdrv_co_flush"));
    let length = u32::from_le_bytes(*first[LENGTH_AT..].first_chunk().unwrap());
    let longer = patch([&first[..], &[0; 16]].concat(), LENGTH_AT, &(length + 16).to_le_bytes());
    add("payload-extra", 18911, &[&longer, &third], first_line() + &line(2, "151.837"), 0, None);
    for (name, length) in [("reclen-0", 0_u32), ("reclen-8", 8)] {
        let short = recording.patched(0, LENGTH_AT, &length.to_le_bytes());
        add(name, 18959, &[&short, &second, &third], none(), 1, None);
    }
    let endless = recording.patched(0, LENGTH_AT, &u32::MAX.to_le_bytes());
    add("reclen-max", 18959, &[&second, &endless, &third], second_line() + &line(0, "-65.688"), 0, None);
    let odd_type = recording.patched(1, TYPE_AT, &7_u64.to_le_bytes());
    add("rectype-7", 18878, &[&first, &odd_type], first_line() + &line(1, "65.688"), 0, None);
    let overrun = recording.patched(0, ARGUMENTS_AT + 8, &1000_u32.to_le_bytes());
    add("strlen-overrun", 18895, &[&overrun, &third], none(), 1, None);
    add("trunc-map-hdr", 18750, &[&unknown_name[..16]], none(), 1, None);
    add("trunc-payload", 18875, &[&first, &second[..61]], first_line(), 1, None);
    add("trunc-rechdr", 18834, &[&first, &second[..20]], first_line(), 1, Some(WRONG_FILETYPE.to_owned()));
    add("trunc-type", 18819, &[&first, &second[..5]], first_line(), 1, None);
    let later =
        recording.find("bdrv_co_preadv_part DELTA pid=28480 bs=0x560577edc5a0 offset=0x10000 bytes=0x10000");
    let last = recording.find("qcow2_writev_start_req");
    add(
        "ts-backwards",
        18934,
        &[&recording.record(later), &first, &recording.record(last)],
        line(later, "0.000") + &line(0, "-275.992") + &line(last, "875.446"),
        0,
        None,
    );
    for (name, id) in [("unknown-id", 123_456), ("valid-bit-left", id | 1 << 63)] {
        let unknown = recording.patched(0, ID_AT, &u64::to_le_bytes(id));
        add(name, 18959, &[&second, &unknown, &third], second_line(), 1, None);
    }

    // Damage at the start.
    let mut add = |name, size, bytes: Vec<u8>, printed: String, status, words: Option<&str>| {
        cases.push(Case { name, size, bytes, printed, status, words: words.map(str::to_owned) });
    };
    let with_first = || [start, &first].concat();
    add("bad-magic", 18814, patch(with_first(), 8, &[0; 8]), none(), 1, None);
    let swapped: Vec<u8> = header[8..16].iter().rev().copied().collect();
    add("big-endian-header", 18814, patch(with_first(), 8, &swapped), none(), 1, None);
    let version5 = patch([start, &three].concat(), 16, &5_u64.to_le_bytes());
    add("v5", 18959, version5, none(), 1, None);
    add("empty", 0, Vec::new(), none(), 1, Some(WRONG_FILETYPE));
    add("hdr-only", 24, header.to_vec(), none(), 0, None);
    add("hdr-short", 10, header[..10].to_vec(), none(), 1, Some(WRONG_FILETYPE));
    add("trunc-map", 18731, start[..start.len() - 3].to_vec(), none(), 0, None);
    add("no-maps", 249, [header, &three].concat(), none(), 1, None);
    add("noheader-v4-events", 225, three, none(), 1, None);
    add("not-trace", 45, b"hello world, this is a text and not a trace.\n".to_vec(), none(), 1, None);
    cases
}

#[test]
fn damaged_files() {
    let script = Script::new();
    let mut wrong = Vec::new();
    for Case { name, size, bytes, printed, status, words } in cases(&Recording::open()) {
        assert_eq!(bytes.len(), size, "{name} was rebuilt wrongly");
        let output = script.read(&[], &bytes);
        let (stdout, stderr) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let ours_too = stderr.starts_with("error: trace: ") || status == 0;
        let quoted = words.is_none() || stderr.lines().last() == words.as_deref();
        if stdout != printed || output.status.code() != Some(status) || !ours_too || !quoted {
            wrong.push(format!("{name}: {:?}\n{stdout}{stderr}", output.status.code()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_recording_through_file_and_pipe() {
    let script = Script::new();
    let recording = std::fs::read(testdata("qemu-io.bin")).unwrap();
    let text = std::fs::read(testdata("qemu-io.txt")).unwrap();
    let output = script.read(&[], &recording);
    assert!(output.stdout == text && output.stderr.is_empty() && output.status.success());

    let mut piped = script.command(&[]);
    piped.arg(testdata("qemu-io.events")).arg("/dev/stdin");
    let piped = piped.stdin(std::fs::File::open(testdata("qemu-io.bin")).unwrap()).output().unwrap();
    assert!(piped.stdout == text && piped.stderr.is_empty() && piped.status.success());
}

#[test]
fn a_wrong_number_of_arguments() {
    let script = Script::new();
    let called_as = script.folder.path().join("simpletrace");
    let usage = format!("usage: {} [--no-header] <trace-events> <trace-file>\n\n", called_as.display());
    for arguments in
        [&[][..], &["a"], &["--no-headers", "a", "b"], &["a", "b", "--no-header"], &["a", "b", "c", "d"]]
    {
        let output = script.command(arguments).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), usage, "{arguments:?}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{arguments:?}");
    }
}

#[test]
fn files_that_are_not_there() {
    let script = Script::new();
    for (declarations, trace) in [("none", "trace"), (testdata("qemu-io.events").to_str().unwrap(), "none")] {
        let output = script.command(&[declarations, trace]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "error: none: No such file or directory\n");
        assert_eq!(output.status.code(), Some(1));
    }
}

#[test]
fn a_header_where_none_is_expected() {
    let recording = std::fs::read(testdata("qemu-io.bin")).unwrap();
    let output = Script::new().read(&["--no-header"], &recording);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    assert!(output.stderr.starts_with(b"error: trace: "));
}

#[test]
fn a_pipe_that_is_closed_early() {
    let script = Script::new();
    let mut command = script.command(&[]);
    command.arg(testdata("boot-small.events")).arg(testdata("boot-small.bin"));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 19];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(&first, b"visit_start_struct ");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
