//! A fast path that renders ordinary records as lines of JSON, or as rows of CSV with JSON. Text
//! that all lines of an event or of a thread share is generated once.

use std::collections::HashMap;
use std::sync::Arc;

use ringtrace_events::{CType, Enumeration};
use ringtrace_wire::Little;
use ringtrace_wire::compact::{FewEvent, TakeFew};
use ringtrace_wire::simpletrace::v4::V4;
use ringtrace_wire::simpletrace::{ArgumentKind, Layout, Record};

use super::{MAX_EXACT, is_plain};
use crate::entry::{Entry, Schema};
use crate::read::table::Table;
use crate::read::visitor::{BlockRecords, ByDefinition, OrdinaryRecords};
use crate::text::clock::{Clock, TIME_BYTES};
use crate::text::number::{NUMBER_BYTES, hex, push_decimal, push_double};
use crate::text::{Block, Reserved, TextBuffer};
use crate::traces::Times;

/// The parts of a line: HEAD TIME DATE OWNER KEY VALUE KEY VALUE .. END.
#[derive(Debug, Clone, Copy)]
pub struct LineForm {
    /// Generates the part before the time from the event's name.
    pub head: fn(&str) -> Vec<u8>,
    /// The parts around a date, if the wall clock is known.
    pub date: [&'static [u8]; 2],
    /// The part used instead of the date, if the wall clock is unknown.
    pub no_date: &'static [u8],
    /// Generates the part with an entry's process and thread.
    pub owner: fn(&Entry<'_>) -> Vec<u8>,
    /// The part before the first key, in records with arguments.
    pub begin: &'static [u8],
    /// The part after the last value.
    pub end: &'static [u8],
    /// The part used instead of the arguments, in records that have none.
    pub nothing: &'static [u8],
    /// The quotation mark of JSON strings.
    pub quote: &'static [u8],
    /// True if times that a double cannot represent exactly are quoted.
    pub quotes_times: bool,
}

/// Renders plain records that resemble earlier ones.
#[derive(Debug, Clone)]
pub struct FastLines {
    form: LineForm,
    quote: Block<2>,
    clock: Clock,
    plans: Vec<Option<Arc<LinePlan>>>,
    /// The part of a line that names the process and thread, already rendered. In the key, the
    /// lower half is the process id, and the upper half the thread id.
    owner: HashMap<u64, Arc<[u8]>>,
    last: Option<(u64, Arc<[u8]>)>,
    /// Whether ids contained the thread, and the number of changes to threads, in the last call of
    /// [`FastLines::learn`]. The parts above are valid for these.
    threads: Option<(bool, u64)>,
    /// The bits of an id that hold the thread.
    thread_mask: u64,
}

/// The text that all lines of an event share.
#[derive(Debug, Clone)]
struct LinePlan {
    head: Box<[u8]>,
    keys: Box<[Key]>,
    tail: &'static [u8],
    /// An upper limit for the size of a line, excluding its strings and its `owner` part.
    room_bytes: usize,
    has_strings: bool,
}

/// The text before a value, and the value's type.
#[derive(Debug, Clone)]
struct Key {
    text: Box<[u8]>,
    ctype: CType,
    is_str: bool,
    enumeration: Option<Arc<Enumeration>>,
}

impl FastLines {
    /// Creates a renderer of lines in the given form, with dates from `times`.
    pub fn new(form: LineForm, times: Times) -> FastLines {
        FastLines {
            form,
            quote: Block::new(form.quote).unwrap_or(Block::first([0; 2], 0)),
            clock: Clock::new(times),
            plans: Vec::new(),
            owner: HashMap::new(),
            last: None,
            threads: None,
            thread_mask: 0,
        }
    }

    /// Prepares for another part of the trace, in which threads can have other names.
    pub fn restart(&mut self) {
        self.threads = None;
    }

    /// Stores the text that later lines share with the line of `entry`. Call it for every entry
    /// that is rendered elsewhere.
    pub fn learn(&mut self, entry: &Entry<'_>) {
        let threads = (entry.threaded, entry.threads.changes());
        if self.threads != Some(threads) {
            self.threads = Some(threads);
            self.thread_mask = if entry.threaded { !0 << 32 } else { 0 };
            self.owner.clear();
            self.last = None;
        }
        if entry.is_dropped() {
            return;
        }
        let key = u64::from(entry.pid) | entry.id & self.thread_mask;
        if !self.owner.contains_key(&key) {
            self.owner.insert(key, (self.form.owner)(entry).into());
        }
        let index = entry.schema_index as usize;
        if self.plans.len() <= index {
            self.plans.resize(index + 1, None);
        }
        if self.plans[index].is_none() {
            self.plans[index] = Some(Arc::new(LinePlan::new(entry.schema, &self.form)));
        }
    }

    /// Appends the lines of those `records` that resemble earlier ones, as long as `out` has space.
    pub fn push_lines(&mut self, records: &mut OrdinaryRecords<'_>, out: &mut TextBuffer) {
        if self.threads != Some((records.is_threaded(), records.thread_changes())) {
            return;
        }
        let mut left = records.clone();
        while let Some((record, schema_index)) = left.peek() {
            let Some(Some(plan)) = self.plans.get(schema_index as usize) else { break };
            let key = u64::from(record.pid) | record.id & self.thread_mask;
            if self.last.as_ref().is_none_or(|(last, _)| *last != key) {
                let Some(owner) = self.owner.get(&key) else { break };
                self.last = Some((key, owner.clone()));
            }
            let Some((_, owner)) = &self.last else { break };
            let room_bytes = plan.room_bytes + owner.len() + record.payload.len();
            if !out.has_room(room_bytes) {
                break;
            }
            let mut line = out.reserve(room_bytes);
            line.push(&plan.head);
            push_times(&self.form, &self.quote, &mut self.clock, record.timestamp_ns, &mut line);
            line.push(owner);
            if !plan.push_values(&record, &self.quote, &mut line) {
                break;
            }
            line.push(plan.tail);
            line.keep();
            left.skip(&record);
        }
        *records = left;
    }

    /// Appends the lines of those `records` that resemble earlier ones and have only integers, as long as
    /// `out` has space.
    pub fn push_block(&mut self, records: &mut BlockRecords<'_, '_>, out: &mut TextBuffer) {
        if self.threads != Some((records.is_threaded(), records.thread_changes())) {
            return;
        }
        let table = records.table();
        let mut lines =
            BlockLines { lines: self, definitions: ByDefinition::default(), table, out, count: 0 };
        records.take_while(&mut lines, |lines| lines.count);
    }
}

/// Appends the time and the date of a record.
#[inline(always)]
fn push_times(
    form: &LineForm,
    quote: &Block<2>,
    clock: &mut Clock,
    timestamp_ns: u64,
    line: &mut Reserved<'_>,
) {
    if form.quotes_times {
        push_unsigned(timestamp_ns, quote, line);
    } else {
        push_decimal(timestamp_ns, line);
    }
    if clock.has_date() {
        line.push(form.date[0]);
        clock.push_date(timestamp_ns, 9, line);
        line.push(form.date[1]);
    } else if !form.no_date.is_empty() {
        line.push(form.no_date);
    }
}

/// Appends lines of records while they are decoded.
struct BlockLines<'l> {
    lines: &'l mut FastLines,
    definitions: ByDefinition<BlockLine>,
    table: &'l Table,
    out: &'l mut TextBuffer,
    /// The number of appended lines.
    count: u64,
}

/// The text that all lines of a definition share.
#[derive(Debug, Clone)]
struct BlockLine {
    plan: Arc<LinePlan>,
    /// The text from the date to the first value.
    lead: Box<[u8]>,
}

impl BlockLines<'_> {
    /// Finds the text of the lines of a definition with these ids. Returns `None` if a record with this
    /// definition needs [`Render::render`](crate::text::Render::render).
    #[cold]
    #[inline(never)]
    fn find(&mut self, definition: usize, (id, pid): (u64, u32)) -> Option<()> {
        let plan = self.lines.plans.get(self.table.schema(id)? as usize)?.as_ref()?;
        let owner = self.lines.owner.get(&(u64::from(pid) | id & self.lines.thread_mask))?;
        if plan.has_strings {
            return None;
        }
        let first_key = plan.keys.first().map_or(&[][..], |key| &key.text);
        let lead = [owner, first_key].concat().into();
        self.definitions.insert(definition, BlockLine { plan: Arc::clone(plan), lead });
        Some(())
    }

