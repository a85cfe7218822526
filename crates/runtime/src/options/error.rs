//! Errors in options.

use std::fmt;
use std::io;
use std::path::PathBuf;

use ringtrace_events::nearest::nearest;

use super::keys::KEYS;
use super::{Backends, UnknownBackend};
use crate::os::error_text;

/// An error in an option, with the option's text.
///
/// `Debug` prints the message, because a `main` that returns the error prints it that way.
pub struct OptionsError {
    /// The option as it was given, such as `--trace blk_*,fiel=x`. Empty for options set by calls.
    location: String,
    kind: OptionsErrorKind,
}

/// The kind of an [`OptionsError`].
#[derive(Debug)]
#[non_exhaustive]
pub enum OptionsErrorKind {
    /// A part other than the first is not `KEY=VALUE`, or its key is unknown.
    Parameter {
        /// The text found where a key was expected.
        key: String,
        /// Whether a `=` followed.
        has_value: bool,
    },
    /// A value is invalid for its key.
    Value {
        /// The key.
        key: &'static str,
        /// The value.
        value: String,
        /// Description of valid values.
        expected: String,
    },
    /// A word is not the name of a backend.
    Backend(UnknownBackend),
    /// A part that must be a string is not UTF-8.
    NotText {
        /// The part, with invalid bytes replaced.
        shown: String,
    },
    /// A key applies to the events that its option enables, and the option enables none.
    WithoutPattern {
        /// The key.
        key: &'static str,
    },
    /// The option is the last argument and has no value.
    Missing {
        /// An example of a valid value.
        such_as: &'static str,
    },
    /// A monitor's address is invalid.
    #[cfg(feature = "monitor")]
    Monitor(super::AddressError),
    /// An events file cannot be read.
    EventsFile {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A line of an events file is not UTF-8.
    EventsFileText {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
    },
    /// An events file exceeds the size limit.
    EventsFileLong {
        /// The file.
        path: PathBuf,
        /// The limit.
        limit_bytes: u64,
    },
    /// A file is set, but no selected backend writes to a file.
    FileWithoutBackend {
        /// The file.
        path: PathBuf,
        /// The selected backends.
        backends: Backends,
    },
    /// Files are to be removed, but the trace has a single file.
    KeepWithoutRotation {
        /// The number of files to keep.
        count: usize,
    },
    /// The trace is to be compressed, but its format has no compression.
    CompressedV4,
    /// A flight recorder's trace cannot continue in another file, because it is written at the end.
    RotatedFlightRecorder,
}

impl OptionsError {
    pub(crate) fn new(location: String, kind: OptionsErrorKind) -> OptionsError {
        OptionsError { location, kind }
    }

    /// The kind of error.
    pub fn kind(&self) -> &OptionsErrorKind {
        &self.kind
    }
}

impl fmt::Display for OptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.location.is_empty() {
            write!(f, "{}: ", self.location)?;
        }
        self.kind.fmt(f)
    }
}

impl fmt::Debug for OptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for OptionsError {}

impl fmt::Display for OptionsErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionsErrorKind::Parameter { key, has_value } => parameter(f, key, *has_value),
            OptionsErrorKind::Value { key, value, expected } => {
                write!(f, "{key}={}: expected {expected}", value.escape_debug())
            }
            OptionsErrorKind::Backend(unknown) => unknown.fmt(f),
            OptionsErrorKind::NotText { shown } => write!(f, "'{}' is not UTF-8", shown.escape_debug()),
            OptionsErrorKind::WithoutPattern { key } => write!(
                f,
                "{key}: applies to the events that the same option enables, and this option enables none; \
                 write it after a pattern, such as `blk_*,{key}`"
            ),
            OptionsErrorKind::Missing { such_as } => write!(f, "a value is missing, such as {such_as}"),
            #[cfg(feature = "monitor")]
            OptionsErrorKind::Monitor(error) => error.fmt(f),
            OptionsErrorKind::EventsFile { path, source } => {
                write!(f, "cannot read {}: {}", path.display(), error_text(source))
            }
            OptionsErrorKind::EventsFileText { path, line } => {
                write!(f, "{}:{line}: the line is not UTF-8; is this a list of events?", path.display())
            }
            OptionsErrorKind::EventsFileLong { path, limit_bytes } => {
                write!(f, "{}: longer than {limit_bytes} bytes; is this a list of events?", path.display())
            }
            OptionsErrorKind::FileWithoutBackend { path, backends } => {
                let path = path.display();
                write!(
                    f,
                    "file={path}: option not supported by the selected tracing backends ({backends}): "
                )?;
                f.write_str("`simple` and `log` write to files")
            }
            OptionsErrorKind::KeepWithoutRotation { count } => write!(
                f,
                "keep={count}: the trace has a single file without `rotate`; add `rotate=1G` or `rotate=1h`"
            ),
            OptionsErrorKind::CompressedV4 => f.write_str(
                "compress=zstd: the format v4 has no compression; add `format=compact`, or compress the file \
                 after the program has ended",
            ),
            OptionsErrorKind::RotatedFlightRecorder => f.write_str(
                "rotate: a flight recorder (policy=overwrite) writes its events only at the end or on request; \
                 use policy=discard or policy=block",
            ),
        }
    }
}

fn parameter(f: &mut fmt::Formatter<'_>, key: &str, has_value: bool) -> fmt::Result {
    write!(f, "Invalid parameter '{}'", key.escape_debug())?;
    let names = || KEYS.iter().map(|key| key.name);
    if let Some(known) = KEYS.iter().find(|known| known.name == key && !known.value.is_empty() && !has_value)
    {
        write!(f, ": it needs a value, as in `{key}={}`", known.value)
    } else if let Some(near) = nearest(key, names()) {
        let needs_value = KEYS.iter().any(|key| key.name == near && !key.value.is_empty());
        write!(f, "; did you mean `{near}{}`?", if needs_value { "=" } else { "" })
    } else if has_value {
        let names: Vec<&str> = names().collect();
        write!(f, "; expected one of {}", names.join(", "))
    } else {
        f.write_str(
            ": only the first item may be a pattern; for more patterns, repeat --trace; write a comma in a value as `,,`",
        )
    }
}
