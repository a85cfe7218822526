//! Speedscope's evented profiles: one for each thread, each lane of spans, and each counter.
//!
//! Speedscope supports only frames that are open for a while, such as spans. Frames without a width
//! are invisible. A record, a counter's value or a loss is therefore shown until the next one in
//! its profile. A nested frame contains details, such as arguments, as text.

mod frame;
mod profile;
mod sampled;

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

use ringtrace_tracefile::Entry;
use ringtrace_tracefile::pair::{Description, SpanEvent, SpanId, Track};

use crate::exporter::{ExportTarget, Exporter, Format, OutputKind, TraceEnd, TraceInfo};
use crate::shared::arguments::{Member, new_values};
use crate::shared::block_writer::BlockWriter;
use crate::shared::json;
use crate::shared::losses;
use crate::shared::process_ids::ProcessIds;
use crate::shared::span_rows::{Row, SpanRow, each_open, rows, stands_alone, track_name};
use crate::shared::spill::SpillStreams;
use crate::shared::stack::stack_frames;
use crate::shared::time_base::TimeBase;
use crate::shared::value::{TypedValue, named_values};
use frame::Frames;
use profile::{Owner, Profile};
use sampled::SampledProfile;

pub const FORMAT: Format = Format {
    name: "speedscope",
    about: "flame charts for speedscope.app: profiles for threads and for spans",
    endings: &[".speedscope.json"],
    output: OutputKind::Text,
    needs_order: true,
    has_stacks: true,
    encodes_on_thread: false,
    start: |target, info| Ok(Box::new(Speedscope::start(target, info)?)),
};

/// Maximum number of profiles. When it is reached, all further owners share one profile.
const MAX_PROFILES: usize = 10_000;

#[derive(Debug)]
struct Speedscope {
    out: BlockWriter,
    spill: SpillStreams,
    info: TraceInfo,
    process_ids: ProcessIds,
    description: Arc<Description>,
    time_base: TimeBase,
    frames: Frames,
    profiles: Vec<Profile>,
    owners: HashMap<Owner, usize>,
    /// The profiles of stacks, in the order of their first stacks.
    sampled: Vec<SampledProfile>,
    /// The index of each thread's profile of stacks, by process and thread.
    sampled_threads: HashMap<(u32, Option<u32>), usize>,
}

impl Speedscope {
    fn start(target: ExportTarget, info: &TraceInfo) -> io::Result<Speedscope> {
        let file = target.into_file()?;
        let mut spill = SpillStreams::new()?;
        Ok(Speedscope {
            out: BlockWriter::new(file),
            frames: Frames::new(&mut spill),
            spill,
            info: info.clone(),
            process_ids: ProcessIds::new(info),
            description: Arc::new(info.description.clone()),
            time_base: TimeBase::default(),
            profiles: Vec::new(),
            owners: HashMap::new(),
            sampled: Vec::new(),
            sampled_threads: HashMap::new(),
        })
    }

    fn profile(&mut self, owner: Owner, name: impl FnOnce(&Speedscope) -> String) -> usize {
        if let Some(&index) = self.owners.get(&owner) {
            return index;
        }
        if self.profiles.len() > MAX_PROFILES {
            return MAX_PROFILES;
        }
        let is_shared = self.profiles.len() == MAX_PROFILES;
        let name = if is_shared { "(others)".to_owned() } else { name(self) };
        self.profiles.push(Profile::new(owner, name, is_shared, &mut self.spill));
        self.owners.insert(owner, self.profiles.len() - 1);
        self.profiles.len() - 1
    }

    /// Returns the names of the process and the thread of `entry`. `pid` is the number of the process.
    fn thread_name(&self, pid: u32, entry: &Entry<'_>) -> (String, Option<String>) {
        let thread = entry.tid().map(|tid| match entry.thread_name() {
            None => format!("thread {tid}"),
            Some(name) => format!("{name} ({tid})"),
        });
        let process = self.process_ids.name(pid);
        (process.map_or_else(|| self.info.process_name(pid), str::to_owned), thread)
    }

