//! Diagnostics as text: for people with the line and carets under it, one line each for editors, JSON for programs.

mod human;
mod json;
pub mod visible;

use std::fmt::Write as _;

use crate::position::LineIndex;
use crate::{Diagnostic, Severity, SourceFile};

/// How diagnostics are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageFormat {
    /// Several lines each, with the line of the source; see `human`.
    Human {
        /// With the colours of a terminal.
        colour: bool,
    },
    /// `FILE:LINE:COLUMN: error[E0005]: message`
    Short,
    /// An object a line:
    ///
    /// ```json
    /// {"severity":"error","code":"E0005","message":"..","file":"..","line":14,"column":10,
    ///  "end_column":22,"start_byte":310,"end_byte":322,"label":"..","help":".."}
    /// ```
    ///
    /// Lines and columns count from 1, columns in characters, bytes from 0; ends are exclusive. `help` is null
    /// where there is none.
    Json,
}

/// The text of `diagnostics`, whose [`Diagnostic::source`] are indices into `sources`. Control characters of names
/// and sources come out harmless.
pub fn render(diagnostics: &[Diagnostic], sources: &[SourceFile], format: MessageFormat) -> String {
    let mut indices: Vec<Option<LineIndex<'_>>> = vec![None; sources.len()];
    let mut out = String::new();
    for diagnostic in diagnostics {
        let Some(source) = sources.get(diagnostic.source) else { continue };
        let index = indices[diagnostic.source].get_or_insert_with(|| LineIndex::new(source.text()));
        let position = index.position(diagnostic.span.start);
        let line_text = source.text().get(position.line_range.clone()).unwrap_or_default();
        let place = Place {
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

/// Where a diagnostic is.
struct Place<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    line_text: &'a str,
    /// Where the line begins in the source, in bytes.
    start: usize,
}

impl Place<'_> {
    /// The carets' bytes of the line. They are cut at its end, should they ever go on.
    fn span(&self, diagnostic: &Diagnostic) -> std::ops::Range<usize> {
        let within = |offset: usize| offset.saturating_sub(self.start).min(self.line_text.len());
        within(diagnostic.span.start)..within(diagnostic.span.end)
    }
}

/// The word for a severity.
pub(crate) fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

fn short(diagnostic: &Diagnostic, place: &Place<'_>, out: &mut String) {
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
