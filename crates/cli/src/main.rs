//! The `ringtrace` tool.
//!
//! Other crates implement the declarations language (`ringtrace-events`), the encoding
//! (`ringtrace-wire`), and reading, filtering and rendering (`ringtrace-tracefile`). Only this
//! crate parses options, opens files, prints, uses colours and sets exit statuses.

#![deny(unsafe_code)]

mod arenas;
mod binaries;
mod command;
mod exit;
mod export;
mod histogram;
mod kvmtrace;
mod monitor;
mod output;
mod pairs;
mod printing;
mod program_name;
mod progress;
mod reading;
mod signals;
mod sync;
mod terminal;
mod trace_status;
mod values;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::error::ErrorKind;
use exit::{CliError, Exit};
use ringtrace_display::quantity;
use ringtrace_report::wording::command_line;
use terminal::Terminal;

fn main() -> ExitCode {
    #[expect(clippy::disallowed_methods, reason = "the program's arguments")]
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let terminal = Terminal::detect();
    signals::catch_sigbus();
    match arguments.first().and_then(|called_as| program_name::of(called_as)) {
        Some(program) => (program.run)(&arguments, &terminal),
        None => run(&arguments, &terminal).into(),
    }
}

/// Runs the tool and returns its exit status.
fn run(arguments: &[OsString], terminal: &Terminal) -> Exit {
    let matches = match command::tool().try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) if error.kind() == ErrorKind::InvalidSubcommand && names_trace(arguments) => {
            let path = &arguments[1];
            let error = CliError::usage(format!("`{}` is a file, not a command", path.display()));
            let quoted = command_line(&[path.as_encoded_bytes(), b"\0"].concat());
            terminal.report(&error.help(format!("`ringtrace print {quoted}` prints a trace")));
            return Exit::Usage;
        }
        Err(error) => {
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Done };
            // Ignore errors: standard error may be closed.
            let _ = error.print();
            return exit;
        }
    };
    let Some((name, matches)) = matches.subcommand() else { return Exit::Usage };
    let Some(command) = command::COMMANDS.iter().find(|command| command.name == name) else {
        return Exit::Usage;
    };
    let terminal = &terminal.with_colour(matches.get_one("color").copied());
    match (command.run)(matches, terminal) {
        Ok(exit) => exit,
        Err(failure) => {
            terminal.report(&failure);
            failure.exit
        }
    }
}

/// Whether the first argument is not a command but the path of a file, which is most likely a
/// trace.
fn names_trace(arguments: &[OsString]) -> bool {
    arguments.get(1).is_some_and(|path| Path::new(path).is_file())
}
