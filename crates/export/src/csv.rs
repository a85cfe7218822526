//! CSV: one row per line. `docs/tables.md` describes the columns.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

use ringtrace_tracefile::align::Origin;
use ringtrace_tracefile::pair::{Description, SpanEvent, Track};
use ringtrace_tracefile::parallel::Pieces;
use ringtrace_tracefile::text::clock::{Clock, TIME_BYTES};
use ringtrace_tracefile::text::json::fast::{FastLines, LineForm};
use ringtrace_tracefile::text::number::{NUMBER_BYTES, push_decimal};
use ringtrace_tracefile::text::{FirstTime, JsonText, OriginPart, Render, TextBuffer};
use ringtrace_tracefile::{BlockRecords, Entry, Filter, OrdinaryRecords, Pause, Reader, Times};

use crate::exporter::{ExportTarget, Exporter, Format, OutputKind, TraceEnd, TraceInfo};
use crate::shared::span_rows::{self, Row, SpanRow};
use crate::shared::text::write_pieces;

pub const FORMAT: Format = Format {
    name: "csv",
    about: "comma-separated values: spreadsheets, R, pandas",
    endings: &[".csv"],
    output: OutputKind::Text,
    needs_order: false,
    has_stacks: false,
    encodes_on_thread: false,
    start,
};

const BLOCK_BYTES: usize = 256 << 10;

/// The columns that are always present.
const COLUMNS: &str = "row,event,time_ns,time,pid,tid,thread,cause";
const ARGUMENTS: &str = "args";

/// The columns of spans, steps and counters. They are present only if there is a description.
const PAIR_COLUMNS: [&str; 11] = [
    "pair",
    "span",
    "track",
    "outcome",
    "begin_ns",
    "end_ns",
    "latency_ns",
    "end_event",
    "end_args",
    "counter",
    "value",
];

/// The format of rows on the fast path.
const FORM: LineForm = LineForm {
    head: |event| {
        let mut head = TextBuffer::with_capacity(0);
        head.push(b"event,");
        push_text(event.as_bytes(), &mut head);
        head.push_byte(b',');
        head.as_bytes().to_vec()
    },
    date: [b",", b""],
    no_date: b",",
    owner: |entry| {
        let mut owner = TextBuffer::with_capacity(0);
        let number = |number: Option<u32>| number.map_or(String::new(), |number| number.to_string());
        let pid = number(entry.version.info().has_pid.then_some(entry.pid));
        owner.push(format!(",{pid},{},", number(entry.tid())).as_bytes());
        push_text(entry.thread_name().unwrap_or_default().as_bytes(), &mut owner);
        owner.push(b",,");
        owner.as_bytes().to_vec()
    },
    begin: b"\"{",
    end: b"}\"\n",
    nothing: b"{}\n",
    quote: b"\"\"",
    quotes_times: false,
};

#[derive(Debug)]
struct Csv {
    file: File,
    rows: Rows,
    out: TextBuffer,
    description: Arc<Description>,
}

/// Renders rows.
#[derive(Debug, Clone)]
struct Rows {
    clock: Clock,
    json: JsonText,
    fast_lines: FastLines,
    arguments: TextBuffer,
    /// The origins of the traces. If there is only one, the columns for [`OriginPart::ALL`] are absent.
    origins: Arc<[Origin]>,
    has_pairs: bool,
}

fn start(target: ExportTarget, info: &TraceInfo) -> io::Result<Box<dyn Exporter>> {
    let file = target.into_file()?;
    let times = Times { anchor: info.anchor, ..Times::default() };
    let mut out = TextBuffer::with_capacity(2 * BLOCK_BYTES);
    out.push(COLUMNS.as_bytes());
    let origins = if info.origins.len() > 1 { Arc::clone(&info.origins) } else { Arc::default() };
    if !origins.is_empty() {
        OriginPart::ALL.iter().for_each(|part| out.push(format!(",{}", part.word()).as_bytes()));
    }
    out.push(format!(",{ARGUMENTS}").as_bytes());
    if !info.description.is_empty() {
        PAIR_COLUMNS.iter().for_each(|name| out.push(format!(",{name}").as_bytes()));
    }
    out.push_byte(b'\n');
    let rows = Rows {
        clock: Clock::new(times),
        json: JsonText::new(times),
        fast_lines: FastLines::new(FORM, times),
        arguments: TextBuffer::default(),
        origins,
        has_pairs: !info.description.is_empty(),
    };
    Ok(Box::new(Csv { file, rows, out, description: Arc::new(info.description.clone()) }))
}

