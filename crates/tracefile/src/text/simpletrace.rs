//! The text of QEMU's own readers, byte for byte.
//!
//! ```text
//! NAME DELTA [pid=PID] ARG=0xHEX ARG=STRING...
//! ```
//!
//! DELTA is the time since the record before in microseconds.

use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::v4::V4;
use ringtrace_wire::simpletrace::{ArgumentKind, Layout, Record, Version};
use ringtrace_wire::{Little, Order};

use super::delta::{Division, push_delta, push_simple_delta};
use super::number::{NUMBER_BYTES, push_hex};
use super::{Block, Render, Room, TextBuffer};
use crate::entry::{Entry, Value};
use crate::era::{Era, EraInfo};
use crate::parallel::FirstTime;
use crate::schema::Schema;

/// No record's pid.
const NO_PID: u64 = u64::MAX;

/// Renders entries in the manner of one of QEMU's readers.
#[derive(Debug, Clone)]
pub struct SimpletraceText {
    era: &'static EraInfo,
    plans: Vec<Option<Box<Plan>>>,
    /// Whether an entry was seen: `last_ns` is known.
    started: bool,
    first_time: Option<FirstTime>,
    last_ns: u64,
    /// The pid that `pid_text` is of, or [`NO_PID`].
    pid: u64,
    /// The thread of the last entry, where threads are shown.
    tid: Option<u32>,
    show_threads: bool,
    pid_text: Block<32>,
}

/// What is the same in every line of an event.
#[derive(Debug, Clone)]
struct Plan {
    name: Piece,
    arguments: Box<[ArgumentPlan]>,
    /// Whether [`SimpletraceText::render_quick`] can do it.
    quick: bool,
    /// More than a line takes beside the bytes of its strings.
    room_bytes: usize,
}

#[derive(Debug, Clone)]
struct ArgumentPlan {
    prefix: Piece,
    is_str: bool,
}

/// A short text, in a block that is copied whole; a long one apart.
#[derive(Debug, Clone)]
struct Piece {
    block: Block<32>,
    long: Option<Box<[u8]>>,
}

impl Piece {
    fn new(text: String) -> Piece {
        match Block::new(text.as_bytes()) {
            Some(block) => Piece { block, long: None },
            None => Piece { block: Block::first([0; 32], 0), long: Some(text.into_bytes().into()) },
        }
    }

    fn room_bytes(&self) -> usize {
        32 + self.long.as_ref().map_or(0, |long| long.len())
    }

    fn push(&self, out: &mut Room<'_>) {
        match &self.long {
            Some(long) => out.push(long),
            None => self.push_short(out),
        }
    }

    /// Pushes one that is known not to be long.
    #[inline(always)]
    fn push_short(&self, out: &mut Room<'_>) {
        out.push_block(&self.block);
    }
}

impl SimpletraceText {
    /// A renderer in the manner of `era`'s reader.
    pub fn new(era: Era) -> SimpletraceText {
        SimpletraceText {
            era: era.info(),
            plans: Vec::new(),
            started: false,
            first_time: None,
            last_ns: 0,
            pid: NO_PID,
            tid: None,
            show_threads: false,
            pid_text: Block::first([0; 32], 0),
        }
    }

    fn push_arguments(&self, plan: &Plan, entry: &Entry<'_>, out: &mut Room<'_>) {
        // From v3 on there is a pid; the RFC's is in its header.
        if entry.version.info().has_pid {
            out.push_block(&self.pid_text);
        } else {
            out.push_byte(b' ');
        }
        let start = out.len();
        let mut values = entry.values();
        for argument in &plan.arguments {
            match values.next() {
                Some(Value::Integer(value)) => {
                    argument.prefix.push(out);
                    push_hex(value, out);
                }
                Some(Value::Str(bytes)) => {
                    argument.prefix.push(out);
                    if self.era.bytes_literals {
                        push_bytes_literal(bytes, out);
                    } else {
                        out.push(bytes);
                    }
                }
                None => {}
            }
        }
        if out.len() == start && !self.era.trailing_blank {
            out.truncate(start - 1);
        }
        for (index, value) in entry.surplus().enumerate() {
            // As if they were declared, by number.
            out.push(format!(" arg{}=", plan.arguments.len() + index + 1).as_bytes());
            match value {
                Value::Integer(value) => {
                    out.push(b"0x");
                    push_hex(value, out);
                }
                Value::Str(bytes) => out.push(bytes),
            }
        }
    }

