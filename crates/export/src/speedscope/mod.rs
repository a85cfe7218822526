//! Speedscope's evented profiles: one for each thread, each lane of spans, each counter.
//!
//! Speedscope knows nothing but frames that are open for a while. A span is one. A record, a counter's value, something that was dropped is
//! shown until the next one of its kind: there are no frames without a width to be seen. What a frame is about is the frame within it: its
//! arguments, as text.

mod frame;
mod line;

use std::collections::HashMap;
use std::io::{self, Write};

use ringtrace_tracefile::Entry;
use ringtrace_tracefile::metadata::Cause;
use ringtrace_tracefile::pair::{BeginRecord, Meaning, SpanId, Track};

use crate::exporter::{End, Exporter, Format, Place, Setting, Shape};
use crate::json;
use crate::origin::Origin;
use crate::sink::Sink;
use crate::strand::Strands;
use crate::value::{Typed, named_values};
use frame::Frames;
use line::{Line, Owner};

/// Speedscope.
pub const FORMAT: Format = Format {
    name: "speedscope",
    about: "flame charts for speedscope.app: a profile for each thread, and for spans",
    endings: &[".speedscope.json"],
    shape: Shape::Stream,
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
    /// Spans that have begun, by their lines.
    open: HashMap<usize, Open>,
}

/// A span that has begun. It is written when its end is known, for its arguments belong to it.
#[derive(Debug)]
struct Open {
    span: SpanId,
    from_ns: i128,
    text: String,
    steps: Vec<Step>,
}

