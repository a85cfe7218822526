//! What a call finds around it.

use std::path::{Path, PathBuf};

/// What is known of the process, beside its arguments.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// The current folder.
    pub folder: PathBuf,
    /// What standard input is: few calls ask.
    pub stdin: fn() -> Stdin,
    /// Whether there is a file at a path.
    pub is_file: fn(&Path) -> bool,
}

/// What standard input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stdin {
    /// A file: `< trace-events`.
    File,
    /// A pipe or socket.
    Pipe,
    /// A terminal, `/dev/null`, nothing.
    Other,
}
