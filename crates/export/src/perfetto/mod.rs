//! Perfetto's own format: a stream of protobuf packets, for its page and its trace processor.
//!
//! `docs/perfetto.md` tells users what becomes of what.

mod field;
mod lanes;
mod missing;
mod names;
mod packets;
mod protobuf;
mod quick;
mod spans;
mod tracks;
mod values;

use std::collections::HashMap;
use std::io;

use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::pair::{Description, SpanEvent, Track};
use ringtrace_tracefile::{Entry, OrdinaryRecords};

use crate::exporter::{End, Exporter, Format, Place, Setting, Shape};
use field::{clock_snapshot, defaults, event, packet};
use lanes::Lanes;
use names::{Kind, Names};
use packets::{Happening, LAST_NS, Packets};
use protobuf::Message;
use quick::{Quick, QuickPlan};
use tracks::Tracks;
use values::push_arguments;

pub(crate) const FORMAT: Format = Format {
    name: "perfetto",
    about: "Perfetto's own: its page shows tracks and slices, its trace processor answers SQL",
    endings: &[".pftrace", ".perfetto-trace", ".perfetto"],
    shape: Shape::Stream,
    needs_order: false,
    begin: |place, setting| Ok(Box::new(Perfetto::begin(place, setting)?)),
};

struct Perfetto {
    out: Packets,
    names: Names,
    /// By the schema's index.
    plans: Vec<Option<Plan>>,
    tracks: Tracks,
    lanes: Lanes,
    quick: Quick,
    processes: HashMap<u32, String>,
    description: Description,
    /// The time of the last record that went the usual way.
    last_ns: u64,
}

/// What is the same in all records of an event.
struct Plan {
    name: u64,
    arguments: Box<[u64]>,
}

impl Perfetto {
    fn begin(place: Place, setting: &Setting) -> io::Result<Perfetto> {
        let Place::File(file) = place else {
            return Err(io::Error::other("a file was expected"));
        };
        let mut out = Packets::new(file);
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
            quick: Quick::default(),
            processes: setting.processes.iter().cloned().collect(),
            description: setting.description.clone(),
            last_ns: 0,
        })
    }

    fn plan(&mut self, entry: &Entry<'_>) {
        let index = entry.schema_index as usize;
        if self.plans.len() <= index {
            self.plans.resize_with(index + 1, || None);
        }
        if self.plans[index].is_none() {
            let names = &mut self.names;
            let name = names.number(Kind::EventName, &entry.schema.name);
            let arguments = entry.schema.arguments.iter();
            let arguments: Box<[u64]> =
                arguments.map(|argument| names.number(Kind::ArgumentName, &argument.name)).collect();
            self.quick.plan(entry.schema_index, QuickPlan::new(entry, name, &arguments));
            self.plans[index] = Some(Plan { name, arguments });
        }
    }

    /// An event that stands for itself.
    fn instant(&mut self, entry: &Entry<'_>) {
        let track = self.tracks.of(entry, &self.processes, &mut self.out);
        self.quick.place(entry, track);
        let Some(Some(plan)) = self.plans.get(entry.schema_index as usize) else { return };
        self.out.write_event(
            Happening::Instant,
            entry.timestamp_ns,
            track,
            &mut self.names,
            |message, names| {
                message.uint(event::NAME_ID, plan.name);
                push_arguments(message, names, &plan.arguments, entry);
            },
        );
    }
}

impl Exporter for Perfetto {
    fn event(&mut self, entry: &Entry<'_>, meanings: &[SpanEvent<'_>], tracks: &[Track]) -> io::Result<()> {
        self.plan(entry);
        self.last_ns = entry.timestamp_ns;
        for meaning in meanings {
            self.show(entry, meaning, tracks);
        }
        // A counter shows one of the record's values; all others show the record.
        if meanings.iter().all(|meaning| matches!(meaning, SpanEvent::Counter { .. })) {
            self.instant(entry);
        }
        self.out.check()
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.plan(entry);
        self.show_dropped(entry);
        self.out.check()
    }

    fn quick(&mut self, records: &mut OrdinaryRecords<'_>) -> io::Result<()> {
        self.write_quick(records)
    }

    fn finish(mut self: Box<Self>, end: &End<'_>) -> io::Result<()> {
        self.show_pauses(end.pauses);
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
