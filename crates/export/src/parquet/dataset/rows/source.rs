//! Rows of one file, or of one trace in a row group of a merged file.

use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use ringtrace_events::glob::matches_event;
use ringtrace_tracefile::Dropped;

use super::super::merge::{Input, rows};
use super::super::staging::at;
use super::columns::{Column, Group};
use super::{Part, PartKind, Place};
use crate::dataset::{DatasetRow, RowFilter};
use crate::parquet::part::io_error;

/// The number of rows of a file that are in memory.
const BATCH: usize = 1 << 8;

const NONE: u32 = u32::MAX;

/// A row that waits for its turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    /// The time of the row, or of the end of a span.
    pub(super) at_ns: u64,
    begin_ns: u64,
    pub(super) trace: u32,
    thread: u32,
    /// The index in [`Context::ends`] of the event, or of the event that ended the span.
    end: u32,
}

/// State that all sources share.
#[derive(Debug)]
pub(super) struct Context<'f> {
    pub(super) filter: &'f RowFilter,
    /// Nanoseconds between the clock of each trace and that of the rows.
    pub(super) shifts: Vec<i128>,
    pub(super) events: HashMap<String, u32>,
    threads: HashMap<(u32, Option<i64>, Option<i64>), u32>,
    /// The last record of each event of a trace that ends spans: its time and thread.
    ends: Vec<(u64, u32)>,
    end_indices: HashMap<(u32, u32), u32>,
    /// The events that begin or end spans, by pair.
    pub(super) edges: Vec<Vec<String>>,
    pub(super) dropped: Dropped,
}

