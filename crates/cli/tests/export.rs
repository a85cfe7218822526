//! Tests of `ringtrace export` that apply to every format. `crates/export/tests` tests each format
//! with readers of that format.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod console;
mod late;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use console::{Shell, root};
use ringtrace_export::{EXPORTERS, Format, OutputKind};
use ringtrace_peers::perfetto;
use ringtrace_wire::simpletrace::VERSIONS;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

fn testdata(name: &str) -> PathBuf {
    root().join("testdata").join(name)
}

fn tool() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ringtrace"))
}

/// All files of an export by relative path.
type Content = BTreeMap<PathBuf, Vec<u8>>;

fn content(out: &Path) -> Content {
    fn collect(path: &Path, name: PathBuf, content: &mut Content) {
        if path.is_dir() {
            for entry in fs::read_dir(path).unwrap().map(|entry| entry.unwrap()) {
                collect(&entry.path(), name.join(entry.file_name()), content);
            }
        } else {
            content.insert(name, fs::read(path).unwrap());
        }
    }
    let mut content = Content::new();
    collect(out, PathBuf::new(), &mut content);
    content
}

/// A folder to export into.
struct Here {
    folder: TempDir,
}

impl Here {
    fn new() -> Here {
        Here { folder: tempfile::tempdir().unwrap() }
    }

