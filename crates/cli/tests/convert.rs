//! Tests `ringtrace convert`: converted traces must print the same text as the originals.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod console;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use console::{Shell, root};
use ringtrace_tracefile::metadata::{FIRST_ID, Metadata};
use ringtrace_tracefile::write::ZstdWriter;
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use ringtrace_wire::simpletrace::{VERSIONS, Version};

fn testdata() -> PathBuf {
    root().join("testdata")
}

fn corpus() -> Option<PathBuf> {
    ringtrace_corpus::find_or_skip("")
}

const BACKWARDS: &str = "step(int number, const char *who) \"%d %s\"";

/// Creates a self-describing trace with threads. Its times decrease, and each time occurs in two
/// records.
fn backwards() -> Vec<u8> {
    let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
    let mut out = Vec::new();
    encoder.header(0, 0, &mut out);
    let said = [
        Metadata::Version(1),
        Metadata::Declaration(BACKWARDS.to_owned()),
        Metadata::Thread(101, "worker".to_owned()),
    ];
    for (id, metadata) in (FIRST_ID..).zip(&said) {
        encoder.mapping(id, metadata.to_name().as_bytes(), &mut out);
    }
    for number in 0..8_u64 {
        let id = (100 + number % 2) << 32;
        if number < 2 {
            encoder.mapping(id, b"step", &mut out);
        }
        let values = [Value::Integer(number), Value::Str(b"me")];
        encoder.record(id, 1_000_000 - number / 2 * 1000, 7, &values, &mut out).unwrap();
    }
    out
}

/// Creates a folder with the recordings, for the sessions.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["boot-small.bin", "boot-small.events", "boot-small.txt", "qemu-io.bin", "qemu-io.events"] {
        fs::copy(testdata().join(name), folder.path().join(name)).unwrap();
    }
    for name in ["qemu-io.bin.gz", "qemu-io.bin.xz", "qemu-io.bin.zst"] {
        fs::copy(testdata().join("compressed").join(name), folder.path().join(name)).unwrap();
    }
    let compressed = fs::read(folder.path().join("qemu-io.bin.zst")).unwrap();
    fs::write(folder.path().join("cut.zst"), &compressed[..compressed.len() - 3]).unwrap();
    let mut damaged = fs::read(folder.path().join("qemu-io.bin.gz")).unwrap();
    let end = damaged.len();
    damaged[end - 8] ^= 1;
    fs::write(folder.path().join("damaged.gz"), damaged).unwrap();
    let mut twice = Vec::new();
    let mut zstd = ZstdWriter::default();
    zstd.write(&compressed, &mut twice);
    zstd.finish(&mut twice);
    fs::write(folder.path().join("twice.zst"), twice).unwrap();
    fs::copy(testdata().join("export/everything.trace"), folder.path().join("losses.trace")).unwrap();
    fs::write(folder.path().join("backwards.trace"), backwards()).unwrap();
    fs::write(folder.path().join("backwards.events"), format!("{BACKWARDS}\n")).unwrap();
    folder
}

#[test]
fn console_sessions() {
    let folder = folder();
    Shell::new(folder.path()).hold_all(&testdata().join("convert"));
}

/// Every reading command gives the same output for a compressed trace as for the original.
#[test]
fn compressed_traces_are_read_like_others() {
    let folder = folder();
    let shell = Shell::new(folder.path());
    let commands = [
        "print -e qemu-io.events TRACE",
        "print -e qemu-io.events TRACE --sort --style log --time relative",
        "print -e qemu-io.events TRACE --since 1ms --tail 3",
        "print -e qemu-io.events - < TRACE",
        "info TRACE | grep -v Size",
        "stat -e qemu-io.events TRACE",
        "stat -e qemu-io.events TRACE --pairs qemu",
        "export -e qemu-io.events TRACE --to jsonl -o - | md5sum",
        "export -e qemu-io.events TRACE --to perfetto -o - | md5sum",
        "report -e qemu-io.events TRACE -o - | sed 's/<td class=n>[^<]*<td/<td/' | md5sum",
        "diff -e qemu-io.events TRACE backwards.trace",
        "convert -e qemu-io.events TRACE - | md5sum",
        "convert -e qemu-io.events TRACE TRACE - | md5sum",
    ];
    for command in commands {
        let expected = shell.answer(&format!("ringtrace {}", command.replace("TRACE", "qemu-io.bin")));
        assert!(!expected.contains("error"), "{command}: {expected}");
        for ending in ["gz", "xz", "zst"] {
            let name = format!("qemu-io.bin.{ending}");
            let found = shell.answer(&format!("ringtrace {}", command.replace("TRACE", &name)));
            let is_hash =
                command.ends_with("md5sum") && !command.contains("jsonl") && !command.contains("convert");
            // The report page and Perfetto's metadata contain the file name.
            if !is_hash {
                assert_eq!(found.replace(&name, "qemu-io.bin"), expected, "{command} {ending}");
            }
        }
    }
}

