//! Whose a record is, and its time, as arguments: for those that do not stand where that can be seen.

use std::borrow::Cow;

use ringtrace_tracefile::Entry;

use crate::value::Typed;

/// An argument: its name and value.
type Member<'a> = (Cow<'a, str>, Typed<'a>);

/// `pid`, `tid` and `thread` of `entry`, where the trace tells them. A record's own arguments go before those of the same name.
pub(crate) fn origin<'a>(entry: &Entry<'a>) -> impl Iterator<Item = Member<'a>> + use<'a> {
    let pid = entry.version.info().has_pid.then_some(Typed::Unsigned(u64::from(entry.pid)));
    let tid = entry.tid().map(|tid| Typed::Unsigned(u64::from(tid)));
    let thread = entry.thread_name().map(|name| Typed::Text(name.as_bytes()));
    beside(entry, [("pid", pid), ("tid", tid), ("thread", thread)])
}

/// What is told of `entry`, which ends a span, beside its values: the `event`, its time where the place does not tell it, and whose it is.
pub(crate) fn end_of<'a>(entry: &Entry<'a>, needs_time: bool) -> impl Iterator<Item = Member<'a>> + use<'a> {
    let event = Typed::Text(entry.schema.name.as_bytes());
    beside(entry, [("event", Some(event))]).chain(exact_time(entry, needs_time)).chain(origin(entry))
}

/// `time_ns` of `entry`, where it is needed because the place does not tell it.
pub(crate) fn exact_time<'a>(
    entry: &Entry<'a>,
    is_needed: bool,
) -> impl Iterator<Item = Member<'a>> + use<'a> {
    beside(entry, [("time_ns", is_needed.then_some(Typed::Unsigned(entry.timestamp_ns)))])
}

fn beside<'a, const N: usize>(
    entry: &Entry<'a>,
    members: [(&'static str, Option<Typed<'a>>); N],
) -> impl Iterator<Item = Member<'a>> + use<'a, N> {
    let schema = entry.schema;
    members
        .into_iter()
        .filter(|(name, _)| schema.argument(name).is_none())
        .filter_map(|(name, value)| Some((name.into(), value?)))
}
