//! Options of readers, and parsed declarations, which several readers can share.

use std::sync::{Arc, Mutex};

use ringtrace_events::ctype::StringRule;
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::position::LineIndex;
use ringtrace_events::{Diagnostic, Severity, SourceFile};

use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;

use crate::entry::Schemas;
use crate::error::{Error, unpoisoned};
use crate::read::era::Era;

/// Options for reading a trace.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The declarations, in the order in which the build uses them.
    pub sources: Vec<SourceFile>,
    /// The era of the reader to imitate; by default the newest one for the version.
    pub era: Option<Era>,
    /// Whether the trace has no header. Ids without a mapping record are then positions in the
    /// declarations.
    pub no_header: bool,
    /// The version of a trace without a header; detected by default.
    pub version: Option<Version>,
    /// The byte order of a trace without a header; detected by default.
    pub order: Option<ByteOrder>,
    /// Whether `disable`d events have a position; by default this depends on the version.
    pub count_disabled: Option<bool>,
    /// Parse declarations with the quirks of the era's reader, in order to reproduce its output.
    pub era_dialect: bool,
    /// Accept what the reader of the era accepts, although events may be missing.
    pub imitates: bool,
    /// Treat anomalies as errors.
    pub strict: bool,
    /// The trace is still being written, so its current end is not damage. Of a folder, this concerns
    /// the last file.
    pub live: bool,
    /// Count an unreadable part as an anomaly, skip it and continue.
    pub keep_going: bool,
    /// Skip damaged blocks of a compact trace, also without `keep_going`.
    pub skips_damage: bool,
    /// A cache of these declarations. Traces with the same sources share it.
    pub declared: DeclaredCache,
    /// Copy a stream to a temporary file first, so that it can be read more than once.
    pub spool: bool,
    /// If there are no declarations, accept events that are known only by name, and omit their
    /// arguments.
    pub names_suffice: bool,
}

impl Options {
    /// Returns whether damaged blocks of a compact trace are skipped.
    pub(crate) fn skips_damage(&self) -> bool {
        self.keep_going || self.skips_damage
    }
}

/// Parsed declarations.
#[derive(Debug)]
pub struct Declared {
    /// The schemas of the declared events.
    pub schemas: Arc<Schemas>,
    /// The declaration files.
    pub sources: Vec<SourceFile>,
    /// Problems found in the declarations.
    pub diagnostics: Vec<Diagnostic>,
}

impl Declared {
    /// Checks the declarations for invalid lines. If ids are positions, an invalid line is an
    /// error, because it may shift all later ids. Otherwise it is an error only with `strict`;
    /// without it, the caller reports `diagnostics`.
    ///
    /// # Errors
    /// Returns an error for the first invalid line.
    pub fn check(&self, by_position: bool, strict: bool) -> Result<(), Error> {
        match self.diagnostics.iter().find(|problem| problem.severity == Severity::Error) {
            Some(problem) if by_position => Err(self.error_at(problem).help(
                "event ids are positions in the declarations, so an invalid line shifts all later ids; \
                 run `ringtrace check --legacy-types` for details",
            )),
            Some(problem) if strict => {
                Err(self.error_at(problem).help("without --strict the line is ignored"))
            }
            _ => Ok(()),
        }
    }

    fn error_at(&self, problem: &Diagnostic) -> Error {
        let Diagnostic { message, label, .. } = problem;
        match self.sources.get(problem.source) {
            Some(source) => {
                let at = LineIndex::new(source.text()).position(problem.span.start);
                let place = format!("{}:{}:{}", source.name(), at.line, at.column);
                Error::new(place, format!("{message}: {label}"))
            }
            None => Error::new("declarations", message.clone()),
        }
    }
}

/// A cache of parsed declarations, for several versions and eras. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct DeclaredCache {
    made: Arc<Mutex<Vec<Made>>>,
}

type Made = (Dialect, StringRule, Arc<Declared>);

impl DeclaredCache {
    /// Returns the declarations in `sources`, parsed according to `dialect` and `rule`. All calls
    /// must pass the same sources.
    pub fn get(&self, sources: &[SourceFile], dialect: Dialect, rule: StringRule) -> Arc<Declared> {
        let mut made = unpoisoned(self.made.lock());
        let known =
            made.iter().find(|(for_dialect, for_rule, _)| (*for_dialect, *for_rule) == (dialect, rule));
        if let Some((_, _, declared)) = known {
            return Arc::clone(declared);
        }
        let parsed = parse(sources.to_vec(), dialect);
        let declared = Arc::new(Declared {
            schemas: Arc::new(Schemas::new(&parsed.declarations, rule)),
            sources: parsed.declarations.sources,
            diagnostics: parsed.diagnostics,
        });
        made.push((dialect, rule, Arc::clone(&declared)));
        declared
    }
}
