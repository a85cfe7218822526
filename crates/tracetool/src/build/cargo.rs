//! What a build script hears from cargo, and what it tells cargo: lines on standard output.

use std::io::Write;
use std::path::{Path, PathBuf};

use ringtrace_events::message::visible;
use ringtrace_events::position::LineIndex;
use ringtrace_events::{Diagnostic, Severity, Source};

use super::BuildError;

/// What cargo tells a build script.
#[derive(Debug, Default)]
pub(super) struct Environment {
    /// Where output goes.
    pub out_dir: Option<PathBuf>,
}

impl Environment {
    /// That of this process.
    pub fn of_build_script() -> Environment {
        Environment { out_dir: std::env::var_os("OUT_DIR").map(PathBuf::from) }
    }
}

/// Where cargo reads what a build script says.
pub(super) fn listener() -> impl Write {
    std::io::stdout().lock()
}

/// Tells cargo, and counts errors.
pub(super) struct Cargo<'a> {
    stdout: &'a mut dyn Write,
    errors: usize,
}

impl<'a> Cargo<'a> {
    pub fn new(stdout: &'a mut dyn Write) -> Cargo<'a> {
        Cargo { stdout, errors: 0 }
    }

    /// The build script runs again when the file at `path` changes.
    pub fn rerun_if_changed(&mut self, path: &Path) {
        self.tell("rerun-if-changed", &path.display().to_string());
    }

    /// Cargo shows `message`, and fails.
    pub fn error(&mut self, message: &str) {
        self.errors += 1;
        self.tell("error", message);
    }

    pub fn diagnostics(&mut self, diagnostics: &[Diagnostic], sources: &[Source]) {
        for diagnostic in diagnostics {
            let Some(source) = sources.get(diagnostic.source) else { continue };
            let message = one_line(diagnostic, source);
            match diagnostic.severity {
                Severity::Error => self.error(&message),
                Severity::Warning => self.tell("warning", &message),
            }
        }
    }

    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether all went well.
    pub fn finish(self) -> Result<(), BuildError> {
        if self.errors == 0 { Ok(()) } else { Err(BuildError { errors: self.errors }) }
    }

    fn tell(&mut self, what: &str, value: &str) {
        // Nobody listens when cargo is gone, and then nothing is left to be done about it.
        let _ = writeln!(self.stdout, "cargo::{what}={value}");
    }
}

/// `FILE:LINE:COLUMN: message [CODE]: label; help`
fn one_line(diagnostic: &Diagnostic, source: &Source) -> String {
    let at = LineIndex::new(source.text()).position(diagnostic.span.start);
    let Diagnostic { message, code, label, help, .. } = diagnostic;
    let mut line = format!("{}:{}:{}: {message} [{code}]", source.name(), at.line, at.column);
    for part in [Some(label), help.as_ref()].into_iter().flatten().filter(|part| !part.is_empty()) {
        line.push_str("; ");
        line.push_str(part);
    }
    visible::text(&line)
}
