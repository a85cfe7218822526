//! Handling of SIGBUS, and of signals that were already ignored when the process started.

#![expect(unsafe_code, reason = "a handler of SIGBUS, for files that shrink while they are mapped")]

use signal_hook::consts::SIGBUS;
use signal_hook::low_level;

const MESSAGE: &[u8] =
    b"error: a file that was being read was truncated by another program; the output ends here
  help: read files that shrink through a pipe: cat FILE | ringtrace print -
";

/// Returns the signals that were ignored when the process started, one bit each. `nohup` and a
/// shell's `&` ignore signals this way, and installing a handler would undo that.
pub fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Handles SIGBUS by printing a message and exiting with status 4. The kernel raises this signal
/// when another program truncates a mapped file. Without a handler, the tool would crash with a
/// core dump and no message.
pub fn catch_sigbus() {
    // SAFETY: the action only calls write(2) and _exit(2), which are async-signal-safe, and the
    // only memory it accesses is a constant.
    let registered = unsafe {
        low_level::register(SIGBUS, || {
            let _ = rustix::io::write(rustix::stdio::stderr(), MESSAGE);
            low_level::exit(4);
        })
    };
    // Ignore errors: without the handler, the tool merely ends without a message when a file is
    // truncated.
    drop(registered);
}
