//! Communication with cargo: environment variables, and lines on standard output.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt::{self, Write as _};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ringtrace_events::message::{MessageFormat, render, visible};
use ringtrace_events::position::{LineIndex, Position};
use ringtrace_events::{Diagnostic, Severity, SourceFile};

/// The environment of a build script.
#[derive(Debug, Default)]
pub(super) struct Environment {
    /// The folder for output.
    pub out_dir: Option<PathBuf>,
    /// The linker for Linux executables. `None` for other systems.
    pub linux_linker: Option<OsString>,
}

impl Environment {
    /// Reads the environment of this process.
    #[expect(
        clippy::disallowed_methods,
        reason = "cargo passes everything to build scripts in the environment"
    )]
    pub fn of_build_script() -> Environment {
        let is_linux = env::var_os("CARGO_CFG_TARGET_OS").is_some_and(|os| os == "linux");
        // This is rustc's default linker.
        let linker = env::var_os("RUSTC_LINKER").unwrap_or("cc".into());
        Environment {
            out_dir: env::var_os("OUT_DIR").map(PathBuf::from),
            linux_linker: is_linux.then_some(linker),
        }
    }
}

/// Standard output, which cargo reads.
pub(super) fn listener() -> impl Write {
    std::io::stdout().lock()
}

/// Sends messages to cargo and collects errors.
pub(super) struct Cargo<'a> {
    stdout: &'a mut dyn Write,
    errors: usize,
    report: String,
}

/// Maximum number of errors in the report. Each further error is only printed as a line for cargo.
const MAX_REPORTED: usize = 20;

impl<'a> Cargo<'a> {
    pub fn new(stdout: &'a mut dyn Write) -> Cargo<'a> {
        Cargo { stdout, errors: 0, report: String::new() }
    }

    /// Makes cargo run the build script again when the file at `path` changes.
    pub fn rerun_if_changed(&mut self, path: &Path) {
        self.print_line("rerun-if-changed", &path.display().to_string());
    }

    /// Passes `argument` to the linker of the package's executables.
    pub fn link_argument(&mut self, argument: &str) {
        self.print_line("rustc-link-arg", argument);
    }

    /// Searches `folder` for libraries.
    pub fn link_search(&mut self, folder: &Path) {
        self.print_line("rustc-link-search", &format!("native={}", folder.display()));
    }

    /// Sets the variable `name` for the package's compilation.
    pub fn variable(&mut self, name: &str, value: &str) {
        self.print_line("rustc-env", &format!("{name}={value}"));
    }

    /// Prints an error. The build fails.
    pub fn error(&mut self, message: &str) {
        self.one_error(message, |report| {
            let _ = writeln!(report, "error: {}\n", visible::text(message));
        });
    }

    /// Prints diagnostics for declarations. `omitted` is the number of further diagnostics that
    /// were dropped.
    pub fn diagnostics(&mut self, diagnostics: &[Diagnostic], omitted: usize, sources: &[SourceFile]) {
        let lines: Vec<LineIndex<'_>> = sources.iter().map(|source| LineIndex::new(source.text())).collect();
        for diagnostic in diagnostics {
            let Some(source) = sources.get(diagnostic.source) else { continue };
            let at = lines[diagnostic.source].position(diagnostic.span.start);
            let message = one_line(diagnostic, source, &at);
            match diagnostic.severity {
                Severity::Warning => self.print_line("warning", &message),
                Severity::Error => self.one_error(&message, |report| {
                    let one = std::slice::from_ref(diagnostic);
                    report.push_str(&render(one, sources, MessageFormat::Human { colour: false }));
                }),
            }
        }
        match omitted {
            0 => {}
            1 => self.print_line("warning", "1 further problem is not shown"),
            _ => self.print_line("warning", &format!("{omitted} further problems are not shown")),
        }
    }

    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Returns an error if any error was printed.
    pub fn finish(self) -> Result<(), BuildError> {
        if self.errors == 0 {
            return Ok(());
        }
        Err(BuildError { errors: self.errors, report: self.report.trim_end().to_owned() })
    }

    fn one_error(&mut self, line: &str, report: impl FnOnce(&mut String)) {
        self.errors += 1;
        self.print_line("error", line);
        if self.errors <= MAX_REPORTED {
            report(&mut self.report);
        }
    }

    /// Prints a line for cargo. Errors are ignored: they mean that cargo is no longer reading.
    fn print_line(&mut self, what: &str, value: &str) {
        let _ = writeln!(self.stdout, "cargo::{what}={}", visible::text(value));
    }
}

/// Formats a diagnostic as `FILE:LINE:COLUMN: message [CODE]; label; help`.
fn one_line(diagnostic: &Diagnostic, source: &SourceFile, at: &Position) -> String {
    let Diagnostic { message, code, label, help, .. } = diagnostic;
    let mut line = format!("{}:{}:{}: {message} [{code}]", source.name(), at.line, at.column);
    for part in [Some(label), help.as_ref()].into_iter().flatten().filter(|part| !part.is_empty()) {
        line.push_str("; ");
        line.push_str(part);
    }
    line
}

/// The error of a failed build. The individual errors have already been printed for cargo.
#[derive(Clone, PartialEq, Eq)]
pub struct BuildError {
    errors: usize,
    /// The first errors, with their source lines.
    report: String,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.errors == 1 { "" } else { "s" };
        write!(f, "no probes were generated, because of {} error{plural}", self.errors)
    }
}

/// The message printed if `main` returns this error: the first errors again, with their source
/// lines.
impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}\n\n{}", self.report)
    }
}

impl std::error::Error for BuildError {}

/// Exports the symbol through which copies of the runtime find each other, for executables that
/// load a library with its own copy.
///
/// Executables export no symbols by default. If the symbol does not exist, the option has no
/// effect.
pub(super) const EXPORT: &str = "-Wl,--export-dynamic-symbol=ringtrace_runtime";

/// Whether `linker`, a C compiler, supports [`EXPORT`]. GNU ld has supported it since 2.35 (2020);
/// lld, gold and mold do too. An unknown option would fail the build.
pub(super) fn takes_export(linker: &OsStr) -> bool {
    let help = Command::new(linker).arg("-Wl,--help").stdin(Stdio::null()).output();
    help.is_ok_and(|help| {
        let help = String::from_utf8_lossy(&help.stdout);
        help.split_ascii_whitespace()
            .any(|word| word.trim_end_matches("=<value>") == "--export-dynamic-symbol")
    })
}
