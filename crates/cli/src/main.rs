//! The `ringtrace` tool.
//!
//! Other crates implement the declarations language (`ringtrace-events`), the encoding
//! (`ringtrace-wire`), and reading, filtering and rendering (`ringtrace-tracefile`). Only this
//! crate parses options, opens files, prints, uses colours and sets exit statuses.

#![deny(unsafe_code)]

mod arenas;
mod binaries;
mod command;
mod context;
mod exit;
mod export_job;
mod histogram;
mod kvmtrace_text;
mod misuse;
mod monitor;
mod output;
mod pager;
mod pair_arguments;
mod printing;
mod program_name;
mod progress;
mod reading;
mod running;
mod signals;
mod symbols;
mod sync;
mod terminal;
mod trace_status;
mod values;

use std::ffi::OsString;
use std::process::ExitCode;

use exit::Exit;
use ringtrace_display::quantity;
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
        Err(error) => return misuse::report(error, arguments, terminal),
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