    /// Appends the line of a record. Not inlined, because there would be many copies.
    #[inline(never)]
    fn push(&mut self, definition: usize, timestamp_ns: u64, values: &[u64]) -> bool {
        let Some(BlockLine { plan, lead }) = self.definitions.get(definition) else { return false };
        let room_bytes = plan.room_bytes + lead.len();
        // The declaration can have another number of arguments than the record.
        if plan.keys.len() != values.len() || !self.out.has_room(room_bytes) {
            return false;
        }
        let FastLines { form, quote, clock, .. } = &mut *self.lines;
        let mut line = self.out.reserve(room_bytes);
        line.push(&plan.head);
        push_times(form, quote, clock, timestamp_ns, &mut line);
        line.push(lead);
        for (index, (key, &bits)) in plan.keys.iter().zip(values).enumerate() {
            if index > 0 {
                line.push(&key.text);
            }
            key.push_integer(bits, quote, &mut line);
        }
        line.push(plan.tail);
        line.keep();
        self.count += 1;
        true
    }
}

impl TakeFew for BlockLines<'_> {
    #[inline(always)]
    fn take<const N: usize>(&mut self, event: FewEvent<'_>, timestamp_ns: u64, values: &[u64; N]) -> bool {
        let is_known = self.definitions.get(event.definition).is_some();
        (is_known || self.find(event.definition, event.ids()).is_some())
            && self.push(event.definition, timestamp_ns, values)
    }
}

