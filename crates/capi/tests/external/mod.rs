//! External destinations of lines: the kernel's trace, and Debian's log daemon.

mod daemon;
mod marked;

pub use daemon::Daemon;
pub use marked::Marked;
