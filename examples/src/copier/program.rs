//! The command line of the copier, for `main.rs` of the example and for `ringtrace demo`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use super::Job;

const USAGE: &str = "usage: copier [--trace OPTION]... [--threads N] [--block BYTES] SOURCE TARGET";

const HELP: &str = "\
Copies a file with several threads, and traces every block

Options:
  --trace OPTION  What to trace, and how; `help` lists the events
  --threads N     Number of threads [default: 4]
  --block BYTES   Size of a block [default: 65536]
  --help          Print this help";

/// Runs the program. `arguments` start with its name.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<(), String> {
    // Tracing needs the options, and a guard that ends the trace when it is dropped.
    let (tracing, arguments) = ringtrace::Options::from_args(arguments).map_err(|error| error.to_string())?;
    let mut options = ringtrace::Options::from_env().map_err(|error| error.to_string())?;
    options.extend(tracing);
    let _tracing = options.start().map_err(|error| error.to_string())?;

    let (mut files, mut threads, mut block_bytes) = (Vec::new(), 4, 64 << 10);
    let mut arguments = arguments.into_iter().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || {
            let text = arguments.next().unwrap_or_default();
            let number = text.to_str().and_then(|text| text.parse().ok()).filter(|&number: &u32| number > 0);
            number.ok_or_else(|| format!("expected a number above 0\n{USAGE}"))
        };
        match argument.to_str() {
            Some("--threads") => threads = number()?,
            Some("--block") => block_bytes = number()? as usize,
            Some("--help" | "-h") => {
                println!("{USAGE}\n\n{HELP}");
                return Ok(());
            }
            Some(option) if option.starts_with("--") => {
                return Err(format!("unknown option `{}`\n{USAGE}", option.escape_debug()));
            }
            _ => files.push(PathBuf::from(argument)),
        }
    }
    let [source, target] = files.as_slice() else {
        return Err(format!("expected SOURCE and TARGET\n{USAGE}"));
    };
    let job = Job { threads, block_bytes, ..Job::new(source, target) };
    let done = job.run().map_err(|error| error.to_string())?;
    println!("{} bytes in {} blocks", done.bytes, done.blocks);
    Ok(())
}
