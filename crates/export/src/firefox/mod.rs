//! Firefox Profiler's processed profile. Records are markers whose fields are the arguments, and
//! spans are intervals.
//!
//! The file lists each thread's markers together, column by column, so they are collected in
//! temporary files until the end. Times are milliseconds since the first record, as decimal numbers
//! that are exact to the nanosecond.

mod counter;
mod document;
mod schema;
mod stack;
mod thread;

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use ringtrace_tracefile::pair::{Description, SpanEvent, SpanId, Track};
use ringtrace_tracefile::{Entry, SchemaArgument};

use crate::exporter::{ExportTarget, Exporter, Format, OutputKind, TraceEnd, TraceInfo};
use crate::shared::arguments::new_values;
use crate::shared::block_writer::BlockWriter;
use crate::shared::json;
use crate::shared::losses;
use crate::shared::process_ids::ProcessIds;
use crate::shared::span_rows::{Row, SpanRow, each_open, rows, stands_alone};
use crate::shared::spill::SpillStreams;
use crate::shared::stack::stack_frames;
use crate::shared::time_base::{TimeBase, milliseconds};
use crate::shared::value::{TypedValue, named_values};
use counter::Counter;
use schema::{FieldGroup, MarkerSchemas};
use stack::StackTables;
use thread::{Marker, Owner, Thread, Timing};

pub const FORMAT: Format = Format {
    name: "firefox",
    about: "a profile for profiler.firefox.com, with markers that can be searched by their arguments",
    endings: &[".firefox.json", ".profile.json"],
    output: OutputKind::Text,
    needs_order: true,
    has_stacks: true,
    encodes_on_thread: false,
    start: |target, info| Ok(Box::new(Firefox::start(target, info)?)),
};

/// Maximum number of threads with a table of their own. All others share one table, because each
/// table takes memory.
const MAX_THREADS: usize = 10_000;

/// The first categories. The categories of pairs follow.
const CATEGORIES: [(&str, &str); 4] =
    [("Other", "grey"), ("Events", "blue"), ("Dropped events", "red"), ("Recording paused", "orange")];
const EVENTS: usize = 1;
const DROPPED: usize = 2;
const PAUSED: usize = 3;
const COLOURS: [&str; 6] = ["green", "purple", "lightblue", "yellow", "magenta", "brown"];

#[derive(Debug)]
struct Firefox {
    out: BlockWriter,
    spill: SpillStreams,
    info: TraceInfo,
    process_ids: ProcessIds,
    description: Arc<Description>,
    time_base: TimeBase,
    strings: Strings,
    stacks: StackTables,
    schemas: MarkerSchemas,
    /// The schemas of events, by name. An event has several schemas if traces declare it
    /// differently.
    events: HashMap<String, Vec<(Vec<SchemaArgument>, usize)>>,
    pairs: Vec<Option<usize>>,
    dropped: Option<usize>,
    threads: Vec<Thread>,
    owners: HashMap<Owner, usize>,
    counters: HashMap<u32, Counter>,
    data: Vec<u8>,
}

impl Firefox {
    fn start(target: ExportTarget, info: &TraceInfo) -> io::Result<Firefox> {
        let file = target.into_file()?;
        Ok(Firefox {
            out: BlockWriter::new(file),
            spill: SpillStreams::new()?,
            info: info.clone(),
            process_ids: ProcessIds::new(info),
            description: Arc::new(info.description.clone()),
            time_base: TimeBase::default(),
            strings: Strings::default(),
            stacks: StackTables::default(),
            schemas: MarkerSchemas::default(),
            events: HashMap::new(),
            pairs: vec![None; info.description.pairs.len()],
            dropped: None,
            threads: Vec::new(),
            owners: HashMap::new(),
            counters: HashMap::new(),
            data: Vec::new(),
        })
    }

