//! Output folders that appear at their path only when they are complete.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::unfinished::Unfinished;
use super::{Overwrite, RANDOM_CHARACTERS, make_beside, temporary_name};
use crate::exit::CliError;

/// The name of the mark file, which lists the files that an export wrote into the folder. A folder
/// with this file may be replaced. Its name starts with a dot, so that readers of the folder ignore
/// it.
const MARK: &str = ".ringtrace-export";

/// The first line of the mark file.
const MARK_HEAD: &[u8] = b"ringtrace export\n";

/// A folder that is being written. If it is dropped before [`keep`](Folder::keep), nothing remains.
/// If the process is killed, the next process that writes the same folder removes the leftovers.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    name: String,
    overwrite: Overwrite,
    unfinished: Unfinished,
    /// A lock held while the folder is written. The kernel releases it if the process is killed.
    _lock: File,
}

impl Folder {
    /// Starts writing a folder for `path`, which must be missing or an empty folder. With
    /// `overwrite`, it may also contain the files of an earlier export, but no other files.
    pub fn create(path: &Path, overwrite: Overwrite) -> Result<Folder, CliError> {
        let name = path.display().to_string();
        // A symbolic link is preserved, and its target is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        check_replaceable(&path, &name, overwrite)?;
        let system = |error: io::Error| CliError::system(&name, &error);
        remove_left_behind(&path);
        let make = || {
            let ((), temporary) = make_beside(&path, |name| fs::create_dir(name))?;
            temporary.keep().map_err(|kept| kept.error)
        };
        let unfinished = Unfinished::make(make).map_err(system)?;
        let lock = File::open(unfinished.path()).map_err(system)?;
        // Ignore errors: some file systems do not support locks.
        let _ = lock.try_lock();
        Ok(Folder { path, name, overwrite, unfinished, _lock: lock })
    }

    /// Returns the temporary folder to write into.
    pub fn path(&self) -> &Path {
        self.unfinished.path()
    }

    /// Moves the folder to its final path.
    pub fn keep(self) -> Result<(), CliError> {
        let Folder { path, name, overwrite, unfinished, .. } = self;
        let system = |error: io::Error| CliError::system(&name, &error);
        mark(unfinished.path()).map_err(system)?;
        check_replaceable(&path, &name, overwrite)?;
        unfinished.finish(|fresh| replace(fresh, &path)).map_err(system)
    }
}

