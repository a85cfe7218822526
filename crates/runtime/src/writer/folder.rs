//! The folder of a trace that consists of several files.
//!
//! The files are named `NNNNNNNN-YYYYMMDDTHHMMSSZ.trace`, with a number and the time of creation.
//! The numbers continue from those in the folder, also of compressed files. A file gets its name when it contains its first
//! data, so every named file can be read. The folder stays open, so a program may change its root. Only if the folder is
//! removed, its path is used again, in the root of that moment.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ringtrace_wire::folder::{LARGEST_NUMBER, number, number_if_compressed};
use rustix::fs::{
    AtFlags, Dir, Mode, OFlags, RenameFlags, openat, renameat, renameat_with, statat, unlinkat,
};
use rustix::io::Errno;

use crate::backend::Moment;
use crate::options::Rotation;
use crate::os::files::{self, LockError};

/// The lock file. Its owner is the program that writes to the folder.
const LOCK: &str = ".lock";

/// The name of a file until it contains its first data.
const UNFINISHED: &str = ".unfinished";

#[derive(Debug)]
pub(super) struct TraceFolder {
    path: PathBuf,
    within: Option<PathBuf>,
    folder: OwnedFd,
    /// Locked as long as this is open. The lock is not inherited by forked children.
    _lock: File,
    next: AtomicU64,
    pub(super) rotation: Rotation,
}

impl TraceFolder {
    /// Opens the folder, and creates it if it does not exist.
    ///
    /// # Errors
    /// Fails if another program writes to the folder, or a system call fails.
    pub(super) fn open(path: &Path, within: Option<&Path>, rotation: Rotation) -> io::Result<TraceFolder> {
        let folder = files::open_folder(path, within).map_err(|error| match error.kind() {
            io::ErrorKind::NotADirectory => io::Error::new(
                io::ErrorKind::NotADirectory,
                "it exists and is not a folder; with `rotate`, `file=` is the folder of the traces",
            ),
            _ => error,
        })?;
        let lock = lock(&folder)?;
        // A killed program may have left it.
        let _ = unlinkat(&folder, UNFINISHED, AtFlags::empty());
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let within =
            within.map(|within| std::path::absolute(within).unwrap_or_else(|_| within.to_path_buf()));
        let folder = TraceFolder { path, within, folder, _lock: lock, next: AtomicU64::new(1), rotation };
        let last =
            folder.names(number_if_compressed)?.into_iter().map(|(number, _)| number).max().unwrap_or(0);
        if last >= LARGEST_NUMBER {
            return Err(io::Error::other(format!(
                "no number follows that of its file {last}; rename that file"
            )));
        }
        folder.next.store(last + 1, Ordering::Relaxed);
        Ok(folder)
    }

    /// Does the same as [`TraceFolder::create`] in `folder`. If that was removed, creates a folder at its path, and
    /// returns it.
    pub(super) fn create_in(folder: &Arc<TraceFolder>) -> io::Result<(Arc<TraceFolder>, PathBuf, File)> {
        let (folder, (path, file)) = match folder.create() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let again = TraceFolder::open(&folder.path, folder.within.as_deref(), folder.rotation)?;
                again.next.fetch_max(folder.next.load(Ordering::Relaxed), Ordering::Relaxed);
                let created = again.create()?;
                (Arc::new(again), created)
            }
            created => (Arc::clone(folder), created?),
        };
        Ok((folder, path, file))
    }

    /// Creates a file. Returns its path, which it gets with [`TraceFolder::publish`]. Until then, its
    /// number is not used up: readers would take an unused number for a missing file.
    fn create(&self) -> io::Result<(PathBuf, File)> {
        let mut name = format!("{:08}-", self.next.load(Ordering::Relaxed));
        // Writing to a string does not fail.
        let _ = Moment::now().push_compact(&mut name);
        name.push_str(".trace");
        let flags = OFlags::WRONLY
            | OFlags::CREATE
            | OFlags::EXCL
            | OFlags::CLOEXEC
            | OFlags::NOFOLLOW
            | OFlags::NOCTTY;
        let file = openat(&self.folder, UNFINISHED, flags, Mode::RUSR | Mode::WUSR)?;
        Ok((self.path.join(name), File::from(file)))
    }

    /// Gives the file that was created last its name.
    ///
    /// # Errors
    /// Fails if the name exists, or the system call fails.
    pub(super) fn publish(&self, path: &Path) -> io::Result<()> {
        let published = self.rename(path.file_name().unwrap_or_default());
        if published.as_ref().err().is_none_or(|error| error.kind() == io::ErrorKind::AlreadyExists) {
            self.next.fetch_add(1, Ordering::Relaxed);
        }
        published
    }

    /// Renames the unfinished file to `name`, which must not exist.
    fn rename(&self, name: &OsStr) -> io::Result<()> {
        match renameat_with(&self.folder, UNFINISHED, &self.folder, name, RenameFlags::NOREPLACE) {
            // Some file systems and sandboxes do not support the flag.
            Err(Errno::INVAL | Errno::NOSYS | Errno::PERM) => {
                if statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW).is_ok() {
                    return Err(io::ErrorKind::AlreadyExists.into());
                }
                Ok(renameat(&self.folder, UNFINISHED, &self.folder, name)?)
            }
            renamed => Ok(renamed?),
        }
    }

    /// Removes the file that was created last and has no name yet.
    pub(super) fn discard(&self) {
        let _ = unlinkat(&self.folder, UNFINISHED, AtFlags::empty());
    }

    /// Removes the oldest files, if there are more than requested. The newest files, the current one
    /// and any that have larger numbers are kept.
    ///
    /// # Errors
    /// Returns the first error, after removing all other old files.
    pub(super) fn remove_old(&self) -> io::Result<()> {
        let Some(keep) = self.rotation.keep else { return Ok(()) };
        let current = self.next.load(Ordering::Relaxed).saturating_sub(1);
        // Compressed files are the user's.
        let mut names = self.names(number)?;
        names.sort_unstable();
        let excess = names.len().saturating_sub(keep.max(1));
        let mut failed = Ok(());
        for (_, name) in names[..excess].iter().filter(|(number, _)| *number < current) {
            match unlinkat(&self.folder, name.as_str(), AtFlags::empty()) {
                Ok(()) | Err(Errno::NOENT) => {}
                Err(error) => failed = failed.and(Err(error.into())),
            }
        }
        failed
    }

    /// Returns the names of the files to which `number_of` gives a number, with the numbers.
    fn names(&self, number_of: fn(&str) -> Option<u64>) -> io::Result<Vec<(u64, String)>> {
        let mut names = Vec::new();
        for entry in Dir::read_from(&self.folder)? {
            let entry = entry?;
            if let Ok(name) = entry.file_name().to_str()
                && let Some(number) = number_of(name)
            {
                names.push((number, name.to_owned()));
            }
        }
        Ok(names)
    }
}

