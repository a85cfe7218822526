//! Reads selected rows of a dataset in the order of their times.
//!
//! The files are merged by time. A file is opened when the time of its first row is reached, which the
//! statistics in its footer contain, and only some of its rows are in memory. Merged files contain
//! several traces, one after the other. The rows of each trace are read as if they were a file.

mod columns;
mod listing;
mod recorded;
mod source;

use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parquet::file::metadata::RowGroupMetaData;
use parquet::file::statistics::Statistics;
use ringtrace_tracefile::{Dropped, Pause, Schema};

use super::Dataset;
use super::merge::{Input, rows, trace_of};
use super::row;
use super::staging::{at, committed};
use crate::dataset::{DatasetRow, RowFilter, SelectError, Selection};
use columns::Group;
use listing::Listing;
use recorded::{Cuts, Recorded, day_ns};
use source::{Context, Source, group_bytes, integers, placed, trace_indices};

/// Selected rows of a dataset: records, spans and losses of one or several traces.
///
/// Their clock is the wall clock if all selected traces have one. A single trace without it has its own
/// clock. The times in which no selected trace was recording are removed from it: of two traces, the
/// second one follows immediately after the first one.
#[derive(Debug)]
pub struct SelectedRows {
    traces: Vec<Trace>,
    /// The names of events, sorted.
    events: Vec<String>,
    /// The names of pairs, sorted.
    pairs: Vec<String>,
    edges: Vec<Vec<String>>,
    damaged: Vec<String>,
    has_wall_clock: bool,
    /// Sorted by the time of the first row.
    parts: Vec<Part>,
    /// The files of the table `pauses`.
    pauses: Vec<PathBuf>,
    /// The day of a selected date, as a range of time.
    day_ns: Option<(u64, u64)>,
    cuts: Cuts,
}

/// A selected trace.
#[derive(Debug)]
struct Trace {
    id: String,
    /// Nanoseconds from its clock to that of the rows.
    shift_ns: i128,
    /// The times of the first and the last record, on the clock of the rows.
    range_ns: Option<(u64, u64)>,
}

/// Rows of a trace in a file.
#[derive(Debug)]
struct Part {
    place: Place,
    kind: PartKind,
    trace: u32,
    /// The time of the first row, or an earlier one.
    first_ns: u64,
    bytes: u64,
}

#[derive(Debug)]
enum Place {
    /// All rows of a file.
    File(PathBuf),
    /// Rows of a row group of a merged file.
    Merged { input: Arc<Input>, group: usize, rows: Range<usize> },
}

/// The table of a part. Rows with the same time are in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum PartKind {
    Dropped,
    Event(u32),
    Spans(u32),
}

/// A file of which only the footer was read.
struct Footer {
    kind: PartKind,
    contents: Contents,
}

enum Contents {
    Trace {
        path: PathBuf,
        id: String,
        /// The smallest time on the clock of the trace.
        first: Option<i64>,
        bytes: u64,
    },
    Merged(Arc<Input>),
}

/// The order of rows: by time, then by table, trace and event. The last number is that of the source.
type Key = (u64, PartKind, u32, usize);

