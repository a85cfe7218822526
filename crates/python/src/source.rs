//! The class `Source`: a table of traces.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyCapsule, PyDict};

use crate::arrow::{ArrowArray, ArrowArrayStream, ColumnData};
use crate::decoding::{Decoding, Job};
use crate::plan::Plan;
use crate::values;

/// A table, which is decoded each time it is read. The package's class `Table` wraps it.
#[pyclass(frozen)]
#[derive(Debug)]
pub struct Source {
    job: Job,
    plan: Plan,
}

impl Source {
    /// Creates a table.
    pub fn new(job: Job, plan: Plan) -> Source {
        Source { job, plan }
    }

    fn decoding(&self) -> Decoding {
        Decoding::new(self.job.clone(), self.plan.clone())
    }
}

#[pymethods]
impl Source {
    /// The names of the columns, with their types in Arrow's format strings.
    fn columns(&self) -> Vec<(String, &'static str, bool)> {
        let fields = self.plan.fields().into_iter();
        fields.map(|field| (field.name, field.format, field.is_dictionary)).collect()
    }

    /// Limits the number of rows in a batch.
    fn with_batch_rows(&self, rows: usize) -> Source {
        let mut job = self.job.clone();
        job.request.batch_rows = rows.max(1);
        // The consumer needs only a few rows, and other threads would decode more in advance.
        job.request.threads = 1;
        Source { job, plan: self.plan.clone() }
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new_with_value(py, self.plan.schema(), c"arrow_schema")
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The consumer converts columns if it needs other types.
        let _ = requested_schema;
        let stream = ArrowArrayStream::new(Box::new(self.decoding()));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The batches as lists of Python objects.
    fn batches(&self) -> Batches {
        Batches(Mutex::new(self.decoding()))
    }

    /// The batches as objects with the method `__arrow_c_array__`.
    fn arrow_batches(&self) -> ArrowBatches {
        ArrowBatches(Mutex::new(self.decoding()))
    }

    /// A batch without rows.
    fn no_rows(&self) -> ArrowBatch {
        ArrowBatch { plan: self.plan.clone(), rows: 0, columns: self.plan.no_columns() }
    }

    /// The number of rows.
    fn count(&self, py: Python<'_>) -> PyResult<usize> {
        let mut decoding = self.decoding();
        let mut rows = 0;
        while let Some((more, _)) = next(py, &mut decoding)? {
            rows += more;
        }
        Ok(rows)
    }

    /// The part that the stream that was started last has read, from 0 to 1, or `None`.
    fn progress(&self) -> Option<f64> {
        self.job.progress.part()
    }

    /// The error that ended the last stream.
    fn last_error(&self) -> Option<String> {
        self.job.progress.error()
    }
}

/// The batches of a table. Iterating over them gives dicts of lists.
#[pyclass(frozen)]
#[derive(Debug)]
pub struct Batches(Mutex<Decoding>);

#[pymethods]
impl Batches {
    fn __iter__(this: Py<Batches>) -> Py<Batches> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let mut decoding = self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let Some((rows, columns)) = next(py, &mut decoding)? else { return Ok(None) };
        let fields = decoding.plan().fields();
        let batch = PyDict::new(py);
        for (field, column) in fields.iter().zip(&columns) {
            batch.set_item(&field.name, values::to_python(py, rows, column)?)?;
        }
        Ok(Some(batch))
    }
}

/// The batches of a table, as Arrow's structs.
#[pyclass(frozen)]
#[derive(Debug)]
pub struct ArrowBatches(Mutex<Decoding>);

#[pymethods]
impl ArrowBatches {
    fn __iter__(this: Py<ArrowBatches>) -> Py<ArrowBatches> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<ArrowBatch>> {
        let mut decoding = self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let Some((rows, columns)) = next(py, &mut decoding)? else { return Ok(None) };
        Ok(Some(ArrowBatch { plan: decoding.plan().clone(), rows, columns }))
    }
}

/// A batch, as Arrow's structs.
#[pyclass(frozen)]
#[derive(Debug)]
pub struct ArrowBatch {
    plan: Plan,
    rows: usize,
    columns: Vec<ColumnData>,
}

#[pymethods]
impl ArrowBatch {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        let array = ArrowArray::of_rows(self.rows, &self.columns);
        Ok((
            PyCapsule::new_with_value(py, self.plan.schema(), c"arrow_schema")?,
            PyCapsule::new_with_value(py, array, c"arrow_array")?,
        ))
    }
}

/// Returns the next batch. Other threads can use the interpreter meanwhile.
fn next(py: Python<'_>, decoding: &mut Decoding) -> PyResult<Option<(usize, Vec<ColumnData>)>> {
    py.detach(|| decoding.next_columns()).map_err(|error| decoding.exception(error))
}
