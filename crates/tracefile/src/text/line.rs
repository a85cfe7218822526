//! Formats entries as text, in the styles that do not have to match a QEMU reader's output exactly.

use ringtrace_events::CType;
use ringtrace_events::format::{Escapes, Escaping, Format, Output};

use super::clock::{Clock, TIME_BYTES, TimeMode};
use super::delta::push_delta;
use super::literal::push_bytes_literal;
use super::number::{NUMBER_BYTES, push_decimal, push_double, push_hex};
use super::{Render, Reserved, TextBuffer, json};
use crate::entry::{Entry, Schema, SchemaArgument, Value};
use crate::read::visitor::BlockRecords;
use crate::text::FirstTime;
use crate::traces::Times;

/// The style of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineStyle {
    /// `NAME TIME pid=PID ARG=VALUE...`
    Simpletrace,
    /// `NAME FORMATTED`, as QEMU's log backend prints it.
    Log,
    /// Like [`LineStyle::Log`], preceded by the wall-clock time.
    LogTime,
    /// Like [`LineStyle::Log`], preceded by `PID@SECONDS.MICROSECONDS:`.
    LogPid,
}

/// The style of values in [`LineStyle::Simpletrace`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ValueStyle {
    /// Integers in hex, strings as Python bytes.
    #[default]
    Hex,
    /// Integers in decimal according to their type, pointers in hex, strings in quotes.
    Typed,
    /// The event's own format string.
    Format,
}

/// Options of a line.
#[derive(Debug, Clone, Copy)]
pub struct LineOptions {
    /// The style.
    pub style: LineStyle,
    /// The style of values.
    pub values: ValueStyle,
    /// How times are shown. `None` selects the style's default.
    pub time: Option<TimeMode>,
    /// True for terminal colours.
    pub colour: bool,
    /// True to print strings in [`ValueStyle::Hex`] as raw bytes instead of literals, as readers
    /// before 2021 did.
    pub raw_strings: bool,
    /// True for output to a terminal: control characters in strings are then escaped.
    pub harmless: bool,
}

/// Renders entries line by line.
#[derive(Debug, Clone)]
pub struct LineText {
    options: LineOptions,
    clock: Clock,
    formats: Vec<Option<Box<FormatPlan>>>,
    last_ns: Option<u64>,
    first_time: Option<FirstTime>,
    scratch: Vec<u8>,
}

type FormatPlan = (Format, Vec<CType>);

const NAME: &str = "1;36";
const TIME: &str = "2";
const ARGUMENT: &str = "32";
const DROPPED: &str = "1;31";

impl LineText {
    /// Creates a renderer with the given options, and times from `times`.
    pub fn new(options: LineOptions, times: Times) -> LineText {
        LineText {
            options,
            clock: Clock::new(times),
            formats: Vec::new(),
            last_ns: None,
            first_time: None,
            scratch: Vec::new(),
        }
    }

    fn push_time(&mut self, mode: TimeMode, entry: &Entry<'_>, out: &mut Reserved<'_>) {
        match mode {
            TimeMode::Delta => {
                let last_ns = self.last_ns.unwrap_or(entry.timestamp_ns);
                let start = out.len();
                push_delta(last_ns, entry.timestamp_ns, self.division(), out);
                if self.last_ns.is_none() {
                    // This position is relative to the line. `render` adds the line's offset.
                    let at = start..out.len();
                    self.first_time = Some(FirstTime { at, timestamp_ns: entry.timestamp_ns });
                }
            }
            TimeMode::Relative => self.clock.push_relative(entry.timestamp_ns, out),
            TimeMode::Absolute => self.clock.push_date(entry.dated_ns(), 9, out),
        }
    }

    fn paint(&self, style: &str, out: &mut Reserved<'_>) {
        if self.options.colour {
            out.push(b"\x1b[");
            out.push(style.as_bytes());
            out.push(b"m");
        }
    }

    fn push_name(&self, entry: &Entry<'_>, out: &mut Reserved<'_>) {
        self.paint(if entry.is_dropped() { DROPPED } else { NAME }, out);
        out.push(entry.schema.name.as_bytes());
        self.paint("0", out);
    }

    /// Appends ` NAME=`.
    #[inline]
    fn push_key(&self, name: &str, out: &mut Reserved<'_>) {
        out.push_byte(b' ');
        self.paint(ARGUMENT, out);
        out.push(name.as_bytes());
        self.paint("0", out);
        out.push_byte(b'=');
    }

