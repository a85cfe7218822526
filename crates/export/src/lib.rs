//! Typed events to what other tools read, to a page for people, and to a comparison of two traces.
//!
//! ```text
//! declare          generate             emit              buffer            drain             file         read            tell
//! trace-events --> tracetool / build.rs --> trace_foo(..) --> per-thread ring --> writer thread --> trace-PID --> tracefile --> print, stat, export, sql
//!   [events]        [tracetool]            [runtime]        [runtime]         [runtime]        [wire]      [tracefile]   [cli, export, query]
//!                                                                                                                you are here ^^^^^^
//! ```
//!
//! [`EXPORTERS`] is the seam: a [`Format`] is a file here and a line there. [`run()`] gives each wanted record of traces, and what it
//! means, to an [`Exporter`].

mod beside;
mod chrome;
mod csv;
mod ctf;
pub mod diff;
mod exporter;
mod firefox;
mod json;
mod jsonl;
mod origin;
mod parquet;
mod perfetto;
pub mod quantity;
pub mod report;
mod rows;
mod run;
mod shapes;
mod sink;
mod span;
mod speedscope;
mod strand;
pub mod tell;
mod text;
mod trace_dat;
mod value;
mod whose;

pub use exporter::{End, Exporter, Format, Place, Setting, Shape};
pub use run::{Failed, run};
pub use sink::Sink;
pub use text::{utf8, utf8_without_zeros};
pub use value::{Kind, Typed, named_values};

/// All formats, in the order of `--help`.
pub const EXPORTERS: &[Format] = &[
    perfetto::FORMAT,
    chrome::FORMAT,
    ctf::FORMAT,
    parquet::FORMAT,
    firefox::FORMAT,
    speedscope::FORMAT,
    trace_dat::FORMAT,
    csv::FORMAT,
    jsonl::FORMAT,
];

/// The format that Perfetto's page shows.
pub const PERFETTO: &Format = &perfetto::FORMAT;

/// The format of this name.
pub fn format(name: &str) -> Option<&'static Format> {
    EXPORTERS.iter().find(|format| format.name == name)
}

/// The format whose files are named as `name` is: the one with the longest ending that fits.
pub fn format_by_ending(name: &str) -> Option<&'static Format> {
    let endings =
        EXPORTERS.iter().flat_map(|format| format.endings.iter().map(move |ending| (*ending, format)));
    let fitting = endings.filter(|(ending, _)| name.len() > ending.len() && name.ends_with(ending));
    fitting.max_by_key(|(ending, _)| ending.len()).map(|(_, format)| format)
}
