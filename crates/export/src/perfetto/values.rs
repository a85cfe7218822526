//! Arguments: names and values.

use ringtrace_tracefile::Entry;

use super::field::{argument, event};
use super::names::{Kind, Names};
use super::packets::LAST_NS;
use super::protobuf::Message;
use crate::text::utf8_without_zeros;
use crate::value::{Typed, named_values};
use crate::whose::{end_of, exact_time, origin};

/// An argument, with its name's number.
pub(super) fn push_value(message: &mut Message, name: u64, value: Typed<'_>) {
    message.message(event::ARGUMENT, |message| encode_value(message, name, value));
}

fn encode_value(message: &mut Message, name: u64, value: Typed<'_>) {
    message.uint(argument::NAME_ID, name);
    match value {
        Typed::Signed(number) => message.int(argument::INT, number),
        Typed::Unsigned(number) => message.uint(argument::UINT, number),
        Typed::Bool(is_true) => message.uint(argument::BOOL, u64::from(is_true)),
        Typed::Pointer(bits) => message.uint(argument::POINTER, bits),
        Typed::Text(bytes) => message.text(argument::STRING, &utf8_without_zeros(bytes)),
    }
}

/// All that `entry` recorded. The first arguments' names have these numbers.
pub(super) fn push_arguments(message: &mut Message, names: &mut Names, numbers: &[u64], entry: &Entry<'_>) {
    for (index, (name, value)) in named_values(entry).enumerate() {
        let number = numbers.get(index).copied();
        push_value(message, number.unwrap_or_else(|| names.number(Kind::ArgumentName, &name)), value);
    }
    for (name, value) in exact_time(entry, entry.timestamp_ns > LAST_NS) {
        push_value(message, names.number(Kind::ArgumentName, &name), value);
    }
}

/// The record that ends a span that began at `begin_ns`, as one argument that holds others: the one that began it may have arguments of the same names.
pub(super) fn push_end(message: &mut Message, names: &mut Names, entry: &Entry<'_>, begin_ns: u64) {
    message.message(event::ARGUMENT, |end| {
        end.uint(argument::NAME_ID, names.number(Kind::ArgumentName, "end"));
        let needs_time = entry.timestamp_ns < begin_ns || entry.timestamp_ns > LAST_NS;
        let mut push = |name: &str, value| {
            let name = names.number(Kind::ArgumentName, name);
            end.message(argument::ENTRY, |message| encode_value(message, name, value));
        };
        for (name, value) in named_values(entry).chain(end_of(entry, needs_time)) {
            push(&name, value);
        }
    });
}

/// What is told of the thread of a record that stands on a track that does not say so.
pub(super) fn push_origin(message: &mut Message, names: &mut Names, entry: &Entry<'_>) {
    for (name, value) in origin(entry) {
        push_value(message, names.number(Kind::ArgumentName, &name), value);
    }
}
