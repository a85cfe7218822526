//! Speed and memory of the tool, measured from outside: whole processes, in ratios to hand-written loops or to
//! other runs of the tool, each pair in the same minute. And what recording costs, measured from within.
//!
//! `cargo xtask bench` builds all that is needed and runs this; docs/performance.md tells how to read what it prints.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool for a person at a terminal prints")]

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
       cargo xtask bench --peers [ROUNDS]      other libraries' cost of recording

  NAME         only the cases whose names begin so
  --rounds N   how often each pair is run [default: 11]
  --records N  size of the generated traces [default: 20000000, about 1 GB each]
  --record     write the result to benches/record/, for this machine
  --list       say what the cases are";

/// What was asked for.
struct Wishes {
    names: Vec<String>,
    rounds: usize,
    records: u64,
    record: bool,
    list: bool,
}

fn parse(arguments: impl Iterator<Item = String>) -> Option<Wishes> {
    let mut wishes =
        Wishes { names: Vec::new(), rounds: 11, records: 20_000_000, record: false, list: false };
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => wishes.rounds = arguments.next()?.parse().ok().filter(|&rounds| rounds > 0)?,
            "--records" => wishes.records = arguments.next()?.parse().ok().filter(|&records| records > 0)?,
            "--record" => wishes.record = true,
            "--list" => wishes.list = true,
            name if !name.starts_with('-') => wishes.names.push(argument),
            _ => return None,
        }
    }
    Some(wishes)
}

fn main() -> ExitCode {
    let Some(wishes) = parse(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let wanted: Vec<_> = CASES
        .iter()
        .filter(|case| {
            wishes.names.is_empty() || wishes.names.iter().any(|name| case.name.starts_with(name.as_str()))
        })
        .collect();
    if wanted.is_empty() {
        eprintln!("no case begins so; `cargo xtask bench --list` names them");
        return ExitCode::from(2);
    }
    if wishes.list {
        for case in &wanted {
            println!("{:18} {}", case.name, case.about);
        }
        return ExitCode::SUCCESS;
    }
    match run(&wanted, &wishes) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("bench: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Measures `wanted` and reports; whether all that is required is met.
fn run(wanted: &[&cases::Case], wishes: &Wishes) -> Result<bool, String> {
    let files = Files::new(wishes.records)?;
    files.provide(wanted.iter().flat_map(|case| case.files()))?;
    let setting = Setting { files, rounds: wishes.rounds };
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
    if wishes.record {
        let path = report::write_record(&machine, &setting.describe(), &rows)?;
        println!("\nwritten to {}", path.display());
    }
    Ok(rows.iter().all(report::Row::is_fine))
}
