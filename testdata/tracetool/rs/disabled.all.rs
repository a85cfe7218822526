// Probes of the group `disabled`, generated from disabled.events. Make changes there.

#[allow(unused_imports)]
use std::ffi::{
    CStr, c_char, c_int, c_long, c_longlong, c_short, c_uint, c_ulong, c_ulonglong, c_ushort,
};
#[allow(unused_imports)]
use util::bindings;

#[allow(dead_code)]
unsafe extern "C" {
    static mut trace_events_enabled_count: u32;
    static mut _TRACE_NEVER_DSTATE: u16;
    static mut _TRACE_NEVER_EITHER_DSTATE: u16;
    static mut _TRACE_MATCH_DSTATE: u16;
    static mut _TRACE_BETWEEN_DSTATE: u16;
    fn _simple_trace_between(_x: c_int);
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

/// Does nothing: the event `never` of disabled.events:2 is disabled.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_never(_x: c_int, _name: &CStr, _p: *mut ()) {}

/// Does nothing: the event `never_either` of disabled.events:3 is disabled.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_never_either() {}

/// Does nothing: the event `match` of disabled.events:4 is disabled.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_match(_type: c_int) {}

/// Records the event `between` of disabled.events:5.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_between(_x: c_int) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_BETWEEN_DSTATE != 0 {
            ftrace_write!(c"between x=%d\n".as_ptr(), _x);
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"between x=%d\n".as_ptr(), _x);
            }
            _simple_trace_between(_x);
            ::trace::syslog(::trace::LOG_INFO, c"between x=%d".as_ptr(), _x);
        }
    }
}
