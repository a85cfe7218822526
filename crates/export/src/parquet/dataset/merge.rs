//! Merges the rows of several files of a folder into one file.
//!
//! Only one column chunk is in memory at a time.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use parquet::basic::{Repetition, Type as PhysicalType};
use parquet::column::page::Page;
use parquet::column::reader::{ColumnReaderImpl, get_column_reader, get_typed_column_reader};
use parquet::column::writer::{ColumnCloseResult, get_column_writer, get_typed_column_writer};
use parquet::data_type::{BoolType, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::{SchemaDescriptor, Type, TypePtr};

use super::footer;
use super::staging::at;
use crate::parquet::chunk::{Chunk, properties, settings};
use crate::parquet::encoding::{ColumnEncoding, SAMPLE};
use crate::parquet::part::{PartFile, io_error};
use crate::parquet::{MAX_ROWS, Metadata};

/// The key of the metadata that list the files whose rows a merged file contains, in lines.
pub(super) const MERGED: &str = "ringtrace.merged";

/// The prefix of the names of merged files. Ids of traces contain no `.`.
const PREFIX: &str = "merged.";

/// The uncompressed size of a merged row group, unless it was one row group before.
const MAX_GROUP_BYTES: i64 = 64 << 20;

/// The number of rows that are read at once.
const BATCH: usize = 1 << 13;

/// Returns whether `name` is that of a merged file.
pub(super) fn is_merged(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Returns the name of a merged file. `unique` is different for each one.
pub(super) fn merged_name(unique: &str) -> String {
    format!("{PREFIX}{unique}.parquet")
}

/// Returns the id of the trace to which a file of `ingest` belongs.
pub(super) fn trace_of(part: &str) -> &str {
    part.rsplit_once('-').map_or(part, |(trace, _)| trace)
}

/// A file whose rows are merged.
#[derive(Debug)]
pub(super) struct Input {
    path: PathBuf,
    /// The name, without `.parquet`.
    name: String,
    metadata: ParquetMetaData,
    state: State,
    /// The pages of column chunks that are in use, by row group and column.
    pages: Mutex<HashMap<(usize, usize), Weak<Pages>>>,
}

/// The pages of a column chunk.
pub(super) type Pages = Vec<Page>;

/// The properties by which a changed file is recognized.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub(super) struct State {
    inode: (u64, u64),
    bytes: u64,
    modified: (i64, i64),
}

impl State {
    pub(super) fn of(metadata: &fs::Metadata) -> State {
        State {
            inode: (metadata.dev(), metadata.ino()),
            bytes: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
        }
    }
}

impl Input {
    /// Reads the footer of the file at `path`.
    pub(super) fn open(path: PathBuf) -> io::Result<Input> {
        let file = File::open(&path).map_err(at(&path))?;
        let state = State::of(&file.metadata().map_err(at(&path))?);
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&file).map_err(io_error);
        let metadata = metadata.map_err(at(&path))?;
        footer::check(&metadata, state.bytes).map_err(at(&path))?;
        let is_flat = |field: &TypePtr| field.is_primitive();
        if !metadata.file_metadata().schema_descr().root_schema().get_fields().iter().all(is_flat) {
            let error = io::Error::new(io::ErrorKind::InvalidData, "ringtrace has not written this file");
            return Err(at(&path)(error));
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Input { path, name, metadata, state, pages: Mutex::default() })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }

    pub(super) fn is_merged(&self) -> bool {
        is_merged(&self.name)
    }

    pub(super) fn state(&self) -> State {
        self.state
    }

    /// Returns the files of `ingest` whose rows the file contains, without `.parquet`.
    pub(super) fn parts(&self) -> Vec<&str> {
        if !is_merged(&self.name) {
            return vec![&self.name];
        }
        let metadata = self.metadata.file_metadata().key_value_metadata();
        let merged = metadata.into_iter().flatten().find(|pair| pair.key == MERGED);
        merged.and_then(|pair| pair.value.as_deref()).unwrap_or_default().lines().collect()
    }

    /// Returns the metadata of the file, except the list of merged files and the trace.
    fn settings(&self) -> Metadata {
        let metadata = self.metadata.file_metadata().key_value_metadata();
        let is_common =
            |pair: &&KeyValue| ["ringtrace.schema_version", "ringtrace.signed"].contains(&&*pair.key);
        metadata.into_iter().flatten().filter(is_common).cloned().collect()
    }

    fn fields(&self) -> &[TypePtr] {
        self.metadata.file_metadata().schema_descr().root_schema().get_fields()
    }

    /// Returns the index of a column.
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        self.fields().iter().position(|field| field.name() == name)
    }

    /// Returns the pages of a column chunk. All users share them.
    pub(super) fn pages(
        &self,
        file: &Arc<File>,
        group: usize,
        column: usize,
    ) -> Result<Arc<Pages>, ParquetError> {
        let mut all = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pages) = all.get(&(group, column)).and_then(Weak::upgrade) {
            return Ok(pages);
        }
        let metadata = self.metadata.row_group(group);
        let pages =
            SerializedPageReader::new(Arc::clone(file), metadata.column(column), rows(metadata), None)?;
        let pages = Arc::new(pages.collect::<Result<Pages, _>>()?);
        all.insert((group, column), Arc::downgrade(&pages));
        Ok(pages)
    }

    /// Returns a reader of a column chunk.
    fn read<T: DataType>(&self, group: usize, column: usize) -> Result<ColumnReaderImpl<T>, ParquetError> {
        let file = Arc::new(File::open(&self.path).map_err(at(&self.path))?);
        let group = self.metadata.row_group(group);
        let chunk = group.column(column);
        let pages = SerializedPageReader::new(file, chunk, rows(group), None)?;
        Ok(get_typed_column_reader(get_column_reader(chunk.column_descr_ptr(), Box::new(pages))))
    }

    /// Returns which rows of a row group do not belong to the trace `id`, or `None` if none does.
    fn without(&self, group: usize, id: &str) -> Result<Option<Vec<bool>>, ParquetError> {
        let Some(column) = self.column("trace") else { return Ok(None) };
        let chunk = self.metadata.row_group(group).column(column);
        if chunk.column_type() != PhysicalType::BYTE_ARRAY {
            return Ok(None);
        }
        if let Some(Statistics::ByteArray(statistics)) = chunk.statistics() {
            let is_outside = statistics.min_opt().is_some_and(|min| min.data() > id.as_bytes())
                || statistics.max_opt().is_some_and(|max| max.data() < id.as_bytes());
            if is_outside {
                return Ok(None);
            }
        }
        let mut kept = Vec::new();
        let piece = Piece { input: self, group, kept: None };
        piece.each_batch::<ByteArrayType>(column, |levels, values| {
            let mut values = values.iter();
            let is_kept =
                |level: &i16| *level == 0 || values.next().is_none_or(|value| value.data() != id.as_bytes());
            kept.extend(levels.iter().map(is_kept));
            Ok(())
        })?;
        Ok(Some(kept).filter(|kept| kept.contains(&false)))
    }
}

