//! Diagnostics for declarations that a language does not support. In new files, the parser already
//! rejects these declarations.

use ringtrace_events::format::{FormatError, FormatErrorKind, Outline};
use ringtrace_events::{Argument, CType, Diagnostic, Event, Severity, Text};

/// Reports names in `event` and its arguments that are not identifiers in `language`.
pub(crate) fn bad_names(event: &Event, language: &str) -> Vec<Diagnostic> {
    let own = (!is_word(&event.name)).then(|| bad_name("E0010", event, &event.name, language));
    let names = event.arguments.iter().map(|argument| &argument.name).filter(|name| !is_word(name));
    own.into_iter().chain(names.map(|name| bad_name("E0008", event, name, language))).collect()
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn bad_name(code: &'static str, event: &Event, name: &Text, language: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code,
        message: format!("`{name}` is not a valid name in {language}"),
        source: event.source,
        span: name.range(),
        label: "expected ASCII letters, digits and `_`".to_owned(),
        help: None,
    }
}

/// Reports that `language` has no counterpart for the type of `argument`.
pub(crate) fn unknown_type(event: &Event, argument: &Argument, language: &str) -> Diagnostic {
    let Argument { ctype_text, name, .. } = argument;
    Diagnostic {
        severity: Severity::Error,
        code: "E0005",
        message: format!("argument type `{ctype_text}` is not allowed"),
        source: event.source,
        span: ctype_text.range(),
        label: format!("{language} has no such type"),
        help: Some(format!(
            "declare it as an integer of the same size, `uint64_t {name}`, or as `void *{name}`"
        )),
    }
}

/// Whether the type `text` consists of words and stars.
pub(crate) fn is_type(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b' ' | b'*'))
}

/// Reports that `event` has more than `most` arguments.
pub(crate) fn too_many_arguments(event: &Event, most: usize) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code: "E0009",
        message: format!("the event has more than {most} arguments"),
        source: event.source,
        span: event.declaration.range(),
        label: format!("there are {}", event.arguments.len()),
        help: Some("split it into two events".to_owned()),
    }
}

/// Reports that `language` does not know the macro at `error` in the `format` of `event`.
pub(crate) fn unknown_macro(event: &Event, format: &Text, error: &FormatError, language: &str) -> Diagnostic {
    let start = format.range().start;
    Diagnostic {
        severity: Severity::Error,
        code: "unknown-macro",
        message: format!("{language} does not know the macro `{}`", &format[error.span.clone()]),
        source: event.source,
        span: start + error.span.start..start + error.span.end,
        label: "expected PRI, then one of d, i, u, x, X or o, then 8, 16, 32, 64, PTR or MAX".to_owned(),
        help: Some("write the expansion of the macro, or declare a type that has a PRI macro".to_owned()),
    }
}

/// Checks that no event has floating-point arguments, which `language` cannot record.
///
/// # Errors
/// Returns a diagnostic for each argument that is.
pub(crate) fn have_no_doubles<'a>(
    events: impl Iterator<Item = &'a Event>,
    language: &str,
) -> Result<(), Vec<Diagnostic>> {
    none(events.flat_map(|event| {
        let doubles = event.arguments.iter().filter(|argument| argument.ctype == CType::Double);
        doubles.map(|argument| no_doubles(event, argument, language))
    }))
}

/// Reports that `language` cannot record the floating-point `argument`.
pub(crate) fn no_doubles(event: &Event, argument: &Argument, language: &str) -> Diagnostic {
    Diagnostic {
        label: format!("{language} cannot record floating-point values"),
        help: Some("pass a scaled integer, such as microseconds instead of seconds".to_owned()),
        ..unknown_type(event, argument, language)
    }
}

/// Checks that no event has enumerations, whose names `language` cannot print.
///
/// # Errors
/// Returns a diagnostic for each argument that is one.
pub(crate) fn have_no_enumerations<'a>(
    events: impl Iterator<Item = &'a Event>,
    language: &str,
) -> Result<(), Vec<Diagnostic>> {
    none(events.flat_map(|event| {
        let enumerations = event.arguments.iter().filter(|argument| argument.enumeration.is_some());
        enumerations.map(|argument| no_enumerations(event, argument, language))
    }))
}

/// Reports that `language` cannot print the names of the values of `argument`.
pub(crate) fn no_enumerations(event: &Event, argument: &Argument, language: &str) -> Diagnostic {
    let name = argument.enumeration.as_ref().map_or("", |enumeration| &*enumeration.name);
    Diagnostic {
        message: format!("argument type `{name}` is not allowed"),
        span: argument.name.range(),
        label: format!("{language} does not know enumerations"),
        help: Some(format!("declare it as `int {}`", argument.name)),
        ..unknown_type(event, argument, language)
    }
}

/// Checks that no event has more than `most` arguments.
///
/// # Errors
/// Returns a diagnostic for each event that has more.
pub(crate) fn at_most_arguments<'a>(
    events: impl Iterator<Item = &'a Event>,
    most: usize,
) -> Result<(), Vec<Diagnostic>> {
    let longer = events.filter(|event| event.arguments.len() > most);
    none(longer.map(|event| too_many_arguments(event, most)))
}

/// Checks that all names in `events` are identifiers in `language`.
///
/// # Errors
/// Returns a diagnostic for each name that is not.
pub(crate) fn have_words<'a>(
    events: impl Iterator<Item = &'a Event>,
    language: &str,
) -> Result<(), Vec<Diagnostic>> {
    none(events.flat_map(|event| bad_names(event, language)))
}

/// Checks that all macros in the formats of `events` come from `<inttypes.h>`.
///
/// # Errors
/// Returns a diagnostic for each macro that does not.
pub(crate) fn have_known_macros<'a>(
    events: impl Iterator<Item = &'a Event>,
    language: &str,
) -> Result<(), Vec<Diagnostic>> {
    none(events.filter_map(|event| Some((event, event.format.as_ref()?))).flat_map(|(event, format)| {
        let errors = Outline::parse(format).errors.into_iter();
        let unknown = errors.filter(|error| error.kind == FormatErrorKind::UnknownWord);
        unknown.map(move |error| unknown_macro(event, format, &error, language))
    }))
}

/// Checks that all types in `events` can be written in `language`, which uses C types.
///
/// # Errors
/// Returns a diagnostic for each type that cannot.
pub(crate) fn have_types<'a>(
    events: impl Iterator<Item = &'a Event>,
    language: &str,
) -> Result<(), Vec<Diagnostic>> {
    none(events.flat_map(|event| {
        let strange = event.arguments.iter().filter(|argument| !is_type(&argument.ctype_text));
        strange.map(|argument| unknown_type(event, argument, language))
    }))
}

fn none(diagnostics: impl Iterator<Item = Diagnostic>) -> Result<(), Vec<Diagnostic>> {
    let diagnostics: Vec<Diagnostic> = diagnostics.collect();
    if diagnostics.is_empty() { Ok(()) } else { Err(diagnostics) }
}
