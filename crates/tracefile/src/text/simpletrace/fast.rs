//! A fast path for ordinary records in the style of the newest reader. Most large outputs have this
//! style.
//!
//! The text between two values is the same in all lines of an event. One block holds the text
//! before the first value. One block per value holds the text after it: quotes, a blank, the name
//! of the next argument, or the newline.
//!
//! All functions that the loops call for a line must be inlined into them. The loop over v4 records must not pass
//! its [`Reserved`] to a function that is not inlined. The write position then stays in a register. The decoding
//! loop of compact traces keeps it in a [`BlockSpace`] while it appends a line.

#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "functions that use instructions which not every processor has")
)]

use std::sync::Arc;

use ringtrace_wire::Little;
use ringtrace_wire::compact::{FewEvent, TakeFew};
use ringtrace_wire::simpletrace::v4::{V4, integers};
use ringtrace_wire::simpletrace::{Layout, Record};

use super::{SimpletraceText, pid_text};
use crate::read::table::Table;
use crate::read::visitor::{BlockRecords, ByDefinition, OrdinaryRecords};
#[cfg(doc)]
use crate::text::buffer::BlockSpace;
use crate::text::buffer::PushBlocks;
use crate::text::delta::{DELTA_BYTES, push_simple_delta};
use crate::text::literal::push_plain;
use crate::text::number::hex;
use crate::text::{Block, Reserved, TextBuffer};

/// The sizes of blocks: the event's name, the text from the time to the first value in compact traces, and the
/// text after a value.
const NAME_BYTES: usize = 32;
const LEAD_BYTES: usize = 64;
const AFTER_BYTES: usize = 32;

/// The text that all lines of an event share.
#[derive(Debug, Clone)]
pub(super) struct FastPlan {
    name: Block<NAME_BYTES>,
    /// The process and thread of `lead`. See [`SimpletraceText::owner`].
    owner: u64,
    /// The text from the time to the first value.
    lead: Block<48>,
    /// The part of `lead` that is independent of the owner.
    prefix: Block<32>,
    values: Arc<[FastValue]>,
    has_strings: bool,
}

#[derive(Debug, Clone)]
struct FastValue {
    is_str: bool,
    after: Block<AFTER_BYTES>,
}

impl FastPlan {
    /// Creates a plan for the lines of event `name`. Each argument is a name, and `true` if it is a
    /// string. Returns `None` if a part of the line is too long for its block.
    pub(super) fn new<'n>(
        name: &str,
        arguments: impl Iterator<Item = (&'n str, bool)>,
    ) -> Option<Box<FastPlan>> {
        let name = Block::new(format!("{name} ").as_bytes())?;
        let mut text = String::new();
        let (mut texts, mut kinds) = (Vec::new(), Vec::new());
        for (argument, is_str) in arguments {
            if !kinds.is_empty() {
                text.push(' ');
            }
            text.push_str(argument);
            text.push_str(if is_str { "=b'" } else { "=0x" });
            texts.push(std::mem::take(&mut text));
            kinds.push(is_str);
            if is_str {
                text.push('\'');
            }
        }
        text.push('\n');
        texts.push(text);
        let prefix = Block::new(texts.remove(0).as_bytes())?;
        let values: Option<Arc<[FastValue]>> = kinds
            .iter()
            .zip(&texts)
            .map(|(&is_str, after)| Some(FastValue { is_str, after: Block::new(after.as_bytes())? }))
            .collect();
        let has_strings = kinds.contains(&true);
        let lead = Block::first([0; 48], 0);
        Some(Box::new(FastPlan { name, owner: 0, lead, prefix, values: values?, has_strings }))
    }

    /// Sets the plan's owner to `owner`, whose text is `pid_text`. Returns `false` if the text is
    /// too long.
    pub(super) fn belong_to(&mut self, owner: u64, pid_text: &Block<32>) -> bool {
        let mut lead = [0; 48];
        let (pid_text, prefix) = (pid_text.as_bytes(), self.prefix.as_bytes());
        let count = pid_text.len() + prefix.len();
        let Some(text) = lead.get_mut(..count) else { return false };
        text[..pid_text.len()].copy_from_slice(pid_text);
        text[pid_text.len()..].copy_from_slice(prefix);
        (self.owner, self.lead) = (owner, Block::first(lead, count));
        true
    }

    /// Appends a line, with the text of `owner` if given, otherwise with that of the plan's owner.
    /// Returns `false` if the record does not match the plan. A part of the line may then have been
    /// appended.
    #[inline(always)]
    fn push_line(
        &self,
        last_ns: u64,
        record: &Record<'_>,
        owner: Option<&Block<32>>,
        out: &mut Reserved<'_>,
    ) -> bool {
        out.push_block(&self.name);
        if !push_simple_delta(last_ns, record.timestamp_ns, out) {
            return false;
        }
        match owner {
            Some(text) => out.push_both(text, &self.prefix),
            None => out.push_block(&self.lead),
        }
        if self.has_strings {
            return self.push_values(record.payload, out);
        }
        let Some(integers) = integers::<Little>(record.payload, self.values.len()) else { return false };
        for (value, integer) in self.values.iter().zip(integers) {
            out.push_both(&hex(integer), &value.after);
        }
        true
    }