impl Key {
    #[inline(always)]
    fn push_integer(&self, bits: u64, quote: &Block<2>, out: &mut Reserved<'_>) {
        match &self.enumeration {
            Some(enumeration) => push_constant(enumeration, bits, quote, out),
            None => push_typed(self.ctype, bits, quote, out),
        }
    }
}

impl LinePlan {
    fn new(schema: &Schema, form: &LineForm) -> LinePlan {
        let head = (form.head)(&schema.name);
        let mut room_bytes = head.len() + 2 * TIME_BYTES + 2 * NUMBER_BYTES;
        let arguments = schema.arguments.iter().zip(&schema.kinds).enumerate();
        let keys: Box<[Key]> = arguments
            .map(|(index, (argument, kind))| {
                let mut text = if index == 0 { form.begin.to_vec() } else { vec![b','] };
                text.extend_from_slice(form.quote);
                // A name of the declaration language needs no escapes.
                text.extend_from_slice(argument.name.as_bytes());
                text.extend_from_slice(form.quote);
                text.push(b':');
                room_bytes += text.len() + NUMBER_BYTES + argument.longest_constant();
                Key {
                    text: text.into(),
                    ctype: argument.ctype,
                    is_str: *kind == ArgumentKind::Str,
                    enumeration: argument.enumeration.clone(),
                }
            })
            .collect();
        let tail = if keys.is_empty() { form.nothing } else { form.end };
        let has_strings = keys.iter().any(|key| key.is_str);
        LinePlan { head: head.into(), keys, tail, room_bytes: room_bytes + tail.len(), has_strings }
    }

    /// Appends the values. Returns `false` if the record's values do not match the plan, or if one
    /// needs escapes. Some of the values may then have been appended.
    #[inline(always)]
    fn push_values(&self, record: &Record<'_>, quote: &Block<2>, out: &mut Reserved<'_>) -> bool {
        let mut rest = record.payload;
        for key in &self.keys {
            out.push(&key.text);
            if key.is_str {
                let Some(string) = V4::<Little>::string(&mut rest) else { return false };
                if string.bytes.len() as u64 != string.length || !is_plain(string.bytes) {
                    return false;
                }
                out.push_block(quote);
                out.push(string.bytes);
                out.push_block(quote);
            } else {
                let Some(bits) = V4::<Little>::integer(&mut rest, false) else { return false };
                key.push_integer(bits, quote, out);
            }
        }
        rest.is_empty()
    }
}

/// Appends the name of a value of an enumeration, or the number if it has none.
#[inline(never)]
pub(super) fn push_constant(enumeration: &Enumeration, bits: u64, quote: &Block<2>, out: &mut Reserved<'_>) {
    match enumeration.name_of(bits) {
        // A C identifier needs no escapes.
        Some(name) => {
            out.push_block(quote);
            out.push(name.as_bytes());
            out.push_block(quote);
        }
        None => push_typed(CType::Integer { bytes: 4, signed: true }, bits, quote, out),
    }
}

