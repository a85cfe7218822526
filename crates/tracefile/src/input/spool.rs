//! A stream, copied to a temporary file that can be read more than once.

use std::io::{self, Write};
use std::path::Path;

use super::Input;
use crate::error::{Error, reason};

/// `input`, whole and mapped. An empty one stays as it is.
///
/// # Errors
/// When it cannot be read, or the temporary file cannot be written.
pub(crate) fn spool(name: &str, mut input: Input) -> Result<Input, Error> {
    let folder = std::env::temp_dir();
    let refused = |error: io::Error| temporary_file_error(name, &folder, &error);
    let mut file = tempfile::tempfile_in(&folder).map_err(refused)?;
    while input.grow(1).map_err(|error| Error::io(name, &error))? {
        let window = input.window();
        file.write_all(window).map_err(refused)?;
        input.consume(window.len());
    }
    if input.offset() == 0 {
        return Ok(input);
    }
    Input::from_file(file).map_err(refused)
}

pub(crate) fn temporary_file_error(file: &str, folder: &Path, error: &io::Error) -> Error {
    let message =
        format!("sorting needs a temporary file, but {} takes none: {}", folder.display(), reason(error));
    Error::new(file, message)
        .by_system()
        .help("name a folder with room for it in the environment variable TMPDIR")
}
