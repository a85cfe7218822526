//! JSON lines: one object per line. `docs/tables.md` describes the objects.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

use ringtrace_tracefile::pair::{Description, SpanEvent, Track};
use ringtrace_tracefile::parallel::Pieces;
use ringtrace_tracefile::text::clock::{Clock, TIME_BYTES};
use ringtrace_tracefile::text::json::{push_number, push_quoted};
use ringtrace_tracefile::text::{JsonText, OriginPart, OriginTexts, Render, TextBuffer};
use ringtrace_tracefile::{Entry, Filter, OrdinaryRecords, Reader, Times};

use crate::exporter::{ExportTarget, Exporter, Format, OutputKind, TraceEnd, TraceInfo};
use crate::shared::span_rows::{self, Row, SpanRow};
use crate::shared::text::write_pieces;

pub const FORMAT: Format = Format {
    name: "jsonl",
    about: "JSON lines: jq, Python, log stores",
    endings: &[".jsonl", ".ndjson"],
    output: OutputKind::Text,
    needs_order: false,
    has_stacks: true,
    encodes_on_thread: false,
    start,
};

/// Version of the format documented in `docs/tables.md`.
const SCHEMA_VERSION: i128 = 1;
const BLOCK_BYTES: usize = 256 << 10;

#[derive(Debug)]
struct JsonLines {
    file: File,
    description: Arc<Description>,
    text: JsonText,
    clock: Clock,
    /// The members for the origin of each entry, if there are several traces.
    origins: OriginTexts,
    /// The current line, if it is not an event's line.
    line: Vec<u8>,
    part: TextBuffer,
    out: TextBuffer,
}

fn start(target: ExportTarget, info: &TraceInfo) -> io::Result<Box<dyn Exporter>> {
    let file = target.into_file()?;
    let times = Times { anchor: info.anchor, ..Times::default() };
    let parts: &[OriginPart] = if info.origins.len() > 1 { &OriginPart::ALL } else { &[] };
    let origins = OriginTexts::members(&info.origins, parts);
    let mut lines = JsonLines {
        file,
        description: Arc::new(info.description.clone()),
        text: JsonText::new(times).with_functions(info.finder.clone()).with_origins(origins.clone()),
        clock: Clock::new(times),
        origins,
        line: Vec::new(),
        part: TextBuffer::default(),
        out: TextBuffer::with_capacity(2 * BLOCK_BYTES),
    };
    lines.begin_line("schema");
    lines.number("version", SCHEMA_VERSION);
    if let Some(anchor) = info.anchor {
        lines.number("monotonic_ns", anchor.monotonic_ns.into());
        lines.number("realtime_ns", anchor.realtime_ns);
    }
    lines.end_line()?;
    Ok(Box::new(lines))
}

impl JsonLines {
    fn event_line(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.text.render(entry, &mut self.out);
        self.settle()
    }

    fn begin_line(&mut self, row: &str) {
        self.line.clear();
        self.line.push(b'{');
        self.text("row", row);
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.line.extend_from_slice(b"}\n");
        self.out.push(&self.line);
        self.settle()
    }

    fn name(&mut self, name: &str) {
        if self.line.len() > 1 {
            self.line.push(b',');
        }
        push_quoted(name.as_bytes(), &mut self.line);
        self.line.push(b':');
    }

    fn number(&mut self, name: &str, number: i128) {
        self.name(name);
        push_number(number, &mut self.line);
    }

    fn text(&mut self, name: &str, text: &str) {
        self.name(name);
        push_quoted(text.as_bytes(), &mut self.line);
    }

    fn arguments(&mut self, name: &str, entry: &Entry<'_>) {
        self.name(name);
        self.part.clear();
        self.text.render_arguments(entry, &mut self.part);
        self.line.extend_from_slice(self.part.as_bytes());
    }

    fn date(&mut self, name: &str, ns: i128) {
        if !self.clock.has_date() {
            return;
        }
        self.name(name);
        self.part.clear();
        let mut room = self.part.reserve(TIME_BYTES);
        self.clock.push_date(ns, 9, &mut room);
        room.keep();
        push_quoted(self.part.as_bytes(), &mut self.line);
    }

