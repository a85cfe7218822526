//! Errors that occur when tracing is started or continued.

use std::io;
use std::path::PathBuf;

#[cfg(feature = "monitor")]
use super::server_error::ServerError;
use crate::backend::OpenError;
use crate::options::{FileFormat, OptionsError};
use crate::os::error_text;
use crate::writer::sink::SinkError;

/// An error that occurs when tracing is started or continued.
///
/// `Debug` prints the message, because a `main` that returns the error prints it that way.
pub enum StartError {
    /// The options contradict each other.
    Options(OptionsError),
    /// Tracing is running already.
    Running,
    /// Tracing has not been started.
    NotRunning,
    /// The trace file cannot be created.
    File(PathBuf, io::Error),
    /// This machine cannot write traces in this format, or the program is built without its
    /// compression.
    Format(FileFormat),
    /// There is not enough space for the rings, or they cannot be created.
    Rings(io::Error),
    /// A backend other than the trace file cannot be opened.
    Backend(OpenError),
    /// The writer thread cannot be started.
    Writer(io::Error),
    /// The handler of the snapshot signal cannot be installed.
    Signal(i32, io::Error),
    /// The thread for the coarse clock cannot be started.
    Clock(io::Error),
    /// Switching to another trace file failed for the reason given by the inner error, and
    /// recording to the previous file has ended.
    RecordingEnded(Box<StartError>),
    /// A monitor cannot be started.
    #[cfg(feature = "monitor")]
    Monitor(ServerError),
}

impl std::fmt::Display for StartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StartError::Options(error) => error.fmt(f),
            StartError::Running => f.write_str("tracing has already been started"),
            StartError::NotRunning => f.write_str("tracing was not started"),
            StartError::Backend(error) => error.fmt(f),
            StartError::File(path, error) => {
                write!(f, "trace file {}: {}", path.display(), error_text(error))
            }
            // The machine can record it, but the program cannot.
            StartError::Format(FileFormat::CompactZstd) if FileFormat::Compact.is_supported() => f.write_str(
                "compress=zstd: the program was built without zstd; build it with the feature `zstd` of the \
                 crate `ringtrace`, or omit `compress` and compress the trace with `ringtrace convert --to \
                 compact --compress zstd`",
            ),
            StartError::Format(format) => write!(
                f,
                "format={}: this format can be recorded only on little-endian machines; use format={}",
                format.name(),
                FileFormat::V4.name(),
            ),
            StartError::Rings(error) => write!(f, "cannot create the ring buffers: {error}"),
            StartError::Signal(signal, error) => {
                write!(f, "cannot handle signal {signal}: {}", error_text(error))
            }
            StartError::Writer(error) => write!(f, "cannot start the writer thread: {}", error_text(error)),
            StartError::Clock(error) => {
                write!(f, "cannot start the thread of the coarse clock: {}", error_text(error))
            }
            StartError::RecordingEnded(error) => write!(f, "{error}; recording is now off"),
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
            | StartError::Format(_)
            | StartError::Backend(_) => None,
            StartError::File(_, error)
            | StartError::Rings(error)
            | StartError::Writer(error)
            | StartError::Signal(_, error)
            | StartError::Clock(error) => Some(error),
            StartError::RecordingEnded(error) => error.source(),
            #[cfg(feature = "monitor")]
            StartError::Monitor(error) => error.source(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_zstd_names_the_feature() {
        let text = StartError::Format(FileFormat::CompactZstd).to_string();
        assert!(
            text.starts_with("compress=zstd: the program was built without zstd; build it with"),
            "{text}"
        );
        assert!(text.contains("the feature `zstd`") && text.contains("ringtrace convert"), "{text}");
    }
}
