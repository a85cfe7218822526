//! Rows of spans, with the arguments of their begin and end records as typed columns.

use std::sync::Arc;

use ringtrace_wire::ByteOrder;
use ringtrace_wire::order::u64_at;
use ringtrace_wire::simpletrace::Version;

use super::batch::{Column, DataType};
use super::event_rows::{Rows, set_strings};
use super::extra_rows::{Cell, DICTIONARY, push_cells};
use super::names::Names;
use super::table::{Field, Layout, Request, Source, TableKind, add_field};
use super::utf8::utf8;
use crate::entry::{Entry, Schema, Value};
use crate::query::pair::PairDescription;

/// The spans of a pair.
#[derive(Debug)]
pub(super) struct SpanRows {
    pub(super) rows: Rows,
    /// The columns of the cells; `None` if the request does not select them.
    cells: [Option<usize>; CELLS],
    /// All columns, selected or not.
    fields: Vec<Field>,
    /// The selected columns, by the index in `fields`.
    selected: Vec<Option<usize>>,
    /// The number of columns that all pairs have.
    common: usize,
    request: Arc<Request>,
    /// The plans of begin events and of end events, by schema index.
    plans: [Vec<Option<Box<Plan>>>; 2],
    /// The names of the values of enumerations, by column.
    enumerations: Vec<(usize, Names)>,
    /// The keys of the last rows, which all have the same, in the order of [`KEYS`]. They are not in the
    /// columns yet.
    same: [Option<u32>; KEYS.len()],
    /// The number of these rows.
    same_rows: usize,
    /// Whether `same` are the keys of the current shape.
    same_matches_shape: bool,
    shapes: Vec<Shape>,
    /// The index of the current shape, that of the pending rows.
    shape: usize,
    /// The cells of the last rows, which are not in the columns yet: for each row, one for each column of
    /// the current shape. The length is that of [`MAX_PENDING`] rows of any shape.
    pending: Vec<u64>,
    pending_rows: usize,
}

/// How to add rows of spans with the same two events.
#[derive(Debug, Default)]
struct Shape {
    /// The schema indices of the begin event and of the end event.
    events: [u32; 2],
    /// Whether [`SpanRows::push_plain`] can add them: all arguments are integers.
    is_plain: bool,
    /// The sizes of the payloads.
    payload_bytes: [usize; 2],
    /// The selected arguments: the index of the payload, and the offset in it.
    arguments: Vec<(usize, usize)>,
    /// The columns of [`PLAIN_CELLS`], if the request selects them, and of these arguments.
    columns: Vec<Option<usize>>,
    /// The keys of the last row.
    keys: [Option<u32>; KEYS.len()],
}

/// The cells that [`SpanRows::push_plain`] adds, besides arguments.
const PLAIN_CELLS: [usize; 3] = [SPAN, END, LATENCY];

/// The limit for pending rows, which stay in the processor's cache.
const MAX_PENDING: usize = 256;

/// The limit for shapes, which are searched one by one.
const MAX_SHAPES: usize = 64;

/// A span that ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlainSpan<'s> {
    pub(super) number: u64,
    pub(super) begin_ns: u64,
    pub(super) end_ns: u64,
    pub(super) owner: u32,
    pub(super) track: u32,
    /// The payloads of the begin record and of the end record.
    pub(super) payloads: [&'s [u8]; 2],
}

/// The columns of an event's arguments.
#[derive(Debug)]
struct Plan {
    /// The columns by argument.
    columns: Box<[Option<usize>]>,
    /// Whether the request selects any of them.
    is_selected: bool,
    integer_bytes: Option<usize>,
    has_enumerations: bool,
    schema: Arc<Schema>,
}

/// A record at one end of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Begin = 0,
    End = 1,
}

pub(super) const PAIR: usize = 0;
pub(super) const SPAN: usize = 1;
pub(super) const TRACK: usize = 2;
pub(super) const OUTCOME: usize = 3;
pub(super) const END: usize = 4;
pub(super) const LATENCY: usize = 5;
pub(super) const BEGIN_EVENT: usize = 6;
pub(super) const END_EVENT: usize = 7;
const CELLS: usize = 8;

/// The cells that contain the keys of names.
const KEYS: [usize; 5] = [PAIR, TRACK, OUTCOME, BEGIN_EVENT, END_EVENT];
const TRACK_KEY: usize = 1;

