//! What happens when a file is cut while it is mapped: reading what is gone raises SIGBUS, which would end the
//! tool with a core dump and no word.

#![allow(unsafe_code)]

use signal_hook::consts::SIGBUS;
use signal_hook::low_level;

const MESSAGE: &[u8] =
    b"error: a file that was being read was cut by somebody else: what was printed is all there is
  help: read files that shrink through a pipe: cat FILE | ringtrace print -
";

/// From now on SIGBUS is a message and exit status 4.
pub fn expect() {
    // SAFETY: the action only calls write(2) and _exit(2), which are async-signal-safe, and touches no memory but a
    // constant.
    let registered = unsafe {
        low_level::register(SIGBUS, || {
            let _ = rustix::io::write(rustix::stdio::stderr(), MESSAGE);
            low_level::exit(4);
        })
    };
    // Where it cannot be had, the tool is as good as any other that maps files.
    drop(registered);
}
