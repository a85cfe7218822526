//! The names and types of the columns of a dataset.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ringtrace_tracefile::columns::{DataType, Field, Table, TableKind};
use serde_json::{Map, Value};

use super::staging::{Lock, at};

/// The columns that all events, or all spans, have.
const COMMON: [&str; 17] = [
    "time_ns",
    "wall_ns",
    "trace",
    "pid",
    "tid",
    "thread",
    "cpu",
    "pair",
    "span",
    "track",
    "outcome",
    "begin_ns",
    "end_ns",
    "latency_ns",
    "begin_event",
    "end_event",
    "cause",
];

/// Assigns names to the columns of arguments, so that a column has one type in all files.
#[derive(Debug)]
pub(super) struct Names {
    dataset: PathBuf,
    is_signed: bool,
    /// The columns that have another name than the argument: the table, and both names.
    pub(super) renamed: Vec<(String, String, String)>,
}

impl Names {
    pub(super) fn new(dataset: &Path, is_signed: bool) -> Names {
        Names { dataset: dataset.to_owned(), is_signed, renamed: Vec::new() }
    }

    /// Returns the columns of `table` as they are stored. New ones are registered in the dataset.
    pub(super) fn stored(&mut self, table: &Table) -> io::Result<Table> {
        let mut stored = table.clone();
        for field in &mut stored.fields {
            if self.is_signed && field.data_type == DataType::UInt64 {
                field.data_type = DataType::Int64;
            }
        }
        let scope = match table.kind {
            TableKind::Event(_) => format!("events/{}", super::folder(&table.name)),
            TableKind::Spans(_) => "spans".to_owned(),
            _ => return Ok(stored),
        };
        if stored.fields.iter().all(|field| COMMON.contains(&field.name.as_str())) {
            return Ok(stored);
        }
        let path = self.dataset.join("_columns").join(format!("{scope}.json"));
        let mut known = read(&path)?;
        if assign(&mut known, &mut stored.fields.clone()) {
            let _lock = Lock::take(&self.dataset)?;
            known = read(&path)?;
            if assign(&mut known, &mut stored.fields.clone()) {
                write(&path, &known)?;
            }
        }
        assign(&mut known, &mut stored.fields);
        for (before, after) in table.fields.iter().zip(&stored.fields) {
            let renamed = (scope.clone(), before.name.clone(), after.name.clone());
            if before.name != after.name && !self.renamed.contains(&renamed) {
                self.renamed.push(renamed);
            }
        }
        Ok(stored)
    }
}

/// Renames `fields` by the registered columns. Returns whether there are new ones.
fn assign(known: &mut Map<String, Value>, fields: &mut [Field]) -> bool {
    let mut is_new = false;
    let mut used: Vec<String> = Vec::new();
    for field in fields {
        if COMMON.contains(&field.name.as_str()) {
            continue;
        }
        let data_type = type_name(field.data_type);
        let mut name = field.name.clone();
        loop {
            // Engines do not distinguish upper case and lower case.
            let same = known.iter().find(|(other, _)| other.eq_ignore_ascii_case(&name));
            match same {
                Some((other, of)) if of == data_type && !used.contains(other) => {
                    name = other.clone();
                    break;
                }
                Some(_) => name = format!("{name}__{data_type}"),
                None => {
                    known.insert(name.clone(), data_type.into());
                    is_new = true;
                    break;
                }
            }
        }
        used.push(name.clone());
        field.name = name;
    }
    is_new
}

/// Returns the name of a type, as it is stored.
fn type_name(data_type: DataType) -> &'static str {
    match data_type {
        DataType::Bool => "bool",
        DataType::Float64 => "float64",
        DataType::Utf8 | DataType::Dictionary => "utf8",
        DataType::UInt64 => "uint64",
        _ => "int64",
    }
}

/// Reads a JSON object; an empty one if there is no file at `path`.
pub(super) fn read(path: &Path) -> io::Result<Map<String, Value>> {
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| at(path)(error.into())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Map::new()),
        Err(error) => Err(at(path)(error)),
    }
}

/// Replaces the file at `path`. The lock of the dataset is held.
pub(super) fn write(path: &Path, values: &Map<String, Value>) -> io::Result<()> {
    let text = serde_json::to_string(values).map_err(io::Error::from)?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(at(folder))?;
    }
    let unfinished = path.with_extension("new");
    fs::write(&unfinished, text).map_err(at(&unfinished))?;
    fs::rename(&unfinished, path).map_err(at(path))
}
