//! Firefox Profiler's processed profile: records as markers whose fields are the arguments, spans as intervals.
//!
//! The file keeps all markers of a thread together, column by column, so they wait in temporary files. Times are milliseconds from the
//! first record on, in digits that say nanoseconds.

mod counter;
mod document;
mod schema;
mod thread;

use std::collections::HashMap;
use std::io;

use ringtrace_tracefile::metadata::Cause;
use ringtrace_tracefile::pair::{SpanEvent, SpanId, Track};
use ringtrace_tracefile::{Entry, SchemaArgument};

use crate::exporter::{End, Exporter, Format, Place, Setting, Shape};
use crate::origin::Origin;
use crate::sink::Sink;
use crate::span::new_values;
use crate::strand::Strands;
use crate::value::{Typed, named_values};
use counter::Counter;
use schema::{MarkerSchemas, Side};
use thread::{Marker, Owner, Thread, Timing};

/// Firefox Profiler.
pub const FORMAT: Format = Format {
    name: "firefox",
    about: "a profile for profiler.firefox.com: markers that can be searched by their arguments",
    endings: &[".firefox.json", ".profile.json"],
    shape: Shape::Text,
    needs_order: true,
    begin: |place, setting| Ok(Box::new(Firefox::begin(place, setting)?)),
};

/// More threads than this share one table: each has its columns in memory, and nobody looks at so many.
const MAX_THREADS: usize = 10_000;

/// Categories, by their index; those of the pairs follow.
const CATEGORIES: [(&str, &str); 4] =
    [("Other", "grey"), ("Events", "blue"), ("Dropped events", "red"), ("Recording paused", "orange")];
const EVENTS: usize = 1;
const DROPPED: usize = 2;
const PAUSED: usize = 3;

/// The colours of pairs, in turn.
const COLOURS: [&str; 6] = ["green", "purple", "lightblue", "yellow", "magenta", "brown"];

#[derive(Debug)]
struct Firefox {
    sink: Sink,
    strands: Strands,
    setting: Setting,
    origin: Origin,
    strings: Strings,
    schemas: MarkerSchemas,
    /// The schemas of events, by name: several where traces declare them differently.
    events: HashMap<String, Vec<(Vec<SchemaArgument>, usize)>>,
    /// The schema of each pair's spans, and of its steps.
    pairs: Vec<Option<usize>>,
    dropped: Option<usize>,
    threads: Vec<Thread>,
    owners: HashMap<Owner, usize>,
    counters: HashMap<u32, Counter>,
    /// A marker's data, built here.
    data: Vec<u8>,
}

/// How a span is over.
#[derive(Debug, Clone, Copy)]
enum Over<'e> {
    /// By a record.
    Ended(&'e Entry<'e>),
    /// Its end was not seen before the same began again.
    Restarted(i128),
    /// Its end was not seen.
    Open,
}

impl Firefox {
    fn begin(place: Place, setting: &Setting) -> io::Result<Firefox> {
        let Place::File(file) = place else { return Err(io::ErrorKind::IsADirectory.into()) };
        Ok(Firefox {
            sink: Sink::new(file),
            strands: Strands::new()?,
            setting: setting.clone(),
            origin: Origin::default(),
            strings: Strings::default(),
            schemas: MarkerSchemas::default(),
            events: HashMap::new(),
            pairs: vec![None; setting.description.pairs.len()],
            dropped: None,
            threads: Vec::new(),
            owners: HashMap::new(),
            counters: HashMap::new(),
            data: Vec::new(),
        })
    }

    /// The thread of `entry`, by its name as it is now.
    fn thread_of(&mut self, entry: &Entry<'_>) -> usize {
        // A process's own records are its first thread's.
        let tid = entry.tid().unwrap_or(entry.pid);
        let index = self.thread(Owner::Thread { pid: entry.pid, tid });
        if let Some(name) = entry.thread_name()
            && self.threads[index].name != name
            && index < MAX_THREADS
        {
            name.clone_into(&mut self.threads[index].name);
        }
        index
    }

