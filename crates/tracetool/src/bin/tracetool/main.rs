//! `tracetool`: the generator as a program, that is called as QEMU's script of this name is.
//!
//! ```text
//! arguments --> options --> era --> script, shell --> Call --> generate --> OUTPUT
//! ```
//!
//! What is *not* here: what is generated; that is the library's. This program finds out what is asked for, reads and writes files, and
//! says what is wrong. A build starts it hundreds of times, so it does nothing that a call does not need.

#![forbid(unsafe_code)]

mod batch;
mod call;
mod declarations;
mod depfile;
mod era;
mod failure;
mod generate;
mod options;
mod paths;
mod script;
mod shell;
mod surroundings;
mod usage;
mod words;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::process::ExitCode;

use call::{Asked, Output, Refusal};
use failure::{Failure, Report};
use surroundings::{Stdin, Surroundings};

#[expect(clippy::disallowed_methods, reason = "the program's arguments, and the current folder")]
fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let surroundings =
        Surroundings { folder: std::env::current_dir().unwrap_or_default(), stdin, is_file: Path::is_file };
    match script::ask(arguments, &surroundings) {
        Ok(asked) => do_what_is(asked, &surroundings),
        Err(refusal) => refuse(&refusal),
    }
}

fn do_what_is(asked: Asked, surroundings: &Surroundings) -> ExitCode {
    match asked {
        Asked::Help => {
            say(&usage::usage());
            ExitCode::SUCCESS
        }
        Asked::Version => answer(&format!("tracetool {}\n", env!("CARGO_PKG_VERSION"))),
        Asked::Man => answer(&usage::manual_page()),
        Asked::ListBackends(names) => answer(&format!("{names}\n")),
        Asked::CheckBackends(all_exist) => {
            if all_exist {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            }
        }
        Asked::Generate(call) => exit(generate::run(&call, surroundings).map_err(|failure| vec![failure])),
        Asked::Batch(batch) => exit(batch::run(&batch, surroundings)),
    }
}

fn exit(result: Result<(), Vec<Failure>>) -> ExitCode {
    let Err(failures) = result else { return ExitCode::SUCCESS };
    let mut report = Report::new(is_colour_wanted());
    failures.into_iter().for_each(|failure| report.add(failure));
    say(&report.finish());
    ExitCode::FAILURE
}

fn answer(text: &str) -> ExitCode {
    exit(generate::write(text, &Output::Stdout).map_err(|failure| vec![failure]))
}

fn refuse(refusal: &Refusal) -> ExitCode {
    let text = format!("Error: {}\n\n{}", refusal.text, usage::usage());
    if refusal.on_stdout {
        // Whether it is heard or not, the call has failed.
        answer(&text);
    } else {
        say(&text);
    }
    ExitCode::FAILURE
}

/// A closed standard error leaves nobody to tell.
fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

fn stdin() -> Stdin {
    let file = io::stdin().as_fd().try_clone_to_owned().map(File::from);
    let Ok(kind) = file.and_then(|file| file.metadata()).map(|metadata| metadata.file_type()) else {
        return Stdin::Other;
    };
    match kind {
        _ if kind.is_file() => Stdin::File,
        _ if kind.is_fifo() || kind.is_socket() => Stdin::Pipe,
        _ => Stdin::Other,
    }
}

#[expect(clippy::disallowed_methods, reason = "NO_COLOR and TERM describe the terminal")]
fn is_colour_wanted() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stderr().is_terminal() && !set("NO_COLOR") && !dumb
}