impl Rows {
    /// Writes the columns that are always present, for a row about `entry`.
    fn columns(&mut self, row: &str, entry: &Entry<'_>, out: &mut TextBuffer) {
        out.push(row.as_bytes());
        field(entry.schema.name.as_bytes(), out);
        self.times(Some((entry.timestamp_ns, entry.dated_ns())), out);
        number(entry.version.info().has_pid.then_some(entry.pid.into()), out);
        number(entry.tid().map(u64::from), out);
        field(entry.thread_name().unwrap_or_default().as_bytes(), out);
        field(entry.lost.map_or("", |lost| lost.cause.word()).as_bytes(), out);
        if !self.origins.is_empty() {
            let origin = self.origins.get(entry.trace as usize);
            let text = |part: OriginPart| origin.and_then(|origin| part.of(origin)).unwrap_or_default();
            OriginPart::ALL.iter().for_each(|part| field(text(*part).as_bytes(), out));
        }
        self.arguments(Some(entry), out);
    }

    /// Writes a time and its date, from a time and [`Entry::dated_ns`].
    fn times(&mut self, times_ns: Option<(u64, i128)>, out: &mut TextBuffer) {
        number(times_ns.map(|(time_ns, _)| time_ns), out);
        let mut room = out.reserve(TIME_BYTES);
        room.push_byte(b',');
        if let Some((_, dated_ns)) = times_ns
            && self.clock.has_date()
        {
            self.clock.push_date(dated_ns, 9, &mut room);
        }
        room.keep();
    }

    fn arguments(&mut self, entry: Option<&Entry<'_>>, out: &mut TextBuffer) {
        out.push_byte(b',');
        if let Some(entry) = entry {
            self.arguments.clear();
            self.json.render_arguments(entry, &mut self.arguments);
            push_text(self.arguments.as_bytes(), out);
        }
    }

    /// Returns whether rows can have the fast path's format. With pairs or origins there are more columns.
    fn is_fast(&self) -> bool {
        !self.has_pairs && self.origins.is_empty()
    }

    /// Ends a row. If the [`PAIR_COLUMNS`] are present, the last `columns` of them are left empty.
    fn end(&self, columns: usize, out: &mut TextBuffer) {
        if self.has_pairs {
            (0..columns).for_each(|_| out.push_byte(b','));
        }
        out.push_byte(b'\n');
    }
}

impl Render for Rows {
    fn render(&mut self, entry: &Entry<'_>, out: &mut TextBuffer) {
        if self.is_fast() {
            self.fast_lines.learn(entry);
        }
        self.columns(if entry.is_dropped() { "dropped" } else { "event" }, entry, out);
        self.end(PAIR_COLUMNS.len(), out);
    }

    fn render_fast(&mut self, records: &mut OrdinaryRecords<'_>, out: &mut TextBuffer) {
        if self.is_fast() {
            self.fast_lines.push_lines(records, out);
        }
    }

    fn render_block(&mut self, records: &mut BlockRecords<'_, '_>, out: &mut TextBuffer) {
        if self.is_fast() {
            self.fast_lines.push_block(records, out);
        }
    }

    fn resume_after(&mut self, _: Option<u64>) {
        self.fast_lines.restart();
    }

    /// Rows do not depend on the previous entry.
    fn last_ns(&self) -> Option<u64> {
        None
    }

    fn first_time(&self) -> Option<FirstTime> {
        None
    }

    fn shows_thread_names(&self) -> bool {
        true
    }
}

fn field(text: &[u8], out: &mut TextBuffer) {
    out.push_byte(b',');
    push_text(text, out);
}

fn number(number: Option<u64>, out: &mut TextBuffer) {
    let mut room = out.reserve(NUMBER_BYTES);
    room.push_byte(b',');
    if let Some(number) = number {
        push_decimal(number, &mut room);
    }
    room.keep();
}

impl Csv {
    fn columns(&mut self, row: &str, entry: &Entry<'_>) {
        self.rows.columns(row, entry, &mut self.out);
    }

    fn field(&mut self, text: &[u8]) {
        field(text, &mut self.out);
    }

    fn number(&mut self, value: Option<u64>) {
        number(value, &mut self.out);
    }

