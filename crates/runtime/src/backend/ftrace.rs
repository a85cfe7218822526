//! The backend `ftrace` writes lines to the kernel's trace buffer, through the file `trace_marker`.

use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use super::descriptor::Descriptor;
use super::health::Health;
use super::line::{Prefix, TextLine};
use super::reentry::ReentryGuard;
use super::{OpenError, TextBackend};
use crate::options::Backends;
use crate::options::Settings;

/// The usual paths. tracefs is mounted in the first folder today; before Linux 4.1, it was mounted
/// in the second.
const MARKERS: [&str; 2] = ["/sys/kernel/tracing/trace_marker", "/sys/kernel/debug/tracing/trace_marker"];

/// The maximum length of an entry, which is QEMU's limit. Kernels before 6.8 have room for 1 KiB.
const MAX_TEXT_BYTES: usize = 511;

pub(crate) static FTRACE: Ftrace = Ftrace::new();

#[derive(Debug)]
pub(crate) struct Ftrace {
    pub(super) marker: Descriptor,
    health: Health,
}

impl Ftrace {
    pub(super) const fn new() -> Ftrace {
        Ftrace { marker: Descriptor::new(), health: Health::new("ftrace") }
    }

    /// Writes one entry with one call. Returns how many bytes the kernel accepted.
    fn put(&self, text: &[u8]) -> Result<usize, Errno> {
        let marker = self.marker.get().ok_or(Errno::BADF)?;
        loop {
            match rustix::io::write(marker, text) {
                Err(Errno::INTR) => {}
                outcome => return outcome,
            }
        }
    }
}

impl TextBackend for Ftrace {
    fn backend(&self) -> Backends {
        Backends::FTRACE
    }

    fn open(&self, settings: &Settings) -> Result<(), OpenError> {
        let given = settings.ftrace_marker.as_deref();
        let paths = given.map_or_else(|| MARKERS.map(Path::new).to_vec(), |path| vec![path]);
        let open = |path: &&Path| rustix::fs::open(*path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty());
        let mut failed: Option<(&Path, Errno)> = None;
        for path in paths {
            match open(&path) {
                Ok(marker) => {
                    let _inside = ReentryGuard::enter();
                    return self.marker.put(marker).map_err(|error| OpenError::new("ftrace", path, error));
                }
                // Report the first path's error, unless permission was denied for the second path.
                Err(error) if failed.is_none() || error == Errno::ACCESS => failed = Some((path, error)),
                Err(_) => {}
            }
        }
        let (path, error) = failed.unwrap_or((Path::new(MARKERS[0]), Errno::NOENT));
        Err(OpenError { help: help(error), ..OpenError::new("ftrace", &PathBuf::from(path), error) })
    }

    fn write(&self, line: &mut TextLine) {
        line.shorten(MAX_TEXT_BYTES);
        let text = line.whole(&Prefix::new());
        let length = text.len();
        let outcome = self.put(text);
        // The kernel accepts at most the free space of a page and discards the rest.
        let is_cut = line.is_cut() || outcome.is_ok_and(|taken| taken < length);
        self.health.note(outcome.map(|_| ()), is_cut, advice);
    }

    fn health(&self) -> &Health {
        &self.health
    }
}

fn help(error: Errno) -> Option<&'static str> {
    match error {
        Errno::NOENT => Some("tracefs is not mounted: `mount -t tracefs none /sys/kernel/tracing`, as root"),
        Errno::ACCESS | Errno::PERM => Some(
            "only root can write to the kernel's trace, unless tracefs is mounted with `-o gid=GID,mode=775`",
        ),
        _ => None,
    }
}

fn advice(error: Errno) -> Option<&'static str> {
    (error == Errno::BADF).then_some("the kernel's tracing is off (write 1 to `tracing_on`)")
}
