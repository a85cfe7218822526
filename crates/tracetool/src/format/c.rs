//! `c`: the source file that defines a group's events and the functions of backends.

use ringtrace_events::Diagnostic;

use super::c_group::{CGroup, END_OF_ARRAY};
use crate::probe::{comment, string};
use crate::{Request, SourceWriter, Template};

const HEAD: &str = r#"
    /*
     * The events of the group {group}.
     * {origin}
     */

    #include "qemu/osdep.h"
    #include "qemu/module.h"
    #include "trace-{file}.h"
"#;

const EVENT: &str = r#"

    uint16_t _TRACE_{capitals}_DSTATE;
    TraceEvent _TRACE_{capitals}_EVENT = {
        .id = 0,
        .name = "{event}",
        .sstate = TRACE_{capitals}_ENABLED,
        .dstate = &_TRACE_{capitals}_DSTATE,
    };
"#;

const EVENTS: &str = "

    TraceEvent *{group}_trace_events[] = {
";

/// Descriptions of the events for ringtrace's own headers. They make traces readable without the
/// declarations file.
const DESCRIPTION: &str = "

    #ifdef RINGTRACE_DESCRIBE
    static const char *const {group}_trace_declarations[] = {
";

const END_OF_DESCRIPTION: &str = "
    RINGTRACE_DESCRIBE({group}, {name}, {backends})
    #endif
";

const REGISTRATION: &str = "

    static void trace_{group}_register_events(void)
    {
        trace_event_register_group({group}_trace_events);
    }
    trace_init(trace_{group}_register_events)
";

pub(super) fn generate(request: &Request<'_>, out: &mut SourceWriter) -> Result<(), Vec<Diagnostic>> {
    let group = CGroup::new(request)?;
    let head = [("group", &*comment(group.name)), ("origin", &group.origin), ("file", group.name)];
    out.block(&Template::new(HEAD), &head);
    let event = Template::new(EVENT);
    group.probes.iter().for_each(|probe| probe.block(&event, out));
    out.block(&Template::new(EVENTS), &[("group", &group.word)]);
    group.list_events(out);
    describe(&group, out);
    out.block(&Template::new(REGISTRATION), &[("group", &group.word)]);
    for backend in request.backends {
        let parts = &backend.c;
        out.text(parts.source_head);
        let definition = Template::new(parts.definition);
        for probe in group.probes.iter().filter(|probe| !probe.event().disabled) {
            let values = (parts.definition_values)(probe);
            let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, &**value)).collect();
            probe.block_with(&definition, &values, out);
        }
    }
    Ok(())
}

/// Writes the declarations unchanged, in the order of the events.
fn describe(group: &CGroup<'_>, out: &mut SourceWriter) {
    out.block(&Template::new(DESCRIPTION), &[("group", &group.word)]);
    let item = Template::new("{declaration},\n");
    out.indented(|out| {
        for probe in &group.probes {
            out.block(&item, &[("declaration", &string(&probe.event().whole_declaration()))]);
        }
    });
    out.text(END_OF_ARRAY);
    let backends: Vec<&str> = group.request.backends.iter().map(|backend| backend.name).collect();
    let values =
        [("group", &*group.word), ("name", &string(group.name)), ("backends", &string(&backends.join(",")))];
    out.block(&Template::new(END_OF_DESCRIPTION), &values);
}
