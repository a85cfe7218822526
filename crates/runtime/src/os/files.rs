//! Opens files for writing. New files are accessible to the owner only. Paths from clients must be
//! inside a folder.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::{Component, Path};

use rustix::fs::{CWD, FlockOperation, Mode, OFlags, fcntl_lock, mkdirat, openat, renameat};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{Flock, FlockType, Pid, fcntl_getlk};

/// Opens a file for writing, with `flags`. A new file is accessible to its owner only.
///
/// The caller has checked earlier that the path is inside `folder`, but links may have changed
/// since. So no symbolic link below the folder is followed.
///
/// # Errors
/// Fails if the file cannot be opened, is not inside the folder, or has a symbolic link in its
/// path.
pub(crate) fn open_within(path: &Path, folder: &Path, flags: OFlags) -> io::Result<File> {
    let (folder_fd, file) = open_parent(path, folder)?;
    let flags = flags | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NOCTTY;
    let opened = retry_on_intr(|| openat(&folder_fd, file, flags, Mode::RUSR | Mode::WUSR));
    opened.map(File::from).map_err(of_link)
}

/// Opens the folder that contains `path`, which must be inside `folder`. Also returns the last name
/// of the path.
fn open_parent<'p>(path: &'p Path, folder: &Path) -> io::Result<(OwnedFd, &'p OsStr)> {
    let outside = || io::Error::other(format!("it is not in {}", folder.display()));
    let inner = path.strip_prefix(folder).map_err(|_| outside())?;
    let names: Option<Vec<&OsStr>> = inner.components().map(name_of).collect();
    let names = names.ok_or_else(outside)?;
    let (file, folders) = names.split_last().ok_or_else(outside)?;
    let way = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut folder_fd = retry_on_intr(|| openat(CWD, folder, way, Mode::empty()))?;
    for name in folders {
        let way = way | OFlags::NOFOLLOW;
        folder_fd = retry_on_intr(|| openat(&folder_fd, *name, way, Mode::empty())).map_err(of_link)?;
    }
    Ok((folder_fd, file))
}

/// Opens the folder at `path`, and creates it if it does not exist. If `within` is given, the folder
/// must be in that folder, and its path must not contain symbolic links.
///
/// # Errors
/// Fails when the folder cannot be opened or created.
pub(crate) fn open_folder(path: &Path, within: Option<&Path>) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let create_and_open = |parent: BorrowedFd<'_>, name: &OsStr, flags: OFlags| {
        match mkdirat(parent, name, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error),
        }
        retry_on_intr(|| openat(parent, name, flags, Mode::empty()))
    };
    match within {
        Some(folder) => {
            let (parent, name) = open_parent(path, folder)?;
            create_and_open(parent.as_fd(), name, flags | OFlags::NOFOLLOW).map_err(of_link)
        }
        None => Ok(create_and_open(CWD, path.as_os_str(), flags)?),
    }
}

fn name_of(component: Component<'_>) -> Option<&OsStr> {
    match component {
        Component::Normal(name) => Some(name),
        _ => None,
    }
}

/// Replaces the system's errors for symbolic links, which are misleading: too many links, or not a
/// folder.
fn of_link(error: Errno) -> io::Error {
    match error {
        Errno::LOOP | Errno::NOTDIR => {
            io::Error::other("its path contains a symbolic link that was created after the file name was set")
        }
        error => error.into(),
    }
}

/// Returns options for a file that is accessible to its owner only. The standard library adds
/// close-on-exec.
pub(crate) fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).mode(0o600);
    options
}

/// Creates the file, or truncates an existing one. If `within` is given, the file must be in that
/// folder, and its path must not contain symbolic links.
///
/// # Errors
/// Fails when the file cannot be opened.
pub(crate) fn open_emptied(path: &Path, within: Option<&Path>) -> io::Result<File> {
    match within {
        Some(folder) => open_within(path, folder, OFlags::CREATE | OFlags::TRUNC),
        None => options().create(true).truncate(true).open(path),
    }
}

