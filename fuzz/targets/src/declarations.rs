//! The declaration language: parses input in all dialects, and checks, prints and formats the
//! results.

use std::collections::HashSet;

use ringtrace_events::ctype::StringRule;
use ringtrace_events::format::{Format, Outline, Value};
use ringtrace_events::lint::{Levels, lint};
use ringtrace_events::message::{MessageFormat, render};
use ringtrace_events::parse::{Dialect, Parsed, parse};
use ringtrace_events::spacing::{difference, normalise};
use ringtrace_events::{Event, SourceFile, codes};
use ringtrace_tracefile::Schemas;

use crate::Target;

pub(crate) const TARGET: Target = Target {
    name: "declarations",
    about: "spans are valid, codes are explained, messages are printable, and formatting keeps the meaning",
    max_bytes: 2048,
    run,
};

const DIALECTS: [Dialect; 7] = [
    Dialect::NEW,
    Dialect::Generate { legacy_types: false, strict: true },
    Dialect::Generate { legacy_types: true, strict: false },
    Dialect::Extended { strict: false },
    Dialect::Read,
    Dialect::Reader2010,
    Dialect::Reader2011,
];

/// The message formats. Each run uses one of them for each dialect, because they are slow.
const MESSAGE_FORMATS: [MessageFormat; 4] = [
    MessageFormat::Human { colour: false },
    MessageFormat::Human { colour: true },
    MessageFormat::Short,
    MessageFormat::Json,
];

fn run(data: &[u8]) {
    let source = SourceFile::from_bytes("fuzz", data);
    for (index, dialect) in DIALECTS.into_iter().enumerate() {
        // Two files with the same text declare every event twice.
        let files = if dialect == Dialect::Read { 2 } else { 1 };
        let mut parsed = parse(vec![source.clone(); files], dialect);
        parsed.declarations.events.iter().for_each(check_event);
        lint(&mut parsed, &Levels::default(), Some(&HashSet::from(["trace_name"])));
        check_diagnostics(&parsed);
        check_messages(&parsed, MESSAGE_FORMATS[(data.len() + index) % MESSAGE_FORMATS.len()]);
        let rule = [StringRule::Never, StringRule::AnyStars, StringRule::OneStar][index % 3];
        let schemas = Schemas::new(&parsed.declarations, rule);
        assert_eq!(schemas.count(), parsed.declarations.events.len() + 1);
    }
    check_spacing(source.text());
}

fn check_event(event: &Event) {
    assert!(!event.name.is_empty() && !event.name.contains(['(', ' ', '\t']), "{event:?}");
    let Some(source) = &event.format else { return };
    for conversion in Outline::parse_prefixed(event.format_prefix, source).conversions {
        assert!(source.get(conversion.span.clone()).is_some(), "{conversion:?} of {event:?}");
    }
    let types: Vec<_> = event.arguments.iter().map(|argument| argument.ctype).collect();
    let values = vec![Value::Integer(u64::MAX); types.len()];
    Format::of(event).render(&types, &values, &mut Vec::new());
}

fn check_diagnostics(parsed: &Parsed) {
    for found in &parsed.diagnostics {
        let text = parsed.declarations.sources[found.source].text();
        assert!(text.get(found.span.clone()).is_some(), "{found:?}");
        assert!(!text[found.span.clone()].contains('\n'), "{found:?}");
        assert!(codes::find(found.code).is_some(), "{found:?}");
    }
}

fn check_messages(parsed: &Parsed, format: MessageFormat) {
    let messages = render(&parsed.diagnostics, &parsed.declarations.sources, format);
    assert_eq!(messages.is_empty(), parsed.diagnostics.is_empty());
    let is_ours = |c: char| c == '\n' || c == '\x1b' && format == (MessageFormat::Human { colour: true });
    assert!(!messages.contains(|c: char| c.is_control() && !is_ours(c)), "{messages:?}");
}

fn check_spacing(text: &str) {
    let once = normalise(text);
    assert_eq!(normalise(&once), once);
    assert_eq!(difference("fuzz", &once), "");
    assert_eq!(difference("fuzz", text).is_empty(), once == text);
    for dialect in DIALECTS {
        // The readers of v0 accept names that other readers reject, such as `char*s`.
        if !matches!(dialect, Dialect::Reader2010 | Dialect::Reader2011) {
            let (before, after) = (Normalised::of(text, dialect), Normalised::of(&once, dialect));
            assert_eq!(before.events, after.events, "{dialect:?}\n{once}");
            assert!(before.has_same_diagnostics(&after), "{before:?}\n{after:?}\n{dialect:?}\n{once}");
        }
    }
}

/// Declarations without spacing.
#[derive(Debug)]
struct Normalised {
    events: Vec<String>,
    /// Codes of the diagnostics.
    codes: Vec<&'static str>,
    is_complete: bool,
}

impl Normalised {
    fn of(text: &str, dialect: Dialect) -> Normalised {
        let parsed = parse(vec![SourceFile::new("fuzz", text)], dialect);
        let squeeze = |text: &str| text.replace([' ', '\t'], "");
        let events = parsed.declarations.events.iter().map(|event| {
            let arguments = event.arguments.iter().map(|argument| {
                let is_c_str = argument.ctype_text.as_str() == "const char *";
                (squeeze(&argument.ctype_text), is_c_str, argument.ctype, argument.name.to_string())
            });
            let format = event.format.as_ref().map(|format| without_gaps(format));
            let arguments: Vec<_> = arguments.collect();
            format!(
                "{} {} {} {:?} {arguments:?} {format:?}",
                event.name, event.disabled, event.vcpu, event.tcg
            )
        });
        // `fmt` fixes these two.
        let fixed = ["no-newline-at-end", "byte-order-mark"];
        let codes = parsed.diagnostics.iter().map(|found| found.code);
        Normalised {
            events: events.collect(),
            codes: codes.filter(|code| !fixed.contains(code)).collect(),
            is_complete: parsed.omitted == 0,
        }
    }

    /// Compares the codes. If either list was truncated, the lists may differ.
    fn has_same_diagnostics(&self, other: &Normalised) -> bool {
        self.codes == other.codes || !self.is_complete || !other.is_complete
    }
}

/// Returns `format` without the space between its literals.
fn without_gaps(format: &str) -> String {
    let (mut out, mut in_string, mut escaped) = (String::new(), false, false);
    for c in format.chars() {
        let quote = c == '"' && !escaped;
        escaped = in_string && c == '\\' && !escaped;
        in_string ^= quote;
        // Python treats these control characters as space.
        if in_string || !(c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)) {
            out.push(c);
        }
    }
    out
}
