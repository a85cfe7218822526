//! Prints kvmtrace streams, for the command `kvmtrace` and the program name `kvmtrace_format`.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use ringtrace_kvmtrace::Record;
use ringtrace_kvmtrace::definitions::MAX_DEFINITIONS_BYTES;
use ringtrace_kvmtrace::{Clock, Definitions, Diagnostic, Error, Position, Stream};

use crate::exit::{CliError, Exit};
use crate::output::STDOUT;
use crate::quantity::counted;
use crate::terminal::Terminal;

pub const SHOWN_PROBLEMS: usize = 20;

/// Reads a definitions file. Reads at most one byte more than the parser accepts, so that the
/// parser reports a file that is too large.
pub fn read_definitions(path: &Path, terminal: &Terminal) -> Result<Definitions, CliError> {
    let name = path.display().to_string();
    let mut text = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_DEFINITIONS_BYTES as u64 + 1).read_to_end(&mut text))
        .map_err(|error| CliError::system(&name, &error))?;
    Definitions::parse(&name, &text).map_err(|problems| {
        for problem in problems.iter().take(SHOWN_PROBLEMS) {
            terminal.report(&CliError::input(problem.to_string()).maybe_help(problem.help));
        }
        match problems.len().checked_sub(SHOWN_PROBLEMS) {
            Some(more @ 1..) => {
                let have = counted(more as u64, "more line has errors", "more lines have errors");
                CliError::input(format!("{name}: {have}"))
            }
            _ => CliError::input(""),
        }
    })
}

/// An error that ended [`print_records`] before the end of the stream.
pub enum PrintError {
    Output(io::Error),
    Stream(Error),
    Definition { place: Position, problem: Diagnostic },
}

/// Prints the rest of a stream to `out`, flushing before each wait for input, and calls `seen` for
/// every record. After an error, all earlier lines have been printed.
pub fn print_records(
    stream: &mut Stream<impl Read>,
    definitions: &Definitions,
    clock: &mut Clock,
    out: &mut impl Write,
    mut seen: impl FnMut(Position, &Record),
) -> Result<(), PrintError> {
    const BATCH_BYTES: usize = 1 << 16;
    let mut text = Vec::new();
    loop {
        while let Some((place, record)) = stream.buffered() {
            seen(place, &record);
            let rendered = definitions.render(record.event, &clock.arguments(&record), &mut text);
            if rendered.is_err() || text.len() >= BATCH_BYTES {
                out.write_all(&text).map_err(PrintError::Output)?;
                text.clear();
            }
            rendered.map_err(|problem| PrintError::Definition { place, problem })?;
        }
        out.write_all(&text).and_then(|()| out.flush()).map_err(PrintError::Output)?;
        text.clear();
        match stream.fill() {
            Ok(true) => {}
            Ok(false) => return stream.finish().map_err(PrintError::Stream),
            Err(error) => return Err(PrintError::Stream(Error::Io(error))),
        }
    }
}

impl PrintError {
    /// Converts this error to the error that a command reports if it prints the stream `name`.
    pub fn into_error(self, name: &str) -> CliError {
        match self {
            PrintError::Output(error) => CliError::system(STDOUT, &error),
            PrintError::Stream(error) => stream_error(name, &error),
            PrintError::Definition { place, problem } => {
                CliError::lines(Exit::Input, format!("{problem}\n  needed by {place} of {name}"))
                    .maybe_help(problem.help)
            }
        }
    }
}

/// Returns the error to report for a stream that cannot be read.
pub fn stream_error(name: &str, error: &Error) -> CliError {
    match error {
        Error::Io(error) => CliError::system(name, error),
        _ => CliError::input(format!("{name}: {error}")).maybe_help(error.help()),
    }
}
