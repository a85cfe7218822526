//! Compiles C programs with the library, runs them, and reads their traces.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]
#![allow(dead_code, reason = "not every test uses all functions")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

use ringtrace_events::SourceFile;
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_tracefile::metadata::{Metadata, Total};
use ringtrace_tracefile::text::{LineOptions, LineStyle, LineText, Render, TextBuffer, ValueStyle};
use ringtrace_tracefile::traces::Times;
use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader, Value};
use ringtrace_tracetool::{Backend, FORMATS, Group, Request, SourceWriter};

pub fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the path of the archive that cargo built for this test: the newest one with its name.
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

/// The folder for compiled programs. Later runs reuse them.
pub fn made() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Tests share this folder, so only one compiles at any time.
static MAKING: Mutex<()> = Mutex::new(());

/// Generates a header and a source file for the events in `tests/c/NAME.events`. Returns their
/// folder.
pub fn generate(name: &str, backends: &str) -> PathBuf {
    let _making = MAKING.lock();
    let folder = made().join(format!("ringtrace-capi-{name}-{backends}"));
    std::fs::create_dir_all(&folder).unwrap();
    let text = std::fs::read_to_string(here().join(format!("tests/c/{name}.events"))).unwrap();
    let parsed =
        parse(vec![SourceFile::new(format!("{name}.events"), text)], Dialect::Extended { strict: false });
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let backends: Vec<_> = backends.split('+').map(|name| Backend::named(name).unwrap()).collect();
    for ending in ["h", "c", "d"] {
        let group = Group {
            name,
            sources: parsed.declarations.sources.iter().collect(),
            events: parsed.declarations.events.iter().collect(),
        };
        let output = format!("trace-{name}.{ending}");
        let format = FORMATS.iter().find(|format| format.name == ending).unwrap();
        let mut out = SourceWriter::new();
        (format.generate)(&Request { output: &output, ..Request::new(group, &backends) }, &mut out).unwrap();
        // Another test may be reading the same file.
        let (path, text) = (folder.join(output), out.finish());
        if std::fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            std::fs::write(path, text).unwrap();
        }
    }
    folder
}

/// Compiles `source` in `tests/c`, with the group `demo` and the library, to a program. Its path is
/// the same in each run, and only one test compiles it.
pub fn compile(name: &str, compiler: &str, source: &str, more: &[&str]) -> PathBuf {
    // Generated code is C, even if the program is C++.
    let group = made().join(format!("ringtrace-capi-{name}-group.o"));
    let demo = generate("demo", "simple");
    succeeds(cc("cc").arg("-c").arg(demo.join("trace-demo.c")).arg("-o").arg(&group));
    link(name, cc(compiler).arg("-I").arg(demo).arg(group), source, more)
}

/// Compiles `source` with the library and the arguments in `command`.
pub fn link(name: &str, command: &mut Command, source: &str, more: &[&str]) -> PathBuf {
    let program = made().join(format!("ringtrace-capi-{name}"));
    let source = here().join("tests/c").join(source);
    command.arg("-s").arg("-o").arg(&program).arg(source).arg(library());
    succeeds(command.args(LIBRARIES).args(more));
    program
}

/// Compiles `source` in `tests/c` with its own group and these backends.
pub fn compile_group(name: &str, group: &str, backends: &str, source: &str) -> PathBuf {
    let program = made().join(format!("ringtrace-capi-{name}"));
    let generated = generate(group, backends);
    let mut command = cc("cc");
    command.arg("-s").arg("-o").arg(&program).arg("-I").arg(&generated);
    command.arg(here().join("tests/c").join(source)).arg(generated.join(format!("trace-{group}.c")));
    succeeds(command.arg(library()).args(LIBRARIES));
    program
}

/// System libraries that the library needs.
pub const LIBRARIES: [&str; 4] = ["-lpthread", "-ldl", "-lm", "-lgcc_s"];

/// A compiler with the library's headers.
pub fn cc(compiler: &str) -> Command {
    let mut command = Command::new(compiler);
    command.args(["-O2", "-Wall", "-Wextra", "-Wformat=2", "-Werror", "-I"]).arg(here().join("include"));
    command
}

pub fn succeeds(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A folder in which tests run a program.
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

    /// Runs a program that must succeed.
    pub fn run(&self, program: &Path, arguments: &[&str]) -> Output {
        let output = self.command(program).args(arguments).output().unwrap();
        assert!(output.status.success(), "{:?}: {}", output.status, String::from_utf8_lossy(&output.stderr));
        output
    }

    pub fn trace(&self, name: &str) -> Trace {
        Trace::read(&self.path(name))
    }
}

/// An event of a trace, as text: its name and its values.
pub type Line = String;

/// The contents of a trace.
#[derive(Debug, Default)]
pub struct Trace {
    pub lines: Vec<Line>,
    /// The thread of each event.
    pub threads: Vec<Option<u32>>,
    pub totals: Vec<Total>,
    /// The number of dropped events, according to the trace's "dropped" records.
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
        assert!(reader.anomalies().is_empty(), "{name}: {:?}", reader.anomalies());
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

/// The output of `ringtrace print --style log` for a trace, on a terminal.
pub fn print(path: &Path) -> Vec<u8> {
    let look = LineOptions {
        style: LineStyle::Log,
        values: ValueStyle::Hex,
        time: None,
        colour: false,
        raw_strings: false,
        harmless: true,
    };
    let (mut text, mut out) = (LineText::new(look, Times::default()), TextBuffer::default());
    let mut reader = Reader::new("trace", Input::open(path).unwrap(), &Options::default()).unwrap();
    let flow = reader.for_each(|entry: &Entry<'_>| {
        text.render(entry, &mut out);
        Flow::Continue
    });
    flow.unwrap();
    out.as_bytes().to_vec()
}

/// Formats an event as `NAME VALUE ...`: integers in hexadecimal, strings in quotes.
fn line(entry: &Entry<'_>) -> Line {
    let values = entry.values().map(|value| match value {
        Value::Integer(integer) => format!(" {integer:x}"),
        Value::Str(text) => format!(" \"{}\"", text.escape_ascii()),
    });
    std::iter::once(entry.schema.name.to_string()).chain(values).collect()
}
