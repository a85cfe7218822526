//! Firefox Profiler, asked at a prompt: the package `profiler-cli`. It loads a profile as the page does, and answers from it.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::node::{self, Ran};

const PACKAGE: &str = "@firefox-devtools/profiler-cli";

/// A profile that was loaded. What has loaded it is a process of its own, which ends with this.
#[derive(Debug)]
pub struct Profile {
    home: TempDir,
}

impl Profile {
    /// Loads `profile`. `None`: there is no profiler.
    ///
    /// # Panics
    /// When it does not take the profile.
    #[track_caller]
    pub fn load(profile: &Path) -> Option<Profile> {
        let loaded = Profile { home: tempfile::tempdir().unwrap() };
        let ran = loaded.run(&["load", profile.to_str().unwrap()])?;
        assert!(ran.status.success(), "{profile:?}: {}\n{}", ran.stderr, ran.stdout);
        Some(loaded)
    }

    /// What it answers to a command.
    ///
    /// # Panics
    /// When it does not.
    #[track_caller]
    pub fn ask(&self, command: &[&str]) -> Value {
        let ran = self.run(&[command, &["--json"]].concat()).unwrap();
        let (stdout, stderr) = (ran.stdout.clone(), ran.stderr.clone());
        serde_json::from_str(&ran.succeeded())
            .unwrap_or_else(|error| panic!("{command:?}: {error}\n{stderr}\n{stdout}"))
    }

    /// All markers of all threads with the thread each is in, as `thread markers` lists them.
    pub fn markers(&self) -> Vec<(Value, Vec<Value>)> {
        let threads = self.ask(&["thread", "list", "--sort", "index"]);
        let threads = threads["threads"].as_array().unwrap().clone();
        let markers = |thread: Value| {
            let handle = thread["threadHandle"].as_str().unwrap();
            let listed = self
                .ask(&["thread", "markers", "--thread", handle, "--list", "--limit", "0", "--top-n", "1"]);
            let markers = listed["flatMarkers"].as_array().cloned().unwrap_or_default();
            assert_eq!(markers.len() as u64, listed["totalMarkerCount"].as_u64().unwrap());
            (thread, markers)
        };
        threads.into_iter().map(markers).collect()
    }

    fn run(&self, arguments: &[&str]) -> Option<Ran> {
        let program = node::package(PACKAGE, "dist/profiler-cli.js")?;
        let mut command = node::command(self.home.path())?;
        command.env("PROFILER_CLI_SESSION_DIR", self.home.path().join("sessions"));
        command.arg(program).args(arguments);
        Some(node::finish(command, self.home.path()))
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
        self.run(&["stop", "--all"]);
    }
}
