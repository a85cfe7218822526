//! What arguments are called in Rust.

use std::borrow::Cow;

use ringtrace_events::lint::rust_names::identifier;

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
    use super::parameters;

    #[test]
    fn parameters_differ() {
        let names = ["emit", "emit_", "fn", "fn", "fn_", "a"];
        assert_eq!(parameters(names.into_iter(), &["emit"]), ["emit_", "emit__", "r#fn", "fn_", "fn__", "a"]);
    }
}
