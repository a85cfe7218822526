//! The relation of several traces to each other: which files are one trace, and how their clocks
//! differ.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

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

/// The result of [`align`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Aligned {
    /// The relation of the common clock to the wall clock. `None` if the wall-clock time of any trace
    /// is unknown.
    pub anchor: Option<Anchor>,
    /// The name of the first trace whose wall-clock time is unknown.
    pub undated: Option<String>,
    /// The origins of the traces, by [`Entry::trace`](crate::Entry).
    pub origins: Arc<[Origin]>,
    /// Files of the same trace that begin with the same record, so that one repeats the other: pairs
    /// of names.
    pub repeated: Vec<[String; 2]>,
}

/// The origin of a trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The name of the trace: that of its first file, or that of its files' folder.
    pub name: Box<str>,
    /// The name of the machine, if the trace contains it.
    pub host: Option<Box<str>>,
    /// The id of the trace, which all of its files share, if the trace contains it.
    pub id: Option<Box<str>>,
}

impl Origin {
    /// Returns the id of the trace, or its name if it has no id.
    pub fn id_or_name(&self) -> &str {
        self.id.as_deref().unwrap_or(&self.name)
    }
}

/// The facts that the start of a trace states about its origin.
struct Identity {
    trace: Option<Vec<u8>>,
    boot: Option<Vec<u8>>,
    host: Option<Vec<u8>>,
    anchor: Option<Anchor>,
    /// Whether the user has specified the anchor.
    is_given: bool,
    /// The time of the first record, if the trace can be read again.
    first_ns: Option<u64>,
}

