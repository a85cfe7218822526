//! How a trace is to be read, and declarations as readers need them, made once for many traces.

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

/// How a trace is to be read.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The declarations, in the order of the build.
    pub sources: Vec<SourceFile>,
    /// Read as the reader of this era did; else as the newest one for the version.
    pub era: Option<Era>,
    /// There is no header: ids go by position, but for those that mapping records name.
    pub no_header: bool,
    /// The version of a trace without a header; else it is guessed.
    pub version: Option<Version>,
    /// The byte order of a trace without a header; else it is guessed.
    pub order: Option<ByteOrder>,
    /// Whether `disable`d events take a number; else as the version did.
    pub count_disabled: Option<bool>,
    /// Read declarations as the era's reader did, anomalies included: for that reader's own text.
    pub era_dialect: bool,
    /// What is tolerated with an error becomes an error.
    pub strict: bool,
    /// The trace is still being written: where it ends now is no damage.
    pub live: bool,
    /// What cannot be read is stepped over, with an error, and reading goes on behind it.
    pub keep_going: bool,
    /// What was made of the sources for the traces opened before; an empty one is right for new sources.
    pub declared: DeclaredCache,
    /// A stream is written to a temporary file first, so that it can be read more than once.
    pub spool: bool,
}

/// What was made of declarations.
#[derive(Debug)]
pub struct Declared {
    /// The events.
    pub schemas: Arc<Schemas>,
    /// The texts they stand in.
    pub sources: Vec<SourceFile>,
    /// What was wrong with them.
    pub diagnostics: Vec<Diagnostic>,
}

impl Declared {
    /// Refuses a line that is no declaration where ids go by position: it may shift all that come after. Where they do
    /// not, whoever asked for the declarations tells of such lines, and only `strict` refuses them.
    ///
    /// # Errors
    /// The first such line.
    pub fn check(&self, by_position: bool, strict: bool) -> Result<(), Error> {
        match self.diagnostics.iter().find(|problem| problem.severity == Severity::Error) {
            Some(problem) if by_position => Err(self.error_at(problem).help(
                "ids go by position in the declarations, so that a line less shifts all that follow; \
                 `ringtrace check --legacy-types` tells more",
            )),
            Some(problem) if strict => {
                Err(self.error_at(problem).help("leave --strict out to have the line left out"))
            }
            _ => Ok(()),
        }
    }

    /// A problem, in one line.
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

/// Keeps what was made of the same sources for other versions and eras. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct DeclaredCache {
    made: Arc<Mutex<Vec<Made>>>,
}

type Made = (Dialect, StringRule, Arc<Declared>);

impl DeclaredCache {
    /// What `sources` declare, for a reader that understands them by `dialect` and `rule`. The sources must be the
    /// same in every call.
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
