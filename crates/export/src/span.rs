//! What formats have in common that show a span as one thing.

use std::borrow::Cow;

use ringtrace_tracefile::Entry;

use crate::value::{Typed, named_values};

/// The values of the record that ended a span which its begin does not have as well, by the same name: keys need not be shown twice.
pub fn new_values<'a>(begin: &Entry<'a>, end: &Entry<'a>) -> impl Iterator<Item = (Cow<'a, str>, Typed<'a>)> {
    let begun: Vec<_> = named_values(begin).collect();
    named_values(end).filter(move |value| !begun.contains(value))
}
