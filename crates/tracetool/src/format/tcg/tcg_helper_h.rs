//! `tcg-helper-h`: the functions that translated code calls, declared to QEMU's macros.

use ringtrace_events::Diagnostic;
use ringtrace_events::declaration::TcgType;

use super::DENIED_LINTS;
use super::event::{Kind, TcgEvent};
use crate::format::{Format, Needs};
use crate::probe::comment;
use crate::{Request, SourceWriter, Template};

pub(in crate::format) const FORMAT: Format = Format {
    name: "tcg-helper-h",
    about: "C header, declares what translated code calls",
    denied_lints: DENIED_LINTS,
    needs: Needs::NOTHING,
    generate,
};

/// QEMU includes it several times, each time with other macros: so it has no guard.
const HEAD: &str = "
/*
 * What translated code calls of {group}.
 * {origin}
 */
";

const HELPER: &str = "

DEF_HELPER_FLAGS_{count}(trace_{name}_exec_proxy, TCG_CALL_NO_RWG, {types})
";

fn generate(request: &Request<'_>, out: &mut SourceWriter) -> Result<(), Vec<Diagnostic>> {
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

/// What QEMU's macros call the type of a value.
fn letters(kind: Kind<'_>) -> &'static str {
    match kind {
        Kind::Cpu => "env",
        Kind::Tcg(tcg_type) | Kind::Constant(_, tcg_type) => match tcg_type {
            TcgType::Target => "tl",
            TcgType::I32 => "i32",
            TcgType::I64 => "i64",
            TcgType::Pointer => "ptr",
        },
    }
}
