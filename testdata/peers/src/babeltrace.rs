//! babeltrace2, which prints CTF traces.

use std::path::Path;
use std::process::Command;

/// The output of babeltrace2.
#[derive(Debug)]
pub struct Printed {
    /// One line for each event: `[CYCLES] NAME: { CONTEXT }, { FIELDS }`. Control characters,
    /// quotes and backslashes in strings are escaped.
    pub lines: Vec<Vec<u8>>,
    /// Messages about lost events, warnings and errors.
    pub messages: Vec<String>,
}

/// Prints the trace in `folder`, with `options`.
pub fn print(folder: &Path, options: &[&str]) -> Printed {
    let mut babeltrace = Command::new("babeltrace2");
    babeltrace.args(["--no-delta"]).args(options).arg(folder).env("TZ", "UTC0");
    let output = babeltrace
        .output()
        .unwrap_or_else(|error| panic!("babeltrace2: {error} (Debian package babeltrace2)"));
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "babeltrace2: {messages}");
    let lines = output.stdout.split(|byte| *byte == b'\n');
    Printed {
        lines: lines.filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect(),
        messages: messages.lines().map(str::to_owned).collect(),
    }
}
