//! The metadata of a CTF trace: the contents of its `metadata` file, in the language TSDL.

use std::fmt::Write;

use ringtrace_events::declaration::{Constant, Enumeration};
use ringtrace_tracefile::Entry;
use ringtrace_tracefile::hash::Hash;
use ringtrace_tracefile::metadata::Anchor;

use super::events::Event;
use super::stream::StreamKind;
use crate::exporter::TraceInfo;
use crate::shared::record_types::{RecordType, changed_names};
use crate::shared::value::ValueKind;

/// Metadata that is known before the last record.
#[derive(Debug)]
pub(super) struct Metadata {
    traces: Vec<String>,
    processes: Vec<(u32, String)>,
    anchor: Option<Anchor>,
    /// Source of the UUID. `None` before the first record.
    identity: Option<u128>,
}

const NS_PER_SECOND: i128 = 1_000_000_000;

/// Types that are used in the declarations below. `stream.rs` must match this string and the next.
const HEAD: &str = "/* CTF 1.8 */

typealias integer { size = 8; align = 8; signed = false; } := u8;
typealias integer { size = 16; align = 8; signed = false; } := u16;
typealias integer { size = 32; align = 8; signed = false; } := u32;
typealias integer { size = 64; align = 8; signed = false; } := u64;
typealias integer { size = 8; align = 8; signed = true; } := i8;
typealias integer { size = 16; align = 8; signed = true; } := i16;
typealias integer { size = 32; align = 8; signed = true; } := i32;
typealias integer { size = 64; align = 8; signed = true; } := i64;
typealias integer { size = 64; align = 8; signed = false; base = 16; } := bits;
typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } := f64;
typealias enum : u8 { \"false\" = 0, \"true\" = 1 } := truth;
";

const CONTEXT: &str = "\
\tpacket.context := struct {
\t\ttime timestamp_begin;
\t\ttime timestamp_end;
\t\tu64 content_size;
\t\tu64 packet_size;
\t\tu64 events_discarded;
\t\tu64 packet_seq_num;
\t};
\tevent.header := struct {
\t\tu32 id;
\t\ttime timestamp;
\t};
";

impl Metadata {
    pub(super) fn new(info: &TraceInfo) -> Metadata {
        let TraceInfo { traces, anchor, .. } = info;
        let processes = info.process_names().map(|(pid, name)| (pid, name.to_owned())).collect();
        // Ignore an anchor outside of this range: it is not a plausible date for a recording, and a
        // CTF clock cannot express it.
        let anchor = anchor.filter(|anchor| (0..i128::from(i64::MAX / 2)).contains(&anchor.realtime_ns(0)));
        Metadata { traces: traces.clone(), processes, anchor, identity: None }
    }

    /// Derives the identity of the trace from its first record.
    #[inline]
    pub(super) fn identify(&mut self, first: &Entry<'_>) {
        if self.identity.is_none() {
            let Entry { number, timestamp_ns, schema, payload, .. } = first;
            let record = (number, timestamp_ns, &schema.name, payload);
            let identity = format!("{:?} {:?} {record:?}", self.traces, self.anchor);
            let mut hash = Hash::default();
            hash.add(identity.as_bytes());
            self.identity = Some(hash.value());
        }
    }

    /// Returns the UUID of the trace. Repeated exports of the same trace have the same UUID, so
    /// that they are identical byte for byte.
    pub(super) fn uuid(&self) -> [u8; 16] {
        let identity = self.identity.unwrap_or_default();
        let mut uuid = std::array::from_fn(|index| (identity >> (8 * index)) as u8);
        // Version 8, which is custom, and the variant of RFC 9562.
        uuid[6] = 0x80 | uuid[6] & 0x0f;
        uuid[8] = 0x80 | uuid[8] & 0x3f;
        uuid
    }

    /// Returns the latest time that readers support. They store nanoseconds since 1970 in signed
    /// 64-bit integers; the largest integer has a special meaning in babeltrace2.
    pub(super) fn limit_ns(&self) -> u64 {
        let zero_ns = self.anchor.map_or(0, |anchor| anchor.realtime_ns(0));
        (i128::from(i64::MAX) - 1 - zero_ns) as u64
    }

    pub(super) fn text(&self, events: &[Event], types: &[RecordType]) -> String {
        let mut text = HEAD.to_owned();
        // Writing to a string does not fail.
        let _ = self.write(events, types, &mut text);
        text
    }

