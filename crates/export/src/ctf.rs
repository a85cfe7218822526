//! The Common Trace Format, version 1.8: a folder for babeltrace2 and Trace Compass. `docs/ctf.md` tells users what is in it.
//!
//! Records stand in packets of streams. There is a stream for each [`Origin`], because the records of a stream all say the same of where
//! they come from, and one for what is only known at the end.

mod events;
mod metadata;
mod quick;
mod stream;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ringtrace_tracefile::pair::{Description, SpanEvent, Track};
use ringtrace_tracefile::{Dropped, Entry, OrdinaryRecords, Value};

use crate::beside::Beside;
use crate::exporter::{End, Exporter, Format, Place, Setting, Shape as OnDisk};
use crate::shapes::Shapes;
use crate::value::{Kind, Typed};
use events::{Empty, Events};
use metadata::Metadata;
use quick::Quick;
use stream::{Origin, Packets, Whose};

/// The format.
pub(crate) const FORMAT: Format = Format {
    name: "ctf",
    about: "Common Trace Format 1.8, a folder: babeltrace2, Trace Compass",
    endings: &[".ctf"],
    shape: OnDisk::Folder,
    needs_order: true,
    begin,
};

fn begin(place: Place, setting: &Setting) -> io::Result<Box<dyn Exporter>> {
    let Place::Folder(folder) = place else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a CTF trace is a folder"));
    };
    Ok(Box::new(Ctf {
        folder,
        metadata: Metadata::new(setting),
        description: Rc::new(setting.description.clone()),
        shapes: Shapes::default(),
        events: Events::default(),
        quick: Quick::new(),
        streams: [const { None }; Origin::COUNT],
        last_ns: 0,
    }))
}

/// Writes a CTF folder.
struct Ctf {
    folder: PathBuf,
    metadata: Metadata,
    description: Rc<Description>,
    shapes: Shapes,
    events: Events,
    quick: Quick,
    /// By origin; a stream begins with its first record.
    streams: [Option<Packets>; Origin::COUNT],
    /// The time of the last record.
    last_ns: u64,
}

impl Ctf {
    /// Writes a record of our own.
    fn tell(&mut self, beside: &Beside<'_>, ns: u64, whose: &Whose<'_>) -> io::Result<()> {
        // No event's name has a `:`.
        let number = self.shapes.number_of_own(beside, "ringtrace:");
        let texts = beside.values.iter().filter_map(|(_, value)| match value {
            Typed::Text(bytes) => Some(*bytes),
            _ => None,
        });
        let id = self.events.id(number, Empty::of(texts), whose.origin);
        let stream = stream(&mut self.streams, &self.folder, &self.metadata, whose.origin)?;
        let mut out = stream.begin(id, ns, whose)?;
        for (_, value) in &beside.values {
            match *value {
                Typed::Signed(number) => out.integer(Kind::Signed(8), number.cast_unsigned()),
                Typed::Unsigned(number) | Typed::Pointer(number) => out.integer(Kind::Unsigned(8), number),
                Typed::Bool(truth) => out.integer(Kind::Bool, u64::from(truth)),
                Typed::Text(bytes) => out.text(bytes),
            }
        }
        Ok(())
    }

    /// Writes `entry`, and says whose it is.
    fn record<'e>(&mut self, entry: &Entry<'e>) -> io::Result<Whose<'e>> {
        // The first writers gave no time to dropped records.
        let timeless = entry.is_dropped() && entry.timestamp_ns == 0;
        let time_ns = if timeless { self.last_ns } else { entry.timestamp_ns };
        self.last_ns = time_ns;
        let whose = whose(entry);
        let number = self.shapes.number(entry);
        self.metadata.identify(entry);
        let texts = entry.values().chain(entry.surplus()).filter_map(|value| match value {
            Value::Str(bytes) => Some(bytes),
            Value::Integer(_) => None,
        });
        let empty = Empty::of(texts);
        let id = self.events.id(number, empty, whose.origin);
        self.quick.learn(entry, &whose, &self.shapes.all()[number], id, empty);
        let stream = stream(&mut self.streams, &self.folder, &self.metadata, whose.origin)?;
        if entry.is_dropped() {
            let mut dropped = Dropped::default();
            dropped.count(entry);
            stream.lose(dropped.events, time_ns)?;
        }
        let mut out = stream.begin(id, time_ns, &whose)?;
        let kinds = self.shapes.all()[number].fields.iter().map(|field| field.kind);
        for (value, kind) in entry.values().chain(entry.surplus()).zip(kinds) {
            match value {
                Value::Integer(bits) => out.integer(kind, bits),
                Value::Str(bytes) => out.text(bytes),
            }
        }
        if let Some(lost) = entry.lost {
            out.text(lost.cause.word().as_bytes());
        }
        if entry.is_dropped() {
            stream.write_packet()?;
        }
        if time_ns > self.metadata.limit_ns() {
            let values = vec![("time_ns", Typed::Unsigned(time_ns))];
            self.tell(&Beside { name: "time_beyond", values }, time_ns, &whose)?;
        }
        Ok(whose)
    }
}

/// The stream of `origin`, which begins with its first record.
fn stream<'s>(
    streams: &'s mut [Option<Packets>; Origin::COUNT],
    folder: &Path,
    metadata: &Metadata,
    origin: Origin,
) -> io::Result<&'s mut Packets> {
    let stream = &mut streams[origin as usize];
    Ok(match stream {
        Some(stream) => stream,
        None => stream.insert(Packets::create(folder, origin, metadata.uuid(), metadata.limit_ns())?),
    })
}

fn whose<'e>(entry: &Entry<'e>) -> Whose<'e> {
    let name = entry.thread_name().unwrap_or_default();
    let (origin, tid) = match entry.tid() {
        Some(tid) if !name.is_empty() => (Origin::NamedThread, tid),
        Some(tid) => (Origin::Thread, tid),
        None if entry.version.info().has_pid => (Origin::Process, 0),
        None => (Origin::Unknown, 0),
    };
    Whose { origin, pid: entry.pid, tid, name }
}

impl Exporter for Ctf {
    fn event(&mut self, entry: &Entry<'_>, meanings: &[SpanEvent<'_>], tracks: &[Track]) -> io::Result<()> {
        let whose = self.record(entry)?;
        let description = Rc::clone(&self.description);
        for meaning in meanings {
            let beside = Beside::of_meaning(meaning, entry.timestamp_ns, &description, tracks);
            self.tell(&beside, entry.timestamp_ns, &whose)?;
        }
        Ok(())
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.record(entry).map(|_| ())
    }

    fn quick(&mut self, records: &mut OrdinaryRecords<'_>) -> io::Result<()> {
        let Ctf { quick, streams, .. } = self;
        quick.notice(records.thread_changes());
        records.skip_while(|record, schema_index| quick.write(record, schema_index, streams));
        Ok(())
    }

    fn finish(mut self: Box<Self>, end: &End<'_>) -> io::Result<()> {
        // These have a stream of their own: what is known at the end may have been long ago.
        let description = Rc::clone(&self.description);
        for (time_ns, beside) in Beside::of_end(end, self.last_ns, &description) {
            self.tell(&beside, time_ns, &Whose::TRACE)?;
        }
        for stream in self.streams.iter_mut().flatten() {
            stream.write_packet()?;
        }
        fs::write(self.folder.join("metadata"), self.metadata.text(self.events.all(), self.shapes.all()))
    }
}