    /// Writes a trace file with these bytes.
    fn trace(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn run(&self, format: &Format, arguments: &[&str], trace: &Path) -> Output {
        let mut tool = tool();
        // Pass only the file name, because many formats contain it.
        tool.current_dir(trace.parent().unwrap()).args(["export", "--force", "--to", format.name]);
        tool.args(arguments);
        tool.arg(trace.file_name().unwrap()).arg("-o").arg(self.out()).output().unwrap()
    }

    /// Exports `trace`, and returns the files. The exit status must be `status`.
    #[track_caller]
    fn export(&self, format: &Format, arguments: &[&str], trace: &Path, status: i32) -> Content {
        let said = self.run(format, arguments, trace);
        let words = String::from_utf8_lossy(&said.stderr);
        assert_eq!(said.status.code(), Some(status), "{} {arguments:?} {trace:?}: {words}", format.name);
        content(&self.out())
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

#[test]
fn console_sessions() {
    let here = Here::new();
    let exports =
        ["everything.trace", "everything.pairs", "empty.trace"].map(|name| format!("export/{name}"));
    for name in ["boot-small.bin", "boot-small.events"].into_iter().chain(exports.iter().map(String::as_str))
    {
        let path = testdata(name);
        fs::copy(&path, here.folder.path().join(path.file_name().unwrap())).unwrap();
    }
    Shell::new(here.folder.path()).hold_all(&testdata("export"));
}

/// docs/export.md must describe each format and its readers, and name the test in which an external
/// reader reads the format.
#[test]
fn every_format_is_documented_and_read_by_its_reader() {
    let document = fs::read_to_string(root().join("docs/export.md")).unwrap();
    let rows = document.lines().skip_while(|line| !line.starts_with("| `--to`")).skip(2);
    let rows: Vec<Vec<&str>> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|row| row.split('|').skip(1).map(str::trim).collect())
        .collect();
    let told: Vec<&str> = rows.iter().map(|row| row[0].trim_matches('`')).collect();
    let known: Vec<&str> = EXPORTERS.iter().map(|format| format.name).collect();
    assert_eq!(told, known, "left: docs/export.md, right: EXPORTERS");
    for (format, row) in EXPORTERS.iter().zip(&rows) {
        let endings: Vec<&str> = row[1].split('`').skip(1).step_by(2).collect();
        assert_eq!(endings, format.endings, "{}", format.name);
        let [test] = row[4].split('`').skip(1).step_by(2).collect::<Vec<_>>()[..] else {
            panic!("{}: expected one test file: {}", format.name, row[4]);
        };
        assert!(root().join(test).exists(), "{test} does not exist");
        let test: Vec<u8> = content(&root().join(test)).into_values().flatten().collect();
        let named = format!("\"{}\"", format.name);
        assert!(String::from_utf8_lossy(&test).contains(&named), "the test does not read {}", format.name);
    }
}

#[test]
fn every_extension_selects_its_format() {
    let trace = testdata("export/everything.trace");
    for format in EXPORTERS {
        let here = Here::new();
        let expected = here.export(format, &[], &trace, 0);
        for ending in format.endings {
            let out = here.folder.path().join(format!("named{ending}"));
            let mut tool = tool();
            tool.current_dir(trace.parent().unwrap()).args(["export", "everything.trace", "-o"]);
            let said = tool.arg(&out).output().unwrap();
            assert!(said.status.success(), "{ending}: {}", String::from_utf8_lossy(&said.stderr));
            assert!(content(&out) == expected, "{} and `{ending}`", format.name);
        }
    }
}

#[test]
fn streams_equal_files() {
    let trace = testdata("export/everything.trace");
    for format in EXPORTERS {
        let here = Here::new();
        let mut tool = tool();
        tool.current_dir(trace.parent().unwrap()).args(["export", "--to", format.name, "-o", "-"]);
        let said = tool.arg("everything.trace").output().unwrap();
        if matches!(format.output, OutputKind::Text | OutputKind::Stream) {
            let expected = here.export(format, &[], &trace, 0);
            assert!(expected[Path::new("")] == said.stdout, "{}", format.name);
        } else {
            assert_eq!((said.status.code(), said.stdout.len()), (Some(2), 0), "{}", format.name);
        }
    }
}

/// A trace is exported again if it declares the events of a span after its first event.
#[test]
fn spans_that_are_declared_late_are_exported() {
    const DECLARATIONS: [&str; 3] =
        ["started(uint64_t span)", "query__begin(uint64_t span)", "query__end(uint64_t span)"];
    // The others do not declare all of these events.
    for (name, bytes) in &late::traces()[..2] {
        for format in EXPORTERS {
            let here = Here::new();
            let trace = here.trace(name, bytes);
            let declarations = DECLARATIONS.map(|event| format!("{event} \"\"\n")).concat();
            here.trace("late.events", declarations.as_bytes());
            let exported = here.export(format, &[], &trace, 0);
            let declared_first = here.export(format, &["--events", "late.events"], &trace, 0);
            assert!(exported == declared_first, "{} {name}", format.name);
        }
    }
}

/// Each dropped event, pause and filtered event must change the export.
#[test]
fn losses_and_pauses_are_exported() {
    let trace = testdata("export/everything.trace");
    for format in EXPORTERS {
        let here = Here::new();
        let all = here.export(format, &[], &trace, 0);
        let told = here.run(format, &["--strict"], &trace);
        let words = String::from_utf8_lossy(&told.stderr);
        assert!(words.contains("1,099,511,632,097 events were lost while recording"), "{words}");
        assert!(words.contains("recording was off once, for 1.00 s, and at the end"), "{words}");
        assert_eq!(told.status.code(), Some(3), "{}", format.name);
        assert!(content(&here.out()) == all, "{}", format.name);

        let without = here.export(format, &["--event", "-Dropped_Event"], &trace, 0);
        assert!(all != without, "{}: dropped records make no difference", format.name);

        let mut bytes = fs::read(&trace).unwrap();
        let paused = b"ringtrace.paused=";
        while let Some(place) = bytes.windows(paused.len()).position(|window| window == paused) {
            bytes[place..place + paused.len()].copy_from_slice(b"ringtrace.puased=");
        }
        let resumed = b"ringtrace.resumed=";
        while let Some(place) = bytes.windows(resumed.len()).position(|window| window == resumed) {
            bytes[place..place + resumed.len()].copy_from_slice(b"ringtrace.reusmed=");
        }
        let without = here.export(format, &[], &here.trace("everything.trace", &bytes), 0);
        let pausing =
            here.export(format, &[], &here.trace("everything.trace", &fs::read(&trace).unwrap()), 0);
        assert!(pausing != without, "{}: pauses make no difference", format.name);
    }
}

/// Returns the rows that Perfetto's trace processor reads from an export, or `None` if the trace
/// processor is missing.
fn of_perfetto(content: &Content) -> Option<Vec<Vec<Vec<serde_json::Value>>>> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("it.pftrace");
    fs::write(&file, &content[Path::new("")]).unwrap();
    let queries = [
        "select slice.id, ts, dur, slice.name, track.name, key, display_value from slice join track on track_id = track.id \
         left join args using (arg_set_id) order by slice.id, key",
        "select ts, value, track.name from counter join track on track_id = track.id order by counter.id",
    ];
    let rows = perfetto::query(&file, &queries)?;
    assert!(!rows[0].is_empty());
    Some(rows)
}

/// The fast path and filters use different code to write records.
#[test]
fn the_fast_path_and_filters_export_the_same() {
    let path = |name: &str| testdata(name).into_os_string().into_string().unwrap();
    let (events, pairs) = (path("qemu-io.events"), path("export/everything.pairs"));
    for (trace, given) in [
        ("qemu-io.bin", vec!["--pairs", "none", "--events", &events]),
        ("qemu-io.bin", vec!["--pair", "bdrv_co_preadv_part:qcow2_cache_flush:pid", "--events", &events]),
        ("export/everything.trace", vec![]),
        ("export/everything.trace", vec!["--pairs", &pairs]),
        ("export/far.trace", vec![]),
    ] {
        for format in EXPORTERS {
            let here = Here::new();
            let quick = here.export(format, &given, &testdata(trace), 0);
            let filtered = [&given[..], &["--where", "pid >= 0"]].concat();
            let looked_at = here.export(format, &filtered, &testdata(trace), 0);
            // On the fast path, the lengths of Perfetto's messages use more bytes than necessary.
            if format.name != "perfetto" {
                assert!(quick == looked_at, "{} of {trace}", format.name);
            } else if trace.starts_with("export/") {
                assert_eq!(of_perfetto(&quick), of_perfetto(&looked_at), "perfetto of {trace}");
            }
            let in_turn = here.export(format, &given, &testdata(trace), 0);
            assert!(quick == in_turn, "{} of {trace}: two exports differ", format.name);
        }
    }
}

#[test]
fn filters_apply_to_exports() {
    let trace = testdata("export/everything.trace");
    let size = |content: &Content| content.values().map(Vec::len).sum::<usize>();
    for format in EXPORTERS {
        let here = Here::new();
        let all = here.export(format, &[], &trace, 0);
        let texts = here.export(format, &["--event", "text"], &trace, 0);
        let same = here.export(format, &["--where", "name == \"text\""], &trace, 0);
        assert!(texts == same, "{}", format.name);
        let fewer = ["--event", "text", "--where", "first == \"=1+1\""];
        let one = here.export(format, &fewer, &trace, 0);
        assert!(one != texts && texts != all, "{}", format.name);
        // In formats with pages, the sizes can be equal.
        let sizes = [size(&one), size(&texts), size(&all)];
        assert!(sizes.is_sorted(), "{}: {sizes:?}", format.name);
    }
}

#[test]
fn traces_without_records_are_exported() {
    for format in EXPORTERS {
        let here = Here::new();
        let empty = here.export(format, &[], &testdata("export/empty.trace"), 0);
        assert!(!empty.is_empty(), "{}", format.name);
        let nothing = here.export(format, &["--event", "never"], &testdata("export/everything.trace"), 0);
        assert!(!nothing.is_empty(), "{}", format.name);
    }
}

#[test]
fn the_readable_part_of_a_damaged_trace_is_exported() {
    let whole = fs::read(testdata("export/everything.trace")).unwrap();
    for format in EXPORTERS {
        let here = Here::new();
        let expected = here.export(format, &[], &here.trace("whole/it", &whole), 0);
        let damaged = here.trace("damaged/it", &[&whole[..], b"\x01\0\0"].concat());
        assert!(here.export(format, &[], &damaged, 1) == expected, "{}", format.name);
        // No matter where the trace is cut, the export must write something and exit with status 1.
        for length in [whole.len() / 3 + 1, whole.len() / 2 + 1, whole.len() - 100] {
            let cut = here.trace("damaged/it", &whole[..length]);
            assert!(!here.export(format, &[], &cut, 1).is_empty(), "{} cut at {length}", format.name);
        }
        fs::remove_dir_all(here.folder.path().join("damaged")).unwrap();
        let said = here.run(format, &[], &here.trace("damaged/it", b"no trace at all"));
        assert_eq!(said.status.code(), Some(1), "{}", format.name);
    }
}

#[test]
fn traces_of_all_versions_are_exported() {
    let trace = testdata("export/everything.trace");
    let here = Here::new();
    let events = testdata("export/everything.events");
    for info in VERSIONS {
        for order in ["little", "big"] {
            let old = here.folder.path().join("old");
            let mut convert = tool();
            convert.args([
                "convert",
                "--force",
                "--lossy",
                "--plain",
                "--to",
                info.name,
                "--to-order",
                order,
            ]);
            let converted = convert.arg("-e").arg(&events).arg(&trace).arg(&old).output().unwrap();
            assert!(converted.status.success(), "{}", String::from_utf8_lossy(&converted.stderr));
            for format in EXPORTERS {
                let out = Here::new();
                let content = out.export(format, &["-e", events.to_str().unwrap()], &old, 0);
                let bytes: usize = content.values().map(Vec::len).sum();
                assert!(bytes > 1000, "{} of {}: {bytes} bytes", format.name, info.name);
            }
        }
    }
}

/// Starts an export of an endless trace, and waits until some output exists.
fn started(format: &Format, out: &Path) -> Child {
    // Under nohup, SIGHUP is ignored, and child processes inherit that. Restore the default
    // handling.
    let mut export = Command::new("env");
    export.args(["--default-signal=HUP,INT,TERM", env!("CARGO_BIN_EXE_ringtrace")]);
    export.args(["export", "--to", format.name, "-", "-o"]).arg(out).stdin(Stdio::piped());
    let mut child = export.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&fs::read(testdata("export/everything.trace")).unwrap()).unwrap();
    child.stdin = Some(stdin);
    let folder = fs::canonicalize(out.parent().unwrap()).unwrap();
    let descriptors = PathBuf::from(format!("/proc/{}/fd", child.id()));
    let is_there = || {
        let open =
            fs::read_dir(&descriptors).unwrap().filter_map(|entry| fs::read_link(entry.unwrap().path()).ok());
        fs::read_dir(&folder).unwrap().count() > 0 || open.into_iter().any(|open| open.starts_with(&folder))
    };
    let begin = Instant::now();
    while !is_there() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{}: no output was written", format.name);
        sleep(Duration::from_millis(2));
    }
    child
}

