//! The project's own chores.
//!
//! ```text
//! cargo xtask check [STEP...]   every check there is; ends with `N passed, N failed, N skipped`
//! cargo xtask accept            lets the golden tests write what they got as what they expect
//! cargo xtask bench [NAME]...   speed and memory of the tool, against loops written by hand
//! cargo xtask dist DIR          lays out the tool as a package would install it
//! cargo xtask fuzz [TARGET]...  feeds the fuzz targets with made-up inputs
//! ```

#![forbid(unsafe_code)]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "talking to whoever called is what this program is for"
)]

mod accept;
mod bench;
mod check;
mod dist;
mod fuzz;
mod libtest;
mod prerequisite;
mod skips;
mod step;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask check [STEP...]   every check there is, or only the steps named
       cargo xtask accept            lets the golden tests write what they got as what they expect
       cargo xtask bench [NAME]...   speed and memory of the tool, against loops written by hand
       cargo xtask dist DIR          lays out the tool in DIR as a package would install it
       cargo xtask fuzz [TARGET]...  feeds the fuzz targets with made-up inputs";

/// The workspace's root, where every command is run.
fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["check", steps @ ..] => check::run(steps),
        ["accept"] => accept::run(),
        ["bench", rest @ ..] => bench::run(rest),
        ["dist", rest @ ..] => dist::run(rest),
        ["fuzz", rest @ ..] => fuzz::run(rest),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}
