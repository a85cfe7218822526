//! `cargo xtask bench`: how fast the tool is, and how much memory it takes.

use std::process::{Command, ExitCode};

use crate::root;

/// Builds the tool and what measures it as releases, and lets that measure. `--peers`: other libraries instead.
pub fn run(arguments: &[&str]) -> ExitCode {
    if let ["--peers", rest @ ..] = arguments {
        let peers =
            ["run", "--release", "--locked", "--quiet", "--manifest-path", "benches/peers/Cargo.toml"];
        return one_after_the_other(&[[&peers[..], rest].concat()]);
    }
    let packages =
        ["--package", "ringtrace-cli", "--package", "ringtrace-tracetool", "--package", "ringtrace-benches"];
    let build = ["build", "--release", "--locked", "--quiet"];
    let measure =
        ["run", "--release", "--locked", "--quiet", "--package", "ringtrace-benches", "--bin", "bench", "--"];
    one_after_the_other(&[[&build[..], &packages].concat(), [&measure[..], arguments].concat()])
}

/// Calls cargo with each of `calls`, until one fails.
pub fn one_after_the_other(calls: &[Vec<&str>]) -> ExitCode {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    for words in calls {
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
