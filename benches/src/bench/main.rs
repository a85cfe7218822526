//! Measures speed and memory of the tool, and the cost of recording.
//!
//! Runs of the tool alternate with handwritten loops or with other runs of the tool. The program
//! `cost` measures the cost of recording. `cargo xtask bench` builds and runs everything;
//! docs/performance.md explains the output.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod cases;
mod child;
mod cost;
mod declarations;
mod files;
mod generate;
mod machine;
mod measure;
mod memory;
mod report;

use std::process::ExitCode;

use cases::CASES;
use files::Files;
use measure::Setting;

const USAGE: &str = "\
usage: cargo xtask bench [NAME]... [--rounds N] [--records N] [--record] [--list]
       cargo xtask bench --peers [ROUNDS]      measure the cost of recording in other libraries

  NAME         run only the cases whose names start with NAME
  --rounds N   run each pair N times [default: 11]
  --records N  generate traces of N records [default: 20000000, about 1 GB each]
  --record     write the result to benches/record/, for this machine
  --list       list the cases";

struct Arguments {
    names: Vec<String>,
    rounds: usize,
    records: u64,
    record: bool,
    list: bool,
}

fn parse(arguments: impl Iterator<Item = String>) -> Option<Arguments> {
    let mut options =
        Arguments { names: Vec::new(), rounds: 11, records: 20_000_000, record: false, list: false };
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => options.rounds = arguments.next()?.parse().ok().filter(|&rounds| rounds > 0)?,
            "--records" => options.records = arguments.next()?.parse().ok().filter(|&records| records > 0)?,
            "--record" => options.record = true,
            "--list" => options.list = true,
            name if !name.starts_with('-') => options.names.push(argument),
            _ => return None,
        }
    }
    Some(options)
}

fn main() -> ExitCode {
    let Some(options) = parse(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let wanted: Vec<_> = CASES
        .iter()
        .filter(|case| {
            options.names.is_empty() || options.names.iter().any(|name| case.name.starts_with(name.as_str()))
        })
        .collect();
    if wanted.is_empty() {
        eprintln!("error: no such case; `cargo xtask bench --list` lists all cases");
        return ExitCode::from(2);
    }
    if options.list {
        for case in &wanted {
            println!("{:18} {}", case.name, case.about);
        }
        return ExitCode::SUCCESS;
    }
    match run(&wanted, &options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Measures `wanted` and prints a table. Returns whether all requirements are met.
fn run(wanted: &[&cases::Case], options: &Arguments) -> Result<bool, String> {
    let files = Files::new(options.records)?;
    files.provide(wanted.iter().flat_map(|case| case.files()))?;
    let setting = Setting { files, rounds: options.rounds };
    let machine = machine::describe();
    println!("{machine}");
    println!("{}\n", setting.describe());
    report::print_heading();
    let mut rows = Vec::new();
    for case in wanted {
        let row = report::Row { case, outcome: case.measure(&setting) };
        row.print();
        rows.push(row);
    }
    if options.record {
        let path = report::write_record(&machine, &setting.describe(), &rows)?;
        println!("\nwritten to {}", path.display());
    }
    Ok(rows.iter().all(report::Row::is_fine))
}
