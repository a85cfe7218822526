//! The relation of several traces to each other: which files are one trace, and how their clocks
//! differ.

use crate::error::Error;
use crate::metadata::{Anchor, BOOT, HOST, Metadata, TRACE};
use crate::read::reader::Reader;
use crate::read::{Cursor, EntrySource};

/// How several traces are read together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Alignment {
    /// Whether times are compared as they are, even if the clocks of the traces differ.
    pub unaligned: bool,
    /// Whether pairs can begin in one trace and end in another.
    pub joined: bool,
}

/// The facts that the start of a trace states about its origin.
struct Identity {
    trace: Option<Vec<u8>>,
    /// The boot of the machine, or its name. Traces with the same value have the same clock.
    clock: Option<Vec<u8>>,
    anchor: Option<Anchor>,
}

/// Determines which of `readers` read files of the same trace, and moves the times of traces whose
/// clocks differ to a common clock. Returns the anchor of the common clock.
///
/// # Errors
/// Returns an error if the clocks differ, and the wall-clock time of a trace is unknown.
pub fn align(readers: &mut [Reader], alignment: Alignment) -> Result<Option<Anchor>, Error> {
    if readers.len() < 2 {
        return Ok(None);
    }
    let identities: Vec<Identity> = readers.iter().map(Identity::of).collect();
    if !alignment.joined {
        let mut known: Vec<Option<&[u8]>> = Vec::new();
        for (reader, identity) in readers.iter_mut().zip(&identities) {
            let id = identity.trace.as_deref();
            let number = known.iter().position(|other| id.is_some() && *other == id);
            reader.place.trace = number.unwrap_or(known.len()) as u32;
            if number.is_none() {
                known.push(id);
            }
        }
    }
    if alignment.unaligned {
        return Ok(None);
    }
    // The first anchor of each clock, so that the order of the arguments does not matter.
    let mut clocks: Vec<(&[u8], Option<Anchor>)> = Vec::new();
    for identity in &identities {
        let Some(clock) = identity.clock.as_deref() else { continue };
        let at = clocks.iter().position(|(known, _)| *known == clock).unwrap_or_else(|| {
            clocks.push((clock, None));
            clocks.len() - 1
        });
        clocks[at].1 = earlier(clocks[at].1, identity.anchor);
    }
    let is_shared = clocks.len() < 2;
    if !is_shared && let Some(index) = identities.iter().position(|identity| identity.anchor.is_none()) {
        return Err(Error::new(
            readers[index].name(),
            "the traces are of different machines or boots, and this one has no wall-clock time, so they cannot be \
             merged by time",
        )
        .help("read the traces separately, or specify --unaligned to merge them by their own clocks"));
    }
    let shared = identities.iter().fold(None, |first, identity| earlier(first, identity.anchor));
    let clock_of = |identity: &Identity| {
        let clock = clocks.iter().find(|(clock, _)| identity.clock.as_deref() == Some(*clock));
        if is_shared { shared } else { clock.and_then(|(_, anchor)| *anchor).or(identity.anchor) }
    };
    // All times then increase.
    let common = identities.iter().filter_map(clock_of).min_by_key(zero_ns);
    let Some(common) = common else { return Ok(None) };
    for (reader, identity) in readers.iter_mut().zip(&identities) {
        let Some(clock) = clock_of(identity) else { continue };
        let shift_ns = zero_ns(&clock) - zero_ns(&common);
        reader.place.shift_ns = u64::try_from(shift_ns).unwrap_or(u64::MAX);
        // All files of a trace have the anchor of its first file.
        let is_same = |other: &&Identity| other.trace.is_some() && other.trace == identity.trace;
        let of_trace = identities
            .iter()
            .filter(is_same)
            .fold(identity.anchor, |first, other| earlier(first, other.anchor));
        let own = of_trace.map_or(0, |own| zero_ns(&own) - zero_ns(&clock));
        reader.place.date_shift_ns = own.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    }
    Ok(Some(common))
}

fn zero_ns(anchor: &Anchor) -> i128 {
    anchor.realtime_ns(0)
}

/// Returns the anchor that was recorded first.
fn earlier(one: Option<Anchor>, other: Option<Anchor>) -> Option<Anchor> {
    one.into_iter().chain(other).min_by_key(|anchor| (anchor.monotonic_ns, anchor.realtime_ns))
}

impl Identity {
    fn of(reader: &Reader) -> Identity {
        let mut identity = Identity { trace: None, clock: None, anchor: None };
        // A stream can be read only once.
        let Some(again) = reader.again() else { return identity };
        let mut cursor = Cursor::new(again);
        // Ignore the error: it occurs again, and is then reported, when the entries are read.
        let _ = cursor.peek_ns();
        let reader = cursor.reader();
        let value = |wanted: &str| {
            reader.metadata().iter().find_map(|piece| match piece {
                Metadata::Other(key, value) if key == wanted => Some(value.clone()),
                _ => None,
            })
        };
        identity.trace = value(TRACE);
        identity.clock = value(BOOT).or_else(|| value(HOST));
        identity.anchor = reader.anchor();
        identity
    }
}
