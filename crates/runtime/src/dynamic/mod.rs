//! Events that are declared while the program runs.
//!
//! The events of generated code are known when the program is built. Other sources, such as
//! `tracing` or an interpreter, discover their events while the program runs, and declare them
//! here. Such events are listed, switched, counted and recorded like all others. Their number is
//! not limited.
//!
//! ```
//! use ringtrace::dynamic::{Argument, DynamicEvent, Kind, Values};
//!
//! let arguments = [Argument::new("path", Kind::Text), Argument::new("bytes", Kind::U64)];
//! let opened = DynamicEvent::declare("script::opened", None, &arguments);
//! assert_eq!(opened.event().name(), "script__opened");
//! if opened.is_enabled() {
//!     let mut values = Values::new();
//!     values.text("/etc/hosts").u64(220);
//!     opened.emit(&values);
//! }
//! ```
//!
//! A [`Site`] is a call site whose arguments become known with its first record. The sites of
//! messages of `log` are found by their [`SourceLocation`].
//!
//! # Names
//!
//! Names of events and arguments consist of ASCII letters, digits and `_`. `::` in a name becomes
//! `__`, and any other character `_`. If an event with the name already exists, the new one gets a
//! number: `NAME_2`.
//!
//! # Switching
//!
//! A new event is on if the last switch that matches its name enables events. Switches at the start
//! of the program apply, and so do later ones whose pattern contains a `*`.
//!
//! # Memory
//!
//! A declaration is kept until the process ends. Declare an event for each call site, not for each
//! value.

mod declare;
mod location;
mod site;
mod values;

pub use declare::{Argument, DynamicEvent, Kind};
pub use location::{Level, SourceLocation};
pub use site::Site;
pub use values::{MAX_ARGUMENTS, Values};

/// Calls `hook` after events are switched and after backends change, for code that caches whether
/// its events are on. The hook may be called by any thread, and by several threads at the same
/// time. A function that was added before is not added again.
///
/// The hook must not start or stop tracing, or switch events.
pub fn on_switch(hook: fn()) {
    crate::event::registry::dynamic::add_switch_hook(hook);
}
