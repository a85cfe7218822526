//! `dtrace`: to DTrace, SystemTap and bpftrace, through USDT probes.

use super::{Backend, CParts, ExternalTracer};

const C: CParts = CParts {
    // The header comes from dtrace(1). That its macros take any number of arguments is asked for, and not kept: LTTng's headers ask for it, too.
    head: r#"
        #undef SDT_USE_VARIADIC
        #define SDT_USE_VARIADIC 1
        #include "trace-dtrace-{group}.h"
        #undef SDT_USE_VARIADIC
    "#,
    // Not all dtrace(1) define it, and none does for an event that is `disable`d.
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
};

#[derive(Debug)]
pub(super) struct Dtrace;

impl Backend for Dtrace {
    fn name(&self) -> &'static str {
        "dtrace"
    }

    fn about(&self) -> &'static str {
        "to DTrace, SystemTap and bpftrace, through USDT probes"
    }

    fn c(&self) -> &'static CParts {
        &C
    }

    fn external_tracer(&self) -> Option<&'static ExternalTracer> {
        Some(&IN_RUST)
    }
}

const IN_RUST: ExternalTracer = ExternalTracer {
    module: "usdt",
    head: "",
    item: "
        ::ringtrace::usdt! { provider: {provider}, name: {event}, {name}({parameters}) }
    ",
    is_listening: "usdt::{name}::SEMAPHORE.is_on()",
    asks_far: false,
    fire: "usdt::{name}::fire({arguments})",
};