    fn end(&mut self, columns: usize) -> io::Result<()> {
        self.rows.end(columns, &mut self.out);
        self.settle()
    }

    fn settle(&mut self) -> io::Result<()> {
        if self.out.len() >= BLOCK_BYTES { self.write() } else { Ok(()) }
    }

    fn span(&mut self, span: &SpanRow<'_>) -> io::Result<()> {
        self.columns("span", span.begin);
        self.field(span.pair.as_bytes());
        self.number(Some(span.id.number));
        self.field(span.track.as_bytes());
        self.field(span.outcome.word().as_bytes());
        self.number(Some(span.begin.timestamp_ns));
        self.number(span.end.map(|end| end.timestamp_ns));
        self.number(span.latency_ns());
        self.field(span.end.map_or(&b""[..], |end| end.schema.name.as_bytes()));
        self.rows.arguments(span.end, &mut self.out);
        self.end(2)
    }

    fn row(&mut self, row: &Row<'_>, entry: &Entry<'_>) -> io::Result<()> {
        match row {
            Row::Span(span) => self.span(span),
            Row::Step { id, pair } => {
                self.columns("step", entry);
                self.field(pair.as_bytes());
                self.number(Some(id.number));
                self.end(9)
            }
            Row::Counter { counter, track_name, value, .. } => {
                self.columns("counter", entry);
                self.out.push(b",,");
                self.field(track_name.as_bytes());
                self.out.push(b",,,,,,");
                self.field(counter.as_bytes());
                self.field(value.to_string().as_bytes());
                self.end(0)
            }
        }
    }

    fn pause(&mut self, pause: &Pause) -> io::Result<()> {
        self.out.push(b"pause,");
        self.rows.times(pause.from_ns.or(pause.to_ns).map(|ns| (ns, ns.into())), &mut self.out);
        self.out.push(b",,,,");
        if !self.rows.origins.is_empty() {
            OriginPart::ALL.iter().for_each(|_| self.out.push_byte(b','));
        }
        let member = |name: &str, ns: Option<u64>| ns.map(|ns| format!("\"{name}\":{ns}"));
        let duration_ns = pause.from_ns.and(pause.to_ns).map(|_| pause.duration_ns());
        let members = [
            member("begin_ns", pause.from_ns),
            member("end_ns", pause.to_ns),
            member("duration_ns", duration_ns),
        ];
        let members: Vec<String> = members.into_iter().flatten().collect();
        self.field(format!("{{{}}}", members.join(",")).as_bytes());
        self.end(PAIR_COLUMNS.len())
    }

    fn write(&mut self) -> io::Result<()> {
        let written = self.file.write_all(self.out.as_bytes());
        self.out.clear();
        written
    }
}

fn push_text(text: &[u8], out: &mut TextBuffer) {
    if !text.iter().any(|byte| matches!(byte, b'"' | b',' | b'\n' | b'\r')) {
        return out.push(text);
    }
    out.push_byte(b'"');
    for (index, piece) in text.split(|byte| *byte == b'"').enumerate() {
        if index > 0 {
            out.push(b"\"\"");
        }
        out.push(piece);
    }
    out.push_byte(b'"');
}

impl Exporter for Csv {
    fn event(&mut self, entry: &Entry<'_>, spans: &[SpanEvent<'_>], tracks: &[Track]) -> io::Result<()> {
        self.rows.render(entry, &mut self.out);
        self.settle()?;
        if spans.is_empty() {
            return Ok(());
        }
        let description = Arc::clone(&self.description);
        span_rows::rows(&description, entry, spans, tracks).try_for_each(|row| self.row(&row, entry))
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.rows.render(entry, &mut self.out);
        self.settle()
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> io::Result<()> {
        self.rows.render_fast(records, &mut self.out);
        self.settle()
    }

    fn pieces(&mut self, reader: &mut Reader, filter: &Filter, threads: usize) -> Option<io::Result<Pieces>> {
        let written = self.write();
        Some(written.and_then(|()| write_pieces(reader, filter, &mut self.rows, threads, &mut self.file)))
    }

    fn idle(&mut self) -> io::Result<()> {
        self.write()
    }

    fn finish(mut self: Box<Self>, end: &TraceEnd<'_>) -> io::Result<()> {
        span_rows::each_open(end.tracker, |span| self.span(span))?;
        for pause in end.pauses {
            self.pause(pause)?;
        }
        self.write()
    }
}
