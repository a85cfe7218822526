// Probes of the group `legacy`, generated from legacy.events. Make changes there.

#[allow(unused_imports)]
use std::ffi::{
    CStr, c_char, c_int, c_long, c_longlong, c_short, c_uint, c_ulong, c_ulonglong, c_ushort,
};
#[allow(unused_imports)]
use util::bindings;

#[allow(dead_code)]
unsafe extern "C" {
    static mut trace_events_enabled_count: u32;
    static mut _TRACE_GUEST_RESET_DSTATE: u16;
    fn _simple_trace_guest_reset(___cpu: *mut (), _index: c_int);
    static mut _TRACE_GUEST_HALT_DSTATE: u16;
    fn _simple_trace_guest_halt(___cpu: *mut ());
    static mut _TRACE_GUEST_LOAD_TRANS_DSTATE: u16;
    fn _simple_trace_guest_load_trans(_size: u8);
    static mut _TRACE_GUEST_LOAD_EXEC_DSTATE: u16;
    fn _simple_trace_guest_load_exec(_addr: u64, _size: u8);
}

/// Records the event `guest_reset` of legacy.events:3.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_guest_reset(___cpu: *mut (), _index: c_int) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_GUEST_RESET_DSTATE != 0 {
            _simple_trace_guest_reset(___cpu, _index);
        }
    }
}

/// Records the event `guest_halt` of legacy.events:4.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_guest_halt(___cpu: *mut ()) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_GUEST_HALT_DSTATE != 0 {
            _simple_trace_guest_halt(___cpu);
        }
    }
}

/// Records the event `guest_load_trans` of legacy.events:5.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_guest_load_trans(_size: u8) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_GUEST_LOAD_TRANS_DSTATE != 0 {
            _simple_trace_guest_load_trans(_size);
        }
    }
}

/// Records the event `guest_load_exec` of legacy.events:5.
#[inline(always)]
#[allow(dead_code, non_snake_case)]
pub fn trace_guest_load_exec(_addr: u64, _size: u8) {
    unsafe {
        if trace_events_enabled_count != 0 && _TRACE_GUEST_LOAD_EXEC_DSTATE != 0 {
            _simple_trace_guest_load_exec(_addr, _size);
        }
    }
}
