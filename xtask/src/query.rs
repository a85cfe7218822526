//! The step `query` of `cargo xtask check`: lints and tests the workspace `crates/query`, SQL with
//! DataFusion.

use std::process::Command;

use crate::check::{Outcome, in_turn, one, run_tests, without_warnings};
use crate::step::{self, WITH_CLIPPY};

/// The manifest of the workspace.
pub const MANIFEST: &str = "crates/query/Cargo.toml";

const COMPILE: [&str; 6] = ["test", "--no-run", "--locked", "--quiet", "--manifest-path", MANIFEST];

/// Compiles the tests. DataFusion takes minutes.
pub fn prepare() {
    let mut cargo = Command::new(step::cargo_program());
    cargo.args(COMPILE).envs([WITH_CLIPPY]);
    step::run_nicely(&cargo);
}

/// Runs all parts of the step. A part that fails ends it.
pub fn check() -> Outcome {
    let parts: [&dyn Fn() -> Outcome; 3] =
        [&|| one("fmt", &["fmt", "--check", "--manifest-path", MANIFEST], &[]), &lint, &|| {
            run_tests(&["--manifest-path", MANIFEST], &[WITH_CLIPPY])
        }];
    in_turn(&parts)
}

/// Compiles the tests with clippy: `cargo clippy` would compile all of DataFusion for itself.
fn lint() -> Outcome {
    without_warnings(step::cargo(&COMPILE, &[WITH_CLIPPY]))
}
