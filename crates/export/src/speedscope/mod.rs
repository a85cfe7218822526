//! Speedscope's evented profiles: one for each thread, each lane of spans, each counter.
//!
//! Speedscope knows nothing but frames that are open for a while. A span is one. A record, a counter's value, something that was dropped is
//! shown until the next one of its kind: there are no frames without a width to be seen. What a frame is about is the frame within it: its
//! arguments, as text.

mod frame;
mod line;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use ringtrace_tracefile::Entry;
use ringtrace_tracefile::metadata::Cause;
use ringtrace_tracefile::pair::{SpanEvent, SpanId, Track};

use crate::exporter::{End, Exporter, Format, Place, Setting, Shape};
use crate::json;
use crate::origin::Origin;
use crate::sink::Sink;
use crate::span::new_values;
use crate::strand::Strands;
use crate::value::{Typed, named_values};
use frame::Frames;
use line::{Line, Owner};

/// Speedscope.
pub const FORMAT: Format = Format {
    name: "speedscope",
    about: "flame charts for speedscope.app: a profile for each thread, and for spans",
    endings: &[".speedscope.json"],
    shape: Shape::Text,
    needs_order: true,
    begin: |place, setting| Ok(Box::new(Speedscope::begin(place, setting)?)),
};

/// More profiles than this share one: nobody looks at so many.
const MAX_LINES: usize = 10_000;

#[derive(Debug)]
struct Speedscope {
    sink: Sink,
    strands: Strands,
    setting: Setting,
    origin: Origin,
    frames: Frames,
    lines: Vec<Line>,
    owners: HashMap<Owner, usize>,
}

impl Speedscope {
    fn begin(place: Place, setting: &Setting) -> io::Result<Speedscope> {
        let Place::File(file) = place else { return Err(io::ErrorKind::IsADirectory.into()) };
        let mut strands = Strands::new()?;
        Ok(Speedscope {
            sink: Sink::new(file),
            frames: Frames::new(&mut strands),
            strands,
            setting: setting.clone(),
            origin: Origin::default(),
            lines: Vec::new(),
            owners: HashMap::new(),
        })
    }

    fn line(&mut self, owner: Owner, name: impl FnOnce(&Setting) -> String) -> usize {
        if let Some(&index) = self.owners.get(&owner) {
            return index;
        }
        if self.lines.len() > MAX_LINES {
            return MAX_LINES;
        }
        let is_shared = self.lines.len() == MAX_LINES;
        let name = if is_shared { "(others)".to_owned() } else { name(&self.setting) };
        self.lines.push(Line::new(owner, name, is_shared, &mut self.strands));
        self.owners.insert(owner, self.lines.len() - 1);
        self.lines.len() - 1
    }

    fn line_of_thread(&mut self, entry: &Entry<'_>) -> usize {
        // A process's own records are its first thread's.
        let tid = entry.tid().unwrap_or(entry.pid);
        self.line(Owner::Thread { pid: entry.pid, tid }, |setting| {
            let process = setting.process_name(entry.pid);
            match (entry.tid(), entry.thread_name()) {
                (None, _) => format!("{process}: each event until the next"),
                (Some(tid), None) => format!("{process}: thread {tid}, each event until the next"),
                (Some(tid), Some(name)) => format!("{process}: {name} ({tid}), each event until the next"),
            }
        })
    }

    fn line_of_span(&mut self, span: SpanId, tracks: &[Track]) -> usize {
        self.line(Owner::Lane { track: span.track, lane: span.lane }, |_| {
            let name = tracks.get(span.track as usize).map_or("", |track| &track.name);
            if span.lane == 0 { name.to_owned() } else { format!("{name} ({})", span.lane + 1) }
        })
    }

    /// Shows `name`, and within it `about`, from now on.
    fn show(&mut self, line: usize, at_ns: i128, name: &str, about: &str) -> io::Result<()> {
        let frames = self.frames_of(name, about)?;
        self.lines[line].show(frames, at_ns, &mut self.strands)
    }

    fn frames_of(&mut self, name: &str, about: &str) -> io::Result<[u64; 2]> {
        Ok([self.frames.index(name, &mut self.strands)?, self.frames.index(about, &mut self.strands)?])
    }

    /// A span, when nothing more will be known of it: what it is about is its begin and, as `how` says it, its end.
    fn span(
        &mut self,
        span: SpanId,
        begin: &Entry<'_>,
        how: &str,
        to_ns: i128,
        tracks: &[Track],
    ) -> io::Result<()> {
        let line = self.line_of_span(span, tracks);
        let name = self.setting.description.pairs[span.pair].name.clone();
        let frames =
            self.frames_of(&name, &format!("{}{how}", text_with_thread(begin, named_values(begin))))?;
        let from_ns = self.origin.relative_ns(begin.timestamp_ns);
        self.lines[line].enclose(frames, from_ns, to_ns, &mut self.strands)
    }

    fn step(&mut self, span: SpanId, entry: &Entry<'_>, at_ns: i128, tracks: &[Track]) -> io::Result<()> {
        let line = self.line_of_span(span, tracks);
        let frames = self.frames_of(&entry.schema.name, &text_with_thread(entry, named_values(entry)))?;
        self.lines[line].step(frames, at_ns, &mut self.strands)
    }
}

