//! Prints matching events with the events around them.

use std::collections::{HashMap, VecDeque};

use ringtrace_tracefile::metadata::Lost;
use ringtrace_tracefile::text::{Render, TextBuffer};
use ringtrace_tracefile::{
    Dropped, Entry, Filter, Flow, Modules, RecordContext, Schema, Threads, Traces, Visitor,
};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;

use crate::exit::CliError;
use crate::printing::TextOutput;
use crate::reading::ReadOutcome;

const FLUSH_BYTES: usize = 1 << 16;

/// The limits of the output.
#[derive(Debug, Clone, Copy)]
pub struct ContextLimits {
    /// The number of events before and after each match.
    pub around: usize,
    /// The maximum number of lines, without separators.
    pub head: Option<u64>,
    /// Whether a line `--` separates groups of lines that are not adjacent in the traces.
    pub separates: bool,
}

/// Prints the events that the filter of `traces` selects, and those around them. `text` renders
/// them.
pub fn print<R: Render>(
    traces: &mut Traces,
    text: R,
    limits: ContextLimits,
    output: TextOutput,
) -> Result<ReadOutcome, CliError> {
    let filter = traces.filter().clone();
    // Read all events: the events around a match need not match.
    traces.set_filter(Filter::default());
    let mut printer = ContextPrinter {
        filter: filter.clone(),
        text,
        out: TextBuffer::with_capacity(2 * FLUSH_BYTES),
        output,
        error: None,
        limits,
        before: VecDeque::new(),
        spare: Vec::new(),
        schemas: HashMap::new(),
        programs: HashMap::new(),
        after: 0,
        is_adjacent: true,
        left: limits.head.unwrap_or(u64::MAX),
        has_matched: false,
        dropped: Dropped::default(),
    };
    let failed = match printer.left {
        0 => Vec::new(),
        _ => traces.for_each(&mut printer).err().unwrap_or_default(),
    };
    printer.flush();
    traces.set_filter(filter);
    if printer.has_matched || printer.left == 0 {
        traces.set_has_matched();
    }
    match printer.error {
        Some(error) => Err(error),
        None => Ok(ReadOutcome { failed, dropped: printer.dropped, is_partial: limits.head.is_some() }),
    }
}

struct ContextPrinter<R> {
    filter: Filter,
    text: R,
    out: TextBuffer,
    output: TextOutput,
    error: Option<CliError>,
    limits: ContextLimits,
    /// The last events that were not printed, oldest first.
    before: VecDeque<KeptEntry>,
    /// Unused memory for payloads.
    spare: Vec<Vec<u8>>,
    /// Schemas of events in `before`, by schema index.
    schemas: HashMap<u32, Schema>,
    /// The threads and modules of traces with events in `before`, by the number of the trace.
    programs: HashMap<u32, Program>,
    /// The number of events still to print after the last match.
    after: usize,
    /// Whether the next event directly follows the last printed one in the traces.
    is_adjacent: bool,
    /// The number of lines still to print.
    left: u64,
    has_matched: bool,
    dropped: Dropped,
}

impl<R: Render> Visitor for ContextPrinter<R> {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self.dropped.count(entry);
        // Records of dropped events pass filters, but are not matches.
        if !entry.is_dropped() && self.filter.accepts(entry) {
            if !self.is_adjacent && self.has_matched && self.limits.separates {
                self.out.push(b"--\n");
            }
            self.has_matched = true;
            while let Some(kept) = self.before.pop_front() {
                if let Some(schema) = self.schemas.get(&kept.schema_index)
                    && let Some(program) = self.programs.get(&kept.trace)
                {
                    self.text.render(&kept.entry(schema, program), &mut self.out);
                }
                self.spare.push(kept.payload);
                self.left -= 1;
                if self.left == 0 {
                    return Flow::Stop;
                }
            }
            self.after = self.limits.around + 1;
        }
        if self.after > 0 {
            self.after -= 1;
            self.is_adjacent = true;
            self.text.render(entry, &mut self.out);
            self.left -= 1;
        } else {
            self.keep(entry);
        }
        match self.left {
            0 => Flow::Stop,
            _ if self.out.len() < FLUSH_BYTES => Flow::Continue,
            _ => self.flush(),
        }
    }

    fn idle(&mut self) {
        self.flush();
    }
}

