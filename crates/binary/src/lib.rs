//! Reads the events and USDT probes of executables and libraries (ELF).
//!
//! [`Inventory::of_file`] reads a file. Rust programs contain their declarations in notes, and C
//! programs that use ringtrace's headers contain them as strings. Notes of another kind describe
//! the USDT probes of programs in any language. C programs that are not stripped also have symbols
//! that contain the events' names. An [`Event`] combines all of these.

#![forbid(unsafe_code)]

mod elf;
mod event;
mod inventory;
mod memory;
mod operand;
mod symbols;

pub use elf::Error;
pub use event::{Argument, Event, Site, Usdt};
pub use inventory::Inventory;
pub use operand::{Operand, operands};
pub use symbols::{Function, Symbols};
