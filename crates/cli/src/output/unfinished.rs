//! Temporary files and folders. They are removed when they are dropped or when a signal ends the
//! process.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::signals;
use crate::sync::lock;

/// All unfinished paths. The signal thread takes this lock before it ends the process, so a signal
/// cannot end the process while another thread holds the lock.
static ALL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Functions that are called when a signal ends the process.
static ON_SIGNAL: Mutex<Vec<fn()>> = Mutex::new(Vec::new());

/// Calls `clean` if a signal ends the process. `clean` removes unfinished files.
pub fn on_signal(clean: fn()) {
    lock(&ON_SIGNAL).push(clean);
    listen_once();
}

/// A file or folder that has not been moved to its final path yet.
#[derive(Debug)]
pub struct Unfinished {
    path: PathBuf,
}

impl Unfinished {
    /// Calls `make`, and registers the path that it creates and returns.
    pub fn make(make: impl FnOnce() -> io::Result<PathBuf>) -> io::Result<Unfinished> {
        listen_once();
        let mut all = all();
        let path = make()?;
        all.push(path.clone());
        Ok(Unfinished { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Calls `put` to move the file to its final path. Whatever is at the temporary path afterwards
    /// is removed.
    pub fn finish(self, put: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
        let all = all();
        let placed = put(&self.path);
        drop(all);
        placed
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut all = all();
        remove(&self.path);
        all.retain(|path| *path != self.path);
    }
}

fn all() -> MutexGuard<'static, Vec<PathBuf>> {
    lock(&ALL)
}

/// Removes the file or folder. Ignores errors, because the process is ending or has already
/// reported another error.
fn remove(path: &Path) {
    let is_folder = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
    let _ = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

fn listen_once() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(listen);
}

/// Starts a thread that waits for a signal, removes all unfinished paths, and then performs the
/// signal's default action. If the thread cannot be started, a signal leaves the temporary files
/// behind.
fn listen() {
    let ignored = signals::ignored();
    let wanted = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let Ok(mut signals) = Signals::new(wanted) else { return };
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            let all = all();
            all.iter().for_each(|path| remove(path));
            lock(&ON_SIGNAL).iter().for_each(|clean| clean());
            // Keep the lock, so that no other thread tries to finish a removed file.
            let _ = emulate_default_handler(signal);
            drop(all);
        }
    };
    let _ = thread::Builder::new().name("signals".to_owned()).spawn(wait);
}
