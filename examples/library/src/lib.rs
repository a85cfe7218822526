//! A library that is loaded while a program runs, and traces.
//!
//! It is built by itself, so it has a copy of the runtime in it. In an executable that exports `ringtrace_runtime`, as those do
//! whose build script makes probes, its events go into the executable's trace, and are switched with its events.

#![deny(unsafe_code)]

use std::ffi::{CStr, c_char};

ringtrace::include_trace!("library");

/// Works.
#[expect(unsafe_code, reason = "an exported name")]
#[unsafe(no_mangle)]
pub extern "C" fn library_work(from: u64, count: u64) {
    for n in from..from + count {
        trace::library_step(n);
        if n % 10 == 0 {
            trace::library_named("ten", n as u32);
        }
    }
}

/// Traces by itself: for executables that do not. Works, and ends the trace.
///
/// # Safety
/// `file` is a path that ends with a NUL.
#[expect(unsafe_code, reason = "an exported name, and a pointer from the caller")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn library_work_alone(file: *const c_char, from: u64, count: u64) -> bool {
    // SAFETY: the caller's promise.
    let file = unsafe { CStr::from_ptr(file) };
    let file = Some(file.to_string_lossy().into_owned().into());
    let settings = ringtrace::Settings { file, ..ringtrace::Settings::default() };
    let Ok(_guard) = ringtrace::session::start(settings) else { return false };
    ringtrace::set_enabled("library_*", true);
    library_work(from, count);
    true
}
