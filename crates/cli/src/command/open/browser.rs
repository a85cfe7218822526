//! Starts the user's browser.

use std::env;
use std::ffi::OsString;
use std::process::{Command, Stdio};

/// Starts a browser with `address`. Returns whether one was started. It may still fail to show the
/// page, so the address must be printed in any case.
pub fn start(address: &str) -> bool {
    let Some(program) = program() else { return false };
    let mut command = Command::new(program);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}

/// Returns the program in `BROWSER`, or `xdg-open` in a graphical session on this machine.
#[expect(clippy::disallowed_methods, reason = "environment variables describe the session")]
fn program() -> Option<OsString> {
    let value = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    if let Some(browsers) = value("BROWSER") {
        // `BROWSER` can contain several programs, separated by colons, in order of preference.
        return browsers.to_str()?.split(':').next().map(OsString::from);
    }
    let is_graphical = value("DISPLAY").is_some() || value("WAYLAND_DISPLAY").is_some();
    // A browser on another machine could not reach the address.
    (is_graphical && value("SSH_CONNECTION").is_none()).then(|| "xdg-open".into())
}
