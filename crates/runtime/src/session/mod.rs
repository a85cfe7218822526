//! Sessions: starting, switching and stopping the recording of a trace, and its status.

pub mod announcement;
mod buffered;
mod error;
mod file_checks;
mod files;
mod flush;
mod fork;
mod guard;
mod info;
#[cfg(feature = "monitor")]
mod server_error;
pub(crate) mod snapshot;
mod space;
mod standby;
mod start;
mod state;
pub mod status;

pub use error::StartError;
#[cfg(feature = "monitor")]
pub(crate) use file_checks::is_of_trace;
pub use files::{is_recording, set_log_file, set_recording, set_trace_file, trace_file};
#[cfg(feature = "monitor")]
pub(crate) use files::{is_undecided, set_log_file_within, set_trace_file_within};
pub use flush::flush;
#[cfg(feature = "monitor")]
pub(crate) use flush::{flush_within, stop_recording_within};
#[cfg(feature = "monitor")]
pub(crate) use guard::Service;
pub use guard::{Guard, start};
#[cfg(feature = "monitor")]
pub use server_error::ServerError;
#[cfg(feature = "monitor")]
pub(crate) use standby::{Standby, standby};
pub(crate) use state::report_at_end;
pub use state::switch_backends;
#[cfg(feature = "monitor")]
pub(crate) use state::switch_backends_by;
