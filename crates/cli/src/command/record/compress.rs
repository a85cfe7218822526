//! Compresses traces after a run.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use ringtrace::announcement::Announcement;

use super::killed::ProcessOutcome;
use crate::exit::CliError;
use crate::output::{Output, Overwrite, is_compressed};
use crate::terminal::Terminal;

/// Replaces the traces of all processes that have ended with compressed ones. A trace that cannot be
/// compressed stays as it is.
pub fn compress(traces: &[Announcement], outcomes: &[Option<ProcessOutcome>], terminal: &Terminal) {
    for (trace, outcome) in traces.iter().zip(outcomes) {
        let path = &trace.trace;
        if !is_named_compressed(path) {
            continue;
        }
        if *outcome == Some(ProcessOutcome::Running) {
            terminal.warn(
                &format!(
                    "{} is not compressed: process {} is still running and writing to it",
                    path.display(),
                    trace.pid
                ),
                Some("to compress it later, run `ringtrace convert FILE FILE.zst`"),
            );
            continue;
        }
        // A pipe is not a file, and a flight recorder may have written nothing.
        if fs::metadata(path).is_ok_and(|found| found.is_file())
            && let Err(error) = compress_file(path)
        {
            terminal.warn(&format!("the trace is not compressed: {}", error.message), error.help.as_deref());
        }
    }
}

/// Returns whether a file is called FILE.zst, or FILE.zst.PID as in child processes.
fn is_named_compressed(path: &Path) -> bool {
    let is_pid =
        path.extension().is_some_and(|extension| extension.as_encoded_bytes().iter().all(u8::is_ascii_digit));
    let first = if is_pid { path.with_extension("") } else { path.to_owned() };
    is_compressed(&first).unwrap_or(false)
}

fn compress_file(path: &Path) -> Result<(), CliError> {
    let failed = |error: io::Error| CliError::system(path.display(), &error);
    let mut file = File::open(path).map_err(failed)?;
    let mut output = Output::create_private(path, Overwrite::ALWAYS)?.compressed();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return output.keep(),
            Ok(read) => output.write(&buffer[..read])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(failed(error)),
        }
    }
}