    fn prepare(&mut self, entry: &Entry<'_>) {
        if !self.started {
            self.started = true;
            self.last_ns = entry.timestamp_ns;
        }
        if self.pid != u64::from(entry.pid) || (self.show_threads && self.tid != entry.tid()) {
            self.set_pid(entry);
        }
        if !matches!(self.plans.get(entry.schema_index as usize), Some(Some(_))) {
            self.plan(entry);
        }
    }

    fn set_pid(&mut self, entry: &Entry<'_>) {
        self.pid = u64::from(entry.pid);
        self.tid = entry.tid().filter(|_| self.show_threads);
        let tid = self.tid.map_or(String::new(), |tid| format!("tid={tid} "));
        // 32 bytes hold the longest, ` pid=4294967295 tid=4294967295 `.
        self.pid_text = Block::new(format!(" pid={} {tid}", self.pid).as_bytes()).unwrap_or(self.pid_text);
    }

    #[cold]
    fn plan(&mut self, entry: &Entry<'_>) {
        let index = entry.schema_index as usize;
        if self.plans.len() <= index {
            self.plans.resize(index + 1, None);
        }
        self.plans[index] = Some(Box::new(Plan::new(entry.schema, entry, self.era)));
    }
}

impl SimpletraceText {
    /// The same with ` tid=TID` after the pid, in traces that carry threads. No QEMU reader knows that.
    #[must_use]
    pub fn with_threads(self) -> SimpletraceText {
        SimpletraceText { show_threads: true, ..self }
    }
}

impl Render for SimpletraceText {
    // A fast lane through the same text for what gigabytes are made of.
    #[inline(always)]
    fn render_quick(&mut self, record: &Record<'_>, schema_index: u32, out: &mut TextBuffer) -> bool {
        let Some(Some(plan)) = self.plans.get(schema_index as usize) else { return false };
        let high = (record.id >> 32) as u32;
        if !plan.quick
            || u64::from(record.pid) != self.pid
            || (self.show_threads && high != self.tid.unwrap_or(0))
        {
            return false;
        }
        let payload = record.payload;
        let mut line = out.room(plan.room_bytes + 4 * payload.len());
        plan.name.push_short(&mut line);
        let simple = push_simple_delta(self.last_ns, record.timestamp_ns, &mut line);
        line.push_block(&self.pid_text);
        if !simple || !push_v4_arguments::<Little>(plan, payload, &mut line) {
            return false;
        }
        line.push_byte(b'\n');
        line.keep();
        self.last_ns = record.timestamp_ns;
        true
    }

    fn render(&mut self, entry: &Entry<'_>, out: &mut TextBuffer) {
        let is_first = !self.started;
        self.prepare(entry);
        let text_bytes = out.len();
        let Some(Some(plan)) = self.plans.get(entry.schema_index as usize) else { return };
        // A byte of a string takes at most four, `\xNN`.
        let mut line = out.room(plan.room_bytes + 4 * entry.payload.len());
        plan.name.push(&mut line);
        let time_at = text_bytes + line.len();
        push_delta(self.last_ns, entry.timestamp_ns, self.era.division, &mut line);
        if is_first {
            let at = time_at..text_bytes + line.len();
            self.first_time = Some(FirstTime { at, timestamp_ns: entry.timestamp_ns });
        }
        self.last_ns = entry.timestamp_ns;
        self.push_arguments(plan, entry, &mut line);
        line.push_byte(b'\n');
        line.keep();
    }

    fn resume_after(&mut self, last_ns: Option<u64>) {
        self.started = last_ns.is_some();
        self.last_ns = last_ns.unwrap_or(0);
        self.first_time = None;
        // The next record takes the long way.
        self.pid = NO_PID;
    }

    fn last_ns(&self) -> Option<u64> {
        self.started.then_some(self.last_ns)
    }

    fn first_time(&self) -> Option<FirstTime> {
        self.first_time.clone()
    }

    fn division(&self) -> Division {
        self.era.division
    }
}

