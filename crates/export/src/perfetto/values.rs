//! Arguments: names and values.

use ringtrace_tracefile::Entry;

use super::field::{argument, event};
use super::interned::InternedStrings;
use super::packets::LAST_NS;
use super::protobuf::Message;
use crate::shared::arguments::{end_arguments, owner_arguments, time_argument};
use crate::shared::text::utf8_without_zeros;
use crate::shared::value::{TypedValue, named_values};

pub(super) fn push_value(message: &mut Message, name: u64, value: TypedValue<'_>) {
    message.message(event::ARGUMENT, |message| encode_value(message, name, value));
}

fn encode_value(message: &mut Message, name: u64, value: TypedValue<'_>) {
    message.uint(argument::NAME_ID, name);
    match value {
        TypedValue::Signed(number) => message.int(argument::INT, number),
        TypedValue::Unsigned(number) => message.uint(argument::UINT, number),
        TypedValue::Bool(is_true) => message.uint(argument::BOOL, u64::from(is_true)),
        TypedValue::Double(bits) => message.double(argument::DOUBLE, f64::from_bits(bits)),
        TypedValue::Pointer(bits) => message.uint(argument::POINTER, bits),
        TypedValue::Text(bytes) => message.text(argument::STRING, &utf8_without_zeros(bytes)),
    }
}

/// Appends all values of `entry`. `numbers` are the interned names of the first arguments.
pub(super) fn push_arguments(
    message: &mut Message,
    names: &mut InternedStrings,
    numbers: &[u64],
    entry: &Entry<'_>,
) {
    for (index, (name, value)) in named_values(entry).enumerate() {
        let number = numbers.get(index).copied();
        push_value(message, number.unwrap_or_else(|| names.argument(&name)), value);
    }
    for (name, value) in time_argument(entry, entry.timestamp_ns > LAST_NS) {
        push_value(message, names.argument(&name), value);
    }
}

/// Appends a span's end record as a single argument, with the record's own arguments nested in it.
/// They are nested because the begin record, at `begin_ns`, may have arguments with the same names.
pub(super) fn push_end(message: &mut Message, names: &mut InternedStrings, entry: &Entry<'_>, begin_ns: u64) {
    message.message(event::ARGUMENT, |end| {
        end.uint(argument::NAME_ID, names.argument("end"));
        let needs_time = entry.timestamp_ns < begin_ns || entry.timestamp_ns > LAST_NS;
        let mut push = |name: &str, value| {
            let name = names.argument(name);
            end.message(argument::ENTRY, |message| encode_value(message, name, value));
        };
        for (name, value) in named_values(entry).chain(end_arguments(entry, needs_time)) {
            push(&name, value);
        }
    });
}

/// Appends the owner of a record, for a track that does not show it.
pub(super) fn push_owner(message: &mut Message, names: &mut InternedStrings, entry: &Entry<'_>) {
    for (name, value) in owner_arguments(entry) {
        push_value(message, names.argument(&name), value);
    }
}
