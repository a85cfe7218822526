//! Entries and values as JSON. `docs/jsonl.md` describes the lines for users.

pub mod fast;

use std::sync::Arc;

use ringtrace_events::{CType, Enumeration};

use super::clock::{Clock, TIME_BYTES};
use super::number::{NUMBER_BYTES, push_decimal};
use super::{Block, OriginTexts, Render, Reserved, TextBuffer};
use crate::entry::{Entry, Schema, Value};
use crate::read::visitor::{BlockRecords, OrdinaryRecords};
use crate::text::FirstTime;
use crate::text::stack::{Finder, ShownFrame, shown_frames};
use crate::traces::Times;
use fast::{FastLines, LineForm, push_constant, push_typed, push_unsigned};

const QUOTE: Block<2> = Block::first([b'"', 0], 1);

/// The largest integer that is written as a number. Readers that store numbers as doubles would
/// round larger integers.
const MAX_EXACT: u64 = 1 << 53;

/// The maximum encoded size of a byte in a string, as in `\udcXX` or `\u001f`.
const QUOTED_BYTES: usize = 6;

/// The format of lines on the fast path.
const FORM: LineForm = LineForm {
    head: |event| {
        let mut head = b"{\"event\":".to_vec();
        push_quoted(event.as_bytes(), &mut head);
        head.extend_from_slice(b",\"time_ns\":");
        head
    },
    date: [b",\"time\":\"", b"\""],
    no_date: b"",
    owner: |entry| {
        let mut owner = Vec::new();
        if entry.version.info().has_pid {
            owner.extend_from_slice(format!(",\"pid\":{}", entry.pid).as_bytes());
        }
        if let Some(tid) = entry.tid() {
            owner.extend_from_slice(format!(",\"tid\":{tid}").as_bytes());
        }
        if let Some(name) = entry.thread_name() {
            owner.extend_from_slice(b",\"thread\":");
            push_quoted(name.as_bytes(), &mut owner);
        }
        owner.extend_from_slice(b",\"args\":");
        owner
    },
    begin: b"{",
    end: b"}}\n",
    nothing: b"{}}\n",
    quote: b"\"",
    quotes_times: true,
};

/// Renders entries as one JSON object per line:
/// `{"event":NAME,"time_ns":N,"time":DATE,"pid":N,"tid":N,"thread":NAME,"host":NAME,"trace":NAME,`
/// `"cause":WORD,"args":{..}}`.
#[derive(Debug, Clone)]
pub struct JsonText {
    clock: Clock,
    plans: Vec<Option<Box<LinePlan>>>,
    fast: FastLines,
    finder: Finder,
    origins: OriginTexts,
}

/// The text that all lines of an event share.
#[derive(Debug, Clone)]
struct LinePlan {
    /// `{"event":NAME,"time_ns":`
    head: Box<[u8]>,
    arguments: Box<[Key]>,
    /// An upper limit for the size of a line, excluding its strings.
    room_bytes: usize,
}

/// A key `"NAME":`, after a comma if it is not the first.
#[derive(Debug, Clone)]
struct Key {
    text: Box<[u8]>,
    ctype: CType,
    enumeration: Option<Arc<Enumeration>>,
}

impl JsonText {
    /// Creates a renderer with times from `times`.
    pub fn new(times: Times) -> JsonText {
        JsonText {
            clock: Clock::new(times),
            plans: Vec::new(),
            fast: FastLines::new(FORM, times),
            finder: None,
            origins: OriginTexts::default(),
        }
    }

    /// Sets the source of the functions' names in stacks.
    #[must_use]
    pub fn with_functions(self, finder: Finder) -> JsonText {
        JsonText { finder, ..self }
    }

    /// Sets the members for the origin of each entry. See [`OriginTexts::members`].
    #[must_use]
    pub fn with_origins(self, origins: OriginTexts) -> JsonText {
        JsonText { origins, ..self }
    }

    /// Appends the CPU and the stack of an entry.
    #[cold]
    fn push_context(&self, entry: &Entry<'_>, out: &mut TextBuffer) {
        if let Some(cpu) = entry.context.cpu() {
            out.push(format!(",\"cpu\":{cpu}").as_bytes());
        }
        let frames = shown_frames(entry, &self.finder);
        for (index, shown) in frames.iter().enumerate() {
            out.push(if index == 0 { b",\"stack\":[" } else { b"," });
            out.push_with(|out| push_frame(shown, out));
        }
        if !frames.is_empty() {
            out.push_byte(b']');
        }
    }

