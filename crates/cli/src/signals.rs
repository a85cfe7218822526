//! Signals: SIGBUS, and those that the process was started with ignored.

#![expect(unsafe_code, reason = "a handler of SIGBUS, for files that shrink while they are mapped")]

use signal_hook::consts::SIGBUS;
use signal_hook::low_level;

const MESSAGE: &[u8] =
    b"error: a file that was being read was truncated by another program; the output ends here
  help: read files that shrink through a pipe: cat FILE | ringtrace print -
";

/// Returns the signals that the process was started with ignored, one bit each. `nohup` and a
/// shell's `&` ignore signals this way, and a handler would undo that.
pub fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Handles SIGBUS with a message and exit status 4. The kernel raises it when another program
/// truncates a mapped file. Without a handler, the tool would crash with a core dump and no
/// message.
pub fn catch_sigbus() {
    // SAFETY: the action only calls write(2) and _exit(2), which are async-signal-safe, and
    // accesses no memory but a constant.
    let registered = unsafe {
        low_level::register(SIGBUS, || {
            let _ = rustix::io::write(rustix::stdio::stderr(), MESSAGE);
            low_level::exit(4);
        })
    };
    // Ignore errors: without the handler, a truncated file just ends the tool.
    drop(registered);
}
