//! The values of fields, encoded for a record.

use std::error::Error;
use std::fmt::{self, Debug};

use ringtrace::dynamic::Values;
use tracing_core::Field;
use tracing_core::field::Visit;

/// Adds the values of fields to `values`, after its first `before` arguments.
#[inline]
pub(crate) fn add(values: &mut Values, before: usize, fields: usize, record: impl Fn(&mut dyn Visit)) {
    let mut visitor = Visitor { values: &mut *values, before, next: 0, only: None, has_jumped: false };
    record(&mut visitor);
    if visitor.has_jumped {
        add_in_order(values, before, fields, record);
    }
}

/// Adds fields whose values are in another order than the fields of the call site.
#[cold]
fn add_in_order(values: &mut Values, before: usize, fields: usize, record: impl Fn(&mut dyn Visit)) {
    *values = values.integers(before);
    for only in 0..fields {
        let mut visitor =
            Visitor { values: &mut *values, before, next: only, only: Some(only), has_jumped: false };
        record(&mut visitor);
    }
}

struct Visitor<'v> {
    values: &'v mut Values,
    before: usize,
    /// The index of the first field that may follow.
    next: usize,
    /// If set, only this field is added.
    only: Option<usize>,
    /// Set if a field preceded the one before it, and so was not added.
    has_jumped: bool,
}

impl Visitor<'_> {
    /// Returns the values, so that the next one belongs to `field`. Returns `None` if the field is
    /// not to be added.
    #[inline(always)]
    fn at(&mut self, field: &Field) -> Option<&mut Values> {
        let index = field.index();
        if self.only.is_some_and(|only| only != index) {
            return None;
        }
        if index < self.next {
            self.has_jumped |= self.only.is_none();
            return None;
        }
        self.next = index + 1;
        self.values.skip_to(self.before + index);
        Some(self.values)
    }

    fn display(&mut self, field: &Field, value: fmt::Arguments<'_>) {
        if let Some(values) = self.at(field) {
            values.display(value);
        }
    }
}

impl Visit for Visitor<'_> {
    #[inline]
    fn record_u64(&mut self, field: &Field, value: u64) {
        if let Some(values) = self.at(field) {
            values.u64(value);
        }
    }

    #[inline]
    fn record_i64(&mut self, field: &Field, value: i64) {
        if let Some(values) = self.at(field) {
            values.i64(value);
        }
    }

    #[inline]
    fn record_bool(&mut self, field: &Field, value: bool) {
        if let Some(values) = self.at(field) {
            values.bool(value);
        }
    }

    #[inline]
    fn record_str(&mut self, field: &Field, value: &str) {
        if let Some(values) = self.at(field) {
            values.text(value);
        }
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.display(field, format_args!("{value:?}"));
    }

    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        self.display(field, format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.display(field, format_args!("{value:?}"));
    }
}
