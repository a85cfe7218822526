//! Folders that are there when they are complete, and not before.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::unfinished::Unfinished;
use super::{RANDOM_CHARACTERS, make_beside, temporary_name};
use crate::exit::CliError;

/// The file by which a folder is known as written here. It lists what was written; readers of folders pass over such names.
const MARK: &str = ".ringtrace-export";

/// Its first line.
const MARK_HEAD: &[u8] = b"ringtrace export\n";

/// A folder that is being written. What of it is not [kept](Folder::keep) leaves nothing behind; what a process left that was killed, the next one
/// removes that writes the same.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    name: String,
    unfinished: Unfinished,
    /// Held as long as it is written, and let go by the system if the process is killed.
    _lock: File,
}

impl Folder {
    /// Begins to write `path`, which is not there yet, or empty, or was written here and has nothing else in it.
    pub fn create(path: &Path) -> Result<Folder, CliError> {
        let name = path.display().to_string();
        // A link stays one: what it points to is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        check_replaceable(&path, &name)?;
        let system = |error: io::Error| CliError::system(&name, &error);
        remove_left_behind(&path);
        let make = || {
            let ((), temporary) = make_beside(&path, |name| fs::create_dir(name))?;
            temporary.keep().map_err(|kept| kept.error)
        };
        let unfinished = Unfinished::make(make).map_err(system)?;
        let lock = File::open(unfinished.path()).map_err(system)?;
        // File systems without locks have none to be asked for either.
        let _ = lock.try_lock();
        Ok(Folder { path, name, unfinished, _lock: lock })
    }

    /// Where to write.
    pub fn path(&self) -> &Path {
        self.unfinished.path()
    }

    /// Puts the folder in its place.
    pub fn keep(self) -> Result<(), CliError> {
        let Folder { path, name, unfinished, .. } = self;
        let system = |error: io::Error| CliError::system(&name, &error);
        mark(unfinished.path()).map_err(system)?;
        check_replaceable(&path, &name)?;
        unfinished.finish(|fresh| replace(fresh, &path)).map_err(system)
    }
}

/// Removes what processes left that were killed while they wrote `path`: nobody holds the lock of such a folder.
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
            // Nobody asked for it: that it cannot be removed is nobody's trouble.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Moves `fresh` to `path`. What was there before is at `fresh` then, or gone.
fn replace(fresh: &Path, path: &Path) -> io::Result<()> {
    // Where there is nothing, or an empty folder, that is all.
    let Err(error) = fs::rename(fresh, path) else { return Ok(()) };
    if !path.is_dir() {
        return Err(error);
    }
    if renameat_with(CWD, fresh, CWD, path, RenameFlags::EXCHANGE).is_ok() {
        return Ok(());
    }
    // File systems that cannot exchange.
    fs::remove_dir_all(path)?;
    fs::rename(fresh, path)
}

/// Lists in the folder what stands in it.
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

/// That nobody loses by it when `path` is replaced.
fn check_replaceable(path: &Path, name: &str) -> Result<(), CliError> {
    let system = |error: io::Error| CliError::system(name, &error);
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(system(error)),
        Ok(metadata) if !metadata.is_dir() => {
            let failure = CliError::usage(format!("{name} is a file, and a folder is to be written"));
            return Err(failure.help("name another place, or remove it first"));
        }
        Ok(_) => {}
    }
    let mut there = names(path).map_err(system)?;
    if there.is_empty() {
        return Ok(());
    }
    let listed = fs::read(path.join(MARK)).unwrap_or_default();
    let Some(listed) = listed.strip_prefix(MARK_HEAD) else {
        let failure = CliError::usage(format!("{name} is a folder with other things in it"));
        return Err(failure.help("only what an export wrote is replaced: name another folder"));
    };
    let listed: BTreeSet<OsString> =
        listed.split(|&byte| byte == b'\n').map(|name| OsString::from_vec(name.to_vec())).collect();
    there.retain(|name| name != MARK && !listed.contains(name));
    match there.first() {
        None => Ok(()),
        Some(other) => {
            let other = other.display();
            let failure = CliError::usage(format!("{name} has `{other}` in it, which no export wrote"));
            Err(failure.help("move it elsewhere, or name another folder"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder below `path` with the file `file`.
    fn written(path: &Path, file: &str) -> Result<Folder, CliError> {
        let folder = Folder::create(path)?;
        fs::write(folder.path().join(file), file).unwrap();
        Ok(folder)
    }

    fn shown(folder: &Path) -> Vec<String> {
        let names = names(folder).unwrap();
        names.iter().map(|name| name.to_string_lossy().into_owned()).filter(|name| name != MARK).collect()
    }

    #[test]
    fn nothing_is_there_before_it_is_kept_and_nothing_else_behind() {
        let outside = tempfile::tempdir().unwrap();
        let path = outside.path().join("out");
        drop(written(&path, "first").unwrap());
        assert_eq!(shown(outside.path()), [""; 0]);
        written(&path, "first").unwrap().keep().unwrap();
        assert_eq!((shown(outside.path()), shown(&path)), (vec!["out".to_owned()], vec!["first".to_owned()]));
        // The same again, and given up.
        drop(written(&path, "second").unwrap());
        assert_eq!(shown(&path), ["first"]);
        written(&path, "second").unwrap().keep().unwrap();
        assert_eq!(
            (shown(outside.path()), shown(&path)),
            (vec!["out".to_owned()], vec!["second".to_owned()])
        );
    }

    #[test]
    fn what_a_killed_process_left_is_removed_and_nothing_else() {
        let outside = tempfile::tempdir().unwrap();
        let path = outside.path().join("out");
        for name in [".out.abcdef.part", ".out.xyz.part", ".other.abcdef.part", ".out.abcdef.par"] {
            fs::create_dir(outside.path().join(name)).unwrap();
            fs::write(outside.path().join(name).join("half"), "half").unwrap();
        }
        fs::write(outside.path().join(".out.a_file.part"), "").unwrap();
        // One that is being written by somebody else.
        let writing = written(&path, "first").unwrap();
        written(&path, "second").unwrap().keep().unwrap();
        assert!(writing.path().exists());
        drop(writing);
        let left = [".other.abcdef.part", ".out.a_file.part", ".out.abcdef.par", ".out.xyz.part", "out"];
        assert_eq!(shown(outside.path()), left);
    }

    #[test]
    fn what_others_wrote_stays() {
        let outside = tempfile::tempdir().unwrap();
        let path = outside.path().join("out");
        let refused = |folder: Result<Folder, CliError>| {
            folder.unwrap_err().message.replace(&*path.display().to_string(), "OUT")
        };
        fs::write(&path, "file").unwrap();
        assert_eq!(refused(written(&path, "a")), "OUT is a file, and a folder is to be written");
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        written(&path, "a").unwrap().keep().unwrap();
        let late = written(&path, "b").unwrap();
        fs::write(path.join("notes"), "mine").unwrap();
        assert_eq!(
            late.keep().unwrap_err().message.rsplit(" has ").next(),
            Some("`notes` in it, which no export wrote")
        );
        assert_eq!(refused(written(&path, "a")), "OUT has `notes` in it, which no export wrote");
        fs::remove_file(path.join(MARK)).unwrap();
        assert_eq!(refused(written(&path, "a")), "OUT is a folder with other things in it");
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
