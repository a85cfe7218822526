//! The structure of formats, for lints and for generators of other languages.

use super::conversion::{self, Conversion, Reads};
use super::decode::{self, FormatError, FormatErrorKind};
use crate::Event;

/// The structure of a format: its conversions and its errors, with their positions in the source.
///
/// ```
/// use ringtrace_events::format::{Outline, Reads};
///
/// let source = r#""n=%d of %"PRIu64" '%.*s'""#;
/// let outline = Outline::parse(source);
/// assert_eq!(outline.arguments, 4);
/// let [_, total, name] = &outline.conversions[..] else { panic!() };
/// assert_eq!(&source[total.span.clone()], "%\"PRIu64");
/// assert_eq!(total.reads(), Reads::Integer { bytes: 8, signed: false });
/// assert_eq!(name.argument, Some(3));
/// assert!(outline.errors.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// The conversions in order, including `%%`.
    pub conversions: Vec<Conversion>,
    /// Parts that are not valid C or printf, by position.
    pub errors: Vec<FormatError>,
    /// The total number of arguments that the conversions consume.
    pub arguments: usize,
}

impl Outline {
    /// Parses `source` (C literals and PRI macros).
    pub fn parse(source: &str) -> Outline {
        Outline::parse_prefixed("", source)
    }

    /// Parses `source` after `prefix`, which is plain format text without quotes or escapes
    /// (`cpu=%p `). The prefix's conversions consume the first arguments, and their spans are
    /// empty.
    pub fn parse_prefixed(prefix: &str, source: &str) -> Outline {
        let mut outline = Outline::default();
        scan(prefix, source, |item| match item {
            Item::Text(_) => {}
            Item::Conversion(conversion, _) => {
                outline.arguments += conversion.arguments();
                outline.conversions.push(conversion);
            }
            Item::FormatError(error) => outline.errors.push(error),
        });
        outline.errors.sort_by_key(|error| error.span.start);
        outline
    }
}

