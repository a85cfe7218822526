//! Firefox Profiler, asked at a prompt: the package `profiler-cli`. It loads a profile as the page does, and answers from it.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::node::{self, ScriptResult};

/// What one answer has at most.
const MOST_MARKERS: &str = "100000";

/// All commands are about the one profile.
const SESSION: [&str; 2] = ["--session", "test"];

/// How long it may take to load a profile. Machines that run tests are busy, so that the package's own patience, half a second, is too short.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A profile that was loaded. What has loaded it is a process of its own, which ends with this.
#[derive(Debug)]
pub struct Profile {
    home: TempDir,
    loader: Child,
}

impl Profile {
    /// Loads `profile`. `None`: there is no profiler.
    ///
    /// # Panics
    /// When it does not take the profile.
    #[track_caller]
    pub fn load(profile: &Path) -> Option<Profile> {
        let home = tempfile::tempdir().unwrap();
        let said = home.path().join("loader");
        let mut command = command(home.path())?;
        command.arg("--daemon").arg(profile).args(SESSION).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(File::create(&said).unwrap());
        let loader = command.spawn().unwrap();
        let mut loaded = Profile { home, loader };
        let socket = loaded.home.path().join("sessions/test.sock");
        let begin = Instant::now();
        loop {
            // Each question starts a Node: none is asked before somebody listens.
            let mut reason = "nobody listens".to_owned();
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
                "{profile:?} is not loaded: {reason}\n{}",
                fs::read_to_string(&said).unwrap()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// What it answers to a command.
    ///
    /// # Panics
    /// When it does not.
    #[track_caller]
    pub fn ask(&self, asked: &[&str]) -> Value {
        let said = self.run(&[asked, &["--json"]].concat()).succeeded();
        serde_json::from_str(&said).unwrap_or_else(|error| panic!("{asked:?}: {error}\n{said}"))
    }

    /// All threads, each with its markers.
    pub fn markers(&self) -> Vec<(Value, Vec<Value>)> {
        let threads = self.ask(&["thread", "list", "--sort", "index"]);
        let all = self.ask(&["profile", "markers", "--limit", MOST_MARKERS]);
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

/// The program, which keeps in `home` what loaded a profile.
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
