//! What a format is made of, for those who write it in another language.

use super::conversion::{Conversion, Reads};
use super::outline::{Item, scan};
use crate::Event;

/// A part of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Bytes that are printed as they are: `%%` is one `%` here, and what cannot be converted is its own text.
    Text(Vec<u8>),
    /// What is printed of an argument. It [reads](Conversion::reads) a number, a character, a text, a pointer or a float.
    Conversion(Conversion),
}

/// The parts of the format of `event`, its prefix included. No two texts stand side by side.
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
        Item::Fault(_) => {}
    });
    parts
}
