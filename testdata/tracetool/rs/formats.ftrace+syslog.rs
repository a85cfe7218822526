// Probes of the group `formats`, generated from formats.events. Make changes there.

#[allow(unused_imports)]
use std::ffi::{
    CStr, c_char, c_int, c_long, c_longlong, c_short, c_uint, c_ulong, c_ulonglong, c_ushort,
};
#[allow(unused_imports)]
use util::bindings;

#[allow(dead_code)]
unsafe extern "C" {
    static mut trace_events_enabled_count: u32;
    static mut _TRACE_WITHOUT_DSTATE: u16;
    static mut _TRACE_EMPTY_DSTATE: u16;
    static mut _TRACE_MACROS_ONLY_DSTATE: u16;
    static mut _TRACE_NO_BLANKS_DSTATE: u16;
    static mut _TRACE_QUOTED_DSTATE: u16;
    static mut _TRACE_HASHES_DSTATE: u16;
    static mut _TRACE_BACKSLASH_DSTATE: u16;
    static mut _TRACE_ESCAPES_DSTATE: u16;
    static mut _TRACE_BACKTICKS_DSTATE: u16;
    static mut _TRACE_PERCENT_DSTATE: u16;
    static mut _TRACE_LETTERS_DSTATE: u16;
    static mut _TRACE_SIGNS_DSTATE: u16;
    static mut _TRACE_BRACES_DSTATE: u16;
    static mut _TRACE_TABS_DSTATE: u16;
    static mut _TRACE_WIDTH_DSTATE: u16;
    static mut _TRACE_IGNORED_DSTATE: u16;
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

/// Records the event `without` of formats.events:2.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_without(_x: c_int) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_WITHOUT_DSTATE != 0 {
            ftrace_write!(c"without \n".as_ptr(), _x);
            ::trace::syslog(::trace::LOG_INFO, c"without ".as_ptr(), _x);
        }
    }
}

/// Records the event `empty` of formats.events:3.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_empty(_x: c_int) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_EMPTY_DSTATE != 0 {
            ftrace_write!(c"empty \n".as_ptr(), _x);
            ::trace::syslog(::trace::LOG_INFO, c"empty ".as_ptr(), _x);
        }
    }
}

/// Records the event `macros_only` of formats.events:4.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_macros_only(_x: u64) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_MACROS_ONLY_DSTATE != 0 {
            ftrace_write!(c"macros_only %llx\n".as_ptr(), _x);
            ::trace::syslog(::trace::LOG_INFO, c"macros_only %llx".as_ptr(), _x);
        }
    }
}

/// Records the event `no_blanks` of formats.events:5.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_no_blanks(_x: u64, _y: c_int) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_NO_BLANKS_DSTATE != 0 {
            ftrace_write!(c"no_blanks %llu%d\n".as_ptr(), _x, _y);
            ::trace::syslog(::trace::LOG_INFO, c"no_blanks %llu%d".as_ptr(), _x, _y);
        }
    }
}

/// Records the event `quoted` of formats.events:6.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_quoted(_s: &CStr) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_QUOTED_DSTATE != 0 {
            ftrace_write!(c"quoted say \"%s\"#\n".as_ptr(), _s.as_ptr());
            ::trace::syslog(::trace::LOG_INFO, c"quoted say \"%s\"#".as_ptr(), _s.as_ptr());
        }
    }
}

/// Records the event `hashes` of formats.events:7.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_hashes(_s: &CStr) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_HASHES_DSTATE != 0 {
            ftrace_write!(c"hashes r\"#%s\"##\n".as_ptr(), _s.as_ptr());
            ::trace::syslog(::trace::LOG_INFO, c"hashes r\"#%s\"##".as_ptr(), _s.as_ptr());
        }
    }
}

/// Records the event `backslash` of formats.events:8.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_backslash(_x: c_int) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_BACKSLASH_DSTATE != 0 {
            ftrace_write!(c"backslash c:\\%d\\\n".as_ptr(), _x);
            ::trace::syslog(::trace::LOG_INFO, c"backslash c:\\%d\\".as_ptr(), _x);
        }
    }
}

/// Records the event `escapes` of formats.events:9.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_escapes(_x: c_int) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_ESCAPES_DSTATE != 0 {
            ftrace_write!(c"escapes \x07\x08\x0c\r\tA %d\n".as_ptr(), _x);
            ::trace::syslog(::trace::LOG_INFO, c"escapes \x07\x08\x0c\r\tA %d".as_ptr(), _x);
        }
    }
}

/// Records the event `backticks` of formats.events:10.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_backticks(_x: c_int) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_BACKTICKS_DSTATE != 0 {
            ftrace_write!(c"backticks `%d` ``` ~~~ */ /* // //! {x} {name} {declaration} $x <b>&amp; [link](x)\n".as_ptr(), _x);
            ::trace::syslog(::trace::LOG_INFO, c"backticks `%d` ``` ~~~ */ /* // //! {x} {name} {declaration} $x <b>&amp; [link](x)".as_ptr(), _x);
        }
    }
}

/// Records the event `percent` of formats.events:11.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_percent(_x: c_int) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_PERCENT_DSTATE != 0 {
            ftrace_write!(c"percent %d%% done\n".as_ptr(), _x);
            ::trace::syslog(::trace::LOG_INFO, c"percent %d%% done".as_ptr(), _x);
        }
    }
}

/// Records the event `letters` of formats.events:12.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_letters(_x: c_int) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_LETTERS_DSTATE != 0 {
            ftrace_write!(c"letters größe=%d 日本\n".as_ptr(), _x);
            ::trace::syslog(::trace::LOG_INFO, c"letters größe=%d 日本".as_ptr(), _x);
        }
    }
}

/// Records the event `signs` of formats.events:13.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_signs(_x: c_int) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_SIGNS_DSTATE != 0 {
            ftrace_write!(c"signs \u{2192} %d\u{2026} \u{202e} \u{200b}\n".as_ptr(), _x);
            ::trace::syslog(::trace::LOG_INFO, c"signs \u{2192} %d\u{2026} \u{202e} \u{200b}".as_ptr(), _x);
        }
    }
}

/// Records the event `braces` of formats.events:14.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_braces(_x: c_int) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_BRACES_DSTATE != 0 {
            ftrace_write!(c"braces {}{{x}} %d\n".as_ptr(), _x);
            ::trace::syslog(::trace::LOG_INFO, c"braces {}{{x}} %d".as_ptr(), _x);
        }
    }
}

/// Records the event `tabs` of formats.events:15.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_tabs(_x: c_int) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_TABS_DSTATE != 0 {
            ftrace_write!(c"tabs \t%d\n".as_ptr(), _x);
            ::trace::syslog(::trace::LOG_INFO, c"tabs \t%d".as_ptr(), _x);
        }
    }
}

/// Records the event `width` of formats.events:16.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_width(_w: c_int, _v: u64, _s: &CStr) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_WIDTH_DSTATE != 0 {
            ftrace_write!(c"width %0*llx %-10.3s\n".as_ptr(), _w, _v, _s.as_ptr());
            ::trace::syslog(::trace::LOG_INFO, c"width %0*llx %-10.3s".as_ptr(), _w, _v, _s.as_ptr());
        }
    }
}

/// Records the event `ignored` of formats.events:17.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_ignored(_x: c_int) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_IGNORED_DSTATE != 0 {
            ftrace_write!(c"ignored \n".as_ptr(), _x);
            ::trace::syslog(::trace::LOG_INFO, c"ignored ".as_ptr(), _x);
        }
    }
}
