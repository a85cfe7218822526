//! A fast lane for what gigabytes are made of: the newest reader's lines of ordinary records.
//!
//! Between two values of an event's lines stands always the same text. So there is a block for the text before the
//! first value and one after each, with everything that goes there: quotes, a blank, the name of the next argument,
//! the line end.
//!
//! Everything that the loop calls must be compiled into it, and it must not hand its [`Room`] to anything else:
//! then the place to write at stays in a register.

use ringtrace_wire::Little;
use ringtrace_wire::simpletrace::v4::{V4, integers};
use ringtrace_wire::simpletrace::{Layout, Record};

use super::SimpletraceText;
use crate::ordinary::OrdinaryRecords;
use crate::text::delta::push_simple_delta;
use crate::text::literal::push_plain;
use crate::text::number::hex;
use crate::text::{Block, Room, TextBuffer};

/// What is the same in all lines of an event.
#[derive(Debug, Clone)]
pub(super) struct QuickPlan {
    name: Block<32>,
    /// Whose lines begin with `lead`: see [`SimpletraceText::whose`].
    whose: u64,
    /// The text before the first value, from behind the time on.
    lead: Block<48>,
    /// The part of it that is the same for everybody.
    prefix: Box<[u8]>,
    values: Box<[QuickValue]>,
    has_strings: bool,
}

#[derive(Debug, Clone)]
struct QuickValue {
    is_str: bool,
    /// The text after it.
    after: Block<32>,
}

impl QuickPlan {
    /// A plan for lines of the event `name`, with arguments that are strings or not; `None` when some text is too
    /// long for its block.
    pub(super) fn new<'n>(
        name: &str,
        arguments: impl Iterator<Item = (&'n str, bool)>,
    ) -> Option<Box<QuickPlan>> {
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
        let prefix = texts.remove(0).into_bytes().into();
        let values: Option<Box<[QuickValue]>> = kinds
            .iter()
            .zip(&texts)
            .map(|(&is_str, after)| Some(QuickValue { is_str, after: Block::new(after.as_bytes())? }))
            .collect();
        let has_strings = kinds.contains(&true);
        let lead = Block::first([0; 48], 0);
        Some(Box::new(QuickPlan { name, whose: 0, lead, prefix, values: values?, has_strings }))
    }

    /// Makes it a plan for lines of `whose`, with `pid_text`; `false` when that is too long.
    pub(super) fn belong_to(&mut self, whose: u64, pid_text: &Block<32>) -> bool {
        let mut lead = [0; 48];
        let (pid_text, prefix) = (pid_text.as_bytes(), &*self.prefix);
        let count = pid_text.len() + prefix.len();
        let Some(text) = lead.get_mut(..count) else { return false };
        text[..pid_text.len()].copy_from_slice(pid_text);
        text[pid_text.len()..].copy_from_slice(prefix);
        (self.whose, self.lead) = (whose, Block::first(lead, count));
        true
    }

    /// Appends the line; `false`, and anything, when it is not such a line after all.
    #[inline(always)]
    fn push_line(&self, last_ns: u64, record: &Record<'_>, out: &mut Room<'_>) -> bool {
        out.push_block(&self.name);
        if !push_simple_delta(last_ns, record.timestamp_ns, out) {
            return false;
        }
        out.push_block(&self.lead);
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
    fn push_values(&self, payload: &[u8], out: &mut Room<'_>) -> bool {
        let mut rest = payload;
        for value in &self.values {
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

impl SimpletraceText {
    pub(super) fn push_quick_lines(&mut self, records: &mut OrdinaryRecords<'_>, out: &mut TextBuffer) {
        // The first line is for who remembers its time.
        if !self.started {
            return;
        }
        // In variables of their own: fields would be read and written again for every line.
        let SimpletraceText { thread_mask, mut last_ns, .. } = *self;
        let plans = self.quick_plans.as_slice();
        let mut left = records.clone();
        let mut room = out.room(0);
        while let Some((record, schema_index)) = left.peek() {
            let Some(Some(plan)) = plans.get(schema_index as usize) else { break };
            if u64::from(record.pid) | (record.id & thread_mask) != plan.whose {
                break;
            }
            let line = room.len();
            if !plan.push_line(last_ns, &record, &mut room) || room.is_full() {
                room.truncate(line);
                break;
            }
            last_ns = record.timestamp_ns;
            left.skip(&record);
        }
        room.keep();
        self.last_ns = last_ns;
        *records = left;
    }
}
