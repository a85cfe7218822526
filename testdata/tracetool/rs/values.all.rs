// Probes of the group `values`, generated from values.events. Make changes there.

#[allow(unused_imports)]
use std::ffi::{
    CStr, c_char, c_int, c_long, c_longlong, c_short, c_uint, c_ulong, c_ulonglong, c_ushort,
};
#[allow(unused_imports)]
use util::bindings;

#[allow(dead_code)]
unsafe extern "C" {
    static mut trace_events_enabled_count: u32;
    static mut _TRACE_NOTHING_DSTATE: u16;
    fn _simple_trace_nothing();
    static mut _TRACE_SIGNED_LEAST_DSTATE: u16;
    fn _simple_trace_signed_least(
        _a: i8,
        _b: i16,
        _c: i32,
        _d: i64,
        _e: c_char,
        _f: c_short,
        _g: c_int,
        _h: c_long,
        _i: c_longlong,
    );
    static mut _TRACE_SIGNED_MOST_DSTATE: u16;
    fn _simple_trace_signed_most(
        _a: i8,
        _b: i16,
        _c: i32,
        _d: i64,
        _e: c_char,
        _f: c_short,
        _g: c_int,
        _h: c_long,
        _i: c_longlong,
    );
    static mut _TRACE_SIGNED_MINUS_DSTATE: u16;
    fn _simple_trace_signed_minus(
        _a: i8,
        _b: i16,
        _c: i32,
        _d: i64,
        _e: c_char,
        _f: c_short,
        _g: c_int,
        _h: c_long,
        _i: c_longlong,
    );
    static mut _TRACE_UNSIGNED_MOST_DSTATE: u16;
    fn _simple_trace_unsigned_most(
        _a: u8,
        _b: u16,
        _c: u32,
        _d: u64,
        _e: u8,
        _f: c_ushort,
        _g: c_uint,
        _h: c_ulong,
        _i: c_ulonglong,
    );
    static mut _TRACE_EXTENTS_DSTATE: u16;
    fn _simple_trace_extents(_a: usize, _b: isize, _c: usize, _d: isize);
    static mut _TRACE_TRUTHS_DSTATE: u16;
    fn _simple_trace_truths(_yes: bool, _no: bool);
    static mut _TRACE_ADDRESSES_DSTATE: u16;
    fn _simple_trace_addresses(_null: *mut (), _top: *const (), _deep: *mut (), _names: *mut ());
    static mut _TRACE_TEXTS_DSTATE: u16;
    fn _simple_trace_texts(
        _a: *const c_char,
        _b: *const c_char,
        _c: *mut c_char,
        _empty: *const c_char,
    );
    static mut _TRACE_NULL_TEXTS_DSTATE: u16;
    fn _simple_trace_null_texts(_a: *const c_char, _b: *mut c_char);
    static mut _TRACE_LONG_TEXT_DSTATE: u16;
    fn _simple_trace_long_text(_s: *const c_char);
    static mut _TRACE_INTTYPES_DSTATE: u16;
    fn _simple_trace_inttypes(_a: i8, _b: i16, _c: i32, _d: i64, _e: usize, _f: u64);
    static mut _TRACE_CUT_DSTATE: u16;
    fn _simple_trace_cut(_x: c_int);
    static mut _TRACE_ODD_DSTATE: u16;
    fn _simple_trace_odd(_x: c_int);
    static mut _TRACE_WITHOUT_FORMAT_DSTATE: u16;
    fn _simple_trace_without_format(_x: c_int);
    static mut _TRACE_EXIT_DSTATE: u16;
    fn _simple_trace_exit(_exit: c_int, _fn: c_int);
    static mut _TRACE_ABSENT_DSTATE: u16;
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

/// Records the event `nothing` of values.events:2.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_nothing() {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_NOTHING_DSTATE != 0 {
            ftrace_write!(c"nothing happened\n".as_ptr());
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"nothing happened\n".as_ptr());
            }
            _simple_trace_nothing();
            ::trace::syslog(::trace::LOG_INFO, c"nothing happened".as_ptr());
        }
    }
}

/// Records the event `signed_least` of values.events:3.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_signed_least(
    _a: i8,
    _b: i16,
    _c: i32,
    _d: i64,
    _e: c_char,
    _f: c_short,
    _g: c_int,
    _h: c_long,
    _i: c_longlong,
) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_SIGNED_LEAST_DSTATE != 0 {
            ftrace_write!(c"signed_least %d %d %d %lld %d %d %d %ld %lld\n".as_ptr(), _a as c_int, _b as c_int, _c, _d, _e as c_int, _f as c_int, _g, _h, _i);
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"signed_least %d %d %d %lld %d %d %d %ld %lld\n".as_ptr(), _a as c_int, _b as c_int, _c, _d, _e as c_int, _f as c_int, _g, _h, _i);
            }
            _simple_trace_signed_least(_a, _b, _c, _d, _e, _f, _g, _h, _i);
            ::trace::syslog(::trace::LOG_INFO, c"signed_least %d %d %d %lld %d %d %d %ld %lld".as_ptr(), _a as c_int, _b as c_int, _c, _d, _e as c_int, _f as c_int, _g, _h, _i);
        }
    }
}

