//! Probes for external tracers.

ringtrace::include_trace!("usdt");

/// Only a probe.
#[inline(never)]
pub fn write(offset: u64, len: i32) {
    trace::usdt_write(None::<&u8>, offset, len);
}

/// Only a probe, whose argument is expensive.
#[inline(never)]
pub fn write_lazily(f: fn() -> u64) {
    trace::usdt_write!(None::<&u8>, f(), 0);
}

/// Only a probe that is declared with `disable`.
#[inline(never)]
pub fn poll() {
    trace::usdt_poll(None::<&u8>);
}

/// A probe with a string.
pub fn name(name: Option<&str>) {
    trace::usdt_name(name, trace::usdt_name_enabled());
}
