//! What a build script hears from cargo, and what it tells cargo: lines on standard output.

use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use ringtrace_events::message::{MessageFormat, render, visible};
use ringtrace_events::position::{LineIndex, Position};
use ringtrace_events::{Diagnostic, Severity, SourceFile};

use super::BuildError;

/// What cargo tells a build script.
#[derive(Debug, Default)]
pub(super) struct Environment {
    /// Where output goes.
    pub out_dir: Option<PathBuf>,
    /// What links executables for Linux; `None` for other systems.
    pub linux_linker: Option<OsString>,
}

impl Environment {
    /// That of this process.
    #[expect(
        clippy::disallowed_methods,
        reason = "cargo passes everything to build scripts in the environment"
    )]
    pub fn of_build_script() -> Environment {
        let is_linux = env::var_os("CARGO_CFG_TARGET_OS").is_some_and(|os| os == "linux");
        // Without a configured one, rustc calls this.
        let linker = env::var_os("RUSTC_LINKER").unwrap_or("cc".into());
        Environment {
            out_dir: env::var_os("OUT_DIR").map(PathBuf::from),
            linux_linker: is_linux.then_some(linker),
        }
    }
}

/// Where cargo reads what a build script says.
pub(super) fn listener() -> impl Write {
    std::io::stdout().lock()
}

/// Tells cargo, and keeps what was wrong.
pub(super) struct Cargo<'a> {
    stdout: &'a mut dyn Write,
    errors: usize,
    /// The errors, for people.
    report: String,
}

/// More errors than this are only told to cargo, a line each.
const MAX_REPORTED: usize = 20;

impl<'a> Cargo<'a> {
    pub fn new(stdout: &'a mut dyn Write) -> Cargo<'a> {
        Cargo { stdout, errors: 0, report: String::new() }
    }

    /// The build script runs again when the file at `path` changes.
    pub fn rerun_if_changed(&mut self, path: &Path) {
        self.tell("rerun-if-changed", &path.display().to_string());
    }

    /// Executables of the package are linked with `argument`.
    pub fn link_argument(&mut self, argument: &str) {
        self.tell("rustc-link-arg", argument);
    }

    /// Libraries that the package's code names are in `folder`.
    pub fn link_search(&mut self, folder: &Path) {
        self.tell("rustc-link-search", &format!("native={}", folder.display()));
    }

    /// The package's code sees the variable `name` while it is compiled.
    pub fn variable(&mut self, name: &str, value: &str) {
        self.tell("rustc-env", &format!("{name}={value}"));
    }

    /// Cargo shows `message`, and fails.
    pub fn error(&mut self, message: &str) {
        self.one_error(message, |report| {
            let _ = writeln!(report, "error: {}\n", visible::text(message));
        });
    }

    /// Cargo shows what is wrong with declarations; `omitted` more problems were only counted.
    pub fn diagnostics(&mut self, diagnostics: &[Diagnostic], omitted: usize, sources: &[SourceFile]) {
        let lines: Vec<LineIndex<'_>> = sources.iter().map(|source| LineIndex::new(source.text())).collect();
        for diagnostic in diagnostics {
            let Some(source) = sources.get(diagnostic.source) else { continue };
            let at = lines[diagnostic.source].position(diagnostic.span.start);
            let message = one_line(diagnostic, source, &at);
            match diagnostic.severity {
                Severity::Warning => self.tell("warning", &message),
                Severity::Error => self.one_error(&message, |report| {
                    let one = std::slice::from_ref(diagnostic);
                    report.push_str(&render(one, sources, MessageFormat::Human { colour: false }));
                }),
            }
        }
        if omitted > 0 {
            self.tell("warning", &format!("{omitted} more problems are not shown"));
        }
    }

    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether all went well.
    pub fn finish(self) -> Result<(), BuildError> {
        if self.errors == 0 {
            return Ok(());
        }
        Err(BuildError { errors: self.errors, report: self.report.trim_end().to_owned() })
    }

    fn one_error(&mut self, line: &str, report: impl FnOnce(&mut String)) {
        self.errors += 1;
        self.tell("error", line);
        if self.errors <= MAX_REPORTED {
            report(&mut self.report);
        }
    }

    /// Nobody listens when cargo is gone, and then nothing is left to be done about it.
    fn tell(&mut self, what: &str, value: &str) {
        let _ = writeln!(self.stdout, "cargo::{what}={}", visible::text(value));
    }
}

/// `FILE:LINE:COLUMN: message [CODE]; label; help`
fn one_line(diagnostic: &Diagnostic, source: &SourceFile, at: &Position) -> String {
    let Diagnostic { message, code, label, help, .. } = diagnostic;
    let mut line = format!("{}:{}:{}: {message} [{code}]", source.name(), at.line, at.column);
    for part in [Some(label), help.as_ref()].into_iter().flatten().filter(|part| !part.is_empty()) {
        line.push_str("; ");
        line.push_str(part);
    }
    line
}
