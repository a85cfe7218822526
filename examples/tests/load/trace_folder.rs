//! Where a program and its clients have their files. Traces are many and large: each is read and removed as soon as it is complete.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use ringtrace_peers::monitor_client::MonitorClient;
use serde_json::json;
use tempfile::TempDir;

use crate::counts::{Files, MonitorStatus};

/// A folder, and what is to be read there.
#[derive(Debug)]
pub struct TraceFolder {
    folder: TempDir,
    files: AtomicU64,
    /// Traces that the program writes or has written.
    traces: Mutex<Vec<PathBuf>>,
    /// Snapshots that are complete.
    snapshots: Mutex<Vec<PathBuf>>,
}

impl TraceFolder {
    /// An empty one. The program's first trace is to be at [`TraceFolder::first_trace`].
    pub fn new() -> TraceFolder {
        let folder = TempDir::new().unwrap();
        let traces = Mutex::new(vec![folder.path().join("first.trace")]);
        TraceFolder { folder, files: AtomicU64::new(0), traces, snapshots: Mutex::default() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The trace that the program begins with.
    pub fn first_trace(&self) -> PathBuf {
        self.folder().join("first.trace")
    }

    /// A file that is not there, and whose name nobody else gets.
    pub fn new_file(&self) -> PathBuf {
        self.folder().join(format!("file-{}", self.files.fetch_add(1, Ordering::Relaxed)))
    }

    /// The program has been switched to this trace.
    pub fn has_trace(&self, path: PathBuf) {
        self.traces.lock().unwrap().push(path);
    }

    /// The program has made this snapshot.
    pub fn has_snapshot(&self, path: PathBuf) {
        self.snapshots.lock().unwrap().push(path);
    }

    /// Reads and removes what is complete, until `done`; and then the rest, which is when the program has ended. Also the snapshots'.
    pub fn read(&self, socket: &Path, done: &AtomicBool) -> (Files, Files) {
        let (mut traces, mut snapshots) = (Files::default(), Files::default());
        while !done.load(Ordering::Acquire) {
            // What was switched to before, and is no longer written, is never written again: no name is used twice.
            let begun = self.traces.lock().unwrap().clone();
            // At its end the program does not answer any more.
            let Ok(status) = MonitorClient::qmp(socket)
                .and_then(|mut client| client.execute("query-trace-status", &json!({"name": "queue_poll"})))
            else {
                std::thread::sleep(Duration::from_millis(20));
                continue;
            };
            let current = MonitorStatus::new(&status.unwrap()).file;
            for path in begun.iter().filter(|path| **path != current) {
                take(path, &mut traces);
                self.traces.lock().unwrap().retain(|trace| trace != path);
            }
            self.take_snapshots(&mut snapshots);
            std::thread::sleep(Duration::from_millis(200));
        }
        self.traces.lock().unwrap().drain(..).for_each(|path| take(&path, &mut traces));
        self.take_snapshots(&mut snapshots);
        (traces, snapshots)
    }

    fn take_snapshots(&self, snapshots: &mut Files) {
        let paths = std::mem::take(&mut *self.snapshots.lock().unwrap());
        for path in paths {
            assert!(path.exists(), "{}: a snapshot that is not there", path.display());
            take(&path, snapshots);
        }
    }
}

/// Adds a complete trace and removes it.
fn take(path: &Path, files: &mut Files) {
    files.add(path);
    let _ = fs::remove_file(path);
}
