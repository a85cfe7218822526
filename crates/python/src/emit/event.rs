//! The class `Event`.

use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use ringtrace::dynamic::{DynamicEvent, Values};
use ringtrace_events::lint::{Levels, lint};
use ringtrace_events::message::{MessageFormat, render};
use ringtrace_events::nearest::nearest;
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::{Diagnostic, Severity, SourceFile};

use super::argument::Argument;

/// An event that this program declared. Calling it records the event if it is on.
#[pyclass(frozen, module = "ringtrace")]
#[derive(Debug)]
pub struct Event {
    event: DynamicEvent,
    arguments: Vec<Argument>,
}

#[pymethods]
impl Event {
    /// Records the event if it is on. The arguments are those of the declaration, by position or by
    /// name. They are checked only if the event is on.
    #[pyo3(signature = (*values, **named))]
    fn __call__(&self, values: &Bound<'_, PyTuple>, named: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        if !self.is_enabled() {
            return Ok(());
        }
        self.record(&[], values, named)
    }

    /// The name. If the program declared another event with the same name before, it ends with a
    /// number.
    #[getter]
    pub fn name(&self) -> &'static str {
        self.event.event().name()
    }

    /// The declaration, as in a file ``trace-events``.
    #[getter]
    fn declaration(&self) -> &'static str {
        self.event.event().declaration().text
    }

    /// Whether the event is on, that is, whether a call records it.
    #[getter(enabled)]
    pub fn is_enabled(&self) -> bool {
        self.event.is_enabled()
    }

    fn __repr__(&self) -> String {
        format!("<ringtrace.Event {}>", self.declaration())
    }
}

impl Event {
    /// Records the event. Its first arguments are `first`, and the others are given by the caller.
    ///
    /// # Errors
    /// The values do not match the declaration.
    pub fn record(
        &self,
        first: &[u64],
        values: &Bound<'_, PyTuple>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let Event { event, arguments } = self;
        let arguments = &arguments[first.len()..];
        let (py, name) = (values.py(), self.name());
        let mut encoded = Values::new();
        for &number in first {
            encoded.u64(number);
        }
        if values.len() > arguments.len() {
            return Err(PyTypeError::new_err(format!(
                "{name}() takes {}, but {} were given",
                counted(arguments.len(), "argument"),
                values.len()
            )));
        }
        for (argument, value) in arguments.iter().zip(values.iter_borrowed()) {
            argument.add(name, &value, &mut encoded)?;
        }
        let others = &arguments[values.len()..];
        let surplus = |named| self.surplus(named, &arguments[..values.len()], others);
        for argument in others {
            let value = named.map(|named| named.get_item(argument.name().bind(py))).transpose()?.flatten();
            let missing = || {
                let missing =
                    PyTypeError::new_err(format!("{name}() needs the argument `{}`", argument.name()));
                // The caller may have given it with a misspelt name.
                named.and_then(surplus).unwrap_or(missing)
            };
            argument.add(name, &value.ok_or_else(missing)?, &mut encoded)?;
        }
        if let Some(named) = named
            && named.len() != others.len()
            && let Some(error) = surplus(named)
        {
            return Err(error);
        }
        match event.emit(&encoded) {
            true => Ok(()),
            false => Err(PyRuntimeError::new_err(format!("internal error: {name}() has other arguments"))),
        }
    }

    /// Creates the error for an argument that is not declared, or was also given by its position, if
    /// there is one.
    #[cold]
    fn surplus(&self, named: &Bound<'_, PyDict>, given: &[Argument], others: &[Argument]) -> Option<PyErr> {
        let names = |arguments: &[Argument]| -> Vec<String> {
            arguments.iter().map(|argument| argument.name().to_string()).collect()
        };
        let (name, given, others) = (self.name(), names(given), names(others));
        let surplus = named.keys().iter().map(|key| key.to_string()).find(|key| !others.contains(key))?;
        if given.contains(&surplus) {
            return Some(PyTypeError::new_err(format!(
                "{name}() got two values for the argument `{surplus}`"
            )));
        }
        let near = nearest(&surplus, given.iter().chain(&others).map(String::as_str));
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        Some(PyTypeError::new_err(format!("{name}() has no argument `{surplus}`{near}")))
    }
}

fn counted(count: usize, unit: &str) -> String {
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// Declares the events of a text in the language of files `trace-events`. Returns them with the names
/// in the text.
///
/// # Errors
/// The text contains errors; then nothing is declared.
#[pyfunction]
pub fn declare(py: Python<'_>, text: String) -> PyResult<Vec<(String, Event)>> {
    let text = if text.ends_with('\n') { text } else { text + "\n" };
    let source = SourceFile::new("declaration", text);
    let mut parsed = parse(vec![source.clone()], Dialect::Extended { strict: false });
    // Other lints are about generated code.
    lint(&mut parsed, &Levels::default(), None);
    let shown = |found: &Diagnostic| {
        render(
            std::slice::from_ref(found),
            std::slice::from_ref(&source),
            MessageFormat::Human { colour: false },
        )
    };
    let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
    let errors: Vec<String> = parsed.diagnostics.iter().filter(is_error).map(shown).collect();
    if !errors.is_empty() {
        return Err(PyValueError::new_err(errors.concat().trim_end().to_owned()));
    }
    for found in parsed.diagnostics.iter().filter(|found| found.code.starts_with("format")) {
        let category = py.get_type::<PyUserWarning>();
        let arguments = (shown(found).trim_end().to_owned(), category, 3);
        py.import("warnings")?.call_method1("warn", arguments)?;
    }
    let events = parsed.declarations.events.iter().map(|event| {
        let arguments = event.arguments.iter().map(|argument| Argument::new(py, argument)).collect();
        (event.name.to_string(), Event { event: DynamicEvent::declare_parsed(event), arguments })
    });
    Ok(events.collect())
}
