//! Arguments: names and values.

use ringtrace_tracefile::Entry;

use super::field::{argument, event};
use super::names::{Kind, Names};
use super::protobuf::Message;
use crate::text::utf8;
use crate::value::{Typed, named_values};

/// An argument, with its name's number.
pub(super) fn push_value(message: &mut Message, name: u64, value: Typed<'_>) {
    message.message(event::ARGUMENT, |message| {
        message.uint(argument::NAME_ID, name);
        match value {
            Typed::Signed(number) => message.int(argument::INT, number),
            Typed::Unsigned(number) => message.uint(argument::UINT, number),
            Typed::Bool(is_true) => message.uint(argument::BOOL, u64::from(is_true)),
            Typed::Pointer(bits) => message.uint(argument::POINTER, bits),
            Typed::Text(bytes) => message.text(argument::STRING, &utf8(bytes)),
        }
    });
}

pub(super) fn push_uint(message: &mut Message, name: u64, value: u64) {
    push_value(message, name, Typed::Unsigned(value));
}

/// All that `entry` recorded. The first arguments' names have these numbers.
pub(super) fn push_arguments(message: &mut Message, names: &mut Names, numbers: &[u64], entry: &Entry<'_>) {
    for (index, (name, value)) in named_values(entry).enumerate() {
        let number = numbers.get(index).copied();
        push_value(message, number.unwrap_or_else(|| names.number(Kind::ArgumentName, &name)), value);
    }
}

/// The arguments of the record that ends a span, and its thread: each name begins with `end.`, because the one that began it may have
/// arguments of the same names.
pub(super) fn push_end(message: &mut Message, names: &mut Names, entry: &Entry<'_>) {
    let event = [("end".into(), Typed::Text(entry.schema.name.as_bytes()))];
    let values = named_values(entry).map(|(name, value)| (format!("end.{name}"), value));
    for (name, value) in event.into_iter().chain(values) {
        push_value(message, names.number(Kind::ArgumentName, &name), value);
    }
    push_origin(message, names, entry, "end.");
}

/// Whose record it is, where it does not stand on a track that says so. An argument of the same name is the record's own: it goes before.
pub(super) fn push_origin(message: &mut Message, names: &mut Names, entry: &Entry<'_>, prefix: &str) {
    let pid = entry.version.info().has_pid.then_some(Typed::Unsigned(u64::from(entry.pid)));
    let tid = entry.tid().map(|tid| Typed::Unsigned(u64::from(tid)));
    let thread = entry.thread_name().map(|name| Typed::Text(name.as_bytes()));
    for (name, value) in [("pid", pid), ("tid", tid), ("thread", thread)] {
        if let Some(value) = value
            && entry.schema.argument(name).is_none()
        {
            push_value(message, names.number(Kind::ArgumentName, &format!("{prefix}{name}")), value);
        }
    }
}
