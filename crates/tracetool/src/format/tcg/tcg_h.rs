//! `tcg-h`: the probes that the translator calls.

use ringtrace_events::Diagnostic;

use super::event::{TcgEvent, Value, ValueSource, parameter, probes_header};
use crate::format::c_group::guard;
use crate::probe::comment;
use crate::{Request, SourceWriter, Template};

const HEAD: &str = r#"
/*
 * Probes of {group} that the translator calls.
 * {origin}
 */

#ifndef {guard}
#define {guard}

#include "exec/helper-proto.h"
#include "{header}"
"#;

const PROBE: &str = "

static inline void trace_{name}_tcg({parameters})
{
    trace_{name}_trans({constants});
    gen_helper_trace_{name}_exec({values});
}
";

/// The code that records an event is generated only for CPUs on which the event is on.
const CPU_PROBE: &str = "

static inline void trace_{name}_tcg({parameters})
{
    trace_{name}_trans({constants});
    if (trace_event_get_vcpu_state(__cpu, TRACE_{upper}_EXEC)) {
        gen_helper_trace_{name}_exec({values});
    }
}
";

const DISABLED_PROBE: &str = "

static inline void trace_{name}_tcg({parameters})
{
    {unused}
}
";

const FOOT: &str = "

#endif /* {guard} */
";

pub(in crate::format) fn generate(
    request: &Request<'_>,
    out: &mut SourceWriter,
) -> Result<(), Vec<Diagnostic>> {
    let group = &request.group;
    let guard = guard(group.name, "GENERATED_TCG_TRACERS");
    let head = [
        ("group", &*comment(group.name)),
        ("origin", &group.origin()),
        ("guard", &guard),
        ("header", probes_header(group)),
    ];
    out.block(&Template::new(HEAD), &head);
    let probe = Template::new(PROBE);
    let cpu_probe = Template::new(CPU_PROBE);
    let disabled_probe = Template::new(DISABLED_PROBE);
    for event in TcgEvent::all(group) {
        let template = match (event.disabled, event.vcpu) {
            (true, _) => &disabled_probe,
            (false, true) => &cpu_probe,
            (false, false) => &probe,
        };
        let unused: Vec<String> = names(&event).iter().map(|name| format!("(void){name};")).collect();
        let values = [
            ("name", event.name),
            ("upper", &event.name.to_ascii_uppercase()),
            ("parameters", &event.parameters(translator_parameter)),
            ("constants", &constants(&event)),
            ("values", &event.list(|value| value.name.to_string())),
            ("unused", &unused.join("\n")),
        ];
        out.block(template, &values);
    }
    out.block(&Template::new(FOOT), &[("guard", &guard)]);
    Ok(())
}

/// Returns the parameter for `value`. The CPU has two: a value known to the translator, and a value
/// in the translated code.
fn translator_parameter(value: &Value<'_>) -> String {
    let own = parameter(value.kind.parameter(), &value.name);
    match value.kind {
        ValueSource::Cpu => format!("void *__cpu, {own}"),
        ValueSource::Tcg(_) | ValueSource::Constant(..) => own,
    }
}

fn names<'a>(event: &'a TcgEvent<'_>) -> Vec<&'a str> {
    let cpu = event.vcpu.then_some("__cpu");
    cpu.into_iter().chain(event.values.iter().map(|value| &*value.name)).collect()
}

/// Returns the arguments for the probe that runs at translation: the values that are already known.
fn constants(event: &TcgEvent<'_>) -> String {
    let known = event.values.iter().filter_map(|value| match value.kind {
        ValueSource::Cpu => Some("__cpu"),
        ValueSource::Constant(..) => Some(&*value.name),
        ValueSource::Tcg(_) => None,
    });
    known.collect::<Vec<&str>>().join(", ")
}
