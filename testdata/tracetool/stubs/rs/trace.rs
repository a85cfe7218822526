//! Items of QEMU's crate `trace` that generated Rust uses.

use std::ffi::{c_char, c_int};

pub const LOG_INFO: c_int = 6;

unsafe extern "C" {
    pub fn syslog(priority: c_int, format: *const c_char, ...);
}
