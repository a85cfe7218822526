//! What can be wrong with an option.

use std::fmt;
use std::io;
use std::path::PathBuf;

use ringtrace_events::nearest::nearest;

use super::keys::KEYS;
use super::{Backends, UnknownBackend};
use crate::os::error_text;

/// What is wrong with an option, and where it was given.
///
/// Its `Debug` is its text, too, since that is what a `main` that returns it prints.
pub struct OptionsError {
    /// The option as it was given, `--trace blk_*,fiel=x`; empty for what a program asked for by calls.
    location: String,
    kind: OptionsErrorKind,
}

/// What is wrong with an option.
#[derive(Debug)]
#[non_exhaustive]
pub enum OptionsErrorKind {
    /// A part behind the first is not `KEY=VALUE`, or a key is unknown.
    Parameter {
        /// What was given for a key.
        key: String,
        /// Whether a `=` followed.
        has_value: bool,
    },
    /// A value is not what its key takes.
    Value {
        /// The key.
        key: &'static str,
        /// The value.
        value: String,
        /// What the key takes.
        expected: String,
    },
    /// A word is no backend.
    Backend(UnknownBackend),
    /// A part that must be text is not UTF-8.
    NotText {
        /// The part, with what is no text replaced.
        shown: String,
    },
    /// The option is the last argument.
    Missing {
        /// A value that it takes.
        such_as: &'static str,
    },
    /// A monitor's address cannot be understood.
    #[cfg(feature = "monitor")]
    Monitor(super::AddressError),
    /// An events file cannot be read.
    EventsFile {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A line of an events file is not UTF-8.
    EventsFileText {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
    },
    /// An events file is longer than any list of events.
    EventsFileLong {
        /// The file.
        path: PathBuf,
        /// The most that is read.
        limit_bytes: u64,
    },
    /// There is a file, but no backend writes to one.
    FileWithoutBackend {
        /// The file.
        path: PathBuf,
        /// The backends.
        backends: Backends,
    },
}

impl OptionsError {
    pub(crate) fn new(location: String, kind: OptionsErrorKind) -> OptionsError {
        OptionsError { location, kind }
    }

    /// What is wrong.
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
            OptionsErrorKind::Missing { such_as } => write!(f, "a value is missing, such as {such_as}"),
            #[cfg(feature = "monitor")]
            OptionsErrorKind::Monitor(error) => error.fmt(f),
            OptionsErrorKind::EventsFile { path, source } => {
                write!(f, "cannot read {}: {}", path.display(), error_text(source))
            }
            OptionsErrorKind::EventsFileText { path, line } => {
                write!(f, "{}:{line}: the line is not UTF-8: is this a list of events?", path.display())
            }
            OptionsErrorKind::EventsFileLong { path, limit_bytes } => {
                write!(f, "{}: longer than {limit_bytes} bytes: is this a list of events?", path.display())
            }
            OptionsErrorKind::FileWithoutBackend { path, backends } => {
                let path = path.display();
                write!(
                    f,
                    "file={path}: option not supported by the selected tracing backends ({backends}): "
                )?;
                f.write_str("`simple` and `log` write to files")
            }
        }
    }
}

fn parameter(f: &mut fmt::Formatter<'_>, key: &str, has_value: bool) -> fmt::Result {
    write!(f, "Invalid parameter '{}'", key.escape_debug())?;
    let names = || KEYS.iter().map(|key| key.name);
    if let Some(near) = nearest(key, names()) {
        write!(f, ": is `{near}=` meant?")
    } else if has_value {
        let names: Vec<&str> = names().collect();
        write!(f, ": there are {}", names.join(", "))
    } else {
        f.write_str(
            ": only the first item may be a pattern; repeat --trace for more, and double a comma in a value",
        )
    }
}
