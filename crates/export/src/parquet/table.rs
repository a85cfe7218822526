//! Rows, which stay in memory until there are enough for a row group, and are then written as
//! columns.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedRowGroupWriter;
use parquet::schema::types::TypePtr;
use ringtrace_tracefile::metadata::Anchor;
use ringtrace_wire::Little;
use ringtrace_wire::simpletrace::v4::integers;

use super::Metadata;
use super::column::{self, Column, ColumnSource};
use super::encoding::{self, ColumnEncoding, SAMPLE};
use super::owners::Owners;
use super::part::{PartFile, ReopenedFile, io_error};
use crate::shared::value::ValueKind;

/// Maximum number of rows in a row group, as in DuckDB. Engines distribute row groups over
/// processors.
const MAX_ROWS: usize = 1 << 17;
const MIN_ROWS: usize = 16;

/// Maximum size of the strings in a row group. The last row may exceed it.
const MAX_TEXT_BYTES: usize = 16 << 20;

/// Maximum number of row groups in a file, which is about four million rows.
const MAX_ROW_GROUPS: usize = 32;

/// A table: rows with the same columns, written to the files of a folder or to one file.
///
/// Rows are stored one after another, with one word for each cell, like the integers of a record. A
/// string's word is its index among the strings. Columns are created only when a row group is
/// written.
#[derive(Debug)]
pub(super) struct Table {
    location: TableLocation,
    columns: Vec<Column>,
    schema: TypePtr,
    metadata: Metadata,
    width: usize,
    only_integers: bool,
    words: Vec<u64>,
    text: Vec<u8>,
    missing: Vec<(u32, u32)>,
    /// The owners of the rows, run-length encoded: an owner's number, and how many consecutive rows
    /// it has.
    owners: Vec<(u32, u32)>,
    rows: usize,
    part: Option<PartFile>,
}

#[derive(Debug)]
pub(super) enum TableLocation {
    File(PathBuf),
    /// Files in a folder. Each is named after its number and the times that it covers.
    Folder(PathBuf),
}

#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) owners: Owners,
    pub(super) anchor: Option<Anchor>,
    /// Number of files created in folders so far. Each file is named after its number.
    files: u32,
    scratch: Scratch,
}

impl Shared {
    pub(super) fn new(anchor: Option<Anchor>) -> Shared {
        Shared { anchor, ..Shared::default() }
    }
}

#[derive(Debug, Default)]
struct Scratch {
    integers: Vec<i64>,
    doubles: Vec<f64>,
    bools: Vec<bool>,
    texts: Vec<ByteArray>,
    levels: Vec<i16>,
}

impl Scratch {
    fn clear(&mut self) {
        self.integers.clear();
        self.doubles.clear();
        self.bools.clear();
        self.texts.clear();
        self.levels.clear();
    }
}

impl Table {
    pub(super) fn new(
        location: TableLocation,
        columns: Vec<Column>,
        metadata: Metadata,
    ) -> io::Result<Table> {
        let width = columns.iter().filter_map(Column::cell).max().map_or(0, |cell| cell + 1);
        let schema = column::schema(&columns).map_err(io_error)?;
        Ok(Table {
            location,
            only_integers: !columns
                .iter()
                .any(|column| matches!(column.source, ColumnSource::Cell(_, ValueKind::Text))),
            columns,
            schema,
            metadata,
            width,
            words: Vec::new(),
            text: Vec::new(),
            missing: Vec::new(),
            owners: Vec::new(),
            rows: 0,
            part: None,
        })
    }