    /// Appends `NAME TIME pid=PID tid=TID ARG=VALUE...`.
    fn simpletrace(&mut self, entry: &Entry<'_>, out: &mut Reserved<'_>) {
        self.push_name(entry, out);
        out.push_byte(b' ');
        self.paint(TIME, out);
        self.push_time(self.options.time.unwrap_or_default(), entry, out);
        self.paint("0", out);
        if entry.version.info().has_pid {
            out.push(b" pid=");
            push_decimal(u64::from(entry.pid), out);
        }
        if let Some(tid) = entry.tid() {
            out.push(b" tid=");
            push_decimal(u64::from(tid), out);
        }
        if self.options.values == ValueStyle::Format && !entry.is_dropped() {
            out.push_byte(b' ');
            out.push(&self.scratch);
            self.push_cpu(entry, out);
            return;
        }
        for (argument, value) in entry.schema.arguments.iter().zip(entry.values()) {
            self.push_key(&argument.name, out);
            match (value, self.options.values) {
                (Value::Integer(bits), _) if argument.ctype == CType::Double => push_double(bits, out),
                (value @ Value::Integer(bits), _) if argument.enumeration.is_some() => {
                    match argument.constant(value) {
                        Some(name) => out.push(name.as_bytes()),
                        None => push_typed(argument.ctype, bits, out),
                    }
                }
                (Value::Integer(bits), ValueStyle::Hex) => {
                    out.push(b"0x");
                    push_hex(bits, out);
                }
                (Value::Str(bytes), ValueStyle::Hex) if !self.options.raw_strings => {
                    push_bytes_literal(bytes, out);
                }
                (Value::Str(bytes), ValueStyle::Hex) if !self.options.harmless => out.push(bytes),
                (Value::Str(bytes), ValueStyle::Hex) => out.push(&escape(bytes)),
                (Value::Integer(bits), _) => push_typed(argument.ctype, bits, out),
                (Value::Str(bytes), _) => self.push_quoted(bytes, out),
            }
        }
        if let Some(lost) = entry.lost {
            self.push_key("cause", out);
            out.push(lost.cause.word().as_bytes());
        }
        self.push_cpu(entry, out);
        for (index, value) in entry.surplus().enumerate() {
            self.push_key(&format!("arg{}", entry.schema.arguments.len() + index + 1), out);
            match value {
                Value::Integer(bits) => {
                    out.push(b"0x");
                    push_hex(bits, out);
                }
                Value::Str(bytes) if self.options.values == ValueStyle::Hex => push_bytes_literal(bytes, out),
                Value::Str(bytes) => self.push_quoted(bytes, out),
            }
        }
    }

    /// Appends ` cpu=N`, if the CPU was recorded.
    fn push_cpu(&self, entry: &Entry<'_>, out: &mut Reserved<'_>) {
        if let Some(cpu) = entry.context.cpu() {
            self.push_key("cpu", out);
            push_decimal(cpu.into(), out);
        }
    }

    fn push_quoted(&mut self, bytes: &[u8], out: &mut Reserved<'_>) {
        self.scratch.clear();
        json::push_quoted(bytes, &mut self.scratch);
        out.push(&self.scratch);
    }

    fn log(&mut self, entry: &Entry<'_>, out: &mut Reserved<'_>) {
        match self.options.style {
            LineStyle::LogTime => {
                self.clock.push_date(entry.dated_ns(), 6, out);
                out.push_byte(b' ');
            }
            LineStyle::LogPid => {
                push_decimal(u64::from(entry.tid().unwrap_or(entry.pid)), out);
                out.push_byte(b'@');
                self.clock.push_seconds(entry.dated_ns(), out);
                out.push_byte(b':');
            }
            _ => {
                if let Some(mode) = self.options.time {
                    self.paint(TIME, out);
                    self.push_time(mode, entry, out);
                    self.paint("0", out);
                    out.push_byte(b' ');
                }
            }
        }
        self.push_name(entry, out);
        out.push_byte(b' ');
        match entry.dropped() {
            Some(count) => {
                out.push(b"num_events_dropped ");
                push_decimal(count, out);
                if let Some(lost) = entry.lost {
                    out.push(b" cause ");
                    out.push(lost.cause.word().as_bytes());
                }
            }
            None => out.push(&self.scratch),
        }
        self.push_cpu(entry, out);
    }

