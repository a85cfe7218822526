//! Event formats, parsed before probes need them.
//!
//! Parsing allocates, and a probe may run in a signal handler. So the format of each event id is
//! parsed once, when the event is enabled for a text backend.

use std::sync::{Arc, OnceLock};

use ringtrace_events::format::Format;
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::{CType, Enumeration, SourceFile};

use super::Event;

#[derive(Debug)]
pub(crate) struct ParsedFormat {
    pub(crate) format: Format,
    /// The C types of the arguments, to which the values are narrowed.
    pub(crate) types: Vec<CType>,
}

impl ParsedFormat {
    pub(crate) fn new<'a>(format: Option<&str>, ctypes: impl Iterator<Item = &'a str>) -> ParsedFormat {
        ParsedFormat {
            format: Format::parse(format.unwrap_or_default()),
            types: ctypes.map(CType::parse).collect(),
        }
    }
}

/// Returns the enumerations of the arguments. They precede the event in its declaration.
fn enumerations(text: &str) -> Option<impl Iterator<Item = Option<Arc<Enumeration>>>> {
    text.contains('\n').then_some(())?;
    let parsed = parse(vec![SourceFile::new("declaration", format!("{text}\n"))], Dialect::Read);
    let event = parsed.declarations.events.into_iter().next()?;
    Some(event.arguments.into_iter().map(|argument| argument.enumeration))
}

type Bucket = OnceLock<Box<[OnceLock<ParsedFormat>]>>;

/// Bucket n contains the ids from 2^n to 2^(n+1) - 1. Buckets never move, so probes read them
/// without a lock.
static BUCKETS: [Bucket; 32] = [const { OnceLock::new() }; 32];

/// Returns the bucket of an id, and the index in the bucket; `None` for 0, which no registered
/// event has.
fn locate(id: u32) -> Option<(usize, usize)> {
    let bucket = id.checked_ilog2()?;
    Some((bucket as usize, (id - (1 << bucket)) as usize))
}

/// Parses the event's format, unless it is already parsed. Called under the registry's lock.
pub(crate) fn prepare(event: &Event) {
    let Some((bucket, at)) = locate(event.id()) else { return };
    let slots = BUCKETS[bucket].get_or_init(|| (0..1_usize << bucket).map(|_| OnceLock::new()).collect());
    slots[at].get_or_init(|| {
        let declaration = event.declaration();
        let ctypes = declaration.arguments.iter().map(|argument| argument.ctype);
        let parsed = ParsedFormat::new(declaration.format, ctypes);
        match enumerations(declaration.text) {
            Some(enumerations) => {
                ParsedFormat { format: parsed.format.with_enumerations(enumerations), ..parsed }
            }
            None => parsed,
        }
    });
}

/// Returns the parsed format of an event that was passed to [`prepare`].
pub(crate) fn of(id: u32) -> Option<&'static ParsedFormat> {
    let (bucket, at) = locate(id)?;
    BUCKETS[bucket].get()?.get(at)?.get()
}

#[cfg(test)]
mod tests {
    use super::locate;

    #[test]
    fn every_id_has_a_slot_of_its_own() {
        assert_eq!(locate(0), None);
        assert_eq!(locate(1), Some((0, 0)));
        assert_eq!(locate(2), Some((1, 0)));
        assert_eq!(locate(3), Some((1, 1)));
        assert_eq!(locate(1000), Some((9, 488)));
        assert_eq!(locate(u32::MAX), Some((31, (1 << 31) - 1)));
    }
}
