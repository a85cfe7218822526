//! The formats of results.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use clap::ValueEnum;
use datafusion::arrow::array::types::{Float64Type, Int64Type, UInt64Type};
use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::Compression;
use datafusion::parquet::file::properties::WriterProperties;
use ringtrace_events::message::visible;
use ringtrace_query::Error;
use tempfile::NamedTempFile;

/// A format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Aligned columns
    Table,
    /// Comma-separated values with a heading
    Csv,
    /// An array of objects, one in each line
    Json,
    /// Apache Parquet, for other SQL engines
    Parquet,
}

/// The destination of results.
#[derive(Debug, Clone, Copy)]
pub struct Output<'p> {
    pub format: Format,
    /// The file. `None` is standard output.
    pub path: Option<&'p Path>,
}

/// The number of rows that determine the widths of columns. They are kept until they are printed.
const MEASURED_ROWS: usize = 2_000;

/// The largest width of a column. Longer values do not make the other rows longer.
const MAX_WIDTH: usize = 80;

/// The largest integer that all JSON parsers read exactly.
const MAX_EXACT: u64 = 1 << 53;

const STDOUT: &str = "standard output";

impl<'p> Output<'p> {
    /// Checks that the result can be written, before the traces are read.
    pub fn check(&self, force: bool) -> Result<(), Error> {
        match self.path {
            None if self.format == Format::Parquet => {
                Err(Error::usage("Parquet cannot be printed").help("--output FILE writes it to a file"))
            }
            Some(path) if !force && path.exists() => {
                let error = Error::usage(format!("{} exists already", path.display()));
                Err(error.help("--force replaces it"))
            }
            _ => Ok(()),
        }
    }

    /// Opens the destination. A file appears under its name only when it is complete.
    pub fn start(&self) -> Result<Writer<'p>, Error> {
        let Some(path) = self.path else {
            let out: Box<dyn Write + Send> = Box::new(BufWriter::new(io::stdout()));
            return Ok(Writer {
                destination: None,
                rows: Rows::new(self.format, out),
                name: STDOUT.to_owned(),
            });
        };
        let name = path.display().to_string();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let permissions = std::fs::Permissions::from_mode(0o666);
        let file = tempfile::Builder::new().permissions(permissions).tempfile_in(folder);
        let file = file.map_err(|error| Error::system(&name, &error))?;
        let out = file.reopen().map_err(|error| Error::system(&name, &error))?;
        let rows = match self.format {
            Format::Parquet => Rows::Parquet(Some(out), None),
            format => Rows::new(format, Box::new(BufWriter::new(out))),
        };
        Ok(Writer { destination: Some((file, path)), rows, name })
    }
}

/// Writes the rows of results.
pub struct Writer<'p> {
    destination: Option<(NamedTempFile, &'p Path)>,
    rows: Rows,
    name: String,
}

enum Rows {
    Table(Box<dyn Write + Send>, Table),
    Csv(Box<dyn Write + Send>),
    Json(Box<dyn Write + Send>, Vec<String>, bool),
    Parquet(Option<File>, Option<Box<ArrowWriter<File>>>),
}

impl Rows {
    fn new(format: Format, out: Box<dyn Write + Send>) -> Rows {
        match format {
            Format::Table => Rows::Table(out, Table::default()),
            Format::Csv => Rows::Csv(out),
            Format::Json => Rows::Json(out, Vec::new(), false),
            Format::Parquet => Rows::Parquet(None, None),
        }
    }
}