    /// Renders the arguments with the event's format string into `scratch`.
    fn format(&mut self, entry: &Entry<'_>) {
        let index = entry.schema_index as usize;
        if self.formats.len() <= index {
            self.formats.resize(index + 1, None);
        }
        let planned = self.formats[index].get_or_insert_with(|| Box::new(plan(entry.schema)));
        let (format, types) = &**planned;
        // Generators allow at most ten arguments, but old files can have more.
        let mut few = [Value::Integer(0); 16];
        let mut many = Vec::new();
        let values = match few.get_mut(..entry.schema.kinds.len()) {
            Some(values) => values,
            None => {
                many.resize(entry.schema.kinds.len(), Value::Integer(0));
                &mut many[..]
            }
        };
        let mut count = 0;
        // Escape line breaks in strings, because a record is one line.
        let escapes = if self.options.harmless { Escapes::Controls } else { Escapes::LineBreaks };
        let mut any_odd = self.options.harmless;
        for (slot, value) in values.iter_mut().zip(entry.values()) {
            any_odd |= matches!(value, Value::Str(bytes) if bytes.iter().any(|&byte| escapes.contains(byte)));
            *slot = value;
            count += 1;
        }
        let values = &values[..count];
        self.scratch.clear();
        if any_odd {
            format.render(types, values, &mut Escaping { out: &mut self.scratch, escapes });
        } else {
            format.render(types, values, &mut self.scratch);
        }
    }

    fn is_formatted(&self, entry: &Entry<'_>) -> bool {
        !entry.is_dropped()
            && (self.options.style != LineStyle::Simpletrace || self.options.values == ValueStyle::Format)
    }
}

fn plan(schema: &Schema) -> FormatPlan {
    let format = Format::parse_prefixed(schema.format_prefix, schema.format.as_deref().unwrap_or_default())
        .with_enumerations(schema.arguments.iter().map(|argument| argument.enumeration.clone()));
    (format, schema.arguments.iter().map(|argument| argument.ctype).collect())
}

/// Returns `bytes` with control characters as C escapes.
fn escape(bytes: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(bytes.len() + 8);
    Escaping { out: &mut escaped, escapes: Escapes::Controls }.push_bytes(bytes);
    escaped
}

fn push_typed(ctype: CType, bits: u64, out: &mut Reserved<'_>) {
    match ctype {
        CType::Integer { .. } => {
            let number = ctype.number(bits);
            if number < 0 {
                out.push_byte(b'-');
            }
            push_decimal(number.unsigned_abs() as u64, out);
        }
        CType::Bool => out.push(if ctype.narrow(bits) == 0 { b"false" } else { b"true" }),
        CType::Double => push_double(bits, out),
        _ => {
            out.push(b"0x");
            push_hex(bits, out);
        }
    }
}

impl Render for LineText {
    fn render(&mut self, entry: &Entry<'_>, out: &mut TextBuffer) {
        let (is_first, line_at) = (self.last_ns.is_none(), out.len());
        let longest = |argument: &SchemaArgument| argument.name.len() + 64 + argument.longest_constant();
        let names: usize = entry.schema.arguments.iter().map(longest).sum();
        self.scratch.clear();
        if self.is_formatted(entry) {
            self.format(entry);
        }
        let formatted = self.scratch.len();
        let strings = 8 * entry.payload.len();
        let mut space = out
            .reserve(names + NUMBER_BYTES + entry.schema.name.len() + 4 * TIME_BYTES + formatted + strings);
        match self.options.style {
            LineStyle::Simpletrace => self.simpletrace(entry, &mut space),
            _ => self.log(entry, &mut space),
        }
        space.push_byte(b'\n');
        space.keep();
        if is_first && let Some(first) = &mut self.first_time {
            first.at = first.at.start + line_at..first.at.end + line_at;
        }
        self.last_ns = Some(entry.timestamp_ns);
    }

    fn render_block(&mut self, _: &mut BlockRecords<'_, '_>, _: &mut TextBuffer) {}

    fn resume_after(&mut self, last_ns: Option<u64>) {
        self.last_ns = last_ns;
        self.first_time = None;
    }

    fn last_ns(&self) -> Option<u64> {
        self.last_ns
    }

    fn first_time(&self) -> Option<FirstTime> {
        self.first_time.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::sample::{Made, Sample};

    #[test]
    fn all_arguments_are_formatted() {
        let arguments: Vec<String> = (0..20).map(|n| format!("int a{n}")).collect();
        let sample = Sample::new(&format!("many({}) \"{}\"\n", arguments.join(", "), "%d".repeat(20)));
        let values: Vec<Value<'_>> = (0..20).map(|n| Value::Integer(n % 10)).collect();
        let options = LineOptions {
            style: LineStyle::Log,
            values: ValueStyle::Hex,
            time: None,
            colour: false,
            harmless: false,
            raw_strings: false,
        };
        let mut out = TextBuffer::default();
        LineText::new(options, Times::default())
            .render(&sample.entry(&Made::new("many", 1, &values)), &mut out);
        assert_eq!(out.as_bytes(), b"many 01234567890123456789\n");
    }
}
