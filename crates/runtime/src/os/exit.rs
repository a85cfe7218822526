//! How threads and the process end.

use std::io;
use std::ptr;
use std::sync::OnceLock;

use crate::{session, slow};

/// The key by which the system tells that a thread exits.
static KEY: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();

/// Keys from this one on take memory in each thread, which a signal handler cannot ask for.
const KEYS_WITHOUT_MEMORY: libc::pthread_key_t = 32;

/// Makes the system tell when threads and the process end. Once, when the first session starts.
pub(crate) fn prepare() -> io::Result<()> {
    extern "C" fn thread_exits(_: *mut libc::c_void) {
        slow::detach();
    }
    extern "C" fn process_exits() {
        #[cfg(feature = "monitor")]
        crate::monitor::end_all();
        session::stop_at_exit();
        // A library's code is gone after this, and threads that it traced in are not.
        if let Some(Some(key)) = KEY.get() {
            // SAFETY: the key was made; who uses it later is refused.
            unsafe { libc::pthread_key_delete(*key) };
        }
    }
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

/// Makes the system call [`slow::detach`] when this thread exits. Neither allocates nor locks.
///
/// Where it does not (too many keys, destructors that trace again and again), the writer thread finds out that the thread is gone.
pub(crate) fn call_at_thread_exit() {
    if let Some(Some(key)) = KEY.get() {
        // SAFETY: the key was made; its value is never dereferenced.
        unsafe { libc::pthread_setspecific(*key, ptr::dangling()) };
    }
}
