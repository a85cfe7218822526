//! `simple`: a binary trace file.

use std::iter;

use ringtrace_events::CType;
use ringtrace_events::ctype::StringRule;

use super::{Backend, C_IS_ON, CParts, RsParts};
use crate::CProbe;

pub(super) static SIMPLE: Backend = Backend {
    name: "simple",
    about: "a binary trace file",
    c: CParts {
        declaration: "
        void _simple_trace_{event}({parameters});
    ",
        is_wanted: C_IS_ON,
        call: "
        _simple_trace_{event}({arguments});
    ",
        source_head: r#"

        #include "qemu/osdep.h"
        #include "trace/control.h"
        #include "trace/simple.h"
        #ifndef TRACE_RECORD_SLOW_PATH
        #define TRACE_RECORD_SLOW_PATH
        #define trace_record_start_fast(record, event, payload_bytes) 0
        #endif
    "#,
        // The slow path calls functions. In a function of its own, it does not make the other path
        // save registers.
        definition: "

        static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_{event}({parameters})
        {
            TraceBufferRecord {record};
            {lengths}

            if (trace_record_start(&{record}, _TRACE_{capitals}_EVENT.id, {payload_bytes})) {
                return; /* The ring is full. The drop has been counted. */
            }
            {writes}
            trace_record_finish(&{record});
        }

        void _simple_trace_{event}({parameters})
        {
            TraceBufferRecord {record};
            {lengths}

            if (!trace_record_start_fast(&{record}, _TRACE_{capitals}_EVENT.id, {payload_bytes})) {
                _slow_simple_trace_{event}({arguments});
                return;
            }
            {writes}
            trace_record_finish(&{record});
        }
    ",
        definition_values: record,
        ..CParts::NOTHING
    },
    rs: RsParts {
        foreign: "
            fn _simple_trace_{event}({foreign_parameters});
        ",
        call: "
            _simple_trace_{event}({foreign_arguments});
        ",
        ..RsParts::NOTHING
    },
    ..Backend::NOTHING
};

/// Returns the code that writes a record: the length and bytes of each string, and 8 bytes for any
/// other value. Of a floating-point value, these are the bits of a `double`.
fn record(probe: &CProbe<'_>) -> Vec<(&'static str, String)> {
    let lengths = probe.arguments().map(|(argument, name)| match argument.ctype {
        CType::Double => format!("bits_{name}"),
        _ => format!("len_{name}"),
    });
    let mut locals = probe.locals(iter::once("rec".to_owned()).chain(lengths)).into_iter();
    let record = locals.next().unwrap_or_default();
    let (mut integers, mut string_bytes) = (0, String::new());
    let (mut lengths, mut writes) = (Vec::new(), Vec::new());
    for ((argument, name), length) in probe.arguments().zip(locals) {
        if argument.ctype.is_string(StringRule::OneStar) {
            string_bytes += &format!(" + 4 + {length}");
            lengths.push(format!("uint32_t {length} = {name} ? strnlen({name}, MAX_TRACE_STRLEN) : 0;"));
            writes.push(format!("trace_record_write_str(&{record}, {name}, {length});"));
        } else if argument.ctype == CType::Double {
            let bits = length;
            integers += 1;
            lengths.push(format!("const union {{ double value; uint64_t bits; }} {bits} = {{ {name} }};"));
            writes.push(format!("trace_record_write_u64(&{record}, {bits}.bits);"));
        } else {
            let is_pointer = matches!(argument.ctype, CType::Pointer | CType::StrStar);
            let cast = if is_pointer { "(uint64_t)(uintptr_t)" } else { "(uint64_t)" };
            integers += 1;
            writes.push(format!("trace_record_write_u64(&{record}, {cast}{name});"));
        }
    }
    let payload_bytes = match integers {
        0 => string_bytes.strip_prefix(" + ").unwrap_or("0").to_owned(),
        1 => format!("8{string_bytes}"),
        _ => format!("{integers} * 8{string_bytes}"),
    };
    vec![
        ("record", record),
        ("lengths", lengths.join("\n")),
        ("payload_bytes", payload_bytes),
        ("writes", writes.join("\n")),
    ]
}
