//! Bursts of events of a group in C, in the shape of those in Rust. Registered, they are events of this program as all others.

#![expect(unsafe_code, reason = "calls C")]

// What the C below needs.
use ringtrace_c as _;

unsafe extern "C" {
    fn ringtrace_bench_register();
    fn ringtrace_bench_two(events: u64);
    fn ringtrace_bench_string(events: u64, text: *const std::ffi::c_char);
    fn ringtrace_bench_off(events: u64);
}

/// Registers the group: events `cost_c_two`, `cost_c_string`, `cost_c_off`.
pub fn register() {
    // SAFETY: it has no other conditions than that its library is there.
    unsafe { ringtrace_bench_register() };
}

/// Two u64.
pub fn two(events: u64) {
    // SAFETY: a loop of probes.
    unsafe { ringtrace_bench_two(events) };
}

/// A string and a u64.
pub fn string(events: u64, text: &std::ffi::CStr) {
    // SAFETY: a loop of probes, and a string.
    unsafe { ringtrace_bench_string(events, text.as_ptr()) };
}

/// A string as C has it, whose length is to be found out each time.
#[derive(Debug, Clone, Copy)]
pub struct Unmeasured(&'static std::ffi::CStr);

impl Unmeasured {
    /// `text`, and nothing known of its length.
    pub const fn new(text: &'static std::ffi::CStr) -> Unmeasured {
        Unmeasured(text)
    }

    /// As a probe in Rust takes it.
    #[inline(always)]
    pub fn measure(self) -> &'static std::ffi::CStr {
        // SAFETY: the address of a string that lives for ever.
        unsafe { std::ffi::CStr::from_ptr(std::hint::black_box(self.0.as_ptr())) }
    }
}

/// An event that is off.
pub fn off(events: u64) {
    // SAFETY: a loop of probes.
    unsafe { ringtrace_bench_off(events) };
}
