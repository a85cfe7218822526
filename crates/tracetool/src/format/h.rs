//! `h`: the header with the probes of a group, included by every C file that traces.

use ringtrace_events::Diagnostic;
use ringtrace_events::declaration::{Constant, Enumeration};

use super::c_group::{CGroup, Declarations};
use crate::probe::enumerations::enumerations;
use crate::probe::{CProbe, comment};
use crate::{Request, SourceWriter, Template};

const HEAD: &str = r#"
    /*
     * The probes of the group {group}.
     * {origin}
     */

    #ifndef {guard}
    #define {guard}

"#;

const CONTROL: &str = r#"
    #include "trace/control.h"
"#;

/// Until version 8.0, each CPU in QEMU had a state for each `vcpu` event.
const CONTROL_OF_VCPUS: &str = r#"
    #if __has_include("trace/control-vcpu.h")
    #include "trace/control-vcpu.h"
    #else
    #include "trace/control.h"
    #endif

    /* Without states for each CPU, use the event's state. */
    #ifndef trace_event_get_vcpu_state
    #define trace_event_get_vcpu_state(cpu, id) ((void)(cpu), trace_event_get_state(id))
    #endif
"#;

/// The included headers declare their functions for C++ themselves.
const DECLARATIONS: &str = r#"

    #ifdef __cplusplus
    extern "C" {
    #endif
"#;

const ENUMERATION: &str = r#"

    /* {declaration} */
    typedef enum {
        {constants}
    } {name};

    static inline const char *_trace_name_of_{name}(int value)
    {
        switch (value) {
        {names}
        default: return "(unknown)";
        }
    }
"#;

const FOOT: &str = "

    #ifdef __cplusplus
    }
    #endif

    #endif /* {guard} */
";

const IS_NEVER_WANTED: &str = "
    #define TRACE_{capitals}_BACKEND_DSTATE() (false)
";

const UNUSED: &str = "
    (void){argument};
";

