//! Perfetto's own format: a stream of protobuf packets, for its page and its trace processor.
//!
//! `docs/perfetto.md` tells users what becomes of what.

mod field;
mod lanes;
mod names;
mod protobuf;
mod tracks;

use std::collections::HashMap;
use std::io;

use ringtrace_tracefile::Entry;
use ringtrace_tracefile::metadata::{Anchor, Cause};
use ringtrace_tracefile::pair::{Description, Meaning, Track};

use crate::exporter::{End, Exporter, Format, Place, Setting, Shape};
use crate::sink::Sink;
use crate::text::utf8;
use crate::value::{Typed, named_values};
use field::{argument, clock_snapshot, defaults, event, packet, trace};
use lanes::Lanes;
use names::{Kind, Names};
use protobuf::{Message, push_varint};
use tracks::{Tell, Tracks, Uuid};

pub(crate) const FORMAT: Format = Format {
    name: "perfetto",
    about: "Perfetto's own: its page shows tracks and slices, its trace processor answers SQL",
    endings: &[".pftrace", ".perfetto-trace", ".perfetto"],
    shape: Shape::Stream,
    needs_order: false,
    begin: |place, setting| Ok(Box::new(Perfetto::begin(place, setting)?)),
};

/// All packets are of one sequence: what is interned counts for all.
const SEQUENCE: u64 = 1;

/// Perfetto's times have a sign.
const LAST_NS: u64 = i64::MAX as u64;

const DROPPED_TRACK: &str = "Dropped events";
const PAUSES_TRACK: &str = "Recording off";

struct Perfetto {
    out: Packets,
    names: Names,
    /// By the schema's index.
    plans: Vec<Option<Plan>>,
    tracks: Tracks,
    lanes: Lanes,
    processes: HashMap<u32, String>,
    description: Description,
}

/// What is the same in all records of an event.
struct Plan {
    name: u64,
    arguments: Box<[u64]>,
}

/// Where packets go.
struct Packets {
    sink: Sink,
    packet: Message,
    failed: Option<io::Error>,
}

impl Packets {
    /// Writes the packet that `encode` encodes. What goes wrong is told by [`Packets::check`].
    fn write(&mut self, encode: impl FnOnce(&mut Message)) {
        self.packet.clear();
        self.packet.uint(packet::SEQUENCE, SEQUENCE);
        encode(&mut self.packet);
        let out = self.sink.bytes();
        push_varint(u64::from(trace::PACKET) << 3 | 2, out);
        push_varint(self.packet.as_bytes().len() as u64, out);
        out.extend_from_slice(self.packet.as_bytes());
        if let Err(error) = self.sink.settle() {
            self.failed.get_or_insert(error);
        }
    }

    /// Writes an event on `track`, with the fields that `encode` encodes.
    fn write_event(
        &mut self,
        timestamp_ns: u64,
        kind: u64,
        track: Uuid,
        names: &mut Names,
        encode: impl FnOnce(&mut Message, &mut Names),
    ) {
        self.write(|packet| {
            packet.uint(packet::SEQUENCE_FLAGS, packet::STATE_NEEDED);
            packet.uint(packet::TIMESTAMP, timestamp_ns.min(LAST_NS));
            packet.message(packet::TRACK_EVENT, |message| {
                message.uint(event::TYPE, kind);
                message.uint(event::TRACK, track);
                encode(message, names);
                if timestamp_ns > LAST_NS {
                    push_uint(message, names.number(Kind::ArgumentName, "time_ns"), timestamp_ns);
                }
            });
            names.tell(packet);
        });
    }

    fn check(&mut self) -> io::Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }
}

impl Tell for Packets {
    fn tell(&mut self, encode: impl FnOnce(&mut Message)) {
        self.write(|packet| packet.message(packet::TRACK_DESCRIPTOR, encode));
    }
}

impl Perfetto {
    fn begin(place: Place, setting: &Setting) -> io::Result<Perfetto> {
        let Place::File(file) = place else {
            return Err(io::Error::other("a file was expected"));
        };
        let mut out = Packets { sink: Sink::new(file), packet: Message::default(), failed: None };
        out.write(|packet| {
            packet.uint(packet::SEQUENCE_FLAGS, packet::STATE_CLEARED);
            packet.message(packet::DEFAULTS, |all| {
                all.uint(defaults::TIMESTAMP_CLOCK, clock_snapshot::MONOTONIC);
            });
        });
        out.write(|packet| {
            packet.message(packet::CLOCK_SNAPSHOT, |snapshot| encode_clocks(setting.anchor, snapshot));
        });
        out.check()?;
        Ok(Perfetto {
            out,
            names: Names::default(),
            plans: Vec::new(),
            tracks: Tracks::default(),
            lanes: Lanes::default(),
            processes: setting.processes.iter().cloned().collect(),
            description: setting.description.clone(),
        })
    }