impl SelectedRows {
    /// Selects rows of the dataset in `folder`, of traces that are committed and have selected events.
    ///
    /// # Errors
    /// A file cannot be read, nothing is selected, or several traces are selected, of which one has no
    /// wall-clock time.
    pub fn open(folder: &Path, selection: &Selection) -> Result<SelectedRows, SelectError> {
        Dataset::check_version(folder)?;
        let listing = Listing::new(folder, selection)?;
        let names = |table: &str| -> Vec<String> {
            let files = listing.files.iter().filter(|file| file.table == table);
            files.filter_map(|file| file.value.clone()).collect::<BTreeSet<_>>().into_iter().collect()
        };
        let (events, pairs) = (names("events"), names("spans"));
        let number = |names: &[String], name: &Option<String>| {
            name.as_ref().and_then(|name| names.binary_search(name).ok()).map_or(0, |index| index as u32)
        };
        let is_selected = |id: &str| {
            listing.committed.contains(id) && selection.trace.as_ref().is_none_or(|selected| selected == id)
        };
        let (mut ids, mut footers, mut pauses) = (BTreeSet::new(), Vec::new(), Vec::new());
        let mut present = HashSet::new();
        for file in &listing.files {
            let input = Input::open(file.path.clone())?;
            let leaf = file.path.strip_prefix(folder).ok().and_then(Path::parent).unwrap_or(Path::new(""));
            present.extend(input.parts().iter().map(|part| format!("{}/{part}.parquet", leaf.display())));
            let kind = match file.table {
                "events" => PartKind::Event(number(&events, &file.value)),
                "spans" => PartKind::Spans(number(&pairs, &file.value)),
                "dropped" => PartKind::Dropped,
                _ => {
                    pauses.push(file.path.clone());
                    continue;
                }
            };
            let traces: BTreeSet<&str> = match &file.trace {
                Some(id) => [id.as_str()].into(),
                None => input.parts().into_iter().map(trace_of).collect(),
            };
            let selected: Vec<&str> = traces.into_iter().filter(|id| is_selected(id)).collect();
            if selected.is_empty() {
                continue;
            }
            if let PartKind::Event(_) = kind {
                ids.extend(selected.into_iter().map(str::to_owned));
            }
            footers.push(Footer::new(input, kind, file.trace.clone()));
        }
        if ids.is_empty() {
            return Err(listing::nothing(folder, selection));
        }
        ids.iter().try_for_each(|id| listing::check_parts(folder, id, selection, &present))?;
        let (traces, damaged, has_wall_clock) = read_traces(folder, ids)?;
        let day_ns = selection.date.as_deref().and_then(day_ns).filter(|_| has_wall_clock);
        let numbers = numbered(traces.iter().map(|trace| &trace.id));
        let mut parts = Vec::new();
        for footer in footers {
            footer.add_parts(&traces, &numbers, &mut parts)?;
        }
        parts.sort_by_key(|part| (part.first_ns, part.kind, part.trace));
        let edges = vec![Vec::new(); pairs.len()];
        let cuts = Cuts::new(&traces, day_ns);
        Ok(SelectedRows {
            traces,
            events,
            pairs,
            edges,
            damaged,
            has_wall_clock,
            parts,
            pauses,
            day_ns,
            cuts,
        })
    }

    /// Returns the names of the events that selected files contain, sorted.
    pub fn events(&self) -> &[String] {
        &self.events
    }

    /// Returns the names of the pairs that selected files contain, sorted.
    pub fn pairs(&self) -> &[String] {
        &self.pairs
    }

    /// Returns the events that begin or end spans of a pair, among the rows that were read.
    pub fn edges(&self, pair: usize) -> Vec<String> {
        self.edges.get(pair).cloned().unwrap_or_default()
    }

    /// Returns the ids of damaged traces, of which the dataset contains the readable records.
    pub fn damaged(&self) -> &[String] {
        &self.damaged
    }

    /// Returns whether times are nanoseconds since 1970, before the times between traces are removed from
    /// them.
    pub fn has_wall_clock(&self) -> bool {
        self.has_wall_clock
    }

    /// Returns the times between traces, which are removed from the times of rows.
    pub fn cuts(&self) -> Vec<Pause> {
        self.cuts.pauses().collect()
    }

    /// Returns the time of the first record, whether a filter selects it or not.
    pub fn first_ns(&self) -> u64 {
        let of_traces = self.traces.iter().filter_map(|trace| trace.range_ns).map(|range| range.0).min();
        let is_event = |part: &&Part| matches!(part.kind, PartKind::Event(_));
        let of_files = self.parts.iter().filter(is_event).map(|part| part.first_ns).min();
        of_traces.max(of_files).unwrap_or(0)
    }

