//! Defects of compact traces.

use std::error::Error as StdError;
use std::fmt;
use std::io;

/// A defect of a compact trace. Except after [`BlockDefect::Newer`], reading can continue at the
/// next block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockError {
    /// The offset of the defect in the file.
    pub(crate) at: u64,
    pub(crate) defect: BlockDefect,
    message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockDefect {
    /// The file ends within a block.
    Truncated,
    Damaged,
    /// A newer version wrote the file.
    Newer,
}

impl fmt::Display for BlockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for BlockError {}

impl BlockError {
    /// Returns the defect in `error`, if `error` reports a defect of a compact trace.
    pub(crate) fn of(error: &io::Error) -> Option<&BlockError> {
        error.get_ref()?.downcast_ref()
    }

    pub(crate) fn io(at: u64, defect: BlockDefect, message: String) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, BlockError { at, defect, message })
    }
}