    fn write(&self, events: &[Event], types: &[RecordType], out: &mut String) -> std::fmt::Result {
        write!(out, "\ntrace {{\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"")?;
        for (index, byte) in self.uuid().iter().enumerate() {
            let dash = if matches!(index, 4 | 6 | 8 | 10) { "-" } else { "" };
            write!(out, "{dash}{byte:02x}")?;
        }
        writeln!(out, "\";\n\tbyte_order = le;\n\tpacket.header := struct {{")?;
        writeln!(out, "\t\tu32 magic;\n\t\tu8 uuid[16];\n\t\tu32 stream_id;\n\t}};\n}};\n")?;
        self.write_environment(out)?;
        self.write_clock(out)?;
        for (kind, _) in StreamKind::ALL {
            if events.iter().any(|event| event.is_of(kind)) {
                writeln!(out, "\nstream {{\n\tid = {};\n{CONTEXT}{}}};", kind as u32, event_context(kind))?;
            }
        }
        for (number, event) in events.iter().enumerate() {
            for (kind, _) in StreamKind::ALL.into_iter().filter(|(kind, _)| event.is_of(*kind)) {
                write_event(number, kind, &types[event.record_type], out)?;
            }
        }
        Ok(())
    }

    fn write_environment(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "env {{\n\ttracer_name = \"ringtrace\";")?;
        for (number, name) in (1..).zip(&self.traces) {
            writeln!(out, "\ttrace_{number} = {};", literal(name))?;
        }
        for (pid, name) in &self.processes {
            writeln!(out, "\tprocess_{pid} = {};", literal(name))?;
        }
        writeln!(out, "}};\n")
    }

    /// Writes the clock. Without an anchor the date is unknown, and readers assume 1970.
    fn write_clock(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "clock {{\n\tname = monotonic;")?;
        writeln!(out, "\tdescription = \"The clock of the machine that recorded, in nanoseconds\";")?;
        writeln!(out, "\tfreq = 1000000000;")?;
        if let Some(anchor) = self.anchor {
            let zero_ns = anchor.realtime_ns(0);
            let (seconds, rest_ns) = (zero_ns.div_euclid(NS_PER_SECOND), zero_ns.rem_euclid(NS_PER_SECOND));
            writeln!(out, "\toffset_s = {seconds};\n\toffset = {rest_ns};\n\tabsolute = true;")?;
        }
        writeln!(out, "}};\n")?;
        let time = "integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; }";
        writeln!(out, "typealias {time} := time;")
    }
}

fn event_context(kind: StreamKind) -> String {
    let fields = [
        (kind.has_process(), "u32 _vpid"),
        (kind.encodes_on_thread(), "u32 _vtid"),
        (kind == StreamKind::NamedThread, "string _procname"),
    ];
    let known = fields.iter().filter(|(is_known, _)| *is_known);
    let fields: String = known.map(|(_, field)| format!("\t\t{field};\n")).collect();
    if fields.is_empty() { fields } else { format!("\tevent.context := struct {{\n{fields}\t}};\n") }
}

/// Writes the declaration of an event. Field names have the prefix `_`, which readers remove. They
/// can therefore be keywords of TSDL, such as `align`, `event` and `string`.
fn write_event(
    number: usize,
    kind: StreamKind,
    record_type: &RecordType,
    out: &mut String,
) -> std::fmt::Result {
    writeln!(out, "\nevent {{\n\tid = {number};\n\tstream_id = {};", kind as u32)?;
    writeln!(out, "\tname = {};\n\tfields := struct {{", literal(&record_type.name))?;
    let names = changed_names(&record_type.fields, name_for_readers, |one, other| bare(one) == bare(other));
    for (field, name) in record_type.fields.iter().zip(names) {
        out.push_str("\t\t");
        if let Some(enumeration) = &field.enumeration {
            write_enumeration(enumeration, out)?;
            writeln!(out, " _{name};")?;
            continue;
        }
        match field.kind {
            ValueKind::Signed(bytes) => write!(out, "i{}", 8 * u32::from(bytes))?,
            ValueKind::Unsigned(bytes) => write!(out, "u{}", 8 * u32::from(bytes))?,
            ValueKind::Bool => out.push_str("truth"),
            ValueKind::Double => out.push_str("f64"),
            ValueKind::Pointer => out.push_str("bits"),
            ValueKind::Text => out.push_str("string"),
        }
        writeln!(out, " _{name};")?;
    }
    writeln!(out, "\t}};\n}};")
}

fn bare(name: &str) -> &str {
    name.trim_start_matches('_')
}

/// Returns another name for a field with one more `_` than another one. For babeltrace2, which
/// compares names both with and without a `_`, these two would be the same.
fn name_for_readers(name: &str, all: &[String]) -> Option<String> {
    let shorter = name.strip_prefix('_').filter(|shorter| all.iter().any(|other| other == shorter))?;
    let shortest = bare(shorter);
    Some(if shortest.is_empty() { "_" } else { shortest }.to_owned())
}

/// Writes the type of a field whose values have names. They have the size of an `int`.
fn write_enumeration(enumeration: &Enumeration, out: &mut String) -> std::fmt::Result {
    out.push_str("enum : i32 {");
    for (index, Constant { name, value }) in enumeration.constants.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        write!(out, "{comma} \"{name}\" = {value}")?;
    }
    write!(out, " }}")
}

fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => literal.extend(['\\', c]),
            // Always write three digits, so that a following digit is not read as part of the
            // escape.
            _ if c.is_ascii_control() => literal.push_str(&format!("\\{:03o}", u32::from(c))),
            _ => literal.push(c),
        }
    }
    literal.push('"');
    literal
}