    /// Returns the number of bytes that [`read`](SelectedRows::read) reads.
    pub fn bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.bytes).sum()
    }

    /// Returns the times in which all selected traces paused, on the clock of the rows. For a single
    /// trace, these are its pauses.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn pauses(&self) -> io::Result<Vec<Pause>> {
        let mut recorded = Recorded::new(&self.traces, self.day_ns);
        for path in &self.pauses {
            recorded.add_file(path).map_err(at(path))?;
        }
        Ok(recorded.pauses(&self.cuts))
    }

    /// Passes all rows that `filter` selects to `visit`, in the order of their times. Adds the number of
    /// bytes to `done`. Returns the totals of the losses.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn read(
        &mut self,
        filter: &RowFilter,
        done: &AtomicU64,
        visit: &mut dyn FnMut(DatasetRow),
    ) -> io::Result<Dropped> {
        let shifts = self.traces.iter().map(|trace| trace.shift_ns).collect();
        let mut context = Context::new(filter, shifts, self.pairs.len());
        context.events = numbered(&self.events);
        let selected: Vec<bool> = self.events.iter().map(|name| context.selects_event(name)).collect();
        let without_losses = context.excludes(Schema::DROPPED_NAME);
        let is_selected = |part: &&Part| match part.kind {
            PartKind::Event(event) => selected[event as usize],
            PartKind::Dropped => !without_losses,
            PartKind::Spans(_) => true,
        };
        let mut parts = self.parts.iter().filter(is_selected).peekable();
        let mut sources: Vec<Option<Source>> = Vec::new();
        let mut free: Vec<usize> = Vec::new();
        let mut heap: BinaryHeap<Reverse<Key>> = BinaryHeap::new();
        loop {
            let is_due = |part: &&Part| heap.peek().is_none_or(|Reverse(key)| part.first_ns <= key.0);
            if let Some(part) = parts.next_if(|part| is_due(part)) {
                let mut source = Source::open(part)?;
                if let Some(item) = source.peek(&mut context)? {
                    let index = free.pop().unwrap_or(sources.len());
                    heap.push(Reverse((item.at_ns, source.kind, item.trace, index)));
                    if index == sources.len() {
                        sources.push(None);
                    }
                    sources[index] = Some(source);
                }
                continue;
            }
            let Some(mut top) = heap.peek_mut() else { break };
            let index = top.0.3;
            let Some(source) = sources.get_mut(index).and_then(Option::as_mut) else { break };
            if source.opened_bytes > 0 {
                done.fetch_add(std::mem::take(&mut source.opened_bytes), Ordering::Relaxed);
            }
            if let Some(item) = source.peek(&mut context)? {
                if let Some(row) = context.row(source.kind, &item) {
                    visit(row.placed(&self.cuts));
                }
                source.advance();
            }
            match source.peek(&mut context)? {
                Some(item) => top.0 = (item.at_ns, source.kind, item.trace, index),
                None => {
                    PeekMut::pop(top);
                    sources[index] = None;
                    free.push(index);
                }
            }
        }
        self.edges = context.edges;
        Ok(context.dropped)
    }
}

impl DatasetRow {
    /// Removes the times between traces.
    fn placed(self, cuts: &Cuts) -> DatasetRow {
        match self {
            DatasetRow::Event { event, thread, ns } => {
                DatasetRow::Event { event, thread, ns: cuts.place(ns) }
            }
            DatasetRow::Lost { trace, thread, ns } => DatasetRow::Lost { trace, thread, ns: cuts.place(ns) },
            DatasetRow::Span { trace, pair, thread, begin_ns, end_ns } => {
                let (begin_ns, end_ns) = (cuts.place(begin_ns), cuts.place(end_ns));
                DatasetRow::Span { trace, pair, thread, begin_ns, end_ns }
            }
        }
    }
}

/// Returns the column by whose time the rows of a table are merged.
fn time_column(kind: PartKind) -> &'static str {
    if matches!(kind, PartKind::Spans(_)) { "end_ns" } else { "time_ns" }
}

