//! What is in a format, for those who check it rather than render it.

use super::conversion::{self, Conversion};
use super::source::{self, Fault, FaultKind};

/// The structure of a format: its conversions and what is wrong with it, with their places in the source.
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
    /// The conversions in order, `%%` included.
    pub conversions: Vec<Conversion>,
    /// What is not C or not printf, by place.
    pub faults: Vec<Fault>,
    /// How many arguments the conversions take together.
    pub arguments: usize,
}

impl Outline {
    /// The structure of `source` (C literals and PRI macros).
    pub fn parse(source: &str) -> Outline {
        Outline::parse_prefixed("", source)
    }

    /// Like [`Outline::parse`], with a plain format text before it (`cpu=%p `, no quotes or escapes) whose
    /// conversions take the first arguments. Their spans are empty.
    pub fn parse_prefixed(prefix: &str, source: &str) -> Outline {
        let mut outline = Outline::default();
        scan(prefix, source, |item| match item {
            Item::Text(_) => {}
            Item::Conversion(conversion, _) => {
                outline.arguments += conversion.arguments();
                outline.conversions.push(conversion);
            }
            Item::Fault(fault) => outline.errors.push(fault),
        });
        outline.errors.sort_by_key(|fault| fault.span.start);
        outline
    }
}

/// A part of a format.
pub(super) enum Item<'a> {
    Text(&'a [u8]),
    /// A conversion and its bytes, macros expanded.
    Conversion(Conversion, &'a [u8]),
    Fault(Fault),
}

/// Takes a format apart, in order, but for the faults of its C source, which come first.
pub(super) fn scan(prefix: &str, source: &str, mut visit: impl FnMut(Item<'_>)) {
    let mut decoded = source::decode(source);
    decoded.faults.drain(..).for_each(|fault| visit(Item::Fault(fault)));
    decoded.bytes.splice(..0, prefix.bytes());
    decoded.places.splice(..0, prefix.bytes().map(|_| source::Place::default()));

    let (mut bytes, places) = (&decoded.bytes[..], &decoded.places[..]);
    if let Some(end) = bytes.iter().position(|&byte| byte == 0) {
        visit(Item::Fault(Fault { kind: FaultKind::Nul, span: places[end].into() }));
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
                visit(Item::Fault(Fault { kind: FaultKind::UnknownConversion, span: places[at].into() }));
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Outline;
    use crate::format::{Amount, FaultKind, Flags, Length, Reads};

    #[test]
    fn spans_cover_what_was_written() {
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
    fn what_a_conversion_reads() {
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
    fn faults_are_in_order_of_place() {
        let source = r#""%y \q %" FOO " %m\0 %d"#;
        let outline = Outline::parse(source);
        let faults: Vec<_> =
            outline.errors.iter().map(|fault| (fault.kind, &source[fault.span.clone()])).collect();
        assert_eq!(
            faults,
            [
                (FaultKind::UnknownConversion, "%"),
                (FaultKind::UnknownEscape, r"\q"),
                (FaultKind::UnknownConversion, "%"),
                (FaultKind::UnknownWord, "FOO"),
                (FaultKind::UnterminatedLiteral, r#"" %m\0 %d"#),
                (FaultKind::UnknownConversion, "%"),
                (FaultKind::Nul, r"\0"),
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
