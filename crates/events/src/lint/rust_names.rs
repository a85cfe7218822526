//! Names of probes in generated Rust, and the lint for events whose probes have the same name.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Lints, declared_name};
use crate::Event;
use crate::codes;
use crate::diagnostic::Finding;
use crate::keywords::Language;

/// Words that are not identifiers even as `r#word`, and names from the prelude that parameters and
/// statics cannot have.
const IMPOSSIBLE: [&str; 9] = ["Err", "None", "Ok", "Self", "Some", "_", "crate", "self", "super"];

/// Returns the Rust identifier for `name`, a word of letters, digits and `_`.
///
/// Keywords are escaped, as in `r#type`. A `_` is appended to words that cannot be escaped, and put
/// in front of words that start with a digit. All other words are unchanged.
pub fn identifier(name: &str) -> Cow<'_, str> {
    if IMPOSSIBLE.contains(&name) {
        format!("{name}_").into()
    } else if Language::Rust.keywords().binary_search(&name).is_ok() {
        format!("r#{name}").into()
    } else {
        stem(name)
    }
}

/// Returns `name` in the form used as the start of longer identifiers, such as `blk_read_enabled`.
pub fn stem(name: &str) -> Cow<'_, str> {
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        format!("_{name}").into()
    } else {
        name.into()
    }
}

impl Lints<'_> {
    /// Reports events with a Rust function that has the same name as a function of another event.
    pub(super) fn probe_names(&mut self) {
        let declarations = self.declarations;
        let probes: HashMap<Cow<'_, str>, &Event> =
            declarations.events.iter().map(|event| (identifier(&event.name), event)).collect();
        for event in &declarations.events {
            let other = probes.get(&identifier(&event.name)).filter(|other| other.name != event.name);
            if let Some(other) = other {
                self.probe_clash(event, other, "have the same name in Rust", &identifier(&event.name));
            }
            let state = format!("{}_enabled", stem(&event.name));
            if let Some(other) = probes.get(&*state) {
                self.probe_clash(other, event, "both need a function of the same name in Rust", &state);
            }
        }
    }

    /// Reports `event`, which clashes with `other`.
    fn probe_clash(&mut self, event: &Event, other: &Event, what: &str, function: &str) {
        let at = format!("{}:{}", self.declarations.sources[other.source].name(), other.line);
        let diagnostic = Finding::new(
            &codes::PROBE_CLASH,
            declared_name(event),
            format!("events `{}` and `{}` {what}", other.name, event.name),
        )
        .label(format!("`{}` at {at} also has a function `{function}`", other.name))
        .help("rename one of them");
        self.report(event, diagnostic);
    }
}

#[cfg(test)]
mod tests {
    use super::{IMPOSSIBLE, identifier};

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
}
