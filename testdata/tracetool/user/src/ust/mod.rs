//! Probes for LTTng sessions.

ringtrace::include_trace!("ust");

/// Only a probe.
#[inline(never)]
pub fn write(offset: u64, len: i32) {
    trace::ust_write(None::<&u8>, offset, len);
}

/// Only a probe, whose argument is expensive.
#[inline(never)]
pub fn write_lazily(f: fn() -> u64) {
    trace::ust_write!(None::<&u8>, f(), 0);
}

/// A probe with a string.
pub fn name(name: Option<&str>) {
    trace::ust_name(name, trace::ust_name_enabled(), 0);
}
