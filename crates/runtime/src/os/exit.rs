//! Hooks for the exit of threads and of the process.

#![expect(unsafe_code, reason = "C library calls")]

use std::io;
use std::ptr;
use std::sync::OnceLock;

/// The key whose destructor reports that a thread exits.
static KEY: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();

/// Keys from this one on allocate memory in each thread, which a signal handler must not do.
const KEYS_WITHOUT_MEMORY: libc::pthread_key_t = 32;

/// Registers functions for the exit of threads and of the process, when the first session starts.
pub(crate) fn prepare(
    thread_exits: extern "C" fn(*mut libc::c_void),
    process_exits: extern "C" fn(),
) -> io::Result<()> {
    if KEY.get().is_some() {
        return Ok(());
    }
    // SAFETY: the function may be called at exit, or when the library with this code is unloaded.
    if unsafe { libc::atexit(process_exits) } != 0 {
        return Err(io::ErrorKind::OutOfMemory.into());
    }
    KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: the call fills `key`; `thread_exits` may be called on any thread.
        let made = unsafe { libc::pthread_key_create(&raw mut key, Some(thread_exits)) } == 0;
        (made && key < KEYS_WITHOUT_MEMORY).then_some(key)
    });
    Ok(())
}

/// Requests the call of `thread_exits` when this thread exits. Neither allocates nor locks.
///
/// If the call does not come (too many keys, destructors that trace again and again), the writer
/// thread finds out that the thread is gone.
pub(crate) fn call_at_thread_exit() {
    if let Some(Some(key)) = KEY.get() {
        // SAFETY: the key exists; its value is never dereferenced.
        unsafe { libc::pthread_setspecific(*key, ptr::dangling()) };
    }
}

/// Stops reporting the exit of threads, at the end of the process. Then a library's code is
/// unmapped, while threads in which it traced continue.
pub(crate) fn forget_threads() {
    if let Some(Some(key)) = KEY.get() {
        // SAFETY: the key exists; later uses of it fail.
        unsafe { libc::pthread_key_delete(*key) };
    }
}
