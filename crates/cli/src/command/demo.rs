//! `ringtrace demo`: a program that traces, from start to end.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};

use crate::output::print;
use clap::Args;
use ringtrace_display::shell;
use ringtrace_examples::copier::program as copier;

use super::{Command, parse_arguments};
use crate::exit::{CliError, Exit};
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "demo",
    about: "Record a program that copies a file in several threads, and look at its trace",
    configure: |command| Arguments::augment_args(command).after_help(AFTER_HELP),
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

const AFTER_HELP: &str = "\
Examples:
  ringtrace demo
  ringtrace demo --trace 'blk_*,policy=block' --megabytes 1000 --dir /tmp/demo

The program is examples/src/copier of the source tree; its events are declared in trace-events beside it.";

#[derive(Args, Debug)]
struct Arguments {
    /// Where the files go; made if it is not there [default: a new directory in the temporary one]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,

    /// The size of the file that is copied
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    megabytes: u64,

    /// What the program is told to trace
    #[arg(long, value_name = "OPTION", default_value = "*")]
    trace: String,

    /// Be the program that is traced, with these arguments
    #[arg(long, hide = true, num_args = 0.., allow_hyphen_values = true, exclusive = true, value_name = "ARG")]
    copier: Option<Vec<OsString>>,
}

/// How long requests took: from the event that begins one to the one that ends it, by its number.
const PAIR: &str = "blk_begin:blk_end:req";

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    if let Some(words) = &arguments.copier {
        let words = std::iter::once(OsString::from("copier")).chain(words.iter().cloned());
        let succeeded = copier::main(words) == ExitCode::SUCCESS;
        return Ok(if succeeded { Exit::Done } else { Exit::System });
    }
    let directory = directory(arguments.dir.as_deref())?;
    let file = |name: &str| directory.join(name);
    let (source, target, trace) = (file("source"), file("target"), file("trace"));
    fill(&source, arguments.megabytes << 20).map_err(|error| CliError::system(source.display(), &error))?;

    let words =
        ["--trace".into(), option(&arguments.trace, &trace), source.clone().into(), target.clone().into()];
    print_command(terminal, "copier", &words)?;
    let recorded = record(&words);
    // Only the trace is of interest.
    for copied in [&source, &target] {
        let _ = std::fs::remove_file(copied);
    }
    recorded?;

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
    let next = format!("The trace is {path}. It describes itself: `ringtrace info` says what else is in it.");
    print(&format!("\n{}", terminal.fold(&next)))?;
    Ok(Exit::Done)
}

/// The directory that the user named, or a new one.
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

/// Makes a file of `bytes` bytes that are not all zero.
fn fill(path: &Path, bytes: u64) -> io::Result<()> {
    let block: Vec<u8> = (0..1 << 20).map(|at: u32| (at >> 3 ^ at) as u8).collect();
    let mut rest = bytes;
    let mut file = File::create(path)?;
    while rest > 0 {
        rest -= io::copy(&mut block.as_slice().take(rest), &mut file)?;
    }
    Ok(())
}

/// The option with the trace's file; a comma in the path is written twice.
fn option(asked: &str, trace: &Path) -> OsString {
    let path = trace.display().to_string().replace(',', ",,");
    format!("{asked},file={path}").into()
}

/// Runs the program in a process of its own.
fn record(words: &[OsString]) -> Result<(), CliError> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the demo starts this program again, as the traced program"
    )]
    let this = std::env::current_exe().map_err(|error| CliError::system("this program", &error))?;
    let status = process::Command::new(this).args(["demo", "--copier"]).args(words).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(CliError::input(format!("copier: {status}")).exit(Exit::System)),
        Err(error) => Err(CliError::system("copier", &error)),
    }
}

fn print_command(terminal: &Terminal, program: &str, words: &[OsString]) -> Result<(), CliError> {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let words = shell::join(words.iter().map(|word| &**word));
    print(&format!("\n{}\n", terminal.paint("1", &format!("$ {program} {words}"))))
}
