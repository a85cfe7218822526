//! The command-line tool of Firefox Profiler, from the package `profiler-cli`. It loads a profile
//! and answers queries about it.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::node::{self, ScriptResult};

/// The maximum number of markers in a reply.
const MAX_MARKERS: &str = "100000";

/// The options that select the profile.
const SESSION: [&str; 2] = ["--session", "test"];

/// How long to wait for a profile to load. The package's own timeout of half a second is too short
/// for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A loaded profile. The process that loaded it ends when this is dropped.
#[derive(Debug)]
pub struct Profile {
    home: TempDir,
    loader: Child,
}

impl Profile {
    /// Loads `profile`. Returns `None` if the profiler is missing.
    ///
    /// # Panics
    /// Panics if the profile cannot be loaded.
    #[track_caller]
    pub fn load(profile: &Path) -> Option<Profile> {
        let home = tempfile::tempdir().unwrap();
        let output = home.path().join("loader");
        let mut command = command(home.path())?;
        command.arg("--daemon").arg(profile).args(SESSION).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(File::create(&output).unwrap());
        let loader = command.spawn().unwrap();
        let mut loaded = Profile { home, loader };
        let socket = loaded.home.path().join("sessions/test.sock");
        let begin = Instant::now();
        loop {
            // Each query starts Node, which is slow, so do not query before the socket exists.
            let mut reason = "the process does not listen".to_owned();
            if socket.exists() {
                let ScriptResult { status, stderr, .. } = loaded.run(&["profile", "meta"]);
                if status.success() {
                    return Some(loaded);
                }
                reason = stderr;
            }
            let has_ended = loaded.loader.try_wait().unwrap().is_some();
            assert!(
                !has_ended && begin.elapsed() < TIMEOUT,
                "{profile:?} was not loaded: {reason}\n{}",
                fs::read_to_string(&output).unwrap()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Runs a command and returns its output.
    ///
    /// # Panics
    /// Panics if the command fails.
    #[track_caller]
    pub fn ask(&self, command: &[&str]) -> Value {
        let output = self.run(&[command, &["--json"]].concat()).succeeded();
        serde_json::from_str(&output).unwrap_or_else(|error| panic!("{command:?}: {error}\n{output}"))
    }

    /// Returns all threads with their markers.
    pub fn markers(&self) -> Vec<(Value, Vec<Value>)> {
        let threads = self.ask(&["thread", "list", "--sort", "index"]);
        let all = self.ask(&["profile", "markers", "--limit", MAX_MARKERS]);
        let all = all["markers"].as_array().unwrap();
        let with_markers = |thread: &Value| {
            let own = all.iter().filter(|marker| marker["threadHandle"] == thread["threadHandle"]);
            let own: Vec<Value> = own.cloned().collect();
            assert_eq!(own.len() as u64, thread["markerCount"].as_u64().unwrap(), "markers of {thread}");
            (thread.clone(), own)
        };
        threads["threads"].as_array().unwrap().iter().map(with_markers).collect()
    }

    fn run(&self, arguments: &[&str]) -> ScriptResult {
        let mut command = command(self.home.path()).unwrap();
        command.args(arguments).args(SESSION);
        node::finish(command, self.home.path())
    }
}

/// Returns a command that runs the program with its files in `home`.
fn command(home: &Path) -> Option<Command> {
    let program = node::package("@firefox-devtools/profiler-cli", "dist/profiler-cli.js")?;
    let mut command = node::command(home)?;
    command.env("PROFILER_CLI_SESSION_DIR", home.join("sessions")).arg(program);
    Some(command)
}

impl Drop for Profile {
    fn drop(&mut self) {
        let _ = self.loader.kill();
        let _ = self.loader.wait();
    }
}
