//! Why tracing cannot start or go on.

use std::io;
use std::path::PathBuf;

#[cfg(feature = "monitor")]
use super::server_error::ServerError;
use crate::backend::OpenError;
use crate::options::OptionsError;
use crate::writer::sink::SinkError;

/// Why tracing cannot start.
///
/// Its `Debug` is its text, too, since that is what a `main` that returns it prints.
pub enum StartError {
    /// The options contradict each other.
    Options(OptionsError),
    /// Tracing was started already.
    Running,
    /// Tracing was not started.
    NotRunning,
    /// The trace file cannot be made.
    File(PathBuf, io::Error),
    /// There is no memory for rings.
    Rings(io::Error),
    /// A backend other than the trace file cannot take events.
    Backend(OpenError),
    /// The writer thread cannot be started.
    Writer(io::Error),
    /// The signal that is to ask for snapshots cannot be handled.
    Signal(i32, io::Error),
    /// The thread behind coarse time cannot be started.
    Clock(io::Error),
    /// A monitor cannot be served.
    #[cfg(feature = "monitor")]
    Monitor(ServerError),
}

impl std::fmt::Display for StartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StartError::Options(error) => error.fmt(f),
            StartError::Running => f.write_str("tracing was started already"),
            StartError::NotRunning => f.write_str("tracing was not started"),
            StartError::Backend(error) => error.fmt(f),
            StartError::File(path, error) => write!(f, "trace file {}: {error}", path.display()),
            StartError::Rings(error) => write!(f, "not enough space for ring buffers: {error}"),
            StartError::Signal(signal, error) => write!(f, "signal {signal} cannot be handled: {error}"),
            StartError::Writer(error) => write!(f, "the writer thread cannot be started: {error}"),
            StartError::Clock(error) => write!(f, "the thread for coarse time cannot be started: {error}"),
            #[cfg(feature = "monitor")]
            StartError::Monitor(error) => error.fmt(f),
        }
    }
}

impl std::fmt::Debug for StartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl From<OptionsError> for StartError {
    fn from(error: OptionsError) -> StartError {
        StartError::Options(error)
    }
}

impl From<SinkError> for StartError {
    fn from(SinkError { path, error }: SinkError) -> StartError {
        StartError::File(path, error)
    }
}

#[cfg(feature = "monitor")]
impl From<ServerError> for StartError {
    fn from(error: ServerError) -> StartError {
        StartError::Monitor(error)
    }
}

impl std::error::Error for StartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            StartError::Options(_)
            | StartError::Running
            | StartError::NotRunning
            | StartError::Backend(_) => None,
            StartError::File(_, error)
            | StartError::Rings(error)
            | StartError::Writer(error)
            | StartError::Signal(_, error)
            | StartError::Clock(error) => Some(error),
            #[cfg(feature = "monitor")]
            StartError::Monitor(error) => error.source(),
        }
    }
}
