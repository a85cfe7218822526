//! `tcg-helper-wrapper-h`: what the translator calls to have such a function called by translated code.

use ringtrace_events::Diagnostic;
use ringtrace_events::declaration::TcgType;

use super::DENIED_LINTS;
use super::event::{Kind, TcgEvent, parameter};
use crate::format::{Format, Needs};
use crate::probe::comment;
use crate::{Request, SourceWriter, Template};

pub(in crate::format) const FORMAT: Format = Format {
    name: "tcg-helper-wrapper-h",
    about: "C header, makes translated code that calls",
    denied_lints: DENIED_LINTS,
    needs: Needs::NOTHING,
    generate,
};

/// A part of QEMU's own headers, that has neither guard nor includes.
const HEAD: &str = "
/*
 * What has translated code call functions of {group}.
 * {origin}
 */

/* Values that are the translated code's already. */
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

fn generate(request: &Request<'_>, out: &mut SourceWriter) -> Result<(), Vec<Diagnostic>> {
    let group = &request.group;
    out.block(&Template::new(HEAD), &[("group", &*comment(group.name)), ("origin", &group.origin())]);
    let wrapper = Template::new(WRAPPER);
    for event in TcgEvent::translated(group) {
        let before = local_prefix(&event);
        let lines = |line: &dyn Fn(&str, Kind<'_>) -> String| -> String {
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

/// What goes before a parameter's name for the local variable of it: underscores, so many that none of them is the name of
/// another parameter.
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

fn local_type(kind: Kind<'_>) -> &'static str {
    match kind {
        Kind::Cpu => "TCGv_env",
        Kind::Tcg(tcg_type) | Kind::Constant(_, tcg_type) => tcg_type.name(),
    }
}

/// What makes the value that is passed.
fn make(kind: Kind<'_>) -> &'static str {
    match kind {
        Kind::Cpu | Kind::Tcg(_) | Kind::Constant(_, TcgType::Target) => "tcg_temp_new_nop",
        Kind::Constant(_, TcgType::I32) => "tcg_const_i32",
        Kind::Constant(_, TcgType::I64) => "tcg_const_i64",
        Kind::Constant(_, TcgType::Pointer) => "tcg_const_ptr",
    }
}

/// What frees it.
fn free(kind: Kind<'_>) -> &'static str {
    match kind {
        Kind::Cpu | Kind::Tcg(_) | Kind::Constant(_, TcgType::Target) => "tcg_temp_free_nop",
        Kind::Constant(_, TcgType::I32) => "tcg_temp_free_i32",
        Kind::Constant(_, TcgType::I64) => "tcg_temp_free_i64",
        Kind::Constant(_, TcgType::Pointer) => "tcg_temp_free_ptr",
    }
}
