//! Diagnostics as text: with source line and carets for people, one line each for editors, and JSON
//! for programs.

mod human;
mod json;
pub mod visible;

use std::fmt::Write as _;

use crate::position::LineIndex;
use crate::{Diagnostic, Severity, SourceFile};

/// An output format for diagnostics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageFormat {
    /// Several lines per diagnostic, with the source line.
    Human {
        /// Whether to use terminal colours.
        colour: bool,
    },
    /// `FILE:LINE:COLUMN: error[E0005]: message`
    Short,
    /// One JSON object per line:
    ///
    /// ```json
    /// {"severity":"error","code":"E0005","message":"..","file":"..","line":14,"column":10,
    ///  "end_column":22,"start_byte":310,"end_byte":322,"label":"..","help":".."}
    /// ```
    ///
    /// Lines and columns start at 1 and bytes at 0. Columns are characters. Ends are exclusive.
    /// `help` is null if there is none.
    Json,
}

/// Renders `diagnostics`. Their [`Diagnostic::source`] is an index into `sources`. Control
/// characters in names and sources are made visible.
pub fn render(diagnostics: &[Diagnostic], sources: &[SourceFile], format: MessageFormat) -> String {
    let mut indices: Vec<Option<LineIndex<'_>>> = vec![None; sources.len()];
    let mut out = String::new();
    for diagnostic in diagnostics {
        let Some(source) = sources.get(diagnostic.source) else { continue };
        let index = indices[diagnostic.source].get_or_insert_with(|| LineIndex::new(source.text()));
        let position = index.position(diagnostic.span.start);
        let line_text = source.text().get(position.line_range.clone()).unwrap_or_default();
        let place = SourceLocation {
            file: source.name(),
            line: position.line,
            column: position.column,
            line_text,
            start: position.line_range.start,
        };
        match format {
            MessageFormat::Human { colour } => human::render(diagnostic, &place, colour, &mut out),
            MessageFormat::Short => short(diagnostic, &place, &mut out),
            MessageFormat::Json => json::render(diagnostic, &place, &mut out),
        }
    }
    out
}

/// The location of a diagnostic.
struct SourceLocation<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    line_text: &'a str,
    /// Start of the line in the source, in bytes.
    start: usize,
}

impl SourceLocation<'_> {
    /// The span of the diagnostic in bytes of the line, truncated at the line's end.
    fn span(&self, diagnostic: &Diagnostic) -> std::ops::Range<usize> {
        let within = |offset: usize| offset.saturating_sub(self.start).min(self.line_text.len());
        within(diagnostic.span.start)..within(diagnostic.span.end)
    }
}

pub(crate) fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

fn short(diagnostic: &Diagnostic, place: &SourceLocation<'_>, out: &mut String) {
    visible::push(place.file, out);
    let _ = write!(
        out,
        ":{}:{}: {}[{}]: ",
        place.line,
        place.column,
        severity_word(diagnostic.severity),
        diagnostic.code
    );
    visible::push(&diagnostic.message, out);
    out.push('\n');
}
