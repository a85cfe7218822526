//! The files of a trace, by table and date.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use ringtrace_tracefile::columns::{Batch, Column, Table, TableKind, Values};
use ringtrace_tracefile::metadata::Anchor;

use super::folder;
use super::names::Names;
use super::staging::{at, staged};
use crate::parquet::chunk::{Encoder, properties};
use crate::parquet::files::MAX_ROW_GROUPS;
use crate::parquet::part::{PartFile, io_error};
use crate::parquet::schema::{Schema, WALL};
use crate::parquet::writer::Store;
use crate::parquet::{Limits, Metadata};
use crate::shared::record_types::slot;

const DAY_NS: i64 = 86_400_000_000_000;

/// The number of days before and after the trace's anchor in which rows have a date. In a damaged trace,
/// records can have any time, which would make a folder for each date.
const MAX_DAYS: u64 = 1000;

/// The contents of finished files.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// The paths of the files in the dataset.
    pub(super) parts: Vec<String>,
    pub(super) records: u64,
    pub(super) spans: u64,
    /// The earliest and the latest time of an event.
    pub(super) range_ns: Option<(u64, u64)>,
    pub(super) renamed: Vec<(String, String, String)>,
}

/// Writes batches to a file for each table and date.
#[derive(Debug)]
pub(super) struct Parts {
    /// The staging folder.
    pub(super) folder: PathBuf,
    pub(super) trace: String,
    /// The name of the machine, as in folder names.
    pub(super) host: String,
    pub(super) anchor: Option<Anchor>,
    pub(super) limits: Limits,
    pub(super) metadata: Metadata,
    pub(super) names: Names,
    /// The contents, for the thread that waits.
    pub(super) contents: Arc<Mutex<Contents>>,
    pub(super) tables: [Vec<Option<TableParts>>; 3],
    /// The number of row groups in unfinished files.
    pub(super) row_groups: usize,
    pub(super) encoder: Encoder,
}

/// The files of a table.
#[derive(Debug)]
pub(super) struct TableParts {
    /// The table, as in batches.
    table: Arc<Table>,
    schema: Schema,
    /// The folder, relative to the dataset.
    folder: String,
    days: BTreeMap<Option<i64>, Day>,
}

/// The files with the rows of a date.
#[derive(Debug, Default)]
struct Day {
    part: Option<PartFile>,
    /// The path of the unfinished file in the dataset.
    path: String,
    /// The number of finished files.
    finished: u32,
}

impl Day {
    fn row_groups(&self) -> usize {
        self.part.as_ref().map_or(0, |part| part.row_groups)
    }

    /// Finishes the file. Returns the number of its row groups.
    fn end_part(&mut self, parts: &mut Vec<String>) -> io::Result<usize> {
        let Some(part) = self.part.take() else { return Ok(0) };
        let row_groups = part.row_groups;
        part.finish()?;
        self.finished += 1;
        parts.push(std::mem::take(&mut self.path));
        Ok(row_groups)
    }
}

/// Returns the position of a table among those of its kind.
fn place(kind: TableKind) -> (usize, usize) {
    match kind {
        TableKind::Event(index) => (0, index as usize),
        TableKind::Spans(index) => (1, index),
        TableKind::Dropped => (2, 0),
        TableKind::Pauses => (2, 1),
        TableKind::Steps => (2, 2),
        TableKind::Counters => (2, 3),
        TableKind::Events => (2, 4),
    }
}

impl Parts {
    /// Prepares the files for rows of `table`. If its columns have changed, the next rows are in other
    /// files.
    fn prepare(&mut self, table: &Arc<Table>) -> io::Result<()> {
        let (kind, index) = place(table.kind);
        let slot = slot(&mut self.tables[kind], index);
        if slot.as_ref().is_some_and(|known| Arc::ptr_eq(&known.table, table)) {
            return Ok(());
        }
        let mut days = BTreeMap::new();
        if let Some(known) = slot.take() {
            if known.table.fields == table.fields {
                *slot = Some(TableParts { table: Arc::clone(table), ..known });
                return Ok(());
            }
            days = known.days;
            let mut contents = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
            for day in days.values_mut() {
                self.row_groups -= day.end_part(&mut contents.parts)?;
            }
        }
        let stored = self.names.stored(table)?;
        let folder = match table.kind {
            TableKind::Event(_) => format!("events/event={}", folder(&table.name)),
            TableKind::Spans(_) => format!("spans/pair={}", folder(&table.name)),
            _ => table.name.clone(),
        };
        // Engines take it from the name of the folder.
        let without = matches!(table.kind, TableKind::Spans(_)).then_some("pair");
        let schema = Schema::new(&stored, without).map_err(io_error)?;
        *slot = Some(TableParts { table: Arc::clone(table), schema, folder, days });
        Ok(())
    }