const PROBE: &str = "

    static inline void {prefix}trace_{event}({typed_parameters})
    {
";

const STATE_TEST: &str = "
    if (trace_event_get_state(TRACE_{capitals})) {
";

/// The probe of a `tcg` event. The calls of its backends are in a separate function, because
/// translated code also calls them.
const TCG_PROBE: &str = "

    static inline void trace_{event}({parameters})
    {
        _nocheck__trace_{event}({arguments});
    }
";

const VCPU_PROBE: &str = "

    static inline void trace_{event}({parameters})
    {
        if (trace_event_get_vcpu_state({cpu}, TRACE_{capitals})) {
            _nocheck__trace_{event}({arguments});
        }
    }
";

pub(super) fn generate(request: &Request<'_>, out: &mut SourceWriter) -> Result<(), Vec<Diagnostic>> {
    let group = CGroup::new(request)?;
    let guard = group.guard("GENERATED_TRACERS");
    let head = [("group", &*comment(group.name)), ("origin", &group.origin), ("guard", &guard)];
    out.block(&Template::new(HEAD), &head);
    let has_vcpus = group.probes.iter().any(|probe| probe.event().vcpu);
    out.text(if has_vcpus { CONTROL_OF_VCPUS } else { CONTROL });
    for backend in request.backends {
        out.block(&Template::new(backend.c.head), &[("group", group.name)]);
    }
    out.text(DECLARATIONS);
    for (_, enumeration) in enumerations(request.group.events.iter().copied()) {
        write_enumeration(enumeration, out);
    }
    let is_wanted = is_wanted(request);
    let templates = Templates::new(request, &is_wanted);
    for probe in &group.probes {
        templates.event(probe, out);
        templates.probe(probe, out);
    }
    out.block(&Template::new(FOOT), &[("guard", &guard)]);
    Ok(())
}

/// Writes the type of an enumeration, and the function that returns the names of its values.
fn write_enumeration(enumeration: &Enumeration, out: &mut SourceWriter) {
    let constant = |constant: &Constant| format!("{} = {}", constant.name, constant.value);
    let constants: Vec<String> = enumeration.constants.iter().map(constant).collect();
    let name = |constant: &Constant| format!("case {}: return \"{}\";", constant.value, constant.name);
    let names: Vec<String> = enumeration.constants.iter().map(name).collect();
    let values = [
        ("declaration", &*comment(&enumeration.declaration)),
        ("name", &enumeration.name),
        ("constants", &constants.join(",\n")),
        ("names", &names.join("\n")),
    ];
    out.block(&Template::new(ENUMERATION), &values);
}

/// Returns the template of the macro that is true if any backend wants the event.
fn is_wanted(request: &Request<'_>) -> String {
    let mut lines = "#define TRACE_{capitals}_BACKEND_DSTATE() ( \\\n".to_owned();
    for term in request.backends.iter().map(|backend| backend.c.is_wanted).filter(|term| !term.is_empty()) {
        lines.extend(["    ", term, " || \\\n"]);
    }
    lines + "    false)\n"
}

struct Templates<'a> {
    objects: Declarations,
    is_wanted: Template<'a>,
    is_never_wanted: Template<'a>,
    declarations: Vec<Template<'a>>,
    probe: Template<'a>,
    state_test: Template<'a>,
    /// The calls of backends that have a switch of their own. `inside` contains all other calls.
    outside: Vec<Template<'a>>,
    inside: Vec<Template<'a>>,
    unused: Template<'a>,
    vcpu_probe: Template<'a>,
    tcg_probe: Template<'a>,
}

impl<'a> Templates<'a> {
    fn new(request: &Request<'_>, is_wanted: &'a str) -> Templates<'a> {
        let calls = |has_own_switch| -> Vec<Template<'a>> {
            let parts = request.backends.iter().map(|backend| &backend.c);
            let parts = parts.filter(|part| part.has_own_switch == has_own_switch && !part.call.is_empty());
            parts.map(|part| Template::new(part.call)).collect()
        };
        let declarations = request.backends.iter().map(|backend| Template::new(backend.c.declaration));
        Templates {
            objects: Declarations::new(),
            is_wanted: Template::new(is_wanted),
            is_never_wanted: Template::new(IS_NEVER_WANTED),
            declarations: declarations.collect(),
            probe: Template::new(PROBE),
            state_test: Template::new(STATE_TEST),
            outside: calls(true),
            inside: calls(false),
            unused: Template::new(UNUSED),
            vcpu_probe: Template::new(VCPU_PROBE),
            tcg_probe: Template::new(TCG_PROBE),
        }
    }

    fn event(&self, probe: &CProbe<'_>, out: &mut SourceWriter) {
        self.objects.write(probe, out);
        let is_wanted = if probe.event().disabled { &self.is_never_wanted } else { &self.is_wanted };
        probe.block(is_wanted, out);
        self.declarations.iter().for_each(|declaration| probe.block(declaration, out));
    }

    /// Writes the function that records the event.
    fn probe(&self, probe: &CProbe<'_>, out: &mut SourceWriter) {
        let event = probe.event();
        let is_checked = !event.disabled && (event.vcpu || event.tcg.is_some());
        probe.block_with(&self.probe, &[("prefix", if is_checked { "_nocheck__" } else { "" })], out);
        out.indented(
            |out| if event.disabled { self.use_arguments(probe, 0, out) } else { self.calls(probe, out) },
        );
        out.text("}\n");
        if is_checked && event.vcpu {
            let cpu = probe.arguments().next().map_or("", |(_, name)| name);
            probe.block_with(&self.vcpu_probe, &[("cpu", cpu)], out);
        } else if is_checked {
            probe.block(&self.tcg_probe, out);
        }
    }

    fn calls(&self, probe: &CProbe<'_>, out: &mut SourceWriter) {
        self.outside.iter().for_each(|call| probe.block(call, out));
        let write_inside =
            |out: &mut SourceWriter| self.inside.iter().for_each(|call| probe.block(call, out));
        if self.inside.is_empty() || probe.event().vcpu {
            // For a `vcpu` event, the CPU's state has already been tested.
            write_inside(out);
        } else {
            probe.block(&self.state_test, out);
            out.indented(write_inside);
            out.text("}\n");
        }
        let has_placeholder =
            |name| self.outside.iter().chain(&self.inside).any(|call| call.has_placeholder(name));
        if !has_placeholder("arguments") && !has_placeholder("and_arguments") {
            let printed = if has_placeholder("and_printed") { probe.printed().len() } else { 0 };
            self.use_arguments(probe, printed, out);
        }
    }

    /// Uses all arguments after the first `used`, to avoid compiler warnings.
    fn use_arguments(&self, probe: &CProbe<'_>, used: usize, out: &mut SourceWriter) {
        for (_, name) in probe.arguments().skip(used) {
            out.block(&self.unused, &[("argument", name)]);
        }
    }
}
