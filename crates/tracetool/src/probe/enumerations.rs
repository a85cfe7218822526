//! The enumerations of a group.

use std::collections::HashMap;

use ringtrace_events::{Diagnostic, Enumeration, Event, Severity, Text};

/// Returns the enumerations that arguments of `events` have, in order of their first use, each with
/// the index of its source file.
pub(crate) fn enumerations<'a>(events: impl Iterator<Item = &'a Event>) -> Vec<(usize, &'a Enumeration)> {
    let mut found: Vec<(usize, &Enumeration)> = Vec::new();
    for event in events {
        for enumeration in event.arguments.iter().filter_map(|argument| argument.enumeration.as_deref()) {
            if !found.iter().any(|(_, known)| *known == enumeration) {
                found.push((event.source, enumeration));
            }
        }
    }
    found
}

/// Reports enumerations with the same name in `language`, and constants with the same name in one
/// enumeration or, if `is_global`, in two. `rename` converts names to that language.
pub(crate) fn clashes(
    enumerations: &[(usize, &Enumeration)],
    language: &str,
    is_global: bool,
    rename: impl Fn(&str) -> String,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut check = |seen: &mut HashMap<String, Text>, source: usize, name: &Text| {
        if let Some(other) = seen.insert(rename(name), name.clone()) {
            diagnostics.push(Diagnostic {
                severity: Severity::Error,
                code: "E0022",
                message: format!("`{other}` and `{name}` have the same name in {language}"),
                source,
                span: name.range(),
                label: format!("both are `{}`", rename(name)),
                help: Some("rename one of them".to_owned()),
            });
        }
    };
    let (mut types, mut constants) = (HashMap::new(), HashMap::new());
    for (source, enumeration) in enumerations {
        check(&mut types, *source, &enumeration.name);
        if !is_global {
            constants.clear();
        }
        enumeration.constants.iter().for_each(|constant| check(&mut constants, *source, &constant.name));
    }
    diagnostics
}