impl Plan {
    fn new(schema: &Schema, entry: &Entry<'_>, era: &EraInfo) -> Plan {
        let newest = era.bytes_literals && era.trailing_blank;
        let quick = newest && entry.version == Version::V4 && entry.order == ByteOrder::Little;
        // The first readers had names of their own for dropped records.
        let oldest = entry.is_dropped() && entry.version == Version::V0;
        let name = if oldest { "dropped" } else { &*schema.name };
        let arguments: Box<[ArgumentPlan]> = schema
            .arguments
            .iter()
            .zip(&schema.kinds)
            .enumerate()
            .map(|(index, (argument, kind))| {
                let is_str = *kind == ArgumentKind::Str;
                let name = if oldest { "count" } else { &*argument.name };
                let blank = if index == 0 { "" } else { " " };
                let prefix = if is_str { format!("{blank}{name}=") } else { format!("{blank}{name}=0x") };
                ArgumentPlan { prefix: Piece::new(prefix), is_str }
            })
            .collect();
        let name = Piece::new(format!("{name} "));
        let prefixes: usize = arguments.iter().map(|argument| argument.prefix.room_bytes()).sum();
        let room_bytes = name.room_bytes() + prefixes + NUMBER_BYTES * (arguments.len() + 4);
        let short = name.long.is_none() && arguments.iter().all(|argument| argument.prefix.long.is_none());
        // Dropped records are counted by who renders: they do not slip through.
        let quick = quick && short && !entry.is_dropped();
        Plan { name, arguments, quick, room_bytes }
    }
}

// What the quick lane calls must all be compiled into it, and hand nothing else its `Room`: then the place to
// write at stays in a register.

/// Appends the arguments; `false` when they are not exactly the payload.
#[inline(always)]
fn push_v4_arguments<O: Order>(plan: &Plan, payload: &[u8], out: &mut Room<'_>) -> bool {
    let mut rest = payload;
    for argument in &plan.arguments {
        argument.prefix.push_short(out);
        if argument.is_str {
            match V4::<O>::string(&mut rest) {
                Some(string) if string.bytes.len() as u64 == string.length => {
                    if !push_plain_literal(string.bytes, out) {
                        return false;
                    }
                }
                _ => return false,
            }
        } else {
            match V4::<O>::integer(&mut rest, false) {
                Some(value) => push_hex(value, out),
                None => return false,
            }
        }
    }
    rest.is_empty()
}

/// Appends `bytes` as Python 3 prints a bytes object: `b'..'`, or `b".."` when they have `'` and no `"`.
pub fn push_bytes_literal(bytes: &[u8], out: &mut Room<'_>) {
    let start = out.len();
    if !push_plain_literal(bytes, out) {
        out.truncate(start);
        push_escaped(bytes, out);
    }
}

/// Appends `bytes` as a bytes object without escapes; `false`, and anything, when it needs some.
#[inline(always)]
fn push_plain_literal(bytes: &[u8], out: &mut Room<'_>) -> bool {
    out.push_block(&Block::full(*b"b'"));
    // Whole blocks first, tested as they are copied; the rest through a padded one.
    let (blocks, rest) = bytes.as_chunks::<16>();
    let mut plain = true;
    for block in blocks {
        plain &= is_plain(block);
        out.push_block(&Block::full(*block));
    }
    if !rest.is_empty() {
        let mut block = [b' '; 16];
        block[..rest.len()].copy_from_slice(rest);
        plain &= is_plain(&block);
        out.push_block(&Block::first(block, rest.len()));
    }
    out.push_byte(b'\'');
    plain
}

/// Whether a bytes literal shows these bytes as they are.
#[inline(always)]
fn is_plain(block: &[u8; 16]) -> bool {
    block
        .iter()
        .fold(true, |plain, &byte| plain & (0x20..0x7f).contains(&byte) & (byte != b'\\') & (byte != b'\''))
}

#[cold]
#[inline(never)]
fn push_escaped(bytes: &[u8], out: &mut Room<'_>) {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { b'"' } else { b'\'' };
    out.push(&[b'b', quote]);
    for &byte in bytes {
        match byte {
            b'\t' => out.push(b"\\t"),
            b'\n' => out.push(b"\\n"),
            b'\r' => out.push(b"\\r"),
            b'\\' => out.push(b"\\\\"),
            _ if byte == quote => out.push(&[b'\\', byte]),
            0x20..0x7f => out.push_byte(byte),
            _ => {
                const DIGITS: &[u8; 16] = b"0123456789abcdef";
                let (high, low) = (usize::from(byte >> 4), usize::from(byte & 15));
                out.push(&[b'\\', b'x', DIGITS[high], DIGITS[low]]);
            }
        }
    }
    out.push_byte(quote);
}
