//! `ust-events-c`: the source file that defines LTTng-UST's tracepoints.

use ringtrace_events::Diagnostic;

use crate::{Request, SourceWriter, Template};

const SOURCE: &str = r#"
/*
 * LTTng-UST's tracepoints of all groups.
 * {origin}
 */

#include "qemu/osdep.h"

#define TRACEPOINT_DEFINE
#define TRACEPOINT_CREATE_PROBES

/* LTTng includes the header several times and repeats some declarations. */
#pragma GCC diagnostic ignored "-Wredundant-decls"

#include "trace-ust-all.h"
"#;

pub(super) fn generate(request: &Request<'_>, out: &mut SourceWriter) -> Result<(), Vec<Diagnostic>> {
    out.block(&Template::new(SOURCE), &[("origin", &request.group.origin())]);
    Ok(())
}
