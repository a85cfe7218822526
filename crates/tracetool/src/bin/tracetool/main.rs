//! `tracetool`: the generator as a program that is compatible with QEMU's script of the same name.
//!
//! ```text
//! arguments --> options --> script version --> script, shell --> Call --> generate --> OUTPUT
//! ```
//!
//! The library generates the text. This program parses the command line, reads and writes files,
//! and reports errors. A build starts it hundreds of times, so it does only what each call needs.

#![forbid(unsafe_code)]

mod batch;
mod batch_lines;
mod command;
mod declarations;
mod depfile;
mod error;
mod generate;
mod options;
mod paths;
mod script;
mod script_version;
mod shell;
mod usage;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::process::ExitCode;

use command::{Command, Context, Output, StdinKind, UsageError};
use error::{Error, ErrorReport};
use ringtrace_events::message::visible;

#[expect(clippy::disallowed_methods, reason = "the program's arguments, and the current folder")]
fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let context =
        Context { folder: std::env::current_dir().unwrap_or_default(), stdin, is_file: Path::is_file };
    match script::parse_command(arguments, &context) {
        Ok(command) => run(command, &context),
        Err(error) => report_usage_error(&error),
    }
}

fn run(command: Command, context: &Context) -> ExitCode {
    match command {
        Command::Help => {
            print_error(&usage::usage());
            ExitCode::SUCCESS
        }
        Command::Version => print(&format!("tracetool {}\n", env!("CARGO_PKG_VERSION"))),
        Command::Man => print(&usage::manual_page()),
        Command::ListBackends(names) => print(&format!("{names}\n")),
        Command::CheckBackends(all_exist) => {
            if all_exist {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            }
        }
        Command::Generate(call) => exit(generate::run(&call, context).map_err(|error| vec![error])),
        Command::Batch(batch) => exit(batch::run(&batch, context)),
    }
}

fn exit(result: Result<(), Vec<Error>>) -> ExitCode {
    let Err(errors) = result else { return ExitCode::SUCCESS };
    let mut report = ErrorReport::new(is_colour_wanted());
    errors.into_iter().for_each(|error| report.add(error));
    print_error(&report.finish());
    ExitCode::FAILURE
}

fn print(text: &str) -> ExitCode {
    exit(generate::write(text, &Output::Stdout).map_err(|error| vec![error]))
}

fn report_usage_error(error: &UsageError) -> ExitCode {
    let text = format!("Error: {}\n\n{}", visible::text(&error.text), usage::usage());
    if error.on_stdout {
        // The exit status reports the failure even if printing fails.
        print(&text);
    } else {
        print_error(&text);
    }
    ExitCode::FAILURE
}

/// Prints to standard error. Does nothing if it is closed.
fn print_error(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

fn stdin() -> StdinKind {
    let file = io::stdin().as_fd().try_clone_to_owned().map(File::from);
    let Ok(kind) = file.and_then(|file| file.metadata()).map(|metadata| metadata.file_type()) else {
        return StdinKind::Other;
    };
    match kind {
        _ if kind.is_file() => StdinKind::File,
        _ if kind.is_fifo() || kind.is_socket() => StdinKind::Pipe,
        _ => StdinKind::Other,
    }
}

#[expect(clippy::disallowed_methods, reason = "NO_COLOR and TERM describe the terminal")]
fn is_colour_wanted() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stderr().is_terminal() && !set("NO_COLOR") && !dumb
}