/// A part of a format, or an error in it.
pub(super) enum Item<'a> {
    Text(&'a [u8]),
    /// A conversion and its bytes, with macros expanded.
    Conversion(Conversion, &'a [u8]),
    FormatError(FormatError),
}

/// Visits the parts of a format in order. The errors of its C source come first.
pub(super) fn scan(prefix: &str, source: &str, mut visit: impl FnMut(Item<'_>)) {
    let mut decoded = decode::decode(source);
    decoded.errors.drain(..).for_each(|error| visit(Item::FormatError(error)));
    decoded.bytes.splice(..0, prefix.bytes());
    decoded.places.splice(..0, prefix.bytes().map(|_| decode::SourceSpan::default()));

    let (mut bytes, places) = (&decoded.bytes[..], &decoded.places[..]);
    if let Some(end) = bytes.iter().position(|&byte| byte == 0) {
        visit(Item::FormatError(FormatError { kind: FormatErrorKind::Nul, span: places[end].into() }));
        bytes = &bytes[..end];
    }
    let (mut at, mut arguments) = (0, 0);
    while at < bytes.len() {
        let length = bytes[at..].iter().position(|&byte| byte == b'%').unwrap_or(bytes.len() - at);
        if length > 0 {
            visit(Item::Text(&bytes[at..at + length]));
            at += length;
            continue;
        }
        match conversion::parse(bytes, places, source, at, arguments) {
            Some(found) => {
                arguments += found.conversion.arguments();
                visit(Item::Conversion(found.conversion, &bytes[at..at + found.length]));
                at += found.length;
            }
            None => {
                visit(Item::Text(b"%"));
                visit(Item::FormatError(FormatError {
                    kind: FormatErrorKind::UnknownConversion,
                    span: places[at].into(),
                }));
                at += 1;
            }
        }
    }
}

/// A part of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Bytes that are printed unchanged. `%%` is one `%` here, and invalid conversions are text.
    Text(Vec<u8>),
    /// A conversion of an argument. It [reads](Conversion::reads) a number, a character, a string,
    /// a pointer or a float.
    Conversion(Conversion),
}

/// Splits the format of `event`, including its prefix, into parts. Adjacent pieces of text are
/// merged.
///
/// ```
/// use ringtrace_events::SourceFile;
/// use ringtrace_events::format::{Part, parts};
/// use ringtrace_events::parse::{Dialect, parse};
///
/// let parsed = parse(vec![SourceFile::new("trace-events", "a(int x) \"100%% of\" \" %d\"\n")], Dialect::NEW);
/// let [Part::Text(text), Part::Conversion(conversion)] = &parts(&parsed.declarations.events[0])[..] else { panic!() };
/// assert_eq!(text, b"100% of ");
/// assert_eq!(conversion.letter, 'd');
/// ```
pub fn parts(event: &Event) -> Vec<Part> {
    let mut parts = Vec::new();
    let text = |parts: &mut Vec<Part>, bytes: &[u8]| match parts.last_mut() {
        Some(Part::Text(before)) => before.extend_from_slice(bytes),
        _ => parts.push(Part::Text(bytes.to_vec())),
    };
    scan(event.format_prefix, event.format.as_deref().unwrap_or_default(), |item| match item {
        Item::Text(bytes) => text(&mut parts, bytes),
        Item::Conversion(conversion, written) => match conversion.reads() {
            Reads::Nothing => text(&mut parts, b"%"),
            Reads::Unprintable => text(&mut parts, written),
            _ => parts.push(Part::Conversion(conversion)),
        },
        Item::FormatError(_) => {}
    });
    parts
}

#[cfg(test)]
mod tests {
    use super::Outline;
    use crate::format::{Amount, Flags, FormatErrorKind, Length, Reads};

    #[test]
    fn spans_cover_the_source() {
        let source = r#""a %-8.3lx\t100%% %" PRIu64 " %0*" "hhd %*.*s""#;
        let outline = Outline::parse(source);
        let spans: Vec<&str> = outline.conversions.iter().map(|found| &source[found.span.clone()]).collect();
        assert_eq!(spans, ["%-8.3lx", "%%", "%\" PRIu64", "%0*\" \"hhd", "%*.*s"]);
        assert_eq!(outline.arguments, 7);
        assert_eq!(outline.errors, []);

        let [hex, percent, macro_, star, string] = &outline.conversions[..] else { panic!() };
        assert_eq!(hex.flags, Flags { left: true, ..Flags::default() });
        assert_eq!((hex.width, hex.precision), (Some(Amount::Fixed(8)), Some(Amount::Fixed(3))));
        assert_eq!((hex.length, hex.letter, hex.argument), (Some(Length::Long), 'x', Some(0)));
        assert_eq!((percent.reads(), percent.argument), (Reads::Nothing, None));
        assert_eq!(macro_.pri_macro.clone().map(|span| &source[span]), Some("PRIu64"));
        assert_eq!((star.width, star.argument), (Some(Amount::Argument(2)), Some(3)));
        assert_eq!(star.reads(), Reads::Integer { bytes: 1, signed: true });
        assert_eq!((string.width, string.precision), (Some(Amount::Argument(4)), Some(Amount::Argument(5))));
        assert_eq!((string.reads(), string.argument), (Reads::Text, Some(6)));
    }

    #[test]
    fn conversions_read_the_documented_types() {
        let integer = |bytes, signed| Reads::Integer { bytes, signed };
        for (conversion, reads) in [
            ("%d", integer(4, true)),
            ("%hi", integer(2, true)),
            ("%hhu", integer(1, false)),
            ("%lo", integer(8, false)),
            ("%llx", integer(8, false)),
            ("%qX", integer(8, false)),
            ("%Ld", integer(8, true)),
            ("%zu", integer(8, false)),
            ("%td", integer(8, true)),
            ("%jd", integer(8, true)),
            ("%c", Reads::Character),
            ("%lc", Reads::Unprintable),
            ("%s", Reads::Text),
            ("%ls", Reads::Unprintable),
            ("%p", Reads::Pointer),
            ("%n", Reads::Unprintable),
            ("%5.2f", Reads::Float),
            ("%Lg", Reads::Float),
        ] {
            let outline = Outline::parse(&format!("\"{conversion}\""));
            assert_eq!(outline.conversions[0].reads(), reads, "{conversion}");
        }
    }

    #[test]
    fn errors_are_sorted_by_position() {
        let source = r#""%y \q %" FOO " %m\0 %d"#;
        let outline = Outline::parse(source);
        let errors: Vec<_> =
            outline.errors.iter().map(|error| (error.kind, &source[error.span.clone()])).collect();
        assert_eq!(
            errors,
            [
                (FormatErrorKind::UnknownConversion, "%"),
                (FormatErrorKind::UnknownEscape, r"\q"),
                (FormatErrorKind::UnknownConversion, "%"),
                (FormatErrorKind::UnknownWord, "FOO"),
                (FormatErrorKind::UnterminatedLiteral, r#"" %m\0 %d"#),
                (FormatErrorKind::UnknownConversion, "%"),
                (FormatErrorKind::Nul, r"\0"),
            ]
        );
        assert_eq!(outline.conversions, []);
    }

    #[test]
    fn a_prefix_takes_the_first_argument() {
        let outline = Outline::parse_prefixed("cpu=%p ", r#""%d""#);
        let [cpu, own] = &outline.conversions[..] else { panic!() };
        assert_eq!((cpu.argument, cpu.span.clone()), (Some(0), 0..0));
        assert_eq!((own.argument, own.span.clone()), (Some(1), 1..3));
    }
}
