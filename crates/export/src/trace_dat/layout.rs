//! The layout of a record's data, and a description of it for readers.

use std::fmt::Write;

use ringtrace_events::declaration::{Constant, Enumeration};

use crate::shared::record_types::{RecordType, changed_names, word};
use crate::shared::value::ValueKind;

/// Size of the common fields: the event's number, two bytes used by the kernel, the thread and the
/// process.
pub(super) const COMMON_BYTES: usize = 12;

/// The common fields. `common_tgid`, the process id, exists in kernels up to 2.6.
const COMMON: &str = "\
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;
\tfield:int common_tgid;\toffset:8;\tsize:4;\tsigned:1;
";

/// Returns the size of a value's field. A string's field contains an offset and a length; the
/// string's bytes follow all fields.
pub(super) fn field_bytes(kind: ValueKind) -> usize {
    match kind {
        // Readers treat smaller integers as unsigned.
        ValueKind::Signed(bytes) => usize::from(bytes).max(4),
        ValueKind::Unsigned(bytes) => usize::from(bytes),
        ValueKind::Bool => 1,
        ValueKind::Pointer => 8,
        // libtraceevent prints no floating-point numbers, so they are text.
        ValueKind::Text | ValueKind::Double => 4,
    }
}

/// Returns the expression for the name of a value, in the syntax of the kernel.
fn symbolic(field: &str, enumeration: &Enumeration) -> String {
    let mut text = format!("__print_symbolic(REC->{field}");
    for Constant { name, value } in &enumeration.constants {
        // Readers compare without the sign.
        let value = value.cast_unsigned();
        let _ = write!(text, ", {{ {value}, \"{name}\" }}");
    }
    text + ")"
}

/// Returns the description of the event `id`, in the syntax of the kernel's `format` files.
pub(super) fn format(id: usize, record_type: &RecordType) -> String {
    let name = word(&record_type.name);
    let mut text = format!("name: {name}\nID: {id}\nformat:\n{COMMON}\n");
    let (mut print, mut values) = (String::new(), String::new());
    let mut offset = COMMON_BYTES;
    // Readers treat a name that starts with `common_` as a common field.
    let prefixed = |name: &str, _: &[String]| name.starts_with("common_").then(|| format!("_{name}"));
    let names = changed_names(&record_type.fields, prefixed, |one, other| one == other);
    for (field, name) in record_type.fields.iter().zip(names) {
        let bytes = field_bytes(field.kind);
        let bits = 8 * bytes;
        let (ctype, signed, mut conversion, mut value) = match field.kind {
            ValueKind::Signed(8) => (format!("s{bits}"), 1, "%lld", format!("REC->{name}")),
            ValueKind::Signed(_) => (format!("s{bits}"), 1, "%d", format!("REC->{name}")),
            ValueKind::Unsigned(8) => (format!("u{bits}"), 0, "%llu", format!("REC->{name}")),
            ValueKind::Unsigned(_) => (format!("u{bits}"), 0, "%u", format!("REC->{name}")),
            ValueKind::Bool => ("bool".to_owned(), 0, "%s", format!("REC->{name} ? \"true\" : \"false\"")),
            ValueKind::Pointer => (format!("u{bits}"), 0, "0x%llx", format!("REC->{name}")),
            ValueKind::Text | ValueKind::Double => {
                ("__data_loc char[]".to_owned(), 1, "%s", format!("__get_str({name})"))
            }
        };
        if let Some(enumeration) = &field.enumeration {
            (conversion, value) = ("%s", symbolic(&name, enumeration));
        }
        // Writing to a string does not fail.
        let _ = writeln!(text, "\tfield:{ctype} {name};\toffset:{offset};\tsize:{bytes};\tsigned:{signed};");
        let blank = if print.is_empty() { "" } else { " " };
        let _ = write!(print, "{blank}{name}={conversion}");
        let _ = write!(values, ", {value}");
        offset += bytes;
    }
    let _ = writeln!(text, "\nprint fmt: \"{print}\"{values}");
    text
}
