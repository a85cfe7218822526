//! The Common Trace Format, version 1.8: a folder for babeltrace2 and Trace Compass. `docs/ctf.md` tells users what is in it.
//!
//! Records stand in packets of streams. There is a stream for each [`Origin`], because the records of a stream all say the same of where
//! they come from, and one for what is only known at the end.

mod events;
mod metadata;
mod own;
mod quick;
mod stream;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ringtrace_tracefile::pair::{Description, Meaning, SpanId, Track};
use ringtrace_tracefile::{Dropped, Entry, OrdinaryRecords, Pause, Value};

use crate::exporter::{End, Exporter, Format, Place, Setting, Shape as OnDisk};
use crate::shapes::{Shape, Shapes};
use crate::value::Kind;
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
        description: setting.description.clone(),
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
    description: Description,
    shapes: Shapes,
    events: Events,
    quick: Quick,
    /// By origin; a stream begins with its first record.
    streams: [Option<Packets>; Origin::COUNT],
    /// The time of the last record.
    last_ns: u64,
}

/// A value that is written behind a record that is not of the trace.
#[derive(Debug, Clone, Copy)]
enum OwnValue<'v> {
    Number(u64),
    Text(&'v str),
}

impl Ctf {
    /// Writes a record of our own.
    fn tell(&mut self, shape: Shape, ns: u64, whose: &Whose<'_>, values: &[OwnValue<'_>]) -> io::Result<()> {
        let number = self.shapes.add(shape);
        let texts = values.iter().filter_map(|value| match value {
            OwnValue::Text(text) => Some(text.as_bytes()),
            OwnValue::Number(_) => None,
        });
        let id = self.events.id(number, Empty::of(texts), whose.origin);
        let stream = stream(&mut self.streams, &self.folder, &self.metadata, whose.origin)?;
        let mut out = stream.begin(id, ns, whose)?;
        for value in values {
            match value {
                OwnValue::Number(number) => out.integer(Kind::Unsigned(8), *number),
                OwnValue::Text(text) => out.text(text.as_bytes()),
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
            self.tell(own::time_beyond(), time_ns, &whose, &[OwnValue::Number(time_ns)])?;
        }
        Ok(whose)
    }

    /// Writes what a record means, behind it.
    fn mean(
        &mut self,
        meaning: &Meaning<'_>,
        ns: u64,
        whose: &Whose<'_>,
        tracks: &[Track],
    ) -> io::Result<()> {
        let track_name = |track: u32| tracks.get(track as usize).map_or("", |track| &track.name);
        match *meaning {
            Meaning::Begin(span) => self.tell_span(own::span_begin(), span, ns, whose, tracks, &[]),
            Meaning::Step(span) => self.tell_span(own::span_step(), span, ns, whose, tracks, &[]),
            Meaning::End { span, begin } => {
                let begin_ns = begin.timestamp_ns;
                let values = [OwnValue::Number(begin_ns), OwnValue::Number(ns.saturating_sub(begin_ns))];
                self.tell_span(own::span_end(), span, ns, whose, tracks, &values)
            }
            Meaning::Restarted { span, begin } => {
                let values = [OwnValue::Number(begin.timestamp_ns)];
                self.tell_span(own::span_restarted(), span, ns, whose, tracks, &values)
            }
            Meaning::Counter { counter, track, value } => {
                let name =
                    self.description.counters.get(counter).map_or("", |counter| &counter.name).to_owned();
                let shape = own::counter(i64::try_from(value).is_ok());
                // Both kinds have the same lower half.
                let values = [
                    OwnValue::Text(&name),
                    OwnValue::Text(track_name(track)),
                    OwnValue::Number(value as u64),
                ];
                self.tell(shape, ns, whose, &values)
            }
        }
    }

    fn tell_span(
        &mut self,
        shape: Shape,
        span: SpanId,
        ns: u64,
        whose: &Whose<'_>,
        tracks: &[Track],
        more: &[OwnValue<'_>],
    ) -> io::Result<()> {
        let pair = self.description.pairs.get(span.pair).map_or("", |pair| &pair.name).to_owned();
        let track = tracks.get(span.track as usize).map_or("", |track| &track.name);
        let mut values = vec![OwnValue::Text(&pair), OwnValue::Number(span.number), OwnValue::Text(track)];
        values.extend(more);
        self.tell(shape, ns, whose, &values)
    }

    /// Tells of pauses, each at its time, and of spans that never ended. They have a stream of their own: what is known at the end
    /// may have been long ago.
    fn tell_end(&mut self, end: &End<'_>) -> io::Result<()> {
        let mut told: Vec<(u64, Shape, Vec<OwnValue<'_>>)> = Vec::new();
        for &Pause { from_ns, to_ns } in end.pauses {
            told.extend(from_ns.map(|ns| (ns, own::paused(), Vec::new())));
            let duration_ns = from_ns.zip(to_ns).map(|(from_ns, to_ns)| to_ns.saturating_sub(from_ns));
            let values = duration_ns.map(OwnValue::Number).into_iter().collect();
            told.extend(to_ns.map(|ns| (ns, own::resumed(duration_ns.is_some()), values)));
        }
        let description = self.description.clone();
        for (pair, &count) in description.pairs.iter().zip(end.open).filter(|(_, count)| **count > 0) {
            let values = vec![OwnValue::Text(&pair.name), OwnValue::Number(count)];
            told.push((self.last_ns, own::open_spans(), values));
        }
        told.sort_by_key(|(ns, ..)| *ns);
        for (ns, shape, values) in told {
            self.tell(shape, ns, &Whose::TRACE, &values)?;
        }
        Ok(())
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
    fn event(&mut self, entry: &Entry<'_>, meanings: &[Meaning<'_>], tracks: &[Track]) -> io::Result<()> {
        let whose = self.record(entry)?;
        for meaning in meanings {
            self.mean(meaning, entry.timestamp_ns, &whose, tracks)?;
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
        self.tell_end(end)?;
        for stream in self.streams.iter_mut().flatten() {
            stream.write_packet()?;
        }
        fs::write(self.folder.join("metadata"), self.metadata.text(self.events.all(), self.shapes.all()))
    }
}