impl Writer<'_> {
    /// Starts the result of a statement.
    pub fn begin(&mut self, schema: &SchemaRef) -> Result<(), Error> {
        let names = || schema.fields().iter().map(|field| field.name());
        let written = match &mut self.rows {
            Rows::Table(_, table) => {
                *table = Table::new(schema);
                Ok(())
            }
            Rows::Csv(out) => csv_line(out, names().map(|name| Some(name.clone()))),
            Rows::Json(out, keys, is_first) => {
                (*keys, *is_first) = (names().map(|name| json_text(name)).collect(), true);
                out.write_all(b"[")
            }
            Rows::Parquet(file, writer) => match file.take() {
                Some(file) => {
                    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
                    ArrowWriter::try_new(file, std::sync::Arc::clone(schema), Some(properties))
                        .map(|new| *writer = Some(Box::new(new)))
                        .map_err(io::Error::other)
                }
                None => Ok(()),
            },
        };
        self.checked(written)
    }

    /// Writes rows.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        let written = match &mut self.rows {
            Rows::Table(out, table) => table.add(batch, out),
            Rows::Csv(out) => texts(batch, "")
                .and_then(|rows| rows.into_iter().try_for_each(|row| csv_line(out, row.into_iter()))),
            Rows::Json(out, keys, is_first) => json_rows(batch, keys, is_first, out),
            Rows::Parquet(_, writer) => match writer {
                Some(writer) => writer.write(batch).map_err(io::Error::other),
                None => Ok(()),
            },
        };
        self.checked(written)
    }

    /// Writes the plan of a statement. In a table, each node has a line.
    pub fn write_plan(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        let Rows::Table(out, table) = &mut self.rows else { return self.write(batch) };
        table.headings.clear();
        let written = texts(batch, "").and_then(|rows| {
            rows.into_iter().try_for_each(|row| {
                let mut cells = row.into_iter().map(Option::unwrap_or_default);
                let (kind, plan) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
                writeln!(out, "{kind}:")?;
                plan.trim_end().lines().try_for_each(|line| writeln!(out, "  {}", visible::text(line)))
            })
        });
        self.checked(written)
    }

    /// Ends the result of a statement.
    pub fn end(&mut self) -> Result<(), Error> {
        let written = match &mut self.rows {
            Rows::Table(out, table) => table.print(out),
            Rows::Json(out, ..) => out.write_all(b"\n]\n"),
            _ => Ok(()),
        };
        self.checked(written)
    }

    /// Writes all rows that are still in memory.
    pub fn flush(&mut self) -> Result<(), Error> {
        let written = match &mut self.rows {
            Rows::Table(out, table) if table.rows.is_empty() => out.flush(),
            Rows::Table(out, table) => table.print(out).and_then(|()| out.flush()),
            Rows::Csv(out) | Rows::Json(out, ..) => out.flush(),
            Rows::Parquet(..) => Ok(()),
        };
        self.checked(written)
    }

    /// Completes the file.
    pub fn finish(mut self) -> Result<(), Error> {
        self.flush()?;
        if let Rows::Parquet(_, Some(writer)) = self.rows {
            writer.close().map_err(|error| Error::system(&self.name, &io::Error::other(error)))?;
        }
        if let Some((file, path)) = self.destination {
            file.persist(path).map_err(|error| Error::system(&self.name, &error.error))?;
        }
        Ok(())
    }

    /// Converts an error of writing. If the reader closed the output early, the error has no
    /// message, because the program then ends successfully.
    fn checked(&self, written: io::Result<()>) -> Result<(), Error> {
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Error::usage("")),
            Err(error) => Err(Error::system(&self.name, &error)),
            Ok(()) => Ok(()),
        }
    }
}

fn internal(error: ArrowError) -> io::Error {
    io::Error::other(error)
}

/// Returns the values of each row as text. Nulls are `None`.
fn texts(batch: &RecordBatch, null: &str) -> io::Result<Vec<Vec<Option<String>>>> {
    let options = FormatOptions::new().with_null(null);
    let formatters = batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options));
    let formatters: Vec<ArrayFormatter<'_>> = formatters.collect::<Result<_, _>>().map_err(internal)?;
    let cell = |formatter: &ArrayFormatter<'_>, column: &ArrayRef, row: usize| {
        (!column.is_null(row)).then(|| formatter.value(row).to_string())
    };
    let row =
        |row| formatters.iter().zip(batch.columns()).map(|(it, column)| cell(it, column, row)).collect();
    Ok((0..batch.num_rows()).map(row).collect())
}

/// Aligned columns.
#[derive(Debug, Default)]
struct Table {
    headings: Vec<String>,
    is_number: Vec<bool>,
    /// The rows that are not printed yet.
    rows: Vec<Vec<String>>,
    widths: Vec<usize>,
    /// Whether the headings were printed.
    is_started: bool,
}

impl Table {
    fn new(schema: &SchemaRef) -> Table {
        let fields = schema.fields();
        Table {
            headings: fields.iter().map(|field| visible::text(field.name())).collect(),
            is_number: fields.iter().map(|field| field.data_type().is_numeric()).collect(),
            ..Table::default()
        }
    }

    fn add(&mut self, batch: &RecordBatch, out: &mut impl Write) -> io::Result<()> {
        for row in texts(batch, "")? {
            // Values can contain anything.
            self.rows.push(row.into_iter().map(|cell| visible::text(&cell.unwrap_or_default())).collect());
        }
        if self.rows.len() >= MEASURED_ROWS { self.print(out) } else { Ok(()) }
    }

