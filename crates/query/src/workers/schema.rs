//! Schemas of tables: as bytes, and combined from several units.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::ipc::reader::StreamReader;
use datafusion::arrow::ipc::writer::StreamWriter;
use datafusion::arrow::record_batch::RecordBatch;

/// Encodes a schema as an Arrow IPC stream without rows.
pub(super) fn encode(schema: &Schema) -> Result<Vec<u8>, ArrowError> {
    let mut bytes = Vec::new();
    StreamWriter::try_new(&mut bytes, schema)?.finish()?;
    Ok(bytes)
}

/// Decodes a schema.
pub(super) fn decode(bytes: &[u8]) -> Result<SchemaRef, ArrowError> {
    Ok(StreamReader::try_new(bytes, None)?.schema())
}

/// Encodes rows as an Arrow IPC stream.
pub(super) fn encode_rows(batch: &RecordBatch) -> Result<Vec<u8>, ArrowError> {
    let mut bytes = Vec::new();
    let mut writer = StreamWriter::try_new(&mut bytes, &batch.schema())?;
    writer.write(batch)?;
    writer.finish()?;
    drop(writer);
    Ok(bytes)
}

/// Decodes rows.
pub(super) fn decode_rows(bytes: &[u8]) -> Result<Vec<RecordBatch>, ArrowError> {
    StreamReader::try_new(bytes, None)?.collect()
}

/// The columns of a table that has the rows of several units.
#[derive(Debug, Clone, Default)]
pub(super) struct Combined {
    fields: Vec<Field>,
    /// For each column, its names in the units.
    names: Vec<Vec<String>>,
}

impl Combined {
    /// Adds the columns of a unit. As in the tables of several traces, a column whose name has
    /// another type in an earlier unit is called `NAME__TYPE`.
    pub(super) fn add(&mut self, schema: &Schema) {
        for field in schema.fields() {
            let mut name = field.name().clone();
            let place = loop {
                let same = self.fields.iter().position(|known| known.name().eq_ignore_ascii_case(&name));
                match same {
                    Some(place)
                        if self.fields[place].data_type() == field.data_type()
                            && *self.fields[place].name() == name =>
                    {
                        break place;
                    }
                    Some(_) => name = format!("{name}__{}", type_name(field.data_type())),
                    None => {
                        self.fields.push(Field::new(&name, field.data_type().clone(), true));
                        self.names.push(Vec::new());
                        break self.fields.len() - 1;
                    }
                }
            };
            if !self.names[place].contains(field.name()) {
                self.names[place].push(field.name().clone());
            }
        }
    }

    pub(super) fn schema(&self) -> SchemaRef {
        Arc::new(Schema::new(self.fields.clone()))
    }

    pub(super) fn names(&self) -> &[Vec<String>] {
        &self.names
    }
}

fn type_name(data_type: &DataType) -> String {
    match data_type {
        DataType::Boolean => "bool".to_owned(),
        DataType::Utf8View => "utf8".to_owned(),
        other => other.to_string().to_ascii_lowercase(),
    }
}

/// Returns the index of the column of `schema` that provides a column with one of these `names`.
pub(super) fn provider(schema: &Schema, names: &[String], data_type: &DataType) -> Option<usize> {
    names.iter().find_map(|name| {
        let is_it = |field: &Arc<Field>| field.name() == name && field.data_type() == data_type;
        schema.fields().iter().position(is_it)
    })
}
