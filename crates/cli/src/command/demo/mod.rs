//! `ringtrace demo`: records a small program and prints parts of its trace.

mod workload;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process;

use crate::output::print;
use crate::values::parse_in;
use clap::Args;
use ringtrace_display::shell;

use super::{Command, parse_arguments};
use crate::exit::{CliError, Exit};
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "demo",
    about: "Record a small program with four threads, and show its trace",
    configure: |command| Arguments::augment_args(command).after_help(AFTER_HELP),
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

const AFTER_HELP: &str = "\
Examples:
  ringtrace demo
  ringtrace demo --trace 'block_*,policy=block' --megabytes 1000 --dir /tmp/demo

The program computes the checksum of a file. Its source is crates/cli/src/command/demo/workload.rs in the \
source tree, and the file trace-events beside it declares its events.";

#[derive(Args, Debug)]
struct Arguments {
    /// The directory for the files, which is created if needed [default: a new temporary directory]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,

    /// The size of the file
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = |text: &str| parse_in(text, &(1..=100_000_u64)))]
    megabytes: u64,

    /// Trace options for the program
    #[arg(long, value_name = "OPTION", default_value = "*")]
    trace: String,

    /// Run the recorded program itself, with these arguments
    #[arg(long, hide = true, num_args = 0.., allow_hyphen_values = true, exclusive = true, value_name = "ARG")]
    workload: Option<Vec<OsString>>,
}

/// The events that begin and end a block, and the argument with the block's number.
const PAIR: &str = "block_begin:block_end:block";

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    if let Some(words) = &arguments.workload {
        print(workload::run(words)?)?;
        return Ok(Exit::Done);
    }
    let directory = directory(arguments.dir.as_deref())?;
    let (file, trace) = (directory.join("file"), directory.join("trace"));
    let words = ["demo", "--workload", "--trace"].map(OsString::from);
    let megabytes = arguments.megabytes.to_string();
    let values = [option(&arguments.trace, &trace), file.into(), megabytes.into()];
    let words: Vec<OsString> = words.into_iter().chain(values).collect();
    print_command(terminal, "ringtrace", &words)?;
    record(&words)?;

    let trace: OsString = trace.into();
    for words in [
        ["print", "--time", "relative", "--style", "log", "--head", "8"].as_slice(),
        &["stat", "--top", "8"],
        &["stat", "--pair", PAIR],
    ] {
        let mut words: Vec<OsString> = words.iter().map(OsString::from).collect();
        words.insert(1, trace.clone());
        print_command(terminal, "ringtrace", &words)?;
        let words: Vec<OsString> = std::iter::once("ringtrace".into()).chain(words).collect();
        match crate::run(&words, terminal) {
            Exit::Done => {}
            exit => return Ok(exit),
        }
    }
    let path = trace.to_string_lossy();
    let next = format!("The trace is {path}. `ringtrace info` summarizes it and needs no declarations.");
    print(format!("\n{}", terminal.fold(&next)))?;
    Ok(Exit::Done)
}

/// Returns the directory that the user named, or a new temporary one.
fn directory(named: Option<&Path>) -> Result<PathBuf, CliError> {
    match named {
        Some(directory) => std::fs::create_dir_all(directory)
            .map(|()| directory.to_owned())
            .map_err(|error| CliError::system(directory.display(), &error)),
        None => tempfile::Builder::new()
            .prefix("ringtrace-demo-")
            .tempdir()
            .map(tempfile::TempDir::keep)
            .map_err(|error| CliError::system("a directory for the demo", &error)),
    }
}

/// Returns the program's `--trace` option. A comma in a file name is doubled.
fn option(options: &str, trace: &Path) -> OsString {
    let path = trace.display().to_string().replace(',', ",,");
    format!("{options},file={path}").into()
}

/// Runs the traced program in its own process.
fn record(words: &[OsString]) -> Result<(), CliError> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the demo starts this program again, as the traced program"
    )]
    let this = std::env::current_exe().map_err(|error| CliError::system("this program", &error))?;
    match process::Command::new(this).args(words).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(CliError::input(format!("the program: {status}")).exit(Exit::System)),
        Err(error) => Err(CliError::system("the program", &error)),
    }
}

fn print_command(terminal: &Terminal, program: &str, words: &[OsString]) -> Result<(), CliError> {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let words = shell::join(words.iter().map(|word| &**word));
    print(format!("\n{}\n", terminal.paint("1", &format!("$ {program} {words}"))))
}
