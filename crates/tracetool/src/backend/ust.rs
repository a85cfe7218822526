//! `ust`: to LTTng-UST.

use super::{Backend, CParts, ExternalTracer};

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

    fn external_tracer(&self) -> Option<&'static ExternalTracer> {
        Some(&IN_RUST)
    }
}

/// LTTng speaks C: [`Builder`](crate::Builder) writes and compiles the other side (`build/ust`), whose symbols are named here.
/// They are joined as LTTng joins its own: where two of ours are the same, two of LTTng's are.
const IN_RUST: ExternalTracer = ExternalTracer {
    module: "ust",
    head: r#"
        ::ringtrace::ust_library! { "ringtrace_ust_{word}" }
    "#,
    item: r#"
        ::ringtrace::ust! {
            state: "ringtrace_ust_state_{word}___{event_name}",
            fire: "ringtrace_ust_fire_{word}___{event_name}",
            {name}({parameters})
        }
    "#,
    is_listening: "ust::{name}::is_on()",
    asks_far: true,
    fire: "ust::{name}::fire({arguments})",
};
