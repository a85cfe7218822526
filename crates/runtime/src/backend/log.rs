//! The backend `log` writes lines to standard error or a file.

use std::fmt::Write;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;
use rustix::process::Resource;

use super::descriptor::Descriptor;
use super::health::Health;
use super::line::{Prefix, TextLine};
use super::lock::ForkSafeLock;
use super::moment::Moment;
use super::reentry::ReentryGuard;
use super::{OpenError, TextBackend};
use crate::options::Backends;
use crate::options::{LogLine, Settings};
use crate::os::files;
use crate::os::write_signals::BlockedWriteSignals;

pub(crate) static LOG: Log = Log::new();

#[derive(Debug)]
pub(crate) struct Log {
    pub(super) file: Descriptor,
    /// Whether lines go to `file` instead of standard error.
    pub(super) to_file: AtomicBool,
    may_raise: AtomicBool,
    /// The [`LogLine`] as a number.
    line: AtomicU8,
    /// Whether the last line was written only partially.
    is_torn: AtomicBool,
    lock: ForkSafeLock,
    health: Health,
}

impl Log {
    pub(super) const fn new() -> Log {
        Log {
            file: Descriptor::new(),
            to_file: AtomicBool::new(false),
            may_raise: AtomicBool::new(true),
            line: AtomicU8::new(LogLine::Plain as u8),
            is_torn: AtomicBool::new(false),
            lock: ForkSafeLock::new(),
            health: Health::new("log"),
        }
    }

    /// Whether the log already goes to the file in `settings`, or to standard error if `settings`
    /// contains no file.
    ///
    /// # Errors
    /// Fails if the file name in `settings` is not valid for a log.
    pub(super) fn is_at(&self, settings: &Settings) -> Result<bool, OpenError> {
        Ok(match path(settings)? {
            None => self.open_file().is_none(),
            Some(path) => self.is_in(&path),
        })
    }

    pub(super) fn is_in(&self, path: &Path) -> bool {
        let Some(file) = self.open_file() else { return false };
        let found = rustix::fs::fstat(file).and_then(|open| Ok((open, rustix::fs::stat(path)?)));
        found.is_ok_and(|(open, named)| (open.st_dev, open.st_ino) == (named.st_dev, named.st_ino))
    }

    /// Returns the open log file, or `None` if the log goes to standard error.
    fn open_file(&self) -> Option<BorrowedFd<'_>> {
        self.to_file.load(Ordering::Relaxed).then(|| self.file.get()).flatten()
    }

    /// Writes all of `text`, in one call if the file accepts it.
    fn put(&self, text: &[u8]) -> Result<(), Errno> {
        let stderr = rustix::stdio::stderr();
        let file: BorrowedFd<'_> = self.open_file().unwrap_or(stderr);
        let blocked = self.may_raise.load(Ordering::Relaxed).then(BlockedWriteSignals::new);
        let mut deadline_ns = None;
        let mut rest = text;
        while !rest.is_empty() {
            let taken = match rustix::io::write(file, rest) {
                Ok(0) => Err(Errno::IO),
                Ok(bytes) => {
                    rest = &rest[bytes..];
                    Ok(())
                }
                Err(Errno::INTR) => Ok(()),
                Err(Errno::AGAIN) => self.health.wait(file, &mut deadline_ns),
                Err(error) => Err(error),
            };
            if let Err(error) = taken {
                blocked.iter().for_each(BlockedWriteSignals::take);
                if rest.len() < text.len() {
                    self.is_torn.store(true, Ordering::Relaxed);
                }
                return Err(error);
            }
        }
        self.is_torn.store(false, Ordering::Relaxed);
        Ok(())
    }
}

impl TextBackend for Log {
    fn backend(&self) -> Backends {
        Backends::LOG
    }

    fn open(&self, settings: &Settings) -> Result<(), OpenError> {
        let opened = path(settings)?.map(|path| {
            // With O_APPEND, lines that other processes append to the file are kept.
            let flags = OFlags::CREATE | OFlags::TRUNC | OFlags::APPEND;
            let file = match settings.log_file_within.as_deref() {
                Some(folder) => files::open_within(&path, folder, flags).map(OwnedFd::from),
                None => {
                    let flags = flags | OFlags::WRONLY | OFlags::CLOEXEC | OFlags::NOCTTY;
                    rustix::fs::open(&path, flags, Mode::RUSR | Mode::WUSR).map_err(Into::into)
                }
            };
            file.map_err(|error| OpenError::new("log", &path, error)).map(|file| (file, path))
        });
        let opened = opened.transpose()?;
        // Take the lock, so that the file is not replaced in the middle of a line. The guard keeps
        // signal handlers of this thread from waiting for the lock.
        let _inside = ReentryGuard::enter();
        let _lock = self.lock.take();
        // Do the steps that can fail first.
        let may_raise = opened.as_ref().is_none_or(|(file, _)| may_raise(file));
        let to_file = opened.is_some();
        if let Some((file, path)) = opened {
            self.file.put(file).map_err(|error| OpenError::new("log", &path, error))?;
        }
        self.line.store(settings.log_line as u8, Ordering::Relaxed);
        self.to_file.store(to_file, Ordering::Relaxed);
        self.is_torn.store(false, Ordering::Relaxed);
        // Always true for standard error, because it may be redirected at any time.
        self.may_raise.store(may_raise, Ordering::Relaxed);
        Ok(())
    }

