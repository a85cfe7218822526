//! Checks of the footers of Parquet files, before their numbers are used.

use std::io;

use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};

use crate::parquet::MAX_ROWS;

/// Checks the numbers in the footer of a file of `file_bytes` bytes. With others, the crate `parquet` would
/// panic, or reading would take too much memory.
///
/// # Errors
/// The footer is damaged, or belongs to a file that `ingest` or `compact-dataset` has not written.
pub(super) fn check(metadata: &ParquetMetaData, file_bytes: u64) -> io::Result<()> {
    let wrong = |problem: String| Err(io::Error::new(io::ErrorKind::InvalidData, problem));
    for (number, group) in metadata.row_groups().iter().enumerate() {
        let rows = group.num_rows();
        if !usize::try_from(rows).is_ok_and(|rows| rows <= MAX_ROWS) {
            return wrong(format!("row group {number} states {rows} rows, expected 0 to {MAX_ROWS}"));
        }
        for chunk in group.columns() {
            let name = chunk.column_path().string();
            if chunk.num_values() != rows {
                let values = chunk.num_values();
                return wrong(format!(
                    "row group {number} states {values} values of the column `{name}`, expected {rows}"
                ));
            }
            if !is_within(chunk, file_bytes) {
                return wrong(format!("row group {number} states a wrong place of the column `{name}`"));
            }
        }
    }
    Ok(())
}

/// Returns whether a column chunk is in the file.
fn is_within(chunk: &ColumnChunkMetaData, file_bytes: u64) -> bool {
    let bytes = u64::try_from(chunk.compressed_size());
    let starts = [Some(chunk.data_page_offset()), chunk.dictionary_page_offset()];
    bytes.is_ok_and(|bytes| {
        starts
            .into_iter()
            .flatten()
            .all(|start| u64::try_from(start).is_ok_and(|start| start <= file_bytes && bytes <= file_bytes))
    })
}