    /// Returns the thread of `entry`, and updates the thread's name.
    fn thread_of(&mut self, entry: &Entry<'_>) -> usize {
        // Records without a thread belong to the first thread of their process.
        let pid = self.process_ids.number(entry);
        let tid = entry.tid().filter(|tid| *tid != entry.pid).unwrap_or(pid);
        let index = self.thread(Owner::Thread { pid, tid });
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
            Owner::Thread { pid, tid } if tid == pid => self.process_name(pid),
            Owner::Thread { tid, .. } => format!("thread {tid}"),
            Owner::Pair { pair, .. } => self.info.description.pairs[pair].name.clone(),
            Owner::Recording { .. } => "recording".to_owned(),
        };
        self.threads.push(Thread::new(owner, name, &mut self.spill));
        self.owners.insert(owner, self.threads.len() - 1);
        self.threads.len() - 1
    }

    /// Returns the name of the process with this number.
    fn process_name(&self, number: u32) -> String {
        let name = self.process_ids.name(number);
        name.map_or_else(|| self.info.process_name(number), str::to_owned)
    }

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

    fn schema_of_pair(&mut self, pair: usize) -> usize {
        *self.pairs[pair].get_or_insert_with(|| self.schemas.add(&self.info.description.pairs[pair].name))
    }

    fn open_data(&mut self, schema: usize) {
        self.data.clear();
        self.data.extend_from_slice(b"{\"type\":");
        json::string(self.schemas.get(schema).name(), &mut self.data);
    }

    fn append(&mut self, schema: usize, group: FieldGroup, name: &str, value: TypedValue<'_>) {
        self.schemas.get(schema).append(group, name, value, &mut self.data);
    }

    fn append_values(&mut self, schema: usize, group: FieldGroup, entry: &Entry<'_>) {
        for (name, value) in named_values(entry) {
            self.append(schema, group, &name, value);
        }
    }

    fn add(&mut self, thread: usize, marker: Marker) -> io::Result<()> {
        self.data.push(b'}');
        self.threads[thread].add(marker, &self.data, &mut self.spill)
    }

    /// Adds the stack of `entry`, if it has one, as a sample of its thread. Returns its index.
    fn sample(&mut self, entry: &Entry<'_>, at_ns: i128) -> io::Result<Option<usize>> {
        let frames = stack_frames(entry, &self.info.finder);
        let Some(stack) = self.stacks.index(&frames, &mut self.strings) else { return Ok(None) };
        let thread = self.thread_of(entry);
        self.threads[thread].sample(stack, at_ns, &mut self.spill)?;
        Ok(Some(stack))
    }

    /// Appends the stack of a marker.
    fn append_stack(&mut self, stack: Option<usize>, at_ns: i128) {
        if let Some(stack) = stack {
            let time = milliseconds(at_ns);
            json::plain(format_args!(",\"cause\":{{\"time\":{time},\"stack\":{stack}}}"), &mut self.data);
        }
    }

    fn instant(&mut self, entry: &Entry<'_>, at_ns: i128, stack: Option<usize>) -> io::Result<()> {
        let thread = self.thread_of(entry);
        let schema = self.schema_of(entry);
        self.open_data(schema);
        self.append_values(schema, FieldGroup::Argument, entry);
        self.append_stack(stack, at_ns);
        let name = self.strings.index(&entry.schema.name);
        self.add(thread, Marker { name, timing: Timing::Instant(at_ns), category: EVENTS })
    }

    /// Adds a span whose outcome became known at `now_ns`.
    fn span(&mut self, span: &SpanRow<'_>, now_ns: i128) -> io::Result<()> {
        let begin = span.begin;
        let pid = self.process_ids.number(begin);
        let thread = self.thread(Owner::Pair { pid, pair: span.id.pair });
        let schema = self.schema_of_pair(span.id.pair);
        self.open_data(schema);
        self.append(schema, FieldGroup::Own, "span", TypedValue::Unsigned(span.id.number));
        let outcome = span.outcome.word();
        self.append(schema, FieldGroup::Own, "outcome", TypedValue::Text(outcome.as_bytes()));
        self.append(schema, FieldGroup::Own, "begin_event", TypedValue::Text(begin.schema.name.as_bytes()));
        self.append_thread(schema, "tid", "thread", begin);
        self.append_values(schema, FieldGroup::Argument, begin);
        let from_ns = self.time_base.relative_ns(begin.timestamp_ns);
        let (name, to_ns) = match span.end {
            Some(end) => {
                let to_ns = self.time_base.relative_ns(end.timestamp_ns).max(from_ns);
                let latency_ns = u64::try_from(to_ns - from_ns).unwrap_or(u64::MAX);
                self.append(schema, FieldGroup::Own, "latency_ns", TypedValue::Unsigned(latency_ns));
                self.append(
                    schema,
                    FieldGroup::Own,
                    "end_event",
                    TypedValue::Text(end.schema.name.as_bytes()),
                );
                self.append_thread(schema, "end_tid", "end_thread", end);
                for (name, value) in new_values(begin, end) {
                    self.append(schema, FieldGroup::End, &name, value);
                }
                (self.strings.index(span.track), to_ns)
            }
            // Give open spans a name of their own, so that they do not count as latencies.
            None => (self.strings.index(&format!("{}, {outcome}", span.track)), now_ns.max(from_ns)),
        };
        let timing = Timing::Interval(from_ns, to_ns);
        self.add(thread, Marker { name, timing, category: CATEGORIES.len() + span.id.pair })
    }

    /// Appends the thread of `entry`, if the trace records threads.
    fn append_thread(&mut self, schema: usize, tid: &str, name: &str, entry: &Entry<'_>) {
        if let Some(number) = entry.tid() {
            self.append(schema, FieldGroup::Own, tid, TypedValue::Unsigned(u64::from(number)));
        }
        if let Some(text) = entry.thread_name() {
            self.append(schema, FieldGroup::Own, name, TypedValue::Text(text.as_bytes()));
        }
    }

    fn step(&mut self, span: SpanId, entry: &Entry<'_>, at_ns: i128, stack: Option<usize>) -> io::Result<()> {
        let pid = self.process_ids.number(entry);
        let thread = self.thread(Owner::Pair { pid, pair: span.pair });
        let schema = self.schema_of(entry);
        self.open_data(schema);
        self.append_values(schema, FieldGroup::Argument, entry);
        self.append(schema, FieldGroup::Own, "span", TypedValue::Unsigned(span.number));
        self.append_stack(stack, at_ns);
        let name = self.strings.index(&entry.schema.name);
        let category = CATEGORIES.len() + span.pair;
        self.add(thread, Marker { name, timing: Timing::Instant(at_ns), category })
    }
}

