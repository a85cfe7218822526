//! Rows of tables with few columns: lost events, pauses, steps and counters.

use std::sync::Arc;

use super::batch::DataType;
use super::buffer::Strings;
use super::event_rows::{Rows, set_strings};
use super::table::{Layout, Request, Source, TableKind};

/// The columns of a table that are not common to all tables, by their index, which is that of
/// [`Source::Cell`].
#[derive(Debug)]
pub(super) struct CellRows {
    pub(super) rows: Rows,
    /// The columns of the cells; `None` if the request does not select them.
    columns: Vec<Option<usize>>,
}

/// A cell: its name, type, and whether it can be null.
pub(super) type Cell = (&'static str, DataType, bool);

pub(super) const DICTIONARY: DataType = DataType::Dictionary;

impl CellRows {
    pub(super) fn new(layout: Layout, request: &Request) -> CellRows {
        let cells = layout.sources.iter().filter(|source| matches!(source, Source::Cell(_))).count();
        let rows = Rows::new(layout.select(request));
        let column = |cell| rows.sources.iter().position(|&source| source == Source::Cell(cell));
        CellRows { columns: (0..cells).map(column).collect(), rows }
    }

    /// Adds a cell to the row that was started last.
    pub(super) fn push(&mut self, cell: usize, number: Option<u64>) {
        if let Some(column) = self.columns[cell] {
            self.rows.columns[column].push_number(number);
        }
    }

    /// Sets the dictionary of a cell, before a batch is completed.
    pub(super) fn set_strings(&mut self, cell: usize, strings: &Arc<Strings>) {
        if let Some(column) = self.columns[cell] {
            set_strings(&mut self.rows.columns[column], strings);
        }
    }
}

pub(super) fn push_cells(layout: &mut Layout, first: usize, cells: &[Cell]) {
    for (index, (name, data_type, nullable)) in (first..).zip(cells) {
        layout.push(Source::Cell(index), name, *data_type, *nullable);
    }
}

fn push_times(layout: &mut Layout, request: &Request) {
    layout.push(Source::Time, "time_ns", DataType::Int64, false);
    layout.push(Source::Wall, "wall_ns", DataType::Int64, true);
    layout.push_owner(request);
}

/// Cells: the cause, and the number of lost events.
pub(super) fn dropped(request: &Request) -> CellRows {
    let mut layout = Layout::new("dropped", TableKind::Dropped);
    push_times(&mut layout, request);
    push_cells(&mut layout, 0, &[("cause", DICTIONARY, true), ("dropped", DataType::UInt64, true)]);
    CellRows::new(layout, request)
}

/// Cells: the begin, the end and the duration.
pub(super) fn pauses(request: &Request) -> CellRows {
    let mut layout = Layout::new("pauses", TableKind::Pauses);
    layout.push_origin(request);
    let cells = ["begin_ns", "end_ns", "duration_ns"].map(|name| (name, DataType::Int64, true));
    push_cells(&mut layout, 0, &cells);
    CellRows::new(layout, request)
}

/// Cells: the pair, the number of the span, and the event.
pub(super) fn steps(request: &Request) -> CellRows {
    let mut layout = Layout::new("steps", TableKind::Steps);
    let cells = [("pair", DICTIONARY, false), ("span", DataType::Int64, false), ("step", DICTIONARY, false)];
    push_cells(&mut layout, 0, &cells);
    push_times(&mut layout, request);
    CellRows::new(layout, request)
}

/// Cells: the counter, the track, and the value.
pub(super) fn counters(request: &Request) -> CellRows {
    let mut layout = Layout::new("counters", TableKind::Counters);
    push_cells(&mut layout, 0, &[("counter", DICTIONARY, false), ("track", DICTIONARY, false)]);
    push_times(&mut layout, request);
    push_cells(&mut layout, 2, &[("value", DataType::Int64, false)]);
    CellRows::new(layout, request)
}
