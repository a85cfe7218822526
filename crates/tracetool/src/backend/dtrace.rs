//! `dtrace`: to DTrace, SystemTap and bpftrace, through USDT probes.

use super::{Backend, OutsideTracer};

#[derive(Debug)]
pub(super) struct Dtrace;

impl Backend for Dtrace {
    fn name(&self) -> &'static str {
        "dtrace"
    }

    fn about(&self) -> &'static str {
        "to DTrace, SystemTap and bpftrace, through USDT probes"
    }
    fn outside_tracer(&self) -> Option<&'static OutsideTracer> {
        Some(&IN_RUST)
    }
}

const IN_RUST: OutsideTracer = OutsideTracer {
    module: "usdt",
    item: "
        ::ringtrace::usdt! { provider: {provider}, name: {event}, {name}({parameters}) }
    ",
    is_listening: "usdt::{name}::SEMAPHORE.is_on()",
    fire: "usdt::{name}::fire({arguments})",
};
