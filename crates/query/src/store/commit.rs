//! The object of a trace in `traces`: its state, and if it is committed, its row.
//!
//! The object is a Parquet file. Its metadata contain the state. All changes of a trace go through
//! this object, which is replaced only if no other process has replaced it.

use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use datafusion::parquet::arrow::arrow_writer::ArrowWriterOptions;
use datafusion::parquet::basic::Compression;
use datafusion::parquet::errors::ParquetError;
use datafusion::parquet::file::metadata::KeyValue;
use datafusion::parquet::file::properties::WriterProperties;

/// The state of a trace, and its row.
#[derive(Debug, Clone)]
pub(super) struct Commit {
    /// The row of the trace.
    pub(super) row: RecordBatch,
    /// Whether the trace is in the dataset. Otherwise, the object has no rows.
    pub(super) is_committed: bool,
    /// The files of the trace, relative to the dataset, with their sizes if they are known.
    pub(super) parts: Vec<(String, Option<u64>)>,
    /// Counts the versions of the trace. It is part of the names of files.
    pub(super) generation: u64,
    /// A hash of the contents of all files.
    pub(super) content: String,
    /// The files of earlier generations, which are deleted before the commit.
    pub(super) remove: Vec<String>,
    /// The files of earlier generations that were never committed. A slow process may still write
    /// them.
    pub(super) superseded: Vec<String>,
    /// The other metadata.
    pub(super) others: Vec<KeyValue>,
}

const PARTS: &str = "ringtrace.parts";
const SIZES: &str = "ringtrace.sizes";
const GENERATION: &str = "ringtrace.generation";
const CONTENT: &str = "ringtrace.content";
const REMOVE: &str = "ringtrace.remove";
const SUPERSEDED: &str = "ringtrace.superseded";
const OWN: [&str; 6] = [PARTS, SIZES, GENERATION, CONTENT, REMOVE, SUPERSEDED];

impl Commit {
    /// Reads the object. Also reads the file of a trace in a local dataset.
    pub(super) fn read(bytes: Vec<u8>) -> Result<Commit, ParquetError> {
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let builder =
            ParquetRecordBatchReaderBuilder::try_new_with_options(bytes::Bytes::from(bytes), options)?;
        let metadata = builder.metadata().file_metadata().key_value_metadata().cloned().unwrap_or_default();
        let schema = Arc::clone(builder.schema());
        let batches = builder.build()?.collect::<Result<Vec<RecordBatch>, _>>()?;
        let row = batches.into_iter().find(|batch| batch.num_rows() > 0);
        let value = |key: &str| {
            metadata
                .iter()
                .find(|pair| pair.key == key)
                .and_then(|pair| pair.value.clone())
                .unwrap_or_default()
        };
        let lines = |key: &str| value(key).lines().map(str::to_owned).collect::<Vec<String>>();
        let sizes: Vec<Option<u64>> = lines(SIZES).iter().map(|size| size.parse().ok()).collect();
        let size = |index: usize| sizes.get(index).copied().flatten();
        Ok(Commit {
            is_committed: row.is_some(),
            row: row.unwrap_or_else(|| RecordBatch::new_empty(schema)),
            parts: lines(PARTS).into_iter().enumerate().map(|(index, part)| (part, size(index))).collect(),
            generation: value(GENERATION).parse().unwrap_or(0),
            content: value(CONTENT),
            remove: lines(REMOVE),
            superseded: lines(SUPERSEDED),
            others: metadata.into_iter().filter(|pair| !OWN.contains(&pair.key.as_str())).collect(),
        })
    }

    /// Returns the contents of the object.
    pub(super) fn write(&self) -> Result<Vec<u8>, ParquetError> {
        let lines = |lines: Vec<String>| lines.join("\n");
        let parts = self.parts.iter().map(|(part, _)| part.clone()).collect();
        let sizes = self.parts.iter().map(|(_, size)| size.unwrap_or(0).to_string()).collect();
        let own = [
            (PARTS, lines(parts)),
            (SIZES, lines(sizes)),
            (GENERATION, self.generation.to_string()),
            (CONTENT, self.content.clone()),
            (REMOVE, lines(self.remove.clone())),
            (SUPERSEDED, lines(self.superseded.clone())),
        ];
        let own = own.into_iter().map(|(key, value)| KeyValue::new(key.to_owned(), value));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by("ringtrace".to_owned())
            .set_key_value_metadata(Some(self.others.iter().cloned().chain(own).collect()));
        let options =
            ArrowWriterOptions::new().with_properties(properties.build()).with_skip_arrow_metadata(true);
        let mut writer = ArrowWriter::try_new_with_options(Vec::new(), self.row.schema(), options)?;
        if self.is_committed {
            writer.write(&self.row)?;
        }
        writer.into_inner()
    }
}