    /// Returns whether a row group must be written before the next row.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.rows >= MAX_ROWS || self.text.len() >= MAX_TEXT_BYTES
    }

    pub(super) fn bytes(&self) -> usize {
        8 * (self.words.capacity() + self.missing.capacity() + self.owners.capacity()) + self.text.capacity()
    }

    pub(super) fn row_groups(&self) -> usize {
        self.part.as_ref().map_or(0, |part| part.row_groups)
    }

    pub(super) fn push_word(&mut self, bits: u64) {
        self.words.push(bits);
    }

    pub(super) fn push_bytes(&mut self, text: &[u8]) {
        let start = self.text.len() as u64;
        self.text.extend_from_slice(text);
        self.words.push(start << 32 | text.len() as u64);
    }

    /// Adds a cell to the current row. `None` is a missing value.
    pub(super) fn push_text(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.push_bytes(text.as_bytes()),
            None => self.push_missing(),
        }
    }

    /// Adds a cell to the current row. `None` is a missing value.
    pub(super) fn push_number(&mut self, number: Option<u64>) {
        match number {
            Some(number) => self.push_word(number),
            None => self.push_missing(),
        }
    }

    fn push_missing(&mut self) {
        let cell = self.words.len() - self.rows * self.width;
        self.missing.push((self.rows as u32, cell as u32));
        self.words.push(0);
    }

    /// Ends the current row. Cells that were not added are missing values.
    pub(super) fn end_row(&mut self, owner: u32) {
        while self.words.len() < (self.rows + 1) * self.width {
            self.push_missing();
        }
        self.count_row(owner);
    }

    pub(super) fn settle(&mut self, shared: &mut Shared) -> io::Result<()> {
        if self.is_full() { self.flush(shared) } else { Ok(()) }
    }

    /// Returns whether a row of integers can be added without allocating memory.
    #[inline(always)]
    pub(super) fn has_room(&self) -> bool {
        self.words.capacity() - self.words.len() >= self.width && self.rows < MAX_ROWS
    }

    pub(super) fn grow(&mut self) {
        let rows = (2 * self.rows).clamp(MIN_ROWS, MAX_ROWS);
        self.words.reserve_exact(rows * self.width - self.words.len());
    }

    /// Adds the row of a record with only integers. Returns false, and adds nothing, for other
    /// records. There must be [room](Table::has_room).
    #[inline(always)]
    pub(super) fn push_integers(&mut self, owner: u32, time_ns: u64, payload: &[u8]) -> bool {
        if !self.only_integers {
            return false;
        }
        let Some(values) = integers::<Little>(payload, self.width - 1) else { return false };
        self.words.push(time_ns);
        self.words.extend(values);
        self.count_row(owner);
        true
    }

    #[inline(always)]
    fn count_row(&mut self, owner: u32) {
        self.rows += 1;
        match self.owners.last_mut() {
            Some((last, count)) if *last == owner => *count += 1,
            _ => self.owners.push((owner, 1)),
        }
    }

    pub(super) fn flush(&mut self, shared: &mut Shared) -> io::Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let part = self.part.take();
        let text = ByteArray::from(std::mem::take(&mut self.text));
        let Shared { owners, anchor, files, scratch } = shared;
        let rows = Rows { table: self, text, owners, anchor: anchor.as_ref() };
        let mut part = match part {
            Some(part) => part,
            None => self.begin_part(rows.properties(), files)?,
        };
        part.append(rows.table.rows, rows.span_ns(), |group| rows.write(group, scratch))?;
        self.words.clear();
        self.missing.clear();
        self.owners.clear();
        self.rows = 0;
        self.part = Some(part);
        if self.row_groups() >= MAX_ROW_GROUPS && matches!(self.location, TableLocation::Folder(_)) {
            self.end_part()?;
        }
        Ok(())
    }

    pub(super) fn shrink(&mut self) {
        self.words.shrink_to_fit();
        self.missing.shrink_to_fit();
        self.owners.shrink_to_fit();
    }

    fn begin_part(&self, properties: WriterProperties, files: &mut u32) -> io::Result<PartFile> {
        let path = match &self.location {
            TableLocation::File(path) => path.clone(),
            TableLocation::Folder(folder) => {
                fs::create_dir_all(folder)?;
                *files += 1;
                folder.join(format!("{:06}", *files - 1))
            }
        };
        PartFile::new(path, Arc::clone(&self.schema), Arc::new(properties))
    }

    /// Finishes the current file, and names it after its contents.
    pub(super) fn end_part(&mut self) -> io::Result<()> {
        let Some(part) = self.part.take() else { return Ok(()) };
        let (path, span_ns) = part.finish()?;
        if matches!(self.location, TableLocation::Folder(_)) {
            let (first, last) = span_ns.unwrap_or_default();
            let number = path.file_name().unwrap_or_default().to_string_lossy();
            fs::rename(&path, path.with_file_name(format!("{number}-{first}-{last}.parquet")))?;
        }
        Ok(())
    }

    /// Writes the remaining rows. A table that has a single file is written even if it is empty, so
    /// that queries find it.
    pub(super) fn finish(&mut self, shared: &mut Shared) -> io::Result<()> {
        self.flush(shared)?;
        if self.part.is_none() && matches!(self.location, TableLocation::File(_)) {
            let properties = WriterProperties::builder().set_key_value_metadata(Some(self.metadata.clone()));
            self.part = Some(self.begin_part(properties.build(), &mut shared.files)?);
        }
        self.end_part()
    }
}

