//! Records the events and spans of programs that use [`tracing`](https://docs.rs/tracing).
//!
//! Call sites need no changes: each one becomes an event of ringtrace, with the names and types of
//! its fields. Events can be switched while the program runs. Their records go into the rings of
//! the threads, without a lock and without formatting. They survive a kill, and are read by the
//! tool `ringtrace`.
//!
//! ```no_run
//! use tracing_subscriber::prelude::*;
//!
//! fn main() -> Result<(), ringtrace_tracing::StartError> {
//!     tracing_subscriber::registry().with(ringtrace_tracing::layer()).init();
//!     let _tracing = ringtrace_tracing::Options::from_env_and_args()?.start()?;
//!     // ... the program
//!     Ok(())
//! }
//! ```
//!
//! ```text
//! program --trace 'my_app::*,file=app.trace'
//! ringtrace stat app.trace
//! ```
//!
//! Programs without other layers save time with [`init`], which needs no `tracing-subscriber`.
//!
//! [The documentation](https://github.com/ringtrace/ringtrace/blob/main/docs/tracing.md) describes
//! the names of events, the types of fields, and spans.
//!
//! # Features
//!
//! | feature | default | adds |
//! | --- | --- | --- |
//! | `layer` | yes | [`layer()`], for `tracing_subscriber::registry()` |
//! | `monitor` | yes | `Options::with_monitor`: a socket to control the running program |

#![forbid(unsafe_code)]

mod entered;
mod fields;
#[cfg(feature = "layer")]
mod layer;
mod messages;
mod places;
mod spans;
mod subscriber;

pub use ringtrace;
pub use ringtrace::{Guard, Options, StartError};

#[cfg(feature = "layer")]
pub use layer::{EnabledSites, RingLayer, layer};
pub use subscriber::{RingSubscriber, init, subscriber};

/// Makes `tracing` check again which call sites are on, whenever events are switched.
fn follow_switches() {
    ringtrace::dynamic::on_switch(tracing_core::callsite::rebuild_interest_cache);
}

/// Compiles the Rust examples of the document, and the example in the README.
#[cfg(all(doctest, feature = "layer"))]
#[doc = include_str!("../../../docs/tracing.md")]
#[doc = include_str!("../../../README.md")]
struct Document;