impl Footer {
    fn new(input: Input, kind: PartKind, trace: Option<String>) -> Footer {
        let Some(id) = trace else { return Footer { kind, contents: Contents::Merged(Arc::new(input)) } };
        let column = input.column(time_column(kind));
        let groups = || input.metadata().row_groups().iter();
        let smallest = |group: &RowGroupMetaData| match group.column(column?).statistics()? {
            Statistics::Int64(statistics) => statistics.min_opt().copied(),
            _ => None,
        };
        let first = groups().map(smallest).min().flatten();
        let bytes = groups().enumerate().map(|(index, group)| group_bytes(&input, index, rows(group))).sum();
        Footer { kind, contents: Contents::Trace { path: input.path().to_owned(), id, first, bytes } }
    }

    /// Adds the selected rows of the file to `parts`. `numbers` are those of the traces.
    fn add_parts(
        self,
        traces: &[Trace],
        numbers: &HashMap<String, u32>,
        parts: &mut Vec<Part>,
    ) -> io::Result<()> {
        let kind = self.kind;
        let placed =
            |trace: u32, ns: Option<i64>| ns.map_or(0, |ns| placed(traces[trace as usize].shift_ns, ns));
        match self.contents {
            Contents::Trace { path, id, first, bytes } => {
                let Some(&trace) = numbers.get(&id) else { return Ok(()) };
                let first_ns = placed(trace, first);
                parts.push(Part { place: Place::File(path), kind, trace, first_ns, bytes });
            }
            Contents::Merged(input) => {
                for index in 0..input.metadata().num_row_groups() {
                    let group = Group::open(&input, index)?;
                    let ids = trace_indices(&group, numbers).map_err(at(input.path()))?;
                    let [times] = integers(&group, [time_column(kind)]).map_err(at(input.path()))?;
                    let mut start = 0;
                    for run in ids.chunk_by(|a, b| a == b) {
                        let rows = start..start + run.len();
                        start = rows.end;
                        let Some(&Some(trace)) = run.first() else { continue };
                        let first = times[rows.clone()].iter().flatten().min();
                        let first_ns = placed(trace, first.copied());
                        let bytes = group_bytes(&input, index, rows.len());
                        let place = Place::Merged { input: Arc::clone(&input), group: index, rows };
                        parts.push(Part { place, kind, trace, first_ns, bytes });
                    }
                }
            }
        }
        Ok(())
    }
}

fn numbered<'n>(names: impl IntoIterator<Item = &'n String>) -> HashMap<String, u32> {
    names.into_iter().cloned().zip(0..).collect()
}

/// Reads the rows of traces in the table `traces`. Returns them, the ids of those that are damaged, and
/// whether they have the wall clock.
fn read_traces(folder: &Path, ids: BTreeSet<String>) -> Result<(Vec<Trace>, Vec<String>, bool), SelectError> {
    let mut rows = BTreeMap::new();
    for id in ids {
        let path = committed(folder, &id);
        let row = row::read(&path)?;
        // Another process has just begun to replace the trace.
        let missing =
            || at(&path)(io::Error::new(io::ErrorKind::NotFound, "the trace is being replaced; try again"));
        rows.insert(id, row.ok_or_else(missing)?);
    }
    let without = rows.iter().find(|(_, row)| row.wall_shift_ns.is_none());
    let has_wall_clock = without.is_none();
    if let (Some((id, _)), true) = (without, rows.len() > 1) {
        return Err(SelectError::NoWallClock { trace: id.clone(), traces: rows.len() });
    }
    let (mut traces, mut damaged) = (Vec::new(), Vec::new());
    for (id, row) in rows {
        let shift_ns = row.wall_shift_ns.unwrap_or(0);
        let at = |ns: u64| placed(shift_ns, ns.cast_signed());
        let range_ns = row.range_ns.map(|(first, last)| (at(first), at(last)));
        if row.damage.is_some() {
            damaged.push(id.clone());
        }
        traces.push(Trace { id, shift_ns, range_ns });
    }
    Ok((traces, damaged, has_wall_clock))
}
