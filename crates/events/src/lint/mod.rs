//! Lints: legal declarations that are probably mistakes.
//!
//! Lints examine declarations that parsed without an error. A new lint is an entry in
//! [`crate::codes`] and a function in one of the files here.

mod formats;
mod levels;
mod names;
pub mod rust_names;

pub use crate::keywords::{Language, RESERVED_NAMES, keyword_of};
pub use levels::{Levels, UnknownLint};

use std::collections::HashSet;
use std::ops::Range;

use crate::codes::{self, Code};
use crate::declaration::Tcg;
use crate::diagnostic::{Finding, Findings};
use crate::parse::{Dialect, Parsed, parse};
use crate::syntax;
use crate::{Declarations, Event, Severity, SourceFile};

/// Adds the findings of all lints to the diagnostics of `parsed` and applies `levels` to all of
/// them.
///
/// If `used_words` is given, an event is unused if the word `trace_NAME` is not in it.
pub fn lint(parsed: &mut Parsed, levels: &Levels, used_words: Option<&HashSet<&str>>) {
    // Skip lints whose codes are all allowed: generators need only two out of a dozen.
    let wants = |codes: &[&Code]| codes.iter().any(|code| !levels.is_allowed(code));
    let mut lints = Lints {
        declarations: &parsed.declarations,
        levels,
        keywords: wants(&[&codes::KEYWORD_NAME]),
        reserved: wants(&[&codes::RESERVED_NAME]),
        diagnostics: Findings::default(),
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
        // Skip this half: the execution half has the same declared name and all arguments.
        if event.tcg == Some(Tcg::Translation) {
            continue;
        }
        lints.names(event);
        if let Some(words) = used_words {
            lints.unused_event(event, words);
        }
    }
    let Findings { found, omitted, .. } = lints.diagnostics;
    levels.apply(&mut parsed.diagnostics);
    parsed.diagnostics.extend(found);
    parsed.diagnostics.sort_by_key(|found| (found.source, found.span.start, found.severity));
    parsed.omitted += omitted;
}

impl Code {
    /// Parses [`Code::bad`] with the rules for new files. If they do not report this code, parses
    /// it with the rules for old files instead. The diagnostics include lints.
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

/// State shared by all lints.
struct Lints<'a> {
    declarations: &'a Declarations,
    levels: &'a Levels,
    /// Whether to report names that are keywords.
    keywords: bool,
    /// Whether to report names that are reserved in C.
    reserved: bool,
    diagnostics: Findings,
}

impl Lints<'_> {
    fn report(&mut self, event: &Event, diagnostic: Finding) {
        if !self.levels.is_allowed(diagnostic.code) {
            let severity =
                if self.levels.is_denied(diagnostic.code) { Severity::Error } else { Severity::Warning };
            self.diagnostics.report(severity, event.source, event.line, diagnostic);
        }
    }

    fn unused_event(&mut self, event: &Event, used_words: &HashSet<&str>) {
        let declared = declared_name(event);
        let name = &event.declaration[relative(event, declared.clone())];
        // Both halves of a `tcg` event are called through one function.
        let function =
            if event.tcg.is_some() { format!("trace_{name}_tcg") } else { format!("trace_{name}") };
        if !used_words.contains(&*function) {
            let diagnostic = Finding::new(
                &codes::UNUSED_EVENT,
                declared,
                format!("event `{name}` is declared but never used"),
            )
            .label(format!("no source file contains `{function}`"))
            .help("delete the declaration, or emit the event");
            self.report(event, diagnostic);
        }
    }
}

/// Returns the source range of the declared name of `event`, without the suffix of a derived event.
fn declared_name(event: &Event) -> Range<usize> {
    let declaration = event.declaration.as_str();
    let start = event.declaration.range().start;
    let Ok(parts) = syntax::split_declaration(declaration) else { return event.declaration.range() };
    let (_, name) = syntax::split_last_word(declaration, parts.head);
    start + name.start..start + name.end
}

/// Converts a range of the source to a range of the declaration's text.
fn relative(event: &Event, span: Range<usize>) -> Range<usize> {
    let start = event.declaration.range().start;
    span.start - start..span.end - start
}
