//! The folder of the trace files. There are many large traces, so each is read and removed as soon
//! as it is complete.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use ringtrace_peers::monitor_client::MonitorClient;
use serde_json::json;
use tempfile::TempDir;

use crate::counts::{Files, MonitorStatus};

/// A temporary folder, and the files in it that have not been read yet.
#[derive(Debug)]
pub struct TraceFolder {
    folder: TempDir,
    files: AtomicU64,
    /// Traces that the program writes, or has written.
    traces: Mutex<Vec<PathBuf>>,
    /// Complete snapshots.
    snapshots: Mutex<Vec<PathBuf>>,
}

impl TraceFolder {
    /// Creates an empty folder. The program must write its first trace to
    /// [`TraceFolder::first_trace`].
    pub fn new() -> TraceFolder {
        let folder = TempDir::new().unwrap();
        let traces = Mutex::new(vec![folder.path().join("first.trace")]);
        TraceFolder { folder, files: AtomicU64::new(0), traces, snapshots: Mutex::default() }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn first_trace(&self) -> PathBuf {
        self.folder().join("first.trace")
    }

    /// Returns the path of a new file. Each call returns a different path.
    pub fn new_file(&self) -> PathBuf {
        self.folder().join(format!("file-{}", self.files.fetch_add(1, Ordering::Relaxed)))
    }

    /// Adds a trace that the program has switched to.
    pub fn add_trace(&self, path: PathBuf) {
        self.traces.lock().unwrap().push(path);
    }

    /// Adds a snapshot that the program has written.
    pub fn add_snapshot(&self, path: PathBuf) {
        self.snapshots.lock().unwrap().push(path);
    }

    /// Reads and removes complete traces and snapshots until `done` is set, then the remaining
    /// ones. The caller sets `done` after the program has ended.
    pub fn read(&self, socket: &Path, done: &AtomicBool) -> (Files, Files) {
        let (mut traces, mut snapshots) = (Files::default(), Files::default());
        while !done.load(Ordering::Acquire) {
            // A trace that is not the current one is complete, because no path is used twice.
            let started = self.traces.lock().unwrap().clone();
            // A program that has ended does not reply.
            let Ok(status) = MonitorClient::qmp(socket)
                .and_then(|mut client| client.execute("query-trace-status", &json!({"name": "queue_poll"})))
            else {
                std::thread::sleep(Duration::from_millis(20));
                continue;
            };
            let current = MonitorStatus::new(&status.unwrap()).file;
            for path in started.iter().filter(|path| **path != current) {
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
            assert!(path.exists(), "{}: the snapshot does not exist", path.display());
            take(&path, snapshots);
        }
    }
}

/// Adds a complete trace and removes it.
fn take(path: &Path, files: &mut Files) {
    files.add(path);
    let _ = fs::remove_file(path);
}
