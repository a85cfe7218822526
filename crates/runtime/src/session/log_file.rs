//! The file of the backend `log`, while the program runs.

use std::path::Path;

use super::{StartError, state};
use crate::{Backends, Settings, backend};

/// Where lines of the backend `log` go from now on; `None`: to standard error. One `%d` in it stands for the process id. A file that is there
/// is emptied; the one that is written already stays as it is, and that of the trace is none for a log. While nothing goes to `log`, the file is made when something does.
///
/// # Errors
/// When the name is none for a log, the file cannot be made or is a pipe that nobody reads, or nothing was started. Nothing is changed then.
pub fn set_log_file(path: Option<&Path>) -> Result<(), StartError> {
    set_log_file_within(path, None)
}

/// [`set_log_file`]; `within`: a folder that the file must be in, without a link, whenever it is made.
pub(crate) fn set_log_file_within(path: Option<&Path>, within: Option<&Path>) -> Result<(), StartError> {
    let mut state = state();
    let before = state.settings.take().ok_or(StartError::NotRunning)?;
    let settings = Settings {
        log_file: path.map(Path::to_owned),
        log_file_within: within.map(Path::to_owned),
        ..before.clone()
    };
    let set = backend::look_for_trace(&settings);
    let set = set.and_then(|()| {
        if state.ready.contains(Backends::LOG) {
            backend::reopen_log(&settings)
        } else {
            backend::check_log_file(&settings)
        }
    });
    state.settings = Some(if set.is_ok() { settings } else { before });
    set.map_err(StartError::Backend)
}