    #[inline(always)]
    fn push_values(&self, payload: &[u8], out: &mut Reserved<'_>) -> bool {
        let mut rest = payload;
        for value in &*self.values {
            if value.is_str {
                let Some(string) = V4::<Little>::string(&mut rest) else { return false };
                if string.bytes.len() as u64 != string.length || !push_plain(string.bytes, out) {
                    return false;
                }
                out.push_block(&value.after);
            } else {
                let Some(integer) = V4::<Little>::integer(&mut rest, false) else { return false };
                out.push_both(&hex(integer), &value.after);
            }
        }
        rest.is_empty()
    }
}

/// The number of threads in the cache, a power of two.
const CACHED_THREADS: usize = 1 << 10;

/// A cache of the rendered process and thread ids. It is for traces in which nearly every record is
/// from a different thread than the previous one.
#[derive(Debug, Clone, Default)]
pub(super) struct ThreadTexts {
    /// Owner and rendered ids, by the lowest bits of the thread.
    texts: Vec<(u64, Block<32>)>,
}

impl ThreadTexts {
    pub(super) fn prepare(&mut self) {
        if self.texts.is_empty() {
            self.texts = vec![(0, pid_text(0)); CACHED_THREADS];
        }
    }

    #[inline(always)]
    fn text(&mut self, owner: u64) -> Option<&Block<32>> {
        let entry = self.texts.get_mut((owner >> 32) as usize & (CACHED_THREADS - 1))?;
        if entry.0 != owner {
            renew(entry, owner);
        }
        Some(&entry.1)
    }
}

#[cold]
#[inline(never)]
fn renew(entry: &mut (u64, Block<32>), owner: u64) {
    *entry = (owner, pid_text(owner));
}

/// What the lines of the definitions in a block have in common.
#[derive(Debug, Clone, Default)]
pub(super) struct BlockLines {
    lines: ByDefinition<BlockLine>,
    /// The number of changes of the table for which `lines` is valid.
    changes: u64,
}

/// The text that all lines of a definition share.
#[derive(Debug, Clone)]
struct BlockLine {
    name: Block<NAME_BYTES>,
    /// The text from the time to the first value.
    lead: Block<LEAD_BYTES>,
    values: Arc<[FastValue]>,
}

/// The largest total size of the blocks of a line without values.
const LINE_BYTES: usize = NAME_BYTES + DELTA_BYTES + LEAD_BYTES;
/// The total size of the blocks of a value: the digits, and the text after them.
const VALUE_BYTES: usize = 16 + AFTER_BYTES;

impl BlockLines {
    pub(super) fn clear(&mut self) {
        self.lines.clear();
    }
}

/// Appends lines of records while they are decoded.
struct BlockWriter<'w> {
    lines: &'w mut ByDefinition<BlockLine>,
    space: Reserved<'w>,
    last_ns: u64,
    /// The number of appended lines.
    count: u64,
    table: &'w Table,
    plans: &'w [Option<Box<FastPlan>>],
    threads: (u64, bool),
}

impl BlockWriter<'_> {
    /// Finds the text of the lines of a definition with these ids. Returns `None` if a record with this
    /// definition needs [`render`](crate::text::Render::render).
    #[cold]
    #[inline(never)]
    fn find(&mut self, definition: usize, (id, pid): (u64, u32)) -> Option<()> {
        let plan = self.plans.get(self.table.schema(id)? as usize)?.as_ref()?;
        let (thread_mask, has_threads) = self.threads;
        let owner = u64::from(pid) | id & thread_mask;
        let has_owner = has_threads && id >> 63 == 0 || owner >> 32 == 0;
        if plan.has_strings || !has_owner {
            return None;
        }
        let lead = [pid_text(owner).as_bytes(), plan.prefix.as_bytes()].concat();
        let line = BlockLine { name: plan.name, lead: Block::new(&lead)?, values: Arc::clone(&plan.values) };
        self.lines.insert(definition, line);
        Some(())
    }
}

