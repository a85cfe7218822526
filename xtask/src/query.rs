//! The step `query` of `cargo xtask check`: lints and tests the workspace `crates/query`, SQL with
//! DataFusion.

use std::process::Command;

use crate::check::{Outcome, in_turn, one, run_tests};
use crate::step::{self, with_clippy};
use crate::test_programs;

/// The manifest of the workspace.
pub const MANIFEST: &str = "crates/query/Cargo.toml";

const TESTS: [&str; 5] = ["--lib", "--bins", "--tests", "--manifest-path", MANIFEST];

/// Compiles the tests. DataFusion takes minutes.
pub fn prepare() {
    let mut cargo = Command::new(step::cargo_program());
    cargo.args(["test", "--no-run", "--locked", "--quiet"]).args(TESTS).envs(with_clippy().iter().copied());
    step::run_nicely(&cargo);
}

/// Runs all parts of the step. A part that fails ends it.
pub fn check() -> Outcome {
    let parts: [&dyn Fn() -> Outcome; 3] = [
        &|| one("fmt", &["fmt", "--check", "--manifest-path", MANIFEST], &[]),
        &|| test_programs::run_selected(&TESTS),
        &|| run_tests(&["--doc", "--manifest-path", MANIFEST], with_clippy()),
    ];
    in_turn(&parts)
}