/// Removes the temporary folders of processes that were killed while they wrote `path`. Nobody
/// holds the locks of these folders.
fn remove_left_behind(path: &Path) {
    let is_left = |folder: &Path| {
        let is_folder = fs::symlink_metadata(folder).is_ok_and(|metadata| metadata.is_dir());
        is_folder && File::open(folder).is_ok_and(|lock| lock.try_lock().is_ok())
    };
    let (begin, end) = temporary_name(path);
    let entries = fs::read_dir(super::folder(path)).into_iter().flatten().filter_map(Result::ok);
    for entry in entries {
        let name = entry.file_name();
        let middle = name.to_str().and_then(|name| name.strip_prefix(&begin)?.strip_suffix(end));
        if middle.is_some_and(|middle| middle.len() == RANDOM_CHARACTERS) && is_left(&entry.path()) {
            // Ignore errors: this cleanup is best effort.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Moves `fresh` to `path`. Afterwards, the previous content is at `fresh`, or deleted.
fn replace(fresh: &Path, path: &Path) -> io::Result<()> {
    // A rename is enough if `path` does not exist or is an empty folder.
    let Err(error) = fs::rename(fresh, path) else { return Ok(()) };
    if !path.is_dir() {
        return Err(error);
    }
    if renameat_with(CWD, fresh, CWD, path, RenameFlags::EXCHANGE).is_ok() {
        return Ok(());
    }
    // The file system cannot exchange two folders.
    fs::remove_dir_all(path)?;
    fs::rename(fresh, path)
}

/// Writes the mark file, which lists the folder's content.
fn mark(folder: &Path) -> io::Result<()> {
    let mut text = MARK_HEAD.to_vec();
    for name in names(folder)? {
        text.extend_from_slice(name.as_bytes());
        text.push(b'\n');
    }
    fs::write(folder.join(MARK), text)
}

fn names(folder: &Path) -> io::Result<BTreeSet<OsString>> {
    folder.read_dir()?.map(|entry| Ok(entry?.file_name())).collect()
}

/// Checks that replacing `path` destroys only files that an export wrote, and only if `overwrite`
/// permits that.
fn check_replaceable(path: &Path, name: &str, overwrite: Overwrite) -> Result<(), CliError> {
    let system = |error: io::Error| CliError::system(name, &error);
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(system(error)),
        Ok(metadata) if !metadata.is_dir() => {
            let failure = CliError::usage(format!("cannot write the folder {name}: it is a file"));
            return Err(failure.help("choose another path, or remove the file first"));
        }
        Ok(_) => {}
    }
    let mut there = names(path).map_err(system)?;
    if there.is_empty() {
        return Ok(());
    }
    let listed = fs::read(path.join(MARK)).unwrap_or_default();
    let Some(listed) = listed.strip_prefix(MARK_HEAD) else {
        let failure = CliError::usage(format!("cannot replace the folder {name}: it contains other files"));
        return Err(failure.help("only folders that an export wrote are replaced: choose another path"));
    };
    let listed: BTreeSet<OsString> =
        listed.split(|&byte| byte == b'\n').map(|name| OsString::from_vec(name.to_vec())).collect();
    there.retain(|name| name != MARK && !listed.contains(name));
    match there.first() {
        None if overwrite.force => Ok(()),
        None => Err(CliError::usage(format!("the folder {name} already exists"))
            .help("choose another name, or replace the folder with --force")),
        Some(other) => {
            let other = other.display();
            let failure = CliError::usage(format!(
                "cannot replace the folder {name}: it contains `{other}`, which was not written by an export"
            ));
            Err(failure.help("move that file elsewhere, or choose another folder"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(path: &Path, file: &str) -> Result<Folder, CliError> {
        let folder = Folder::create(path, Overwrite::ALWAYS)?;
        fs::write(folder.path().join(file), file).unwrap();
        Ok(folder)
    }

    fn shown(folder: &Path) -> Vec<String> {
        let names = names(folder).unwrap();
        names.iter().map(|name| name.to_string_lossy().into_owned()).filter(|name| name != MARK).collect()
    }

    #[test]
    fn a_folder_appears_when_kept_and_leaves_no_other_files() {
        let outside = tempfile::tempdir().unwrap();
        let path = outside.path().join("out");
        drop(written(&path, "first").unwrap());
        assert_eq!(shown(outside.path()), [""; 0]);
        written(&path, "first").unwrap().keep().unwrap();
        assert_eq!((shown(outside.path()), shown(&path)), (vec!["out".to_owned()], vec!["first".to_owned()]));
        // Start to replace the folder, but drop the replacement.
        drop(written(&path, "second").unwrap());
        assert_eq!(shown(&path), ["first"]);
        written(&path, "second").unwrap().keep().unwrap();
        assert_eq!(
            (shown(outside.path()), shown(&path)),
            (vec!["out".to_owned()], vec!["second".to_owned()])
        );
    }

    #[test]
    fn folders_of_killed_processes_are_removed_and_no_others() {
        let outside = tempfile::tempdir().unwrap();
        let path = outside.path().join("out");
        for name in [".out.abcdef.part", ".out.xyz.part", ".other.abcdef.part", ".out.abcdef.par"] {
            fs::create_dir(outside.path().join(name)).unwrap();
            fs::write(outside.path().join(name).join("half"), "half").unwrap();
        }
        fs::write(outside.path().join(".out.a_file.part"), "").unwrap();
        // This temporary folder is still being written.
        let writing = written(&path, "first").unwrap();
        written(&path, "second").unwrap().keep().unwrap();
        assert!(writing.path().exists());
        drop(writing);
        let left = [".other.abcdef.part", ".out.a_file.part", ".out.abcdef.par", ".out.xyz.part", "out"];
        assert_eq!(shown(outside.path()), left);
    }

    #[test]
    fn files_that_no_export_wrote_stay() {
        let outside = tempfile::tempdir().unwrap();
        let path = outside.path().join("out");
        let refused = |folder: Result<Folder, CliError>| {
            folder.unwrap_err().message.replace(&*path.display().to_string(), "OUT")
        };
        fs::write(&path, "file").unwrap();
        assert_eq!(refused(written(&path, "a")), "cannot write the folder OUT: it is a file");
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        written(&path, "a").unwrap().keep().unwrap();
        let late = written(&path, "b").unwrap();
        fs::write(path.join("notes"), "mine").unwrap();
        let refusal =
            "cannot replace the folder OUT: it contains `notes`, which was not written by an export";
        assert!(
            late.keep()
                .unwrap_err()
                .message
                .ends_with("it contains `notes`, which was not written by an export")
        );
        assert_eq!(refused(written(&path, "a")), refusal);
        fs::remove_file(path.join(MARK)).unwrap();
        let refusal = "cannot replace the folder OUT: it contains other files";
        assert_eq!(refused(written(&path, "a")), refusal);
        assert_eq!(shown(&path), ["a", "notes"]);
        assert_eq!(shown(outside.path()), ["out"]);
    }

    #[test]
    fn a_link_to_a_folder_stays_one() {
        let outside = tempfile::tempdir().unwrap();
        let (path, link) = (outside.path().join("out"), outside.path().join("link"));
        fs::create_dir(&path).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        written(&link, "a").unwrap().keep().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(shown(&path), ["a"]);
    }
}