impl<'f> Context<'f> {
    pub(super) fn new(filter: &'f RowFilter, shifts: Vec<i128>, pairs: usize) -> Context<'f> {
        Context {
            filter,
            shifts,
            events: HashMap::new(),
            threads: HashMap::new(),
            ends: Vec::new(),
            end_indices: HashMap::new(),
            edges: vec![Vec::new(); pairs],
            dropped: Dropped::default(),
        }
    }

    /// Converts a time on the clock of a trace.
    fn ns(&self, trace: u32, ns: i64) -> u64 {
        placed(self.shifts[trace as usize], ns)
    }

    fn thread(&mut self, trace: u32, pid: Option<i64>, tid: Option<i64>) -> u32 {
        let next = self.threads.len() as u32;
        *self.threads.entry((trace, pid, tid)).or_insert(next)
    }

    fn end(&mut self, trace: u32, event: u32) -> u32 {
        let next = self.ends.len() as u32;
        let index = *self.end_indices.entry((trace, event)).or_insert(next);
        if index == next {
            self.ends.push((0, NONE));
        }
        index
    }

    fn selects_time(&self, ns: u64) -> bool {
        self.filter.since_ns.is_none_or(|since_ns| ns >= since_ns)
            && self.filter.until_ns.is_none_or(|until_ns| ns <= until_ns)
    }

    fn selects_owner(&self, pid: Option<i64>, tid: Option<i64>) -> bool {
        let is_one = |list: &[u32], id: Option<i64>| {
            list.is_empty() || id.is_some_and(|id| list.iter().any(|one| i64::from(*one) == id))
        };
        is_one(&self.filter.pids, pid) && is_one(&self.filter.tids, tid)
    }

    pub(super) fn excludes(&self, name: &str) -> bool {
        self.filter.exclude.iter().any(|pattern| matches_event(pattern, name))
    }

    pub(super) fn selects_event(&self, name: &str) -> bool {
        let any = |patterns: &[String]| patterns.iter().any(|pattern| matches_event(pattern, name));
        (self.filter.include.is_empty() || any(&self.filter.include)) && !self.excludes(name)
    }

    /// Returns the row of `item`, which is the next one, unless a filter rejects it.
    pub(super) fn row(&mut self, kind: PartKind, item: &Item) -> Option<DatasetRow> {
        let Item { at_ns, begin_ns, trace, thread, end } = *item;
        Some(match kind {
            PartKind::Event(event) => {
                if let Some(last) = self.ends.get_mut(end as usize) {
                    *last = (at_ns, thread);
                }
                DatasetRow::Event { event, thread, ns: at_ns }
            }
            PartKind::Dropped => DatasetRow::Lost { trace, thread, ns: at_ns },
            PartKind::Spans(pair) => {
                // The row of a span contains the thread of its begin. The record of its end, which has the same
                // time, contains the other one.
                let of_end =
                    self.ends.get(end as usize).filter(|(ns, _)| *ns == at_ns).map(|(_, thread)| *thread);
                let by_owner = !self.filter.pids.is_empty() || !self.filter.tids.is_empty();
                let thread = match of_end {
                    Some(thread) => thread,
                    None if by_owner => return None,
                    None => thread,
                };
                DatasetRow::Span { trace, pair, thread, begin_ns, end_ns: at_ns }
            }
        })
    }
}

/// Adds `shift` to a time of a trace. Times beyond 2^63 ns are negative in files.
pub(super) fn placed(shift: i128, ns: i64) -> u64 {
    let ns = i128::from(ns.cast_unsigned()) + shift;
    u64::try_from(ns.max(0)).unwrap_or(u64::MAX)
}

/// The rows of a part.
pub(super) struct Source {
    pub(super) kind: PartKind,
    pub(super) trace: u32,
    input: Arc<Input>,
    /// The row groups that are not opened yet.
    groups: Range<usize>,
    /// The rows of the only row group, if not all are read.
    only: Option<Range<usize>>,
    rows: Option<GroupRows>,
    items: Vec<Item>,
    next: usize,
    /// The size of the row groups that were opened since it was last taken.
    pub(super) opened_bytes: u64,
}

/// The columns of the current row group.
struct GroupRows {
    left: usize,
    time: Column<Int64Type>,
    pid: Column<Int64Type>,
    tid: Column<Int64Type>,
    more: More,
}

enum More {
    Event,
    Dropped(Box<DroppedColumns>),
    Span(Box<SpanColumns>),
}

struct DroppedColumns {
    cause: Column<ByteArrayType>,
    dropped: Column<Int64Type>,
}

struct SpanColumns {
    end: Column<Int64Type>,
    begins: Column<ByteArrayType>,
    ends: Column<ByteArrayType>,
}

impl Source {
    pub(super) fn open(part: &Part) -> io::Result<Source> {
        let (input, groups, only) = match &part.place {
            Place::File(path) => {
                let input = Input::open(path.clone())?;
                let groups = 0..input.metadata().num_row_groups();
                (Arc::new(input), groups, None)
            }
            Place::Merged { input, group, rows } => {
                (Arc::clone(input), *group..*group + 1, Some(rows.clone()))
            }
        };
        Ok(Source {
            kind: part.kind,
            trace: part.trace,
            input,
            groups,
            only,
            rows: None,
            items: Vec::new(),
            next: 0,
            opened_bytes: 0,
        })
    }

    /// Returns the next row, and reads it if it is not in memory.
    pub(super) fn peek(&mut self, context: &mut Context<'_>) -> io::Result<Option<Item>> {
        while self.next == self.items.len() {
            self.next = 0;
            self.items.clear();
            if !self.fill(context).map_err(at(self.input.path()))? {
                return Ok(None);
            }
        }
        Ok(self.items.get(self.next).copied())
    }

    pub(super) fn advance(&mut self) {
        self.next += 1;
    }

