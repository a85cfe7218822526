//! Arguments: names and values.

use ringtrace_tracefile::Entry;
use ringtrace_tracefile::text::stack::Finder;

use super::field::{argument, event};
use super::interned::InternedStrings;
use super::packets::LAST_NS;
use super::protobuf::Message;
use crate::shared::arguments::{end_arguments, owner_arguments, time_argument};
use crate::shared::stack::{StackFrame, stack_frames};
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
pub(super) fn push_end(
    message: &mut Message,
    names: &mut InternedStrings,
    entry: &Entry<'_>,
    begin_ns: u64,
    finder: &Finder,
) {
    let frames = stack_frames(entry, finder);
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
        if !frames.is_empty() && entry.schema.argument(STACK).is_none() {
            end.message(argument::ENTRY, |stack| encode_stack(stack, names, &frames));
        }
    });
    push_frames(message, &frames);
}

/// The name of the argument with a record's stack.
const STACK: &str = "stack";

/// Appends the stack of `entry`: as an argument, unless the event declares one with its name, and as
/// a call stack.
pub(super) fn push_stack(
    message: &mut Message,
    names: &mut InternedStrings,
    entry: &Entry<'_>,
    finder: &Finder,
) {
    let frames = stack_frames(entry, finder);
    if !frames.is_empty() && entry.schema.argument(STACK).is_none() {
        message.message(event::ARGUMENT, |stack| encode_stack(stack, names, &frames));
    }
    push_frames(message, &frames);
}

/// Encodes a stack as an array of strings, innermost first.
fn encode_stack(stack: &mut Message, names: &mut InternedStrings, frames: &[StackFrame]) {
    stack.uint(argument::NAME_ID, names.argument(STACK));
    for frame in frames {
        stack.message(argument::ELEMENT, |element| element.text(argument::STRING, &frame.text));
    }
}

fn push_frames(message: &mut Message, frames: &[StackFrame]) {
    if frames.is_empty() {
        return;
    }
    message.message(event::CALL_STACK, |stack| {
        for frame in frames.iter().rev() {
            stack.message(event::FRAME, |message| {
                message.text(event::FUNCTION, &frame.name);
                if let Some(file) = &frame.file {
                    message.text(event::SOURCE_FILE, file);
                }
                if let Some(line) = frame.line {
                    message.uint(event::LINE, u64::from(line));
                }
            });
        }
    });
}

/// Appends the owner of a record, for a track that does not show it.
pub(super) fn push_owner(message: &mut Message, names: &mut InternedStrings, entry: &Entry<'_>) {
    for (name, value) in owner_arguments(entry) {
        push_value(message, names.argument(&name), value);
    }
}
