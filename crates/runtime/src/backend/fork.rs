//! What a child of a fork must know: threads that had locks of the text backends do not exist in it.

use std::sync::Once;

use super::TEXT_BACKENDS;

static WATCH: Once = Once::new();

/// From now on, children of forks can write.
pub(crate) fn watch() {
    extern "C" fn in_child() {
        TEXT_BACKENDS.iter().for_each(|backend| backend.forked());
    }
    WATCH.call_once(|| {
        // SAFETY: the function stores to atomics and nothing else, which the child of a process with threads may. Without
        // memory for it, children are as they would be without the call.
        unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
    });
}
