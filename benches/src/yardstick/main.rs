//! What this machine can do: loops written by hand for one purpose each, to measure the tool against.
//!
//! ```text
//! yardstick walk TRACE    goes from record to record by their lengths, and counts them
//! yardstick text TRACE    writes the text of TRACE to standard output
//! ```
//!
//! Both read simpletrace v4, little-endian, from a mapped file, as `ringtrace` does. They check what a decoder must
//! check to be safe (no read and no write beyond the ends of their memory), and leave out all else: messages, other
//! versions, filters, pipes, declarations. The text is that of two events that are written down here.

#![deny(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool for a person at a terminal prints")]

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

/// The file itself: the standard library's face of it looks for line ends.
fn standard_output() -> Result<File, String> {
    use std::os::fd::AsFd;
    let output = std::io::stdout().as_fd().try_clone_to_owned();
    output.map(File::from).map_err(|error| format!("standard output: {error}"))
}
