//! The step `query` of `cargo xtask check`: lints and tests the workspace `crates/query`, SQL with
//! DataFusion.

use std::process::Command;

use crate::check::{Outcome, failure, in_turn, one, run_tests};
use crate::libtest::Tally;
use crate::step;

/// The manifest of the workspace.
pub const MANIFEST: &str = "crates/query/Cargo.toml";

/// Lets clippy compile the workspace. `cargo clippy` would compile all of DataFusion for itself.
const WITH_CLIPPY: &[(&str, &str)] = &[("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")];

const COMPILE: [&str; 6] = ["test", "--no-run", "--locked", "--quiet", "--manifest-path", MANIFEST];

/// Compiles the tests. DataFusion takes minutes.
pub fn prepare() {
    let mut cargo = Command::new(step::cargo_program());
    cargo.args(COMPILE).envs(WITH_CLIPPY.iter().copied());
    step::run_nicely(&cargo);
}

/// Runs all parts of the step. A part that fails ends it.
pub fn check() -> Outcome {
    let parts: [&dyn Fn() -> Outcome; 3] =
        [&|| one("fmt", &["fmt", "--check", "--manifest-path", MANIFEST], &[]), &lint, &|| {
            run_tests(&["--manifest-path", MANIFEST], WITH_CLIPPY)
        }];
    in_turn(&parts)
}

/// Compiles the tests. Warnings are failures.
fn lint() -> Outcome {
    match step::cargo(&COMPILE, WITH_CLIPPY) {
        Ok(finished) if finished.status.success() && !finished.output.contains("warning: ") => {
            Outcome { tally: Tally { passed: 1, ..Tally::default() }, output: None }
        }
        Ok(finished) => failure(finished.output),
        Err(error) => failure(format!("cannot run cargo: {error}")),
    }
}
