//! Programs in C, that are linked with the library, run, and asked what they traced.

#![allow(dead_code, reason = "not every test wants all of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use ringtrace_tracefile::metadata::{Metadata, Total};
use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader, Value};

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The archive that this test was built with: the newest of its name, since cargo has built it, or found that it is as new as the code.
pub fn library() -> PathBuf {
    let folder = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let archives = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with("libringtrace_c") && name.ends_with(".a")
    });
    archives
        .max_by_key(|path| path.metadata().unwrap().modified().unwrap())
        .expect("the archive is built with the tests")
}

/// Compiles files of `tests/c`, with the library, to a program. Where it is stays the same from run to run: each program is compiled by one test only.
pub fn compile(name: &str, compiler: &str, sources: &[&str], more: &[&str]) -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ringtrace-capi-{name}"));
    let mut command = Command::new(compiler);
    command.args(["-O2", "-Wall", "-Wextra", "-Wformat=2", "-Werror", "-s", "-o"]).arg(&program);
    for folder in ["include", "tests/c"] {
        command.arg("-I").arg(here().join(folder));
    }
    command.args(sources.iter().map(|source| here().join("tests/c").join(source)));
    command.arg(library()).args(["-lpthread", "-ldl", "-lm", "-lgcc_s"]).args(more);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    program
}

/// A folder in which a program is run.
pub struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    pub fn new() -> Bench {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("rings")).unwrap();
        Bench { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path()).env("RINGTRACE_DIR", self.path("rings"));
        command
    }

    /// Runs a program that is to succeed.
    pub fn run(&self, program: &Path, arguments: &[&str]) -> Output {
        let output = self.command(program).args(arguments).output().unwrap();
        assert!(output.status.success(), "{:?}: {}", output.status, String::from_utf8_lossy(&output.stderr));
        output
    }

    pub fn trace(&self, name: &str) -> Trace {
        Trace::read(&self.path(name))
    }
}

/// One event of a trace: its name and its values, as they are told here.
pub type Line = String;

/// What a trace says.
#[derive(Debug, Default)]
pub struct Trace {
    pub lines: Vec<Line>,
    /// The thread of each.
    pub threads: Vec<Option<u32>>,
    pub totals: Vec<Total>,
    /// Events that dropped records tell of.
    pub dropped: u64,
}

impl Trace {
    pub fn read(path: &Path) -> Trace {
        let mut trace = Trace::default();
        let name = path.display().to_string();
        let mut reader = Reader::new(&name, Input::open(path).unwrap(), &Options::default()).unwrap();
        let flow = reader.for_each(|entry: &Entry<'_>| {
            if let Some(count) = entry.dropped() {
                trace.dropped += count;
            } else {
                trace.threads.push(entry.tid());
                trace.lines.push(line(entry));
            }
            Flow::Continue
        });
        flow.unwrap();
        assert!(reader.complaints().is_empty(), "{name}: {:?}", reader.complaints());
        for piece in reader.metadata() {
            if let Metadata::Total(total) = piece {
                assert_eq!(
                    total.issued,
                    total.recorded + total.dropped + total.overwritten + total.refused,
                    "{name}"
                );
                trace.totals.push(*total);
            }
        }
        trace
    }
}

/// `NAME VALUE ...`: integers in hexadecimal digits, strings in quotes.
fn line(entry: &Entry<'_>) -> Line {
    let values = entry.values().map(|value| match value {
        Value::Integer(integer) => format!(" {integer:x}"),
        Value::Str(text) => format!(" \"{}\"", text.escape_ascii()),
    });
    std::iter::once(entry.schema.name.to_string()).chain(values).collect()
}