    fn write(&self, line: &mut TextLine) {
        let _lock = self.lock.take();
        let mut prefix = Prefix::new();
        if self.is_torn.load(Ordering::Relaxed) {
            prefix.push(b"\n");
        }
        let _ = push_prefix(self.line.load(Ordering::Relaxed), &mut prefix);
        let outcome = self.put(line.whole(&prefix));
        self.health.note(outcome, line.is_cut(), advice);
    }

    fn health(&self) -> &Health {
        &self.health
    }

    fn forked(&self) {
        self.lock.forget();
    }
}

/// Whether writing to `file` may raise a signal. This is possible for pipes and sockets whose
/// reader disappears, and for regular files with a size limit. Blocking signals costs two system
/// calls per line.
fn may_raise(file: impl AsFd) -> bool {
    match rustix::fs::fstat(file).map(|found| FileType::from_raw_mode(found.st_mode)) {
        Ok(FileType::CharacterDevice) => false,
        Ok(FileType::RegularFile) => rustix::process::getrlimit(Resource::Fsize).current.is_some(),
        _ => true,
    }
}

/// Appends the prefix of a line. `line` is a [`LogLine`] as a number.
fn push_prefix(line: u8, out: &mut Prefix) -> std::fmt::Result {
    if line == LogLine::Time as u8 {
        push_time(Moment::now(), out)
    } else if line == LogLine::Thread as u8 {
        push_thread(rustix::thread::gettid().as_raw_nonzero().get(), Moment::now(), out)
    } else {
        Ok(())
    }
}

/// `2026-11-20T12:54:11.722755Z `
pub(super) fn push_time(moment: Moment, out: &mut Prefix) -> std::fmt::Result {
    moment.push_iso(out)?;
    out.write_char(' ')
}

/// `TID@SECONDS.MICROSECONDS:`
pub(super) fn push_thread(tid: i32, moment: Moment, out: &mut Prefix) -> std::fmt::Result {
    write!(out, "{tid}@")?;
    moment.push_seconds(out)?;
    out.write_char(':')
}

fn advice(error: Errno) -> Option<&'static str> {
    match error {
        Errno::NOSPC | Errno::DQUOT => Some("free some space or choose another file"),
        Errno::FBIG => Some("choose another file or raise the limit (ulimit -f)"),
        Errno::AGAIN => Some("the reader of the log has stopped reading"),
        _ => None,
    }
}

/// Returns the log file of `settings`, or `None` for standard error.
pub(super) fn path(settings: &Settings) -> Result<Option<PathBuf>, OpenError> {
    settings.log_file.as_deref().map(|template| path_of(template, std::process::id())).transpose()
}

/// Replaces one `%d` in `template` with the process id.
fn path_of(template: &Path, pid: u32) -> Result<PathBuf, OpenError> {
    let bytes = template.as_os_str().as_bytes();
    let Some(at) = bytes.iter().position(|&byte| byte == b'%') else { return Ok(template.to_owned()) };
    let rest = &bytes[at + 1..];
    match rest.strip_prefix(b"d") {
        Some(rest) if !rest.contains(&b'%') => {
            let path = [&bytes[..at], pid.to_string().as_bytes(), rest].concat();
            Ok(PathBuf::from(std::ffi::OsString::from_vec(path)))
        }
        _ => Err(OpenError {
            backend: "log",
            path: template.to_owned(),
            problem: "not a valid file name for a log".to_owned(),
            help: Some("it may contain one `%d`, which stands for the process id, and no other `%`"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::path_of;
    use std::path::Path;

    #[test]
    fn one_percent_d_is_the_pid_and_every_other_percent_is_an_error() {
        for (template, expected) in [
            ("trace.log", Some("trace.log")),
            ("/tmp/log-%d.txt", Some("/tmp/log-4711.txt")),
            ("%d", Some("4711")),
            ("%d-%d", None),
            ("a%s", None),
            ("100%", None),
            ("a%%b", None),
        ] {
            let path = path_of(Path::new(template), 4711).ok();
            assert_eq!(path.as_deref(), expected.map(Path::new), "{template}");
        }
    }
}
