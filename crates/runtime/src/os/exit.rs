//! How threads and the process end.

#![expect(unsafe_code, reason = "C library calls")]

use std::io;
use std::ptr;
use std::sync::OnceLock;

/// The key by which the system tells that a thread exits.
static KEY: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();

/// Keys from this one on take memory in each thread, which a signal handler cannot ask for.
const KEYS_WITHOUT_MEMORY: libc::pthread_key_t = 32;

/// Makes the system call these functions when a thread or the process exits. Once, when the first session starts.
pub(crate) fn prepare(
    thread_exits: extern "C" fn(*mut libc::c_void),
    process_exits: extern "C" fn(),
) -> io::Result<()> {
    if KEY.get().is_some() {
        return Ok(());
    }
    // SAFETY: the function may be called when the process exits, or the library that this code is in is unloaded.
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

/// Makes the system call the function for threads when this thread exits. Neither allocates nor locks.
///
/// Where it does not (too many keys, destructors that trace again and again), the writer thread finds out that the thread is gone.
pub(crate) fn call_at_thread_exit() {
    if let Some(Some(key)) = KEY.get() {
        // SAFETY: the key was made; its value is never dereferenced.
        unsafe { libc::pthread_setspecific(*key, ptr::dangling()) };
    }
}

/// At the end of the process: no thread's exit is reported any more. A library's code is gone after this, and threads that it
/// traced in are not.
pub(crate) fn forget_threads() {
    if let Some(Some(key)) = KEY.get() {
        // SAFETY: the key was made; who uses it later is refused.
        unsafe { libc::pthread_key_delete(*key) };
    }
}
