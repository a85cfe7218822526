//! Being asked and told while the program runs: a socket that speaks QEMU's two monitor languages, HMP for people and QMP for
//! machines. What can be asked is in docs/control.md.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use ringtrace::monitor::Server;
//!
//! let _server = Server::new("unix:/run/vmm/trace.sock,mode=auto".parse()?).start()?;
//! # Ok(()) }
//! ```
//!
//! A connection's part that knows the languages, [`dialogue`], sees bytes and never a socket; [`Server`] moves the bytes, bounds what a
//! client can take, and runs commands. What commands ask is in [`crate::session::status`], what they do in [`crate::session`] and
//! [`crate::event::registry`]: nothing of that takes a lock that a probe could meet.

mod command;
pub mod dialogue;
mod hmp;
mod json;
mod qmp;
mod server;

pub use crate::options::{Address, AddressError, Mode};
pub use crate::session::ServerError;
pub(crate) use server::Listening;
pub use server::{Server, Serving};

/// All commands, as docs/control.md lists them.
#[doc(hidden)]
pub fn reference() -> String {
    command::reference()
}
