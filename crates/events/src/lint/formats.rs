//! Compares formats with the arguments they print.

use std::ops::Range;

use super::Lints;
use crate::codes::{self, Code};
use crate::diagnostic::Finding;
use crate::format::{Amount, Conversion, Length, Outline, Reads, macros};
use crate::syntax::{self, TokenKind};
use crate::{Argument, CType, Event, Text};

/// The codes that these lints report.
pub(super) static CODES: [&Code; 6] = [
    &codes::FORMAT_COUNT,
    &codes::FORMAT_TYPE,
    &codes::UNUSED_ARGUMENT,
    &codes::UNKNOWN_MACRO,
    &codes::STRAY_MACRO,
    &codes::UNKNOWN_ESCAPE,
];

impl Lints<'_> {
    pub(super) fn formats(&mut self, event: &Event) {
        let Some(format) = &event.format else {
            // Text that is not a format has already been reported by the parser.
            let has_text =
                syntax::split_declaration(&event.declaration).is_ok_and(|parts| !parts.rest.is_empty());
            if !has_text {
                self.unused_arguments(event, 0);
            }
            return;
        };
        let outline = Outline::parse_prefixed(event.format_prefix, format);
        let all_clear = self.macros_and_escapes(event, format, &outline);
        // An unknown macro may print anything, and a stray macro lacks its `%`. In both cases it is
        // unknown which conversion prints which argument.
        if !all_clear {
            return;
        }
        if outline.arguments > event.arguments.len() {
            self.too_few_arguments(event, format, &outline);
        } else {
            self.unused_arguments(event, outline.arguments);
        }
        for conversion in &outline.conversions {
            // Conversions in the prefix are not in the source.
            if !conversion.span.is_empty() {
                self.conversion(event, format, conversion);
            }
        }
    }

    /// Reports invalid macros and escapes. Returns whether every macro is known and follows a `%`.
    fn macros_and_escapes(&mut self, event: &Event, format: &Text, outline: &Outline) -> bool {
        let mut all_clear = true;
        // Sorted by position, for the binary search below.
        let used: Vec<usize> =
            outline.conversions.iter().filter_map(|found| Some(found.pri_macro.as_ref()?.start)).collect();
        for token in syntax::tokens(format, 0..format.len()) {
            match token.kind {
                TokenKind::Word if !macros::is_pri_macro(&format[token.range.clone()]) => {
                    all_clear = false;
                    self.unknown_macro(event, format, token.range);
                }
                TokenKind::Word if used.binary_search(&token.range.start).is_err() => {
                    all_clear = false;
                    self.stray_macro(event, format, token.range);
                }
                TokenKind::Literal => {
                    for escape in unknown_escapes(&format[token.range.clone()]) {
                        self.unknown_escape(
                            event,
                            format,
                            token.range.start + escape.start..token.range.start + escape.end,
                        );
                    }
                }
                _ => {}
            }
        }
        all_clear
    }

    fn unknown_macro(&mut self, event: &Event, format: &Text, place: Range<usize>) {
        let word = &format[place.clone()];
        let diagnostic = Finding::new(
            &codes::UNKNOWN_MACRO,
            in_source(format, place),
            format!("not every backend knows the macro `{word}`"),
        )
        .label(macros::EXPECTED);
        let help = macros::suggestion(word);
        self.report(event, Finding { help, ..diagnostic });
    }

    fn stray_macro(&mut self, event: &Event, format: &Text, place: Range<usize>) {
        let word = &format[place.clone()];
        let diagnostic = Finding::new(
            &codes::STRAY_MACRO,
            in_source(format, place),
            format!("`{word}` has no `%` before it"),
        )
        .label("without a `%`, the letters of its expansion are printed")
        .help(format!("end the preceding string with a percent sign: `\"%\" {word}`"));
        self.report(event, diagnostic);
    }

    fn unknown_escape(&mut self, event: &Event, format: &Text, place: Range<usize>) {
        let text = &format[place.clone()];
        let diagnostic = Finding::new(
            &codes::UNKNOWN_ESCAPE,
            in_source(format, place),
            format!("not every backend understands the escape `{text}`"),
        )
        .label("expected one of \\\\ \\\" \\a \\b \\f \\r \\t, or \\x and two digits");
        let help = match text {
            "\\'" => Some("a `'` needs no backslash".to_owned()),
            "\\0" => Some("remove it: in C, it would end the format here".to_owned()),
            _ => None,
        };
        self.report(event, Finding { help, ..diagnostic });
    }

    fn too_few_arguments(&mut self, event: &Event, format: &Text, outline: &Outline) {
        let have = event.arguments.len();
        // The first conversion without an argument.
        let surplus =
            outline.conversions.iter().find(|found| found.argument.is_some_and(|index| index >= have));
        let span = surplus.map_or(format.range(), |found| in_source(format, found.span.clone()));
        let diagnostic = Finding::new(
            &codes::FORMAT_COUNT,
            span,
            format!(
                "the format of `{}` prints {}, but the event has {}",
                event.name,
                count(outline.arguments, "value"),
                count(have, "argument")
            ),
        )
        .label("the event has no argument for this")
        .help("to print a percent sign, write `%%`; a `*` also takes an argument");
        self.report(event, diagnostic);
    }

    /// Reports the arguments from index `printed` on.
    fn unused_arguments(&mut self, event: &Event, printed: usize) {
        let unused = event.arguments.get(printed..).unwrap_or_default();
        let (Some(first), Some(last)) = (unused.first(), unused.last()) else { return };
        // The implicit CPU argument of a `vcpu` event has no position in the source.
        if event.vcpu && printed == 0 {
            return;
        }
        let names: Vec<String> = unused.iter().map(|argument| format!("`{}`", argument.name)).collect();
        let (noun, verb) = if unused.len() == 1 { ("argument", "is") } else { ("arguments", "are") };
        let diagnostic = Finding::new(
            &codes::UNUSED_ARGUMENT,
            first.name.range().start..last.name.range().end,
            format!("{noun} {} of `{}` {verb} never printed", names.join(", "), event.name),
        )
        .label(if event.format.is_none() {
            "the event has no format"
        } else {
            "the format has no conversion for this"
        });
        self.report(event, diagnostic);
    }

    fn conversion(&mut self, event: &Event, format: &Text, conversion: &Conversion) {
        for amount in [conversion.width, conversion.precision] {
            let Some(Amount::Argument(index)) = amount else { continue };
            let Some(argument) = event.arguments.get(usize::from(index)) else { continue };
            if !matches!(argument.ctype, CType::Integer { bytes: ..=4, .. } | CType::Unknown) {
                let label = format!("`*` reads an int, but `{}` is {}", argument.name, describe(argument));
                self.type_mismatch(event, format, conversion, argument, label, None);
            }
        }
        let Some(argument) = conversion.argument.and_then(|index| event.arguments.get(index)) else { return };
        let name = &argument.name;
        let (fits, reads) = match (conversion.reads(), argument.ctype) {
            (_, CType::Unknown) | (Reads::Nothing | Reads::Unprintable, _) => return,
            (Reads::Integer { bytes, .. }, ctype) => {
                let reads = if bytes == 8 { "an 8-byte integer" } else { "a 4-byte int" };
                (passed_bytes(ctype) == Some(bytes.max(4)), reads)
            }
            (Reads::Character, ctype) => (passed_bytes(ctype) == Some(4), "a character"),
            (Reads::Text, _) if argument.enumeration.is_some() => return,
            (Reads::Text, ctype) => (ctype == CType::Str, "a string"),
            (Reads::Pointer, ctype) => {
                (matches!(ctype, CType::Pointer | CType::Str | CType::StrStar), "a pointer")
            }
            (Reads::Float, CType::Double) if conversion.length == Some(Length::LongLong) => {
                (false, "a long double")
            }
            (Reads::Float, ctype) => (matches!(ctype, CType::Double | CType::Float), "a double"),
        };
        if !fits {
            let label = format!("reads {reads}, `{name}` is {}", describe(argument));
            let instead = instead(conversion, argument);
            self.type_mismatch(event, format, conversion, argument, label, instead);
        }
    }

    fn type_mismatch(
        &mut self,
        event: &Event,
        format: &Text,
        conversion: &Conversion,
        argument: &Argument,
        label: String,
        help: Option<String>,
    ) {
        let written = &format[conversion.span.clone()];
        let diagnostic = Finding::new(
            &codes::FORMAT_TYPE,
            in_source(format, conversion.span.clone()),
            format!("`{written}` does not match `{} {}`", argument.ctype_text, argument.name)
                .replace("* ", "*"),
        )
        .label(label);
        self.report(event, Finding { help, ..diagnostic });
    }
}