/// Creates a file that must not exist yet. If `within` is given, the file must be in that folder,
/// and its path must not contain symbolic links.
///
/// # Errors
/// Fails when the file cannot be created.
pub(crate) fn open_new(path: &Path, within: Option<&Path>) -> io::Result<File> {
    match within {
        Some(folder) => open_within(path, folder, OFlags::CREATE | OFlags::EXCL),
        None => options().create_new(true).open(path),
    }
}

/// Opens a file for writing, and creates it if it does not exist. If `within` is given, the file must
/// be in that folder, and its path must not contain symbolic links.
///
/// # Errors
/// Fails when the file cannot be opened.
pub(crate) fn open_or_create(path: &Path, within: Option<&Path>) -> io::Result<File> {
    match within {
        Some(folder) => open_within(path, folder, OFlags::CREATE),
        None => options().create(true).truncate(false).open(path),
    }
}

/// Renames a file. A file with the new name, which must be in the same folder, is replaced. If `within`
/// is given, the files must be in that folder, and their path must not contain symbolic links.
///
/// # Errors
/// Fails when the file cannot be renamed.
pub(crate) fn rename(path: &Path, new: &Path, within: Option<&Path>) -> io::Result<()> {
    let Some(folder) = within else { return std::fs::rename(path, new) };
    let (folder_fd, file) = open_parent(path, folder)?;
    Ok(renameat(&folder_fd, file, &folder_fd, new.file_name().unwrap_or_default())?)
}

/// The reason why a file could not be locked.
#[derive(Debug)]
pub(crate) enum LockError {
    /// Another process, which may be known, has locked it.
    Owned(Option<Pid>),
    /// For example, the file system has no locks.
    System(io::Error),
}

/// Locks a file until the process closes one of its descriptors of the file. Forked children do not
/// inherit the lock.
///
/// # Errors
/// Fails if another process has locked the file, or the system call fails.
pub(crate) fn lock(file: &File) -> Result<(), LockError> {
    match fcntl_lock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(()),
        Err(Errno::ACCESS | Errno::AGAIN) => {
            let owner = fcntl_getlk(file, &Flock::from(FlockType::WriteLock)).ok().flatten();
            Err(LockError::Owned(owner.and_then(|owner| owner.pid)))
        }
        Err(error) => Err(LockError::System(error.into())),
    }
}

/// Checks that opening this path for writing will not block, as a pipe without a reader would. If
/// the path is a pipe, returns the open pipe: as long as it is open, opening it again does not
/// block.
///
/// # Errors
/// Fails when the path is a pipe without a reader.
pub(crate) fn check_reader(path: &Path) -> io::Result<Option<File>> {
    if !std::fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo()) {
        return Ok(None);
    }
    let opened =
        OpenOptions::new().write(true).custom_flags(OFlags::NONBLOCK.bits().cast_signed()).open(path);
    opened.map(Some).map_err(|error| match Errno::from_io_error(&error) {
        Some(Errno::NXIO) => io::Error::other("the pipe has no reader"),
        _ => error,
    })
}

#[cfg(test)]
mod tests {
    use super::open_within;
    use rustix::fs::OFlags;
    use std::os::unix::fs::symlink;

    #[test]
    fn no_link_is_followed_below_the_folder() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        std::fs::create_dir_all(path("real/inner")).unwrap();
        std::fs::create_dir(path("outside")).unwrap();
        std::fs::write(path("outside/victim"), "mine").unwrap();
        symlink("real", path("folder")).unwrap();
        symlink("../outside/victim", path("real/file")).unwrap();
        symlink("../outside", path("real/way")).unwrap();
        for (name, is_open) in [
            ("folder/new", true),
            ("folder/inner/new", true),
            ("folder/file", false),
            ("folder/way/victim", false),
            ("folder/way/new", false),
            ("folder/../outside/victim", false),
            ("folder/inner/../../outside/victim", false),
            ("folder", false),
            ("outside/victim", false),
        ] {
            let opened = open_within(&path(name), &path("folder"), OFlags::CREATE | OFlags::TRUNC);
            assert_eq!(opened.is_ok(), is_open, "{name}: {opened:?}");
        }
        assert_eq!(std::fs::read(path("outside/victim")).unwrap(), b"mine");
        assert!(!path("outside/new").exists());
    }
}
