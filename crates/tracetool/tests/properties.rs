//! For any declarations, the generated code is valid Rust, or there are diagnostics.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::select;
use ringtrace_events::lint::{Language, Levels, lint};
use ringtrace_events::parse::{Dialect, Parsed, parse};
use ringtrace_events::{Severity, SourceFile};
use ringtrace_tracetool::{BACKENDS, FORMATS, Format, Group, Request, SourceWriter, StapMode};

/// The Rust formats, with the number of functions that they generate per event.
const RUST_FORMATS: [(&str, usize); 2] = [("ringtrace-rs", 2), ("rs", 1)];

/// Parses `text`. Returns `None` if errors prevent generating code.
fn accepted(format: &str, text: &str, dialect: Dialect) -> Option<Parsed> {
    let mut levels = Levels::default();
    for lint in Format::named(format).unwrap().denied_lints {
        levels.deny(lint).unwrap();
    }
    let mut parsed = parse(vec![SourceFile::new("trace-events", text)], dialect);
    lint(&mut parsed, &levels, None);
    parsed.diagnostics.iter().all(|found| found.severity != Severity::Error).then_some(parsed)
}

fn generate(format: &str, parsed: &Parsed) -> Option<String> {
    generate_as(Format::named(format).unwrap(), StapMode::default(), parsed)
}

/// Generates the output of `format` for `parsed`. Returns `None` on diagnostics.
fn generate_as(format: &Format, stap_mode: StapMode, parsed: &Parsed) -> Option<String> {
    let declarations = &parsed.declarations;
    let group = Group {
        name: "group",
        sources: declarations.sources.iter().collect(),
        events: declarations.events.iter().collect(),
    };
    let mut out = SourceWriter::new();
    (format.generate)(&Request { stap_mode, ..Request::new(group, BACKENDS) }, &mut out).ok()?;
    let line = out.line();
    let text = out.finish();
    assert_eq!(line, text.lines().count() + 1);
    Some(text)
}

/// Returns the names of functions that callers can use.
fn functions(file: &syn::File) -> BTreeSet<String> {
    let functions = file.items.iter().filter_map(|item| match item {
        syn::Item::Fn(function) => Some(function.sig.ident.to_string()),
        _ => None,
    });
    functions.collect()
}

/// Generates names, including keywords.
fn name() -> impl Strategy<Value = String> {
    let keywords = Language::Rust.keywords();
    prop_oneof!["[a-zA-Z_][a-z0-9_]{0,6}", select(keywords).prop_map(str::to_owned), "[0-9][a-z_]{0,3}"]
}

fn argument() -> impl Strategy<Value = String> {
    let types = select(&["int ", "uint64_t ", "void *", "const char *", "size_t ", "bool ", "char **"][..]);
    (types, name()).prop_map(|(ctype, name)| format!("{ctype}{name}"))
}

/// Generates a line that is probably a declaration. Its format contains characters that are special
/// in string literals.
fn declaration() -> impl Strategy<Value = String> {
    let arguments = prop::collection::vec(argument(), 1..11).prop_map(|arguments| arguments.join(", "));
    let arguments = prop_oneof![Just("void".to_owned()), arguments];
    let format = r##"([a-lo-z#`/*{}$'%\t\x{e9}\x{2192}\x{202e}\x{7f}-]|\\["\\]){0,12}"##;
    (prop::bool::weighted(0.1), name(), arguments, format).prop_map(|(disabled, name, arguments, format)| {
        let format = format.replace('%', "%%");
        let disable = if disabled { "disable " } else { "" };
        format!("{disable}{name}({arguments}) \"{format}\"\n")
    })
}

/// Generates arbitrary text, and text similar to declarations.
fn anything() -> impl Strategy<Value = String> {
    "\\PC{0,200}|([a-z]{1,3}\\((.{0,20} [a-z])?\\) \".{0,30}\"\n){0,4}"
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 1 << 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn declarations_become_functions(lines in prop::collection::vec(declaration(), 0..6)) {
        for (format, functions_per_event) in RUST_FORMATS {
            let parsed = accepted(format, &lines.concat(), Dialect::NEW);
            // Some names clash, so some inputs are rejected. If nearly all were rejected, proptest
            // would report a failure.
            prop_assume!(parsed.is_some());
            let parsed = parsed.unwrap();
            let text = generate(format, &parsed).expect("new declarations can be generated");
            prop_assert_eq!(&text, &generate(format, &parsed).unwrap());
            let file = syn::parse_file(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
            let events = parsed.declarations.events.len();
            prop_assert_eq!(functions(&file).len(), functions_per_event * events, "{}", text);
        }
    }

    #[test]
    fn any_text_gives_source_or_diagnostics_in_every_format(text in anything(), read: bool) {
        let dialect = if read { Dialect::Read } else { Dialect::NEW };
        let parsed = parse(vec![SourceFile::new("trace-events", text)], dialect);
        if parsed.diagnostics.iter().any(|found| found.severity == Severity::Error) {
            return Ok(());
        }
        for format in FORMATS {
            for manner in [StapMode::Static, StapMode::Dynamic, StapMode::Version3] {
                let Some(text) = generate_as(format, manner, &parsed) else { continue };
                prop_assert_eq!(&text, &generate_as(format, manner, &parsed).unwrap());
                // In these formats, no part of the output is copied from the declared format.
                let has_own_words = format.name == "d" || format.name.contains("stap") || format.name.contains("ust");
                let control = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
                prop_assert_eq!(control.filter(|_| has_own_words), None, "{}: {}", format.name, text);
            }
        }
    }

    #[test]
    fn any_text_gives_rust_or_diagnostics(text in anything(), read: bool) {
        let dialect = if read { Dialect::Read } else { Dialect::NEW };
        for (format, _) in RUST_FORMATS {
            let Some(parsed) = accepted(format, &text, dialect) else { continue };
            let Some(text) = generate(format, &parsed) else { continue };
            syn::parse_file(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
            prop_assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{}", text);
        }
    }
}