impl SpanRows {
    pub(super) fn new(pair: &PairDescription, index: usize, request: &Arc<Request>) -> SpanRows {
        let mut layout = Layout::new(&pair.name, TableKind::Spans(index));
        let first: [Cell; 4] = [
            ("pair", DICTIONARY, false),
            ("span", DataType::Int64, false),
            ("track", DICTIONARY, false),
            ("outcome", DICTIONARY, false),
        ];
        push_cells(&mut layout, PAIR, &first);
        layout.push(Source::Time, "begin_ns", DataType::Int64, false);
        push_cells(
            &mut layout,
            END,
            &[("end_ns", DataType::Int64, true), ("latency_ns", DataType::Int64, true)],
        );
        layout.push(Source::Wall, "wall_ns", DataType::Int64, true);
        layout.push_owner(request);
        push_cells(
            &mut layout,
            BEGIN_EVENT,
            &[("begin_event", DICTIONARY, false), ("end_event", DICTIONARY, true)],
        );
        let fields = layout.table.fields.clone();
        let rows = Rows::new(layout.select(request));
        let cell = |cell| rows.sources.iter().position(|&source| source == Source::Cell(cell));
        let mut cells = [None; CELLS];
        for (index, column) in cells.iter_mut().enumerate() {
            *column = cell(index);
        }
        let selected = fields.iter().map(|field| rows.table.field(&field.name)).collect();
        SpanRows {
            cells,
            common: fields.len(),
            selected,
            fields,
            request: Arc::clone(request),
            plans: [Vec::new(), Vec::new()],
            enumerations: Vec::new(),
            same: [None; KEYS.len()],
            same_rows: 0,
            same_matches_shape: false,
            shapes: Vec::new(),
            shape: 0,
            pending: Vec::new(),
            pending_rows: 0,
            rows,
        }
    }

    /// Makes the shape for rows of these events, given by their schema indices, the current one. Returns
    /// false if there is none.
    #[inline(always)]
    pub(super) fn has_shape(&mut self, events: [u32; 2]) -> bool {
        self.shapes.get(self.shape).is_some_and(|shape| shape.events == events) || self.change_shape(events)
    }

    fn change_shape(&mut self, events: [u32; 2]) -> bool {
        let Some(index) = self.shapes.iter().position(|shape| shape.events == events) else { return false };
        self.settle();
        self.shape = index;
        self.same_matches_shape = false;
        true
    }

    /// Adds a shape for rows of two events, unless there are too many shapes. `keys` are those of such a row, in the order of [`KEYS`].
    #[cold]
    pub(super) fn add_shape(&mut self, schemas: [(u32, &Schema); 2], keys: [Option<u32>; KEYS.len()]) {
        if self.shapes.len() >= MAX_SHAPES {
            return;
        }
        let mut shape = Shape {
            events: schemas.map(|(index, _)| index),
            is_plain: true,
            columns: PLAIN_CELLS.iter().map(|&cell| self.cells[cell]).collect(),
            keys,
            ..Shape::default()
        };
        for (side, (index, schema)) in [Side::Begin, Side::End].into_iter().zip(schemas) {
            self.prepare(side, schema, index);
            let Some(Some(plan)) = self.plans[side as usize].get(index as usize) else { return };
            match (plan.integer_bytes, plan.has_enumerations) {
                (Some(bytes), false) => shape.payload_bytes[side as usize] = bytes,
                _ => shape.is_plain = false,
            }
            for (argument, column) in plan.columns.iter().enumerate().filter(|(_, column)| column.is_some()) {
                shape.arguments.push((side as usize, 8 * argument));
                shape.columns.push(*column);
            }
        }
        self.settle();
        if shape.is_plain {
            self.pending.resize(self.pending.len().max(MAX_PENDING * shape.columns.len()), 0);
        }
        self.shape = self.shapes.len();
        self.same_matches_shape = false;
        self.shapes.push(shape);
    }

