//! trace-cmd, which prints a trace.dat.

use std::path::Path;
use std::process::Command;

/// What `trace-cmd report` prints of `file`, with times to the nanosecond. It must not complain. Strings are printed as they are, so a line
/// break in one is one in the text.
pub fn report(file: &Path) -> Vec<u8> {
    let output = Command::new("trace-cmd")
        .args(["report", "-t"])
        .arg(file)
        .output()
        .unwrap_or_else(|error| panic!("trace-cmd: {error}; it is in Debian's package trace-cmd"));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.trim().is_empty(), "trace-cmd: {told}");
    output.stdout
}
