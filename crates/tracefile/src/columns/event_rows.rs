//! Rows of one table that are being collected: common columns, and the arguments of records.

use std::ops::Range;
use std::sync::Arc;

use ringtrace_wire::order::u64_at;
use ringtrace_wire::simpletrace::v4::V4;
use ringtrace_wire::simpletrace::{ArgumentKind, Layout as _, Version};
use ringtrace_wire::{ByteOrder, Little};

use super::batch::{Batch, Column, Values};
use super::buffer::Strings;
use super::names::Names;
use super::owners::Owners;
use super::table::{Layout, Limits, Source, Table};
use super::taken_rows::TakenRows;
use super::utf8::utf8;
use crate::entry::key::KeyMap;
use crate::entry::schema::fits_kinds;
use crate::entry::{Entry, Schema, Value};
use crate::metadata::Anchor;

/// The rows of a table since its last batch.
///
/// Times and owners are converted to columns when the batch is complete. So are the arguments of
/// records on the fast path: only their offsets are noted, and each column is filled in one loop.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) table: Arc<Table>,
    pub(super) sources: Vec<Source>,
    pub(super) columns: Vec<Column>,
    pub(super) rows: usize,
    times: Vec<i64>,
    /// The numbers of the records, if they are wanted.
    numbers: Vec<u64>,
    /// The owners of consecutive rows: an owner's number, and the first row.
    owners: Vec<(u32, u32)>,
    /// The owner of the last row.
    last_owner: Option<u32>,
    /// The position of the column with the numbers of records.
    record_column: Option<usize>,
    cpu_column: Option<usize>,
    event_column: Option<usize>,
    /// The total length of the strings.
    pub(super) text_bytes: usize,
    /// The number of rows for which there is memory.
    held_rows: usize,
    /// The size of a row, without strings.
    row_bytes: usize,
    /// The part of the collector's total that is for these rows.
    counted_bytes: usize,
}

/// The parts of the collector's state that rows need to become a batch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shared<'s> {
    pub(super) owners: &'s Owners,
    pub(super) anchor: Option<Anchor>,
    pub(super) events: &'s Names,
}

impl Rows {
    pub(super) fn new(layout: Layout) -> Rows {
        let Layout { table, sources } = layout;
        let position = |source| sources.iter().position(|&other| other == source);
        Rows {
            columns: table.fields.iter().map(|field| Column::new(field.data_type)).collect(),
            record_column: position(Source::Record),
            cpu_column: position(Source::Cpu),
            event_column: position(Source::Event),
            table: Arc::new(table),
            sources,
            rows: 0,
            times: Vec::new(),
            numbers: Vec::new(),
            owners: Vec::new(),
            last_owner: None,
            text_bytes: 0,
            held_rows: 0,
            row_bytes: 0,
            counted_bytes: 0,
        }
        .measured()
    }

    fn measured(mut self) -> Rows {
        self.measure();
        self
    }

    /// Determines the size of a row, after the columns have changed.
    pub(super) fn measure(&mut self) {
        self.row_bytes = size_of::<i64>() + self.table.row_bytes();
    }

    /// Updates the part of `total` that is for the memory of these rows, approximately.
    #[inline]
    pub(super) fn count(&mut self, total: &mut usize) {
        self.held_rows = self.held_rows.max(self.rows);
        let bytes = self.held_rows * self.row_bytes + self.text_bytes;
        *total = *total + bytes - self.counted_bytes;
        self.counted_bytes = bytes;
    }

    /// Returns whether there is a column for the numbers of records.
    pub(super) fn wants_numbers(&self) -> bool {
        self.record_column.is_some()
    }

    pub(super) fn counted_bytes(&self) -> usize {
        self.counted_bytes
    }

