//! Declarations as readers need them, made once for many traces.

use std::sync::{Arc, Mutex, PoisonError};

use ringtrace_events::ctype::StringRule;
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::{Diagnostic, Source};

use crate::schema::Schemas;

/// What was made of declarations.
#[derive(Debug)]
pub struct Declared {
    /// The events.
    pub schemas: Arc<Schemas>,
    /// The texts they stand in.
    pub sources: Vec<Source>,
    /// What was wrong with them.
    pub diagnostics: Vec<Diagnostic>,
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
    pub fn get(&self, sources: &[Source], dialect: Dialect, rule: StringRule) -> Arc<Declared> {
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