    /// Reads more rows, of which filters may reject all. Returns whether there were any.
    fn fill(&mut self, context: &mut Context<'_>) -> io::Result<bool> {
        let rows = match &mut self.rows {
            Some(rows) if rows.left > 0 => rows,
            _ => {
                self.rows = None;
                let Some(group) = self.groups.next() else { return Ok(false) };
                let opened = GroupRows::open(&self.input, group, self.kind, self.only.as_ref())?;
                self.opened_bytes += group_bytes(&self.input, group, opened.left);
                self.rows.insert(opened)
            }
        };
        let count = rows.left.min(BATCH);
        rows.left -= count;
        rows.read(count, self.kind, self.trace, context, &mut self.items).map_err(io_error)?;
        Ok(true)
    }
}

/// The columns that are read of some tables.
const COLUMNS: [&str; 9] =
    ["time_ns", "begin_ns", "end_ns", "pid", "tid", "begin_event", "end_event", "cause", "dropped"];

/// Returns the size of the columns that are read of `count` rows of a row group, on average.
pub(super) fn group_bytes(input: &Input, group: usize, count: usize) -> u64 {
    let group = input.metadata().row_group(group);
    let columns = COLUMNS.iter().filter_map(|name| input.column(name));
    let bytes: i64 = columns.map(|index| group.column(index).compressed_size()).sum();
    let bytes = bytes as f64 * count as f64 / rows(group).max(1) as f64;
    bytes as u64
}

impl GroupRows {
    /// Opens a row group, or the rows `only` of it.
    fn open(
        input: &Input,
        group: usize,
        kind: PartKind,
        only: Option<&Range<usize>>,
    ) -> io::Result<GroupRows> {
        let group = Group::open(input, group)?;
        let rows = only.cloned().unwrap_or(0..group.rows());
        let start = rows.start;
        let is_span = matches!(kind, PartKind::Spans(_));
        let more = match kind {
            PartKind::Event(_) => More::Event,
            PartKind::Dropped => More::Dropped(Box::new(DroppedColumns {
                cause: group.column("cause", start)?,
                dropped: group.column("dropped", start)?,
            })),
            PartKind::Spans(_) => More::Span(Box::new(SpanColumns {
                end: group.column("end_ns", start)?,
                begins: group.column("begin_event", start)?,
                ends: group.column("end_event", start)?,
            })),
        };
        Ok(GroupRows {
            left: rows.len(),
            time: group.column(if is_span { "begin_ns" } else { "time_ns" }, start)?,
            pid: group.column("pid", start)?,
            tid: group.column("tid", start)?,
            more,
        })
    }

    /// Reads the next `count` rows, and adds those that the filters select to `items`.
    fn read(
        &mut self,
        count: usize,
        kind: PartKind,
        trace: u32,
        context: &mut Context<'_>,
        items: &mut Vec<Item>,
    ) -> Result<(), ParquetError> {
        for column in [&mut self.time, &mut self.pid, &mut self.tid] {
            column.advance(count)?;
        }
        let owners = self.pid.values().zip(self.tid.values()).map(|(pid, tid)| (pid.copied(), tid.copied()));
        let rows = self.time.values().take(count).map(|time| time.copied().unwrap_or(0)).zip(owners);
        let mut last = None;
        let mut thread_of = |context: &mut Context<'_>, owner: (Option<i64>, Option<i64>)| match last {
            Some((known, thread)) if known == owner => thread,
            _ => {
                let thread = context.thread(trace, owner.0, owner.1);
                last = Some((owner, thread));
                thread
            }
        };
        match &mut self.more {
            More::Event => {
                let PartKind::Event(event) = kind else { return Ok(()) };
                let end = context.end(trace, event);
                for (ns, (pid, tid)) in rows {
                    let at_ns = context.ns(trace, ns);
                    if !context.selects_time(at_ns) || !context.selects_owner(pid, tid) {
                        continue;
                    }
                    let thread = thread_of(context, (pid, tid));
                    items.push(Item { at_ns, begin_ns: at_ns, trace, thread, end });
                }
            }
            More::Dropped(columns) => {
                let DroppedColumns { cause, dropped } = &mut **columns;
                let causes = each(cause, count, |cause| Some(cause.to_owned()))?;
                dropped.advance(count)?;
                let rows = rows.zip(causes).zip(dropped.values());
                for (((ns, (pid, tid)), cause), dropped) in rows {
                    // The time is unknown in v0.
                    let at_ns = if ns == 0 { 0 } else { context.ns(trace, ns) };
                    if !context.selects_time(at_ns) || !context.selects_owner(pid, tid) {
                        continue;
                    }
                    count_dropped(
                        &mut context.dropped,
                        cause.as_deref(),
                        dropped.map(|count| count.cast_unsigned()),
                    );
                    let thread = thread_of(context, (pid, tid));
                    items.push(Item { at_ns, begin_ns: at_ns, trace, thread, end: NONE });
                }
            }
            More::Span(columns) => {
                let PartKind::Spans(pair) = kind else { return Ok(()) };
                let SpanColumns { end, begins, ends } = &mut **columns;
                end.advance(count)?;
                let mut name_of = |name: &str| {
                    let edges = &mut context.edges[pair as usize];
                    if edges.iter().all(|edge| edge != name) {
                        edges.push(name.to_owned());
                    }
                    let event = context.events.get(name).copied().unwrap_or(NONE);
                    Some((event, context.selects_event(name)))
                };
                let begins = each(begins, count, &mut name_of)?;
                let ends = each(ends, count, &mut name_of)?;
                let rows = rows.zip(end.values()).zip(begins.into_iter().zip(ends));
                for (((begin, (pid, tid)), end), names) in rows {
                    // Spans without an end were restarted, or did not end before the trace did.
                    let Some(end) = end else { continue };
                    let (begin_ns, at_ns) = (context.ns(trace, begin), context.ns(trace, *end));
                    let (Some((_, true)), Some((end_event, true))) = names else { continue };
                    if !context.selects_time(begin_ns)
                        || !context.selects_time(at_ns)
                        || !context.selects_owner(pid, tid)
                    {
                        continue;
                    }
                    let thread = thread_of(context, (pid, tid));
                    let end = context.end(trace, end_event);
                    items.push(Item { at_ns, begin_ns, trace, thread, end });
                }
            }
        }
        Ok(())
    }
}

