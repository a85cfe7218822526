//! Probes for LTTng sessions.

ringtrace::include_trace!("ust");

/// Contains only a probe.
#[inline(never)]
pub fn write(offset: u64, len: i32) {
    trace::ust_write(None::<&u8>, offset, len);
}

/// Contains only a probe, whose argument is expensive to compute.
#[inline(never)]
pub fn write_lazily(f: fn() -> u64) {
    trace::ust_write!(None::<&u8>, f(), 0);
}

/// Contains a probe with a string.
pub fn name(name: Option<&str>) {
    trace::ust_name(name, trace::ust_name_enabled(), 0);
}