    /// Writes rows of one date as a row group.
    fn append(&mut self, batch: &Batch, day: Option<i64>) -> io::Result<()> {
        let Parts { tables, contents, encoder, .. } = self;
        let (kind, index) = place(batch.table.kind);
        let Some(Some(table)) = tables[kind].get_mut(index) else { return Ok(()) };
        let known = table.days.entry(day).or_default();
        let mut part = match known.part.take() {
            Some(part) => part,
            None => {
                let date = day.map_or("unknown".to_owned(), date);
                let name = format!("{}-{:06}.parquet", self.trace, known.finished);
                known.path = format!("{}/date={date}/host={}/{name}", table.folder, self.host);
                let path = self.folder.join(staged(&known.path));
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder).map_err(at(folder))?;
                }
                PartFile::new(path, Arc::clone(&table.schema.root), properties(&self.metadata))?
            }
        };
        part.append(batch.rows, |group| encoder.row_group(&table.schema, batch, group))?;
        known.part = Some(part);
        self.row_groups += 1;
        let mut contents = contents.lock().unwrap_or_else(PoisonError::into_inner);
        if known.row_groups() >= MAX_ROW_GROUPS {
            self.row_groups -= known.end_part(&mut contents.parts)?;
        }
        // Unfinished files keep their metadata in memory. Finish the largest ones.
        while self.row_groups > self.limits.row_groups {
            let days = self.tables.iter_mut().flatten().flatten().flat_map(|table| table.days.values_mut());
            let Some(most) = days.max_by_key(|day| day.row_groups()) else { break };
            self.row_groups -= most.end_part(&mut contents.parts)?;
        }
        Ok(())
    }

    /// Counts the rows of a batch.
    fn count(&self, batch: &Batch) {
        let mut contents = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        match batch.table.kind {
            TableKind::Event(_) => contents.records += batch.rows as u64,
            TableKind::Spans(_) => contents.spans += batch.rows as u64,
            _ => {}
        }
        let times = batch.column("time_ns").map(Column::values);
        if let (TableKind::Event(_), Some(Values::Int64(times))) = (batch.table.kind, times) {
            for time in times.iter().map(|time| time.cast_unsigned()) {
                let (first, last) = contents.range_ns.unwrap_or((time, time));
                contents.range_ns = Some((first.min(time), last.max(time)));
            }
        }
    }

    /// Returns the dates of the rows of a batch, as days since 1970, and for each of them, its rows.
    /// If all rows have the same date, they are not listed.
    fn days(&self, batch: &Batch) -> Vec<(Option<i64>, Option<Vec<u32>>)> {
        let Some(anchor) = self.anchor else { return vec![(None, None)] };
        let shift_ns = anchor.realtime_ns - i128::from(anchor.monotonic_ns);
        let integer =
            |name: &str, row: usize| match batch.column(name).map(|column| (column, column.values())) {
                Some((column, Values::Int64(values))) if !column.is_null(row) => Some(values[row]),
                _ => None,
            };
        let time = |row: usize| match batch.table.kind {
            TableKind::Pauses => {
                let ns = integer("begin_ns", row).or_else(|| integer("end_ns", row))?;
                i64::try_from(i128::from(ns.cast_unsigned()) + shift_ns).ok()
            }
            _ => integer(WALL, row),
        };
        let anchor_day = i64::try_from(anchor.realtime_ns.div_euclid(i128::from(DAY_NS))).unwrap_or(0);
        let day = |ns: i64| Some(ns.div_euclid(DAY_NS)).filter(|day| day.abs_diff(anchor_day) <= MAX_DAYS);
        if let Some(column) = batch.column(WALL)
            && let (Values::Int64(times), None) = (column.values(), column.validity())
            && let (Some(first), Some(last)) = (times.iter().min(), times.iter().max())
            && first.div_euclid(DAY_NS) == last.div_euclid(DAY_NS)
        {
            return vec![(day(*first), None)];
        }
        let mut days: BTreeMap<Option<i64>, Vec<u32>> = BTreeMap::new();
        for row in 0..batch.rows {
            days.entry(time(row).and_then(day)).or_default().push(row as u32);
        }
        days.into_iter().map(|(day, rows)| (day, Some(rows))).collect()
    }
}

impl Store for Parts {
    /// Tables without rows have no files.
    fn add(&mut self, _table: &Arc<Table>) -> io::Result<()> {
        Ok(())
    }

    fn write(&mut self, batch: &Batch) -> io::Result<()> {
        self.prepare(&batch.table)?;
        self.count(batch);
        for (day, rows) in self.days(batch) {
            match rows {
                Some(rows) => self.append(&batch.select(&rows), day)?,
                None => self.append(batch, day)?,
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        let mut contents = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        for table in self.tables.iter_mut().flatten().flatten() {
            for day in table.days.values_mut() {
                day.end_part(&mut contents.parts)?;
            }
        }
        contents.parts.sort();
        contents.renamed = std::mem::take(&mut self.names.renamed);
        Ok(())
    }
}

/// Returns the date `day` days after 1970-01-01, in the Gregorian calendar.
fn date(day: i64) -> String {
    // The algorithm counts from 0000-03-01, so that leap days are the last days of years.
    let days = day + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + 400 * era + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_are_gregorian() {
        let dates = [(0, "1970-01-01"), (-1, "1969-12-31"), (11_016, "2000-02-29"), (11_017, "2000-03-01")];
        let more = [
            (20_780, "2026-11-23"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
            (-106_752, "1677-09-21"),
        ];
        for (day, expected) in dates.into_iter().chain(more) {
            assert_eq!(date(day), expected, "{day}");
        }
    }
}
