//! `events-h`: the header that declares all events of a program. QEMU used it from October 2016 to
//! January 2017.
//!
//! The format has existed since 2013. At first it consisted of an enum of ids and a table of events.
//! This module generates the last version, because current probes need objects that the table did
//! not contain. The output still contains the enum, for code that uses ids.

use ringtrace_events::Diagnostic;

use super::c_group::{CGroup, Declarations};
use crate::{Request, SourceWriter, Template};

const HEAD: &str = r#"
    /*
     * The events of the program.
     * {origin}
     */

    #ifndef TRACE__GENERATED_EVENTS_H
    #define TRACE__GENERATED_EVENTS_H

    #include "trace/event-internal.h"

    /* Number of events with a state for each CPU. */
    #define TRACE_VCPU_EVENT_COUNT {vcpu_count}

    /* An event's id is its position. */
    typedef enum TraceEventID {
"#;

const END_OF_IDS: &str = "
        TRACE_EVENT_COUNT
    } TraceEventID;
";

const FOOT: &str = "

    #endif /* TRACE__GENERATED_EVENTS_H */
";

pub(super) fn generate(request: &Request<'_>, out: &mut SourceWriter) -> Result<(), Vec<Diagnostic>> {
    let group = CGroup::new(request)?;
    let vcpu_count = group.probes.iter().filter(|probe| probe.event().vcpu).count();
    let head = [("origin", &*group.origin), ("vcpu_count", &vcpu_count.to_string())];
    out.block(&Template::new(HEAD), &head);
    let id = Template::new("TRACE_{capitals},\n");
    out.indented(|out| group.probes.iter().for_each(|probe| probe.block(&id, out)));
    out.text(END_OF_IDS);
    let declarations = Declarations::new();
    group.probes.iter().for_each(|probe| declarations.write(probe, out));
    out.text(FOOT);
    Ok(())
}
