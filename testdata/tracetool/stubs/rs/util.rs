//! What generated Rust names of QEMU's crate `util`.

/// What bindgen makes of C's declarations. Whether `ftrace_write` is among them, is the test's choice.
pub mod bindings {
    use std::ffi::{c_char, c_uint};

    pub const LOG_TRACE: u32 = 1 << 15;

    unsafe extern "C" {
        pub static mut qemu_loglevel: c_uint;
        pub fn qemu_log(format: *const c_char, ...);
        #[cfg(bound_ftrace)]
        pub fn ftrace_write(format: *const c_char, ...);
        // In nobody's way, though an argument called `exit` is called so, too.
        pub fn _exit(status: std::ffi::c_int) -> !;
    }
}
