//! The Common Trace Format, version 1.8: a folder for babeltrace2 and Trace Compass. `docs/ctf.md`
//! describes the output.
//!
//! A stream consists of packets of records. All records in a stream have the same information about
//! their origin, so there is a stream for each [`StreamKind`]. One of the streams contains data
//! that is known only at the end.

mod events;
mod fast_path;
mod metadata;
mod stream;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ringtrace_tracefile::pair::{Description, SpanEvent, Track};
use ringtrace_tracefile::{Dropped, Entry, OrdinaryRecords, Value};

use crate::exporter::{ExportTarget, Exporter, Format, OutputKind, TraceEnd, TraceInfo};
use crate::shared::losses;
use crate::shared::record_types::RecordTypes;
use crate::shared::synthetic::SyntheticRecord;
use crate::shared::value::{TypedValue, ValueKind};
use events::{Empty, Events};
use fast_path::FastPath;
use metadata::Metadata;
use stream::{Owner, Packets, StreamKind};

pub(crate) const FORMAT: Format = Format {
    name: "ctf",
    about: "Common Trace Format 1.8, a folder: babeltrace2, Trace Compass",
    endings: &[".ctf"],
    output: OutputKind::Folder,
    needs_order: true,
    has_stacks: false,
    encodes_on_thread: false,
    start,
};

fn start(target: ExportTarget, info: &TraceInfo) -> io::Result<Box<dyn Exporter>> {
    let folder = target.into_folder()?;
    Ok(Box::new(Ctf {
        folder,
        metadata: Metadata::new(info),
        description: Rc::new(info.description.clone()),
        types: RecordTypes::default(),
        events: Events::default(),
        fast_path: FastPath::new(),
        streams: [const { None }; StreamKind::COUNT],
        last_ns: 0,
    }))
}

struct Ctf {
    folder: PathBuf,
    metadata: Metadata,
    description: Rc<Description>,
    types: RecordTypes,
    events: Events,
    fast_path: FastPath,
    /// The streams, by kind. A stream is created with its first record.
    streams: [Option<Packets>; StreamKind::COUNT],
    last_ns: u64,
}

impl Ctf {
    fn write_synthetic(
        &mut self,
        record: &SyntheticRecord<'_>,
        ns: u64,
        owner: &Owner<'_>,
    ) -> io::Result<()> {
        // Names of the trace's events never contain `:`.
        let number = self.types.number_of_own(record, "ringtrace:");
        let texts = record.values.iter().filter_map(|(_, value)| match value {
            TypedValue::Text(bytes) => Some(*bytes),
            _ => None,
        });
        let id = self.events.id(number, Empty::of(texts), owner.kind);
        let stream = stream(&mut self.streams, &self.folder, &self.metadata, owner.kind)?;
        let mut out = stream.begin(id, ns, owner)?;
        for (_, value) in &record.values {
            match *value {
                TypedValue::Signed(number) => out.integer(ValueKind::Signed(8), number.cast_unsigned()),
                TypedValue::Unsigned(number) | TypedValue::Pointer(number) | TypedValue::Double(number) => {
                    out.integer(ValueKind::Unsigned(8), number);
                }
                TypedValue::Bool(truth) => out.integer(ValueKind::Bool, u64::from(truth)),
                TypedValue::Text(bytes) => out.text(bytes),
            }
        }
        Ok(())
    }

    fn record<'e>(&mut self, entry: &Entry<'e>) -> io::Result<Owner<'e>> {
        let time_ns = losses::time_ns(entry, self.last_ns);
        self.last_ns = time_ns;
        let owner = owner(entry);
        let number = self.types.number(entry);
        self.metadata.identify(entry);
        let texts = entry.values().chain(entry.surplus()).filter_map(|value| match value {
            Value::Str(bytes) => Some(bytes),
            Value::Integer(_) => None,
        });
        let empty = Empty::of(texts);
        let id = self.events.id(number, empty, owner.kind);
        self.fast_path.learn(entry, &owner, &self.types.all()[number], id, empty);
        let stream = stream(&mut self.streams, &self.folder, &self.metadata, owner.kind)?;
        if entry.is_dropped() {
            let mut dropped = Dropped::default();
            dropped.count(entry);
            stream.lose(dropped.events, time_ns)?;
        }
        let mut out = stream.begin(id, time_ns, &owner)?;
        let kinds = self.types.all()[number].fields.iter().map(|field| field.kind);
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
            let values = vec![("time_ns", TypedValue::Unsigned(time_ns))];
            self.write_synthetic(&SyntheticRecord { name: "time_beyond", values }, time_ns, &owner)?;
        }
        Ok(owner)
    }
}

/// Returns the stream of `kind`. Creates it for the first record.
fn stream<'s>(
    streams: &'s mut [Option<Packets>; StreamKind::COUNT],
    folder: &Path,
    metadata: &Metadata,
    kind: StreamKind,
) -> io::Result<&'s mut Packets> {
    let stream = &mut streams[kind as usize];
    Ok(match stream {
        Some(stream) => stream,
        None => stream.insert(Packets::create(folder, kind, metadata.uuid(), metadata.limit_ns())?),
    })
}

fn owner<'e>(entry: &Entry<'e>) -> Owner<'e> {
    let name = entry.thread_name().unwrap_or_default();
    let (kind, tid) = match entry.tid() {
        Some(tid) if !name.is_empty() => (StreamKind::NamedThread, tid),
        Some(tid) => (StreamKind::Thread, tid),
        None if entry.version.info().has_pid => (StreamKind::Process, 0),
        None => (StreamKind::Unknown, 0),
    };
    Owner { kind, pid: entry.pid, tid, name }
}

impl Exporter for Ctf {
    fn event(&mut self, entry: &Entry<'_>, spans: &[SpanEvent<'_>], tracks: &[Track]) -> io::Result<()> {
        let owner = self.record(entry)?;
        let description = Rc::clone(&self.description);
        for span_event in spans {
            let record = SyntheticRecord::of_span_event(span_event, entry.timestamp_ns, &description, tracks);
            self.write_synthetic(&record, entry.timestamp_ns, &owner)?;
        }
        Ok(())
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.record(entry).map(|_| ())
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> io::Result<()> {
        let Ctf { fast_path, streams, .. } = self;
        fast_path.notice(records.thread_changes());
        records.skip_while(|record, schema_index| fast_path.write(record, schema_index, streams));
        Ok(())
    }

    fn finish(mut self: Box<Self>, end: &TraceEnd<'_>) -> io::Result<()> {
        // These records are in a separate stream, because their times may precede the times of
        // other records.
        let description = Rc::clone(&self.description);
        for (time_ns, record) in SyntheticRecord::of_end(end, self.last_ns, &description) {
            self.write_synthetic(&record, time_ns, &Owner::TRACE)?;
        }
        for stream in self.streams.iter_mut().flatten() {
            stream.write_packet()?;
        }
        fs::write(self.folder.join("metadata"), self.metadata.text(self.events.all(), self.types.all()))
    }
}
