//! `tcg-helper-c`: the functions that translated code calls.

use ringtrace_events::Diagnostic;
use ringtrace_events::declaration::TcgType;

use super::event::{TcgEvent, Value, ValueSource, parameter, probes_header};
use crate::probe::comment;
use crate::{Request, SourceWriter, Template};

const HEAD: &str = r#"
/*
 * Functions of {group} that translated code calls.
 * {origin}
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/helper-proto.h"
#include "{header}"
"#;

/// Does not test the event's state, because that was done at translation.
const HELPER: &str = "

void helper_trace_{name}_exec_proxy({parameters})
{
    _nocheck__trace_{name}_exec({arguments});
}
";

pub(in crate::format) fn generate(
    request: &Request<'_>,
    out: &mut SourceWriter,
) -> Result<(), Vec<Diagnostic>> {
    let group = &request.group;
    let head =
        [("group", &*comment(group.name)), ("origin", &group.origin()), ("header", probes_header(group))];
    out.block(&Template::new(HEAD), &head);
    let helper = Template::new(HELPER);
    for event in TcgEvent::translated(group) {
        let values = [
            ("name", event.name),
            ("parameters", &event.parameters(|value| parameter(passed_type(value.kind), &value.name))),
            ("arguments", &event.list(argument)),
        ];
        out.block(&helper, &values);
    }
    Ok(())
}

/// The C type in which QEMU's macros pass a value.
fn passed_type(kind: ValueSource<'_>) -> &'static str {
    match kind {
        ValueSource::Cpu => "CPUArchState *",
        ValueSource::Tcg(tcg_type) | ValueSource::Constant(_, tcg_type) => match tcg_type {
            TcgType::Target => "target_ulong",
            TcgType::I32 => "uint32_t",
            TcgType::I64 => "uint64_t",
            TcgType::Pointer => "void *",
        },
    }
}

/// Converts a value to the type of the event's argument.
fn argument(value: &Value<'_>) -> String {
    let name = &value.name;
    match value.kind {
        ValueSource::Cpu => format!("(CPUState *)env_cpu({name})"),
        ValueSource::Tcg(tcg_type) => format!("({}){name}", tcg_type.host_type()),
        ValueSource::Constant(ctype, _) => format!("({ctype}){name}"),
    }
}
