//! A walk over the records by their length fields, which examines as few of their bytes as
//! possible.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use ringtrace_wire::simpletrace::{ByLength, DROPPED_ID, Layout, Mapping, Record, Step, Tail, Version};

use super::count::{Count, Counts};
use super::{Backwards, Dropped, DroppedRecord, MAX_DROPPED_KEPT, MAX_PIDS, RecordPosition, Span};
use crate::entry::key::KeyMap;
use crate::entry::{Causes, Schema, is_possible};
use crate::error::{Anomaly, CUT_FILE_HELP, CUT_MAPPING, Error, cut_record, remainder, unknown_record_type};
use crate::read::decode::{ByDeclaration, WindowEnd};
use crate::read::state::DecodeState;
use crate::read::table::IdMeaning;

#[derive(Debug)]
pub(super) struct Walk {
    pub(super) options: WalkOptions,
    marks: WalkState,
    /// Record counts by the part of the id that selects the event.
    counts: Counts,
    /// Record counts by the part of the id that holds the thread.
    by_thread: Counts,
    /// Record counts by event name. When an id gets a name or changes it, its count moves here from
    /// `counts`.
    pub(super) named: HashMap<Box<str>, Count>,
    /// Record counts of ids without a name, also moved here from `counts`.
    pub(super) unnamed: BTreeMap<u64, Count>,
    /// The count of records with unnamed ids that do not fit into `counts`.
    pub(super) other_ids: Count,
    pub(super) threads: BTreeMap<u32, u64>,
    /// Losses by thread, if the trace contains the thread.
    pub(super) lost: BTreeMap<u32, Causes>,
    pub(super) pids: KeyMap<u32, u64>,
    pub(super) other_pids: u64,
    /// The number of records before the current run of records with the same pid.
    pid_since: u64,
    pub(super) mappings: Count,
    pub(super) span: Option<Span>,
    pub(super) backwards: Backwards,
    pub(super) dropped: Dropped,
    pub(super) checked: u64,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WalkOptions {
    /// Whether a declared record ends after its declared arguments.
    pub(super) by_declaration: bool,
    /// Whether to compare the arguments of every record with its declaration.
    pub(super) check: bool,
    /// Whether records that can only be damage are rejected. The caller then searches for the next
    /// record.
    pub(super) keep_going: bool,
    /// Whether an id without a name is damage.
    pub(super) names_expected: bool,
}

/// The variables that the loop keeps in registers.
#[derive(Debug, Clone, Copy)]
struct WalkState {
    number: u64,
    last_ns: u64,
    pid: u64,
}

const NO_PID: u64 = u64::MAX;

impl Walk {
    pub(super) fn new(options: WalkOptions) -> Walk {
        Walk {
            options,
            marks: WalkState { number: 0, last_ns: 0, pid: NO_PID },
            counts: Counts::new(),
            by_thread: Counts::of_large(),
            named: HashMap::new(),
            unnamed: BTreeMap::new(),
            other_ids: Count::default(),
            threads: BTreeMap::new(),
            lost: BTreeMap::new(),
            pids: KeyMap::default(),
            other_pids: 0,
            pid_since: 0,
            mappings: Count::default(),
            span: None,
            backwards: Backwards::default(),
            dropped: Dropped::default(),
            checked: 0,
        }
    }

    pub(super) fn records(&self) -> u64 {
        self.marks.number
    }

