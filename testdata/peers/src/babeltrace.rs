//! babeltrace2, which prints CTF.

use std::path::Path;
use std::process::Command;

/// What babeltrace2 makes of a trace.
#[derive(Debug)]
pub struct Printed {
    /// A line for each event: `[CYCLES] NAME: { CONTEXT }, { FIELDS }`. Control characters, quotes and backslashes in strings are escaped, other
    /// bytes are as they were.
    pub lines: Vec<Vec<u8>>,
    /// What it says of events that were lost, and whatever else it complains of.
    pub told: Vec<String>,
}

/// Prints the trace in `folder`, with `options`.
pub fn print(folder: &Path, options: &[&str]) -> Printed {
    let mut babeltrace = Command::new("babeltrace2");
    babeltrace.args(["--no-delta"]).args(options).arg(folder).env("TZ", "UTC0");
    let output = babeltrace
        .output()
        .unwrap_or_else(|error| panic!("babeltrace2: {error}; it is in Debian's package babeltrace2"));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "babeltrace2: {told}");
    let lines = output.stdout.split(|byte| *byte == b'\n');
    Printed {
        lines: lines.filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect(),
        told: told.lines().map(str::to_owned).collect(),
    }
}
