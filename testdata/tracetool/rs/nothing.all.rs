// Probes of the group `nothing`, generated from nothing.events. Make changes there.

#[allow(unused_imports)]
use std::ffi::{
    CStr, c_char, c_int, c_long, c_longlong, c_short, c_uint, c_ulong, c_ulonglong, c_ushort,
};
#[allow(unused_imports)]
use util::bindings;

#[allow(dead_code)]
unsafe extern "C" {
    static mut trace_events_enabled_count: u32;
}

// Calls `bindings::ftrace_write(...)`, or the C function if there is no binding.
#[allow(unused_macros)]
macro_rules! ftrace_write {
    ($($arguments:tt)+) => {{
        let write = {
            #[allow(unused_imports)]
            use util::bindings::*;
            ftrace_write
        };
        write($($arguments)+)
    }};
}

#[allow(dead_code)]
unsafe extern "C" {
    fn ftrace_write(format: *const c_char, ...);
}