pub(super) fn rows(group: &RowGroupMetaData) -> usize {
    usize::try_from(group.num_rows()).unwrap_or(0)
}

/// A row group of a file, or some of its rows.
struct Piece<'i> {
    input: &'i Input,
    group: usize,
    /// The rows that are copied, unless all are.
    kept: Option<Vec<bool>>,
}

impl Piece<'_> {
    fn metadata(&self) -> &RowGroupMetaData {
        self.input.metadata.row_group(self.group)
    }

    fn rows(&self) -> usize {
        match &self.kept {
            None => rows(self.metadata()),
            Some(kept) => kept.iter().filter(|is_kept| **is_kept).count(),
        }
    }

    /// Passes the values of a column to `visit`, with a level for each row: 0 if the row is null, else 1.
    fn each_batch<T: DataType>(
        &self,
        column: usize,
        mut visit: impl FnMut(&[i16], &[T::T]) -> Result<(), ParquetError>,
    ) -> Result<(), ParquetError> {
        let mut reader = self.input.read::<T>(self.group, column)?;
        let is_optional = self.metadata().column(column).column_descr().max_def_level() > 0;
        let (mut levels, mut values): (Vec<i16>, Vec<T::T>) = (Vec::new(), Vec::new());
        let (mut at, total) = (0, rows(self.metadata()));
        while at < total {
            levels.clear();
            values.clear();
            let (count, ..) =
                reader.read_records(BATCH, is_optional.then_some(&mut levels), None, &mut values)?;
            if count == 0 {
                let path = self.input.path.display();
                return Err(ParquetError::General(format!("{path}: a row group has {at} of {total} rows")));
            }
            levels.resize(count, 1);
            if let Some(kept) = &self.kept {
                let kept = kept.get(at..at + count).unwrap_or_default();
                let mut of_values =
                    kept.iter().zip(&levels).filter(|(_, level)| **level > 0).map(|(kept, _)| *kept);
                values.retain(|_| of_values.next() == Some(true));
                let mut of_levels = kept.iter();
                levels.retain(|_| of_levels.next() == Some(&true));
            }
            visit(&levels, &values)?;
            at += count;
        }
        Ok(())
    }
}

