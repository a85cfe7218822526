//! Compares generated code with the golden files in `testdata/tracetool`.
//!
//! The path of a golden file describes the case. `h/names.log+simple.h` is the output of format `h`
//! for `names.events` with the backends `log` and `simple`. `all` selects all backends; without
//! names, no backend is selected. `dynamic` or `v3` selects the mode of SystemTap scripts, as in
//! `simpletrace-stap/types.dynamic.stp`. A file that ends in `.out` contains diagnostics.
//!
//! To add a case, create an empty file with its name and run with `RINGTRACE_ACCEPT=1`. Every
//! format has a folder.
//!
//! In declarations files, a comment line `# read as: read` selects the rules for readers of old
//! files. `# read as: legacy` selects the rules for a generator with `--legacy-types`.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use ringtrace_events::codes::{Code, find};
use ringtrace_events::message::{MessageFormat, render};
use ringtrace_events::parse::{Dialect, Parsed, parse};
use ringtrace_events::{Severity, SourceFile};
use ringtrace_tracetool::{BACKENDS, Backend, FORMATS, Format, Group, Request, SourceWriter, StapMode};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/tracetool")
}

/// A case, described by a file name.
struct Case {
    /// The name of the declarations file and of the group.
    name: String,
    backends: Vec<&'static Backend>,
    manner: StapMode,
}

impl Case {
    /// Parses `words`, a file name without its extension.
    fn new(words: &str) -> Case {
        let mut words = words.split('.');
        let name = words.next().unwrap().to_owned();
        let mut case = Case { name, backends: Vec::new(), manner: StapMode::default() };
        for word in words {
            match word {
                "all" => case.backends = BACKENDS.to_vec(),
                "dynamic" => case.manner = StapMode::Dynamic,
                "v3" => case.manner = StapMode::Version3,
                backends => case.backends = backends.split('+').map(backend).collect(),
            }
        }
        case
    }

    /// Returns the source code that `format` generates for a file with the extension `ending`, or
    /// the diagnostics.
    fn generate(&self, format: &Format, ending: &str) -> Result<String, String> {
        let parsed = declarations(&format!("{}.events", self.name));
        let declarations = &parsed.declarations;
        let group = Group {
            name: &self.name,
            sources: declarations.sources.iter().collect(),
            events: declarations.events.iter().collect(),
        };
        let request = Request {
            output: &format!("trace/trace-{}.{ending}", self.name),
            binary: "/usr/bin/program",
            probe_prefix: "program",
            stap_mode: self.manner,
            ..Request::new(group, &self.backends)
        };
        let mut out = SourceWriter::new();
        match (format.generate)(&request, &mut out) {
            Ok(()) => Ok(out.finish()),
            Err(refused) => {
                Err(render(&refused, &declarations.sources, MessageFormat::Human { colour: false }))
            }
        }
    }
}

fn backend(name: &str) -> &'static Backend {
    Backend::named(name).unwrap_or_else(|| panic!("no backend `{name}`"))
}

/// Parses a declarations file by the rules that its comment selects.
fn declarations(file: &str) -> Parsed {
    let text = fs::read_to_string(folder().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let dialect = match text.lines().find_map(|line| line.strip_prefix("# read as: ")) {
        None => Dialect::NEW,
        Some("read") => Dialect::Read,
        Some("extended") => Dialect::Extended { strict: false },
        Some("legacy") => Dialect::Generate { legacy_types: true, strict: false },
        Some(other) => panic!("{file}: unknown rules `{other}`"),
    };
    let parsed = parse(vec![SourceFile::new(file, text)], dialect);
    let errors = parsed.diagnostics.iter().filter(|found| found.severity == Severity::Error).count();
    assert_eq!(
        errors,
        0,
        "{}",
        render(&parsed.diagnostics, &parsed.declarations.sources, MessageFormat::Short)
    );
    parsed
}

/// Lists the files of a folder, sorted. For a missing folder, returns an empty list.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// Compares the output for the case at `path` with the file. Returns a message if they differ.
fn check(format: &Format, path: &Path) -> Option<String> {
    let accept = std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1");
    let (words, ending) = path.file_name().unwrap().to_str().unwrap().rsplit_once('.').unwrap();
    let generated = Case::new(words).generate(format, ending);
    let file = path.display();
    if generated.is_err() != (ending == "out") {
        let why = generated.err().unwrap_or_default();
        return Some(format!("{file}: only rejected declarations have golden files that end in .out\n{why}"));
    }
    let (Ok(text) | Err(text)) = generated;
    if accept {
        fs::write(path, &text).unwrap();
    }
    let golden = fs::read_to_string(path).unwrap();
    (golden != text).then(|| format!("{file}: RINGTRACE_ACCEPT=1 accepts the current output\n{text}"))
}

#[test]
fn generated_code_matches_golden_files() {
    let mut failures = String::new();
    for format in FORMATS {
        let cases = files(&folder().join(format.name));
        if cases.is_empty() {
            writeln!(failures, "{}: the format has no golden file", format.name).unwrap();
        }
        for failure in cases.iter().filter_map(|case| check(format, case)) {
            writeln!(failures, "{failure}").unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn formats_have_names_of_their_own() {
    for (index, format) in FORMATS.iter().enumerate() {
        assert!(!FORMATS[..index].iter().any(|other| other.name == format.name));
        assert!(!format.about.is_empty());
        for lint in format.denied_lints {
            assert!(find(lint).is_some_and(Code::is_lint), "{lint}");
        }
    }
}
