//! Additional arguments: a record's owner, time and event, if the output does not show them
//! otherwise.

use std::borrow::Cow;

use ringtrace_tracefile::Entry;

use super::value::{TypedValue, named_values};

pub(crate) type Member<'a> = (Cow<'a, str>, TypedValue<'a>);

/// Returns the arguments `pid`, `tid` and `thread` of `entry`, if the trace contains them. The
/// record's own arguments with these names take precedence.
pub(crate) fn owner_arguments<'a>(entry: &Entry<'a>) -> impl Iterator<Item = Member<'a>> + use<'a> {
    let pid = entry.version.info().has_pid.then_some(TypedValue::Unsigned(u64::from(entry.pid)));
    let tid = entry.tid().map(|tid| TypedValue::Unsigned(u64::from(tid)));
    let thread = entry.thread_name().map(|name| TypedValue::Text(name.as_bytes()));
    unless_declared(entry, [("pid", pid), ("tid", tid), ("thread", thread)])
}

/// Returns arguments for a record that ends a span: the `event`, the time if it is needed, and the
/// owner.
pub(crate) fn end_arguments<'a>(
    entry: &Entry<'a>,
    needs_time: bool,
) -> impl Iterator<Item = Member<'a>> + use<'a> {
    let event = TypedValue::Text(entry.schema.name.as_bytes());
    unless_declared(entry, [("event", Some(event))])
        .chain(time_argument(entry, needs_time))
        .chain(owner_arguments(entry))
}

pub(crate) fn time_argument<'a>(
    entry: &Entry<'a>,
    is_needed: bool,
) -> impl Iterator<Item = Member<'a>> + use<'a> {
    unless_declared(entry, [("time_ns", is_needed.then_some(TypedValue::Unsigned(entry.timestamp_ns)))])
}

fn unless_declared<'a, const N: usize>(
    entry: &Entry<'a>,
    members: [(&'static str, Option<TypedValue<'a>>); N],
) -> impl Iterator<Item = Member<'a>> + use<'a, N> {
    let schema = entry.schema;
    members
        .into_iter()
        .filter(|(name, _)| schema.argument(name).is_none())
        .filter_map(|(name, value)| Some((name.into(), value?)))
}

/// Returns the values of the record that ends a span, except those whose names also occur in the
/// record that began it. Each name is thus shown only once.
pub(crate) fn new_values<'a>(begin: &Entry<'a>, end: &Entry<'a>) -> impl Iterator<Item = Member<'a>> {
    let begun: Vec<_> = named_values(begin).collect();
    named_values(end).filter(move |value| !begun.contains(value))
}