    fn print(&mut self, out: &mut impl Write) -> io::Result<()> {
        if self.headings.is_empty() {
            return Ok(());
        }
        if !self.is_started {
            self.is_started = true;
            self.widths = self.headings.iter().map(|heading| heading.chars().count()).collect();
            for row in &self.rows {
                for (width, cell) in self.widths.iter_mut().zip(row) {
                    *width = (*width).max(cell.chars().count().min(MAX_WIDTH));
                }
            }
            self.line(&self.headings, out)?;
        }
        for row in std::mem::take(&mut self.rows) {
            self.line(&row, out)?;
        }
        Ok(())
    }

    fn line(&self, cells: &[String], out: &mut impl Write) -> io::Result<()> {
        let mut line = String::new();
        for ((cell, &width), &is_number) in cells.iter().zip(&self.widths).zip(&self.is_number) {
            match is_number {
                true => line.push_str(&format!("{cell:>width$}  ")),
                false => line.push_str(&format!("{cell:<width$}  ")),
            }
        }
        writeln!(out, "{}", line.trim_end())
    }
}

fn csv_line(out: &mut impl Write, cells: impl Iterator<Item = Option<String>>) -> io::Result<()> {
    let mut line = String::new();
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            line.push(',');
        }
        let Some(cell) = cell else { continue };
        // An empty string differs from null.
        if cell.is_empty() || cell.contains([',', '"', '\n', '\r']) {
            line.push_str(&format!("\"{}\"", cell.replace('"', "\"\"")));
        } else {
            line.push_str(&cell);
        }
    }
    writeln!(out, "{line}")
}

/// A column of JSON values.
enum JsonColumn<'b> {
    /// The text is a JSON value.
    Verbatim(ArrayFormatter<'b>),
    Signed(ArrayRef),
    Unsigned(ArrayRef),
    Float(ArrayRef),
    Text(ArrayFormatter<'b>),
}

impl<'b> JsonColumn<'b> {
    fn new(column: &'b ArrayRef, options: &'b FormatOptions<'b>) -> Result<JsonColumn<'b>, ArrowError> {
        Ok(match column.data_type() {
            DataType::Boolean => JsonColumn::Verbatim(ArrayFormatter::try_new(column, options)?),
            kind if kind.is_signed_integer() => JsonColumn::Signed(cast(column, &DataType::Int64)?),
            kind if kind.is_unsigned_integer() => JsonColumn::Unsigned(cast(column, &DataType::UInt64)?),
            kind if kind.is_floating() => JsonColumn::Float(cast(column, &DataType::Float64)?),
            _ => JsonColumn::Text(ArrayFormatter::try_new(column, options)?),
        })
    }

    fn value(&self, row: usize) -> String {
        // As in all JSON of the tool, larger integers are strings, so that no digits are lost.
        let exact = |text: String, size: u64| if size <= MAX_EXACT { text } else { format!("\"{text}\"") };
        match self {
            JsonColumn::Verbatim(formatter) => formatter.value(row).to_string(),
            JsonColumn::Signed(column) => {
                let number = column.as_primitive::<Int64Type>().value(row);
                exact(number.to_string(), number.unsigned_abs())
            }
            JsonColumn::Unsigned(column) => {
                let number = column.as_primitive::<UInt64Type>().value(row);
                exact(number.to_string(), number)
            }
            JsonColumn::Float(column) => {
                let number = column.as_primitive::<Float64Type>().value(row);
                if number.is_finite() { format!("{number:?}") } else { format!("\"{number}\"") }
            }
            JsonColumn::Text(formatter) => json_text(&formatter.value(row).to_string()),
        }
    }
}

fn json_rows(
    batch: &RecordBatch,
    keys: &[String],
    is_first: &mut bool,
    out: &mut impl Write,
) -> io::Result<()> {
    let options = FormatOptions::new();
    let columns = batch.columns().iter().map(|column| JsonColumn::new(column, &options));
    let columns: Vec<JsonColumn<'_>> = columns.collect::<Result<_, _>>().map_err(internal)?;
    for row in 0..batch.num_rows() {
        let mut line = String::from(if std::mem::take(is_first) { "\n{" } else { ",\n{" });
        for (index, (key, json)) in keys.iter().zip(&columns).enumerate() {
            let separator = if index > 0 { "," } else { "" };
            let value = if batch.column(index).is_null(row) { "null".to_owned() } else { json.value(row) };
            line.push_str(&format!("{separator}{key}:{value}"));
        }
        line.push('}');
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}

/// Returns a JSON string.
fn json_text(text: &str) -> String {
    let mut json = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            character if character.is_control() => json.push_str(&format!("\\u{:04x}", u32::from(character))),
            character => json.push(character),
        }
    }
    json.push('"');
    json
}
