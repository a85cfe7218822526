//! The text of QEMU's own readers, byte for byte.
//!
//! ```text
//! NAME DELTA [pid=PID] ARG=0xHEX ARG=STRING...
//! ```
//!
//! DELTA is the time since the previous record, in microseconds.

mod fast;

use std::io::Write;
use std::sync::Arc;

use ringtrace_events::{CType, Enumeration};
use ringtrace_wire::simpletrace::{ArgumentKind, Version};

use super::delta::push_delta;
use super::literal::push_bytes_literal;
use super::number::{NUMBER_BYTES, push_decimal, push_double, push_hex};
use super::{Block, Render, Reserved, TextBuffer};
use crate::entry::{Entry, Schema, SchemaArgument, Value};
use crate::read::era::{Division, Era, EraInfo};
use crate::read::visitor::{BlockRecords, OrdinaryRecords};
use crate::text::FirstTime;
use fast::{BlockLines, FastPlan, ThreadTexts};

/// The bits of an id that hold the thread.
const THREAD_MASK: u64 = !0 << 32;

/// Renders entries in the style of one of QEMU's readers.
#[derive(Debug, Clone)]
pub struct SimpletraceText {
    era: &'static EraInfo,
    plans: Vec<Option<Box<LinePlan>>>,
    fast_plans: Vec<Option<Box<FastPlan>>>,
    block_lines: BlockLines,
    /// True after the first entry. `last_ns` is then valid.
    started: bool,
    first_time: Option<FirstTime>,
    last_ns: u64,
    has_threads: bool,
    threads: ThreadTexts,
    /// The owner of `pid_text`. The lower half is the pid. The upper half holds the bits of the id
    /// that `thread_mask` selects.
    owner: Option<u64>,
    /// The bits of an id that hold the thread if threads are shown, otherwise 0.
    thread_mask: u64,
    pid_text: Block<32>,
}

/// The text that all lines of an event share.
#[derive(Debug, Clone)]
struct LinePlan {
    name: Piece,
    prefixes: Box<[Piece]>,
    values: Box<[ValueForm]>,
    /// An upper limit for the size of a line, excluding the bytes of its strings.
    room_bytes: usize,
}

/// How a value is printed.
#[derive(Debug, Clone)]
enum ValueForm {
    /// In hex, or as a string.
    Plain,
    /// In decimal.
    Double,
    /// By its name, or in decimal.
    Constant(Arc<Enumeration>),
}

impl ValueForm {
    fn push(&self, bits: u64, out: &mut Reserved<'_>) {
        match self {
            ValueForm::Plain => push_hex(bits, out),
            ValueForm::Double => push_double(bits, out),
            ValueForm::Constant(enumeration) => match enumeration.name_of(bits) {
                Some(name) => out.push(name.as_bytes()),
                None => {
                    let number = bits as i32;
                    out.push(if number < 0 { b"-" } else { b"" });
                    push_decimal(number.unsigned_abs().into(), out);
                }
            },
        }
    }
}

/// A byte string, which is stored in a block if it is short.
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

    fn push(&self, out: &mut Reserved<'_>) {
        match &self.long {
            Some(long) => out.push(long),
            None => out.push_block(&self.block),
        }
    }
}

impl SimpletraceText {
    /// Creates a renderer in the style of `era`'s reader.
    pub fn new(era: Era) -> SimpletraceText {
        SimpletraceText {
            era: era.info(),
            plans: Vec::new(),
            fast_plans: Vec::new(),
            block_lines: BlockLines::default(),
            started: false,
            first_time: None,
            last_ns: 0,
            has_threads: false,
            threads: ThreadTexts::default(),
            owner: None,
            thread_mask: 0,
            pid_text: Block::first([0; 32], 0),
        }
    }

