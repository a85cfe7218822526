//! `ringtrace-rs`: Rust for programs that use ringtrace's runtime.
//!
//! The runtime's `include_trace!` includes the output as a module `trace`. The output uses only
//! these items of the runtime: `Event`, `Declaration`, `Argument`, `ArgumentKind`, `group!`,
//! `noted!`, `span!`, `span_end!`, and the items in `probe`. Recording is the runtime's task.
//!
//! For an event `blk_read` the module contains the function and the macro `blk_read`, and the
//! function `blk_read_enabled`. It also contains the macro `span`, unless an event has this name.
//! All other items are in modules and function bodies, where they cannot clash with events.

mod enumeration;
pub(crate) mod external;
mod literal;
mod probe;
mod templates;
mod types;

use ringtrace_events::Diagnostic;
use ringtrace_events::message::visible;

use crate::probe::enumerations::{clashes, enumerations};
use crate::{Request, SourceWriter, Template};
use enumeration::rust_name;
use external::ExternalTracers;
use probe::{Probe, diagnostics, one_each};

pub(super) fn generate(request: &Request<'_>, out: &mut SourceWriter) -> Result<(), Vec<Diagnostic>> {
    let group = &request.group;
    let mut diagnostics: Vec<Diagnostic> = group.events.iter().flat_map(|event| diagnostics(event)).collect();
    let enumerations = enumerations(group.events.iter().copied());
    diagnostics.extend(clashes(&enumerations, "Rust", false, rust_name));
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let probes: Vec<Probe<'_>> = group.events.iter().filter_map(|event| Probe::new(event)).collect();
    let sources: Vec<String> = group.sources.iter().map(|source| visible::text(source.name())).collect();
    let sources = sources.join(", ");
    out.block(
        &Template::new(templates::HEAD),
        &[("group", &*visible::text(group.name)), ("sources", &sources)],
    );
    if probes.iter().all(|probe| probe.name != "span") {
        out.block(&Template::new(templates::SPAN), &[]);
    }
    for (_, enumeration) in enumerations {
        enumeration::write(enumeration, &sources, out);
    }
    let outside = ExternalTracers::new(request.backends);
    functions(&probes, &outside, &sources, out);
    section("mod macros {\n", out, |out| {
        let lazy_macro = Template::new(templates::LAZY_MACRO);
        probes.iter().for_each(|probe| probe.lazy_macro(&lazy_macro, out));
    });
    outside.modules(&probes, request.provider, out);
    section(templates::EVENTS, out, |out| {
        let event = Template::new(templates::EVENT);
        probes.iter().for_each(|probe| probe.event(&event, group.name, out));
    });
    section(templates::GROUP, out, |out| {
        let events: Vec<String> = probes.iter().map(|probe| format!("&events::{}", probe.name)).collect();
        let values = [("group", &*literal::string(group.name)), ("events", &one_each(&events))];
        out.block(&Template::new(templates::REGISTRATION), &values);
    });
    Ok(())
}

/// Writes the functions that programs call.
fn functions(probes: &[Probe<'_>], outside: &ExternalTracers, sources: &str, out: &mut SourceWriter) {
    let live = if outside.is_empty() { templates::FUNCTIONS } else { templates::FUNCTIONS_FOR_OUTSIDE };
    let (live, disabled) = (Template::new(live), Template::new(templates::DISABLED_FUNCTIONS));
    for probe in probes {
        let template = if probe.event.disabled { &disabled } else { &live };
        probe.functions(template, outside, sources, out);
    }
}

/// Writes a module: the opening lines, and the output of `inner`.
fn section(opening: &str, out: &mut SourceWriter, inner: impl FnOnce(&mut SourceWriter)) {
    out.text("\n\n"); // an empty line
    out.text(opening);
    out.indented(inner);
    out.text("}\n");
}
