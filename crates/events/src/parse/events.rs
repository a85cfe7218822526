//! The events of a declaration: one, or two for `tcg`.

use std::ops::Range;

use super::LineParser;
use super::formats::Formats;
use super::head::Head;
use crate::codes;
use crate::declaration::Tcg;
use crate::declaration::TcgType;
use crate::diagnostic::Finding;
use crate::{Argument, CType, Event, Text};

/// Text before the format of a `vcpu` event.
const VCPU_FORMAT: &str = "cpu=%p ";

impl LineParser<'_, '_> {
    /// Adds the events of a declaration without errors.
    pub(super) fn events(
        &mut self,
        whole: Range<usize>,
        head: &Head,
        mut arguments: Vec<Argument>,
        formats: Formats,
    ) {
        self.check_count(head, &formats);
        if self.failed {
            return;
        }
        if head.vcpu {
            arguments.insert(0, cpu_argument());
        }
        let event = Event {
            name: self.text(head.name.clone()),
            arguments,
            format: formats.first.map(|range| self.text(range)),
            format_prefix: if head.vcpu { VCPU_FORMAT } else { "" },
            disabled: head.disabled,
            vcpu: head.vcpu,
            tcg: None,
            source: self.parser.index,
            line: self.line.number,
            declaration: self.text(whole),
        };
        if head.tcg {
            let execution_format = formats.second.map(|range| self.text(range));
            self.parser.events.extend(tcg_events(event, execution_format));
        } else {
            self.parser.events.push(event);
        }
    }

    /// Checks the number of formats: two for a `tcg` event, otherwise at most one.
    fn check_count(&mut self, head: &Head, formats: &Formats) {
        match (head.tcg, &formats.second) {
            (true, None) => {
                let diagnostic = Finding::new(
                    &codes::TCG_NEEDS_TWO_FORMATS,
                    formats.first.clone().unwrap_or(head.name.clone()),
                    "a `tcg` event needs two formats",
                )
                .label("expected `\"format when translated\", \"format when executed\"`");
                self.forgivable(diagnostic);
            }
            (false, Some(second)) => {
                let diagnostic =
                    Finding::new(&codes::TWO_FORMATS, second.clone(), "the event has two formats")
                        .label("only a `tcg` event can have a second one")
                        .help("a `,` in the text belongs inside the quotes");
                self.forgivable(diagnostic);
            }
            _ => {}
        }
    }
}

/// The first argument of every `vcpu` event.
fn cpu_argument() -> Argument {
    Argument {
        ctype_text: Text::from("void *"),
        ctype: CType::Pointer,
        name: Text::from("__cpu"),
        tcg_type: None,
        enumeration: None,
    }
}

/// Creates the two events of a `tcg` declaration. `event` contains all arguments and the first
/// format.
fn tcg_events(event: Event, execution_format: Option<Text>) -> [Event; 2] {
    let name = event.name.clone();
    let is_host = |argument: &&Argument| TcgType::named(&argument.ctype_text).is_none();
    let translation = Event {
        name: Text::from(format!("{name}_trans")),
        arguments: event.arguments.iter().filter(is_host).cloned().collect(),
        tcg: Some(Tcg::Translation),
        ..event.clone()
    };
    let execution = Event {
        name: Text::from(format!("{name}_exec")),
        arguments: event.arguments.into_iter().map(to_host).collect(),
        format: execution_format.or(event.format),
        tcg: Some(Tcg::Execution),
        ..event
    };
    [translation, execution]
}

/// Converts `argument` to the type that it has when the translated code runs.
fn to_host(argument: Argument) -> Argument {
    match TcgType::named(&argument.ctype_text) {
        Some(tcg_type) => {
            let host = tcg_type.host_type();
            let ctype_text = Text::from(host);
            Argument { ctype_text, ctype: CType::parse(host), tcg_type: Some(tcg_type), ..argument }
        }
        None => argument,
    }
}
