//! Formats of events, taken apart before they are needed.
//!
//! Taking a format apart allocates, and a probe may happen in a signal handler. So it is done when an event is switched on to
//! a text backend, once for each number that the registry gives.

use std::sync::OnceLock;

use ringtrace_events::CType;
use ringtrace_events::format::Format;

use super::Event;

/// What rendering an event needs to know.
#[derive(Debug)]
pub(crate) struct ParsedFormat {
    /// The format.
    pub(crate) format: Format,
    /// The types of the arguments, to which values are narrowed.
    pub(crate) types: Vec<CType>,
}

impl ParsedFormat {
    /// The plan of a format, for arguments of C types.
    pub(crate) fn new<'a>(format: Option<&str>, ctypes: impl Iterator<Item = &'a str>) -> ParsedFormat {
        ParsedFormat {
            format: Format::parse(format.unwrap_or_default()),
            types: ctypes.map(CType::parse).collect(),
        }
    }
}

type Bucket = OnceLock<Box<[OnceLock<ParsedFormat>]>>;

/// Bucket n has the numbers from 2^n up to 2^(n+1): nothing moves when there are more, so that probes look without a lock.
static BUCKETS: [Bucket; 32] = [const { OnceLock::new() }; 32];

/// Bucket and place of a number; none for 0, which no registered event has.
fn locate(id: u32) -> Option<(usize, usize)> {
    let bucket = id.checked_ilog2()?;
    Some((bucket as usize, (id - (1 << bucket)) as usize))
}

/// Takes the event's format apart, unless that has been done. Called under the registry's lock.
pub(crate) fn prepare(event: &Event) {
    let Some((bucket, at)) = locate(event.id()) else { return };
    let slots = BUCKETS[bucket].get_or_init(|| (0..1_usize << bucket).map(|_| OnceLock::new()).collect());
    slots[at].get_or_init(|| {
        let declaration = event.declaration();
        ParsedFormat::new(declaration.format, declaration.arguments.iter().map(|argument| argument.ctype))
    });
}

/// The plan of a number that [`prepare`] has seen.
pub(crate) fn of(id: u32) -> Option<&'static ParsedFormat> {
    let (bucket, at) = locate(id)?;
    BUCKETS[bucket].get()?.get(at)?.get()
}

#[cfg(test)]
mod tests {
    use super::locate;

    #[test]
    fn every_number_has_a_place_of_its_own() {
        assert_eq!(locate(0), None);
        assert_eq!(locate(1), Some((0, 0)));
        assert_eq!(locate(2), Some((1, 0)));
        assert_eq!(locate(3), Some((1, 1)));
        assert_eq!(locate(1000), Some((9, 488)));
        assert_eq!(locate(u32::MAX), Some((31, (1 << 31) - 1)));
    }
}
