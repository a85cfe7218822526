//! Declarations as readers need them, made once for many traces.

use std::sync::{Arc, Mutex, PoisonError};

use ringtrace_events::ctype::StringRule;
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::position::LineIndex;
use ringtrace_events::{Diagnostic, Severity, SourceFile};

use crate::complaint::Complaint;
use crate::schema::Schemas;

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
    pub fn check(&self, by_position: bool, strict: bool) -> Result<(), Complaint> {
        match self.diagnostics.iter().find(|problem| problem.severity == Severity::Error) {
            Some(problem) if by_position => Err(self.complain(problem).help(
                "ids go by position in the declarations, so that a line less shifts all that follow; \
                 `ringtrace check --legacy-types` tells more",
            )),
            Some(problem) if strict => {
                Err(self.complain(problem).help("leave --strict out to have the line left out"))
            }
            _ => Ok(()),
        }
    }

    /// A problem, in one line.
    fn complain(&self, problem: &Diagnostic) -> Complaint {
        let Diagnostic { message, label, .. } = problem;
        match self.sources.get(problem.source) {
            Some(source) => {
                let at = LineIndex::new(source.text()).position(problem.span.start);
                let place = format!("{}:{}:{}", source.name(), at.line, at.column);
                Complaint::of_file(place, format!("{message}: {label}"))
            }
            None => Complaint::of_file("declarations", message.clone()),
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
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
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