impl Exporter for Firefox {
    fn event(&mut self, entry: &Entry<'_>, spans: &[SpanEvent<'_>], tracks: &[Track]) -> io::Result<()> {
        let at_ns = self.time_base.time_ns(entry);
        let stack = self.sample(entry, at_ns)?;
        let description = Arc::clone(&self.description);
        for row in rows(&description, entry, spans, tracks) {
            match row {
                Row::Span(span) => self.span(&span, at_ns)?,
                Row::Step { id, .. } => self.step(id, entry, at_ns, stack)?,
                Row::Counter { counter, track, track_name, value } => {
                    let thread = self.thread_of(entry);
                    let spill = &mut self.spill;
                    let counter = self.counters.entry(track).or_insert_with(|| {
                        Counter::new(track_name.to_owned(), counter.to_owned(), thread, entry.pid, spill)
                    });
                    counter.add(at_ns, value, spill)?;
                }
            }
        }
        // The start of a span is exported together with its end.
        if stands_alone(spans) { self.instant(entry, at_ns, stack) } else { Ok(()) }
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        let at_ns = self.time_base.time_ns(entry);
        let thread = self.thread_of(entry);
        let schema = *self.dropped.get_or_insert_with(|| self.schemas.add(CATEGORIES[DROPPED].0));
        self.open_data(schema);
        if let Some(count) = entry.dropped() {
            self.append(schema, FieldGroup::Argument, "dropped", TypedValue::Unsigned(count));
        }
        let cause = losses::cause(entry);
        self.append(schema, FieldGroup::Argument, "cause", TypedValue::Text(cause.as_bytes()));
        let name = self.strings.index(CATEGORIES[DROPPED].0);
        self.add(thread, Marker { name, timing: Timing::Instant(at_ns), category: DROPPED })
    }

    fn finish(mut self: Box<Self>, end: &TraceEnd<'_>) -> io::Result<()> {
        let last_ns = self.time_base.last_ns();
        each_open(end.tracker, |span| self.span(span, last_ns))?;
        self.pauses(end.pauses)?;
        self.write(end)
    }
}

/// Strings that are stored once and referenced by index.
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
