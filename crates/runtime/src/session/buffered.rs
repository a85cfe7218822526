//! The current contents of the rings, formatted as lines.
//!
//! They are obtained like a snapshot, but in memory. The rings and the file are not changed.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::{self, Read, Seek};

use ringtrace_events::CType;
use ringtrace_events::ctype::StringRule;
use ringtrace_events::format::{Escapes, Escaping, Format, Output, Value};
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::text::SourceFile;
use ringtrace_wire::simpletrace::header::{Detected, detect};
use ringtrace_wire::simpletrace::metadata::{Anchor, Metadata};
use ringtrace_wire::simpletrace::v4::V4;
use ringtrace_wire::simpletrace::{ByLength, DROPPED_ID, Layout, Record, Step};
use rustix::fs::{MemfdFlags, memfd_create};

use super::snapshot;
use crate::backend::Moment;
use crate::event::registry;
use crate::ring::recording;

#[cfg(target_endian = "little")]
type Own = V4<ringtrace_wire::Little>;
#[cfg(target_endian = "big")]
type Own = V4<ringtrace_wire::Big>;

/// The minimum number of bytes to read at once.
const READ_BYTES: usize = 256 << 10;

/// The newest records in the rings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Buffered {
    /// A line for each record, newest last, in the format of QEMU's log:
    /// `TID@SECONDS.MICROSECONDS:NAME FORMATTED`. Control characters are escaped.
    pub lines: Vec<String>,
    /// The number of older records, which are not in `lines`.
    pub more: u64,
}

/// Returns the records that are not in the trace file yet, or for a flight recorder, all records in
/// the rings. Only the newest `most` records are formatted as lines. Returns nothing if nothing is
/// being recorded.
///
/// Waits for the writer thread.
///
/// # Errors
/// Fails if there is no memory, or tracing ends meanwhile.
pub fn buffered(most: usize) -> io::Result<Buffered> {
    let Some(recording) = recording::current() else { return Ok(Buffered::default()) };
    let mut file = File::from(memfd_create("ringtrace-buffered", MemfdFlags::CLOEXEC)?);
    snapshot::snapshot_into(recording, &file)?;
    file.rewind()?;
    let mut newest = Newest { most, ..Newest::default() };
    newest.read(file)?;
    Ok(newest.finish())
}

#[derive(Debug, Default)]
struct Newest {
    most: usize,
    anchor: Option<Anchor>,
    kept: VecDeque<Kept>,
    more: u64,
}

#[derive(Debug)]
struct Kept {
    id: u64,
    timestamp_ns: u64,
    payload: Vec<u8>,
}

impl Newest {
    /// Reads a trace that this program has written.
    fn read(&mut self, mut file: File) -> io::Result<()> {
        let (mut window, mut at, mut wanted, mut begun) = (Vec::new(), 0, 1, false);
        loop {
            if window.len() - at < wanted {
                window.drain(..at);
                at = 0;
                let limit = READ_BYTES.max(wanted) as u64;
                if file.by_ref().take(limit).read_to_end(&mut window)? == 0 {
                    return Ok(());
                }
            }
            if !begun {
                match detect(&window) {
                    Detected::Header(header) => (at, begun) = (header.size, true),
                    _ => return Err(io::ErrorKind::InvalidData.into()),
                }
            }
            wanted = loop {
                match Own::step(&window[at..], &ByLength) {
                    Step::Record(record) => {
                        self.take(&record);
                        at += record.size;
                    }
                    Step::Mapping(mapping) => {
                        let name = std::str::from_utf8(mapping.name).unwrap_or_default();
                        if let Some(Ok(Metadata::Anchor(anchor))) = Metadata::parse(mapping.id, name) {
                            self.anchor = Some(anchor);
                        }
                        at += mapping.size;
                    }
                    Step::NeedMore(bytes) => break bytes,
                    Step::Fault(_) => return Err(io::ErrorKind::InvalidData.into()),
                }
            };
        }
    }

    fn take(&mut self, record: &Record<'_>) {
        // Skip loss records: the counts already include the losses.
        if record.id == DROPPED_ID {
            return;
        }
        if self.kept.len() == self.most {
            self.more += 1;
            if self.kept.pop_front().is_none() {
                return;
            }
        }
        let payload = record.payload.to_vec();
        self.kept.push_back(Kept { id: record.id, timestamp_ns: record.timestamp_ns, payload });
    }

    fn finish(self) -> Buffered {
        let mut shapes = HashMap::new();
        let line = |kept: &Kept| {
            let shape = shapes.entry(kept.id as u32).or_insert_with_key(|&id| Shape::of(id));
            shape.line(kept, self.anchor)
        };
        Buffered { lines: self.kept.iter().map(line).collect(), more: self.more }
    }
}

/// The declaration of an event, which may be from an unloaded library.
#[derive(Debug)]
struct Shape {
    name: String,
    types: Vec<CType>,
    format: Format,
}

impl Shape {
    fn of(id: u32) -> Shape {
        let described = registry::describe(id);
        let name = described.as_ref().map_or_else(|| format!("event_{id}"), |event| event.name.clone());
        let text = described.map(|event| format!("{}\n", event.text)).unwrap_or_default();
        let declared = parse(vec![SourceFile::new("declared", text)], Dialect::Read).declarations;
        let event = declared.events.into_iter().find(|event| event.name == *name);
        let types = event.iter().flat_map(|event| &event.arguments).map(|argument| argument.ctype).collect();
        let format = event.as_ref().and_then(|event| event.format.as_ref());
        let format = Format::parse(format.map_or("", |format| format));
        Shape { name, types, format }
    }

    fn line(&self, kept: &Kept, anchor: Option<Anchor>) -> String {
        let mut rest = &kept.payload[..];
        let value = |ctype: &CType| {
            if ctype.is_string(StringRule::OneStar) {
                Own::string(&mut rest).map(|string| Value::Str(string.bytes))
            } else {
                Own::integer(&mut rest, false).map(Value::Integer)
            }
        };
        let values: Vec<Value<'_>> = self.types.iter().map_while(value).collect();
        let realtime_ns = anchor.map_or(0, |anchor| anchor.realtime_ns(kept.timestamp_ns));
        let seconds = i64::try_from(realtime_ns.div_euclid(1_000_000_000)).unwrap_or(i64::MAX);
        let microseconds = realtime_ns.rem_euclid(1_000_000_000) as u32 / 1000;
        let mut line = format!("{}@", kept.id >> 32);
        // Writing to a string does not fail.
        let _ = Moment { seconds, microseconds }.push_seconds(&mut line);
        let mut bytes = line.into_bytes();
        let mut out = Escaping { out: &mut bytes, escapes: Escapes::Controls };
        out.push_byte(b':');
        out.push_bytes(self.name.as_bytes());
        out.push_byte(b' ');
        self.format.render(&self.types, &values, &mut out);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
