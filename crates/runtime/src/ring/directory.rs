//! The folder of arenas. A process keeps it open, so that it can still find its arenas after a
//! `chroot`, or if the folder is moved.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ringtrace_wire::arena::{PAGE_BYTES, is_unwritten, pid_of_name};
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, statat, unlinkat};
use rustix::io::Errno;
use rustix::process::{Flock, FlockType, Pid, fcntl_getlk, test_kill_process};

use crate::os;

/// The device and the inode of an open file. If the program closes a descriptor that it does not
/// own, the number may later refer to another file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity(u64, u64);

impl Identity {
    pub(super) fn of(file: &File) -> io::Result<Identity> {
        let found = file.metadata()?;
        Ok(Identity(found.dev(), found.ino()))
    }
}

/// An open folder for arenas.
#[derive(Debug)]
pub(crate) struct Directory {
    path: PathBuf,
    file: File,
    identity: Identity,
    is_private: AtomicBool,
}

/// The folder of the existing arenas.
static LAST: Mutex<Weak<Directory>> = Mutex::new(Weak::new());

/// The maximum number of names that [`Directory::remove_abandoned`] examines, so that a full folder
/// does not delay the start of a program.
const MAX_EXAMINED: usize = 4096;

/// The age at which a file without a header counts as abandoned, even if there is a process with
/// the id in its name. It may be a different process: in containers, most programs have the same
/// id.
const ABANDONED_AFTER: Duration = Duration::from_secs(60);

impl Directory {
    /// Opens the directory for arenas: `wanted` if given, else `RINGTRACE_DIR`, else one in
    /// `XDG_RUNTIME_DIR`, else one in `/dev/shm`. Creates it if necessary.
    ///
    /// If the process already has arenas in this directory, the existing descriptor is used,
    /// because the path may lead elsewhere after a `chroot`.
    ///
    /// # Errors
    /// Fails when the directory cannot be created, or belongs to another user.
    #[expect(
        clippy::disallowed_methods,
        reason = "RINGTRACE_DIR and XDG_RUNTIME_DIR name the folder of the rings"
    )]
    pub(crate) fn open(wanted: Option<&Path>) -> io::Result<Arc<Directory>> {
        let uid = rustix::process::getuid().as_raw();
        let wanted = wanted.map(Path::to_path_buf);
        let wanted = wanted.or_else(|| std::env::var_os("RINGTRACE_DIR").map(PathBuf::from));
        let path = match (&wanted, std::env::var_os("XDG_RUNTIME_DIR")) {
            (Some(wanted), _) => wanted.clone(),
            (None, Some(run)) if Path::new(&run).is_dir() => Path::new(&run).join("ringtrace"),
            _ => PathBuf::from(format!("/dev/shm/ringtrace-{uid}")),
        };
        let mut last = os::lock(&LAST);
        if let Some(last) = last.upgrade().filter(|last| last.path == path && last.is_linked()) {
            return Ok(last);
        }
        match fs::DirBuilder::new().mode(0o700).create(&path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(at_path(&path, &error));
            }
            _ => {}
        }
        let refused = || {
            let text = format!("{} is not a private directory of this user", path.display());
            io::Error::new(io::ErrorKind::PermissionDenied, text)
        };
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = match openat(CWD, &path, flags, Mode::empty()) {
            Ok(file) => File::from(file),
            Err(Errno::LOOP | Errno::NOTDIR) => return Err(refused()),
            Err(error) => return Err(at_path(&path, &error.into())),
        };
        let found = file.metadata()?;
        let is_shared = found.mode() & 0o077 != 0 && wanted.is_none();
        if found.uid() != uid || is_shared {
            return Err(refused());
        }
        let identity = Identity::of(&file)?;
        let directory = Arc::new(Directory { path, file, identity, is_private: AtomicBool::new(false) });
        directory.remove_abandoned();
        *last = Arc::downgrade(&directory);
        Ok(directory)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Sets whether new arenas are in private memory, because the directory has no space.
    pub(crate) fn use_private_memory(&self, is_private: bool) {
        self.is_private.store(is_private, Ordering::Relaxed);
    }

    pub(super) fn is_private(&self) -> bool {
        self.is_private.load(Ordering::Relaxed)
    }

    /// Returns whether the descriptor still refers to the directory.
    pub(super) fn is_open(&self) -> bool {
        Identity::of(&self.file).is_ok_and(|found| found == self.identity)
    }

    /// Returns whether the directory still exists.
    fn is_linked(&self) -> bool {
        self.is_open() && self.file.metadata().is_ok_and(|found| found.nlink() > 0)
    }

    /// Removes the files without a header that other processes have left behind. Errors are
    /// ignored, because the files need little or no memory.
    fn remove_abandoned(&self) {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let Ok(directory) = openat(&self.file, ".", flags, Mode::empty()) else { return };
        let Ok(entries) = Dir::new(directory) else { return };
        let own = std::process::id();
        for entry in entries.take(MAX_EXAMINED).flatten() {
            // Skip this process's own files, because closing one would release its lock.
            let is_other = pid_of_name(entry.file_name().to_bytes()).is_some_and(|pid| pid != own);
            if is_other && self.is_abandoned(entry.file_name()) == Ok(true) {
                let _ = unlinkat(&self.file, entry.file_name(), AtFlags::empty());
            }
        }
    }

    /// Returns whether `name` is a file of this user that has no header, and that is old or belongs
    /// to a process that has ended.
    fn is_abandoned(&self, name: &std::ffi::CStr) -> Result<bool, Errno> {
        let found = statat(&self.file, name, AtFlags::SYMLINK_NOFOLLOW)?;
        // Do not open anything else: opening a pipe or a device has side effects.
        let is_file = FileType::from_raw_mode(found.st_mode) == FileType::RegularFile;
        if !is_file || found.st_uid != rustix::process::getuid().as_raw() {
            return Ok(false);
        }
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = File::from(openat(&self.file, name, flags, Mode::empty())?);
        let mut start = [0; PAGE_BYTES];
        let read = file.read_at(&mut start, 0).map_err(|_| Errno::IO)?;
        if !is_unwritten(&start[..read]) || fcntl_getlk(&file, &Flock::from(FlockType::WriteLock))?.is_some()
        {
            return Ok(false);
        }
        let changed = Duration::from_secs(u64::try_from(found.st_mtime).unwrap_or(0));
        let age = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().saturating_sub(changed);
        Ok(age >= ABANDONED_AFTER || pid_of_name(name.to_bytes()).is_none_or(has_ended))
    }
}