    fn owner(&mut self, entry: &Entry<'_>) {
        self.date("time", entry.dated_ns());
        if entry.version.info().has_pid {
            self.number("pid", entry.pid.into());
        }
        if let Some(tid) = entry.tid() {
            self.number("tid", tid.into());
        }
        if let Some(name) = entry.thread_name() {
            self.text("thread", name);
        }
        self.line.extend_from_slice(self.origins.of(entry));
    }

    fn span(&mut self, span: &SpanRow<'_>) -> io::Result<()> {
        let begin = span.begin;
        self.begin_line("span");
        self.text("pair", span.pair);
        self.number("span", span.id.number.into());
        self.text("track", span.track);
        self.text("outcome", span.outcome.word());
        self.number("begin_ns", begin.timestamp_ns.into());
        if let Some(end) = span.end {
            self.number("end_ns", end.timestamp_ns.into());
        }
        if let Some(latency_ns) = span.latency_ns() {
            self.number("latency_ns", latency_ns.into());
        }
        self.owner(begin);
        self.text("begin_event", &begin.schema.name);
        self.arguments("begin_args", begin);
        if let Some(end) = span.end {
            self.text("end_event", &end.schema.name);
            self.arguments("end_args", end);
        }
        self.end_line()
    }

    fn row(&mut self, row: &Row<'_>, entry: &Entry<'_>) -> io::Result<()> {
        match row {
            Row::Span(span) => return self.span(span),
            Row::Step { id, pair } => {
                self.begin_line("step");
                self.text("pair", pair);
                self.number("span", id.number.into());
                self.number("time_ns", entry.timestamp_ns.into());
                self.text("step", &entry.schema.name);
                self.owner(entry);
            }
            Row::Counter { counter, track_name, value, .. } => {
                self.begin_line("counter");
                self.text("counter", counter);
                self.text("track", track_name);
                self.number("time_ns", entry.timestamp_ns.into());
                self.number("value", *value);
                self.owner(entry);
            }
        }
        self.end_line()
    }

    fn settle(&mut self) -> io::Result<()> {
        if self.out.len() >= BLOCK_BYTES { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> io::Result<()> {
        let written = self.file.write_all(self.out.as_bytes());
        self.out.clear();
        written
    }
}

impl Exporter for JsonLines {
    fn event(&mut self, entry: &Entry<'_>, spans: &[SpanEvent<'_>], tracks: &[Track]) -> io::Result<()> {
        self.event_line(entry)?;
        if spans.is_empty() {
            return Ok(());
        }
        let description = std::mem::take(&mut self.description);
        let written =
            span_rows::rows(&description, entry, spans, tracks).try_for_each(|row| self.row(&row, entry));
        self.description = description;
        written
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.event_line(entry)
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> io::Result<()> {
        self.text.render_fast(records, &mut self.out);
        self.settle()
    }

    fn pieces(&mut self, reader: &mut Reader, filter: &Filter, threads: usize) -> Option<io::Result<Pieces>> {
        let written = self.write();
        Some(written.and_then(|()| write_pieces(reader, filter, &mut self.text, threads, &mut self.file)))
    }

    fn idle(&mut self) -> io::Result<()> {
        self.write()
    }

    fn finish(mut self: Box<Self>, end: &TraceEnd<'_>) -> io::Result<()> {
        span_rows::each_open(end.tracker, |span| self.span(span))?;
        for pause in end.pauses {
            self.begin_line("pause");
            if let Some(from_ns) = pause.from_ns {
                self.number("begin_ns", from_ns.into());
            }
            if let Some(to_ns) = pause.to_ns {
                self.number("end_ns", to_ns.into());
            }
            if pause.from_ns.is_some() && pause.to_ns.is_some() {
                self.number("duration_ns", pause.duration_ns().into());
            }
            self.end_line()?;
        }
        self.write()
    }
}
