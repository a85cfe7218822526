//! Parses the text before the `(`: properties and the event's name.

use std::ops::Range;

use super::{LineParser, is_name, near};
use crate::codes;
use crate::diagnostic::Finding;
use crate::syntax;

pub(super) struct Head {
    pub name: Range<usize>,
    pub disabled: bool,
    pub vcpu: bool,
    pub tcg: bool,
}

impl LineParser<'_, '_> {
    /// Parses the words at `range`, before the `(` at `open`. Returns `None` if there is no name.
    pub(super) fn head(&mut self, range: Range<usize>, open: usize) -> Option<Head> {
        let line = self.line.text;
        let (properties, name) = syntax::split_last_word(line, range);
        if name.is_empty() {
            self.error(
                Finding::new(&codes::NOT_A_DECLARATION, open..open + 1, "the event has no name")
                    .label("expected a name before the `(`"),
            );
            return None;
        }
        if name.end != open {
            self.error(
                Finding::new(
                    &codes::NOT_A_DECLARATION,
                    name.end..open,
                    "there must be no space between the name and `(`",
                )
                .label("no space is allowed here")
                .help(format!("write `{}(`", &line[name.clone()])),
            );
        } else if !is_name(&line[name.clone()]) {
            self.bad_name(name.clone());
        }
        let mut head = Head { name, disabled: false, vcpu: false, tcg: false };
        for word in syntax::words(line, properties) {
            match &line[word.clone()] {
                "disable" => head.disabled = true,
                "vcpu" => {
                    head.vcpu = true;
                    self.legacy_property(word);
                }
                "tcg" => {
                    head.tcg = true;
                    self.legacy_property(word);
                }
                "tcg-trans" | "tcg-exec" => self.derived_property(word),
                _ => self.unknown_property(word),
            }
        }
        Some(head)
    }

    fn bad_name(&mut self, name: Range<usize>) {
        let text = &self.line.text[name.clone()];
        let bad = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(0);
        let bad_char = text[bad..].chars().next().unwrap_or_default();
        let at = name.start + bad;
        self.forgivable(
            Finding::new(
                &codes::BAD_EVENT_NAME,
                at..at + bad_char.len_utf8(),
                format!("`{text}` is not a valid event name"),
            )
            .label("expected ASCII letters, digits and `_`"),
        );
    }

    fn unknown_property(&mut self, word: Range<usize>) {
        let text = &self.line.text[word.clone()];
        let diagnostic = Finding::new(&codes::UNKNOWN_PROPERTY, word, format!("unknown property `{text}`"))
            .label("the only property is `disable`");
        let is_type =
            crate::ctype::ALLOWED_WORDS.contains(&text) || matches!(text, "static" | "inline" | "extern");
        let diagnostic = match near(text, &["disable"]) {
            Some(suggestion) => diagnostic.help(format!("did you mean `{suggestion}`?")),
            None if is_type => diagnostic.help("an event has no return type; begin with its name"),
            None => diagnostic,
        };
        self.forgivable(diagnostic);
    }

    fn derived_property(&mut self, word: Range<usize>) {
        let text = &self.line.text[word.clone()];
        self.forgivable(
            Finding::new(
                &codes::DERIVED_PROPERTY,
                word,
                format!("property `{text}` is reserved for derived events"),
            )
            .label("only events derived from a `tcg` declaration have this property")
            .help("write `tcg` and two formats"),
        );
    }

    fn legacy_property(&mut self, word: Range<usize>) {
        if self.parser.rules.legacy_properties {
            return;
        }
        let text = &self.line.text[word.clone()];
        let (until, help) = match text {
            "tcg" => ("6.2", "emit the event where the translated code runs, through a helper function"),
            _ => ("8.0", "give the event an argument for the CPU, such as `int cpu_index`"),
        };
        self.error(
            Finding::new(
                &codes::LEGACY_PROPERTY,
                word,
                format!("property `{text}` is allowed only in old files"),
            )
            .label(format!("QEMU supported it until {until}"))
            .help(format!("{help}; --legacy-types accepts it")),
        );
    }
}
