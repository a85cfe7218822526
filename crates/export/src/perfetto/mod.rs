//! Perfetto's native format: a stream of protobuf packets, for its web UI and its trace processor.
//!
//! `docs/perfetto.md` describes the output.

mod fast_path;
mod field;
mod interned;
mod lanes;
mod losses;
mod packets;
mod protobuf;
mod spans;
mod stacks;
mod tracks;
mod values;

use std::io;

use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::pair::{Description, SpanEvent, Track};
use ringtrace_tracefile::text::stack::Finder;
use ringtrace_tracefile::{Entry, OrdinaryRecords};

use crate::exporter::{ExportTarget, Exporter, Format, OutputKind, TraceEnd, TraceInfo};
use crate::shared::record_types::slot;
use crate::shared::span_rows::stands_alone;
use fast_path::{FastEvent, FastPath};
use field::{clock_snapshot, defaults, event, packet};
use lanes::Lanes;
use packets::{EventType, LAST_NS, Packets};
use protobuf::Message;
use stacks::Stacks;
use tracks::Tracks;
use values::{push_arguments, push_stack};

pub(crate) const FORMAT: Format = Format {
    name: "perfetto",
    about: "Perfetto's native format: tracks in the Perfetto UI, SQL in its trace processor",
    endings: &[".pftrace", ".perfetto-trace", ".perfetto"],
    output: OutputKind::Stream,
    needs_order: false,
    has_stacks: true,
    encodes_on_thread: false,
    start: |target, info| Ok(Box::new(Perfetto::start(target, info)?)),
};

struct Perfetto {
    out: Packets,
    /// The events' plans, by schema index.
    plans: Vec<Option<EventPlan>>,
    tracks: Tracks,
    lanes: Lanes,
    stacks: Stacks,
    fast_path: FastPath,
    description: Description,
    finder: Finder,
    /// The time of the last record on the slow path.
    last_ns: u64,
}

struct EventPlan {
    name: u64,
    arguments: Box<[u64]>,
}

impl Perfetto {
    fn start(target: ExportTarget, info: &TraceInfo) -> io::Result<Perfetto> {
        let file = target.into_file()?;
        let mut out = Packets::new(file);
        out.write(|packet, _| {
            packet.uint(packet::SEQUENCE_FLAGS, packet::STATE_CLEARED);
            packet.message(packet::DEFAULTS, |all| {
                all.uint(defaults::TIMESTAMP_CLOCK, clock_snapshot::MONOTONIC);
            });
        });
        out.write(|packet, _| {
            packet.message(packet::CLOCK_SNAPSHOT, |snapshot| encode_clocks(info.anchor, snapshot));
        });
        out.check()?;
        Ok(Perfetto {
            out,
            plans: Vec::new(),
            tracks: Tracks::new(info),
            lanes: Lanes::default(),
            stacks: Stacks::default(),
            fast_path: FastPath::default(),
            description: info.description.clone(),
            finder: info.finder.clone(),
            last_ns: 0,
        })
    }

    fn plan(&mut self, entry: &Entry<'_>) {
        let plan = slot(&mut self.plans, entry.schema_index as usize);
        if plan.is_none() {
            let names = &mut self.out.names;
            let name = names.event(&entry.schema.name);
            let arguments = entry.schema.arguments.iter();
            let arguments: Box<[u64]> = arguments.map(|argument| names.argument(&argument.name)).collect();
            self.fast_path.plan(entry.schema_index, FastEvent::new(entry, name, &arguments));
            *plan = Some(EventPlan { name, arguments });
        }
    }

    fn instant(&mut self, entry: &Entry<'_>) {
        let track = self.tracks.of(entry, &mut self.out);
        self.fast_path.add_thread(entry, track);
        let Some(Some(plan)) = self.plans.get(entry.schema_index as usize) else { return };
        self.out.write_event(EventType::Instant, entry.timestamp_ns, track, |message, names| {
            message.uint(event::NAME_ID, plan.name);
            push_arguments(message, names, &plan.arguments, entry);
            push_stack(message, names, entry, &self.finder);
        });
    }
}

impl Exporter for Perfetto {
    fn event(&mut self, entry: &Entry<'_>, spans: &[SpanEvent<'_>], tracks: &[Track]) -> io::Result<()> {
        self.plan(entry);
        self.last_ns = entry.timestamp_ns;
        for span_event in spans {
            self.show(entry, span_event, tracks);
        }
        if stands_alone(spans) {
            self.instant(entry);
        }
        self.out.check()
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.plan(entry);
        self.show_dropped(entry);
        self.out.check()
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> io::Result<()> {
        self.write_fast(records)
    }

    fn finish(mut self: Box<Self>, end: &TraceEnd<'_>) -> io::Result<()> {
        self.show_pauses(end.pauses);
        self.out.check()?;
        self.out.sink.finish().map(drop)
    }
}

/// Encodes the trace's clock, and the wall clock at the same moment, if it is known.
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
