//! Probes for external tracers.

ringtrace::include_trace!("usdt");

/// Contains only a probe.
#[inline(never)]
pub fn write(offset: u64, len: i32) {
    trace::usdt_write(None::<&u8>, offset, len);
}

/// Contains only a probe, whose argument is expensive to compute.
#[inline(never)]
pub fn write_lazily(f: fn() -> u64) {
    trace::usdt_write!(None::<&u8>, f(), 0);
}

/// Contains only a probe of an event that is declared with `disable`.
#[inline(never)]
pub fn poll() {
    trace::usdt_poll(None::<&u8>);
}

/// Contains a probe with a string.
pub fn name(name: Option<&str>) {
    trace::usdt_name(name, trace::usdt_name_enabled());
}
