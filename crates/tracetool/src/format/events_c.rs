//! `events-c`: the source file that defines all events of a program. QEMU used it from October 2016
//! to January 2017, together with `events-h`.

use ringtrace_events::Diagnostic;

use super::c_group::CGroup;
use crate::{Request, SourceWriter, Template};

const HEAD: &str = r#"
    /*
     * The events of the program. An event's id is its position.
     * {origin}
     */

    #include "qemu/osdep.h"
    #include "trace.h"
    #include "trace/generated-events.h"
    #include "trace/control.h"

    /* Until 8.0, QEMU numbered the events of CPUs. ringtrace does not. */
    #ifdef RINGTRACE_DESCRIBE
    #define VCPU_ID(number)
    #else
    #define VCPU_ID(number) .vcpu_id = number,
    #endif
"#;

const EVENT: &str = r#"

    uint16_t _TRACE_{capitals}_DSTATE;
    TraceEvent _TRACE_{capitals}_EVENT = {
        .id = {id},
        VCPU_ID({vcpu_id})
        .name = "{event}",
        .sstate = TRACE_{capitals}_ENABLED,
        .dstate = &_TRACE_{capitals}_DSTATE,
    };
"#;

const EVENTS: &str = "

    TraceEvent *trace_events[] = {
";

pub(super) fn generate(request: &Request<'_>, out: &mut SourceWriter) -> Result<(), Vec<Diagnostic>> {
    let group = CGroup::new(request)?;
    out.block(&Template::new(HEAD), &[("origin", &group.origin)]);
    let event = Template::new(EVENT);
    let mut vcpu_count = 0;
    for (id, probe) in group.probes.iter().enumerate() {
        let mut vcpu_id = "TRACE_VCPU_EVENT_NONE".to_owned();
        if probe.event().vcpu {
            vcpu_id = vcpu_count.to_string();
            vcpu_count += 1;
        }
        probe.block_with(&event, &[("id", &id.to_string()), ("vcpu_id", &vcpu_id)], out);
    }
    out.text(EVENTS);
    group.list_events(out);
    Ok(())
}
