//! The folders that a worker serves.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::error::Error;

/// The largest number of files and folders below a path. It limits the time of the check.
const MAX_ENTRIES: usize = 4_000_000;

/// The folders whose traces a worker may read.
#[derive(Debug, Clone)]
pub struct Folders {
    /// The real paths of the folders.
    real: Vec<PathBuf>,
    /// The paths as they were given, from the root. They can contain symbolic links.
    given: Vec<PathBuf>,
}

impl Folders {
    /// Opens the folders.
    ///
    /// # Errors
    /// A folder does not exist.
    pub fn new(paths: &[PathBuf]) -> Result<Folders, Error> {
        let mut folders = Folders { real: Vec::new(), given: Vec::new() };
        for path in paths {
            let failed = |error| Error::system(path.display(), &error);
            let real = path.canonicalize().map_err(failed)?;
            if !real.is_dir() {
                return Err(Error::usage(format!("--folder {}: not a folder", path.display())));
            }
            folders.real.push(real);
            folders.given.push(std::path::absolute(path).map_err(failed)?);
        }
        if folders.real.is_empty() {
            return Err(Error::usage("no folder is given").help("ringtrace-worker --folder PATH"));
        }
        Ok(folders)
    }

    /// Returns the real path of `path`, or `None` if there is no such file. A relative path is
    /// searched in each folder.
    ///
    /// # Errors
    /// The path, or a symbolic link in it or below it, leads out of the folders.
    pub fn find(&self, path: &str) -> Result<Option<PathBuf>, Error> {
        let wanted = Path::new(path);
        let is_plain = |part: Component<'_>| {
            matches!(part, Component::RootDir | Component::CurDir | Component::Normal(_))
        };
        if path.contains('\0') || !wanted.components().all(is_plain) {
            return Err(self.refuse(path, "contains `..`"));
        }
        let is_given = self.given.iter().any(|folder| wanted.starts_with(folder));
        if wanted.is_absolute() && !is_given && !self.has(wanted) {
            return Err(self.refuse(path, "is not in a folder of this worker"));
        }
        for folder in &self.real {
            // An absolute path replaces the folder.
            let real = match folder.join(wanted).canonicalize() {
                Ok(real) => real,
                Err(error)
                    if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
                {
                    continue;
                }
                Err(error) => return Err(Error::system(path, &error)),
            };
            if !self.has(&real) {
                return Err(self.refuse(path, "leads out of the folders of this worker"));
            }
            self.check_below(path, &real)?;
            return Ok(Some(real));
        }
        Ok(None)
    }

    fn has(&self, path: &Path) -> bool {
        self.real.iter().any(|folder| path.starts_with(folder))
    }

    /// Checks the symbolic links in a folder and below, also in folders to which they lead.
    fn check_below(&self, path: &str, real: &Path) -> Result<(), Error> {
        let failed = |at: &Path, error: &io::Error| Error::system(at.display(), error);
        let (mut waiting, mut left) = (vec![real.to_owned()], MAX_ENTRIES);
        // Folders can link to each other.
        let mut seen = HashSet::new();
        while let Some(folder) = waiting.pop() {
            if !folder.is_dir() || !seen.insert(folder.clone()) {
                continue;
            }
            for entry in fs::read_dir(&folder).map_err(|error| failed(&folder, &error))? {
                let entry = entry.map_err(|error| failed(&folder, &error))?;
                left = left
                    .checked_sub(1)
                    .ok_or_else(|| Error::usage(format!("{path}: more than {MAX_ENTRIES} files")))?;
                let kind = entry.file_type().map_err(|error| failed(&folder, &error))?;
                if kind.is_dir() {
                    waiting.push(entry.path());
                } else if kind.is_symlink() {
                    // A dangling link cannot be read.
                    let Ok(target) = entry.path().canonicalize() else { continue };
                    if !self.has(&target) {
                        let link = entry.path();
                        let below = link.strip_prefix(real).unwrap_or(&link).display().to_string();
                        return Err(
                            self.refuse(path, &format!("contains the link `{below}`, which leads out"))
                        );
                    }
                    if target.is_dir() {
                        waiting.push(target);
                    }
                }
            }
        }
        Ok(())
    }

    fn refuse(&self, path: &str, reason: &str) -> Error {
        let folders: Vec<String> = self.real.iter().map(|folder| folder.display().to_string()).collect();
        Error::usage(format!("`{path}` {reason}"))
            .help(format!("this worker serves {}; `ringtrace-worker --folder` adds one", folders.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_but_not_out_of_the_folders() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        for folder in ["secret", "served/day", "served/other"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::write(root.join("secret/trace"), "").unwrap();
        let served = root.join("served");
        symlink(&served, root.join("link")).unwrap();
        symlink(served.join("other"), served.join("day/inside")).unwrap();
        // Links in a circle.
        symlink(served.join("day"), served.join("other/back")).unwrap();

        let folders = Folders::new(&[root.join("link")]).unwrap();
        for path in ["day".into(), served.join("day"), root.join("link/day")] {
            let path = path.to_str().unwrap();
            assert_eq!(folders.find(path).unwrap(), Some(served.join("day")), "{path}");
        }
        assert_eq!(folders.find("night").unwrap(), None);
        for path in [root.join("secret/trace"), "day/../../secret".into()] {
            assert!(folders.find(path.to_str().unwrap()).is_err(), "{path:?}");
        }
        // The link that leads out is below a folder to which another link leads.
        symlink(root.join("secret"), served.join("other/out")).unwrap();
        let error = folders.find("day").unwrap_err().to_string();
        assert!(error.contains("leads out"), "{error}");
    }
}
