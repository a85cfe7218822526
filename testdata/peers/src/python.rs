//! Python, with the packages that `cargo xtask check` installs.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::node::{self, ScriptResult};

/// Where those packages are. `xtask/src/prerequisite/python.rs` has the same folder.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python")
}

/// Python, which finds the packages first. What it runs leaves nothing beside the scripts, and what it keeps of a user in `home`.
fn python(home: &Path) -> Command {
    let mut python = Command::new("python3");
    python.env("PYTHONPATH", folder()).env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONUNBUFFERED", "1");
    python.env("HOME", home);
    python
}

/// Python that can import the package `name`, for a user whose home is `home`. `None`: it cannot, or there is no Python.
pub fn with(name: &str, home: &Path) -> Option<Command> {
    let mut trial = python(home);
    trial.args(["-c", &format!("import {name}")]).stdin(Stdio::null()).stderr(Stdio::null());
    if trial.status().is_ok_and(|status| status.success()) {
        return Some(python(home));
    }
    eprintln!("SKIPPED: no {name} (from PyPI; `cargo xtask check` installs it)");
    None
}

/// Runs `script` with `arguments` in `sys.argv[1:]`, in a Python that can import the package `name`. `None`: it cannot, or there is no
/// Python.
///
/// # Panics
/// When it takes minutes.
pub fn run<S: AsRef<OsStr>>(name: &str, script: &str, arguments: &[S]) -> Option<ScriptResult> {
    let home = tempfile::tempdir().unwrap();
    let mut python = with(name, home.path())?;
    let file = home.path().join("script.py");
    fs::write(&file, script).unwrap();
    python.arg(file).args(arguments);
    Some(node::finish(python, home.path()))
}

/// QEMU's program `qmp-shell`, for a user whose home is `home`. `None`: there is none.
pub fn qmp_shell(home: &Path) -> Option<Command> {
    let mut shell = with("qemu.qmp", home)?;
    shell.args(["-m", "qemu.qmp.qmp_shell"]);
    Some(shell)
}