struct Rows<'r> {
    table: &'r Table,
    text: ByteArray,
    owners: &'r Owners,
    anchor: Option<&'r Anchor>,
}

impl Rows<'_> {
    fn cells(&self, cell: usize) -> impl Iterator<Item = u64> {
        self.table.words.iter().skip(cell).step_by(self.table.width).copied()
    }

    fn span_ns(&self) -> Option<(u64, u64)> {
        let is_time = |column: &Column| match column.source {
            ColumnSource::Time(cell) => Some(cell),
            _ => None,
        };
        let cell = self.table.columns.iter().find_map(is_time)?;
        Some((self.cells(cell).min()?, self.cells(cell).max()?))
    }

    /// Returns the encodings of the columns, for a file that starts with these rows.
    fn properties(&self) -> WriterProperties {
        let builder = WriterProperties::builder()
            .set_created_by(concat!("ringtrace ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(self.table.metadata.clone()));
        let set = |builder, column: &Column| match column.source {
            ColumnSource::Cell(_, ValueKind::Text) | ColumnSource::Thread => {
                encoding::compress(&column.name, builder)
            }
            ColumnSource::Cell(_, ValueKind::Bool | ValueKind::Double)
            | ColumnSource::Pid
            | ColumnSource::Tid => builder,
            ColumnSource::Cell(cell, _) => {
                let mut sample: Vec<u64> = self.cells(cell).take(SAMPLE).collect();
                ColumnEncoding::for_integers(&mut sample).set(&column.name, builder)
            }
            ColumnSource::Time(_) | ColumnSource::Date(_) => {
                ColumnEncoding::Deltas.set(&column.name, builder)
            }
        };
        self.table.columns.iter().fold(builder, set).build()
    }

    fn write(
        &self,
        group: &mut SerializedRowGroupWriter<'_, ReopenedFile>,
        scratch: &mut Scratch,
    ) -> Result<(), ParquetError> {
        let mut columns = self.table.columns.iter();
        while let Some(mut writer) = group.next_column()? {
            let Some(column) = columns.next() else { break };
            scratch.clear();
            match column.source {
                ColumnSource::Cell(cell, kind) => {
                    let missing: Vec<u32> = self.missing(cell).collect();
                    if missing.is_empty() {
                        self.take(kind, self.cells(cell), scratch);
                        scratch.levels.resize(self.table.rows, 1);
                    } else {
                        scratch.levels.resize(self.table.rows, 1);
                        for row in missing {
                            scratch.levels[row as usize] = 0;
                        }
                        let there = std::mem::take(&mut scratch.levels);
                        let cells = self.cells(cell).zip(&there).filter(|(_, level)| **level != 0);
                        self.take(kind, cells.map(|(word, _)| word), scratch);
                        scratch.levels = there;
                    }
                }
                ColumnSource::Time(cell) => scratch.integers.extend(self.cells(cell).map(u64::cast_signed)),
                ColumnSource::Date(cell) => scratch.integers.extend(self.cells(cell).map(|ns| self.date(ns))),
                ColumnSource::Pid => {
                    let pid = |owner| self.owners.get(owner).pid.map(i64::from);
                    self.each(pid, &mut scratch.integers, &mut scratch.levels);
                }
                ColumnSource::Tid => {
                    let tid = |owner| self.owners.get(owner).tid.map(i64::from);
                    self.each(tid, &mut scratch.integers, &mut scratch.levels);
                }
                ColumnSource::Thread => {
                    let name = |owner| self.owners.name(owner).cloned();
                    self.each(name, &mut scratch.texts, &mut scratch.levels);
                }
            }
            let Scratch { integers, doubles, bools, texts, levels } = scratch;
            let levels = (!column.is_required()).then_some(levels.as_slice());
            match column.source {
                ColumnSource::Cell(_, ValueKind::Text) | ColumnSource::Thread => {
                    writer.typed::<ByteArrayType>().write_batch(texts, levels, None)?
                }
                ColumnSource::Cell(_, ValueKind::Bool) => {
                    writer.typed::<BoolType>().write_batch(bools, levels, None)?
                }
                ColumnSource::Cell(_, ValueKind::Double) => {
                    writer.typed::<DoubleType>().write_batch(doubles, levels, None)?
                }
                _ => writer.typed::<Int64Type>().write_batch(integers, levels, None)?,
            };
            writer.close()?;
        }
        Ok(())
    }

    fn take(&self, kind: ValueKind, words: impl Iterator<Item = u64>, scratch: &mut Scratch) {
        let Scratch { integers, doubles, bools, texts, .. } = scratch;
        match kind {
            ValueKind::Double => doubles.extend(words.map(f64::from_bits)),
            ValueKind::Bool => bools.extend(words.map(|bits| bits != 0)),
            ValueKind::Text => {
                texts.extend(words.map(|word| self.text.slice((word >> 32) as usize, word as u32 as usize)));
            }
            ValueKind::Signed(4) => integers.extend(words.map(|bits| i64::from(bits as i32))),
            ValueKind::Signed(2) => integers.extend(words.map(|bits| i64::from(bits as i16))),
            ValueKind::Signed(1) => integers.extend(words.map(|bits| i64::from(bits as i8))),
            ValueKind::Unsigned(4) => integers.extend(words.map(|bits| i64::from(bits as u32))),
            ValueKind::Unsigned(2) => integers.extend(words.map(|bits| i64::from(bits as u16))),
            ValueKind::Unsigned(1) => integers.extend(words.map(|bits| i64::from(bits as u8))),
            ValueKind::Signed(_) | ValueKind::Unsigned(_) | ValueKind::Pointer => {
                integers.extend(words.map(u64::cast_signed));
            }
        }
    }

    fn missing(&self, cell: usize) -> impl Iterator<Item = u32> {
        self.table.missing.iter().filter(move |(_, missing)| *missing as usize == cell).map(|(row, _)| *row)
    }

    /// Appends one value for each row, which depends on the row's owner.
    fn each<T: Clone>(&self, of: impl Fn(u32) -> Option<T>, values: &mut Vec<T>, levels: &mut Vec<i16>) {
        for &(owner, count) in &self.table.owners {
            let value = of(owner);
            levels.resize(levels.len() + count as usize, i16::from(value.is_some()));
            if let Some(value) = value {
                values.resize(values.len() + count as usize, value);
            }
        }
    }

    fn date(&self, ns: u64) -> i64 {
        let date = self.anchor.map_or(i128::from(ns), |anchor| anchor.realtime_ns(ns));
        date.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }
}
