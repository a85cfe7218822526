//! `cargo xtask bench`: how fast the tool is, and how much memory it takes.

use std::process::{Command, ExitCode};

use crate::root;

/// Builds the tool and what measures it as releases, and lets that measure.
pub fn run(arguments: &[&str]) -> ExitCode {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let packages = ["--package", "ringtrace-cli", "--package", "ringtrace-benches"];
    let build = ["build", "--release", "--locked", "--quiet"];
    let measure =
        ["run", "--release", "--locked", "--quiet", "--package", "ringtrace-benches", "--bin", "bench", "--"];
    for words in [[&build[..], &packages].concat(), [&measure[..], arguments].concat()] {
        match Command::new(&cargo).args(words).current_dir(root()).status() {
            Ok(status) if status.success() => {}
            Ok(_) => return ExitCode::FAILURE,
            Err(error) => {
                eprintln!("cargo: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
