//! `cargo xtask pictures`: generates the pictures in `docs/images` from real runs.

use std::process::ExitCode;

use crate::bench::run_cargo;

/// Builds the programs in the pictures, then runs the program `pictures` of `testdata/peers`, which
/// lists the programs that it needs. It takes the pictures in `names`, or all.
pub fn run(names: &[&str]) -> ExitCode {
    let build = "build --quiet --locked -p ringtrace-cli -p ringtrace-examples -p ringtrace-example-async-server \
                 -p ringtrace-peers --bins";
    let take = "run --quiet --locked -p ringtrace-peers --bin pictures -- target/debug docs/images";
    let [build, mut take] = [build, take].map(|words| words.split(' ').collect::<Vec<&str>>());
    take.extend(names);
    run_cargo(&[build, take])
}
