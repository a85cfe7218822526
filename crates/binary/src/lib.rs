//! What executables and libraries (ELF) offer to tracers: the events they declare, and their USDT probes.
//!
//! ```text
//! declare          generate             emit              buffer            drain             file         read            tell
//! trace-events --> tracetool / build.rs --> trace_foo(..) --> per-thread ring --> writer thread --> trace-PID --> tracefile --> print, stat, export, sql
//!   [events]        [tracetool]            [runtime]        [runtime]         [runtime]        [wire]      [tracefile]   [cli, export, query]
//!                             you are here ^^^^^^^^^^^^^, beside the runtime: what others see of a probe
//! ```
//!
//! [`Inventory::of_file`] looks into a file. Programs with probes in Rust carry their declarations in notes, those in C that use our headers
//! in texts; USDT probes of any language have notes of their own; and any program in C that was not stripped has symbols that are named
//! for its events. An [`Event`] joins what is known.

#![forbid(unsafe_code)]

mod described;
mod elf;
mod event;
mod offer;
mod operand;

pub use elf::Unreadable;
pub use event::{Argument, Event, Site, Usdt};
pub use offer::Inventory;
pub use operand::{Operand, operands};
