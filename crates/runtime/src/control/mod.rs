//! Control of tracing while the program runs, through a socket and in QEMU's two monitor languages:
//! HMP for people and QMP for machines. docs/control.md describes the commands.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use ringtrace::monitor::Server;
//!
//! let _server = Server::new("unix:/run/vmm/trace.sock,mode=auto".parse()?).start()?;
//! # Ok(()) }
//! ```
//!
//! [`dialogue`] implements the languages for one connection. It handles only bytes, not sockets.
//! [`Server`] transfers the bytes, limits each client's resources, and runs the commands. Commands
//! query [`crate::session::status`] and change the session through [`crate::session`] and
//! [`crate::event::registry`]. None of these takes a lock that a probe could need.

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

/// Returns whether `name` is a QMP command if `is_qmp` is set, or else the first word of an HMP
/// command.
#[doc(hidden)]
pub fn is_command(name: &str, is_qmp: bool) -> bool {
    command::COMMANDS.iter().any(|command| match (&command.hmp, &command.qmp) {
        (_, Some(qmp)) if is_qmp => qmp.name == name,
        (Some(hmp), _) if !is_qmp => {
            let mut names = std::iter::once(&hmp.name).chain(hmp.aliases);
            names.any(|known| known.split(' ').next() == Some(name))
        }
        _ => false,
    })
}

/// All commands, formatted as in docs/control.md.
#[doc(hidden)]
pub fn reference() -> String {
    command::reference()
}