/// A v4 trace that is converted to a compact one and back is unchanged.
#[test]
fn compact_traces_go_there_and_back() {
    let folder = folder();
    let shell = Shell::new(folder.path());
    for name in ["boot-small", "qemu-io"] {
        shell.answer(&format!("ringtrace convert -e {name}.events {name}.bin {name}.trace"));
    }
    // A conversion that does not copy would move the name of the thread to the end.
    for (name, divisor) in [("boot-small", 5), ("qemu-io", 2), ("backwards", 1)] {
        for original in [format!("{name}.trace"), "packed.trace.zst".to_owned()] {
            if original.ends_with(".zst") {
                shell.answer(&format!("ringtrace convert {name}.trace packed.trace.zst --force"));
            }
            let answer =
                shell.answer(&format!("ringtrace convert --to compact {original} small.trace --force"));
            assert_eq!(answer, "", "{name}");
            let answer = shell.answer("ringtrace convert small.trace back.trace --force");
            assert_eq!(answer, "", "{name}");
            let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
            let (v4, small, back) = (read(&format!("{name}.trace")), read("small.trace"), read("back.trace"));
            assert!(back == v4, "{original}");
            assert_ne!(small[..8], v4[..8]);
            // The other decoder also compares the headers with the contents.
            let mut python = Command::new("python3");
            python.arg("-B").arg(root().join("crates/wire/src/compact/tests/decoder.py"));
            match python.arg(folder.path().join("small.trace")).output() {
                Ok(output) => {
                    let stderr = String::from_utf8_lossy(&output.stderr);
                    assert!(output.status.success() && output.stdout == v4, "{name}: {stderr}");
                }
                Err(_) => eprintln!("SKIPPED: python3 is not installed"),
            }
            assert!(small.len() < v4.len() / divisor + 300, "{name}: {} bytes of {}", small.len(), v4.len());
        }
    }
    // `--event` selects a part of the trace, so the trace is converted and not copied.
    let part = "ringtrace convert --to compact --event step backwards.trace - | ringtrace print - | wc -l";
    assert_eq!(shell.answer(part), "8\n");
}

#[test]
fn an_interrupted_conversion_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut tool = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    let out = folder.path().join("out.trace");
    let mut child = tool.args(["convert", "-"]).arg(&out).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&backwards()).unwrap();
    // The input exceeds the converter's buffer, so some output has been written when the converter
    // waits for more input.
    let record = &backwards()[backwards().len() - 46..];
    stdin.write_all(&record.repeat(20_000)).unwrap();
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::TERM)
        .unwrap();
    child.wait().unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A trace, and the declarations for reading it.
#[derive(Debug, Clone)]
struct Trace {
    path: PathBuf,
    events: PathBuf,
    version: Version,
}

impl Trace {
    fn run(&self, arguments: &[&str], more: &[&Path]) -> Output {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
        tool.args(arguments).arg("--events").arg(&self.events).arg(&self.path).args(more).output().unwrap()
    }

    fn print(&self) -> Vec<u8> {
        let said = self.run(&["print"], &[]);
        assert!(said.status.success(), "{self:?}: {}", String::from_utf8_lossy(&said.stderr));
        said.stdout
    }

    /// Converts the trace to `out`. Returns `None` if the version cannot represent all of it. In
    /// that case, no file may be written.
    fn convert(&self, to: Version, order: &str, more: &[&str], out: &Path) -> Option<Trace> {
        let arguments = ["convert", "--force", "--to", to.info().name, "--to-order", order];
        let said = self.run(&[&arguments[..], more].concat(), &[out]);
        let words = String::from_utf8_lossy(&said.stderr);
        match said.status.code() {
            Some(0) => Some(Trace { path: out.to_owned(), version: to, events: self.events.clone() }),
            Some(1) if words.contains(&format!("nothing was written: {to} cannot represent all events")) => {
                assert!(!out.exists());
                None
            }
            _ => panic!("{self:?} {arguments:?}: {words}"),
        }
    }

    /// Converts the trace to every version and byte order, and converts lossless results back.
    fn goes_there_and_back(&self) {
        let folder = tempfile::tempdir().unwrap();
        let (there, back) = (folder.path().join("there"), folder.path().join("back"));
        let text = self.print();
        for (to, order) in
            VERSIONS.iter().flat_map(|info| ["little", "big"].map(|order| (info.version, order)))
        {
            match self.convert(to, order, &[], &there) {
                Some(converted) => {
                    if to == self.version {
                        assert!(converted.print() == text, "{self:?} to {order}");
                    }
                    let returned = converted.convert(self.version, "little", &["--plain"], &back);
                    let returned =
                        returned.unwrap_or_else(|| panic!("{self:?} {to} {order}: not converted back"));
                    assert!(returned.print() == text, "{self:?} to {to} {order} and back");
                }
                None => {
                    assert_ne!(to, self.version, "{self:?}");
                    let lossy = self.convert(to, order, &["--lossy"], &there).unwrap();
                    assert!(!lossy.print().is_empty());
                }
            }
            fs::remove_file(&there).unwrap();
        }
    }
}