#[test]
fn an_interrupted_export_leaves_nothing() {
    for format in EXPORTERS {
        for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
            let here = Here::new();
            let mut child = started(format, &here.out());
            // `Child::wait` closes the pipe first, which would end the trace.
            let stdin = child.stdin.take();
            kill_process(Pid::from_child(&child), signal).unwrap();
            let begin = Instant::now();
            let status = loop {
                if let Some(status) = child.try_wait().unwrap() {
                    break status;
                }
                assert!(
                    begin.elapsed() < Duration::from_secs(60),
                    "{}: {signal:?} does not end the export",
                    format.name
                );
                sleep(Duration::from_millis(1));
            };
            drop(stdin);
            assert_eq!(status.signal(), Some(signal.as_raw()), "{}: {status}", format.name);
            assert_eq!(here.names(), [""; 0], "{} after {signal:?}", format.name);
        }
    }
}

#[test]
fn an_export_that_cannot_be_written_leaves_nothing() {
    // The second trace has no pauses, which some formats write at the end.
    let traces = [["export/everything.events", "export/everything.trace"], ["qemu-io.events", "qemu-io.bin"]];
    for (format, [events, trace]) in EXPORTERS.iter().flat_map(|format| traces.map(|trace| (format, trace))) {
        let here = Here::new();
        // Limit the file size to simulate a full disk. Ignore SIGXFSZ, which would otherwise end
        // the tool before it prints its message.
        let limited = "trap '' XFSZ; ulimit -f 0; exec \"$@\"";
        let mut shell = Command::new("sh");
        shell.args(["-c", limited, "sh", env!("CARGO_BIN_EXE_ringtrace"), "export", "--to", format.name]);
        shell.arg("--events").arg(testdata(events)).arg(testdata(trace));
        let said = shell.arg("-o").arg(here.out()).output().unwrap();
        let words = String::from_utf8_lossy(&said.stderr);
        assert_eq!(said.status.code(), Some(4), "{}: {words}", format.name);
        assert!(words.contains("out: File too large"), "{}: {words}", format.name);
        assert_eq!(here.names(), [""; 0], "{}", format.name);
    }
}

#[test]
fn an_export_replaces_an_older_one() {
    for format in EXPORTERS {
        let here = Here::new();
        let old = here.export(format, &[], &testdata("export/empty.trace"), 0);
        let new = here.export(format, &[], &testdata("export/everything.trace"), 0);
        assert!(old != new, "{}", format.name);
        // After an error, the existing export must remain.
        assert_eq!(
            here.run(format, &["--where", "("], &testdata("export/everything.trace")).status.code(),
            Some(2)
        );
        assert!(content(&here.out()) == new, "{}", format.name);
        assert_eq!(here.names(), ["out"], "{}", format.name);
    }
}