/// Writes the rows of `inputs` to a new file at `path`, except those of the trace `without`. Returns
/// whether there are any; else, there is no file. Calls `progress` with numbers of processed bytes.
pub(super) fn merge(
    inputs: &[Input],
    path: &Path,
    without: Option<&str>,
    progress: &dyn Fn(u64),
) -> io::Result<bool> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(path)(error)),
        _ => {}
    }
    let Some(first) = inputs.first() else { return Ok(false) };
    let fields = common_fields(inputs)?;
    let root = Type::group_type_builder("ringtrace").with_fields(fields).build().map_err(io_error)?;
    let root = Arc::new(root);
    let columns = SchemaDescriptor::new(Arc::clone(&root));
    let parts: Vec<&str> = inputs.iter().flat_map(Input::parts).collect();
    let parts: Vec<&str> = parts.into_iter().filter(|part| Some(trace_of(part)) != without).collect();
    let mut metadata = first.settings();
    metadata.push(KeyValue::new(MERGED.to_owned(), parts.join("\n")));
    let mut file: Option<PartFile> = None;
    let mut write = |pieces: &[Piece<'_>]| {
        let mut part = match file.take() {
            Some(part) => part,
            None => PartFile::new(path.to_owned(), Arc::clone(&root), properties(&metadata))?,
        };
        let rows = pieces.iter().map(Piece::rows).sum();
        let append = |group: &mut SerializedRowGroupWriter<'_, _>| match pieces {
            [piece] if piece.kept.is_none() && piece.input.fields() == root.get_fields() => {
                copy(piece, group)
            }
            _ => columns
                .columns()
                .iter()
                .try_for_each(|column| merged_chunk(pieces, column)?.append(group).map(|_| ())),
        };
        part.append(rows, |group| append(group).map(|()| None))?;
        progress(pieces.iter().map(|piece| piece.metadata().compressed_size().cast_unsigned()).sum());
        file = Some(part);
        Ok::<(), io::Error>(())
    };
    let (mut pieces, mut rows, mut bytes): (Vec<Piece<'_>>, usize, i64) = (Vec::new(), 0, 0);
    for input in inputs {
        for group in 0..input.metadata.num_row_groups() {
            let kept = without.map(|id| input.without(group, id)).transpose().map_err(io_error)?.flatten();
            let piece = Piece { input, group, kept };
            let (more_rows, more_bytes) = (piece.rows(), piece.metadata().total_byte_size());
            if more_rows == 0 {
                continue;
            }
            if !pieces.is_empty() && (rows + more_rows > MAX_ROWS || bytes + more_bytes > MAX_GROUP_BYTES) {
                write(&std::mem::take(&mut pieces))?;
                (rows, bytes) = (0, 0);
            }
            (rows, bytes) = (rows + more_rows, bytes + more_bytes);
            pieces.push(piece);
        }
    }
    if !pieces.is_empty() {
        write(&pieces)?;
    }
    let Some(file) = file else { return Ok(false) };
    file.finish()?;
    Ok(true)
}

