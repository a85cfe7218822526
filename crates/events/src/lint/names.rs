//! Lints for clashing names and invalid types.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::{Lints, declared_name, keyword_of, relative};
use crate::codes;
use crate::ctype::{ALLOWED_WORDS, EXTENDED_WORDS};
use crate::declaration::TcgType;
use crate::diagnostic::Finding;
use crate::keywords::{Language, RESERVED_NAMES};
use crate::{Argument, CType, Event};

impl Lints<'_> {
    /// Reports events whose name or macros clash with those of another event.
    pub(super) fn duplicate_events(&mut self) {
        let declarations = self.declarations;
        let mut seen: HashMap<String, &Event> = HashMap::with_capacity(declarations.events.len());
        for event in &declarations.events {
            let first = match seen.entry(event.name.to_ascii_uppercase()) {
                Entry::Vacant(place) => {
                    place.insert(event);
                    continue;
                }
                Entry::Occupied(first) => *first.get(),
            };
            let name = &event.name;
            let at = format!("{}:{}", declarations.sources[first.source].name(), first.line);
            let diagnostic = if first.name == event.name {
                Finding::new(
                    &codes::DUPLICATE_EVENT,
                    declared_name(event),
                    format!("event `{name}` is declared twice"),
                )
                .label(format!("the first declaration is at {at}"))
                .help("rename or delete one of them")
            } else {
                let macro_ = event.name.to_ascii_uppercase();
                Finding::new(
                    &codes::DUPLICATE_EVENT,
                    declared_name(event),
                    format!("events `{}` and `{name}` differ only in case", first.name),
                )
                .label(format!("both define TRACE_{macro_}_ENABLED; the first is at {at}"))
                .help("rename one of them")
            };
            self.report(event, diagnostic);
        }
    }

    pub(super) fn names(&mut self, event: &Event) {
        if self.keywords {
            self.event_keyword(event);
        }
        if self.reserved && RESERVED_NAMES.binary_search(&event.name.as_str()).is_ok() {
            self.reserved_name(event);
        }
        // The implicit CPU argument of a `vcpu` event has no position in the source.
        let arguments = &event.arguments[usize::from(event.vcpu).min(event.arguments.len())..];
        for (index, argument) in arguments.iter().enumerate() {
            if arguments[..index].iter().any(|other| other.name == argument.name) {
                self.duplicate_argument(event, argument);
            }
            if self.keywords {
                self.argument_keyword(event, argument);
            }
            self.impossible_type(event, argument);
            self.untranslatable_type(event, argument);
        }
    }

    fn duplicate_argument(&mut self, event: &Event, argument: &Argument) {
        let name = &argument.name;
        let diagnostic = Finding::new(
            &codes::DUPLICATE_ARGUMENT,
            name.range(),
            format!("event `{}` has two arguments named `{name}`", event.name),
        )
        .label("the generated functions would not compile")
        .help("rename one of them");
        self.report(event, diagnostic);
    }

    fn argument_keyword(&mut self, event: &Event, argument: &Argument) {
        let name = &argument.name;
        let languages: Vec<Language> = keyword_of(name).collect();
        let Some(first) = languages.first() else { return };
        let label = match first {
            Language::C if ALLOWED_WORDS.contains(&name.as_str()) => {
                "is the name of the argument missing?".to_owned()
            }
            Language::C => "it does not compile in C".to_owned(),
            Language::D | Language::SystemTap => format!("it is renamed to `{name}_` there"),
            Language::Rust => format!("it must be written `r#{name}` there"),
        };
        let diagnostic = Finding::new(
            &codes::KEYWORD_NAME,
            name.range(),
            format!(
                "the name of argument `{name}` of `{}` is a keyword of {}",
                event.name,
                names(&languages)
            ),
        )
        .label(label);
        self.report(event, diagnostic);
    }

    /// Reports event names that are keywords in D or SystemTap. Only these two languages use the
    /// event name without a prefix, and they do not rename it.
    fn event_keyword(&mut self, event: &Event) {
        let declared = declared_name(event);
        let name = &event.declaration[relative(event, declared.clone())];
        let languages: Vec<Language> = keyword_of(name)
            .filter(|language| matches!(language, Language::D | Language::SystemTap))
            .collect();
        if !languages.is_empty() {
            let diagnostic = Finding::new(
                &codes::KEYWORD_NAME,
                declared,
                format!("the name of event `{name}` is a keyword of {}", names(&languages)),
            )
            .label("it cannot be the name of a probe there");
            self.report(event, diagnostic);
        }
    }

    fn reserved_name(&mut self, event: &Event) {
        let name = &event.name;
        let diagnostic = Finding::new(
            &codes::RESERVED_NAME,
            declared_name(event),
            format!("the name of event `{name}` is reserved in C"),
        )
        .label(format!("the tracing library for C uses the name `trace_{name}`"))
        .help("rename the event");
        self.report(event, diagnostic);
    }

    fn impossible_type(&mut self, event: &Event, argument: &Argument) {
        let text = &argument.ctype_text;
        let is_known = |word: &str| ALLOWED_WORDS.contains(&word) || EXTENDED_WORDS.contains(&word);
        if argument.ctype == CType::Unknown && text.split(' ').all(is_known) {
            let help = if text.as_str() == "void" {
                Some(format!("declare it as `void *{}`", argument.name))
            } else {
                None
            };
            let diagnostic = Finding::new(
                &codes::IMPOSSIBLE_TYPE,
                text.range(),
                format!("`{text}` cannot be the type of a C value"),
            )
            .label("the generated code would not compile");
            self.report(event, Finding { help, ..diagnostic });
        }
    }

    /// Arguments of disabled events are not passed into translated code.
    fn untranslatable_type(&mut self, event: &Event, argument: &Argument) {
        if event.tcg.is_some() && !event.disabled && TcgType::of(argument).is_none() {
            let text = &argument.ctype_text;
            let diagnostic = Finding::new(
                &codes::TCG_ARGUMENT_TYPE,
                text.range(),
                format!("`{text}` cannot be passed to translated code"),
            )
            .label("expected a TCG type, or one of uint8_t uint16_t uint32_t uint64_t `void *`");
            let help = match argument.ctype {
                CType::Str => Some("a string has no fixed size; use an event that is not `tcg`".to_owned()),
                CType::Pointer | CType::StrStar => Some(format!("declare it as `void *{}`", argument.name)),
                CType::Bool => Some(format!("declare it as `uint8_t {}`", argument.name)),
                CType::Integer { bytes, .. } => {
                    Some(format!("declare it as `uint{}_t {}`", u32::from(bytes) * 8, argument.name))
                }
                CType::Double | CType::Float | CType::Unknown => None,
            };
            self.report(event, Finding { help, ..diagnostic });
        }
    }
}

/// `C`, `C and D`, `C, D and Rust`
fn names(languages: &[Language]) -> String {
    let names: Vec<&str> = languages.iter().map(|language| language.name()).collect();
    match names.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => names.concat(),
    }
}