/// Reads the next `count` strings of a column. Calls `convert` when a string differs from the previous
/// one.
fn each<V: Clone>(
    column: &mut Column<ByteArrayType>,
    count: usize,
    mut convert: impl FnMut(&str) -> Option<V>,
) -> Result<Vec<Option<V>>, ParquetError> {
    column.advance(count)?;
    let mut last: Option<(&ByteArray, Option<V>)> = None;
    let mut converted = Vec::with_capacity(count);
    for text in column.values().take(count) {
        converted.push(text.and_then(|text| match &last {
            Some((known, value)) if known.data() == text.data() => value.clone(),
            _ => {
                let value = convert(&String::from_utf8_lossy(text.data()));
                last = Some((text, value.clone()));
                value
            }
        }));
    }
    Ok(converted)
}

fn count_dropped(total: &mut Dropped, cause: Option<&str>, count: Option<u64>) {
    total.records += 1;
    let Some(count) = count else {
        total.miscounted += 1;
        return;
    };
    total.events = total.events.saturating_add(count);
    let causes = &mut total.causes;
    let sum = match cause {
        Some("overwritten") => &mut causes.overwritten,
        Some("refused") => &mut causes.refused,
        _ => &mut causes.dropped,
    };
    *sum = sum.saturating_add(count);
}

/// Reads columns of integers of a whole row group.
pub(super) fn integers<const N: usize>(
    group: &Group<'_>,
    names: [&str; N],
) -> io::Result<[Vec<Option<i64>>; N]> {
    let mut all = [const { Vec::new() }; N];
    for (name, values) in names.into_iter().zip(&mut all) {
        let mut column: Column<Int64Type> = group.column(name, 0)?;
        column.advance(group.rows()).map_err(io_error)?;
        values.extend(
            column
                .values()
                .take(group.rows())
                .map(|value: Option<&<Int64Type as DataType>::T>| value.copied()),
        );
    }
    Ok(all)
}

/// Reads the ids in the column `trace` of a whole row group, as indices of traces.
pub(super) fn trace_indices(
    group: &Group<'_>,
    traces: &HashMap<String, u32>,
) -> io::Result<Vec<Option<u32>>> {
    let mut column: Column<ByteArrayType> = group.column("trace", 0)?;
    each(&mut column, group.rows(), |id| traces.get(id).copied()).map_err(io_error)
}
