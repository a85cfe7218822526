//! `cargo xtask pictures`: generates the pictures in `docs/images` from real runs.

use std::process::ExitCode;

use crate::bench::run_cargo;

/// Builds the programs in the pictures, then runs the program `pictures` of `testdata/peers`, which
/// lists the programs that it needs.
pub fn run() -> ExitCode {
    let build = "build --quiet --locked -p ringtrace-cli -p ringtrace-examples -p ringtrace-peers --bins";
    let take = "run --quiet --locked -p ringtrace-peers --bin pictures -- target/debug docs/images";
    run_cargo(&[build, take].map(|words| words.split(' ').collect()))
}