    fn thread(&mut self, owner: Owner) -> usize {
        if let Some(&index) = self.owners.get(&owner) {
            return index;
        }
        if self.threads.len() > MAX_THREADS {
            return MAX_THREADS;
        }
        let name = match owner {
            _ if self.threads.len() == MAX_THREADS => "(other threads)".to_owned(),
            Owner::Thread { pid, tid } if tid == pid => self.setting.process_name(pid),
            Owner::Thread { tid, .. } => format!("thread {tid}"),
            Owner::Pair { pair, .. } => self.setting.description.pairs[pair].name.clone(),
            Owner::Recording { .. } => "recording".to_owned(),
        };
        self.threads.push(Thread::new(owner, name, &mut self.strands));
        self.owners.insert(owner, self.threads.len() - 1);
        self.threads.len() - 1
    }

    /// The schema of an event's markers.
    fn schema_of(&mut self, entry: &Entry<'_>) -> usize {
        let (name, arguments) = (entry.schema.name.as_str(), &entry.schema.arguments);
        if let Some(known) = self.events.get(name)
            && let Some(&(_, index)) = known.iter().find(|(those, _)| those == arguments)
        {
            return index;
        }
        let schema = self.schemas.add(name);
        self.events.entry(name.to_owned()).or_default().push((arguments.clone(), schema));
        schema
    }

    /// The schema of a pair's spans.
    fn schema_of_pair(&mut self, pair: usize) -> usize {
        *self.pairs[pair].get_or_insert_with(|| self.schemas.add(&self.setting.description.pairs[pair].name))
    }

    /// Begins a marker's data.
    fn open_data(&mut self, schema: usize) {
        self.data.clear();
        self.data.extend_from_slice(b"{\"type\":");
        crate::json::string(self.schemas.get(schema).name(), &mut self.data);
    }

    fn append(&mut self, schema: usize, side: Side, name: &str, value: Typed<'_>) {
        self.schemas.get(schema).append(side, name, value, &mut self.data);
    }

    fn append_values(&mut self, schema: usize, side: Side, entry: &Entry<'_>) {
        for (name, value) in named_values(entry) {
            self.append(schema, side, &name, value);
        }
    }

    /// Adds a marker with the data that was built.
    fn add(&mut self, thread: usize, marker: Marker) -> io::Result<()> {
        self.data.push(b'}');
        self.threads[thread].add(marker, &self.data, &mut self.strands)
    }

    /// An event that is no part of a span.
    fn instant(&mut self, entry: &Entry<'_>, at_ns: i128) -> io::Result<()> {
        let thread = self.thread_of(entry);
        let schema = self.schema_of(entry);
        self.open_data(schema);
        self.append_values(schema, Side::Argument, entry);
        let name = self.strings.index(&entry.schema.name);
        self.add(thread, Marker { name, timing: Timing::Instant(at_ns), category: EVENTS })
    }

    /// A span, when nothing more will be known of it.
    fn span(&mut self, span: SpanId, begin: &Entry<'_>, over: Over<'_>, tracks: &[Track]) -> io::Result<()> {
        let thread = self.thread(Owner::Pair { pid: begin.pid, pair: span.pair });
        let schema = self.schema_of_pair(span.pair);
        self.open_data(schema);
        self.append(schema, Side::Own, "span", Typed::Unsigned(span.number));
        let outcome = match over {
            Over::Ended(_) => "ended",
            Over::Restarted(_) => "restarted",
            Over::Open => "open",
        };
        self.append(schema, Side::Own, "outcome", Typed::Text(outcome.as_bytes()));
        self.append(schema, Side::Own, "begin_event", Typed::Text(begin.schema.name.as_bytes()));
        self.append_thread(schema, "tid", "thread", begin);
        self.append_values(schema, Side::Argument, begin);
        let from_ns = self.origin.relative_ns(begin.timestamp_ns);
        let name = track_name(tracks, span.track);
        let (name, timing) = match over {
            Over::Ended(end) => {
                let to_ns = self.origin.relative_ns(end.timestamp_ns).max(from_ns);
                let latency_ns = u64::try_from(to_ns - from_ns).unwrap_or(u64::MAX);
                self.append(schema, Side::Own, "latency_ns", Typed::Unsigned(latency_ns));
                self.append(schema, Side::Own, "end_event", Typed::Text(end.schema.name.as_bytes()));
                self.append_thread(schema, "end_tid", "end_thread", end);
                for (name, value) in new_values(begin, end) {
                    self.append(schema, Side::End, &name, value);
                }
                (self.strings.index(name), Timing::Interval(from_ns, to_ns))
            }
            // Apart from the others, or they would count among their latencies.
            Over::Restarted(to_ns) => {
                let name = self.strings.index(&format!("{name}, {outcome}"));
                (name, Timing::Interval(from_ns, to_ns.max(from_ns)))
            }
            Over::Open => {
                let name = self.strings.index(&format!("{name}, {outcome}"));
                (name, Timing::Interval(from_ns, self.origin.last_ns().max(from_ns)))
            }
        };
        self.add(thread, Marker { name, timing, category: CATEGORIES.len() + span.pair })
    }

