//! The step `python` of `cargo xtask check`: lints the package in `crates/python`, builds its wheel,
//! installs it in a folder of its own, and runs its tests there.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::check::{Outcome, failure, in_turn, one};
use crate::libtest::{Skip, Tally};
use crate::prerequisite::python;
use crate::{root, step};

const MANIFEST: &str = "crates/python/Cargo.toml";
const WHEELS: &str = "crates/python/target/wheels";
const INSTALLED: &str = "crates/python/target/installed";
const BYTECODE: &str = "crates/python/target/bytecode";

/// Compiles the package.
pub fn prepare() {
    let maturin = root().join(python::LIBRARIES.folder).join("bin/maturin");
    step::run_nicely(&build(&maturin));
}

/// Runs all parts of the step. A part that fails ends it.
pub fn check() -> Outcome {
    let packages = root().join(python::LIBRARIES.folder);
    let maturin = packages.join("bin/maturin");
    if !maturin.is_file() {
        let reason = "the Python packages of crates/python are not installed".to_owned();
        let skip = Skip { test: "python".to_owned(), reason };
        return Outcome { tally: Tally { skipped: vec![skip], ..Tally::default() }, output: None };
    }
    let parts: [&dyn Fn() -> Outcome; 3] = [
        &|| one("fmt", &["fmt", "--check", "--manifest-path", MANIFEST], &[]),
        &|| install(&maturin),
        &|| test(&packages),
    ];
    in_turn(&parts)
}

/// Returns the command that builds the wheel, with lints.
fn build(maturin: &Path) -> Command {
    let mut build = Command::new(maturin);
    build.envs(step::with_clippy().iter().copied());
    build.args(["build", "--locked", "--profile", "dev", "--out", WHEELS, "--manifest-path", MANIFEST]);
    build
}

/// Builds the wheel and installs it. Warnings are failures.
fn install(maturin: &Path) -> Outcome {
    for folder in [WHEELS, INSTALLED] {
        // Usually, the folder of the last run exists.
        let _ = fs::remove_dir_all(root().join(folder));
    }
    match step::run(build(maturin)) {
        Ok(built) if built.status.success() && !step::has_warnings(&built.output) => {}
        Ok(built) => return failure(built.output),
        Err(error) => return failure(format!("cannot run {}: {error}", maturin.display())),
    }
    let wheels = fs::read_dir(root().join(WHEELS)).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut pip = Command::new("python3");
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-input",
        "--no-deps",
        "--no-index",
        "--target",
        INSTALLED,
    ]);
    pip.args(wheels).env("PIP_ROOT_USER_ACTION", "ignore");
    failed(pip).unwrap_or_else(passed)
}

/// Runs the tests of the installed package.
fn test(packages: &Path) -> Outcome {
    let paths = [root().join(INSTALLED), packages.to_owned(), root().join(python::REGISTRY.folder)];
    let Ok(paths) = std::env::join_paths(&paths) else {
        return failure(format!("the path of {} contains a colon", root().display()));
    };
    let mut pytest = Command::new("python3");
    pytest.args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "crates/python/tests"]);
    // Python writes no files into the source tree.
    pytest.env("PYTHONPATH", paths).env("PYTHONPYCACHEPREFIX", root().join(BYTECODE));
    match step::run(pytest) {
        Err(error) => failure(format!("cannot run python3: {error}")),
        Ok(finished) => {
            let mut tally = count(&finished.output);
            if finished.status.success() && tally.failed == 0 && tally.passed > 0 {
                return Outcome { tally, output: None };
            }
            tally.failed = tally.failed.max(1);
            Outcome { tally, output: Some(finished.output) }
        }
    }
}

fn passed() -> Outcome {
    Outcome { tally: Tally { passed: 1, ..Tally::default() }, output: None }
}

/// Runs a program. Returns a failure with its output, or `None` if it succeeds.
fn failed(command: Command) -> Option<Outcome> {
    let name = command.get_program().to_string_lossy().into_owned();
    match step::run(command) {
        Ok(finished) if finished.status.success() => None,
        Ok(finished) => Some(failure(finished.output)),
        Err(error) => Some(failure(format!("cannot run {name}: {error}"))),
    }
}

/// Counts the tests in the output of pytest.
fn count(output: &str) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        if let Some((number, rest)) = line.strip_prefix("SKIPPED [").and_then(|rest| rest.split_once("] ")) {
            let (test, reason) = rest.split_once(": ").unwrap_or((rest, ""));
            let skip = Skip { test: test.to_owned(), reason: reason.to_owned() };
            tally.skipped.extend(vec![skip; number.parse().unwrap_or(1)]);
        }
    }
    // `12 passed, 1 skipped in 3.45s`
    let words: Vec<&str> = output.lines().last().unwrap_or_default().split([' ', ',']).collect();
    for pair in words.iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().windows(2) {
        let number = pair[0].trim_start_matches('=').parse().unwrap_or(0);
        match *pair[1] {
            "passed" => tally.passed += number,
            "failed" | "error" | "errors" => tally.failed += number,
            _ => {}
        }
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_of_pytest_are_counted() {
        let output = "..s\nSKIPPED [2] crates/python/tests/test_open.py:7: no corpus (RINGTRACE_CORPUS)\n\
                      1 failed, 12 passed, 2 skipped, 1 error in 3.45s\n";
        let tally = count(output);
        assert_eq!((tally.passed, tally.failed, tally.skipped.len()), (12, 2, 2));
        assert_eq!(tally.skipped[0].test, "crates/python/tests/test_open.py:7");
        assert_eq!(tally.skipped[0].reason, "no corpus (RINGTRACE_CORPUS)");
        assert_eq!(count("").passed, 0);
    }
}