    fn thread_profile(&mut self, entry: &Entry<'_>) -> usize {
        // Records without a thread belong to the first thread of their process.
        let tid = entry.tid().unwrap_or(entry.pid);
        let pid = self.process_ids.number(entry);
        self.profile(Owner::Thread { pid, tid }, |all| match all.thread_name(pid, entry) {
            (process, None) => format!("{process}: each event lasts until the next"),
            (process, Some(thread)) => format!("{process}: {thread}, each event lasts until the next"),
        })
    }

    /// Adds the stack of `entry`, if it has one, as a sample. Its innermost frame is the event.
    fn sample(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        let frames = stack_frames(entry, &self.info.finder);
        if frames.is_empty() {
            return Ok(());
        }
        let mut indices = Vec::with_capacity(frames.len() + 1);
        for frame in frames.iter().rev() {
            indices.push(self.frames.index_in_stack(frame, &mut self.spill)?);
        }
        indices.push(self.frames.index(&entry.schema.name, &mut self.spill)?);
        let pid = self.process_ids.number(entry);
        let thread = (pid, entry.tid());
        let index = match self.sampled_threads.get(&thread) {
            Some(&index) => index,
            None if self.sampled.len() > MAX_PROFILES => MAX_PROFILES,
            None => {
                let name = match self.thread_name(pid, entry) {
                    _ if self.sampled.len() == MAX_PROFILES => "(others): call stacks".to_owned(),
                    (process, None) => format!("{process}: call stacks"),
                    (process, Some(thread)) => format!("{process}: {thread}, call stacks"),
                };
                self.sampled.push(SampledProfile::new(name, &mut self.spill));
                self.sampled_threads.insert(thread, self.sampled.len() - 1);
                self.sampled.len() - 1
            }
        };
        self.sampled[index].add(&indices, &mut self.spill)
    }

    fn span_profile(&mut self, span: SpanId, track: &str) -> usize {
        self.profile(Owner::Lane { track: span.track, lane: span.lane }, |_| {
            if span.lane == 0 { track.to_owned() } else { format!("{track} ({})", span.lane + 1) }
        })
    }

    /// Opens the frame `name` at `at_ns`, with `about` nested in it.
    fn show(&mut self, profile: usize, at_ns: i128, name: &str, about: &str) -> io::Result<()> {
        let frames = self.frames_of(name, about)?;
        self.profiles[profile].show(frames, at_ns, &mut self.spill)
    }

    fn frames_of(&mut self, name: &str, about: &str) -> io::Result<[u64; 2]> {
        Ok([self.frames.index(name, &mut self.spill)?, self.frames.index(about, &mut self.spill)?])
    }

    /// Adds a span whose outcome became known at `now_ns`.
    fn span(&mut self, span: &SpanRow<'_>, now_ns: i128) -> io::Result<()> {
        let profile = self.span_profile(span.id, span.track);
        let end = match span.end {
            Some(end) => format!(" -> {}", text_with_thread(end, new_values(span.begin, end))),
            None => format!(", {}", span.outcome.word()),
        };
        let begin = text_with_thread(span.begin, named_values(span.begin));
        let frames = self.frames_of(span.pair, &format!("{begin}{end}"))?;
        let from_ns = self.time_base.relative_ns(span.begin.timestamp_ns);
        self.profiles[profile].enclose(frames, from_ns, now_ns, &mut self.spill)
    }

    fn step(&mut self, span: SpanId, track: &str, entry: &Entry<'_>, at_ns: i128) -> io::Result<()> {
        let profile = self.span_profile(span, track);
        let frames = self.frames_of(&entry.schema.name, &text_with_thread(entry, named_values(entry)))?;
        self.profiles[profile].step(frames, at_ns, &mut self.spill)
    }
}

