//! Converts the errors of DataFusion.

use std::fmt::Write as _;

use datafusion::common::{Column, DataFusionError, Diagnostic, SchemaError};
use ringtrace_events::message::visible;
use ringtrace_events::nearest::nearest;

use crate::error::{Error, ErrorKind};
use crate::source::quoted;
use crate::store;

/// A position in the text of a query: the line and the column from 1, and the number of characters.
pub(crate) type Place = (usize, usize, usize);

/// Converts an error of DataFusion. `sql` is the query.
pub fn failed(error: &DataFusionError, sql: &str) -> Error {
    if let Some(error) = store::find(error) {
        return error;
    }
    let mut text = None;
    for error in std::iter::once(error).chain(error.iter()) {
        match error.find_root() {
            DataFusionError::External(inner) => {
                if let Some(error) = inner.downcast_ref::<Error>() {
                    return error.clone();
                }
            }
            DataFusionError::SchemaError(inner, _) => {
                if let SchemaError::FieldNotFound { field, valid_fields } = &**inner {
                    return unknown_column(field, valid_fields, error.diagnostic(), sql);
                }
            }
            DataFusionError::SQL(inner, _) => text = Some(inner.to_string()),
            DataFusionError::IoError(inner) => return Error::system("a temporary file", inner),
            DataFusionError::ResourcesExhausted(message) => {
                return Error::new(ErrorKind::System, format!("the query needs too much memory: {message}"))
                    .help("--memory sets the limit");
            }
            _ => {}
        }
    }
    // The outer errors name the step that failed, such as an optimizer rule.
    let text = text.unwrap_or_else(|| error.find_root().strip_backtrace());
    let text = text.strip_prefix("sql parser error: ").unwrap_or(&text);
    let prefixes = ["Error during planning: ", "Execution error: ", "Arrow error: ", "Schema error: "];
    let text = prefixes.iter().fold(text, |text, prefix| text.strip_prefix(prefix).unwrap_or(text));
    let (text, found) = parsed_place(text);
    let diagnostic = error.diagnostic();
    let place = found.or_else(|| diagnostic.and_then(span));
    let message = visible::text(text.lines().next().unwrap_or_default());
    let help = diagnostic.and_then(|diagnostic| diagnostic.helps.first()).map(|help| help.message.clone());
    Error::usage(with_place(&message, place, sql)).maybe_help(help)
}

fn unknown_column(field: &Column, valid: &[Column], diagnostic: Option<&Diagnostic>, sql: &str) -> Error {
    let name = &field.name;
    let place = diagnostic.and_then(span).or_else(|| place(sql, name));
    let names: Vec<&str> = valid.iter().map(|column| column.name.as_str()).collect();
    let help = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{}`?", quoted(near)),
        None if names.is_empty() => "the query names no table in `from`".to_owned(),
        None => format!(
            "the columns are {}",
            names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ")
        ),
    };
    let message = match &field.relation {
        Some(table) => format!("`{}` has no column `{}`", table.table(), visible::text(name)),
        None => format!("there is no column `{}`", visible::text(name)),
    };
    Error::usage(with_place(&message, place, sql)).help(help)
}

/// Returns the place that a diagnostic refers to.
fn span(diagnostic: &Diagnostic) -> Option<Place> {
    let span = diagnostic.span?;
    let columns = if span.start.line == span.end.line { span.end.column - span.start.column } else { 1 };
    Some((span.start.line as usize, span.start.column as usize, columns.max(1) as usize))
}

/// Splits ` at Line: 1, Column: 8` off the message of the parser.
fn parsed_place(text: &str) -> (&str, Option<Place>) {
    let split = || {
        let (message, place) = text.rsplit_once(" at Line: ")?;
        let (line, column) = place.split_once(", Column: ")?;
        let column = column.split(|character: char| !character.is_ascii_digit()).next()?;
        Some((message, (line.parse().ok()?, column.parse().ok()?, 1)))
    };
    split().map_or((text, None), |(message, place)| (message, Some(place)))
}

/// Returns the place of the first word `name` in `sql`.
pub(crate) fn place(sql: &str, name: &str) -> Option<Place> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let at = sql.match_indices(name).map(|(at, _)| at).find(|&at| {
        let (before, after) = (&sql[..at], &sql[at + name.len()..]);
        !before.ends_with(is_word) && !after.starts_with(is_word)
    })?;
    let before = &sql[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Some((line, column, name.chars().count()))
}

/// Appends the line of the query with the error, and marks the place.
pub(crate) fn with_place(message: &str, place: Option<Place>, sql: &str) -> String {
    let mut text = message.to_owned();
    let Some((line, column, width)) = place else { return text };
    let Some(source) = sql.lines().nth(line.wrapping_sub(1)) else { return text };
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    let width = width.min(source.chars().count().saturating_sub(column - 1)).max(1);
    // Control characters are made visible one for one.
    let source: String =
        source.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    let _ =
        write!(text, "\n  {number} | {source}\n  {margin} | {}{}", " ".repeat(column - 1), "^".repeat(width));
    text
}
