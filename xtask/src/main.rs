//! Commands for working on this project.
//!
//! ```text
//! cargo xtask check [STEP...]   run the checks, or only the steps named; --all also builds DataFusion and runs Spark
//! cargo xtask aarch64 [WORD]... run tests for aarch64, with an emulator
//! cargo xtask accept            run all tests, and update the golden files
//! cargo xtask bench [NAME]...   measure speed and memory of the tool
//! cargo xtask book              build the documentation as a book, with mdbook
//! cargo xtask dist DIR          install the tool and the C library in DIR, as a package would
//! cargo xtask fuzz [TARGET]...  run the fuzz targets
//! cargo xtask pictures [NAME].. generate the pictures in docs/images from real runs
//! cargo xtask qemu DIR          build QEMU's disk tools on ringtrace, and check their traces
//! cargo xtask soak [--minutes N] run a traced program for a long time, and check that it does not grow
//! ```

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod aarch64;
mod bench;
mod book;
mod check;
mod dist;
mod fleet;
mod fuzz;
mod language;
mod libtest;
mod pictures;
mod prerequisite;
mod python_package;
mod qemu;
mod query;
mod skips;
mod step;
mod test_programs;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask check [STEP...]   run the checks, or only the steps named; --all also builds DataFusion and runs Spark
       cargo xtask aarch64 [WORD]... run tests for aarch64, with an emulator
       cargo xtask accept            run all tests, and update the golden files
       cargo xtask bench [NAME]...   measure speed and memory of the tool
       cargo xtask book              build the documentation as a book, with mdbook
       cargo xtask dist DIR          install the tool and the C library in DIR, as a package would
       cargo xtask fuzz [TARGET]...  run the fuzz targets
       cargo xtask pictures [NAME].. generate the pictures in docs/images from real runs
       cargo xtask qemu DIR          build QEMU's disk tools on ringtrace, and check their traces
       cargo xtask soak [--minutes N] run a traced program for a long time, and check that it does not grow";

/// Returns the workspace's root, where every command runs.
fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["check", steps @ ..] => check::run(steps),
        ["aarch64", words @ ..] => aarch64::run(words),
        ["accept"] => check::accept(),
        ["bench", rest @ ..] => bench::run(rest),
        ["book"] => book::run(),
        ["dist", rest @ ..] => dist::run(rest),
        ["fuzz", rest @ ..] => fuzz::run(rest),
        ["pictures", names @ ..] => pictures::run(names),
        ["qemu", rest @ ..] => qemu::run(rest),
        ["soak", rest @ ..] => bench::soak(rest),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}
