//! Typed events to what other tools read, to a page for people, and to a comparison of two traces.
//!
//! ```text
//! declare          generate             emit              buffer            drain             file         read            tell
//! trace-events --> tracetool / build.rs --> trace_foo(..) --> per-thread ring --> writer thread --> trace-PID --> tracefile --> print, stat, export, sql
//!   [events]        [tracetool]            [runtime]        [runtime]         [runtime]        [wire]      [tracefile]   [cli, export, query]
//!                                                                                                                you are here ^^^^^^
//! ```
//!
//! [`EXPORTERS`] is the seam: a [`Format`] is a file here and a line there. [`run`] gives each wanted record of traces, and what it
//! means, to an [`Exporter`].

mod exporter;
mod run;

pub use exporter::{End, Exporter, Format, Place, Setting, Shape};
pub use run::{Failed, run};

/// All formats, in the order of `--help`.
pub const EXPORTERS: &[Format] = &[];

/// The format of this name.
pub fn format(name: &str) -> Option<&'static Format> {
    EXPORTERS.iter().find(|format| format.name == name)
}