    /// Adds a row of the two events for which there is a shape. Does nothing and returns false if its cells
    /// need the general case.
    #[inline(always)]
    pub(super) fn push_plain(&mut self, span: PlainSpan<'_>) -> bool {
        let SpanRows { shapes, pending, pending_rows, rows, .. } = self;
        let Some(shape) = shapes.get_mut(self.shape) else { return false };
        let width = shape.columns.len();
        let at = *pending_rows * width;
        let [begin, end] = span.payloads;
        let (Some(latency_ns), Some([number, end_ns, latency, arguments @ ..])) =
            (span.end_ns.checked_sub(span.begin_ns), pending.get_mut(at..at + width))
        else {
            return false;
        };
        if !shape.is_plain || [begin.len(), end.len()] != shape.payload_bytes {
            return false;
        }
        // There is no column for the number of the record.
        rows.begin(span.begin_ns, span.owner, 0);
        (*number, *end_ns, *latency) = (span.number, span.end_ns, latency_ns);
        for (cell, &(side, offset)) in arguments.iter_mut().zip(&shape.arguments) {
            *cell = u64_at(span.payloads[side], offset, ByteOrder::Little).unwrap_or(0);
        }
        *pending_rows += 1;
        if !self.same_matches_shape || shape.keys[TRACK_KEY] != Some(span.track) {
            shape.keys[TRACK_KEY] = Some(span.track);
            let keys = shape.keys;
            self.push_keys(keys);
            self.same_matches_shape = true;
        } else {
            self.same_rows += 1;
        }
        true
    }

    /// Returns whether there are so many pending rows that [`SpanRows::settle`] must be called.
    #[inline(always)]
    pub(super) fn are_many_pending(&self) -> bool {
        self.pending_rows == MAX_PENDING
    }

    /// Adds the cells of pending rows to the columns.
    pub(super) fn settle(&mut self) {
        let SpanRows { shapes, pending, pending_rows, rows, .. } = self;
        let Some(shape) = shapes.get(self.shape).filter(|_| *pending_rows > 0) else { return };
        let width = shape.columns.len();
        let pending = &pending[..*pending_rows * width];
        let first = rows.rows - *pending_rows;
        for (position, column) in shape.columns.iter().enumerate() {
            if let Some(column) = *column {
                let column = &mut rows.columns[column];
                column.pad(first);
                column.extend(pending.chunks_exact(width).map(|row| row[position]), |bits| bits as u32);
            }
        }
        *pending_rows = 0;
    }

    #[inline]
    pub(super) fn push(&mut self, cell: usize, number: Option<u64>) {
        if let Some(column) = self.cells[cell] {
            self.rows.columns[column].push_number(number);
        }
    }

    /// Adds the keys of the row that was started last, in the order of [`KEYS`].
    #[inline]
    pub(super) fn push_keys(&mut self, keys: [Option<u32>; KEYS.len()]) {
        if self.same != keys {
            self.end_same();
            self.same = keys;
            self.same_matches_shape = false;
        }
        self.same_rows += 1;
    }

    fn end_same(&mut self) {
        let rows = std::mem::take(&mut self.same_rows);
        for (cell, key) in KEYS.into_iter().zip(self.same) {
            if let Some(column) = self.cells[cell] {
                self.rows.columns[column].push_run(key, rows);
            }
        }
    }

    pub(super) fn set_strings(&mut self, cell: usize, names: &Names) {
        if let Some(column) = self.cells[cell] {
            set_strings(&mut self.rows.columns[column], &names.strings());
        }
    }

    /// Completes the columns of keys, and sets the dictionaries of arguments, before a batch is completed.
    pub(super) fn complete(&mut self) {
        self.settle();
        self.end_same();
        for (column, names) in &self.enumerations {
            set_strings(&mut self.rows.columns[*column], &names.strings());
        }
    }

    /// Plans the columns for the arguments of an event, unless there is a plan. `schema_index` is the number
    /// that entries have for it.
    #[inline]
    fn prepare(&mut self, side: Side, schema: &Schema, schema_index: u32) {
        let is_known = |plan: &Option<Box<Plan>>| {
            plan.as_ref().is_some_and(|plan| plan.columns.len() == schema.arguments.len())
        };
        if !self.plans[side as usize].get(schema_index as usize).is_some_and(is_known) {
            self.learn(side, schema, schema_index);
        }
    }

