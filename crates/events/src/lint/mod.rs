//! Lints: what is legal and likely not meant.
//!
//! They look at declarations that parsed without an error. A new one is an entry in [`crate::codes`] and a function
//! in one of the files here.

mod formats;
mod keywords;
mod levels;
mod names;
pub mod rust_names;

pub use keywords::{Language, keyword_of};
pub use levels::{Levels, UnknownLint};

use std::collections::HashSet;
use std::ops::Range;

use crate::codes::{self, Code};
use crate::declaration::Tcg;
use crate::diagnostic::{DiagnosticBuilder, DiagnosticCollector};
use crate::parse::{Dialect, Parsed, parse};
use crate::syntax;
use crate::{Declarations, Event, Severity, SourceFile};

/// Adds to the diagnostics of `parsed` what is legal and likely not meant, and applies `levels` to all of them.
/// With `used_words`, events of which `trace_NAME` is not among these words count as never used.
pub fn lint(parsed: &mut Parsed, levels: &Levels, used_words: Option<&HashSet<&str>>) {
    // What finds nothing but what is allowed need not look: generators want two lints of a dozen.
    let wants = |codes: &[&Code]| codes.iter().any(|code| !levels.is_allowed(code));
    let mut lints = Lints {
        declarations: &parsed.declarations,
        levels,
        keywords: wants(&[&codes::KEYWORD_NAME]),
        diagnostics: DiagnosticCollector::default(),
    };
    if wants(&[&codes::DUPLICATE_EVENT]) {
        lints.duplicate_events();
    }
    if wants(&[&codes::PROBE_CLASH]) {
        lints.probe_names();
    }
    let wants_formats = wants(&formats::CODES);
    for event in &parsed.declarations.events {
        if wants_formats {
            lints.formats(event);
        }
        // The other half of a `tcg` declaration has the same name and fewer of the same arguments.
        if event.tcg == Some(Tcg::Translation) {
            continue;
        }
        lints.names(event);
        if let Some(words) = used_words {
            lints.unused_event(event, words);
        }
    }
    let DiagnosticCollector { found, omitted, .. } = lints.diagnostics;
    levels.apply(&mut parsed.diagnostics);
    parsed.diagnostics.extend(found);
    parsed.diagnostics.sort_by_key(|found| (found.source, found.span.start, found.severity));
    parsed.omitted += omitted;
}

impl Code {
    /// What is said about [`Code::bad`], lints included: by the rules for new files, or where those do not know this
    /// problem, by those for old ones.
    pub fn example(&self) -> Parsed {
        let old = Dialect::Generate { legacy_types: true, strict: false };
        let check = |dialect| {
            let mut parsed = parse(vec![SourceFile::new("trace-events", self.bad)], dialect);
            lint(&mut parsed, &Levels::default(), None);
            parsed
        };
        let parsed = check(Dialect::NEW);
        let known = parsed.diagnostics.iter().any(|found| found.code == self.code);
        if known { parsed } else { check(old) }
    }
}

/// What the functions that look for something share.
struct Lints<'a> {
    declarations: &'a Declarations,
    levels: &'a Levels,
    /// Names that are keywords are looked for.
    keywords: bool,
    diagnostics: DiagnosticCollector,
}

impl Lints<'_> {
    fn report(&mut self, event: &Event, diagnostic: DiagnosticBuilder) {
        if !self.levels.is_allowed(diagnostic.code) {
            let severity =
                if self.levels.is_denied(diagnostic.code) { Severity::Error } else { Severity::Warning };
            self.diagnostics.report(severity, event.source, event.line, diagnostic);
        }
    }

    fn unused_event(&mut self, event: &Event, used_words: &HashSet<&str>) {
        let declared = declared_name(event);
        let name = &event.declaration[relative(event, declared.clone())];
        // Code that translates guest code calls the two halves of a `tcg` event by one name.
        let function =
            if event.tcg.is_some() { format!("trace_{name}_tcg") } else { format!("trace_{name}") };
        if !used_words.contains(&*function) {
            let diagnostic = DiagnosticBuilder::new(
                &codes::UNUSED_EVENT,
                declared,
                format!("event `{name}` is declared and never used"),
            )
            .label(format!("no source has the word `{function}`"))
            .help("delete the declaration, or emit the event");
            self.report(event, diagnostic);
        }
    }
}

/// Where the name of `event` stands in its source, as it was declared: not the name of a derived event.
fn declared_name(event: &Event) -> Range<usize> {
    let declaration = event.declaration.as_str();
    let start = event.declaration.range().start;
    let Ok(parts) = syntax::split_declaration(declaration) else { return event.declaration.range() };
    let (_, name) = syntax::split_last_word(declaration, parts.head);
    start + name.start..start + name.end
}

/// A range of the source as one of the declaration's text.
fn relative(event: &Event, span: Range<usize>) -> Range<usize> {
    let start = event.declaration.range().start;
    span.start - start..span.end - start
}