impl<R> ContextPrinter<R> {
    /// Keeps an event that may be printed before a match.
    fn keep(&mut self, entry: &Entry<'_>) {
        if self.before.len() == self.limits.around {
            // An event remains unprinted.
            self.is_adjacent = false;
            match self.before.pop_front() {
                Some(oldest) => self.spare.push(oldest.payload),
                None => return,
            }
        }
        self.schemas.entry(entry.schema_index).or_insert_with(|| entry.schema.clone());
        self.programs.entry(entry.trace).or_default().update(entry);
        let mut payload = self.spare.pop().unwrap_or_default();
        payload.clear();
        payload.extend_from_slice(entry.payload);
        self.before.push_back(KeptEntry::new(entry, payload));
    }

    fn flush(&mut self) -> Flow {
        if self.error.is_none() {
            self.error = self.output.write(self.out.as_bytes()).err();
        }
        self.out.clear();
        if self.error.is_none() { Flow::Continue } else { Flow::Stop }
    }
}

/// What is known about the program that wrote a trace. Events of another trace may precede the event
/// that is printed.
#[derive(Default)]
struct Program {
    threads: Threads,
    modules: Modules,
}

impl Program {
    /// Copies what has become known up to `entry`.
    fn update(&mut self, entry: &Entry<'_>) {
        // Files of one trace can have different names.
        let name = entry.tid().and_then(|tid| self.threads.name(tid));
        if self.threads.changes() != entry.threads.changes() || name != entry.thread_name() {
            self.threads = entry.threads.clone();
        }
        if self.modules.changes() != entry.modules.changes() {
            self.modules = entry.modules.clone();
        }
    }
}

/// The fields of an [`Entry`] that are not shared with other entries.
struct KeptEntry {
    number: u64,
    offset: u64,
    timestamp_ns: u64,
    id: u64,
    pid: u32,
    schema_index: u32,
    payload: Vec<u8>,
    record_bytes: usize,
    version: Version,
    order: ByteOrder,
    threaded: bool,
    lost: Option<Lost>,
    trace: u32,
    scope: u32,
    date_shift_ns: i64,
    context_words: Box<[u8]>,
}

impl KeptEntry {
    fn new(entry: &Entry<'_>, payload: Vec<u8>) -> KeptEntry {
        let Entry {
            number, offset, timestamp_ns, id, pid, schema_index, record_bytes, version, order, ..
        } = *entry;
        let (threaded, lost) = (entry.threaded, entry.lost);
        let context_words = entry.context.words().into();
        KeptEntry {
            number,
            offset,
            timestamp_ns,
            id,
            pid,
            schema_index,
            payload,
            record_bytes,
            version,
            order,
            threaded,
            lost,
            trace: entry.trace,
            scope: entry.scope,
            date_shift_ns: entry.date_shift_ns,
            context_words,
        }
    }

    /// Returns the kept event.
    fn entry<'k>(&'k self, schema: &'k Schema, program: &'k Program) -> Entry<'k> {
        Entry {
            number: self.number,
            offset: self.offset,
            timestamp_ns: self.timestamp_ns,
            id: self.id,
            pid: self.pid,
            schema,
            schema_index: self.schema_index,
            payload: &self.payload,
            record_bytes: self.record_bytes,
            version: self.version,
            order: self.order,
            threaded: self.threaded,
            lost: self.lost,
            threads: &program.threads,
            context: RecordContext::from_words(&self.context_words),
            modules: &program.modules,
            trace: self.trace,
            scope: self.scope,
            date_shift_ns: self.date_shift_ns,
        }
    }
}