    #[cold]
    fn learn(&mut self, side: Side, schema: &Schema, schema_index: u32) {
        let index = schema_index as usize;
        let plans = &mut self.plans[side as usize];
        if plans.len() <= index {
            plans.resize_with(index + 1, || None);
        }
        let columns = self.add(side, schema);
        let is_enumeration =
            |column: &Option<usize>| self.enumerations.iter().any(|(other, _)| Some(*other) == *column);
        self.plans[side as usize][index] = Some(Box::new(Plan {
            has_enumerations: columns.iter().any(is_enumeration),
            is_selected: columns.iter().any(Option::is_some),
            columns,
            integer_bytes: schema.integer_bytes,
            schema: Arc::new(schema.clone()),
        }));
    }

    /// Adds columns for the arguments of an event. Returns the columns by argument.
    pub(super) fn add(&mut self, side: Side, schema: &Schema) -> Box<[Option<usize>]> {
        let prefix = if side == Side::Begin { "begin_" } else { "end_" };
        let (mut columns, mut places) = (Vec::new(), Vec::new());
        for (argument, kind) in schema.arguments.iter().zip(&schema.kinds) {
            let data_type = DataType::of(argument, *kind);
            let mut name = argument.name.to_string();
            let (place, column) = loop {
                let field = Field { name: format!("{prefix}{name}"), data_type, nullable: true };
                let found = self.column(&field);
                if !places.contains(&found.0) {
                    break found;
                }
                // An event can declare the same name twice.
                name = format!("arg_{name}");
            };
            places.push(place);
            if let Some(column) = column
                && data_type == DataType::Dictionary
                && !self.enumerations.iter().any(|(other, _)| *other == column)
            {
                self.enumerations.push((column, Names::default()));
            }
            columns.push(column);
        }
        columns.into()
    }

    /// Returns the column for `field`, which is added if it is new: the index in `fields` and, if it is selected,
    /// that in the rows.
    fn column(&mut self, field: &Field) -> (usize, Option<usize>) {
        let mut field = field.clone();
        // The column of an argument must not be one of the common columns.
        while self.fields[..self.common].iter().any(|common| common.name.eq_ignore_ascii_case(&field.name)) {
            field.name = format!("{}__{}", field.name, field.data_type.name());
        }
        let place = add_field(&mut self.fields, &field);
        if let Some(&known) = self.selected.get(place) {
            return (place, known);
        }
        let field = self.fields[place].clone();
        let column = self.request.wants(&field.name).then(|| {
            let rows = &mut self.rows;
            rows.columns.push(Column::new(field.data_type));
            rows.sources.push(Source::Cell(CELLS + place));
            Arc::make_mut(&mut rows.table).fields.push(field);
            rows.measure();
            rows.columns.len() - 1
        });
        self.selected.push(column);
        (place, column)
    }

    /// Adds the arguments of `entry` to the row that was started last.
    pub(super) fn push_arguments(&mut self, side: Side, entry: &Entry<'_>) {
        self.prepare(side, entry.schema, entry.schema_index);
        let SpanRows { rows, plans, enumerations, .. } = self;
        let Some(Some(plan)) = plans[side as usize].get(entry.schema_index as usize) else { return };
        if !plan.is_selected {
            return;
        }
        let before = rows.rows - 1;
        let is_plain = entry.version == Version::V4
            && entry.order == ByteOrder::Little
            && plan.integer_bytes == Some(entry.payload.len())
            && !plan.has_enumerations;
        if is_plain {
            for (argument, column) in plan.columns.iter().enumerate() {
                let Some(column) = *column else { continue };
                let bits = u64_at(entry.payload, 8 * argument, ByteOrder::Little).unwrap_or(0);
                rows.columns[column].push_at(before, bits);
            }
            return;
        }
        for (argument, value) in entry.values().enumerate() {
            let Some(index) = plan.columns.get(argument).copied().flatten() else { continue };
            rows.columns[index].pad(before);
            match value {
                Value::Integer(bits) => {
                    let names = match plan.has_enumerations {
                        true => enumerations.iter_mut().find(|(column, _)| *column == index),
                        false => None,
                    };
                    let bits = match names {
                        Some((_, names)) => {
                            names.key(&plan.schema.arguments[argument].key(value).to_string()).into()
                        }
                        None => bits,
                    };
                    rows.columns[index].push_bits(bits);
                }
                Value::Str(bytes) => rows.push_text(index, &utf8(bytes)),
            }
        }
    }
}