impl Exporter for Speedscope {
    fn event(&mut self, entry: &Entry<'_>, spans: &[SpanEvent<'_>], tracks: &[Track]) -> io::Result<()> {
        let at_ns = self.time_base.time_ns(entry);
        self.sample(entry)?;
        let description = Arc::clone(&self.description);
        for row in rows(&description, entry, spans, tracks) {
            match row {
                Row::Span(span) => self.span(&span, at_ns)?,
                Row::Step { id, .. } => self.step(id, track_name(tracks, id.track), entry, at_ns)?,
                Row::Counter { track, track_name, value, .. } => {
                    let profile = self.profile(Owner::Counter { track }, |_| track_name.to_owned());
                    self.show(profile, at_ns, track_name, &value.to_string())?;
                }
            }
        }
        // The start of a span is exported together with its end.
        if !stands_alone(spans) {
            return Ok(());
        }
        let profile = self.thread_profile(entry);
        self.show(profile, at_ns, &entry.schema.name, &record_text(entry, named_values(entry)))
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        let at_ns = self.time_base.time_ns(entry);
        let profile = self.thread_profile(entry);
        let cause = losses::cause(entry);
        let count = entry.dropped().map_or_else(|| "events".to_owned(), |count| format!("{count} events"));
        self.show(profile, at_ns, "Dropped events", &format!("{count} {cause}"))
    }

    fn finish(mut self: Box<Self>, end: &TraceEnd<'_>) -> io::Result<()> {
        // Give the last records a width.
        let last_ns = self.time_base.last_ns() + 1;
        each_open(end.tracker, |span| self.span(span, last_ns))?;
        for pause in end.pauses {
            let profile = self.profile(Owner::Recording, |_| "recording".to_owned());
            let [from_ns, to_ns] =
                [pause.from_ns, pause.to_ns].map(|ns| ns.map(|ns| self.time_base.relative_ns(ns)));
            let ends = if to_ns.is_none() { " and was not switched on again" } else { "" };
            self.show(
                profile,
                from_ns.unwrap_or(0),
                "Recording paused",
                &format!("Recording was off{ends}"),
            )?;
            self.profiles[profile].close(to_ns.unwrap_or(last_ns), &mut self.spill)?;
        }
        self.write(last_ns)
    }
}

impl Speedscope {
    fn write(mut self, last_ns: i128) -> io::Result<()> {
        if self.profiles.is_empty() {
            // Speedscope rejects a file without profiles.
            self.profile(Owner::Recording, |_| "recording".to_owned());
        }
        let mut text = b"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"ringtrace\",\"name\":".to_vec();
        let moment = self.time_base.moment(self.info.anchor);
        json::string(&format!("{}, from {moment}", self.info.traces.join(", ")), &mut text);
        text.extend_from_slice(b",\"activeProfileIndex\":0,\"shared\":{\"frames\":[");
        self.out.write_all(&text)?;
        self.frames.write(&self.spill, &mut self.out)?;
        self.out.write_all(b"]},\"profiles\":[")?;
        // Sort by owner. Spans come first, because their profiles are the most interesting.
        let mut order: Vec<usize> = (0..self.profiles.len()).collect();
        order.sort_by_key(|&index| self.profiles[index].owner);
        for (place, index) in order.into_iter().enumerate() {
            self.out.write_all(if place > 0 { b",\n" } else { b"\n" })?;
            self.profiles[index].close(last_ns, &mut self.spill)?;
            self.profiles[index].write(last_ns, &self.spill, &mut self.out)?;
        }
        for profile in &self.sampled {
            self.out.write_all(b",\n")?;
            profile.write(&self.spill, &mut self.out)?;
        }
        self.out.write_all(b"]}\n")?;
        self.out.finish().map(drop)
    }
}

/// Returns the text for a record: its event's name, and its values with their names.
fn record_text<'v>(entry: &Entry<'_>, values: impl Iterator<Item = Member<'v>>) -> String {
    let mut text = entry.schema.name.as_bytes().to_vec();
    for (name, value) in values {
        json::plain(format_args!(" {name}="), &mut text);
        match value {
            TypedValue::Signed(number) => json::plain(number, &mut text),
            TypedValue::Unsigned(number) => json::plain(number, &mut text),
            TypedValue::Bool(truth) => json::plain(truth, &mut text),
            TypedValue::Double(bits) => json::plain(format_args!("{:?}", f64::from_bits(bits)), &mut text),
            TypedValue::Pointer(bits) => json::plain(format_args!("{bits:#x}"), &mut text),
            TypedValue::Text(bytes) => json::string(&crate::shared::text::utf8(bytes), &mut text),
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Returns the text for a record with its thread, for frames that are not in the thread's own
/// profile.
fn text_with_thread<'v>(entry: &Entry<'_>, values: impl Iterator<Item = Member<'v>>) -> String {
    let mut text = record_text(entry, values);
    if let Some(tid) = entry.tid() {
        text += &format!(" (thread {tid})");
    }
    text
}
