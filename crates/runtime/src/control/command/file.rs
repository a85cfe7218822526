//! Files that clients name.

use std::path::{Path, PathBuf};

use super::CommandError;
use crate::control::command::Program;
use crate::os::error_text;

/// A file that a client has named.
pub(super) struct ClientFile {
    pub(super) path: PathBuf,
    /// Where it must be, also when it is opened: what is there may be a link by then.
    pub(super) within: Option<PathBuf>,
}

/// The file that a client means by `name`, if the program allows it: in the program's folder, or below, whatever links are on the
/// way. Relative names are seen from that folder, or without one from where the program is.
///
/// # Errors
/// When it is no name, or one outside of the program's folder.
pub(super) fn resolve(name: &str, program: &Program) -> Result<ClientFile, CommandError> {
    if name.is_empty() {
        return Err(CommandError::new("the name of the file is empty"));
    }
    if name.contains('\0') {
        return Err(CommandError::new("the name of the file has a zero byte"));
    }
    let Some(folder) = &program.directory else {
        return Ok(ClientFile { path: PathBuf::from(name), within: None });
    };
    let refused = |why: &str| CommandError::new(format_args!("file \"{name}\" is not allowed: {why}"));
    let folder_now = |error| refused(&format!("{}: {}", folder.display(), error_text(&error)));
    let folder = folder.canonicalize().map_err(folder_now)?;
    let path = folder.join(name);
    // A file that is there may be a link, one that is not is made where its folder is.
    let found = match path.symlink_metadata() {
        Ok(_) => path.canonicalize(),
        Err(_) => in_real_folder(&path),
    };
    let found = found.map_err(|error| refused(&error_text(&error)))?;
    if found.starts_with(&folder) && found != folder {
        Ok(ClientFile { path: found, within: Some(folder) })
    } else {
        Err(refused(&format!("it is not in {}", folder.display())))
    }
}

fn in_real_folder(path: &Path) -> std::io::Result<PathBuf> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(std::io::ErrorKind::InvalidFilename.into());
    };
    Ok(folder.canonicalize()?.join(name))
}