impl Exporter for Speedscope {
    fn event(&mut self, entry: &Entry<'_>, meanings: &[SpanEvent<'_>], tracks: &[Track]) -> io::Result<()> {
        let at_ns = self.origin.time_ns(entry);
        let mut is_part_of_a_span = false;
        for meaning in meanings {
            match meaning {
                // It is shown when its end is known.
                SpanEvent::Begin(_) => {}
                SpanEvent::End { span, begin } => {
                    let how = format!(" -> {}", text_with_thread(entry, new_values(begin, entry)));
                    self.span(*span, begin, &how, at_ns, tracks)?;
                }
                SpanEvent::Restarted { span, begin } => {
                    self.span(*span, begin, ", restarted", at_ns, tracks)?;
                }
                SpanEvent::Step(span) => self.step(*span, entry, at_ns, tracks)?,
                &SpanEvent::Counter { track, value, .. } => {
                    let name = tracks.get(track as usize).map_or("", |track| &track.name);
                    let line = self.line(Owner::Counter { track }, |_| name.to_owned());
                    self.show(line, at_ns, name, &value.to_string())?;
                    continue;
                }
            }
            is_part_of_a_span = true;
        }
        if is_part_of_a_span {
            return Ok(());
        }
        let line = self.line_of_thread(entry);
        self.show(line, at_ns, &entry.schema.name, &record_text(entry, named_values(entry)))
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        let at_ns = self.origin.time_ns(entry);
        let line = self.line_of_thread(entry);
        let cause = entry.lost.map_or(Cause::Dropped, |lost| lost.cause).word();
        let count = entry.dropped().map_or_else(|| "events".to_owned(), |count| format!("{count} events"));
        self.show(line, at_ns, "Dropped events", &format!("{count} {cause}"))
    }

    fn finish(mut self: Box<Self>, end: &End<'_>) -> io::Result<()> {
        // The last records are to be seen, too.
        let last_ns = self.origin.last_ns() + 1;
        for (span, begin) in end.meanings.open() {
            self.span(span, &begin, ", open", last_ns, end.meanings.tracks())?;
        }
        for pause in end.pauses {
            let line = self.line(Owner::Recording, |_| "recording".to_owned());
            let [from_ns, to_ns] =
                [pause.from_ns, pause.to_ns].map(|ns| ns.map(|ns| self.origin.relative_ns(ns)));
            let ends = if to_ns.is_none() { ", not switched on again" } else { "" };
            self.show(line, from_ns.unwrap_or(0), "Recording paused", &format!("Recording was off{ends}"))?;
            self.lines[line].close(to_ns.unwrap_or(last_ns), &mut self.strands)?;
        }
        self.write(last_ns)
    }
}

impl Speedscope {
    fn write(mut self, last_ns: i128) -> io::Result<()> {
        if self.lines.is_empty() {
            // Speedscope takes none for a file that is broken.
            self.line(Owner::Recording, |_| "recording".to_owned());
        }
        let mut text = b"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"ringtrace\",\"name\":".to_vec();
        let moment = self.origin.moment(self.setting.anchor);
        json::string(&format!("{}, from {moment}", self.setting.traces.join(", ")), &mut text);
        text.extend_from_slice(b",\"activeProfileIndex\":0,\"shared\":{\"frames\":[");
        self.sink.write_all(&text)?;
        self.frames.write(&self.strands, &mut self.sink)?;
        self.sink.write_all(b"]},\"profiles\":[")?;
        // What spans tell is what people look for.
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        order.sort_by_key(|&index| self.lines[index].owner);
        for (place, index) in order.into_iter().enumerate() {
            self.sink.write_all(if place > 0 { b",\n" } else { b"\n" })?;
            self.lines[index].close(last_ns, &mut self.strands)?;
            self.lines[index].write(last_ns, &self.strands, &mut self.sink)?;
        }
        self.sink.write_all(b"]}\n")?;
        self.sink.finish().map(drop)
    }
}

/// A record in a line: its event's name, and values by their names.
fn record_text<'v>(entry: &Entry<'_>, values: impl Iterator<Item = (Cow<'v, str>, Typed<'v>)>) -> String {
    let mut text = entry.schema.name.as_bytes().to_vec();
    for (name, value) in values {
        json::plain(format_args!(" {name}="), &mut text);
        match value {
            Typed::Signed(number) => json::plain(number, &mut text),
            Typed::Unsigned(number) => json::plain(number, &mut text),
            Typed::Bool(truth) => json::plain(truth, &mut text),
            Typed::Pointer(bits) => json::plain(format_args!("{bits:#x}"), &mut text),
            Typed::Text(bytes) => json::string(&crate::utf8(bytes), &mut text),
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// The same, with the thread where the trace tells it: for frames that do not stand in their thread's line.
fn text_with_thread<'v>(
    entry: &Entry<'_>,
    values: impl Iterator<Item = (Cow<'v, str>, Typed<'v>)>,
) -> String {
    let mut text = record_text(entry, values);
    if let Some(tid) = entry.tid() {
        text += &format!(" (thread {tid})");
    }
    text
}
