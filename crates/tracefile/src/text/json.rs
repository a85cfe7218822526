//! Entries and values as JSON.

use ringtrace_events::CType;

use super::clock::{Clock, TIME_BYTES};
use super::{Room, TextBuffer};
use crate::entry::{Entry, Value};

/// Integers beyond this are written as strings: readers that keep numbers as doubles would round them.
const MAX_EXACT: u128 = 1 << 53;

/// Appends `entry` as an object and a line end:
/// `{"event":NAME,"time_ns":N,"time":DATE,"pid":N,"tid":N,"args":{..}}`.
pub(super) fn push_entry(entry: &Entry<'_>, clock: &mut Clock, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"event\":");
    push_quoted(entry.schema.name.as_bytes(), out);
    out.extend_from_slice(b",\"time_ns\":");
    push_integer(i128::from(entry.timestamp_ns), out);
    if clock.has_date() {
        out.extend_from_slice(b",\"time\":\"");
        push_room(TIME_BYTES, out, |room| clock.push_date(entry.timestamp_ns, 9, room));
        out.push(b'"');
    }
    if entry.version.info().has_pid {
        out.extend_from_slice(b",\"pid\":");
        push_integer(i128::from(entry.pid), out);
    }
    if let Some(tid) = entry.tid() {
        out.extend_from_slice(b",\"tid\":");
        push_integer(i128::from(tid), out);
    }
    out.extend_from_slice(b",\"args\":{");
    let mut first = true;
    for (argument, value) in entry.schema.arguments.iter().zip(entry.values()) {
        if !first {
            out.push(b',');
        }
        first = false;
        push_quoted(argument.name.as_bytes(), out);
        out.push(b':');
        match value {
            Value::Integer(bits) => push_typed(argument.ctype, bits, out),
            Value::Str(bytes) => push_quoted(bytes, out),
        }
    }
    out.extend_from_slice(b"}}\n");
}

fn push_typed(ctype: CType, bits: u64, out: &mut Vec<u8>) {
    match ctype {
        CType::Integer { .. } => push_integer(ctype.number(bits), out),
        CType::Bool => {
            let text: &[u8] = if ctype.narrow(bits) == 0 { b"false" } else { b"true" };
            out.extend_from_slice(text);
        }
        _ => out.extend_from_slice(format!("\"{bits:#x}\"").as_bytes()),
    }
}

fn push_integer(value: i128, out: &mut Vec<u8>) {
    let quote: &[u8] = if value.unsigned_abs() > MAX_EXACT { b"\"" } else { b"" };
    out.extend_from_slice(quote);
    out.extend_from_slice(value.to_string().as_bytes());
    out.extend_from_slice(quote);
}

/// Appends `bytes` as a JSON string. Bytes that are not UTF-8 become U+DC80 to U+DCFF, unpaired surrogates, as
/// Python's `surrogateescape` does: what was recorded can be told from them, and no text has them.
pub(super) fn push_quoted(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for chunk in bytes.utf8_chunks() {
        for &byte in chunk.valid().as_bytes() {
            match byte {
                b'"' => out.extend_from_slice(b"\\\""),
                b'\\' => out.extend_from_slice(b"\\\\"),
                b'\n' => out.extend_from_slice(b"\\n"),
                b'\r' => out.extend_from_slice(b"\\r"),
                b'\t' => out.extend_from_slice(b"\\t"),
                0..0x20 | 0x7f => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
                _ => out.push(byte),
            }
        }
        for byte in chunk.invalid() {
            out.extend_from_slice(format!("\\udc{byte:02x}").as_bytes());
        }
    }
    out.push(b'"');
}

fn push_room(bytes: usize, out: &mut Vec<u8>, push: impl FnOnce(&mut Room<'_>)) {
    let mut text = TextBuffer::with_capacity(bytes);
    let mut room = text.room(bytes);
    push(&mut room);
    room.keep();
    out.extend_from_slice(text.as_bytes());
}