    /// Starts a row: adds the time, the owner, and the number of the record.
    #[inline(always)]
    pub(super) fn begin(&mut self, time_ns: u64, owner: u32, number: u64) {
        if self.last_owner != Some(owner) {
            self.last_owner = Some(owner);
            self.owners.push((owner, self.rows as u32));
        }
        self.rows += 1;
        self.times.push(time_ns.cast_signed());
        if self.record_column.is_some() {
            self.numbers.push(number);
        }
    }

    /// Starts rows for records that were taken while they were decoded.
    fn push_taken(&mut self, taken: &TakenRows, rows: Range<usize>) {
        for (owner, first) in taken.owners(rows.clone()) {
            if self.last_owner != Some(owner) {
                self.last_owner = Some(owner);
                self.owners.push((owner, (self.rows + first) as u32));
            }
        }
        self.rows += rows.len();
        self.times.extend(taken.times(rows.clone()));
        self.numbers.extend_from_slice(taken.numbers(rows));
    }

    /// Starts a row for `entry`.
    pub(super) fn begin_entry(&mut self, entry: &Entry<'_>, owner: u32) {
        self.begin(entry.timestamp_ns, owner, entry.number);
    }

    /// Adds the key of an event's name to the row that was started last.
    #[inline(always)]
    pub(super) fn push_event(&mut self, name: u32) {
        if let Some(column) = self.event_column
            && let Values::Dictionary(keys, _) = self.columns[column].values_mut()
        {
            keys.push(name);
        }
    }

    /// Returns whether there are as many rows or strings as `limits` allow.
    pub(super) fn is_full(&self, limits: Limits) -> bool {
        self.rows >= limits.rows || self.text_bytes >= limits.text_bytes
    }

    /// Adds the CPU of the row that was started last.
    pub(super) fn add_cpu(&mut self, entry: &Entry<'_>) {
        if let Some(column) = self.cpu_column
            && let Some(cpu) = entry.context.cpu()
        {
            self.columns[column].pad(self.rows - 1);
            self.columns[column].push_bits(cpu.into());
        }
    }

    pub(super) fn push_text(&mut self, column: usize, text: &str) {
        self.text_bytes += text.len();
        self.columns[column].push_text(text);
    }

    /// Completes the columns. Returns the batch, and clears the rows. Its columns must be given back
    /// with [`Rows::recycle`].
    pub(super) fn take(&mut self, shared: Shared<'_>) -> Batch {
        self.held_rows = self.held_rows.max(self.rows);
        let rows = self.rows;
        let mut times = None;
        for (index, source) in self.sources.iter().enumerate() {
            let column = &mut self.columns[index];
            match source {
                Source::Time => times = Some(index),
                Source::Wall => wall(&self.times, &self.owners, shared, column),
                Source::Pid => each(&self.owners, rows, |owner| shared.owners.get(owner).pid, column),
                Source::Tid => each(&self.owners, rows, |owner| shared.owners.get(owner).tid, column),
                Source::Thread => {
                    each(&self.owners, rows, |owner| shared.owners.get(owner).thread, column);
                    set_strings(column, &shared.owners.names());
                }
                Source::Event => set_strings(column, &shared.events.strings()),
                Source::Trace => {
                    each(&self.owners, rows, |owner| shared.owners.get(owner).origin.trace, column);
                    set_strings(column, &shared.owners.traces());
                }
                Source::Host => {
                    each(&self.owners, rows, |owner| shared.owners.get(owner).origin.host, column);
                    set_strings(column, &shared.owners.hosts());
                }
                Source::Cpu | Source::Argument(_) | Source::Surplus | Source::Cell(_) => column.pad(rows),
                Source::Record => {}
            }
        }
        if let Some(index) = times
            && let Values::Int64(values) = self.columns[index].values_mut()
        {
            std::mem::swap(values, &mut self.times);
        }
        if let Some(index) = self.record_column
            && let Values::UInt64(values) = self.columns[index].values_mut()
        {
            std::mem::swap(values, &mut self.numbers);
        }
        self.times.clear();
        self.numbers.clear();
        self.owners.clear();
        self.last_owner = None;
        self.rows = 0;
        self.text_bytes = 0;
        Batch { table: Arc::clone(&self.table), rows, columns: std::mem::take(&mut self.columns) }
    }

