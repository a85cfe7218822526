//! Declarations to source code: the generator, and its face for build scripts.
//!
//! ```text
//! declare          generate             emit              buffer            drain             file         read            tell
//! trace-events --> tracetool / build.rs --> trace_foo(..) --> per-thread ring --> writer thread --> trace-PID --> tracefile --> print, stat, export, sql
//!   [events]        [tracetool]            [runtime]        [runtime]         [runtime]        [wire]      [tracefile]   [cli, export, query]
//!                  ^^^^^^^^^^^^^ you are here
//! ```
//!
//! A [`Group`] of events goes in, the text of a source file comes out: what text, a [`Format`] says, and the [`Backend`]s that a
//! [`Request`] names. [`FORMATS`] and [`BACKENDS`] list them all. The text depends on the request alone.
//!
//! A build script uses [`Builder`]; other builds call the program `tracetool`, in `src/bin/tracetool`.

#![forbid(unsafe_code)]

mod backend;
mod build;
pub mod files;
mod format;
mod group;
mod request;
mod source_writer;
mod template;

pub use backend::{BACKENDS, Backend, ExternalTracer};
pub use build::{BuildError, Builder};
pub use format::{CProbe, FORMATS, Format, Needs, RustProbe, StapProbe, stap_listener};
pub use group::Group;
pub use request::{Request, StapMode};
pub use source_writer::SourceWriter;
pub use template::Template;
