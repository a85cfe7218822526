//! Events that Python programs declare and record, over the runtime's dynamic events.

mod argument;
mod event;
mod session;
mod span;

pub use event::{Event, declare};
pub use session::{flush, set_enabled, start, stop, trace_path};
pub use span::{Running, Span};
