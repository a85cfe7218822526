//! Threads of the runtime.
//!
//! They are started by the C library, because the standard library registers its threads under a
//! lock. If another thread of the parent process held that lock during a fork, threads that the
//! child starts would wait forever.

#![expect(unsafe_code, reason = "calls to the C library")]

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

/// The stack size of the standard library's threads.
const STACK_BYTES: usize = 2 << 20;

type Main = Box<dyn FnOnce() + Send>;

thread_local! {
    static IS_OURS: Cell<bool> = const { Cell::new(false) };
}

/// A thread of the runtime. Dropping the value does not release the thread's stack.
#[derive(Debug)]
#[must_use]
pub(crate) struct Thread(libc::pthread_t);

/// Starts a thread. `name` must not be longer than 15 bytes.
pub(crate) fn spawn(name: &'static CStr, run: impl FnOnce() + Send + 'static) -> io::Result<Thread> {
    let main: Main = Box::new(move || {
        IS_OURS.set(true);
        // SAFETY: the name is NUL-terminated.
        unsafe { libc::pthread_setname_np(libc::pthread_self(), name.as_ptr()) };
        run();
    });
    let argument = Box::into_raw(Box::new(main));
    let (mut attributes, mut thread) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    // SAFETY: the attributes are initialized first. `start` takes ownership of its argument.
    let result = unsafe {
        libc::pthread_attr_init(attributes.as_mut_ptr());
        libc::pthread_attr_setstacksize(attributes.as_mut_ptr(), STACK_BYTES);
        let result = libc::pthread_create(thread.as_mut_ptr(), attributes.as_ptr(), start, argument.cast());
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        result
    };
    if result != 0 {
        // SAFETY: no thread was started, so this function still owns the argument.
        drop(unsafe { Box::from_raw(argument) });
        return Err(io::Error::from_raw_os_error(result));
    }
    // SAFETY: the call succeeded, so it initialized the thread's identifier.
    Ok(Thread(unsafe { thread.assume_init() }))
}

extern "C" fn start(argument: *mut c_void) -> *mut c_void {
    // SAFETY: `spawn` passes ownership of a `Main`.
    let main = unsafe { Box::from_raw(argument.cast::<Main>()) };
    // The panic hook has printed the message.
    let _ = catch_unwind(AssertUnwindSafe(*main));
    ptr::null_mut()
}

impl Thread {
    /// Waits until the thread has ended.
    pub(crate) fn join(self) {
        // SAFETY: the thread exists until it is joined, and it is joined only once.
        unsafe { libc::pthread_join(self.0, ptr::null_mut()) };
    }
}

/// Returns whether the current thread belongs to the runtime.
pub(crate) fn is_current() -> bool {
    IS_OURS.get()
}
