//! The columns of an SQL table, and how batches of the decoder provide them.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, new_null_array};
use datafusion::arrow::datatypes::{Field as ArrowField, Schema as ArrowSchema, SchemaRef};
use ringtrace_tracefile::columns::{Batch, Field, Table, TableKind, union};

use crate::arrays::{DATE, Dictionary, array, arrow_type, dates};
use crate::error::{Error, ErrorKind};

/// The column with wall-clock times as integers, and the column with the same times as dates.
const WALL: &str = "wall_ns";
const TIME: &str = "time";

/// A column.
#[derive(Debug, Clone)]
struct Planned {
    /// The index of the field in the union of the tables.
    place: usize,
    is_date: bool,
}

/// The columns of a table. Batches of several events or pairs can contribute rows to it.
#[derive(Debug)]
pub struct Columns {
    schema: SchemaRef,
    columns: Vec<Planned>,
    tables: Vec<Arc<Table>>,
    /// The fields of each table, by the index of the field in the union of all tables.
    maps: Vec<Vec<Option<usize>>>,
}

impl Columns {
    /// Plans a table that has the rows of all `tables`.
    pub fn new(tables: Vec<Arc<Table>>) -> Columns {
        let (all, maps) = union("", TableKind::Events, &tables);
        let (mut fields, mut columns) = (Vec::new(), Vec::new());
        for (place, field) in all.fields.iter().enumerate() {
            fields.push(ArrowField::new(&field.name, arrow_type(field.data_type), field.nullable));
            columns.push(Planned { place, is_date: false });
            if field.name == WALL {
                fields.push(ArrowField::new(TIME, DATE, field.nullable));
                columns.push(Planned { place, is_date: true });
            }
        }
        Columns { schema: Arc::new(ArrowSchema::new(fields)), columns, tables, maps }
    }

    /// Returns all columns.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Returns the names of the columns that batches must have for `selected` columns.
    pub fn requested(&self, selected: &[usize]) -> Vec<String> {
        let names = selected.iter().filter_map(|&index| self.columns.get(index)).flat_map(|column| {
            self.tables.iter().zip(&self.maps).filter_map(|(table, map)| {
                Some(table.fields[map.get(column.place).copied().flatten()?].name.clone())
            })
        });
        names.collect()
    }
}

/// Arranges the columns of batches in the order of a selection.
#[derive(Debug)]
pub struct Arrangement {
    columns: Arc<Columns>,
    selected: Vec<usize>,
    schema: SchemaRef,
    /// The table of the last batch, and for each selected column, the index in the batch.
    last: Option<(Arc<Table>, Vec<Option<usize>>)>,
    dictionaries: Vec<Dictionary>,
}

impl Arrangement {
    /// Creates an arrangement of the `selected` columns. `schema` is that of the selection.
    pub fn new(columns: Arc<Columns>, selected: Vec<usize>, schema: SchemaRef) -> Arrangement {
        Arrangement { columns, selected, schema, last: None, dictionaries: Vec::new() }
    }

    /// Converts `batch`.
    ///
    /// # Errors
    /// The batch has columns that are not planned.
    pub fn arrange(&mut self, batch: Batch) -> Result<RecordBatch, Error> {
        let is_same = self.last.as_ref().is_some_and(|(table, _)| Arc::ptr_eq(table, &batch.table));
        if !is_same {
            let indices = self.resolve(&batch.table)?;
            self.last = Some((Arc::clone(&batch.table), indices));
            self.dictionaries.clear();
        }
        self.dictionaries.resize_with(batch.columns.len(), || None);
        let internal = |error| Error::new(ErrorKind::System, format!("internal error: {error}"));
        let arrays = batch.columns.into_iter().zip(&mut self.dictionaries);
        let arrays: Vec<ArrayRef> = arrays
            .map(|(column, dictionary)| array(column, dictionary))
            .collect::<Result<_, _>>()
            .map_err(internal)?;
        let indices = self.last.iter().flat_map(|(_, indices)| indices);
        let fields = self.schema.fields().iter();
        let arranged = self.selected.iter().zip(indices).zip(fields).map(|((&column, index), field)| {
            let found = index.and_then(|index| arrays.get(index)).cloned();
            let found =
                if self.columns.columns[column].is_date { found.as_ref().and_then(dates) } else { found };
            found.unwrap_or_else(|| new_null_array(field.data_type(), batch.rows))
        });
        let options = RecordBatchOptions::new().with_row_count(Some(batch.rows));
        let arranged = arranged.collect();
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), arranged, &options).map_err(internal)
    }

    /// Returns the index of each selected column in batches of `table`.
    fn resolve(&self, table: &Table) -> Result<Vec<Option<usize>>, Error> {
        let is_like = |one: &Field, other: &Field| one.name == other.name && one.data_type == other.data_type;
        let has_all = |known: &Table| {
            table.fields.iter().all(|field| known.fields.iter().any(|other| is_like(field, other)))
        };
        let known = self.columns.tables.iter().zip(&self.columns.maps);
        let Some((known, map)) = known.into_iter().find(|(known, _)| has_all(known)) else {
            let message = format!("the columns of `{}` changed while the trace was read", table.name);
            return Err(Error::new(ErrorKind::Input, message)
                .help("the program is still writing the trace: run the query again"));
        };
        let index = |&column: &usize| {
            let field = &known.fields[map.get(self.columns.columns[column].place).copied().flatten()?];
            table.fields.iter().position(|other| is_like(other, field))
        };
        Ok(self.selected.iter().map(index).collect())
    }
}
