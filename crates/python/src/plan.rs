//! The columns of a table that Python sees, and how batches provide them.

use std::sync::Arc;

use ringtrace_events::nearest::nearest;
use ringtrace_tracefile::columns::{Batch, DataType, Field, Table, TableKind, union};

use crate::arrow::{ArrowSchema, ColumnData, SchemaField};
use crate::error::Message;

/// The column with wall-clock times as integers, and the column with the same times as dates.
const WALL: &str = "wall_ns";
const DATE: &str = "time";

/// A column.
#[derive(Debug, Clone)]
struct PlanColumn {
    field: SchemaField,
    data_type: DataType,
    /// The index of the field in the union of the tables.
    place: usize,
}

impl PlanColumn {
    fn nulls(&self) -> ColumnData {
        ColumnData::Nulls {
            is_dictionary: self.data_type == DataType::Dictionary,
            is_text: self.data_type == DataType::Utf8,
        }
    }
}

/// The columns of a table. Batches of several events or pairs can contribute rows to it.
#[derive(Debug, Clone)]
pub struct Plan {
    columns: Vec<PlanColumn>,
    tables: Vec<Arc<Table>>,
    /// The fields of each table, by the index of the field in the union of all tables.
    maps: Vec<Vec<Option<usize>>>,
    is_selection: bool,
    /// The table of the last batch, and for each column, the index in the batch.
    last: Option<(Arc<Table>, Vec<Option<usize>>)>,
}

impl Plan {
    /// Plans a table that has the rows of all `tables`. `wanted` are the columns to select.
    ///
    /// # Errors
    /// There is no such column.
    pub fn new(tables: Vec<Arc<Table>>, wanted: Option<&[String]>) -> Result<Plan, Message> {
        let (all, maps) = union("", TableKind::Events, &tables);
        let mut columns = Vec::new();
        for (place, field) in all.fields.iter().enumerate() {
            columns.push(column(field, place, &field.name, format(field.data_type)));
            if field.name == WALL {
                // With a time zone, DuckDB rounds times to microseconds.
                columns.push(column(field, place, DATE, "tsn:"));
            }
        }
        let mut plan = Plan { columns, tables, maps, is_selection: wanted.is_some(), last: None };
        if let Some(wanted) = wanted {
            plan.columns = wanted.iter().map(|name| plan.find(name)).collect::<Result<_, _>>()?;
        }
        Ok(plan)
    }

    fn find(&self, name: &str) -> Result<PlanColumn, Message> {
        let names = || self.columns.iter().map(|column| column.field.name.as_str());
        self.columns.iter().find(|column| column.field.name == name).cloned().ok_or_else(|| {
            let known = names().collect::<Vec<_>>().join(", ");
            let help = nearest(name, names())
                .map_or(format!("the columns are {known}"), |name| format!("did you mean `{name}`?"));
            Message::new(format!("no column is called `{name}`"), Some(&help))
        })
    }

    /// Returns the columns.
    pub fn fields(&self) -> Vec<SchemaField> {
        self.columns.iter().map(|column| column.field.clone()).collect()
    }

    /// Returns the columns as Arrow's struct.
    pub fn schema(&self) -> ArrowSchema {
        ArrowSchema::of_rows(&self.fields())
    }

    /// Returns the names of the columns that batches must have, or `None` if they must have all.
    pub fn requested(&self) -> Option<Vec<String>> {
        let names = self.columns.iter().flat_map(|column| {
            self.tables.iter().zip(&self.maps).filter_map(|(table, map)| {
                Some(table.fields[map.get(column.place).copied().flatten()?].name.clone())
            })
        });
        self.is_selection.then(|| names.collect())
    }

    /// Returns the columns of `batch` in the order of the plan.
    ///
    /// # Errors
    /// The batch has columns that are not planned.
    pub fn arrange(&mut self, batch: Batch) -> Result<Vec<ColumnData>, Message> {
        let is_same = self.last.as_ref().is_some_and(|(table, _)| Arc::ptr_eq(table, &batch.table));
        if !is_same {
            self.last = Some((Arc::clone(&batch.table), self.resolve(&batch.table)?));
        }
        let columns: Vec<ColumnData> = batch.columns.into_iter().map(ColumnData::from).collect();
        let indices = self.last.iter().flat_map(|(_, indices)| indices);
        let arranged = self.columns.iter().zip(indices).map(|(column, index)| {
            index.and_then(|index| columns.get(index)).cloned().unwrap_or_else(|| column.nulls())
        });
        Ok(arranged.collect())
    }

    /// Returns the columns of a batch without rows.
    pub fn no_columns(&self) -> Vec<ColumnData> {
        self.columns.iter().map(PlanColumn::nulls).collect()
    }

    /// Returns the index of each column in batches of `table`.
    fn resolve(&self, table: &Table) -> Result<Vec<Option<usize>>, Message> {
        let is_like = |one: &Field, other: &Field| one.name == other.name && one.data_type == other.data_type;
        let has_all = |known: &Table| {
            table.fields.iter().all(|field| known.fields.iter().any(|other| is_like(field, other)))
        };
        let known = self.tables.iter().zip(&self.maps).find(|(known, _)| has_all(known));
        let Some((known, map)) = known else {
            let message = format!("the columns of `{}` changed while the trace was read", table.name);
            return Err(Message::new(message, Some("the program is still writing the trace: open it again")));
        };
        let index = |column: &PlanColumn| {
            let field = &known.fields[map.get(column.place).copied().flatten()?];
            table.fields.iter().position(|other| is_like(other, field))
        };
        Ok(self.columns.iter().map(index).collect())
    }
}

fn column(field: &Field, place: usize, name: &str, format: &'static str) -> PlanColumn {
    let is_dictionary = field.data_type == DataType::Dictionary;
    let field_of = SchemaField { name: name.to_owned(), format, nullable: field.nullable, is_dictionary };
    PlanColumn { field: field_of, data_type: field.data_type, place }
}

/// Returns Arrow's format string.
fn format(data_type: DataType) -> &'static str {
    match data_type {
        DataType::Bool => "b",
        DataType::Int8 => "c",
        DataType::Int16 => "s",
        DataType::Int32 => "i",
        DataType::Int64 => "l",
        DataType::UInt8 => "C",
        DataType::UInt16 => "S",
        DataType::UInt32 => "I",
        DataType::UInt64 => "L",
        DataType::Float64 => "g",
        DataType::Utf8 => "u",
        // Keys are small. pandas does not accept unsigned ones.
        DataType::Dictionary => "i",
    }
}
