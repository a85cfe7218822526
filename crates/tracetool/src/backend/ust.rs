//! `ust`: LTTng-UST.

use super::{Backend, CParts, ExternalTracer};

pub(super) static UST: Backend = Backend {
    name: "ust",
    about: "LTTng-UST",
    c: CParts {
        head: r#"
        #include <lttng/tracepoint.h>
        #include "trace-ust-{group}.h"

        /* LTTng-UST before 2.7 cannot test whether a tracepoint is on. */
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
    },
    // LTTng is a C library. [`Builder`](crate::Builder) writes and compiles C code (see
    // `build/ust`) that defines these symbols. They follow LTTng's own naming, so two of them clash
    // only if the corresponding LTTng symbols clash.
    external_tracer: Some(ExternalTracer {
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
        reads_other_object: true,
        fire: "ust::{name}::fire({arguments})",
    }),
    ..Backend::NOTHING
};