    /// Walks over `window`, whose first byte is at `offset` in the file. Returns the reason why the
    /// walk ended, and the number of bytes processed.
    #[inline(never)]
    pub(super) fn run<L: Layout, const PLAIN: bool>(
        &mut self,
        state: &mut DecodeState,
        window: &[u8],
        offset: u64,
    ) -> (WindowEnd, usize) {
        let mut at = 0;
        let mut marks = self.marks;
        let max_record_bytes = state.tally.max_record_bytes();
        let mut thread_bits = state.context.table.thread_bits();
        loop {
            let here = &window[at..];
            let step = if PLAIN {
                L::step_by_length(here, max_record_bytes)
            } else {
                self.framed::<L>(state, here, offset + at as u64)
            };
            // The fast path: most records are later than the previous record, and belong to a known
            // event.
            if PLAIN
                && let Step::Record(record) = &step
                && record.record_type == 1
                && record.size <= max_record_bytes
                && u64::from(record.pid) == marks.pid
                && record.timestamp_ns >= marks.last_ns
                && self.count_fast(record, thread_bits)
            {
                marks.number += 1;
                marks.last_ns = record.timestamp_ns;
                at += record.size;
                continue;
            }
            self.marks = marks;
            match step {
                // The result must not depend on how much of the record is in the window.
                Step::Record(Record { size, .. }) | Step::Mapping(Mapping { size, .. })
                    if size > max_record_bytes =>
                {
                    return (WindowEnd::NeedMore(size), at);
                }
                Step::Record(record) => match self.record::<L>(state, &record, offset + at as u64) {
                    Ok(()) => at += record.size,
                    Err(error) => return (WindowEnd::Failed(error), at),
                },
                Step::Mapping(mapping) => match self.mapping(state, &mapping, offset + at as u64) {
                    Ok(()) => at += mapping.size,
                    Err(error) => return (WindowEnd::Failed(error), at),
                },
                Step::NeedMore(need) => return (WindowEnd::NeedMore(need), at),
                Step::Fault(fault) => {
                    state.tally.number = marks.number;
                    return (WindowEnd::Failed(state.tally.fault(fault, offset + at as u64)), at);
                }
            }
            marks = self.marks;
            thread_bits = state.context.table.thread_bits();
        }
    }

    /// Counts a record of a known event and thread. Returns `false` if that needs hashing.
    #[inline(always)]
    fn count_fast(&mut self, record: &Record<'_>, thread_bits: u64) -> bool {
        let id = record.id;
        let Some(count) = self.counts.fast(id & !thread_bits).filter(|count| count.records > 0) else {
            return false;
        };
        if thread_bits != 0 {
            // No event's id has the highest bit set. Such ids take the slow path.
            match self.by_thread.fast(id & thread_bits) {
                Some(of_thread) if id >> 63 == 0 => of_thread.records += 1,
                _ if id < 1 << 32 => {}
                _ => return false,
            }
        }
        count.records += 1;
        count.bytes += record.size as u64;
        true
    }

