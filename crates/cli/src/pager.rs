//! Shows the output in the user's pager, as git does.

use std::env;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustix::stdio::{dup2_stderr, dup2_stdout};
use signal_hook::consts::SIGINT;

use crate::terminal::is_dumb;

/// The pager if `PAGER` is not set.
const DEFAULT: &str = "less";

/// The options of `less`: quit if the output fits on the screen, keep colours, and do not clear the
/// screen.
const LESS_OPTIONS: &str = "FRX";

/// A pager that shows standard output, and also standard error if that is a terminal. Dropping this
/// waits for the user to quit the pager.
#[derive(Debug)]
pub struct Pager {
    child: Child,
    stdout: OwnedFd,
    stderr: Option<OwnedFd>,
}

impl Pager {
    /// Starts the program in `PAGER`, or `less`. Returns `None` if standard output is not a
    /// terminal, if `PAGER` is empty or `cat`, or if the pager cannot be started.
    #[expect(clippy::disallowed_methods, reason = "environment variables select the pager")]
    pub fn start() -> Option<Pager> {
        if !io::stdout().is_terminal() || is_dumb() {
            return None;
        }
        let wanted = env::var_os("PAGER").unwrap_or_else(|| DEFAULT.into());
        if wanted.is_empty() || wanted == "cat" || !exists(&wanted) {
            return None;
        }
        let mut command = Command::new("sh");
        command.arg("-c").arg(&wanted).stdin(Stdio::piped());
        if env::var_os("LESS").is_none() {
            command.env("LESS", LESS_OPTIONS);
        }
        let stdout = io::stdout().as_fd().try_clone_to_owned().ok()?;
        let stderr = io::stderr();
        let stderr =
            if stderr.is_terminal() { Some(stderr.as_fd().try_clone_to_owned().ok()?) } else { None };
        // Only the pager handles Ctrl-C: it stops waiting for more input, but keeps running until
        // the user quits it.
        signal_hook::flag::register(SIGINT, Arc::new(AtomicBool::new(false))).ok()?;
        let mut child = command.spawn().ok()?;
        let pipe = child.stdin.take()?;
        let pager = Pager { child, stdout, stderr };
        // If a redirection fails, the output goes to the terminal.
        let _ = dup2_stdout(&pipe);
        if pager.stderr.is_some() {
            let _ = dup2_stderr(&pipe);
        }
        Some(pager)
    }
}

impl Drop for Pager {
    fn drop(&mut self) {
        let _ = io::stdout().flush();
        // The pager sees the end of its input only after the last handle of the pipe is closed.
        let _ = dup2_stdout(&self.stdout);
        if let Some(stderr) = &self.stderr {
            let _ = dup2_stderr(stderr);
        }
        let _ = self.child.wait();
    }
}

/// Returns whether the program of the command line `wanted` exists. If that is unclear, returns
/// true.
#[expect(clippy::disallowed_methods, reason = "PATH selects programs")]
fn exists(wanted: &std::ffi::OsStr) -> bool {
    let Some(program) = wanted.to_str().and_then(|line| line.split_whitespace().next()) else { return true };
    if program.contains(['/', '=', '$', '`', '"', '\'']) {
        return true;
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| File::open(folder.join(program)).is_ok())
}
