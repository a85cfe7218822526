//! The text of QEMU's own readers, byte for byte.
//!
//! ```text
//! NAME DELTA [pid=PID] ARG=0xHEX ARG=STRING...
//! ```
//!
//! DELTA is the time since the record before in microseconds: the exact difference in nanoseconds, rounded to a
//! double, divided by 1000 and printed with three decimals. Below 2^50 that is the same as integer arithmetic.

use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::v4::V4;
use ringtrace_wire::simpletrace::{ArgumentKind, Layout, Version};
use ringtrace_wire::{Little, Order};

use super::number::{NUMBER_BYTES, push_decimal, push_hex, push_thousandths};
use super::{Room, TextBuffer};
use crate::entry::{Entry, Value};
use crate::era::{Era, EraInfo};
use crate::schema::Schema;

/// Differences below this many nanoseconds print the same by integers as through a double.
const EXACT_DELTA_NS: u64 = 1 << 50;

/// Renders entries in the manner of one of QEMU's readers.
#[derive(Debug, Clone)]
pub struct SimpletraceText {
    era: &'static EraInfo,
    plans: Vec<Option<Box<Plan>>>,
    last_ns: Option<u64>,
    pid: Option<u32>,
    pid_text: [u8; 16],
    pid_bytes: usize,
}

/// What is the same in every line of an event.
#[derive(Debug, Clone)]
struct Plan {
    name: Piece,
    arguments: Box<[ArgumentPlan]>,
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
    block: [u8; 32],
    bytes: u32,
    long: Option<Box<[u8]>>,
}

impl Piece {
    fn new(text: String) -> Piece {
        let mut block = [0; 32];
        match block.get_mut(..text.len()) {
            Some(start) => {
                start.copy_from_slice(text.as_bytes());
                Piece { block, bytes: text.len() as u32, long: None }
            }
            None => Piece { block, bytes: 0, long: Some(text.into_bytes().into()) },
        }
    }

    fn room_bytes(&self) -> usize {
        self.block.len() + self.long.as_ref().map_or(0, |long| long.len())
    }

    #[inline(always)]
    fn push(&self, out: &mut Room<'_>) {
        if let Some(long) = &self.long {
            out.push(long);
        } else {
            out.push_block(&self.block, self.bytes as usize);
        }
    }
}

impl SimpletraceText {
    /// A renderer in the manner of `era`'s reader.
    pub fn new(era: Era) -> SimpletraceText {
        SimpletraceText {
            era: era.info(),
            plans: Vec::new(),
            last_ns: None,
            pid: None,
            pid_text: [0; 16],
            pid_bytes: 0,
        }
    }

    /// The time of the last entry rendered, and the way to go on after records that were rendered elsewhere.
    pub fn set_last_ns(&mut self, last_ns: Option<u64>) {
        self.last_ns = last_ns;
    }

    /// The time of the last entry rendered.
    pub fn last_ns(&self) -> Option<u64> {
        self.last_ns
    }

    /// Appends the line of `entry`, with its line end.
    #[inline(always)]
    pub fn render(&mut self, entry: &Entry<'_>, out: &mut TextBuffer) {
        let last_ns = self.last_ns.unwrap_or(entry.timestamp_ns);
        self.last_ns = Some(entry.timestamp_ns);
        self.prepare(entry);
        let Some(Some(plan)) = self.plans.get(entry.schema_index as usize) else { return };
        // A byte of a string takes at most four, `\xNN`.
        let out = &mut out.room(plan.room_bytes + 4 * entry.payload.len());
        plan.name.push(out);
        push_delta(last_ns, entry.timestamp_ns, out);
        if entry.version == Version::V4 && entry.order == ByteOrder::Little && self.era.bytes_literals {
            // What gigabytes are made of.
            out.push_block(&self.pid_text, self.pid_bytes);
            if plan.arguments.is_empty() && !self.era.trailing_blank {
                out.truncate(out.len() - 1);
            }
            push_v4_arguments::<Little>(plan, entry.payload, out);
        } else {
            self.push_any(plan, entry, out);
        }
        out.push_byte(b'\n');
    }