fn lock(folder: &OwnedFd) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NOCTTY;
    let file = File::from(openat(folder, LOCK, flags, Mode::RUSR | Mode::WUSR)?);
    match files::lock(&file) {
        Ok(()) => Ok(file),
        Err(LockError::Owned(owner)) => {
            let owner = owner.map(|pid| format!(" {}", pid.as_raw_nonzero()));
            Err(io::Error::new(
                io::ErrorKind::ResourceBusy,
                format!(
                    "process{} writes to this folder; end it, or choose another folder with `file=`",
                    owner.unwrap_or_default()
                ),
            ))
        }
        Err(LockError::System(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(path: &Path) -> Vec<u64> {
        let names = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name());
        let mut numbers: Vec<u64> = names.filter_map(|name| number(name.to_str()?)).collect();
        numbers.sort_unstable();
        numbers
    }

    fn number_of(path: &Path) -> Option<u64> {
        number(path.file_name()?.to_str()?)
    }

    #[test]
    fn numbers_continue_and_old_files_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("traces");
        let rotation = Rotation { keep: Some(2), ..Rotation::default() };
        let names = || {
            let names = std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name());
            let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
            names.sort_unstable();
            names
        };
        let first = TraceFolder::open(&path, None, rotation).unwrap();
        std::fs::write(path.join("00000007-20200101T000000Z.trace"), "x").unwrap();
        std::fs::write(path.join("00000001-notes"), "x").unwrap();
        std::fs::write(path.join(UNFINISHED), "x").unwrap();
        drop(first);
        let folder = TraceFolder::open(&path, None, rotation).unwrap();
        for expected in 8..=10 {
            let (path, _) = folder.create().unwrap();
            folder.publish(&path).unwrap();
            folder.remove_old().unwrap();
            assert_eq!(number_of(&path), Some(expected));
        }
        let names = names();
        assert_eq!(names[..2], [".lock", "00000001-notes"]);
        assert_eq!(names[2..].iter().filter_map(|name| number(name)).collect::<Vec<_>>(), [9, 10]);
        // Compressed files count for the next number, and are never removed.
        for ending in ["", ".zst"] {
            std::fs::write(path.join(format!("00000003-20200101T000000Z.trace{ending}")), "x").unwrap();
        }
        folder.remove_old().unwrap();
        assert_eq!(numbers(&path), [9, 10]);
        assert!(path.join("00000003-20200101T000000Z.trace.zst").exists());
        let other = place.path().join("compressed");
        drop(TraceFolder::open(&other, None, rotation).unwrap());
        std::fs::write(other.join("00000041-20200101T000000Z.trace.gz"), "x").unwrap();
        let (next, _) = TraceFolder::open(&other, None, rotation).unwrap().create().unwrap();
        assert_eq!(number_of(&next), Some(42));
        // Files with larger numbers, and what cannot be removed, do not cost the current file.
        std::fs::create_dir(path.join("00000002-20200101T000000Z.trace")).unwrap();
        for number in [900, 901, 902] {
            std::fs::write(path.join(format!("{number:08}-20200101T000000Z.trace")), "x").unwrap();
        }
        assert!(folder.remove_old().is_err(), "a folder is not removed");
        assert_eq!(numbers(&path), [2, 10, 900, 901, 902]);
        // The number of a file that gets no name is used again.
        let (unused, _) = folder.create().unwrap();
        folder.discard();
        let (next, _) = folder.create().unwrap();
        assert_eq!(number_of(&unused), number_of(&next));
        // An existing file is never replaced.
        std::fs::write(&next, "mine").unwrap();
        assert_eq!(folder.publish(&next).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read(&next).unwrap(), b"mine");
    }
}