    /// Takes back the columns of a batch. If the sink took them, new ones are created.
    pub(super) fn recycle(&mut self, batch: Batch) {
        self.columns = batch.columns;
        if self.columns.len() == self.table.fields.len() {
            self.columns.iter_mut().for_each(Column::clear);
        } else {
            self.free();
        }
    }

    /// Frees the memory of the columns.
    pub(super) fn free(&mut self) {
        self.columns = self.table.fields.iter().map(|field| Column::new(field.data_type)).collect();
        self.times = Vec::new();
        self.numbers = Vec::new();
        self.held_rows = 0;
    }
}

pub(super) fn set_strings(column: &mut Column, strings: &Arc<Strings>) {
    if let Values::Dictionary(_, theirs) = column.values_mut() {
        *theirs = Arc::clone(strings);
    }
}

/// Returns the rows of each owner, from the first row of each, with the owner's number.
fn runs(owners: &[(u32, u32)], rows: usize) -> impl Iterator<Item = (u32, Range<usize>)> {
    let ends = owners.iter().skip(1).map(|(_, start)| *start as usize).chain([rows]);
    owners.iter().zip(ends).map(|(&(owner, start), end)| (owner, start as usize..end))
}

/// Appends one value for each of `rows` rows, which depends on the row's owner.
fn each(owners: &[(u32, u32)], rows: usize, of: impl Fn(u32) -> Option<u32>, column: &mut Column) {
    for (owner, rows) in runs(owners, rows) {
        column.push_run(of(owner), rows.len());
    }
}

/// Converts times to wall-clock times.
fn wall(times: &[i64], owners: &[(u32, u32)], shared: Shared<'_>, column: &mut Column) {
    let Some(anchor) = shared.anchor else { return column.push_nulls(times.len()) };
    column.will_grow(times.len());
    let Values::Int64(values) = column.values_mut() else { return };
    let clamped = |time: u64| anchor.realtime_ns(time).clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    if shared.owners.has_shifts {
        for (owner, rows) in runs(owners, times.len()) {
            let shift_ns = shared.owners.get(owner).date_shift_ns;
            let times = times[rows].iter().map(|time| time.cast_unsigned());
            values.extend(times.map(|time| clamped(time.saturating_add_signed(shift_ns))));
        }
        return;
    }
    // Nearly always, neither the times nor their sums exceed 63 bits.
    let (least, most) = times.iter().fold((0, 0), |(least, most), &time| (time.min(least), time.max(most)));
    match i64::try_from(anchor.realtime_ns(0)) {
        Ok(shift) if least == 0 && most.checked_add(shift).is_some() => {
            values.extend(times.iter().map(|time| time.wrapping_add(shift)));
        }
        _ => values.extend(times.iter().map(|time| clamped(time.cast_unsigned()))),
    }
}

/// The rows of an event.
#[derive(Debug)]
pub(super) struct EventRows {
    pub(super) rows: Rows,
    /// The columns of arguments, with the arguments' positions.
    arguments: Vec<(usize, usize)>,
    surplus: Option<usize>,
    /// The columns by argument, if not all arguments are integers.
    by_argument: Box<[Option<usize>]>,
    kinds: Box<[ArgumentKind]>,
    /// The size of the arguments, if all are integers.
    integer_bytes: Option<usize>,
    /// The keys of the values of enumerations, by column.
    enumerations: Vec<(usize, Enumerated)>,
    schema: Arc<Schema>,
    /// The offsets of the payloads that are not in the columns yet.
    pending: Vec<u32>,
}

