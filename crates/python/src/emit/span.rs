//! The class `Span`: pairs of events that record the begin and the end of a block.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::{MutexExt, PyOnceLock};
use pyo3::types::{PyDict, PyTuple};

use super::Event;

/// The number of the next span of this process.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// The context variable that holds the number of the surrounding span.
static CURRENT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

fn current(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    let create = || -> PyResult<Py<PyAny>> {
        let default = PyDict::new(py);
        default.set_item("default", 0)?;
        let class = py.import("contextvars")?.getattr("ContextVar")?;
        Ok(class.call(("ringtrace.span",), Some(&default))?.unbind())
    };
    CURRENT.get_or_try_init(py, create).map(|variable| variable.bind(py))
}

/// A kind of span that this program declared. Calling it returns a context manager, which records
/// the begin and the end of its block.
#[pyclass(frozen, module = "ringtrace")]
#[derive(Debug)]
pub struct Span {
    name: String,
    begin: Py<Event>,
    end: Py<Event>,
    off: Py<Running>,
}

#[pymethods]
impl Span {
    #[new]
    fn new(py: Python<'_>, name: String, begin: Py<Event>, end: Py<Event>) -> PyResult<Span> {
        Ok(Span { name, begin, end, off: Py::new(py, Running(None))? })
    }

    /// Returns a context manager that records a span if its begin event is on. The arguments are
    /// those of the declaration, by position or by name.
    #[pyo3(signature = (*values, **named))]
    fn __call__(
        this: &Bound<'_, Span>,
        values: Bound<'_, PyTuple>,
        named: Option<Bound<'_, PyDict>>,
    ) -> PyResult<Py<Running>> {
        let py = values.py();
        if !this.get().begin.get().is_enabled() {
            return Ok(this.get().off.clone_ref(py));
        }
        let given = Given {
            span: this.clone().unbind(),
            values: values.unbind(),
            named: named.map(Bound::unbind),
            open: Mutex::new(None),
        };
        Py::new(py, Running(Some(given)))
    }

    /// The name of the pair of events.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The event that begins a span.
    #[getter]
    fn begin(&self, py: Python<'_>) -> Py<Event> {
        self.begin.clone_ref(py)
    }

    /// The event that ends a span.
    #[getter]
    fn end(&self, py: Python<'_>) -> Py<Event> {
        self.end.clone_ref(py)
    }

    fn __repr__(&self) -> String {
        format!("<ringtrace.Span {}>", self.name)
    }
}

/// A span of a block, or `None` if it was off.
#[pyclass(frozen, module = "ringtrace")]
#[derive(Debug)]
pub struct Running(Option<Given>);

#[derive(Debug)]
struct Given {
    span: Py<Span>,
    values: Py<PyTuple>,
    named: Option<Py<PyDict>>,
    /// The number of the span, and the token that restores the surrounding span.
    open: Mutex<Option<(u64, Py<PyAny>)>>,
}

#[pymethods]
impl Running {
    fn __enter__(&self, py: Python<'_>) -> PyResult<()> {
        let Some(given) = &self.0 else { return Ok(()) };
        let current = current(py)?;
        let parent = current.call_method0(intern!(py, "get"))?.extract()?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let named = given.named.as_ref().map(|named| named.bind(py));
        given.span.get().begin.get().record(&[number, parent], given.values.bind(py), named)?;
        let token = current.call_method1(intern!(py, "set"), (number,))?.unbind();
        *given.open.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner) = Some((number, token));
        Ok(())
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        _kind: &Bound<'_, PyAny>,
        _error: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let Some(given) = &self.0 else { return Ok(()) };
        let open = given.open.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner).take();
        let Some((number, token)) = open else { return Ok(()) };
        given.span.get().end.get().record(&[number], &PyTuple::empty(py), None)?;
        current(py)?.call_method1(intern!(py, "reset"), (token,))?;
        Ok(())
    }
}