impl TakeFew for BlockWriter<'_> {
    #[inline(always)]
    fn take<const N: usize>(&mut self, event: FewEvent<'_>, timestamp_ns: u64, values: &[u64; N]) -> bool {
        let is_known = self.lines.get(event.definition).is_some();
        if !is_known && self.find(event.definition, event.ids()).is_none() {
            return false;
        }
        let Some(line) = self.lines.get(event.definition) else { return false };
        // The declaration can have another number of arguments than the record.
        let Some(forms) = line.values.first_chunk::<N>().filter(|_| line.values.len() == N) else {
            return false;
        };
        let Some(mut text) = self.space.blocks(LINE_BYTES + N * VALUE_BYTES) else { return false };
        text.push_block(&line.name);
        if !push_simple_delta(self.last_ns, timestamp_ns, &mut text) {
            return false;
        }
        text.push_block(&line.lead);
        for (form, integer) in forms.iter().zip(values) {
            text.push_both(&hex(*integer), &form.after);
        }
        text.keep();
        self.last_ns = timestamp_ns;
        self.count += 1;
        true
    }
}

/// Returns whether the processor has AVX2, BMI1, BMI2 and LZCNT, with which the loops over lines are compiled a
/// second time. LZCNT counts the digits of a number faster than BSR on AMD's processors, and a block of 32 bytes is
/// copied at once. `print` is 5 to 8% faster.
#[cfg(target_arch = "x86_64")]
#[inline]
fn has_avx2_and_bmi() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
}

impl SimpletraceText {
    /// Appends lines of records with the arguments that are declared, all integers.
    pub(super) fn push_block_lines(&mut self, records: &mut BlockRecords<'_, '_>, out: &mut TextBuffer) {
        #[cfg(target_arch = "x86_64")]
        if has_avx2_and_bmi() {
            // SAFETY: `has_avx2_and_bmi` tests each instruction set that the function needs.
            return unsafe { self.push_block_lines_with_avx2(records, out) };
        }
        self.push_block_lines_of_any(records, out);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn push_block_lines_with_avx2(&mut self, records: &mut BlockRecords<'_, '_>, out: &mut TextBuffer) {
        self.push_block_lines_of_any(records, out);
    }

    #[inline(always)]
    fn push_block_lines_of_any(&mut self, records: &mut BlockRecords<'_, '_>, out: &mut TextBuffer) {
        // The first line needs `render`, which records its time.
        if !self.started {
            return;
        }
        let table = records.table();
        if self.block_lines.changes != table.changes() {
            self.block_lines = BlockLines { lines: ByDefinition::default(), changes: table.changes() };
        }
        let mut writer = BlockWriter {
            lines: &mut self.block_lines.lines,
            space: out.reserve(0),
            last_ns: self.last_ns,
            count: 0,
            table,
            plans: &self.fast_plans,
            threads: (self.thread_mask, self.has_threads),
        };
        records.take_while(&mut writer, |writer| writer.count);
        let BlockWriter { space, last_ns, .. } = writer;
        space.keep();
        self.last_ns = last_ns;
    }

    pub(super) fn push_fast_lines(&mut self, records: &mut OrdinaryRecords<'_>, out: &mut TextBuffer) {
        #[cfg(target_arch = "x86_64")]
        if has_avx2_and_bmi() {
            // SAFETY: `has_avx2_and_bmi` tests each instruction set that the function needs.
            return unsafe { self.push_lines_with_avx2(records, out) };
        }
        self.push_lines_of_any(records, out);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn push_lines_with_avx2(&mut self, records: &mut OrdinaryRecords<'_>, out: &mut TextBuffer) {
        self.push_lines_of_any(records, out);
    }

    #[inline(always)]
    fn push_lines_of_any(&mut self, records: &mut OrdinaryRecords<'_>, out: &mut TextBuffer) {
        if self.has_threads {
            self.push_lines::<true>(records, out);
        } else {
            self.push_lines::<false>(records, out);
        }
    }

    /// Appends lines. With `THREADED`, each record can be from a different thread.
    #[inline(always)]
    fn push_lines<const THREADED: bool>(&mut self, records: &mut OrdinaryRecords<'_>, out: &mut TextBuffer) {
        // The first line needs `render`, which records its time.
        if !self.started {
            return;
        }
        // Use local variables: fields would be read and written again for every line.
        let SimpletraceText { thread_mask, mut last_ns, .. } = *self;
        let (plans, threads) = (self.fast_plans.as_slice(), &mut self.threads);
        let mut left = records.clone();
        let mut space = out.reserve(0);
        while let Some((record, schema_index)) = left.peek() {
            let Some(Some(plan)) = plans.get(schema_index as usize) else { break };
            let owner = u64::from(record.pid) | (record.id & thread_mask);
            let text = if THREADED { threads.text(owner) } else { None };
            if !THREADED && owner != plan.owner {
                break;
            }
            let line = space.len();
            if !plan.push_line(last_ns, &record, text, &mut space) || space.is_full() {
                space.truncate(line);
                break;
            }
            last_ns = record.timestamp_ns;
            left.skip(&record);
        }
        space.keep();
        self.last_ns = last_ns;
        *records = left;
    }
}
