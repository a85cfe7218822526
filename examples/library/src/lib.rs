//! A shared library with events, which a program loads while it runs.
//!
//! The library contains its own copy of the runtime. If the executable contains one too, the
//! library's events go into the executable's trace.

#![deny(unsafe_code)]

use std::ffi::{CStr, c_char};

ringtrace::include_trace!("library");

/// Records `count` events.
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

/// Starts a trace, records `count` events, and ends the trace. This is for executables that do not
/// trace.
///
/// # Safety
/// `file` must be a NUL-terminated path.
#[expect(unsafe_code, reason = "an exported name, and a pointer from the caller")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn library_work_alone(file: *const c_char, from: u64, count: u64) -> bool {
    // SAFETY: the caller guarantees a NUL-terminated string.
    let file = unsafe { CStr::from_ptr(file) };
    let file = Some(file.to_string_lossy().into_owned().into());
    let settings = ringtrace::Settings { file, ..ringtrace::Settings::default() };
    let Ok(_guard) = ringtrace::session::start(settings) else { return false };
    ringtrace::set_enabled("library_*", true);
    library_work(from, count);
    true
}