/// A clock that traces share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clock<'i> {
    /// The clock of this boot of a machine.
    Boot(&'i [u8]),
    /// The clock of the machine with this name.
    Host(&'i [u8]),
    /// The clock of the reader with this index.
    Own(usize),
    /// The only other clock, if there is one.
    Unknown,
}

/// Determines which of `readers` read files of the same trace, and moves the times of traces whose
/// clocks differ to a common clock. A pipe is read up to its first record.
///
/// # Errors
/// Returns an error if the clocks differ and the wall-clock time of a trace is unknown, or if the
/// start of a pipe cannot be read.
pub fn align(readers: &mut [Reader], alignment: Alignment) -> Result<Aligned, Error> {
    let identities: Vec<Identity> = readers.iter_mut().map(Identity::of).collect::<Result<_, _>>()?;
    let origins = number(readers, &identities);
    let repeated = repeated(readers, &identities);
    if alignment.joined {
        readers.iter_mut().for_each(|reader| reader.place.scope = 0);
    }
    let clocks: Vec<Clock<'_>> = (0..identities.len()).map(|index| clock(&identities, index)).collect();
    let known = clocks.iter().filter(|clock| **clock != Clock::Unknown);
    let is_shared = known.clone().all(|clock| Some(clock) == known.clone().next());
    // The first anchor of each clock, so that the order of the arguments does not matter.
    let first_of = |wanted: &dyn Fn(usize) -> bool| {
        let anchors = identities.iter().enumerate().filter(|(index, _)| wanted(*index));
        anchors.fold(None, |first, (_, identity)| earlier(first, identity.anchor))
    };
    let clock_anchor = |index: usize| match clocks[index] {
        _ if is_shared => first_of(&|_| true),
        Clock::Unknown => identities[index].anchor,
        clock => first_of(&|other| clocks[other] == clock),
    };
    let clock_anchors: Vec<Option<Anchor>> = (0..readers.len()).map(clock_anchor).collect();
    let undated = clock_anchors.iter().position(Option::is_none);
    if let Some(index) = undated.filter(|_| !is_shared && !alignment.unaligned) {
        return Err(Error::new(
            readers[index].name(),
            "the traces are of different machines or boots, and this one has no wall-clock time, so they cannot be \
             merged by time",
        )
        .help(
            "specify --epoch FILE=DATE, the date at which the clock of this trace was zero, or --unaligned to \
             merge the traces by their own clocks",
        ));
    }
    let undated = undated.map(|index| readers[index].name().to_owned());
    if undated.is_some() {
        return Ok(Aligned { anchor: None, undated, origins, repeated });
    }
    // All files of a trace have the anchor of its first file.
    let own_anchor = |index: usize| match &identities[index].trace {
        Some(id) => first_of(&|other| identities[other].trace.as_ref() == Some(id)),
        None => identities[index].anchor,
    };
    let own_anchors: Vec<Option<Anchor>> =
        clock_anchors.iter().enumerate().map(|(index, clock)| own_anchor(index).or(*clock)).collect();
    // Times then increase.
    let anchors = if alignment.unaligned { &own_anchors } else { &clock_anchors };
    let Some(common) = anchors.iter().flatten().min_by_key(|anchor| zero_ns(anchor)).copied() else {
        return Ok(Aligned { anchor: None, undated, origins, repeated });
    };
    for ((reader, clock), own) in readers.iter_mut().zip(&clock_anchors).zip(&own_anchors) {
        let (Some(clock), Some(own)) = (clock, own) else { continue };
        let clock = if alignment.unaligned { &common } else { clock };
        let shift_ns = zero_ns(clock) - zero_ns(&common);
        reader.place.shift_ns = u64::try_from(shift_ns).unwrap_or(u64::MAX);
        let date_shift_ns = zero_ns(own) - zero_ns(clock);
        reader.place.date_shift_ns = date_shift_ns.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    }
    Ok(Aligned { anchor: Some(common), undated, origins, repeated })
}

/// Numbers the traces: files of one trace have the same number. Returns the traces' origins.
fn number(readers: &mut [Reader], identities: &[Identity]) -> Arc<[Origin]> {
    let mut known: Vec<Option<&[u8]>> = Vec::new();
    let mut origins = Vec::new();
    for (reader, identity) in readers.iter_mut().zip(identities) {
        let id = identity.trace.as_deref();
        let number = known.iter().position(|other| id.is_some() && *other == id).unwrap_or_else(|| {
            known.push(id);
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into();
            let host = identity.host.as_deref().map(text);
            origins.push(Origin { name: reader.name().into(), host, id: id.map(text) });
            known.len() - 1
        });
        // There are fewer readers than 2^32.
        (reader.place.trace, reader.place.scope) = (number as u32, number as u32);
    }
    origins.into()
}

/// Returns the files that begin with the same record of a trace as an earlier one. For example, a
/// recovered trace repeats the last file of the killed program.
fn repeated(readers: &[Reader], identities: &[Identity]) -> Vec<[String; 2]> {
    let mut files_of: HashMap<&[u8], u32> = HashMap::new();
    for id in identities.iter().filter_map(|identity| identity.trace.as_deref()) {
        *files_of.entry(id).or_default() += 1;
    }
    let mut known: HashMap<(&[u8], u64), String> = HashMap::new();
    let mut repeated = Vec::new();
    for (reader, identity) in readers.iter().zip(identities) {
        let Some(id) = identity.trace.as_deref().filter(|id| files_of[id] > 1) else { continue };
        let starts = match reader.files() {
            Some(files) => files.starts(),
            None => identity.first_ns.map(|ns| (ns, reader.name().to_owned())).into_iter().collect(),
        };
        for (ns, name) in starts {
            match known.entry((id, ns)) {
                Entry::Occupied(earlier) => repeated.push([earlier.get().clone(), name]),
                Entry::Vacant(place) => drop(place.insert(name)),
            }
        }
    }
    repeated
}

/// Returns the clock of the trace with this index.
fn clock(identities: &[Identity], index: usize) -> Clock<'_> {
    let identity = &identities[index];
    if let Some(boot) = &identity.boot {
        return Clock::Boot(boot);
    }
    let Some(host) = &identity.host else {
        // Traces of unknown origin have the same clock, unless the user has specified when it was zero.
        return if identity.is_given { Clock::Own(index) } else { Clock::Unknown };
    };
    // A trace without a boot id belongs to the only known boot of its machine.
    let of_host = identities.iter().filter(|other| other.host.as_ref() == Some(host));
    let mut boots = of_host.filter_map(|other| other.boot.as_deref());
    match boots.next() {
        Some(boot) if boots.all(|other| other == boot) => Clock::Boot(boot),
        _ => Clock::Host(host),
    }
}

fn zero_ns(anchor: &Anchor) -> i128 {
    anchor.realtime_ns(0)
}

/// Returns the anchor that was recorded first.
fn earlier(one: Option<Anchor>, other: Option<Anchor>) -> Option<Anchor> {
    one.into_iter().chain(other).min_by_key(|anchor| (anchor.monotonic_ns, anchor.realtime_ns))
}

impl Identity {
    fn of(reader: &mut Reader) -> Result<Identity, Error> {
        let is_given = reader.given_anchor.is_some();
        match reader.again() {
            Some(again) => {
                let mut cursor = Cursor::new(again);
                // Ignore the error: it occurs again, and is then reported, when the entries are read.
                let first_ns = cursor.peek_ns().ok().flatten();
                Ok(Identity { first_ns, ..Identity::known(cursor.reader(), is_given) })
            }
            None => {
                reader.read_head()?;
                Ok(Identity::known(reader, is_given))
            }
        }
    }

    /// Returns what `reader` has read so far.
    fn known(reader: &Reader, is_given: bool) -> Identity {
        let value = |wanted: &str| {
            reader.metadata().iter().find_map(|piece| match piece {
                Metadata::Other(key, value) if key == wanted => Some(value.clone()),
                _ => None,
            })
        };
        Identity {
            trace: value(TRACE),
            boot: value(BOOT),
            host: value(HOST),
            anchor: reader.anchor(),
            is_given,
            first_ns: None,
        }
    }
}
