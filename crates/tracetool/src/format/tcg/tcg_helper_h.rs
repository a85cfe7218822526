//! `tcg-helper-h`: declares the functions that translated code calls, using QEMU's macros.

use ringtrace_events::Diagnostic;
use ringtrace_events::declaration::TcgType;

use super::event::{TcgEvent, ValueSource};
use crate::probe::comment;
use crate::{Request, SourceWriter, Template};

/// QEMU includes the header several times with different macros, so it has no guard.
const HEAD: &str = "
/*
 * Functions of {group} that translated code calls.
 * {origin}
 */
";

const HELPER: &str = "

DEF_HELPER_FLAGS_{count}(trace_{name}_exec_proxy, TCG_CALL_NO_RWG, {types})
";

pub(in crate::format) fn generate(
    request: &Request<'_>,
    out: &mut SourceWriter,
) -> Result<(), Vec<Diagnostic>> {
    let group = &request.group;
    out.block(&Template::new(HEAD), &[("group", &*comment(group.name)), ("origin", &group.origin())]);
    let helper = Template::new(HELPER);
    for event in TcgEvent::translated(group) {
        let types = event.values.iter().map(|value| letters(value.kind));
        let types: Vec<&str> = ["void"].into_iter().chain(types).collect();
        let values =
            [("name", event.name), ("count", &*event.values.len().to_string()), ("types", &types.join(", "))];
        out.block(&helper, &values);
    }
    Ok(())
}

/// The name of a value's type in QEMU's macros.
fn letters(kind: ValueSource<'_>) -> &'static str {
    match kind {
        ValueSource::Cpu => "env",
        ValueSource::Tcg(tcg_type) | ValueSource::Constant(_, tcg_type) => match tcg_type {
            TcgType::Target => "tl",
            TcgType::I32 => "i32",
            TcgType::I64 => "i64",
            TcgType::Pointer => "ptr",
        },
    }
}
