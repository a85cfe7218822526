//! Python, with the packages that `cargo xtask check` installs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where those packages are. `xtask/src/prerequisite/python.rs` has the same folder.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python")
}

/// Python, which finds the packages first. What it runs leaves nothing beside the scripts, and what it keeps of a user in `home`.
fn python(home: &Path) -> Command {
    let mut python = Command::new("python3");
    python.env("PYTHONPATH", folder()).env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONUNBUFFERED", "1");
    python.env("HOME", home);
    python
}

/// Python that can import `qemu.qmp`, for a user whose home is `home`. `None`: it cannot, or there is no Python.
pub fn with_qemu_qmp(home: &Path) -> Option<Command> {
    let mut trial = python(home);
    trial.args(["-c", "import qemu.qmp"]).stdin(Stdio::null()).stderr(Stdio::null());
    if trial.status().is_ok_and(|status| status.success()) {
        return Some(python(home));
    }
    eprintln!("SKIPPED: no qemu.qmp (from PyPI; `cargo xtask check` installs it)");
    None
}

/// QEMU's program `qmp-shell`, for a user whose home is `home`. `None`: there is none.
pub fn qmp_shell(home: &Path) -> Option<Command> {
    let mut shell = with_qemu_qmp(home)?;
    shell.args(["-m", "qemu.qmp.qmp_shell"]);
    Some(shell)
}