#[inline(always)]
pub(super) fn push_typed(ctype: CType, bits: u64, quote: &Block<2>, out: &mut Reserved<'_>) {
    match ctype {
        CType::Integer { signed, .. } => {
            let bits = ctype.narrow(bits);
            let amount = if signed { bits.cast_signed().unsigned_abs() } else { bits };
            let is_negative = signed && bits.cast_signed() < 0;
            match is_negative {
                false => push_unsigned(amount, quote, out),
                true => {
                    let quote = if amount > MAX_EXACT { *quote } else { Block::first([0; 2], 0) };
                    out.push_block(&quote);
                    out.push_byte(b'-');
                    push_decimal(amount, out);
                    out.push_block(&quote);
                }
            }
        }
        CType::Bool => out.push(if ctype.narrow(bits) == 0 { b"false" } else { b"true" }),
        // JSON has neither infinity nor NaN.
        CType::Double if !f64::from_bits(bits).is_finite() => {
            out.push_block(quote);
            push_double(bits, out);
            out.push_block(quote);
        }
        CType::Double => push_double(bits, out),
        _ => {
            out.push_block(quote);
            out.push_block(&Block::full(*b"0x"));
            out.push_block(&hex(bits));
            out.push_block(quote);
        }
    }
}

#[inline(always)]
pub(super) fn push_unsigned(value: u64, quote: &Block<2>, out: &mut Reserved<'_>) {
    if value <= MAX_EXACT {
        push_decimal(value, out);
    } else {
        out.push_block(quote);
        push_decimal(value, out);
        out.push_block(quote);
    }
}

#[cfg(test)]
mod tests {
    use ringtrace_events::SourceFile;
    use ringtrace_wire::ByteOrder;
    use ringtrace_wire::simpletrace::Version;
    use ringtrace_wire::simpletrace::encode::{Encoder, Value};

    use super::*;
    use crate::text::json::FORM;
    use crate::text::{JsonText, Render};
    use crate::{Flow, Options, Reader, Visitor};

    struct Lines {
        text: JsonText,
        /// `None` disables the fast path.
        fast: Option<FastLines>,
        out: TextBuffer,
        long: usize,
    }

    impl Visitor for Lines {
        fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
            if let Some(fast) = &mut self.fast {
                fast.push_lines(records, &mut self.out);
            }
            Flow::Continue
        }

        fn entry(&mut self, entry: &Entry<'_>) -> Flow {
            if let Some(fast) = &mut self.fast {
                fast.learn(entry);
            }
            self.text.render(entry, &mut self.out);
            self.long += 1;
            Flow::Continue
        }
    }

    /// Returns the text of a trace, and the number of lines that did not use the fast path.
    fn lines(trace: &[u8], declarations: &str, fast: Option<FastLines>) -> (String, usize) {
        let options =
            Options { sources: vec![SourceFile::new("events", declarations)], ..Options::default() };
        let input = crate::Input::from_reader(Box::new(std::io::Cursor::new(trace.to_vec())));
        let mut reader = Reader::new("trace", input, &options).unwrap();
        let text = JsonText::new(Times::default());
        let mut lines = Lines { text, fast, out: TextBuffer::default(), long: 0 };
        reader.for_each_mut(&mut lines).unwrap();
        (String::from_utf8(lines.out.as_bytes().to_vec()).unwrap(), lines.long)
    }

    #[test]
    fn only_new_or_unusual_lines_leave_the_fast_path() {
        let declarations = "\
            one(int8_t a, uint64_t b, int64_t c, bool d, void *e, const char *f, double g) \"\"\n\
            none(void) \"\"\n";
        let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
        let mut bytes = Vec::new();
        encoder.header(0, 0, &mut bytes);
        encoder.mapping(0, b"one", &mut bytes);
        encoder.mapping(1, b"none", &mut bytes);
        let mut odd = 0;
        for number in 0..2000_u64 {
            let word = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (number % 64);
            let string: &[u8] = if number % 100 == 50 { b"\"\xff" } else { b"plain text" };
            odd += usize::from(number % 100 == 50);
            let mut values = [Value::Integer(word); 7];
            values[5] = Value::Str(string);
            let time_ns = if number < 1000 { number } else { (1 << 53) + number };
            encoder.record(0, time_ns, 7, &values, &mut bytes).unwrap();
            encoder.record(1, time_ns, 7, &[], &mut bytes).unwrap();
        }
        let fast = FastLines::new(FORM, Times::default());
        let (text, long) = lines(&bytes, declarations, Some(fast));
        assert!(text == lines(&bytes, declarations, None).0);
        assert_eq!(text.lines().count(), 4000);
        // Lines at the end of a full buffer or of a read window do not use the fast path either.
        assert!(long < odd + 50, "{long} lines");
    }
}
