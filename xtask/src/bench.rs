//! `cargo xtask bench`: speed and memory of the tool.

use std::process::{Command, ExitCode};

use crate::root;

/// Builds the tool and the benchmarks in the profile `dist`, and runs the benchmarks.
///
/// With `--peers`, measures other tracing libraries instead.
pub fn run(arguments: &[&str]) -> ExitCode {
    if let ["--peers", rest @ ..] = arguments {
        let peers =
            ["run", "--release", "--locked", "--quiet", "--manifest-path", "benches/peers/Cargo.toml"];
        return run_cargo(&[[&peers[..], rest].concat()]);
    }
    const PROFILE: [&str; 4] = ["--profile", "dist", "--locked", "--quiet"];
    let packages = [
        ["--package", "ringtrace-cli"],
        ["--package", "ringtrace-tracetool"],
        ["--package", "ringtrace-benches"],
        ["--features", "ringtrace-cli/parquet"],
    ]
    .concat();
    let bench = ["--package", "ringtrace-benches", "--bin", "bench", "--"];
    run_cargo(&[
        [&["build"], &PROFILE[..], &packages].concat(),
        [&["run"], &PROFILE[..], &bench, arguments].concat(),
    ])
}

/// `cargo xtask soak`: runs a traced program for a long time.
pub fn soak(arguments: &[&str]) -> ExitCode {
    const SOAK: [&str; 8] =
        ["run", "--release", "--locked", "--quiet", "--package", "ringtrace-benches", "--bin", "soak"];
    run_cargo(&[[&SOAK[..], &["--"], arguments].concat()])
}

/// Runs cargo once for each of `calls`, and stops at the first failure.
pub fn run_cargo(calls: &[Vec<&str>]) -> ExitCode {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    for arguments in calls {
        match Command::new(&cargo).args(arguments).current_dir(root()).status() {
            Ok(status) if status.success() => {}
            Ok(_) => return ExitCode::FAILURE,
            Err(error) => {
                eprintln!("error: cannot run cargo: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