    fn push_arguments(&self, plan: &LinePlan, entry: &Entry<'_>, out: &mut Reserved<'_>) {
        // Records have a pid since v3. In the RFC's format it is in the header.
        if entry.version.info().has_pid {
            out.push_block(&self.pid_text);
        } else {
            out.push_byte(b' ');
        }
        let start = out.len();
        let mut values = entry.values();
        for (prefix, form) in plan.prefixes.iter().zip(&plan.values) {
            match values.next() {
                Some(Value::Integer(bits)) if !matches!(form, ValueForm::Plain) => {
                    prefix.push(out);
                    form.push(bits, out);
                }
                Some(Value::Integer(value)) => {
                    prefix.push(out);
                    push_hex(value, out);
                }
                Some(Value::Str(bytes)) => {
                    prefix.push(out);
                    if self.era.bytes_literals {
                        push_bytes_literal(bytes, out);
                    } else {
                        out.push(bytes);
                    }
                }
                None => {}
            }
        }
        if let Some(lost) = entry.lost
            && self.thread_mask != 0
        {
            out.push(b" cause=");
            out.push(lost.cause.word().as_bytes());
        }
        let cpu = entry.context.cpu().filter(|_| self.thread_mask != 0);
        if let Some(cpu) = cpu {
            out.push(if out.len() == start { b"cpu=" } else { b" cpu=" });
            push_decimal(cpu.into(), out);
        }
        if out.len() == start && !self.era.trailing_blank {
            out.truncate(start - 1);
        }
        for (index, value) in entry.surplus().enumerate() {
            // Print surplus values like declared ones, with a number as the name.
            out.push(format!(" arg{}=", plan.prefixes.len() + index + 1).as_bytes());
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
        let tid = entry.tid().filter(|_| self.thread_mask != 0);
        let owner = u64::from(entry.pid) | u64::from(tid.unwrap_or(0)) << 32;
        if self.owner != Some(owner) {
            self.owner = Some(owner);
            self.pid_text = pid_text(owner);
        }
        // Rendering may have restarted at an entry before the declaration of threads. Clear the
        // flag in that case.
        self.has_threads = entry.threaded && (self.has_threads || tid.is_some());
        if self.has_threads {
            self.threads.prepare();
        }
        let index = entry.schema_index as usize;
        if !matches!(self.plans.get(index), Some(Some(_))) {
            self.plan(entry);
        }
        if let Some(fast) = self.fast_plans.get_mut(index)
            && let Some(plan) = fast
            && !self.has_threads
            && !plan.belong_to(owner, &self.pid_text)
        {
            *fast = None;
        }
    }

    #[cold]
    fn plan(&mut self, entry: &Entry<'_>) {
        let index = entry.schema_index as usize;
        if self.plans.len() <= index {
            self.plans.resize(index + 1, None);
            self.fast_plans.resize(index + 1, None);
        }
        let plan = LinePlan::new(entry, self.thread_mask != 0);
        let has_forms = !plan.values.iter().all(|form| matches!(form, ValueForm::Plain));
        self.plans[index] = Some(Box::new(plan));
        // Dropped records must use `render`, because its callers count them.
        let newest = self.era.bytes_literals && self.era.trailing_blank;
        if newest && !entry.is_dropped() && !has_forms {
            let Schema { name, arguments, kinds, .. } = entry.schema;
            let is_str = kinds.iter().map(|kind| *kind == ArgumentKind::Str);
            let arguments = arguments.iter().map(|argument| &*argument.name).zip(is_str);
            let mut plan = FastPlan::new(name, arguments);
            // Set the owner now, for records without a thread: in a trace with threads it is never
            // set again.
            if let Some(plan) = &mut plan {
                plan.belong_to(u64::from(entry.pid), &pid_text(u64::from(entry.pid)));
            }
            self.fast_plans[index] = plan;
        }
    }

    /// Adds ` tid=TID` after the pid in traces with threads, and adds the cause to losses. Prints
    /// floating-point values in decimal, and the names of values. QEMU's readers do none of this.
    #[must_use]
    pub fn with_threads(self) -> SimpletraceText {
        SimpletraceText { thread_mask: THREAD_MASK, ..self }
    }
}

impl Render for SimpletraceText {
    fn render_fast(&mut self, records: &mut OrdinaryRecords<'_>, out: &mut TextBuffer) {
        self.push_fast_lines(records, out);
    }

    fn render_block(&mut self, records: &mut BlockRecords<'_, '_>, out: &mut TextBuffer) {
        self.push_block_lines(records, out);
    }

    fn render(&mut self, entry: &Entry<'_>, out: &mut TextBuffer) {
        let is_first = !self.started;
        self.prepare(entry);
        let text_bytes = out.len();
        let Some(Some(plan)) = self.plans.get(entry.schema_index as usize) else { return };
        // A byte of a string takes at most four bytes, as `\xNN`.
        let mut line = out.reserve(plan.room_bytes + 4 * entry.payload.len());
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
        self.block_lines.clear();
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

impl LinePlan {
    /// Creates the plan for the event of `entry`. If `is_extended` is false, floating-point values and
    /// enumerations are printed like all others, as bits.
    fn new(entry: &Entry<'_>, is_extended: bool) -> LinePlan {
        let schema = entry.schema;
        // The first readers printed a different name for dropped records.
        let oldest = entry.is_dropped() && entry.version == Version::V0;
        let name = if oldest { "dropped" } else { &*schema.name };
        let form = |argument: &SchemaArgument| match &argument.enumeration {
            Some(enumeration) if is_extended => ValueForm::Constant(Arc::clone(enumeration)),
            None if is_extended && argument.ctype == CType::Double => ValueForm::Double,
            _ => ValueForm::Plain,
        };
        let longest: usize = schema.arguments.iter().map(SchemaArgument::longest_constant).sum();
        let prefixes: Box<[Piece]> = schema
            .arguments
            .iter()
            .zip(&schema.kinds)
            .enumerate()
            .map(|(index, (argument, kind))| {
                let is_str = *kind == ArgumentKind::Str;
                let name = if oldest { "count" } else { &*argument.name };
                let blank = if index == 0 { "" } else { " " };
                let is_plain = matches!(form(argument), ValueForm::Plain);
                let hex = if is_str || !is_plain { "" } else { "0x" };
                Piece::new(format!("{blank}{name}={hex}"))
            })
            .collect();
        let name = Piece::new(format!("{name} "));
        let prefix_bytes: usize = prefixes.iter().map(Piece::room_bytes).sum();
        let room_bytes = name.room_bytes() + prefix_bytes + longest + NUMBER_BYTES * (prefixes.len() + 5);
        let values = schema.arguments.iter().map(form).collect();
        LinePlan { name, prefixes, values, room_bytes }
    }
}

/// Returns the text of a process, and of a thread if the upper half is not 0.
fn pid_text(owner: u64) -> Block<32> {
    let mut text = [0; 32];
    let mut rest = &mut text[..];
    let (pid, tid) = (owner as u32, (owner >> 32) as u32);
    // 32 bytes are enough for the longest text, ` pid=4294967295 tid=4294967295 `.
    let _ = match tid {
        0 => write!(rest, " pid={pid} "),
        _ => write!(rest, " pid={pid} tid={tid} "),
    };
    let count = 32 - rest.len();
    Block::first(text, count)
}

#[cfg(test)]
mod tests;
