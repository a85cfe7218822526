//! Bursts of events that are declared in C, with the same arguments as the events in Rust.

#![expect(unsafe_code, reason = "calls C")]

// The C code calls functions of this crate, so it must be linked.
use ringtrace_c as _;

unsafe extern "C" {
    fn ringtrace_bench_register();
    fn ringtrace_bench_two(events: u64);
    fn ringtrace_bench_string(events: u64, text: *const std::ffi::c_char);
    fn ringtrace_bench_off(events: u64);
}

/// Registers the group of the events `cost_c_two`, `cost_c_string`, `cost_c_off`.
pub fn register() {
    // SAFETY: the function has no preconditions.
    unsafe { ringtrace_bench_register() };
}

/// Emits events with two u64.
pub fn two(events: u64) {
    // SAFETY: the function only calls a probe in a loop, and has no preconditions.
    unsafe { ringtrace_bench_two(events) };
}

/// Emits events with a string and a u64.
pub fn string(events: u64, text: &std::ffi::CStr) {
    // SAFETY: the function only calls a probe in a loop, and `text` is a valid C string.
    unsafe { ringtrace_bench_string(events, text.as_ptr()) };
}

/// A C string whose length must be computed each time.
#[derive(Debug, Clone, Copy)]
pub struct Unmeasured(&'static std::ffi::CStr);

impl Unmeasured {
    /// Hides the length of `text` from the compiler.
    pub const fn new(text: &'static std::ffi::CStr) -> Unmeasured {
        Unmeasured(text)
    }

    /// Returns the string in the form that a Rust probe accepts.
    #[inline(always)]
    pub fn measure(self) -> &'static std::ffi::CStr {
        // SAFETY: the pointer is the address of a static C string.
        unsafe { std::ffi::CStr::from_ptr(std::hint::black_box(self.0.as_ptr())) }
    }
}

/// Calls probes of a disabled event.
pub fn off(events: u64) {
    // SAFETY: the function only calls a probe in a loop, and has no preconditions.
    unsafe { ringtrace_bench_off(events) };
}