/// Converts a range of `format` to a range of its source.
fn in_source(format: &Text, span: Range<usize>) -> Range<usize> {
    let start = format.range().start;
    start + span.start..start + span.end
}

/// `1 value`, `2 values`
fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Returns the size in bytes of an integer passed to printf, where small integers become `int`.
/// `None` for other types.
fn passed_bytes(ctype: CType) -> Option<u8> {
    match ctype {
        CType::Bool => Some(4),
        CType::Integer { bytes, .. } => Some(bytes.max(4)),
        _ => None,
    }
}

/// Describes an argument in words that can follow "is".
fn describe(argument: &Argument) -> String {
    match argument.ctype {
        CType::Str => "a string".to_owned(),
        CType::StrStar => "a pointer to a pointer".to_owned(),
        CType::Pointer if argument.ctype_text.contains("char") => {
            "an address: only `const char *` and `char *` are strings".to_owned()
        }
        CType::Pointer => "an address".to_owned(),
        CType::Bool => "a bool".to_owned(),
        CType::Double | CType::Float => "a floating-point value".to_owned(),
        CType::Integer { bytes: 8, .. } => "an 8-byte integer".to_owned(),
        CType::Integer { bytes, .. } => format!("a {bytes}-byte integer"),
        CType::Unknown => "of an unknown type".to_owned(),
    }
}

