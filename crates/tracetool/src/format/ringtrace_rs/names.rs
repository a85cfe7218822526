//! What events and arguments are called in Rust.

use std::borrow::Cow;

use ringtrace_events::lint::Language;

/// Words that are no identifier even as `r#word`, and those of the prelude that a parameter or a static cannot be called.
const IMPOSSIBLE: [&str; 9] = ["Err", "None", "Ok", "Self", "Some", "_", "crate", "self", "super"];

/// The identifier for `name`, a word of letters, digits and `_`: itself where that can be. Keywords are escaped (`r#type`); what cannot be
/// escaped gets a `_` behind it, what begins with a digit one before it.
pub(super) fn identifier(name: &str) -> Cow<'_, str> {
    if IMPOSSIBLE.contains(&name) {
        format!("{name}_").into()
    } else if Language::Rust.keywords().binary_search(&name).is_ok() {
        format!("r#{name}").into()
    } else {
        stem(name)
    }
}

/// What identifiers that go on behind `name` begin with.
pub(super) fn stem(name: &str) -> Cow<'_, str> {
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        format!("_{name}").into()
    } else {
        name.into()
    }
}

/// The identifiers of parameters called `names`: no two are the same, and none is a word of `taken`.
pub(super) fn parameters<'a>(names: impl Iterator<Item = &'a str>, taken: &[&str]) -> Vec<Cow<'a, str>> {
    let mut parameters: Vec<Cow<'a, str>> = Vec::new();
    for name in names {
        let mut parameter = identifier(name);
        while taken.contains(&&*parameter) || parameters.contains(&parameter) {
            parameter = format!("{}_", parameter.trim_start_matches("r#")).into();
        }
        parameters.push(parameter);
    }
    parameters
}

#[cfg(test)]
mod tests {
    use super::{IMPOSSIBLE, identifier, parameters};

    #[test]
    fn every_word_has_an_identifier() {
        for (name, expected) in [
            ("len", "len"),
            ("type", "r#type"),
            ("self", "self_"),
            ("_", "__"),
            ("9p", "_9p"),
            ("None", "None_"),
        ] {
            assert_eq!(identifier(name), expected);
        }
        assert!(IMPOSSIBLE.is_sorted());
    }

    #[test]
    fn parameters_differ() {
        let names = ["emit", "emit_", "fn", "fn", "fn_", "a"];
        assert_eq!(parameters(names.into_iter(), &["emit"]), ["emit_", "emit__", "r#fn", "fn_", "fn__", "a"]);
    }
}