/// Records the event `signed_most` of values.events:4.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_signed_most(
    _a: i8,
    _b: i16,
    _c: i32,
    _d: i64,
    _e: c_char,
    _f: c_short,
    _g: c_int,
    _h: c_long,
    _i: c_longlong,
) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_SIGNED_MOST_DSTATE != 0 {
            ftrace_write!(c"signed_most %d %d %d %lld %d %d %d %ld %lld\n".as_ptr(), _a as c_int, _b as c_int, _c, _d, _e as c_int, _f as c_int, _g, _h, _i);
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"signed_most %d %d %d %lld %d %d %d %ld %lld\n".as_ptr(), _a as c_int, _b as c_int, _c, _d, _e as c_int, _f as c_int, _g, _h, _i);
            }
            _simple_trace_signed_most(_a, _b, _c, _d, _e, _f, _g, _h, _i);
            ::trace::syslog(::trace::LOG_INFO, c"signed_most %d %d %d %lld %d %d %d %ld %lld".as_ptr(), _a as c_int, _b as c_int, _c, _d, _e as c_int, _f as c_int, _g, _h, _i);
        }
    }
}

/// Records the event `signed_minus` of values.events:5.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_signed_minus(
    _a: i8,
    _b: i16,
    _c: i32,
    _d: i64,
    _e: c_char,
    _f: c_short,
    _g: c_int,
    _h: c_long,
    _i: c_longlong,
) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_SIGNED_MINUS_DSTATE != 0 {
            ftrace_write!(c"signed_minus %hhx %hx %x %llx %hhx %hx %x %lx %llx\n".as_ptr(), _a as c_int, _b as c_int, _c, _d, _e as c_int, _f as c_int, _g, _h, _i);
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"signed_minus %hhx %hx %x %llx %hhx %hx %x %lx %llx\n".as_ptr(), _a as c_int, _b as c_int, _c, _d, _e as c_int, _f as c_int, _g, _h, _i);
            }
            _simple_trace_signed_minus(_a, _b, _c, _d, _e, _f, _g, _h, _i);
            ::trace::syslog(::trace::LOG_INFO, c"signed_minus %hhx %hx %x %llx %hhx %hx %x %lx %llx".as_ptr(), _a as c_int, _b as c_int, _c, _d, _e as c_int, _f as c_int, _g, _h, _i);
        }
    }
}

/// Records the event `unsigned_most` of values.events:6.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_unsigned_most(
    _a: u8,
    _b: u16,
    _c: u32,
    _d: u64,
    _e: u8,
    _f: c_ushort,
    _g: c_uint,
    _h: c_ulong,
    _i: c_ulonglong,
) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_UNSIGNED_MOST_DSTATE != 0 {
            ftrace_write!(c"unsigned_most %u %u %u %llu %u %u %u %lu %llu\n".as_ptr(), _a as c_int, _b as c_int, _c, _d, _e as c_int, _f as c_int, _g, _h, _i);
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"unsigned_most %u %u %u %llu %u %u %u %lu %llu\n".as_ptr(), _a as c_int, _b as c_int, _c, _d, _e as c_int, _f as c_int, _g, _h, _i);
            }
            _simple_trace_unsigned_most(_a, _b, _c, _d, _e, _f, _g, _h, _i);
            ::trace::syslog(::trace::LOG_INFO, c"unsigned_most %u %u %u %llu %u %u %u %lu %llu".as_ptr(), _a as c_int, _b as c_int, _c, _d, _e as c_int, _f as c_int, _g, _h, _i);
        }
    }
}

/// Records the event `extents` of values.events:7.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_extents(_a: usize, _b: isize, _c: usize, _d: isize) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_EXTENTS_DSTATE != 0 {
            ftrace_write!(c"extents %zu %zd %tu %td\n".as_ptr(), _a, _b, _c, _d);
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"extents %zu %zd %tu %td\n".as_ptr(), _a, _b, _c, _d);
            }
            _simple_trace_extents(_a, _b, _c, _d);
            ::trace::syslog(::trace::LOG_INFO, c"extents %zu %zd %tu %td".as_ptr(), _a, _b, _c, _d);
        }
    }
}

/// Records the event `truths` of values.events:8.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_truths(_yes: bool, _no: bool) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_TRUTHS_DSTATE != 0 {
            ftrace_write!(c"truths %d %d\n".as_ptr(), _yes as c_int, _no as c_int);
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"truths %d %d\n".as_ptr(), _yes as c_int, _no as c_int);
            }
            _simple_trace_truths(_yes, _no);
            ::trace::syslog(::trace::LOG_INFO, c"truths %d %d".as_ptr(), _yes as c_int, _no as c_int);
        }
    }
}

/// Records the event `addresses` of values.events:9.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_addresses(_null: *mut (), _top: *const (), _deep: *mut (), _names: *mut ()) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_ADDRESSES_DSTATE != 0 {
            ftrace_write!(c"addresses %p %p %p %p\n".as_ptr(), _null, _top, _deep, _names);
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"addresses %p %p %p %p\n".as_ptr(), _null, _top, _deep, _names);
            }
            _simple_trace_addresses(_null, _top, _deep, _names);
            ::trace::syslog(::trace::LOG_INFO, c"addresses %p %p %p %p".as_ptr(), _null, _top, _deep, _names);
        }
    }
}