/// Something that happened within a span.
#[derive(Debug, Clone, Copy)]
struct Step {
    at_ns: i128,
    frames: [u64; 2],
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
            open: HashMap::new(),
        })
    }

    fn line(&mut self, owner: Owner, name: impl FnOnce(&Setting) -> String) -> usize {
        if let Some(&index) = self.owners.get(&owner) {
            return index;
        }
        if self.lines.len() > MAX_LINES {
            return MAX_LINES;
        }
        let name = if self.lines.len() == MAX_LINES { "(others)".to_owned() } else { name(&self.setting) };
        self.lines.push(Line::new(owner, name, &mut self.strands));
        self.owners.insert(owner, self.lines.len() - 1);
        self.lines.len() - 1
    }

    fn line_of_thread(&mut self, entry: &Entry<'_>) -> usize {
        let owner = Owner::Thread { pid: entry.pid, tid: entry.tid() };
        self.line(owner, |setting| match entry.tid() {
            Some(tid) => {
                let name = entry.thread_name().unwrap_or("thread");
                format!("{}: {name} {tid}, each event until the next", setting.process_name(entry.pid))
            }
            None => format!("{}: each event until the next", setting.process_name(entry.pid)),
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
        let line = &mut self.lines[line];
        line.close_all(at_ns, &mut self.strands)?;
        for frame in frames {
            line.open(frame, at_ns, &mut self.strands)?;
        }
        Ok(())
    }

    fn frames_of(&mut self, name: &str, about: &str) -> io::Result<[u64; 2]> {
        Ok([self.frames.index(name, &mut self.strands)?, self.frames.index(about, &mut self.strands)?])
    }

    fn span_begins(
        &mut self,
        span: SpanId,
        entry: &Entry<'_>,
        at_ns: i128,
        tracks: &[Track],
    ) -> io::Result<()> {
        let line = self.line_of_span(span, tracks);
        let mut text = record_text(entry);
        if let Some(tid) = entry.tid() {
            text.push_str(&format!(" in thread {tid}"));
        }
        let open = Open { span, from_ns: at_ns, text, steps: Vec::new() };
        match self.open.insert(line, open) {
            Some(older) => self.write_span(line, &older, None, at_ns),
            None => Ok(()),
        }
    }

    fn span_ends(
        &mut self,
        span: SpanId,
        begin: &BeginRecord<'_>,
        entry: &Entry<'_>,
        at_ns: i128,
        tracks: &[Track],
    ) -> io::Result<()> {
        let line = self.line_of_span(span, tracks);
        let open = match self.open.remove(&line) {
            Some(open) if open.span == span => open,
            other => {
                if let Some(other) = other {
                    self.write_span(line, &other, None, at_ns)?;
                }
                let values = begin.values.iter().map(|&(name, ctype, value)| (name, Typed::of(ctype, value)));
                let text = values_text(begin.event, values);
                Open { span, from_ns: self.origin.relative_ns(begin.timestamp_ns), text, steps: Vec::new() }
            }
        };
        self.write_span(line, &open, Some(entry), at_ns)
    }

    fn write_span(
        &mut self,
        line: usize,
        open: &Open,
        end: Option<&Entry<'_>>,
        to_ns: i128,
    ) -> io::Result<()> {
        let name = self.setting.description.pairs[open.span.pair].name.clone();
        let about = match end {
            Some(entry) => format!("{} -> {}", open.text, record_text(entry)),
            None => format!("{}, never ended", open.text),
        };
        self.show(line, open.from_ns, &name, &about)?;
        let line = &mut self.lines[line];
        let outer = line.depth();
        for step in &open.steps {
            line.close_to(outer, step.at_ns, &mut self.strands)?;
            for frame in step.frames {
                line.open(frame, step.at_ns, &mut self.strands)?;
            }
        }
        line.close_all(to_ns, &mut self.strands)
    }

    fn step(&mut self, span: SpanId, entry: &Entry<'_>, at_ns: i128, tracks: &[Track]) -> io::Result<()> {
        let line = self.line_of_span(span, tracks);
        let frames = self.frames_of(&entry.schema.name, &record_text(entry))?;
        if let Some(open) = self.open.get_mut(&line) {
            open.steps.push(Step { at_ns, frames });
        }
        Ok(())
    }
}

impl Exporter for Speedscope {
    fn event(&mut self, entry: &Entry<'_>, meanings: &[Meaning<'_>], tracks: &[Track]) -> io::Result<()> {
        let at_ns = self.origin.time_ns(entry);
        let mut is_part_of_a_span = false;
        for meaning in meanings {
            match meaning {
                Meaning::Begin(span) => self.span_begins(*span, entry, at_ns, tracks)?,
                Meaning::End { span, begin } => self.span_ends(*span, begin, entry, at_ns, tracks)?,
                Meaning::Step(span) => self.step(*span, entry, at_ns, tracks)?,
                &Meaning::Counter { track, value, .. } => {
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
        self.show(line, at_ns, &entry.schema.name, &record_text(entry))
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
        let mut open: Vec<(usize, Open)> = self.open.drain().collect();
        open.sort_by_key(|(line, _)| *line);
        for (line, open) in &open {
            self.write_span(*line, open, None, last_ns)?;
        }
        for pause in end.pauses {
            let line = self.line(Owner::Recording, |_| "recording".to_owned());
            let [from_ns, to_ns] =
                [pause.from_ns, pause.to_ns].map(|ns| ns.map(|ns| self.origin.relative_ns(ns)));
            let ends = if to_ns.is_none() { ", not switched on again" } else { "" };
            self.show(line, from_ns.unwrap_or(0), "Recording paused", &format!("Recording was off{ends}"))?;
            self.lines[line].close_all(to_ns.unwrap_or(last_ns), &mut self.strands)?;
        }
        self.write(last_ns)
    }
}

impl Speedscope {
    fn write(mut self, last_ns: i128) -> io::Result<()> {
        let mut text = b"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"ringtrace\",\"name\":".to_vec();
        json::string(&self.setting.traces.join(", "), &mut text);
        text.extend_from_slice(b",\"activeProfileIndex\":0,\"shared\":{\"frames\":[");
        self.sink.write_all(&text)?;
        self.frames.write(&self.strands, &mut self.sink)?;
        self.sink.write_all(b"]},\"profiles\":[")?;
        // What spans tell is what people look for.
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        order.sort_by_key(|&index| self.lines[index].owner);
        for (place, index) in order.into_iter().enumerate() {
            self.sink.write_all(if place > 0 { b",\n" } else { b"\n" })?;
            self.lines[index].close_all(last_ns, &mut self.strands)?;
            self.lines[index].write(last_ns, &self.strands, &mut self.sink)?;
        }
        self.sink.write_all(b"]}\n")?;
        self.sink.finish().map(drop)
    }
}

/// A record in a line: its event's name, and its values by their names.
fn record_text(entry: &Entry<'_>) -> String {
    values_text(&entry.schema.name, named_values(entry))
}

fn values_text<'v, N: AsRef<str>>(event: &str, values: impl Iterator<Item = (N, Typed<'v>)>) -> String {
    let mut text = event.as_bytes().to_vec();
    for (name, value) in values {
        json::plain(format_args!(" {}=", name.as_ref()), &mut text);
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