    fn plan(&mut self, entry: &Entry<'_>) {
        let index = entry.schema_index as usize;
        if self.plans.len() <= index {
            self.plans.resize_with(index + 1, || None);
        }
        if self.plans[index].is_none() {
            let names = &mut self.names;
            let arguments = entry.schema.arguments.iter();
            self.plans[index] = Some(Plan {
                name: names.number(Kind::EventName, &entry.schema.name),
                arguments: arguments
                    .map(|argument| names.number(Kind::ArgumentName, &argument.name))
                    .collect(),
            });
        }
    }

    /// An event that stands for itself.
    fn instant(&mut self, entry: &Entry<'_>) {
        self.plan(entry);
        let track = self.tracks.of(entry, &self.processes, &mut self.out);
        let Some(Some(plan)) = self.plans.get(entry.schema_index as usize) else { return };
        self.out.write_event(entry.timestamp_ns, event::INSTANT, track, &mut self.names, |message, names| {
            message.uint(event::NAME_ID, plan.name);
            push_arguments(message, names, plan, entry);
        });
    }
}

impl Exporter for Perfetto {
    fn event(&mut self, entry: &Entry<'_>, meanings: &[Meaning<'_>], tracks: &[Track]) -> io::Result<()> {
        let _ = (meanings, tracks, &self.description, &self.lanes);
        self.instant(entry);
        self.out.check()
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.plan(entry);
        let description = "Events that happened and are not in the trace.";
        let track = self.tracks.apart(DROPPED_TRACK, 0, description, &mut self.out);
        let Some(Some(plan)) = self.plans.get(entry.schema_index as usize) else { return Ok(()) };
        let cause = entry.lost.map_or(Cause::Dropped, |lost| lost.cause).word();
        let name = match entry.dropped() {
            Some(count) => format!("{count} {cause}"),
            None => format!("some {cause}"),
        };
        self.out.write_event(entry.timestamp_ns, event::INSTANT, track, &mut self.names, |message, names| {
            message.text(event::NAME, &name);
            message.uint(event::CATEGORY_ID, names.number(Kind::Category, &entry.schema.name));
            push_arguments(message, names, plan, entry);
            push_text(message, names.number(Kind::ArgumentName, "cause"), cause);
            if entry.version.info().has_pid {
                push_uint(message, names.number(Kind::ArgumentName, "pid"), u64::from(entry.pid));
            }
            if let Some(tid) = entry.tid() {
                push_uint(message, names.number(Kind::ArgumentName, "tid"), u64::from(tid));
            }
            if let Some(thread) = entry.thread_name() {
                push_text(message, names.number(Kind::ArgumentName, "thread"), thread);
            }
        });
        self.out.check()
    }

    fn finish(mut self: Box<Self>, end: &End<'_>) -> io::Result<()> {
        let _ = (end, PAUSES_TRACK);
        self.out.check()?;
        self.out.sink.finish().map(drop)
    }
}

/// The trace's clock, and the wall clock at the same moment where that is known.
fn encode_clocks(anchor: Option<Anchor>, snapshot: &mut Message) {
    let mut clock = |id: u64, timestamp_ns: u64| {
        snapshot.message(clock_snapshot::CLOCK, |clock| {
            clock.uint(clock_snapshot::CLOCK_ID, id);
            clock.uint(clock_snapshot::CLOCK_TIMESTAMP, timestamp_ns);
        });
    };
    clock(clock_snapshot::MONOTONIC, anchor.map_or(0, |anchor| anchor.monotonic_ns.min(LAST_NS)));
    if let Some(realtime_ns) = anchor.and_then(|anchor| u64::try_from(anchor.realtime_ns).ok())
        && realtime_ns <= LAST_NS
    {
        clock(clock_snapshot::REALTIME, realtime_ns);
    }
    snapshot.uint(clock_snapshot::PRIMARY, clock_snapshot::MONOTONIC);
}

fn push_arguments(message: &mut Message, names: &mut Names, plan: &Plan, entry: &Entry<'_>) {
    for (index, (name, value)) in named_values(entry).enumerate() {
        let number = plan.arguments.get(index).copied();
        push_value(message, number.unwrap_or_else(|| names.number(Kind::ArgumentName, &name)), value);
    }
}

fn push_value(message: &mut Message, name: u64, value: Typed<'_>) {
    message.message(event::ARGUMENT, |message| {
        message.uint(argument::NAME_ID, name);
        match value {
            Typed::Signed(number) => message.int(argument::INT, number),
            Typed::Unsigned(number) => message.uint(argument::UINT, number),
            Typed::Bool(is_true) => message.uint(argument::BOOL, u64::from(is_true)),
            Typed::Pointer(bits) => message.uint(argument::POINTER, bits),
            Typed::Text(bytes) => message.text(argument::STRING, &utf8(bytes)),
        }
    });
}

fn push_uint(message: &mut Message, name: u64, value: u64) {
    message.message(event::ARGUMENT, |message| {
        message.uint(argument::NAME_ID, name);
        message.uint(argument::UINT, value);
    });
}

fn push_text(message: &mut Message, name: u64, text: &str) {
    message.message(event::ARGUMENT, |message| {
        message.uint(argument::NAME_ID, name);
        message.text(argument::STRING, text);
    });
}
