// Probes of the group `types`, generated from types.events. Make changes there.

#[allow(unused_imports)]
use std::ffi::{
    CStr, c_char, c_int, c_long, c_longlong, c_short, c_uint, c_ulong, c_ulonglong, c_ushort,
};
#[allow(unused_imports)]
use util::bindings;

#[allow(dead_code)]
unsafe extern "C" {
    static mut trace_events_enabled_count: u32;
    static mut _TRACE_SIGNED_8_DSTATE: u16;
    fn _simple_trace_signed_8(_a: i8, _b: c_char, _c: c_char);
    static mut _TRACE_SIGNED_16_DSTATE: u16;
    fn _simple_trace_signed_16(_a: i16, _b: c_short, _c: c_short);
    static mut _TRACE_SIGNED_32_DSTATE: u16;
    fn _simple_trace_signed_32(_a: i32, _b: c_int, _c: c_int, _d: c_int);
    static mut _TRACE_SIGNED_64_DSTATE: u16;
    fn _simple_trace_signed_64(_a: i64, _b: c_long, _c: c_longlong, _d: c_long);
    static mut _TRACE_UNSIGNED_8_DSTATE: u16;
    fn _simple_trace_unsigned_8(_a: u8, _b: u8);
    static mut _TRACE_UNSIGNED_16_DSTATE: u16;
    fn _simple_trace_unsigned_16(_a: u16, _b: c_ushort, _c: c_ushort);
    static mut _TRACE_UNSIGNED_32_DSTATE: u16;
    fn _simple_trace_unsigned_32(_a: u32, _b: c_uint, _c: c_uint);
    static mut _TRACE_UNSIGNED_64_DSTATE: u16;
    fn _simple_trace_unsigned_64(_a: u64, _b: c_ulong, _c: c_ulonglong, _d: c_ulong);
    static mut _TRACE_SIZES_DSTATE: u16;
    fn _simple_trace_sizes(_a: usize, _b: isize, _c: usize, _d: isize, _e: usize);
    static mut _TRACE_TRUTH_DSTATE: u16;
    fn _simple_trace_truth(_a: bool);
    static mut _TRACE_POINTERS_DSTATE: u16;
    fn _simple_trace_pointers(
        _a: *mut (),
        _b: *const (),
        _c: *mut (),
        _d: *mut c_int,
        _e: *mut (),
        _f: *mut (),
        _g: *mut u8,
    );
    static mut _TRACE_STRINGS_DSTATE: u16;
    fn _simple_trace_strings(
        _a: *const c_char,
        _b: *mut c_char,
        _c: *const c_char,
        _d: *mut c_char,
    );
}

/// Records the event `signed_8` of types.events:2.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_signed_8(_a: i8, _b: c_char, _c: c_char) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_SIGNED_8_DSTATE != 0 {
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"signed_8 %d %d %d\n".as_ptr(), _a as c_int, _b as c_int, _c as c_int);
            }
            _simple_trace_signed_8(_a, _b, _c);
        }
    }
}

/// Records the event `signed_16` of types.events:3.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_signed_16(_a: i16, _b: c_short, _c: c_short) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_SIGNED_16_DSTATE != 0 {
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"signed_16 %d %d %d\n".as_ptr(), _a as c_int, _b as c_int, _c as c_int);
            }
            _simple_trace_signed_16(_a, _b, _c);
        }
    }
}

/// Records the event `signed_32` of types.events:4.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_signed_32(_a: i32, _b: c_int, _c: c_int, _d: c_int) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_SIGNED_32_DSTATE != 0 {
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"signed_32 %d %d %d %d\n".as_ptr(), _a, _b, _c, _d);
            }
            _simple_trace_signed_32(_a, _b, _c, _d);
        }
    }
}

/// Records the event `signed_64` of types.events:5.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_signed_64(_a: i64, _b: c_long, _c: c_longlong, _d: c_long) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_SIGNED_64_DSTATE != 0 {
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"signed_64 %lld %ld %lld %ld\n".as_ptr(), _a, _b, _c, _d);
            }
            _simple_trace_signed_64(_a, _b, _c, _d);
        }
    }
}

/// Records the event `unsigned_8` of types.events:6.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_unsigned_8(_a: u8, _b: u8) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_UNSIGNED_8_DSTATE != 0 {
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"unsigned_8 %u %u\n".as_ptr(), _a as c_int, _b as c_int);
            }
            _simple_trace_unsigned_8(_a, _b);
        }
    }
}

/// Records the event `unsigned_16` of types.events:7.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_unsigned_16(_a: u16, _b: c_ushort, _c: c_ushort) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_UNSIGNED_16_DSTATE != 0 {
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"unsigned_16 %u %u %u\n".as_ptr(), _a as c_int, _b as c_int, _c as c_int);
            }
            _simple_trace_unsigned_16(_a, _b, _c);
        }
    }
}

/// Records the event `unsigned_32` of types.events:8.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_unsigned_32(_a: u32, _b: c_uint, _c: c_uint) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_UNSIGNED_32_DSTATE != 0 {
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"unsigned_32 %u %u %u\n".as_ptr(), _a, _b, _c);
            }
            _simple_trace_unsigned_32(_a, _b, _c);
        }
    }
}

/// Records the event `unsigned_64` of types.events:9.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_unsigned_64(_a: u64, _b: c_ulong, _c: c_ulonglong, _d: c_ulong) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_UNSIGNED_64_DSTATE != 0 {
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"unsigned_64 %llu %lu %llu %lu\n".as_ptr(), _a, _b, _c, _d);
            }
            _simple_trace_unsigned_64(_a, _b, _c, _d);
        }
    }
}

/// Records the event `sizes` of types.events:10.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_sizes(_a: usize, _b: isize, _c: usize, _d: isize, _e: usize) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_SIZES_DSTATE != 0 {
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"sizes %zu %zd %tu %td %zu\n".as_ptr(), _a, _b, _c, _d, _e);
            }
            _simple_trace_sizes(_a, _b, _c, _d, _e);
        }
    }
}

/// Records the event `truth` of types.events:11.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_truth(_a: bool) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_TRUTH_DSTATE != 0 {
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"truth %d\n".as_ptr(), _a as c_int);
            }
            _simple_trace_truth(_a);
        }
    }
}

/// Records the event `pointers` of types.events:12.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_pointers(
    _a: *mut (),
    _b: *const (),
    _c: *mut (),
    _d: *mut c_int,
    _e: *mut (),
    _f: *mut (),
    _g: *mut u8,
) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_POINTERS_DSTATE != 0 {
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"pointers %p %p %p %p %p %p %p\n".as_ptr(), _a, _b, _c, _d, _e, _f, _g);
            }
            _simple_trace_pointers(_a, _b, _c, _d, _e, _f, _g);
        }
    }
}

/// Records the event `strings` of types.events:13.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_strings(_a: &CStr, _b: *mut c_char, _c: *const c_char, _d: *mut c_char) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_STRINGS_DSTATE != 0 {
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"strings %s %s %s %s\n".as_ptr(), _a.as_ptr(), _b, _c, _d);
            }
            _simple_trace_strings(_a.as_ptr(), _b, _c, _d);
        }
    }
}