/// Returns the columns of all files.
fn common_fields(inputs: &[Input]) -> io::Result<Vec<TypePtr>> {
    let mut fields: Vec<TypePtr> = Vec::new();
    for input in inputs {
        for field in input.fields() {
            match fields.iter_mut().find(|known| known.name() == field.name()) {
                None => fields.push(Arc::clone(field)),
                Some(known) => {
                    let (a, b) = (known.get_basic_info(), field.get_basic_info());
                    if known.get_physical_type() != field.get_physical_type()
                        || a.logical_type_ref() != b.logical_type_ref()
                    {
                        let message = format!(
                            "{}: the column `{}` has another type than in other files of the folder",
                            input.path.display(),
                            field.name()
                        );
                        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
                    }
                    if b.repetition() == Repetition::OPTIONAL {
                        *known = Arc::clone(field);
                    }
                }
            }
        }
    }
    for field in &mut fields {
        let is_everywhere = inputs.iter().all(|input| input.column(field.name()).is_some());
        if !is_everywhere && field.get_basic_info().repetition() == Repetition::REQUIRED {
            let column = Type::primitive_type_builder(field.name(), field.get_physical_type())
                .with_logical_type(field.get_basic_info().logical_type_ref().cloned())
                .with_repetition(Repetition::OPTIONAL);
            *field = Arc::new(column.build().map_err(io_error)?);
        }
    }
    Ok(fields)
}

/// Copies a row group as it is.
fn copy<W: io::Write + Send>(
    piece: &Piece<'_>,
    group: &mut SerializedRowGroupWriter<'_, W>,
) -> Result<(), ParquetError> {
    let file = File::open(&piece.input.path).map_err(at(&piece.input.path))?;
    for chunk in piece.metadata().columns() {
        let close = ColumnCloseResult {
            bytes_written: chunk.byte_range().1,
            rows_written: rows(piece.metadata()) as u64,
            metadata: chunk.clone(),
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        group.append_column(&file, close)?;
    }
    Ok(())
}

type Descriptor = parquet::schema::types::ColumnDescPtr;

fn merged_chunk(pieces: &[Piece<'_>], column: &Descriptor) -> Result<Chunk, ParquetError> {
    match column.physical_type() {
        PhysicalType::BOOLEAN => chunk_of::<BoolType>(pieces, column, ColumnEncoding::Plain),
        PhysicalType::DOUBLE => chunk_of::<DoubleType>(pieces, column, ColumnEncoding::Plain),
        PhysicalType::BYTE_ARRAY => chunk_of::<ByteArrayType>(pieces, column, ColumnEncoding::Dictionary),
        PhysicalType::INT64 => {
            let encoding = match column.name() {
                "time_ns" | "wall_ns" | "time" | "begin_ns" | "end_ns" => ColumnEncoding::Deltas,
                name => ColumnEncoding::for_integers(&mut sample(pieces, name)?),
            };
            chunk_of::<Int64Type>(pieces, column, encoding)
        }
        other => Err(ParquetError::General(format!("a column has the type {other}"))),
    }
}

/// Returns the first values of a column of integers.
fn sample(pieces: &[Piece<'_>], name: &str) -> Result<Vec<u64>, ParquetError> {
    let mut sample = Vec::new();
    for piece in pieces {
        let Some(column) = piece.input.column(name) else { continue };
        let (mut levels, mut values) = (Vec::new(), Vec::new());
        let is_optional = piece.metadata().column(column).column_descr().max_def_level() > 0;
        let mut reader = piece.input.read::<Int64Type>(piece.group, column)?;
        reader.read_records(SAMPLE, is_optional.then_some(&mut levels), None, &mut values)?;
        sample.extend(values.iter().map(|value| value.cast_unsigned()));
        if sample.len() >= SAMPLE {
            break;
        }
    }
    Ok(sample)
}

/// Encodes a column of several row groups. Files without the column have nulls.
fn chunk_of<T: DataType>(
    pieces: &[Piece<'_>],
    column: &Descriptor,
    encoding: ColumnEncoding,
) -> Result<Chunk, ParquetError> {
    let mut sink = TrackedWrite::new(Vec::new());
    let pages = Box::new(SerializedPageWriter::new(&mut sink));
    let writer = get_column_writer(Arc::clone(column), settings(encoding), pages);
    let mut writer = get_typed_column_writer::<T>(writer);
    let is_optional = column.max_def_level() > 0;
    for piece in pieces {
        match piece.input.column(column.name()) {
            Some(index) => piece.each_batch::<T>(index, |levels, values| {
                writer.write_batch(values, is_optional.then_some(levels), None).map(|_| ())
            })?,
            None => {
                writer.write_batch(&[], Some(&vec![0; piece.rows()]), None)?;
            }
        }
    }
    let close = writer.close()?;
    Ok(Chunk::new(sink.into_inner()?, close))
}
