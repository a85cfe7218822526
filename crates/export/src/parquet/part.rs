//! A Parquet file that is written row group by row group. It is open only while it is written,
//! because there can be thousands of files.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::TypePtr;

pub(super) struct PartFile {
    writer: SerializedFileWriter<ReopenedFile>,
    pub(super) rows: u64,
    pub(super) row_groups: usize,
    /// The earliest and the latest time in the column by which the table is ordered.
    span_ns: SpanNs,
}

/// The earliest and the latest time of rows.
pub(super) type SpanNs = Option<(u64, u64)>;

impl std::fmt::Debug for PartFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PartFile").field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl PartFile {
    pub(super) fn new(
        path: PathBuf,
        schema: TypePtr,
        properties: WriterPropertiesPtr,
    ) -> io::Result<PartFile> {
        let file = ReopenedFile { path, file: None };
        let writer = SerializedFileWriter::new(file, schema, properties).map_err(io_error)?;
        Ok(PartFile { writer, rows: 0, row_groups: 0, span_ns: None })
    }

    pub(super) fn append(
        &mut self,
        rows: usize,
        write: impl FnOnce(&mut SerializedRowGroupWriter<'_, ReopenedFile>) -> Result<SpanNs, ParquetError>,
    ) -> io::Result<()> {
        let mut group = self.writer.next_row_group().map_err(io_error)?;
        let span_ns = write(&mut group).map_err(io_error)?;
        group.close().map_err(io_error)?;
        self.writer.flush()?;
        self.writer.inner_mut().file = None;
        self.rows += rows as u64;
        self.row_groups += 1;
        if let Some((first, last)) = span_ns {
            self.span_ns = Some(self.span_ns.map_or((first, last), |(a, b)| (a.min(first), b.max(last))));
        }
        Ok(())
    }

    /// Finishes the file. Returns its path and the time range that it covers.
    pub(super) fn finish(mut self) -> io::Result<(PathBuf, SpanNs)> {
        self.writer.finish().map_err(io_error)?;
        Ok((self.writer.inner().path.clone(), self.span_ns))
    }
}

/// A file that is reopened after it was closed, and extended at its end.
pub(super) struct ReopenedFile {
    path: PathBuf,
    file: Option<File>,
}

impl Write for ReopenedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.file.is_none() {
            self.file = Some(open(&self.path)?);
        }
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn open(path: &Path) -> io::Result<File> {
    File::options().append(true).create(true).open(path)
}

/// Returns the I/O error that caused a failed write. There is nearly always one.
pub(super) fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}
