//! Hooks for the exit of threads and of the process.

#![expect(unsafe_code, reason = "C library calls")]

use std::io;
use std::ptr;
use std::sync::OnceLock;

/// The key whose destructor reports the exit of a thread.
static KEY: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();

/// Keys from this one on allocate memory in each thread, which is forbidden in signal handlers.
const KEYS_WITHOUT_MEMORY: libc::pthread_key_t = 32;

/// Registers functions to call at the exit of threads and of the process, when the first session
/// starts.
pub(crate) fn prepare(
    thread_exits: extern "C" fn(*mut libc::c_void),
    process_exits: extern "C" fn(),
) -> io::Result<()> {
    if KEY.get().is_some() {
        return Ok(());
    }
    // SAFETY: the function may be called at process exit, or when the library with this code is
    // unloaded.
    if unsafe { libc::atexit(process_exits) } != 0 {
        return Err(io::ErrorKind::OutOfMemory.into());
    }
    KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: the call writes to `key`; `thread_exits` may be called on any thread.
        let made = unsafe { libc::pthread_key_create(&raw mut key, Some(thread_exits)) } == 0;
        (made && key < KEYS_WITHOUT_MEMORY).then_some(key)
    });
    Ok(())
}

/// Requests a call of `thread_exits` when this thread exits. Neither allocates nor locks.
///
/// The call may be missing if there are too many keys, or if destructors keep recording events. In
/// that case, the writer thread detects that the thread no longer exists.
pub(crate) fn call_at_thread_exit() {
    if let Some(Some(key)) = KEY.get() {
        // SAFETY: the key exists, and its value is never dereferenced.
        unsafe { libc::pthread_setspecific(*key, ptr::dangling()) };
    }
}

/// Stops reporting the exit of threads, at the end of the process or before the library with this
/// code is unmapped. Threads that have traced in the library may continue after that.
pub(crate) fn forget_threads() {
    if let Some(Some(key)) = KEY.get() {
        // SAFETY: the key exists. Later uses of it only fail.
        unsafe { libc::pthread_key_delete(*key) };
    }
}
