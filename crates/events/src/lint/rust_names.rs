//! What the probes of an event are called in generated Rust, and events whose probes would be called the same.

use std::borrow::Cow;
use std::collections::HashMap;

use super::keywords::Language;
use super::{Lints, declared_name};
use crate::Event;
use crate::codes;
use crate::diagnostic::DiagnosticBuilder;

/// Words that are no identifier even as `r#word`, and those of the prelude that no parameter and no static can have.
const IMPOSSIBLE: [&str; 9] = ["Err", "None", "Ok", "Self", "Some", "_", "crate", "self", "super"];

/// The identifier for `name`, a word of letters, digits and `_`: itself where that can be. Keywords are escaped
/// (`r#type`); what cannot be escaped gets a `_` behind it, what begins with a digit one before it.
pub fn identifier(name: &str) -> Cow<'_, str> {
    if IMPOSSIBLE.contains(&name) {
        format!("{name}_").into()
    } else if Language::Rust.keywords().binary_search(&name).is_ok() {
        format!("r#{name}").into()
    } else {
        stem(name)
    }
}

/// What identifiers begin with that go on behind `name`, as `blk_read_enabled` does.
pub fn stem(name: &str) -> Cow<'_, str> {
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        format!("_{name}").into()
    } else {
        name.into()
    }
}

impl Lints<'_> {
    /// Events whose functions in Rust would have the names of another one's.
    pub(super) fn probe_names(&mut self) {
        let declarations = self.declarations;
        let probes: HashMap<Cow<'_, str>, &Event> =
            declarations.events.iter().map(|event| (identifier(&event.name), event)).collect();
        for event in &declarations.events {
            let other = probes.get(&identifier(&event.name)).filter(|other| other.name != event.name);
            if let Some(other) = other {
                self.probe_clash(event, other, "are called the same in Rust", &identifier(&event.name));
            }
            let state = format!("{}_enabled", stem(&event.name));
            if let Some(other) = probes.get(&*state) {
                self.probe_clash(other, event, "both need a function of the same name in Rust", &state);
            }
        }
    }

    /// Reports `event`, because of `other`.
    fn probe_clash(&mut self, event: &Event, other: &Event, what: &str, function: &str) {
        let at = format!("{}:{}", self.declarations.sources[other.source].name(), other.line);
        let diagnostic = DiagnosticBuilder::new(
            &codes::PROBE_CLASH,
            declared_name(event),
            format!("events `{}` and `{}` {what}", other.name, event.name),
        )
        .label(format!("`{function}` belongs to `{}` at {at}, too", other.name))
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
