//! The values of fields, encoded for a record.

use std::error::Error;
use std::fmt::{self, Debug};

use ringtrace::dynamic::Values;
use tracing_core::field::Visit;
use tracing_core::{Field, Metadata};

/// Adds the values of fields to `values`, after its first `before` arguments.
#[inline(always)]
pub(crate) fn add(
    values: &mut Values,
    before: usize,
    metadata: &Metadata<'_>,
    record: impl Fn(&mut dyn Visit),
) {
    let mut visitor = Visitor { values: &mut *values, before, has_jumped: false };
    record(&mut visitor);
    if visitor.has_jumped {
        add_in_order(values, before, metadata, &record);
    }
}

/// Adds fields whose values are in a different order from the fields of the call site.
#[cold]
#[inline(never)]
fn add_in_order(
    values: &mut Values,
    before: usize,
    metadata: &Metadata<'_>,
    record: &dyn Fn(&mut dyn Visit),
) {
    *values = values.integers(before);
    for only in 0..metadata.fields().len() {
        record(&mut Only { only, visitor: Visitor { values: &mut *values, before, has_jumped: false } });
    }
}

/// Adds fields in the order in which they are visited.
struct Visitor<'v> {
    values: &'v mut Values,
    before: usize,
    /// Set if a field was out of order and therefore not added.
    has_jumped: bool,
}

/// Adds only the field with this index.
struct Only<'v> {
    only: usize,
    visitor: Visitor<'v>,
}

impl Visitor<'_> {
    /// Advances to the position of `field`, and returns the values. Returns `None` if that position
    /// has already been passed.
    #[inline(always)]
    fn at(&mut self, field: &Field) -> Option<&mut Values> {
        let is_next = self.values.skip_to(self.before + field.index());
        self.has_jumped |= !is_next;
        is_next.then_some(&mut *self.values)
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

    #[inline]
    fn record_f64(&mut self, field: &Field, value: f64) {
        if let Some(values) = self.at(field) {
            values.f64(value);
        }
    }

    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        self.display(field, format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.display(field, format_args!("{value:?}"));
    }
}

impl Visit for Only<'_> {
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.with(field, |visitor| visitor.record_u64(field, value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.with(field, |visitor| visitor.record_i64(field, value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.with(field, |visitor| visitor.record_bool(field, value));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.with(field, |visitor| visitor.record_str(field, value));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.with(field, |visitor| visitor.record_f64(field, value));
    }

    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        self.with(field, |visitor| visitor.record_error(field, value));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.with(field, |visitor| visitor.record_debug(field, value));
    }
}

impl<'v> Only<'v> {
    fn with(&mut self, field: &Field, record: impl FnOnce(&mut Visitor<'v>)) {
        if field.index() == self.only {
            record(&mut self.visitor);
        }
    }
}
