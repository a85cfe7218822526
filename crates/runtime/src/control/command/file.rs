//! Checks of file names that clients send.

use std::path::{Path, PathBuf};

use super::CommandError;
use crate::control::command::Program;
use crate::os::error_text;

pub(super) struct ClientFile {
    pub(super) path: PathBuf,
    /// The folder that must contain the file. This is checked again when the file is opened,
    /// because a link may have been created by then.
    pub(super) within: Option<PathBuf>,
}

/// Checks that the program allows clients to use the file `name`. If the program has set a folder,
/// the file must be in or below it after all links are resolved. Relative names start in that
/// folder, or in the current folder if none is set.
///
/// # Errors
/// Fails if `name` is empty, contains a zero byte, or refers to a file outside the program's
/// folder.
pub(super) fn resolve(name: &str, program: &Program) -> Result<ClientFile, CommandError> {
    if name.is_empty() {
        return Err(CommandError::new("the file name is empty"));
    }
    if name.contains('\0') {
        return Err(CommandError::new("the file name contains a zero byte"));
    }
    let Some(folder) = &program.directory else {
        return Ok(ClientFile { path: PathBuf::from(name), within: None });
    };
    let refused = |why: &str| CommandError::new(format_args!("file \"{name}\" is not allowed: {why}"));
    let folder_now = |error| refused(&format!("{}: {}", folder.display(), error_text(&error)));
    let folder = folder.canonicalize().map_err(folder_now)?;
    let path = folder.join(name);
    // An existing file may be a link. For a new file, resolve the folder in which it will be
    // created.
    let found = match path.symlink_metadata() {
        Ok(_) => path.canonicalize(),
        Err(_) => in_real_folder(&path),
    };
    let found = found.map_err(|error| refused(&error_text(&error)))?;
    if found.starts_with(&folder) && found != folder {
        Ok(ClientFile { path: found, within: Some(folder) })
    } else {
        Err(refused(&format!("it is outside of {}", folder.display())))
    }
}

fn in_real_folder(path: &Path) -> std::io::Result<PathBuf> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(std::io::ErrorKind::InvalidFilename.into());
    };
    Ok(folder.canonicalize()?.join(name))
}