/// The names of the values of an enumeration.
#[derive(Debug)]
struct Enumerated {
    names: Names,
    keys: KeyMap<u64, u32>,
}

/// The limit for the number of different values of an enumeration whose keys are stored.
const MAX_KEYS: usize = 1 << 16;

impl Enumerated {
    fn key(&mut self, bits: u64, schema: &Schema, argument: usize) -> u32 {
        if let Some(&key) = self.keys.get(&bits) {
            return key;
        }
        let name = schema.arguments[argument].key(Value::Integer(bits)).to_string();
        let key = self.names.key(&name);
        if self.keys.len() < MAX_KEYS {
            self.keys.insert(bits, key);
        }
        key
    }
}

impl EventRows {
    /// Creates the rows of an event. `names` returns the dictionary of an argument.
    pub(super) fn new(layout: Layout, schema: &Schema, mut names: impl FnMut(usize) -> Names) -> EventRows {
        let rows = Rows::new(layout);
        let mut by_argument = vec![None; schema.kinds.len()];
        let (mut arguments, mut enumerations, mut surplus) = (Vec::new(), Vec::new(), None);
        for (column, source) in rows.sources.iter().enumerate() {
            match source {
                Source::Argument(argument) => {
                    by_argument[*argument] = Some(column);
                    arguments.push((column, *argument));
                    if schema.arguments[*argument].enumeration.is_some() {
                        let keys = KeyMap::default();
                        enumerations.push((column, Enumerated { names: names(*argument), keys }));
                    }
                }
                Source::Surplus => surplus = Some(column),
                _ => {}
            }
        }
        EventRows {
            arguments,
            surplus,
            by_argument: by_argument.into(),
            kinds: schema.kinds.as_slice().into(),
            integer_bytes: schema.integer_bytes,
            enumerations,
            schema: Arc::new(schema.clone()),
            pending: Vec::new(),
            rows,
        }
    }

    /// Returns whether `payload`, of an ordinary record, contains exactly the declared arguments.
    #[inline(always)]
    pub(super) fn fits(&self, payload: &[u8]) -> bool {
        match self.integer_bytes {
            Some(bytes) => payload.len() == bytes,
            None => fits_kinds(&self.kinds, payload),
        }
    }

    /// Adds a row on the fast path. `offset` is that of the payload, which [fits](EventRows::fits), in
    /// the bytes for [`EventRows::settle`].
    #[inline(always)]
    pub(super) fn push(&mut self, time_ns: u64, owner: u32, number: u64, offset: u32) {
        self.rows.begin(time_ns, owner, number);
        self.pending.push(offset);
    }

    /// Returns whether the event has this number of arguments, and all are integers.
    pub(super) fn has_integers(&self, arguments: usize) -> bool {
        self.integer_bytes == Some(8 * arguments)
    }

    /// Adds rows of records that were taken while they were decoded. All arguments are integers.
    pub(super) fn push_taken(&mut self, taken: &TakenRows, rows: Range<usize>) {
        self.rows.push_taken(taken, rows.clone());
        self.extend(|argument| taken.argument(argument, rows.clone()));
    }

    /// Adds integers to all columns of arguments. `words` returns those of an argument.
    #[inline(always)]
    fn extend<W: ExactSizeIterator<Item = u64>>(&mut self, words: impl Fn(usize) -> W) {
        let EventRows { rows, arguments, enumerations, schema, .. } = self;
        for &(index, argument) in arguments.iter() {
            let mut names = enumerations.iter_mut().find(|(column, _)| *column == index);
            let key = |bits| names.as_mut().map_or(0, |(_, names)| names.key(bits, schema, argument));
            rows.columns[index].extend(words(argument), key);
        }
    }

    #[inline(always)]
    pub(super) fn is_settled(&self) -> bool {
        self.pending.is_empty()
    }

