//! Items of QEMU's crate `util` that generated Rust uses.

/// bindgen's output for C declarations. The test decides whether `ftrace_write` is among them.
pub mod bindings {
    use std::ffi::{c_char, c_uint};

    pub const LOG_TRACE: u32 = 1 << 15;

    unsafe extern "C" {
        pub static mut qemu_loglevel: c_uint;
        pub fn qemu_log(format: *const c_char, ...);
        #[cfg(bound_ftrace)]
        pub fn ftrace_write(format: *const c_char, ...);
        // The name avoids a clash with an argument named `exit`.
        pub fn _exit(status: std::ffi::c_int) -> !;
    }
}
