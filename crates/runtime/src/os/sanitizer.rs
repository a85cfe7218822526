//! ThreadSanitizer: the runtime's own threads are hidden from it.
//!
//! The writer thread reads rings while other threads write to them. Atomics in the ring order these
//! accesses, but ThreadSanitizer sees atomics only in code that was compiled with it, which the
//! runtime usually was not. It still sees calls of `memcpy` and similar functions, and would report
//! them as data races. The runtime's threads therefore ask ThreadSanitizer to ignore them. They run
//! no code of the program.

#![expect(unsafe_code, reason = "calls of functions that exist only in programs with ThreadSanitizer")]

use std::ffi::{CStr, c_char, c_int};
use std::marker::PhantomData;

type Function = unsafe extern "C" fn(*const c_char, c_int);

/// Functions of ThreadSanitizer, if the program contains it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ThreadSanitizer {
    begin: [Option<Function>; 2],
    end: [Option<Function>; 2],
}

impl ThreadSanitizer {
    /// Finds the functions. This waits while another thread loads a library. Call it before
    /// starting a thread, not in the new thread, which must not wait for its creator.
    pub(crate) fn find() -> ThreadSanitizer {
        ThreadSanitizer {
            begin: [c"AnnotateIgnoreReadsBegin", c"AnnotateIgnoreWritesBegin"].map(find),
            end: [c"AnnotateIgnoreReadsEnd", c"AnnotateIgnoreWritesEnd"].map(find),
        }
    }

    /// Ignores the memory accesses of this thread until the result is dropped. A thread must drop
    /// it before it ends.
    pub(crate) fn ignore_this_thread(self) -> Ignored {
        call(self.begin);
        Ignored(self, PhantomData)
    }
}

/// While it exists, ThreadSanitizer ignores the memory accesses of this thread.
pub(crate) struct Ignored(ThreadSanitizer, PhantomData<*const ()>);

impl Drop for Ignored {
    fn drop(&mut self) {
        call(self.0.end);
    }
}

fn find(name: &CStr) -> Option<Function> {
    // SAFETY: the name ends with a NUL. Functions with these names have had this signature in all
    // versions of ThreadSanitizer. A null pointer is `None`.
    unsafe { std::mem::transmute(libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr())) }
}

fn call(functions: [Option<Function>; 2]) {
    for function in functions.into_iter().flatten() {
        // SAFETY: the string is static, and only names the caller.
        unsafe { function(c"ringtrace".as_ptr(), 0) };
    }
}
