//! Values of Python as arguments of events.

use std::ops::RangeInclusive;
use std::sync::Arc;

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use ringtrace::dynamic::Values;
use ringtrace_events::nearest::nearest;
use ringtrace_events::{CType, Enumeration};

/// An argument of an event.
#[derive(Debug)]
pub struct Argument {
    name: Py<PyString>,
    /// The C type as declared; for an enumeration, its name.
    declared: String,
    ctype: CType,
    enumeration: Option<Arc<Enumeration>>,
}

impl Argument {
    /// Creates an argument from its declaration.
    pub fn new(py: Python<'_>, argument: &ringtrace_events::Argument) -> Argument {
        let enumeration = argument.enumeration.clone();
        let declared = enumeration.as_ref().map_or(&argument.ctype_text, |enumeration| &enumeration.name);
        Argument {
            // Names in calls are interned, so that they are found by their address.
            name: PyString::intern(py, &argument.name).unbind(),
            declared: declared.as_str().to_owned(),
            ctype: argument.ctype,
            enumeration,
        }
    }

    /// The name.
    pub fn name(&self) -> &Py<PyString> {
        &self.name
    }

    /// Adds a value of this argument, which belongs to the event `event`.
    ///
    /// # Errors
    /// The value has another type, or the type of the argument cannot represent it.
    pub fn add(&self, event: &str, value: &Bound<'_, PyAny>, to: &mut Values) -> PyResult<()> {
        if let Some(enumeration) = &self.enumeration {
            to.i64(self.constant(event, enumeration, value)?);
            return Ok(());
        }
        match self.ctype {
            CType::Integer { bytes, signed: true } => {
                let range = i64::MIN >> (64 - 8 * bytes)..=i64::MAX >> (64 - 8 * bytes);
                let number = value.extract::<i64>().ok().filter(|number| range.contains(number));
                to.i64(number.ok_or_else(|| self.not_an_integer(event, value, &widen(&range)))?);
            }
            CType::Bool => {
                to.bool(value.extract().map_err(|_| self.mistaken(event, "bool", value))?);
            }
            CType::Double => {
                let number = value.extract::<f64>().map_err(|error| {
                    match error.is_instance_of::<PyTypeError>(value.py()) {
                        true => self.mistaken(event, "float", value),
                        false => error,
                    }
                });
                to.f64(number?);
            }
            CType::Str => self.text(event, value, to)?,
            ctype => {
                let bytes = if let CType::Integer { bytes, .. } = ctype { bytes } else { 8 };
                let range = 0..=u64::MAX >> (64 - 8 * bytes);
                let number = value.extract::<u64>().ok().filter(|number| range.contains(number));
                to.u64(number.ok_or_else(|| self.not_an_integer(event, value, &widen(&range)))?);
            }
        }
        Ok(())
    }

    /// Adds a string: text, bytes or a path.
    fn text(&self, event: &str, value: &Bound<'_, PyAny>, to: &mut Values) -> PyResult<()> {
        if let Ok(text) = value.cast::<PyString>() {
            match text.to_str() {
                Ok(text) => to.text(text),
                // Names of files that are not UTF-8 contain surrogates for their bytes.
                Err(_) => to
                    .text(encoded(text, "surrogateescape").or_else(|_| encoded(text, "replace"))?.as_bytes()),
            };
        } else if let Ok(bytes) = value.cast::<PyBytes>() {
            to.text(bytes.as_bytes());
        } else {
            let Ok(path) = value.call_method0("__fspath__") else {
                return Err(self.mistaken(event, "str, bytes or a path", value));
            };
            self.text(event, &path, to)?;
        }
        Ok(())
    }

    /// Returns the value of an enumeration: the name of a constant, its number, or a member of a
    /// class `Enum` with that name.
    fn constant(&self, event: &str, enumeration: &Enumeration, value: &Bound<'_, PyAny>) -> PyResult<i64> {
        let is_word = value.is_instance_of::<PyString>();
        if !is_word && let Ok(number) = value.extract::<i64>() {
            let range = i64::from(i32::MIN)..=i64::from(i32::MAX);
            return match range.contains(&number) {
                true => Ok(number),
                false => Err(self.not_an_integer(event, value, &widen(&range))),
            };
        }
        let word = if is_word { value.clone() } else { value.getattr("name").unwrap_or(value.clone()) };
        let expected = "the name of a constant, int or a member of an Enum";
        let word: String = word.extract().map_err(|_| self.mistaken(event, expected, value))?;
        enumeration.value_of(&word).map(i64::from).ok_or_else(|| {
            let names = || enumeration.constants.iter().map(|constant| &*constant.name);
            let help = match nearest(&word, names()) {
                Some(near) => format!("did you mean {near:?}?"),
                None => format!("it has {}", names().collect::<Vec<_>>().join(", ")),
            };
            let constants = &self.declared;
            PyValueError::new_err(format!(
                "{event}(): {} is not a constant of {constants}: {word:?}; {help}",
                self.name
            ))
        })
    }

    fn not_an_integer(&self, event: &str, value: &Bound<'_, PyAny>, range: &RangeInclusive<i128>) -> PyErr {
        // The operator calls `__index__`, which floating-point numbers and strings do not have.
        let is_integer =
            value.py().import("operator").is_ok_and(|module| module.call_method1("index", (value,)).is_ok());
        if !is_integer {
            return self.mistaken(event, "int", value);
        }
        let (least, most) = (range.start(), range.end());
        PyOverflowError::new_err(format!(
            "{event}(): {} must be from {least} to {most} ({}), not {value}",
            self.name, self.declared
        ))
    }

    fn mistaken(&self, event: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
        let found =
            value.get_type().name().map_or_else(|_| "another type".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!(
            "{event}(): {} must be {expected} ({}), not {found}",
            self.name, self.declared
        ))
    }
}

fn widen<T: Copy + Into<i128>>(range: &RangeInclusive<T>) -> RangeInclusive<i128> {
    (*range.start()).into()..=(*range.end()).into()
}

fn encoded<'py>(text: &Bound<'py, PyString>, errors: &str) -> PyResult<Bound<'py, PyBytes>> {
    Ok(text.call_method1("encode", ("utf-8", errors))?.cast_into()?)
}
