//! The folders that a worker serves.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::error::Error;

/// The largest number of files and folders below a path. It limits the time of the check.
const MAX_ENTRIES: usize = 4_000_000;

/// The folders whose traces a worker may read.
#[derive(Debug, Clone)]
pub struct Folders(Vec<PathBuf>);

impl Folders {
    /// Opens the folders.
    ///
    /// # Errors
    /// A folder does not exist.
    pub fn new(paths: &[PathBuf]) -> Result<Folders, Error> {
        let mut folders = Vec::new();
        for path in paths {
            let real = path.canonicalize().map_err(|error| Error::system(path.display(), &error))?;
            if !real.is_dir() {
                return Err(Error::usage(format!("--folder {}: not a folder", path.display())));
            }
            folders.push(real);
        }
        if folders.is_empty() {
            return Err(Error::usage("no folder is given").help("ringtrace-worker --folder PATH"));
        }
        Ok(Folders(folders))
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
        if wanted.is_absolute() && !self.has(wanted) {
            return Err(self.refuse(path, "is not in a folder of this worker"));
        }
        for folder in &self.0 {
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
        self.0.iter().any(|folder| path.starts_with(folder))
    }

    /// Checks the symbolic links in a folder and below.
    fn check_below(&self, path: &str, real: &Path) -> Result<(), Error> {
        let failed = |at: &Path, error: &io::Error| Error::system(at.display(), error);
        let (mut waiting, mut left) = (vec![real.to_owned()], MAX_ENTRIES);
        while let Some(folder) = waiting.pop().filter(|at| at.is_dir()) {
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
                    let target = entry.path().canonicalize();
                    if target.is_ok_and(|target| !self.has(&target)) {
                        let link = entry.path();
                        let below = link.strip_prefix(real).unwrap_or(&link).display().to_string();
                        return Err(
                            self.refuse(path, &format!("contains the link `{below}`, which leads out"))
                        );
                    }
                }
            }
        }
        Ok(())
    }

    fn refuse(&self, path: &str, reason: &str) -> Error {
        let folders: Vec<String> = self.0.iter().map(|folder| folder.display().to_string()).collect();
        Error::usage(format!("`{path}` {reason}"))
            .help(format!("this worker serves {}; `ringtrace-worker --folder` adds one", folders.join(", ")))
    }
}