    #[inline(never)]
    fn push_any(&self, plan: &Plan, entry: &Entry<'_>, out: &mut Room<'_>) {
        // From v3 on there is a pid; the RFC's is in its header.
        out.push_block(&self.pid_text, if entry.version.info().has_pid { self.pid_bytes } else { 1 });
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
                None => continue,
            }
            out.push_byte(b' ');
        }
        if !(self.era.trailing_blank && plan.arguments.is_empty()) {
            out.truncate(out.len() - 1);
        }
    }

    #[inline(always)]
    fn prepare(&mut self, entry: &Entry<'_>) {
        if self.pid != Some(entry.pid) {
            self.set_pid(entry.pid);
        }
        if !matches!(self.plans.get(entry.schema_index as usize), Some(Some(_))) {
            self.plan(entry);
        }
    }

    #[cold]
    fn set_pid(&mut self, pid: u32) {
        let text = format!(" pid={pid} ");
        self.pid_bytes = text.len();
        self.pid_text = [0; 16];
        self.pid_text[..text.len()].copy_from_slice(text.as_bytes());
        self.pid = Some(pid);
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

impl Plan {
    fn new(schema: &Schema, entry: &Entry<'_>, era: &EraInfo) -> Plan {
        // The first readers had names of their own for dropped records.
        let oldest = entry.is_dropped() && entry.version == Version::V0;
        let name = if oldest { "dropped" } else { &*schema.name };
        let arguments: Box<[ArgumentPlan]> = schema
            .arguments
            .iter()
            .zip(&schema.kinds)
            .map(|(argument, kind)| {
                let is_str = *kind == ArgumentKind::Str;
                let name = if oldest { "count" } else { &*argument.name };
                let prefix = match (is_str, era.bytes_literals) {
                    (true, _) => format!("{name}="),
                    (false, _) => format!("{name}=0x"),
                };
                ArgumentPlan { prefix: Piece::new(prefix), is_str }
            })
            .collect();
        let name = Piece::new(format!("{name} "));
        let prefixes: usize = arguments.iter().map(|argument| argument.prefix.room_bytes()).sum();
        let room_bytes = name.room_bytes() + prefixes + NUMBER_BYTES * (arguments.len() + 4);
        Plan { name, arguments, room_bytes }
    }
}

#[inline(always)]
fn push_delta(last_ns: u64, now_ns: u64, out: &mut Room<'_>) {
    let delta_ns = now_ns.wrapping_sub(last_ns);
    if now_ns >= last_ns && delta_ns < EXACT_DELTA_NS {
        push_thousandths(delta_ns, out);
    } else {
        push_odd_delta(last_ns, now_ns, out);
    }
}

#[cold]
#[inline(never)]
fn push_odd_delta(last_ns: u64, now_ns: u64, out: &mut Room<'_>) {
    use std::fmt::Write;
    let delta_ns = i128::from(now_ns) - i128::from(last_ns);
    // Writing to a buffer does not fail.
    let _ = write!(out, "{:.3}", delta_ns as f64 / 1000.0);
}

#[inline(always)]
fn push_v4_arguments<O: Order>(plan: &Plan, payload: &[u8], out: &mut Room<'_>) {
    let mut rest = payload;
    let mut first = true;
    for argument in &plan.arguments {
        if !first {
            out.push_byte(b' ');
        }
        first = false;
        argument.prefix.push(out);
        if argument.is_str {
            if let Some(string) = V4::<O>::string(&mut rest) {
                push_bytes_literal(string.bytes, out);
            }
        } else if let Some(value) = V4::<O>::integer(&mut rest, false) {
            push_hex(value, out);
        }
    }
}

/// Appends `bytes` as Python 3 prints a bytes object: `b'..'`, or `b".."` when they have `'` and no `"`.
#[inline]
pub fn push_bytes_literal(bytes: &[u8], out: &mut Room<'_>) {
    out.push_block(b"b'", 2);
    let start = out.len();
    // Whole blocks first, tested as they are copied; the rest through a padded one.
    let (blocks, rest) = bytes.as_chunks::<16>();
    let mut plain = true;
    for block in blocks {
        plain &= is_plain(block);
        out.push_block(block, 16);
    }
    if !rest.is_empty() {
        let mut block = [b' '; 16];
        block[..rest.len()].copy_from_slice(rest);
        plain &= is_plain(&block);
        out.push_block(&block, rest.len());
    }
    if !plain {
        out.truncate(start - 1);
        push_escaped(bytes, out);
        return;
    }
    out.push_byte(b'\'');
}

/// Whether a bytes literal shows these bytes as they are.
#[inline(always)]
fn is_plain(block: &[u8; 16]) -> bool {
    block
        .iter()
        .fold(true, |plain, &byte| plain & (byte >= 0x20) & (byte < 0x7f) & (byte != b'\\') & (byte != b'\''))
}

#[cold]
#[inline(never)]
fn push_escaped(bytes: &[u8], out: &mut Room<'_>) {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { b'"' } else { b'\'' };
    out.push_byte(quote);
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
