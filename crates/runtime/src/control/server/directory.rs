//! The folder that clients may name files in.

use std::path::{Path, PathBuf};

use super::ServerError;

/// The folder that holds where the program allows one and the address asks for another: it may ask for less, not for more.
pub(super) fn limit(allowed: Option<&Path>, asked: Option<&Path>) -> Result<Option<PathBuf>, ServerError> {
    let allowed = allowed.map(found).transpose()?;
    let asked = asked.map(found).transpose()?;
    match (allowed, asked) {
        (Some(allowed), Some(asked)) if !asked.starts_with(&allowed) => {
            Err(ServerError::Outside { asked, allowed })
        }
        (allowed, asked) => Ok(asked.or(allowed)),
    }
}

/// Where a folder is, behind all links, whatever the current folder is later.
fn found(folder: &Path) -> Result<PathBuf, ServerError> {
    folder.canonicalize().map_err(|error| ServerError::NoDirectory(folder.to_owned(), error))
}