/// Suggests the conversion for `argument` that is closest to `conversion`.
fn instead(conversion: &Conversion, argument: &Argument) -> Option<String> {
    let (bytes, signed) = match argument.ctype {
        CType::Str => return Some("print it with `%s`".to_owned()),
        CType::Pointer | CType::StrStar => return Some("print it with `%p`".to_owned()),
        CType::Double => return Some("print it with `%g`".to_owned()),
        CType::Bool => (4, true),
        CType::Integer { bytes, signed } => (bytes, signed),
        CType::Float | CType::Unknown => return None,
    };
    let letter = match conversion.letter {
        letter @ ('x' | 'X' | 'o') => letter,
        'p' => 'x',
        _ if signed => 'd',
        _ => 'u',
    };
    let text = argument.ctype_text.trim_start_matches("const ");
    let written = match text {
        _ if bytes <= 4 => format!("%{letter}"),
        "size_t" | "ssize_t" => format!("%z{letter}"),
        "ptrdiff_t" => format!("%t{letter}"),
        "uintptr_t" => format!("%\" PRI{letter}PTR"),
        "uint64_t" | "int64_t" => format!("%\" PRI{letter}64"),
        _ if text.matches("long").count() == 2 => format!("%ll{letter}"),
        _ => format!("%l{letter}"),
    };
    Some(format!("print it with `{written}`"))
}

/// Returns the escapes in `literal` that some backends do not understand.
fn unknown_escapes(literal: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = literal.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + memchr::memchr(b'\\', bytes.get(at..)?)?;
            let letter = literal.get(start + 1..)?.chars().next()?;
            at = start + 1 + letter.len_utf8();
            let known = match letter {
                'x' => {
                    let digits = bytes[at..].iter().take_while(|b| b.is_ascii_hexdigit()).count();
                    at += digits;
                    digits == 2
                }
                // The parser has already reported `\n`.
                _ => "\\\"abfnrt".contains(letter),
            };
            if !known {
                return Some(start..at);
            }
        }
    })
}