    fn prepare(&mut self, entry: &Entry<'_>) {
        if !matches!(self.plans.get(entry.schema_index as usize), Some(Some(_))) {
            self.plan(entry);
        }
    }

    #[cold]
    fn plan(&mut self, entry: &Entry<'_>) {
        let index = entry.schema_index as usize;
        if self.plans.len() <= index {
            self.plans.resize(index + 1, None);
        }
        self.plans[index] = Some(Box::new(LinePlan::new(entry.schema)));
    }

    /// Appends only the recorded values: the object of `args`.
    pub fn render_arguments(&mut self, entry: &Entry<'_>, out: &mut TextBuffer) {
        self.prepare(entry);
        let Some(Some(plan)) = self.plans.get(entry.schema_index as usize) else { return };
        let mut space = out.reserve(plan.room_bytes + QUOTED_BYTES * entry.payload.len());
        plan.push_arguments(entry, &mut space);
        space.keep();
    }
}

impl LinePlan {
    fn new(schema: &Schema) -> LinePlan {
        let mut head = b"{\"event\":".to_vec();
        push_quoted(schema.name.as_bytes(), &mut head);
        head.extend_from_slice(b",\"time_ns\":");
        let mut room_bytes = head.len() + 2 * TIME_BYTES + 4 * NUMBER_BYTES;
        let arguments: Box<[Key]> = schema
            .arguments
            .iter()
            .enumerate()
            .map(|(index, argument)| {
                let mut text = if index == 0 { Vec::new() } else { vec![b','] };
                push_quoted(argument.name.as_bytes(), &mut text);
                text.push(b':');
                room_bytes += text.len() + NUMBER_BYTES + argument.longest_constant();
                Key { text: text.into(), ctype: argument.ctype, enumeration: argument.enumeration.clone() }
            })
            .collect();
        LinePlan { head: head.into(), arguments, room_bytes }
    }

    fn push_arguments(&self, entry: &Entry<'_>, out: &mut Reserved<'_>) {
        out.push_byte(b'{');
        for (key, value) in self.arguments.iter().zip(entry.values()) {
            out.push(&key.text);
            match value {
                Value::Integer(bits) => match &key.enumeration {
                    Some(enumeration) => push_constant(enumeration, bits, &QUOTE, out),
                    None => push_typed(key.ctype, bits, &QUOTE, out),
                },
                Value::Str(bytes) => push_string(bytes, out),
            }
        }
        for (index, value) in entry.surplus().enumerate() {
            let number = self.arguments.len() + index + 1;
            let comma = if number == 1 { "" } else { "," };
            out.push(format!("{comma}\"arg{number}\":").as_bytes());
            match value {
                Value::Integer(bits) => push_unsigned(bits, &QUOTE, out),
                Value::Str(bytes) => push_string(bytes, out),
            }
        }
        out.push_byte(b'}');
    }
}

impl Render for JsonText {
    fn render(&mut self, entry: &Entry<'_>, out: &mut TextBuffer) {
        if self.origins.is_empty() {
            self.fast.learn(entry);
        }
        self.prepare(entry);
        let Some(Some(plan)) = self.plans.get(entry.schema_index as usize) else { return };
        let name = entry.thread_name();
        let strings = entry.payload.len() + name.map_or(0, str::len);
        let origin = self.origins.of(entry);
        let mut line = out.reserve(plan.room_bytes + QUOTED_BYTES * strings + origin.len());
        line.push(&plan.head);
        push_unsigned(entry.timestamp_ns, &QUOTE, &mut line);
        if self.clock.has_date() {
            line.push(b",\"time\":\"");
            self.clock.push_date(entry.dated_ns(), 9, &mut line);
            line.push_byte(b'"');
        }
        if entry.version.info().has_pid {
            line.push(b",\"pid\":");
            push_decimal(u64::from(entry.pid), &mut line);
        }
        if let Some(tid) = entry.tid() {
            line.push(b",\"tid\":");
            push_decimal(u64::from(tid), &mut line);
        }
        if let Some(name) = name {
            line.push(b",\"thread\":");
            push_string(name.as_bytes(), &mut line);
        }
        line.push(origin);
        if let Some(lost) = entry.lost {
            line.push(b",\"cause\":\"");
            line.push(lost.cause.word().as_bytes());
            line.push_byte(b'"');
        }
        line.push(b",\"args\":");
        plan.push_arguments(entry, &mut line);
        if entry.context.is_empty() {
            line.push(b"}\n");
            line.keep();
        } else {
            line.keep();
            self.push_context(entry, out);
            out.push(b"}\n");
        }
    }

