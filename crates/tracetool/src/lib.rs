//! Generates source code from declarations.
//!
//! ```text
//! trace-events --> tracetool --> probe --> ring --> writer --> trace file --> print, stat, ...
//!   [events]      [tracetool]   [------- runtime -------]       [wire]     [tracefile, cli, ..]
//!                 ^^^^^^^^^^^ you are here
//! ```
//!
//! A [`Format`] generates the text of a source file from a [`Request`]: a [`Group`] of events,
//! [`Backend`]s, and options. [`FORMATS`] and [`BACKENDS`] list all formats and backends. The text
//! depends only on the request.
//!
//! Build scripts use [`Builder`]. Other builds call the program `tracetool` in `src/bin/tracetool`.

#![forbid(unsafe_code)]

mod backend;
mod build;
pub mod files;
mod format;
mod probe;
mod request;
mod source_writer;
mod template;

pub use backend::{BACKENDS, Backend, CParts, ExternalTracer, RsParts};
pub use build::{BuildError, Builder};
pub use format::{FORMATS, Format, Needs, StapProbe, stap_listener};
pub use probe::{CProbe, RustProbe};
pub use request::{Group, Request, StapMode};
pub use source_writer::SourceWriter;
pub use template::Template;
