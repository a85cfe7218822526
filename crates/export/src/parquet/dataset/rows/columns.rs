//! Columns of a row group, which are read some rows at a time.

use std::fs::File;
use std::io;
use std::sync::Arc;

use parquet::basic::Type as PhysicalType;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::{ColumnReaderImpl, get_column_reader, get_typed_column_reader};
use parquet::data_type::{ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::statistics::Statistics;

use super::super::merge::{Input, Pages, rows};
use super::super::staging::at;
use crate::parquet::part::io_error;

/// A type that columns are read as.
pub(super) trait ColumnType: DataType {
    const PHYSICAL: PhysicalType;
}

impl ColumnType for Int64Type {
    const PHYSICAL: PhysicalType = PhysicalType::INT64;
}

impl ColumnType for ByteArrayType {
    const PHYSICAL: PhysicalType = PhysicalType::BYTE_ARRAY;
}

/// A row group, whose file is open while its columns are opened.
pub(super) struct Group<'i> {
    input: &'i Input,
    file: Arc<File>,
    index: usize,
    group: &'i RowGroupMetaData,
}

impl<'i> Group<'i> {
    pub(super) fn open(input: &'i Input, group: usize) -> io::Result<Group<'i>> {
        let file = Arc::new(File::open(input.path()).map_err(at(input.path()))?);
        Ok(Group { input, file, index: group, group: input.metadata().row_group(group) })
    }

    pub(super) fn rows(&self) -> usize {
        rows(self.group)
    }

    /// Opens a column at its row `start`.
    pub(super) fn column<T: ColumnType>(&self, name: &str, start: usize) -> io::Result<Column<T>> {
        let failed = |error: ParquetError| at(self.input.path())(io_error(error));
        let wrong =
            |problem: String| at(self.input.path())(io::Error::new(io::ErrorKind::InvalidData, problem));
        let index =
            self.input.column(name).ok_or_else(|| wrong(format!("the file has no column `{name}`")))?;
        let chunk = self.group.column(index);
        if chunk.column_type() != T::PHYSICAL {
            let found = chunk.column_type();
            return Err(wrong(format!("the column `{name}` has the type {found}, expected {}", T::PHYSICAL)));
        }
        let rows = self.rows();
        let nulls = chunk.statistics().and_then(Statistics::null_count_opt);
        if nulls == u64::try_from(rows).ok() {
            return Ok(Column { reader: None, is_optional: true, levels: Vec::new(), values: Vec::new() });
        }
        let pages = self.input.pages(&self.file, self.index, index).map_err(failed)?;
        let reader = get_column_reader(chunk.column_descr_ptr(), Box::new(HeldPages { pages, next: 0 }));
        let mut reader = get_typed_column_reader(reader);
        if reader.skip_records(start).map_err(failed)? < start {
            return Err(wrong(format!("the column `{name}` has fewer than {start} rows")));
        }
        Ok(Column {
            reader: Some(reader),
            is_optional: chunk.column_descr().max_def_level() > 0,
            levels: Vec::new(),
            values: Vec::new(),
        })
    }
}

/// The pages of a column chunk, which are in memory, so that the file need not be open. A file of
/// `ingest` has one page in each chunk.
struct HeldPages {
    pages: Arc<Pages>,
    next: usize,
}

impl Iterator for HeldPages {
    type Item = Result<Page, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        let page = self.pages.get(self.next)?;
        self.next += 1;
        Some(Ok(page.clone()))
    }
}

impl PageReader for HeldPages {
    fn get_next_page(&mut self) -> Result<Option<Page>, ParquetError> {
        self.next().transpose()
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>, ParquetError> {
        Ok(self.pages.get(self.next).map(|page| PageMetadata {
            num_rows: None,
            num_levels: Some(page.num_values() as usize),
            is_dict: !page.is_data_page(),
        }))
    }

    fn skip_next_page(&mut self) -> Result<(), ParquetError> {
        self.next += 1;
        Ok(())
    }
}

/// A column, and the rows of it that were read last.
pub(super) struct Column<T: DataType> {
    /// `None` if all values are null.
    reader: Option<ColumnReaderImpl<T>>,
    is_optional: bool,
    levels: Vec<i16>,
    values: Vec<T::T>,
}

impl<T: DataType> Column<T> {
    /// Reads the next `count` rows.
    pub(super) fn advance(&mut self, count: usize) -> Result<(), ParquetError> {
        self.levels.clear();
        self.values.clear();
        let Some(reader) = &mut self.reader else { return Ok(()) };
        let mut done = 0;
        while done < count {
            let levels = self.is_optional.then_some(&mut self.levels);
            let (read, ..) = reader.read_records(count - done, levels, None, &mut self.values)?;
            if read == 0 {
                let missing = count - done;
                return Err(ParquetError::General(format!("a row group lacks {missing} rows")));
            }
            done += read;
        }
        Ok(())
    }

    /// Returns the values of the rows that were read last. After the last row, all are `None`.
    pub(super) fn values(&self) -> impl Iterator<Item = Option<&T::T>> {
        let mut values = self.values.iter();
        let is_plain = !self.is_optional;
        let mut levels = self.levels.iter();
        std::iter::from_fn(move || {
            Some(if is_plain || levels.next().is_some_and(|level| *level > 0) { values.next() } else { None })
        })
    }
}
