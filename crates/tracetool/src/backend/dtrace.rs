//! `dtrace`: USDT probes for DTrace, SystemTap and bpftrace.

use super::{Backend, CParts, ExternalTracer};

pub(super) static DTRACE: Backend = Backend {
    name: "dtrace",
    about: "DTrace, SystemTap and bpftrace, through USDT probes",
    c: CParts {
        // dtrace(1) generates the header. Its macros accept any number of arguments only if
        // SDT_USE_VARIADIC is defined. It is undefined again afterwards, because LTTng's headers
        // define it too.
        head: r#"
        #undef SDT_USE_VARIADIC
        #define SDT_USE_VARIADIC 1
        #include "trace-dtrace-{group}.h"
        #undef SDT_USE_VARIADIC
    "#,
        // Some versions of dtrace(1) do not define this macro, and no version defines it for
        // `disable`d events.
        declaration: "
        #ifndef QEMU_{usdt_capitals}_ENABLED
        #define QEMU_{usdt_capitals}_ENABLED() true
        #endif
    ",
        is_wanted: "QEMU_{usdt_capitals}_ENABLED()",
        call: "
        QEMU_{usdt_capitals}({arguments});
    ",
        has_own_switch: true,
        ..CParts::NOTHING
    },
    external_tracer: Some(ExternalTracer {
        module: "usdt",
        head: "",
        item: "
        ::ringtrace::usdt! { provider: {provider}, name: {event}, {name}({parameters}) }
    ",
        is_listening: "usdt::{name}::SEMAPHORE.is_on()",
        reads_other_object: false,
        fire: "usdt::{name}::fire({arguments})",
    }),
    ..Backend::NOTHING
};
