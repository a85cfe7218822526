//! Running one program, its output kept until it is known whether somebody must read it.

use std::io::{self, Read};
use std::process::{Command, ExitStatus};

use crate::root;

/// How a program ended, and everything it said.
pub struct Finished {
    /// Its exit status.
    pub status: ExitStatus,
    /// Standard output and standard error, as they would have stood on a terminal.
    pub output: String,
}

/// Runs the cargo that runs us, in the workspace's root.
///
/// # Errors
/// When it cannot be started.
pub fn cargo(arguments: &[&str], variables: &[(&str, &str)]) -> io::Result<Finished> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).envs(variables.iter().copied());
    run(command)
}

/// Runs `command` in the workspace's root.
///
/// # Errors
/// When it cannot be started.
pub fn run(mut command: Command) -> io::Result<Finished> {
    let (mut reader, writer) = io::pipe()?;
    command.current_dir(root()).stdin(std::process::Stdio::null());
    command.stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn()?;
    // Our own ends of the pipe are in `command`: open, they would keep it from ending.
    drop(command);
    let mut output = Vec::new();
    reader.read_to_end(&mut output)?;
    let status = child.wait()?;
    Ok(Finished { status, output: String::from_utf8_lossy(&output).into_owned() })
}