/// Records the event `texts` of values.events:10.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_texts(_a: &CStr, _b: *const c_char, _c: *mut c_char, _empty: &CStr) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_TEXTS_DSTATE != 0 {
            ftrace_write!(c"texts '%s' '%s' '%s' '%s'\n".as_ptr(), _a.as_ptr(), _b, _c, _empty.as_ptr());
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"texts '%s' '%s' '%s' '%s'\n".as_ptr(), _a.as_ptr(), _b, _c, _empty.as_ptr());
            }
            _simple_trace_texts(_a.as_ptr(), _b, _c, _empty.as_ptr());
            ::trace::syslog(::trace::LOG_INFO, c"texts '%s' '%s' '%s' '%s'".as_ptr(), _a.as_ptr(), _b, _c, _empty.as_ptr());
        }
    }
}

/// Records the event `null_texts` of values.events:11.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_null_texts(_a: *const c_char, _b: *mut c_char) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_NULL_TEXTS_DSTATE != 0 {
            ftrace_write!(c"null_texts '%s' '%s'\n".as_ptr(), _a, _b);
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"null_texts '%s' '%s'\n".as_ptr(), _a, _b);
            }
            _simple_trace_null_texts(_a, _b);
            ::trace::syslog(::trace::LOG_INFO, c"null_texts '%s' '%s'".as_ptr(), _a, _b);
        }
    }
}

/// Records the event `long_text` of values.events:12.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_long_text(_s: &CStr) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_LONG_TEXT_DSTATE != 0 {
            ftrace_write!(c"long_text '%s'\n".as_ptr(), _s.as_ptr());
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"long_text '%s'\n".as_ptr(), _s.as_ptr());
            }
            _simple_trace_long_text(_s.as_ptr());
            ::trace::syslog(::trace::LOG_INFO, c"long_text '%s'".as_ptr(), _s.as_ptr());
        }
    }
}

/// Records the event `inttypes` of values.events:13.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_inttypes(_a: i8, _b: i16, _c: i32, _d: i64, _e: usize, _f: u64) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_INTTYPES_DSTATE != 0 {
            ftrace_write!(c"inttypes %hhx %04hX %i%llo %tx %ju%%\n".as_ptr(), _a as c_int, _b as c_int, _c, _d, _e, _f);
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"inttypes %hhx %04hX %i%llo %tx %ju%%\n".as_ptr(), _a as c_int, _b as c_int, _c, _d, _e, _f);
            }
            _simple_trace_inttypes(_a, _b, _c, _d, _e, _f);
            ::trace::syslog(::trace::LOG_INFO, c"inttypes %hhx %04hX %i%llo %tx %ju%%".as_ptr(), _a as c_int, _b as c_int, _c, _d, _e, _f);
        }
    }
}

/// Records the event `cut` of values.events:14.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_cut(_x: c_int) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_CUT_DSTATE != 0 {
            ftrace_write!(c"cut x=%d\n".as_ptr(), _x);
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"cut x=%d\n".as_ptr(), _x);
            }
            _simple_trace_cut(_x);
            ::trace::syslog(::trace::LOG_INFO, c"cut x=%d".as_ptr(), _x);
        }
    }
}

/// Records the event `odd` of values.events:15.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_odd(_x: c_int) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_ODD_DSTATE != 0 {
            ftrace_write!(c"odd \x07\x08\x0c\r\t\"\\A\xff größe\u{2192} {x} %d\n".as_ptr(), _x);
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"odd \x07\x08\x0c\r\t\"\\A\xff größe\u{2192} {x} %d\n".as_ptr(), _x);
            }
            _simple_trace_odd(_x);
            ::trace::syslog(::trace::LOG_INFO, c"odd \x07\x08\x0c\r\t\"\\A\xff größe\u{2192} {x} %d".as_ptr(), _x);
        }
    }
}

/// Records the event `without_format` of values.events:16.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_without_format(_x: c_int) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_WITHOUT_FORMAT_DSTATE != 0 {
            ftrace_write!(c"without_format \n".as_ptr(), _x);
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"without_format \n".as_ptr(), _x);
            }
            _simple_trace_without_format(_x);
            ::trace::syslog(::trace::LOG_INFO, c"without_format ".as_ptr(), _x);
        }
    }
}

/// Records the event `exit` of values.events:17.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_exit(_exit: c_int, _fn: c_int) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_EXIT_DSTATE != 0 {
            ftrace_write!(c"exit %d %d\n".as_ptr(), _exit, _fn);
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log(c"exit %d %d\n".as_ptr(), _exit, _fn);
            }
            _simple_trace_exit(_exit, _fn);
            ::trace::syslog(::trace::LOG_INFO, c"exit %d %d".as_ptr(), _exit, _fn);
        }
    }
}

/// Does nothing: the event `absent` of values.events:18 is disabled.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_absent(_x: c_int) {}