#[test]
fn recordings_go_there_and_back() {
    for name in ["boot-small", "qemu-io"] {
        let path = |extension: &str| testdata().join(name).with_extension(extension);
        Trace { path: path("bin"), events: path("events"), version: Version::V4 }.goes_there_and_back();
    }
}

/// Returns the files with the name prefix `prefix` in the folders of all versions.
fn historic(prefix: &str) -> Vec<Trace> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let mut traces = Vec::new();
    for info in VERSIONS {
        let folder = corpus.join("historic").join(format!("simpletrace-{}", info.name));
        let mut files: Vec<PathBuf> =
            fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.starts_with(prefix) && name.ends_with(".log")
        });
        files.sort();
        let events = folder.join("trace-events");
        traces.extend(files.into_iter().map(|path| Trace {
            path,
            events: events.clone(),
            version: info.version,
        }));
    }
    assert!(!traces.is_empty(), "no {prefix}* in {}", corpus.display());
    traces
}

#[test]
fn traces_of_all_eras_go_there_and_back() {
    for trace in historic("w").into_iter().chain(historic("ok-")) {
        trace.goes_there_and_back();
    }
}

#[test]
fn the_readable_part_of_damaged_traces_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for trace in historic("bad-") {
        let printed = trace.run(&["print"], &[]);
        let said = trace.run(&["convert", "--lossy", "--to", trace.version.info().name], &[&out]);
        assert_eq!(said.status.code(), printed.status.code(), "{trace:?}");
        if out.exists() {
            let converted = Trace { path: out.clone(), ..trace.clone() };
            assert!(converted.print() == printed.stdout, "{trace:?}");
            fs::remove_file(&out).unwrap();
        } else {
            // The reader could not even read the header.
            assert!(printed.stdout.is_empty(), "{trace:?}");
        }
    }
}

/// Half of a trace, which ends within the mapping record of an event, or continues with zero bytes, as
/// after a power failure. Without `--lossy`, it is not converted to a trace without damage.
#[test]
fn a_truncated_trace_has_an_error_status_wherever_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &[&str]| {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
        tool.args(words).current_dir(folder.path()).output().unwrap()
    };
    let whole = backwards();
    let is_name = |window: &[u8]| window == b"step";
    let name = whole.windows(4).rposition(is_name).unwrap();
    // The size of a mapping record without its name.
    let (within, before) = (&whole[..name + 2], &whole[..name - 20]);
    for trace in [within, &[before, &[0; 4000]].concat(), &[before, &[0; 40], &whole[name - 20..]].concat()] {
        fs::write(folder.path().join("t"), trace).unwrap();
        for words in [&["print", "t"][..], &["print", "t", "--sort"], &["stat", "t"], &["info", "t"]] {
            let output = run(words);
            assert_eq!(output.status.code(), Some(1), "{words:?} {output:?}");
        }
        for words in [&["convert", "t", "out"][..], &["convert", "t", "out", "--to", "compact"]] {
            assert_eq!(run(words).status.code(), Some(1), "{words:?}");
            assert!(!folder.path().join("out").exists(), "{words:?}");
        }
    }
}

/// The file to which a link refers is written, also if it does not exist yet.
#[test]
fn a_link_as_output_remains_a_link() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t"), backwards()).unwrap();
    std::os::unix::fs::symlink("target", folder.path().join("link")).unwrap();
    // A folder of this name does not hide standard input.
    fs::create_dir(folder.path().join("-")).unwrap();
    let mut tool = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    tool.args(["convert", "-", "link"]).current_dir(folder.path());
    tool.stdin(fs::File::open(folder.path().join("t")).unwrap());
    assert!(tool.status().unwrap().success());
    assert_eq!(fs::read(folder.path().join("target")).unwrap(), backwards());
    assert!(folder.path().join("link").symlink_metadata().unwrap().is_symlink());
}

#[test]
fn the_declarations_of_a_whole_build_survive_in_a_trace() {
    let Some(corpus) = corpus() else { return };
    let events = corpus.join("qemu/trace-events-all");
    let folder = tempfile::tempdir().unwrap();
    for name in ["paired-boot", "oddnames", "toggled", "dropped-first"] {
        let path = corpus.join("qemu").join(name).with_extension("bin");
        let trace = Trace { path, events: events.clone(), version: Version::V4 };
        let out = folder.path().join(name);
        trace.convert(Version::V4, "big", &[], &out).unwrap();
        let alone = Command::new(env!("CARGO_BIN_EXE_ringtrace")).arg("print").arg(&out).output().unwrap();
        assert!(alone.stdout == trace.print(), "{name}");
        // The format strings must survive, too.
        let formatted = |more: &[&std::ffi::OsStr]| {
            let mut tool = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
            tool.args(["print", "--style", "log"]).args(more).output().unwrap().stdout
        };
        let declared = formatted(&["--events".as_ref(), events.as_ref(), trace.path.as_ref()]);
        assert!(!declared.is_empty() && formatted(&[out.as_ref()]) == declared, "{name}");
    }
}
