//! What must not be left behind: it goes when it is dropped, and when a signal ends the process.

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

/// All that there is. Who holds the lock is not interrupted by the signals that people end processes with.
static ALL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file or folder that has not got its place yet.
#[derive(Debug)]
pub struct Unfinished {
    path: PathBuf,
}

impl Unfinished {
    /// What `make` makes and gives the path of.
    pub fn make(make: impl FnOnce() -> io::Result<PathBuf>) -> io::Result<Unfinished> {
        static LISTENING: Once = Once::new();
        LISTENING.call_once(listen);
        let mut all = all();
        let path = make()?;
        all.push(path.clone());
        Ok(Unfinished { path })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives it its place by `place`, which gets the path. What stands at the path afterwards goes.
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

/// Nobody is left to be told that something cannot be removed.
fn remove(path: &Path) {
    let is_folder = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
    let _ = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

/// From now on a thread removes all when a signal comes, and then lets the signal do what it does. Where it cannot be had, signals leave
/// behind what is there.
fn listen() {
    let ignored = signals::ignored();
    let wanted = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let Ok(mut signals) = Signals::new(wanted) else { return };
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            let all = all();
            all.iter().for_each(|path| remove(path));
            // With the lock: nothing gets its place any more.
            let _ = emulate_default_handler(signal);
            drop(all);
        }
    };
    let _ = thread::Builder::new().name("signals".to_owned()).spawn(wait);
}