    /// Appends in which thread `entry` was, as far as the trace tells.
    fn append_thread(&mut self, schema: usize, tid: &str, name: &str, entry: &Entry<'_>) {
        if let Some(number) = entry.tid() {
            self.append(schema, Side::Own, tid, Typed::Unsigned(u64::from(number)));
        }
        if let Some(text) = entry.thread_name() {
            self.append(schema, Side::Own, name, Typed::Text(text.as_bytes()));
        }
    }

    fn step(&mut self, span: SpanId, entry: &Entry<'_>, at_ns: i128) -> io::Result<()> {
        let thread = self.thread(Owner::Pair { pid: entry.pid, pair: span.pair });
        let schema = self.schema_of(entry);
        self.open_data(schema);
        self.append_values(schema, Side::Argument, entry);
        self.append(schema, Side::Own, "span", Typed::Unsigned(span.number));
        let name = self.strings.index(&entry.schema.name);
        let category = CATEGORIES.len() + span.pair;
        self.add(thread, Marker { name, timing: Timing::Instant(at_ns), category })
    }

    fn sample(
        &mut self,
        counter: usize,
        track: u32,
        value: i128,
        entry: &Entry<'_>,
        at_ns: i128,
        tracks: &[Track],
    ) -> io::Result<()> {
        let thread = self.thread_of(entry);
        let strands = &mut self.strands;
        let counter = self.counters.entry(track).or_insert_with(|| {
            let description = self.setting.description.counters[counter].name.clone();
            Counter::new(track_name(tracks, track).to_owned(), description, thread, entry.pid, strands)
        });
        counter.add(at_ns, value, strands)
    }
}

impl Exporter for Firefox {
    fn event(&mut self, entry: &Entry<'_>, meanings: &[SpanEvent<'_>], tracks: &[Track]) -> io::Result<()> {
        let at_ns = self.origin.time_ns(entry);
        let mut is_part_of_a_span = false;
        for meaning in meanings {
            match meaning {
                // It is shown when its end is known.
                SpanEvent::Begin(_) => {}
                SpanEvent::End { span, begin } => self.span(*span, begin, Over::Ended(entry), tracks)?,
                SpanEvent::Restarted { span, begin } => {
                    self.span(*span, begin, Over::Restarted(at_ns), tracks)?;
                }
                SpanEvent::Step(span) => self.step(*span, entry, at_ns)?,
                &SpanEvent::Counter { counter, track, value } => {
                    self.sample(counter, track, value, entry, at_ns, tracks)?;
                    continue;
                }
            }
            is_part_of_a_span = true;
        }
        if is_part_of_a_span { Ok(()) } else { self.instant(entry, at_ns) }
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        let at_ns = self.origin.time_ns(entry);
        let thread = self.thread_of(entry);
        let schema = *self.dropped.get_or_insert_with(|| self.schemas.add(CATEGORIES[DROPPED].0));
        self.open_data(schema);
        if let Some(count) = entry.dropped() {
            self.append(schema, Side::Argument, "dropped", Typed::Unsigned(count));
        }
        let cause = entry.lost.map_or(Cause::Dropped, |lost| lost.cause);
        self.append(schema, Side::Argument, "cause", Typed::Text(cause.word().as_bytes()));
        let name = self.strings.index(CATEGORIES[DROPPED].0);
        self.add(thread, Marker { name, timing: Timing::Instant(at_ns), category: DROPPED })
    }

    fn finish(mut self: Box<Self>, end: &End<'_>) -> io::Result<()> {
        for (span, begin) in end.meanings.open() {
            self.span(span, &begin, Over::Open, end.meanings.tracks())?;
        }
        self.pauses(end.pauses)?;
        self.write(end)
    }
}

fn track_name(tracks: &[Track], track: u32) -> &str {
    tracks.get(track as usize).map_or("", |track| &track.name)
}

/// Texts that stand in the file once, and are named by their number.
#[derive(Debug, Default)]
struct Strings {
    texts: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Strings {
    fn index(&mut self, text: &str) -> usize {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), self.texts.len() - 1);
        self.texts.len() - 1
    }
}
