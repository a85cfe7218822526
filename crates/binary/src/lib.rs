//! Reads the events and USDT probes of executables and libraries (ELF).
//!
//! ```text
//! trace-events --> tracetool --> probe --> ring --> writer --> trace file --> print, stat, ...
//!   [events]      [tracetool]   [------- runtime -------]       [wire]     [tracefile, cli, ..]
//!           you are here ^^^^^ the program that contains the probe
//! ```
//!
//! [`Inventory::of_file`] reads a file. Rust programs contain their declarations in notes, and C
//! programs that use ringtrace's headers contain them as texts. USDT probes of any language have
//! notes of their own. C programs that are not stripped also have symbols with the names of events.
//! An [`Event`] combines all of these.

#![forbid(unsafe_code)]

mod elf;
mod event;
mod inventory;
mod memory;
mod operand;

pub use elf::Error;
pub use event::{Argument, Event, Site, Usdt};
pub use inventory::Inventory;
pub use operand::{Operand, operands};
