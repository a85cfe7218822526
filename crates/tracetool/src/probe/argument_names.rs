//! Names of arguments in languages with reserved words.

use std::borrow::Cow;

use ringtrace_events::Event;
use ringtrace_events::lint::Language;

/// Returns distinct names for the arguments of `event` in `language`.
///
/// Appends `_` to keywords, taken names and duplicates. A name that is already free does not
/// change: for arguments `if` and `if_`, `if` becomes `if__`.
pub(crate) fn argument_names<'a>(
    event: &'a Event,
    language: Language,
    is_taken: impl Fn(&str) -> bool,
) -> Vec<Cow<'a, str>> {
    let declared: Vec<&str> = event.arguments.iter().map(|argument| argument.name.as_str()).collect();
    different(&declared, |name| is_taken(name) || language.keywords().binary_search(&name).is_ok())
}

/// Appends `_` to names that are taken or duplicated.
fn different<'a>(declared: &[&'a str], is_taken: impl Fn(&str) -> bool) -> Vec<Cow<'a, str>> {
    let mut names: Vec<Cow<'a, str>> = Vec::with_capacity(declared.len());
    for own in declared {
        let mut name = Cow::Borrowed(*own);
        while is_taken(&name) || names.contains(&name) || (name != *own && declared.contains(&&*name)) {
            name.to_mut().push('_');
        }
        names.push(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::different;

    #[test]
    fn names_stay_where_they_can() {
        for (declared, names) in [
            ("a b_ C", "a b_ C"),
            ("if a", "if_ a"),
            ("if if_ if", "if__ if_ if___"),
            ("if_ if", "if_ if__"),
            ("a a a_", "a a__ a_"),
        ] {
            let declared: Vec<&str> = declared.split(' ').collect();
            assert_eq!(different(&declared, |name| name == "if").join(" "), names);
        }
    }
}