impl AsFd for Directory {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

fn has_ended(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_none_or(|pid| test_kill_process(pid) == Err(Errno::SRCH))
}

pub(super) fn at_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A process id that no process can have.
    const NOBODY: u32 = 1 << 30;

    #[test]
    fn only_abandoned_files_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let own = std::process::id();
        let running = std::os::unix::process::parent_id();
        let write = |name: &str, bytes: &[u8]| fs::write(path(name), bytes).unwrap();
        let age = |name: &str| {
            let file = File::options().write(true).open(path(name)).unwrap();
            file.set_modified(SystemTime::now() - 2 * ABANDONED_AFTER).unwrap();
        };
        write(&format!("{NOBODY}-0.arena"), b"");
        write(&format!("{NOBODY}-1.arena"), &[0; 3 * PAGE_BYTES]);
        write(&format!("{running}-7.arena"), b"");
        age(&format!("{running}-7.arena"));
        let mut kept = vec![
            format!("{own}-0.arena"),
            format!("{running}-0.arena"),
            format!("{NOBODY}-2.arena"),
            "notes".to_owned(),
            "x-0.arena".to_owned(),
        ];
        for name in &kept {
            write(name, if name.contains("-2") { b"not an arena" } else { b"" });
        }
        write("outside", b"");
        for (name, target) in [(3, "outside"), (4, "."), (5, "nowhere")] {
            kept.push(format!("{NOBODY}-{name}.arena"));
            symlink(target, path(&kept[kept.len() - 1])).unwrap();
        }
        kept.push(format!("{NOBODY}-6.arena"));
        fs::create_dir(path(&kept[kept.len() - 1])).unwrap();
        kept.push(format!("{NOBODY}-8.arena"));
        // Opening this pipe for reading would wait for a writer.
        rustix::fs::mknodat(CWD, path(&kept[kept.len() - 1]), FileType::Fifo, Mode::RWXU, 0).unwrap();
        kept.push("outside".to_owned());
        drop(Directory::open(Some(folder.path())).unwrap());
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        kept.sort();
        assert_eq!(names, kept);
    }

    #[test]
    fn a_link_to_a_folder_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::create_dir(&real).unwrap();
        symlink(&real, &link).unwrap();
        let error = Directory::open(Some(&link)).unwrap_err().to_string();
        assert_eq!(error, format!("{} is not a private directory of this user", link.display()));
        assert!(Directory::open(Some(&real)).is_ok());
    }

    #[test]
    fn a_folder_that_was_moved_still_exists() {
        let folder = tempfile::tempdir().unwrap();
        let (path, moved) = (folder.path().join("folder"), folder.path().join("moved"));
        let directory = Directory::open(Some(&path)).unwrap();
        fs::rename(&path, &moved).unwrap();
        assert!(directory.is_linked());
        fs::remove_dir(&moved).unwrap();
        assert!(directory.is_open() && !directory.is_linked());
    }
}