    /// Adds the arguments of the rows on the fast path to the columns.
    pub(super) fn settle(&mut self, bytes: &[u8]) {
        let mut pending = std::mem::take(&mut self.pending);
        if self.integer_bytes.is_none() {
            for &offset in &pending {
                self.walk(bytes.get(offset as usize..).unwrap_or_default());
            }
        } else {
            self.extend(|argument| {
                // `EventRows::fits` has checked that the word exists.
                let at = 8 * argument;
                let word =
                    move |&offset: &u32| u64_at(bytes, offset as usize + at, ByteOrder::Little).unwrap_or(0);
                pending.iter().map(word)
            });
        }
        pending.clear();
        self.pending = pending;
    }

    /// Adds the arguments in `payload`, of a little-endian v4 record, to the columns.
    fn walk(&mut self, payload: &[u8]) {
        let mut rest = payload;
        for argument in 0..self.kinds.len() {
            match self.kinds[argument] {
                ArgumentKind::Integer { signed } => {
                    let bits = V4::<Little>::integer(&mut rest, signed).unwrap_or(0);
                    self.push_integer(argument, bits);
                }
                ArgumentKind::Str => {
                    let bytes = V4::<Little>::string(&mut rest).map_or(&[][..], |string| string.bytes);
                    self.push_string(argument, bytes);
                }
            }
        }
    }

    #[inline(always)]
    fn push_integer(&mut self, argument: usize, bits: u64) {
        let Some(column) = self.by_argument[argument] else { return };
        match self.enumerations.iter_mut().find(|(other, _)| *other == column) {
            Some((_, names)) => {
                let key = names.key(bits, &self.schema, argument);
                self.rows.columns[column].push_bits(key.into());
            }
            None => self.rows.columns[column].push_bits(bits),
        }
    }

    #[inline(always)]
    fn push_string(&mut self, argument: usize, bytes: &[u8]) {
        if let Some(column) = self.by_argument[argument] {
            self.rows.push_text(column, &utf8(bytes));
        }
    }

    /// Adds the row of any record.
    pub(super) fn push_entry(&mut self, entry: &Entry<'_>, owner: u32) {
        self.rows.begin_entry(entry, owner);
        self.rows.add_cpu(entry);
        if entry.version == Version::V4 && entry.order == ByteOrder::Little && self.fits(entry.payload) {
            self.pending.push(0);
            return self.settle(entry.payload);
        }
        for (argument, value) in entry.values().enumerate() {
            match value {
                Value::Integer(bits) => self.push_integer(argument, bits),
                Value::Str(bytes) => self.push_string(argument, bytes),
            }
        }
        if let Some(column) = self.surplus
            && entry.surplus().next().is_some()
        {
            self.rows.push_text(column, &surplus(entry));
        }
        // Values at the end of a record can be missing.
        for &(column, _) in &self.arguments {
            self.rows.columns[column].pad(self.rows.rows);
        }
        if let Some(column) = self.surplus {
            self.rows.columns[column].pad(self.rows.rows);
        }
    }

    pub(super) fn take(&mut self, shared: Shared<'_>) -> Batch {
        for (column, names) in &self.enumerations {
            set_strings(&mut self.rows.columns[*column], &names.names.strings());
        }
        self.rows.take(shared)
    }
}

/// Returns the values beyond the declared arguments as a JSON object.
fn surplus(entry: &Entry<'_>) -> String {
    let mut text = vec![b'{'];
    for (number, value) in (entry.schema.arguments.len() + 1..).zip(entry.surplus()) {
        if text.len() > 1 {
            text.push(b',');
        }
        text.extend_from_slice(format!("\"arg{number}\":").as_bytes());
        match value {
            Value::Integer(bits) => text.extend_from_slice(bits.to_string().as_bytes()),
            Value::Str(bytes) => crate::text::json::push_quoted(utf8(bytes).as_bytes(), &mut text),
        }
    }
    text.push(b'}');
    String::from_utf8_lossy(&text).into_owned()
}
