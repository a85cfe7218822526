//! trace-cmd, which prints trace.dat files.

use std::path::Path;
use std::process::Command;

/// Returns the output of `trace-cmd report` for `file`, with times in nanoseconds. There must be no
/// errors. Strings are not escaped, so they may contain line breaks.
pub fn report(file: &Path) -> Vec<u8> {
    let output = Command::new("trace-cmd")
        .args(["report", "-t"])
        .arg(file)
        .output()
        .unwrap_or_else(|error| panic!("trace-cmd: {error} (Debian package trace-cmd)"));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.trim().is_empty(), "trace-cmd: {told}");
    output.stdout
}
