//! Runs Python, with the packages that `cargo xtask check` installs.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::node::{self, ScriptResult};

/// Returns the folder of the packages. `xtask/src/prerequisite/python.rs` defines the same folder.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python")
}

/// Returns a command that runs Python with the packages, uses `home` as its home folder, and does
/// not write bytecode files.
fn python(home: &Path) -> Command {
    let mut python = Command::new("python3");
    python.env("PYTHONPATH", folder()).env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONUNBUFFERED", "1");
    python.env("HOME", home);
    python
}

/// Returns a command that runs Python with the package `name`, and with `home` as its home folder.
/// Returns `None` if the package or Python is missing.
pub fn with(name: &str, home: &Path) -> Option<Command> {
    let mut trial = python(home);
    trial.args(["-c", &format!("import {name}")]).stdin(Stdio::null()).stderr(Stdio::null());
    if trial.status().is_ok_and(|status| status.success()) {
        return Some(python(home));
    }
    eprintln!("SKIPPED: no {name} (from PyPI; `cargo xtask check` installs it)");
    None
}

/// Runs `script` with `arguments` in `sys.argv[1:]`, in a Python with the package `name`. Returns
/// `None` if the package or Python is missing.
///
/// # Panics
/// Panics if it takes more than [`crate::node::TIMEOUT`].
pub fn run<S: AsRef<OsStr>>(name: &str, script: &str, arguments: &[S]) -> Option<ScriptResult> {
    let home = tempfile::tempdir().unwrap();
    let mut python = with(name, home.path())?;
    let file = home.path().join("script.py");
    fs::write(&file, script).unwrap();
    python.arg(file).args(arguments);
    Some(node::finish(python, home.path()))
}

/// Returns a command that runs QEMU's program `qmp-shell`, with `home` as its home folder. Returns
/// `None` if the program is missing.
pub fn qmp_shell(home: &Path) -> Option<Command> {
    let mut shell = with("qemu.qmp", home)?;
    shell.args(["-m", "qemu.qmp.qmp_shell"]);
    Some(shell)
}