    /// Decodes the start of `here`. A declared record ends after its declared arguments.
    fn framed<'a, L: Layout>(&self, state: &mut DecodeState, here: &'a [u8], offset: u64) -> Step<'a> {
        let by_length = L::step(here, &ByLength);
        if !self.options.by_declaration {
            return by_length;
        }
        let declared = match L::step(here, &ByDeclaration(&state.context)) {
            Step::Record(record) if state.context.table.schema(record.id).is_none() => return by_length,
            Step::Record(record) => record,
            other => return other,
        };
        if !matches!(by_length, Step::Record(record) if record.size == declared.size) {
            state.tally.number = self.marks.number;
            state.tally.note(Anomaly::Length, offset, || {
                format!(
                    "the length field is {} bytes, which does not match the declared arguments",
                    declared.length
                )
            });
        }
        Step::Record(declared)
    }

    #[inline(never)]
    fn record<L: Layout>(
        &mut self,
        state: &mut DecodeState,
        record: &Record<'_>,
        offset: u64,
    ) -> Result<(), Error> {
        state.tally.number = self.marks.number;
        if self.options.check {
            self.check::<L>(state, record, offset)?;
        }
        if record.record_type != 1 {
            state.tally.note(Anomaly::RecordType, offset, || unknown_record_type(record.record_type));
        }
        if u64::from(record.pid) != self.marks.pid {
            self.end_pid();
            self.marks.pid = u64::from(record.pid);
        }
        let before_ns = self.span.map(|_| self.marks.last_ns);
        let is_dropped =
            record.id == DROPPED_ID && state.context.table.schema(DROPPED_ID) == Some(Schema::DROPPED);
        // Dropped records in v0 traces have no time.
        if !(is_dropped && record.timestamp_ns == 0) {
            self.time(record.timestamp_ns, RecordPosition { record: self.marks.number + 1, offset });
        }
        if is_dropped {
            self.dropped::<L>(state, record, before_ns, offset);
        } else {
            self.count(state, record, offset, L::VERSION);
        }
        self.marks.number += 1;
        Ok(())
    }

    fn check<L: Layout>(
        &mut self,
        state: &mut DecodeState,
        record: &Record<'_>,
        offset: u64,
    ) -> Result<(), Error> {
        let Some(index) = state.context.table.schema(record.id) else {
            let known = !self.options.names_expected || state.context.table.is_named(record.id);
            return if known || !self.options.keep_going {
                Ok(())
            } else {
                Err(state.unknown_id(record.id, offset, L::VERSION))
            };
        };
        self.checked += 1;
        let DecodeState { context, tally, .. } = state;
        match tally.check_fit::<L>(context.schemas.get(index), record.payload, offset) {
            Err(error) if self.options.keep_going => Err(error),
            Err(error) => {
                tally.anomalies.add(Anomaly::ArgumentMismatch, || error);
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    fn time(&mut self, timestamp_ns: u64, place: RecordPosition) {
        match &mut self.span {
            None => self.span = Some(Span { smallest_ns: timestamp_ns, largest_ns: timestamp_ns }),
            Some(span) if timestamp_ns < self.marks.last_ns => {
                // As long as the time increases, the last one is the largest.
                span.largest_ns = span.largest_ns.max(self.marks.last_ns);
                span.smallest_ns = span.smallest_ns.min(timestamp_ns);
                let after_dropped = self.dropped.last_record == self.marks.number && self.dropped.records > 0;
                self.backwards.add(self.marks.last_ns - timestamp_ns, after_dropped, place);
            }
            Some(_) => {}
        }
        self.marks.last_ns = timestamp_ns;
    }

    fn dropped<L: Layout>(
        &mut self,
        state: &mut DecodeState,
        record: &Record<'_>,
        after_ns: Option<u64>,
        offset: u64,
    ) {
        let dropped = &mut self.dropped;
        let number = self.marks.number + 1;
        dropped.records += 1;
        dropped.bytes += record.size as u64;
        dropped.last_record = number;
        let Some(events) = L::integer(&mut { record.payload }, false) else {
            let have = record.payload.len();
            state.tally.note(Anomaly::ArgumentMismatch, offset, || {
                format!("the count of a dropped record needs 8 bytes, but only {have} remain")
            });
            return;
        };
        let possible = is_possible(events, L::VERSION);
        let lost = state.lost_at(offset);
        if possible {
            dropped.events = dropped.events.saturating_add(events);
            let cause = lost.map(|lost| lost.cause);
            dropped.causes.add(cause, events);
            if let Some(lost) = lost {
                self.lost.entry(lost.tid).or_default().add(cause, events);
            }
        } else {
            state.tally.note(Anomaly::DroppedCount, offset, || {
                format!("the count of dropped events, {events} ({events:#x}), is impossible: the writer miscounted")
            });
        }
        if dropped.kept.len() < MAX_DROPPED_KEPT {
            let timestamp_ns = Some(record.timestamp_ns).filter(|&ns| ns != 0);
            dropped.kept.push(DroppedRecord {
                place: RecordPosition { record: number, offset },
                timestamp_ns,
                after_ns,
                events,
                possible,
                lost,
            });
        }
    }

    fn count(&mut self, state: &mut DecodeState, record: &Record<'_>, offset: u64, version: Version) {
        let one = Count { records: 1, bytes: record.size as u64 };
        if let Some(id) = thread_id(state, record.id) {
            match self.by_thread.of(id) {
                Some(count) => count.records += 1,
                None => *self.threads.entry((id >> 32) as u32).or_default() += 1,
            }
        }
        let key = state.context.table.key(record.id);
        let Some(count) = self.counts.of(key) else {
            return self.book(state, key, one, true);
        };
        let is_first = count.records == 0;
        *count += one;
        if is_first
            && self.options.names_expected
            && state.context.table.meaning(record.id) == IdMeaning::Unknown
        {
            let error = state.unknown_id(record.id, offset, version);
            state.tally.anomalies.add(Anomaly::UnknownId, || error);
        }
    }

    /// Adds `count` to the current meaning of `id`. `crowded` means that there are too many ids for
    /// separate counts.
    fn book(&mut self, state: &DecodeState, id: u64, count: Count, crowded: bool) {
        let thread = (id >> 32) as u32;
        if state.context.threaded && thread != 0 {
            *self.threads.entry(thread).or_default() += count.records;
        }
        let counted = match state.context.table.meaning(id) {
            IdMeaning::Schema(index) => self.named_count(&state.context.schemas.get(index).name),
            IdMeaning::Undeclared(name) => self.named_count(&name),
            IdMeaning::Unknown if crowded => &mut self.other_ids,
            IdMeaning::Unknown => self.unnamed.entry(id).or_default(),
        };
        *counted += count;
    }

    fn named_count(&mut self, name: &str) -> &mut Count {
        if !self.named.contains_key(name) {
            self.named.insert(name.into(), Count::default());
        }
        self.named.get_mut(name).unwrap_or(&mut self.other_ids)
    }

    fn mapping(&mut self, state: &mut DecodeState, mapping: &Mapping<'_>, offset: u64) -> Result<(), Error> {
        state.tally.number = self.marks.number;
        // The records counted so far belong to the id's previous meaning.
        let key = state.context.table.key(mapping.id);
        let count = self.counts.take(key);
        if count.records > 0 {
            self.book(state, key, count, false);
        }
        if let Err(error) = state.map(mapping, offset) {
            if self.options.keep_going {
                return Err(error);
            }
            state.tally.anomalies.add(Anomaly::Mapping, || error);
            let DecodeState { context, .. } = state;
            let name = mapping.name.escape_ascii().to_string();
            Arc::make_mut(&mut context.table).map(mapping.id, &name, &context.schemas);
        }
        self.mappings += Count { records: 1, bytes: mapping.size as u64 };
        // List the event even if it never occurs.
        match state.context.table.meaning(mapping.id) {
            IdMeaning::Undeclared(name) => _ = self.named_count(&name),
            IdMeaning::Schema(index) => _ = self.named_count(&state.context.schemas.get(index).name),
            IdMeaning::Unknown => {}
        }
        Ok(())
    }

    /// Adds the first part of a record whose end is not in `window`. Either the file ends there, or
    /// the record is too long and `oversized` is the error message.
    pub(super) fn tail<L: Layout>(
        &mut self,
        state: &mut DecodeState,
        window: &[u8],
        offset: u64,
        need: Option<usize>,
        oversized: Option<String>,
    ) -> Result<(), Error> {
        let tail = if self.options.by_declaration {
            L::tail(window, &ByDeclaration(&state.context))
        } else {
            L::tail(window, &ByLength)
        };
        state.tally.number = self.marks.number;
        match tail {
            Tail::Fault(fault) => return Err(state.tally.fault(fault, offset).help(CUT_FILE_HELP)),
            Tail::Ignored { have, need } => {
                state.tally.note(Anomaly::Remainder, offset, || remainder(have, need));
            }
            Tail::Cut(step) => {
                let is_mapping = matches!(step, Step::Mapping(_));
                match step {
                    Step::Record(record) => self.record::<L>(state, &record, offset)?,
                    Step::Mapping(mapping) => self.mapping(state, &mapping, offset)?,
                    Step::NeedMore(_) | Step::Fault(_) => {}
                }
                match (oversized, is_mapping) {
                    (Some(message), _) => {
                        state.tally.note(Anomaly::Oversized, offset, || format!("{message}; it was skipped"));
                    }
                    (None, true) => state.tally.note(Anomaly::CutMapping, offset, || CUT_MAPPING.to_owned()),
                    (None, false) => {
                        state.tally.note(Anomaly::CutRecord, offset, || cut_record(window.len(), need));
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds the counts of the remaining ids.
    pub(super) fn end(&mut self, state: &DecodeState) {
        self.end_pid();
        if let Some(span) = &mut self.span {
            span.largest_ns = span.largest_ns.max(self.marks.last_ns);
        }
        for id in self.counts.ids() {
            let count = self.counts.take(id);
            self.book(state, id, count, false);
        }
        for id in self.by_thread.ids() {
            *self.threads.entry((id >> 32) as u32).or_default() += self.by_thread.take(id).records;
        }
    }

    fn end_pid(&mut self) {
        let records = self.marks.number - self.pid_since;
        self.pid_since = self.marks.number;
        let Ok(pid) = u32::try_from(self.marks.pid) else { return };
        let has_room = self.pids.len() < MAX_PIDS;
        match self.pids.get_mut(&pid) {
            Some(counted) => *counted += records,
            None if has_room => _ = self.pids.insert(pid, records),
            None => self.other_pids += records,
        }
    }
}

/// Returns the key under which the thread of `id` is counted, if ids contain threads.
#[inline(always)]
fn thread_id(state: &DecodeState, id: u64) -> Option<u64> {
    state.context.table.thread(id).map(|thread| u64::from(thread) << 32)
}
