//! The program: what its words mean. `main.rs` of the example calls it, and `ringtrace demo`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a person at a terminal prints")]

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use super::Job;

const USAGE: &str = "usage: copier [--trace OPTION]... [--threads N] [--block BYTES] SOURCE TARGET";

/// Does what `arguments`, the program's name first, say.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("copier: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<(), String> {
    // All that tracing needs of a program: its options, and a guard that ends the trace when `main` does.
    let (tracing, arguments) = ringtrace::Options::from_args(arguments).map_err(|error| error.to_string())?;
    let mut options = ringtrace::Options::from_env().map_err(|error| error.to_string())?;
    options.extend(tracing);
    let _tracing = options.start().map_err(|error| error.to_string())?;

    let (mut files, mut threads, mut block_bytes) = (Vec::new(), 4, 64 << 10);
    let mut arguments = arguments.into_iter().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || {
            let text = arguments.next().ok_or(USAGE)?;
            text.to_str().and_then(|text| text.parse().ok()).filter(|&number: &u32| number > 0).ok_or(USAGE)
        };
        match argument.to_str() {
            Some("--threads") => threads = number()?,
            Some("--block") => block_bytes = number()? as usize,
            _ => files.push(PathBuf::from(argument)),
        }
    }
    let [source, target] = files.as_slice() else { return Err(USAGE.to_owned()) };
    let job = Job { threads, block_bytes, ..Job::new(source, target) };
    let done = job.run().map_err(|error| error.to_string())?;
    println!("{} bytes in {} blocks", done.bytes, done.blocks);
    Ok(())
}
