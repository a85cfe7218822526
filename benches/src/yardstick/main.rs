//! Handwritten loops that serve one purpose each, as a reference for the tool's speed.
//!
//! ```text
//! yardstick walk TRACE    counts the records of TRACE by their lengths
//! yardstick text TRACE    writes the text of TRACE to standard output
//! ```
//!
//! Both read little-endian simpletrace v4 from a mapped file, as `ringtrace` does. They check the
//! bounds of all accesses, and support nothing else: no error messages, other versions, filters,
//! pipes or declarations. Two events are built in.

#![deny(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod layout;
mod map;
mod text;
mod walk;

use std::fs::File;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["walk", file] => map::file(file).and_then(|trace| walk::walk(&trace)).map(|records| {
            println!("{records} records");
        }),
        ["text", file] => map::file(file).and_then(|trace| text::text(&trace, standard_output()?)),
        _ => {
            eprintln!("usage: yardstick walk|text TRACE");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("yardstick: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Returns standard output without the line buffer of the standard library.
fn standard_output() -> Result<File, String> {
    use std::os::fd::AsFd;
    let output = std::io::stdout().as_fd().try_clone_to_owned();
    output.map(File::from).map_err(|error| format!("standard output: {error}"))
}
