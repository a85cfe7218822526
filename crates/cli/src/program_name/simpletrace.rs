//! `simpletrace [--no-header] TRACE-EVENTS TRACE-FILE`, a replacement for QEMU's script.
//!
//! The arguments, the output and the exit statuses are the same. For v4, the output matches the
//! script in QEMU 10.2; for older versions, it matches the last script that supported them. If the
//! script had a message for an error, that message is the last line on standard error.
//!
//! There are some differences. Errors report the record and the offset instead of a traceback.
//! Input that the script silently accepted causes a warning. A closed pipe is not an error.

use std::ffi::OsString;
use std::path::Path;

use ringtrace_tracefile::text::SimpletraceText;
use ringtrace_tracefile::{Needs, Options, Traces};

use super::ProgramName;
use crate::exit::{CliError, Exit};
use crate::output::Overwrite;
use crate::printing::{self, LineLimits, TextOutput};
use crate::reading::{open_trace, read_declarations, warn_of_all};
use crate::terminal::Terminal;

pub const PROGRAM_NAME: ProgramName = ProgramName {
    name: "simpletrace",
    usage: "[--no-header] TRACE-EVENTS TRACE-FILE",
    about: "print the text of a binary trace, as QEMU's script does",
    run: |arguments, terminal| {
        let exit = match run(arguments, terminal) {
            Ok(()) => Exit::Done,
            Err(failure) => {
                terminal.report(&failure);
                if let Some(words) = failure.original_message {
                    terminal.quote(&format!("{words}\n"));
                }
                failure.exit
            }
        };
        // The script had only two exit statuses.
        if exit == Exit::Done { Exit::Done } else { Exit::Input }.into()
    },
};

fn run(arguments: &[OsString], terminal: &Terminal) -> Result<(), CliError> {
    let (no_header, declarations, trace) = match arguments.get(1..).unwrap_or_default() {
        [declarations, trace] => (false, declarations, trace),
        [flag, declarations, trace] if flag == "--no-header" => (true, declarations, trace),
        _ => return Err(usage(arguments.first())),
    };
    let options = Options {
        sources: vec![read_declarations(Path::new(declarations))?],
        no_header,
        era_dialect: true,
        imitates: true,
        ..Options::default()
    };
    let reader = open_trace(Path::new(trace), &options)?;
    let text = SimpletraceText::new(reader.era());
    let mut traces = Traces::new(vec![reader], Needs::default()).map_err(CliError::from)?;
    let output = TextOutput::open(None, Overwrite::default())?;
    let printed = printing::print(&mut traces, text, LineLimits::default(), output)?;
    warn_of_all(&traces, terminal);
    match printed.failed.into_iter().next() {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

/// Returns the script's usage message, including the blank line at its end.
fn usage(called_as: Option<&OsString>) -> CliError {
    let name = called_as.map(|name| name.to_string_lossy()).unwrap_or_default();
    let words = format!("usage: {name} [--no-header] <trace-events> <trace-file>\n");
    CliError { original_message: Some(words), ..CliError::usage("") }
}
