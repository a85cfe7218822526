//! `ust`: to LTTng-UST.

use super::{Backend, CParts};

const C: CParts = CParts {
    head: r#"
        #include <lttng/tracepoint.h>
        #include "trace-ust-{group}.h"

        /* LTTng-UST before 2.7 does not say whether anybody listens. */
        #ifndef tracepoint_enabled
        #define tracepoint_enabled(provider, event) true
        #endif
    "#,
    is_wanted: "tracepoint_enabled(qemu, {event})",
    call: "
        tracepoint(qemu, {event}{and_arguments});
    ",
    has_own_switch: true,
    ..CParts::NOTHING
};

#[derive(Debug)]
pub(super) struct Ust;

impl Backend for Ust {
    fn name(&self) -> &'static str {
        "ust"
    }

    fn about(&self) -> &'static str {
        "to LTTng-UST"
    }

    fn c(&self) -> &'static CParts {
        &C
    }
}
