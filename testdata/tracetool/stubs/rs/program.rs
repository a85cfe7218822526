//! Calls every probe of `../../values.events` with several sets of backends, using the limits of
//! each type.

use std::ffi::{CStr, c_char};

mod none {
    include!(concat!(env!("GENERATED"), "/none.rs"));
}
mod simple {
    include!(concat!(env!("GENERATED"), "/simple.rs"));
}
mod all {
    include!(concat!(env!("GENERATED"), "/all.rs"));
}

unsafe extern "C" {
    static mut trace_events_enabled_count: u32;
    static mut qemu_loglevel: u32;
    fn switch_all(on: u16);
    fn note(text: *const c_char);
}

macro_rules! report_all {
    ($probes:ident) => {{
        let mut bytes = *b"bytes\0";
        let text = c"text \xff \xc3\xa9";
        let null = std::ptr::null_mut::<()>();
        let top = std::ptr::without_provenance_mut::<()>(usize::MAX);
        $probes::trace_nothing();
        $probes::trace_signed_least(i8::MIN, i16::MIN, i32::MIN, i64::MIN, i8::MIN as _, i16::MIN, i32::MIN, i64::MIN, i64::MIN);
        $probes::trace_signed_most(i8::MAX, i16::MAX, i32::MAX, i64::MAX, i8::MAX as _, i16::MAX, i32::MAX, i64::MAX, i64::MAX);
        $probes::trace_signed_minus(-1, -1, -1, -1, -1 as _, -1, -1, -1, -1);
        $probes::trace_unsigned_most(u8::MAX, u16::MAX, u32::MAX, u64::MAX, u8::MAX, u16::MAX, u32::MAX, u64::MAX, u64::MAX);
        $probes::trace_extents(usize::MAX, isize::MIN, usize::MAX, isize::MIN);
        $probes::trace_truths(true, false);
        $probes::trace_addresses(null, top, top, null);
        $probes::trace_texts(text, text.as_ptr(), bytes.as_mut_ptr().cast(), c"");
        $probes::trace_null_texts(std::ptr::null(), std::ptr::null_mut());
        $probes::trace_long_text(CStr::from_bytes_with_nul(&[[b'x'; 600].as_slice(), b"\0"].concat()).unwrap());
        $probes::trace_inttypes(-1, -1, -1, -1, usize::MAX, u64::MAX);
        $probes::trace_cut(1);
        $probes::trace_odd(2);
        $probes::trace_without_format(3);
        $probes::trace_exit(4, 5);
        $probes::trace_absent(6);
    }};
}

/// Prints a heading through C's output, as the sinks do.
fn say(text: &CStr) {
    unsafe { note(text.as_ptr()) }
}

fn main() {
    say(c"all events are off");
    report_all!(all);
    say(c"none is counted as on");
    unsafe {
        switch_all(1);
    }
    report_all!(all);
    say(c"on, without a backend");
    unsafe {
        trace_events_enabled_count = 1;
    }
    report_all!(none);
    say(c"on, simple");
    report_all!(simple);
    say(c"on, all backends, the log does not want events");
    report_all!(all);
    say(c"on, all backends");
    unsafe {
        qemu_loglevel = 1 << 15;
    }
    report_all!(all);
}