    fn render_fast(&mut self, records: &mut OrdinaryRecords<'_>, out: &mut TextBuffer) {
        if self.origins.is_empty() {
            self.fast.push_lines(records, out);
        }
    }

    fn render_block(&mut self, records: &mut BlockRecords<'_, '_>, out: &mut TextBuffer) {
        if self.origins.is_empty() {
            self.fast.push_block(records, out);
        }
    }

    fn resume_after(&mut self, _: Option<u64>) {
        self.fast.restart();
    }

    /// Lines do not depend on the previous entry.
    fn last_ns(&self) -> Option<u64> {
        None
    }

    fn shows_thread_names(&self) -> bool {
        true
    }

    fn first_time(&self) -> Option<FirstTime> {
        None
    }
}

/// Appends a frame of a stack as a JSON object.
fn push_frame(shown: &ShownFrame<'_>, out: &mut Vec<u8>) {
    let ShownFrame { frame, function } = shown;
    out.extend_from_slice(format!("{{\"address\":\"{:#x}\"", frame.address).as_bytes());
    if let Some((module, address)) = frame.module.zip(frame.file_address()) {
        out.extend_from_slice(b",\"module\":");
        push_quoted(&module.path, out);
        out.extend_from_slice(format!(",\"offset\":\"{address:#x}\"").as_bytes());
        if !module.build_id.is_empty() {
            out.extend_from_slice(format!(",\"build_id\":\"{}\"", module.build_id_text()).as_bytes());
        }
    }
    if let Some(function) = function {
        out.extend_from_slice(b",\"function\":");
        push_quoted(function.name.as_bytes(), out);
        if let Some((file, line)) = &function.source {
            out.extend_from_slice(b",\"file\":");
            push_quoted(file.as_bytes(), out);
            if let Some(line) = line {
                out.extend_from_slice(format!(",\"line\":{line}").as_bytes());
            }
        }
        if function.is_inlined {
            out.extend_from_slice(b",\"inlined\":true");
        }
    }
    out.push(b'}');
}

fn push_string(bytes: &[u8], out: &mut Reserved<'_>) {
    if is_plain(bytes) {
        out.push_byte(b'"');
        out.push(bytes);
        out.push_byte(b'"');
    } else {
        let mut quoted = Vec::with_capacity(bytes.len() + 16);
        push_quoted(bytes, &mut quoted);
        out.push(&quoted);
    }
}

/// Returns true if a JSON string of `bytes` needs no escapes.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| matches!(byte, 0x20..0x7f) && !matches!(byte, b'"' | b'\\'))
}

/// Appends `number`, quoted beyond 2^53.
pub fn push_number(number: i128, out: &mut Vec<u8>) {
    let quote = if number.unsigned_abs() > u128::from(MAX_EXACT) { "\"" } else { "" };
    out.extend_from_slice(format!("{quote}{number}{quote}").as_bytes());
}

/// Appends `bytes` as a JSON string. Bytes that are not UTF-8 become the unpaired surrogates U+DC80
/// to U+DCFF, as with Python's `surrogateescape`. Valid UTF-8 never contains these, so the original
/// bytes can be restored.
pub fn push_quoted(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for chunk in bytes.utf8_chunks() {
        for &byte in chunk.valid().as_bytes() {
            match byte {
                b'"' => out.extend_from_slice(b"\\\""),
                b'\\' => out.extend_from_slice(b"\\\\"),
                b'\n' => out.extend_from_slice(b"\\n"),
                b'\r' => out.extend_from_slice(b"\\r"),
                b'\t' => out.extend_from_slice(b"\\t"),
                0..0x20 | 0x7f => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
                _ => out.push(byte),
            }
        }
        for byte in chunk.invalid() {
            out.extend_from_slice(format!("\\udc{byte:02x}").as_bytes());
        }
    }
    out.push(b'"');
}
