//! `rs`: Rust for QEMU's own crates. Events pass through the C part of the program.
//!
//! The states of events and the functions of backends are foreign items. The output is a module
//! `trace`. The crate that includes it must depend on the crates `trace` and `util`; `util`
//! contains QEMU's `bindings`.

use ringtrace_events::Diagnostic;
use ringtrace_events::message::visible;

use crate::probe::unprintable;
use crate::{Request, RustProbe, SourceWriter, Template};

const HEAD: &str = r#"
    // Probes of the group `{group}`, generated from {sources}. Make changes there.

    #[allow(unused_imports)]
    use std::ffi::{
        CStr, c_char, c_int, c_long, c_longlong, c_short, c_uint, c_ulong, c_ulonglong, c_ushort,
    };
    #[allow(unused_imports)]
    use util::bindings;
"#;

const FOREIGN: &str = r#"

    #[allow(dead_code)]
    unsafe extern "C" {
        static mut trace_events_enabled_count: u32;
"#;

const STATE: &str = "
    static mut {state}: u16;
";

const FUNCTION: &str = r"

    /// Records the event `{event}` of {source}:{line}.
    #[inline(always)]
    #[allow(dead_code, non_snake_case)]
    pub fn trace_{event}({parameters}) {
        unsafe {
            if trace_events_enabled_count != 0 && {state} != 0 {
                {calls}
            }
        }
    }
";

const EMPTY_FUNCTION: &str = r"

    /// Does nothing: the event `{event}` of {source}:{line} is {why}.
    #[inline(always)]
    #[allow(dead_code, non_snake_case)]
    pub fn trace_{event}({parameters}) {}
";

pub(super) fn generate(request: &Request<'_>, out: &mut SourceWriter) -> Result<(), Vec<Diagnostic>> {
    let group = &request.group;
    let mut diagnostics = Vec::new();
    let mut probes = Vec::with_capacity(group.events.len());
    for event in &group.events {
        match RustProbe::new(event) {
            Ok(probe) => probes.push(probe),
            Err(found) => diagnostics.extend(found),
        }
        if request.backends.iter().any(|backend| backend.rs.prints) {
            diagnostics.extend(unprintable(event));
        }
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }

    let sources: Vec<String> = group.sources.iter().map(|source| visible::text(source.name())).collect();
    out.block(
        &Template::new(HEAD),
        &[("group", &visible::text(group.name)), ("sources", &sources.join(", "))],
    );
    foreign(request, &probes, out);
    request.backends.iter().for_each(|backend| out.text(backend.rs.head));
    functions(request, &probes, &sources, out);
    Ok(())
}

/// Writes the foreign items: states of all events, and functions of backends.
fn foreign(request: &Request<'_>, probes: &[RustProbe<'_>], out: &mut SourceWriter) {
    let state = Template::new(STATE);
    let foreign: Vec<Template<'_>> =
        request.backends.iter().map(|backend| Template::new(backend.rs.foreign)).collect();
    out.text(FOREIGN);
    out.indented(|out| {
        for probe in probes {
            out.block(&state, &[("state", &probe.state())]);
            if !probe.event().disabled {
                foreign.iter().for_each(|template| probe.block(template, out));
            }
        }
    });
    out.text("}\n");
}

fn functions(request: &Request<'_>, probes: &[RustProbe<'_>], sources: &[String], out: &mut SourceWriter) {
    let (function, empty) = (Template::new(FUNCTION), Template::new(EMPTY_FUNCTION));
    let templates: Vec<Template<'_>> =
        request.backends.iter().map(|backend| Template::new(backend.rs.call)).collect();
    for probe in probes {
        let event = probe.event();
        let mut calls = SourceWriter::new();
        if !event.disabled {
            templates.iter().for_each(|template| probe.block(template, &mut calls));
        }
        let calls = calls.finish();
        let source = sources.get(event.source).map_or("", String::as_str);
        let why = if event.disabled { "disabled" } else { "for backends that Rust cannot reach" };
        let template = if calls.is_empty() { &empty } else { &function };
        out.block(
            template,
            &[
                ("event", &event.name),
                ("source", source),
                ("line", &event.line.to_string()),
                ("why", why),
                ("parameters", &probe.parameters()),
                ("state", &probe.state()),
                ("calls", calls.trim_end()),
            ],
        );
    }
}
