//! Runs a program and collects its output.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::sync::LazyLock;

use crate::prerequisite::has_cargo_command;
use crate::root;

/// A program that has ended.
pub struct Finished {
    pub status: ExitStatus,
    /// Standard output and standard error, in the order in which they were written.
    pub output: String,
}

/// Returns the variables that let clippy, if it is installed, compile a workspace, so that it reports its
/// lints. `cargo clippy` would compile everything for itself.
pub fn with_clippy() -> &'static [(&'static str, &'static str)] {
    static IS_INSTALLED: LazyLock<bool> = LazyLock::new(|| has_cargo_command("clippy"));
    if *IS_INSTALLED { &[("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")] } else { &[] }
}

/// Returns whether the output of cargo contains warnings.
pub fn has_warnings(output: &str) -> bool {
    output.lines().any(|line| line.starts_with("warning: "))
}

/// Returns the `cargo` that started this program.
pub fn cargo_program() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Runs the `cargo` that started this program, in the workspace's root.
///
/// # Errors
/// Fails if it cannot be started.
pub fn cargo(arguments: &[&str], variables: &[(&str, &str)]) -> io::Result<Finished> {
    let mut command = Command::new(cargo_program());
    command.args(arguments).envs(variables.iter().copied());
    run(command)
}

/// Runs `command` in the workspace's root with the lowest priority, if that is possible, in preparation
/// of a step that runs it again and reports errors.
pub fn run_nicely(command: &Command) {
    let mut nice = Command::new("nice");
    nice.args(["-n", "19"]).arg(command.get_program()).args(command.get_args());
    nice.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let _ = run(nice);
}

/// Runs `command` in the workspace's root.
///
/// # Errors
/// Fails if it cannot be started.
pub fn run(command: Command) -> io::Result<Finished> {
    run_in(&root(), command)
}

/// Runs `command` in `folder`.
///
/// # Errors
/// Fails if it cannot be started.
pub fn run_in(folder: &Path, mut command: Command) -> io::Result<Finished> {
    let (mut reader, writer) = io::pipe()?;
    command.current_dir(folder).stdin(std::process::Stdio::null());
    command.stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn()?;
    // `command` owns the write ends of the pipe. Reading would never end while they are open.
    drop(command);
    let mut output = Vec::new();
    reader.read_to_end(&mut output)?;
    let status = child.wait()?;
    Ok(Finished { status, output: String::from_utf8_lossy(&output).into_owned() })
}
