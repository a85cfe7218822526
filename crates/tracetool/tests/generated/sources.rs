//! Generates source code for tests that compile it.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use ringtrace_events::lint::{Levels, lint};
use ringtrace_events::message::{MessageFormat, render};
use ringtrace_events::parse::{Dialect, Parsed, parse};
use ringtrace_events::{Event, Severity, SourceFile};
use ringtrace_tracetool::{BACKENDS, Backend, Format, Group, Request, SourceWriter, StapMode};

/// The generator's test data.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/tracetool")
}

/// Declarations without errors, from new or old files.
pub struct Declared {
    parsed: Parsed,
}

impl Declared {
    /// Parses `text`, the contents of a file called `name`. A comment line `# read as: read`
    /// selects the rules for trace readers, `# read as: extended` those for programs other than
    /// QEMU.
    pub fn parse(name: &str, text: &str) -> Declared {
        let dialect = match text.lines().find_map(|line| line.strip_prefix("# read as: ")) {
            Some("read") => Dialect::Read,
            Some("extended") => Dialect::Extended { strict: true },
            _ => Dialect::Generate { legacy_types: true, strict: true },
        };
        let parsed = parse(vec![SourceFile::new(name, text)], dialect);
        let errors = parsed.diagnostics.iter().filter(|found| found.severity == Severity::Error).count();
        assert_eq!(
            errors,
            0,
            "{}",
            render(&parsed.diagnostics, &parsed.declarations.sources, MessageFormat::Short)
        );
        Declared { parsed }
    }

    /// Parses the file at `path`. Its name is the last part of the path.
    pub fn read(path: &Path) -> Declared {
        let text =
            std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Declared::parse(path.file_name().unwrap().to_str().unwrap(), &text)
    }

    pub fn len(&self) -> usize {
        self.parsed.declarations.events.len()
    }

    /// Splits the declarations into groups of at most `events` events.
    pub fn cut(&self, events: usize) -> Vec<Declared> {
        let all = self.parsed.declarations.events.chunks(events);
        all.map(|some| {
            let mut parsed = self.parsed.clone();
            parsed.declarations.events = some.to_vec();
            Declared { parsed }
        })
        .collect()
    }

    /// Whether any event is not `disable`d.
    pub fn has_active(&self) -> bool {
        self.parsed.declarations.events.iter().any(|event| !event.disabled)
    }

    /// Removes the events with these `names`.
    pub fn without(mut self, names: &[&str]) -> Declared {
        self.parsed.declarations.events.retain(|event| !names.contains(&&*event.name));
        self
    }

    /// Removes events with more than `most` arguments.
    pub fn with_arguments(mut self, most: usize) -> Declared {
        self.parsed.declarations.events.retain(|event| event.arguments.len() <= most);
        self
    }

    /// Keeps one event for all that differ only in their names, the names of their arguments, and the text
    /// around conversions.
    pub fn distinct(mut self) -> Declared {
        let mut shapes = HashSet::new();
        self.parsed.declarations.events.retain(|event| {
            let types: Vec<String> = event.arguments.iter().map(|it| it.ctype_text.to_string()).collect();
            let format = event.format.as_deref().unwrap_or_default();
            let conversions = format.split('%').skip(1).map(|it| it.chars().take(4).collect::<String>());
            shapes.insert((event.disabled, event.vcpu, types, conversions.collect::<Vec<_>>()))
        });
        self
    }

    pub fn events(&self) -> &[Event] {
        &self.parsed.declarations.events
    }

    /// Generates the source code of `format` for `group` with `backends`.
    pub fn generate(&self, format: &str, group: &str, backends: &[&'static Backend]) -> String {
        self.generate_to(format, group, backends, "")
    }

    /// Generates the source code for a file named `output`.
    pub fn generate_to(
        &self,
        format: &str,
        group: &str,
        backends: &[&'static Backend],
        output: &str,
    ) -> String {
        self.generate_as(format, &Request { output, ..Request::new(self.group(group), backends) })
    }

    /// Generates the SystemTap script of `format` for the probes of `binary`. They have names such
    /// as `program.NAME`.
    pub fn script(&self, format: &str, binary: &Path, stap_mode: StapMode) -> String {
        let binary = binary.to_str().unwrap();
        let request = Request::new(self.group("all"), &[]);
        self.generate_as(format, &Request { binary, probe_prefix: "program", stap_mode, ..request })
    }

    fn group<'a>(&'a self, name: &'a str) -> Group<'a> {
        let declarations = &self.parsed.declarations;
        Group {
            name,
            sources: declarations.sources.iter().collect(),
            events: declarations.events.iter().collect(),
        }
    }

    fn generate_as(&self, format: &str, request: &Request<'_>) -> String {
        let format = Format::named(format).unwrap_or_else(|| panic!("no format {format}"));
        self.assert_fit(format);
        let mut out = SourceWriter::new();
        if let Err(refused) = (format.generate)(request, &mut out) {
            panic!("{}", render(&refused, &self.parsed.declarations.sources, MessageFormat::Short));
        }
        out.finish()
    }

    /// Checks that no lint denied by `format` finds anything.
    fn assert_fit(&self, format: &Format) {
        let mut parsed = self.parsed.clone();
        parsed.diagnostics.clear();
        let mut levels = Levels::default();
        format.denied_lints.iter().for_each(|lint| levels.deny(lint).unwrap());
        lint(&mut parsed, &levels, None);
        parsed.diagnostics.retain(|found| found.severity == Severity::Error);
        let found = render(&parsed.diagnostics, &parsed.declarations.sources, MessageFormat::Short);
        assert!(parsed.diagnostics.is_empty(), "{found}");
    }
}

/// Returns all sets of backends, in the order of the list. `nop`, which adds no code, is in a set
/// of its own.
pub fn subsets() -> impl Iterator<Item = Vec<&'static Backend>> {
    let mut real: Vec<&'static Backend> = BACKENDS.to_vec();
    real.retain(|backend| backend.name != "nop");
    let sets = (0..1_usize << real.len()).map(move |set| {
        real.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1).map(|(_, backend)| *backend).collect()
    });
    sets.chain([backends(&["nop"])])
}

/// Finds backends by name.
pub fn backends(names: &[&str]) -> Vec<&'static Backend> {
    names.iter().map(|name| Backend::named(name).unwrap_or_else(|| panic!("no backend {name}"))).collect()
}

/// Returns the standard output of `command`. On failure, panics with the start of its messages.
pub fn succeed(command: &mut Command) -> Vec<u8> {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let beginning: Vec<&str> = said.lines().take(50).collect();
        panic!("{} failed:\n{}", command.get_program().display(), beginning.join("\n"));
    }
    output.stdout
}

/// Compares `text` with the file at `golden`, or writes the file if `RINGTRACE_ACCEPT=1`.
pub fn accept_or_compare(golden: &Path, text: &str) {
    if std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1") {
        std::fs::write(golden, text).unwrap();
    }
    let expected = std::fs::read_to_string(golden).unwrap_or_default();
    assert_eq!(text, expected, "{}: RINGTRACE_ACCEPT=1 accepts", golden.display());
}
