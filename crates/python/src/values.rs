//! Columns as lists of Python objects.

use pyo3::prelude::*;
use pyo3::types::PyList;
use ringtrace_tracefile::columns::{Bitmap, Strings, Values};

use crate::arrow::ColumnData;

/// Returns the values of a column; nulls are `None`.
///
/// # Errors
/// Python has no memory.
pub fn to_python<'py>(py: Python<'py>, rows: usize, column: &ColumnData) -> PyResult<Bound<'py, PyList>> {
    let ColumnData::Values(data) = column else {
        return PyList::new(py, (0..rows).map(|_| py.None()).collect::<Vec<_>>());
    };
    let (values, validity) = &**data;
    let validity = validity.as_ref();
    match values {
        Values::Bool(bits) => list(py, bits.iter(), validity),
        Values::Int8(vector) => list(py, vector.iter().copied(), validity),
        Values::Int16(vector) => list(py, vector.iter().copied(), validity),
        Values::Int32(vector) => list(py, vector.iter().copied(), validity),
        Values::Int64(vector) => list(py, vector.iter().copied(), validity),
        Values::UInt8(vector) => list(py, vector.iter().copied(), validity),
        Values::UInt16(vector) => list(py, vector.iter().copied(), validity),
        Values::UInt32(vector) => list(py, vector.iter().copied(), validity),
        Values::UInt64(vector) => list(py, vector.iter().copied(), validity),
        Values::Float64(vector) => list(py, vector.iter().copied(), validity),
        Values::Utf8(strings) => list(py, strings.iter(), validity),
        Values::Dictionary(keys, strings) => {
            // All rows with the same key share a Python string.
            let words = list(py, Strings::iter(strings), None)?;
            let words: Vec<Bound<'py, PyAny>> = words.iter().collect();
            let word = |key: &u32| words.get(*key as usize);
            let is_valid = |row: usize| validity.is_none_or(|bits| bits.get(row));
            let cells = keys.iter().enumerate().map(|(row, key)| word(key).filter(|_| is_valid(row)));
            PyList::new(py, cells.collect::<Vec<_>>())
        }
    }
}

fn list<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    values: impl Iterator<Item = T>,
    validity: Option<&Bitmap>,
) -> PyResult<Bound<'py, PyList>> {
    match validity {
        None => PyList::new(py, values.collect::<Vec<_>>()),
        Some(bits) => {
            let cells = values.zip(bits.iter()).map(|(value, is_valid)| is_valid.then_some(value));
            PyList::new(py, cells.collect::<Vec<_>>())
        }
    }
}
