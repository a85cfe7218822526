//! `dtrace`: to DTrace, SystemTap and bpftrace, through USDT probes.

use super::Backend;

#[derive(Debug)]
pub(super) struct Dtrace;

impl Backend for Dtrace {
    fn name(&self) -> &'static str {
        "dtrace"
    }

    fn about(&self) -> &'static str {
        "to DTrace, SystemTap and bpftrace, through USDT probes"
    }
}
