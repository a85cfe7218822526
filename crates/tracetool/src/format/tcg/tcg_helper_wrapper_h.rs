//! `tcg-helper-wrapper-h`: functions of the translator that generate calls in translated code.

use ringtrace_events::Diagnostic;
use ringtrace_events::declaration::TcgType;

use super::event::{TcgEvent, ValueSource, parameter};
use crate::probe::comment;
use crate::{Request, SourceWriter, Template};

/// QEMU's own headers include this file, so it has no guard and no includes.
const HEAD: &str = "
/*
 * Functions that generate calls to {group} in translated code.
 * {origin}
 */

/* For values that translated code already has. */
#define tcg_temp_new_nop(v) (v)
#define tcg_temp_free_nop(v)
";

const WRAPPER: &str = "

static inline void gen_helper_trace_{name}_exec({parameters})
{
    {locals}
    gen_helper_trace_{name}_exec_proxy({values});
    {frees}
}
";

pub(in crate::format) fn generate(
    request: &Request<'_>,
    out: &mut SourceWriter,
) -> Result<(), Vec<Diagnostic>> {
    let group = &request.group;
    out.block(&Template::new(HEAD), &[("group", &*comment(group.name)), ("origin", &group.origin())]);
    let wrapper = Template::new(WRAPPER);
    for event in TcgEvent::translated(group) {
        let before = local_prefix(&event);
        let lines = |line: &dyn Fn(&str, ValueSource<'_>) -> String| -> String {
            let lines: Vec<String> = event.values.iter().map(|value| line(&value.name, value.kind)).collect();
            lines.join("\n")
        };
        let locals =
            lines(&|name, kind| format!("{} {before}{name} = {}({name});", local_type(kind), make(kind)));
        let frees = lines(&|name, kind| format!("{}({before}{name});", free(kind)));
        let values = [
            ("name", event.name),
            ("parameters", &*event.parameters(|value| parameter(value.kind.parameter(), &value.name))),
            ("locals", &locals),
            ("values", &event.list(|value| format!("{before}{}", value.name))),
            ("frees", &frees),
        ];
        out.block(&wrapper, &values);
    }
    Ok(())
}

/// Returns the prefix of local variables. It has enough underscores that no variable has the same
/// name as a parameter.
fn local_prefix(event: &TcgEvent<'_>) -> String {
    let mut prefix = "__".to_owned();
    let is_taken = |prefix: &str| {
        event.values.iter().any(|value| {
            event.values.iter().any(|other| other.name.strip_prefix(prefix) == Some(&*value.name))
        })
    };
    while is_taken(&prefix) {
        prefix.push('_');
    }
    prefix
}

fn local_type(kind: ValueSource<'_>) -> &'static str {
    match kind {
        ValueSource::Cpu => "TCGv_env",
        ValueSource::Tcg(tcg_type) | ValueSource::Constant(_, tcg_type) => tcg_type.name(),
    }
}

/// The function that creates the value to pass.
fn make(kind: ValueSource<'_>) -> &'static str {
    match kind {
        ValueSource::Cpu | ValueSource::Tcg(_) | ValueSource::Constant(_, TcgType::Target) => {
            "tcg_temp_new_nop"
        }
        ValueSource::Constant(_, TcgType::I32) => "tcg_const_i32",
        ValueSource::Constant(_, TcgType::I64) => "tcg_const_i64",
        ValueSource::Constant(_, TcgType::Pointer) => "tcg_const_ptr",
    }
}

/// The function that frees the value.
fn free(kind: ValueSource<'_>) -> &'static str {
    match kind {
        ValueSource::Cpu | ValueSource::Tcg(_) | ValueSource::Constant(_, TcgType::Target) => {
            "tcg_temp_free_nop"
        }
        ValueSource::Constant(_, TcgType::I32) => "tcg_temp_free_i32",
        ValueSource::Constant(_, TcgType::I64) => "tcg_temp_free_i64",
        ValueSource::Constant(_, TcgType::Pointer) => "tcg_temp_free_ptr",
    }
}
