//! `cargo xtask check`: runs all checks, and counts what passed, failed and was skipped.
//! `cargo xtask accept`: updates the golden files.

use std::process::ExitCode;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crate::libtest::{Skip, Tally, count, without_successes};
use crate::prerequisite::Provided;
use crate::{fleet, language, prerequisite, python_package, query, root, skips, step, test_programs};

struct Step {
    /// The word on the command line that selects the step.
    name: &'static str,
    /// The heading that the step prints.
    about: &'static str,
    run: fn() -> Outcome,
}

/// The result of a step.
pub struct Outcome {
    /// The counts. A step without tests counts as one test.
    pub tally: Tally,
    /// The output of the programs that the step ran, if it should be shown.
    pub output: Option<String>,
}

/// Selects all tests except xtask's own and doctests, which need separate cargo calls. Examples have
/// none.
pub const TESTS: &[&str] = &["--workspace", "--exclude", "xtask", "--lib", "--bins", "--tests"];

/// All steps, in the order in which they run.
const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        about: "the formatting of the source files",
        run: || one("fmt", &["fmt", "--all", "--check"], &[]),
    },
    Step { name: "locks", about: "the lock files of the other workspaces", run: locks },
    Step { name: "language", about: "plain English in comments, documents and messages", run: language },
    Step {
        name: "programs",
        about: "building the programs that tests start, with the workspace's lints",
        run: programs,
    },
    Step {
        name: "test",
        about: "unit, integration, property and golden tests, and the examples in documents",
        run: || test_programs::run(&[]),
    },
    Step {
        name: "doctest",
        about: "examples in doc comments",
        run: || run_tests(&["--workspace", "--doc"], step::with_clippy()),
    },
    Step {
        name: "python",
        about: "the Python package: lints, and tests with the libraries that read its tables",
        run: python_package::check,
    },
    Step { name: "fleet", about: "Spark over datasets of many traces", run: fleet::check },
    Step {
        name: "invariants",
        about: "the invariants of ARCHITECTURE.md, and the layout of a distribution",
        run: || {
            let compiled = compile(&["test", "--package", "xtask", "--no-run", "--locked", "--quiet"]);
            if compiled.tally.failed > 0 {
                return compiled;
            }
            run_tests(&["--package", "xtask"], step::with_clippy())
        },
    },
    Step {
        name: "doc",
        about: "rustdoc without warnings",
        run: || {
            let arguments =
                ["doc", "--workspace", "--no-deps", "--document-private-items", "--locked", "--quiet"];
            one("doc", &arguments, &[("RUSTDOCFLAGS", "-D warnings")])
        },
    },
    // DataFusion compiles in the background, with the lowest priority, during the steps before.
    Step { name: "query", about: "the workspace crates/query: lints and tests of SQL", run: query::check },
];

/// The steps that run only with [`ALL`], or if they are named, because they build or download large
/// dependencies.
const LONG_STEPS: [&str; 2] = ["query", "fleet"];

/// What steps can do while `test` runs, whose tests often wait.
const PREPARATIONS: [(&str, fn()); 3] =
    [("python", python_package::prepare), ("query", query::prepare), ("fleet", fleet::prepare)];

/// The argument that selects all steps.
const ALL: &str = "--all";

/// Runs the named steps, all of them, or without names all but [`LONG_STEPS`]. The last line of the
/// output contains the totals.
pub fn run(names: &[&str]) -> ExitCode {
    let is_known = |name: &str| name == ALL || STEPS.iter().any(|step| step.name == name);
    if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
        let known: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        eprintln!("error: there is no step `{unknown}`; the steps are {}", known.join(", "));
        return ExitCode::from(2);
    }
    let Provided { notes, missing } = prerequisite::provide();
    if !notes.is_empty() || !missing.is_empty() {
        println!("== prerequisites");
        notes.iter().chain(&missing).for_each(|line| println!("{line}"));
    }
    let mut total = Tally::default();
    let mut prepared: Vec<(&str, JoinHandle<()>)> = Vec::new();
    for step in STEPS.iter().filter(|step| is_selected(step.name, names)) {
        println!("== {}: {}", step.name, step.about);
        let start = Instant::now();
        if step.name == "test" {
            let later = PREPARATIONS.iter().filter(|(name, _)| is_selected(name, names));
            prepared.extend(later.map(|&(name, prepare)| (name, thread::spawn(prepare))));
        }
        for (_, preparing) in prepared.extract_if(.., |(name, _)| *name == step.name) {
            // The step repeats what has failed, and reports it.
            let _ = preparing.join();
        }
        let Outcome { tally, output } = (step.run)();
        if let Some(output) = output {
            println!("{}", output.trim_end());
        }
        println!(
            "{}: {} passed, {} failed, {} skipped in {:.1} s\n",
            step.name,
            tally.passed,
            tally.failed,
            tally.skipped.len(),
            start.elapsed().as_secs_f64(),
        );
        total.add(tally);
    }
    if names.is_empty() {
        let steps = LONG_STEPS.join(", ");
        println!(
            "not run: {steps}, which build DataFusion and download Spark for minutes; `cargo xtask check {ALL}` runs all steps"
        );
    }
    conclude(total, &missing)
}

/// Returns whether a step runs if `names` are on the command line.
fn is_selected(step: &str, names: &[&str]) -> bool {
    match names {
        [] => !LONG_STEPS.contains(&step),
        names => names.contains(&step) || names.contains(&ALL),
    }
}

/// Runs all tests with `RINGTRACE_ACCEPT=1`, which makes them update their golden files.
pub fn accept() -> ExitCode {
    println!("== golden tests: updating the files");
    let Outcome { tally, output } = test_programs::run(&[("RINGTRACE_ACCEPT", "1")]);
    if let Some(output) = output {
        println!("{output}");
    }
    if tally.failed > 0 {
        return ExitCode::FAILURE;
    }
    println!("updated; `git diff` shows the changes");
    ExitCode::SUCCESS
}

/// Prints the skipped tests with their reasons, and the totals.
///
/// With `CI=true`, a skip that [`skips::ALLOWED`] does not list counts as a failure, and so does
/// each missing program.
fn conclude(mut total: Tally, missing: &[String]) -> ExitCode {
    let strict = std::env::var("CI").is_ok_and(|value| value == "true");
    let allowed = skips::allowed(&root()).unwrap_or_else(|error| {
        println!("{error}");
        total.failed += 1;
        Vec::new()
    });
    let (kept, denied): (Vec<Skip>, Vec<Skip>) = std::mem::take(&mut total.skipped)
        .into_iter()
        .partition(|skip| !strict || skips::explanation(&allowed, skip).is_some());
    for (heading, list) in [("skipped:", &kept), ("skipped (a failure with CI=true):", &denied)] {
        if list.is_empty() {
            continue;
        }
        println!("{heading}");
        for Skip { test, reason } in list {
            println!("  {test}: {reason}");
        }
    }
    let mut failed = total.failed + denied.len() as u64;
    if strict && !missing.is_empty() {
        println!("not installed (a failure with CI=true):");
        missing.iter().for_each(|line| println!("  {line}"));
        failed += missing.len() as u64;
    }
    println!("{} passed, {failed} failed, {} skipped", total.passed, kept.len());
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs the parts of a step. A part that fails ends it.
pub fn in_turn(parts: &[&dyn Fn() -> Outcome]) -> Outcome {
    let mut total = Tally::default();
    for part in parts {
        let Outcome { tally, output } = part();
        let has_failed = tally.failed > 0;
        total.add(tally);
        if has_failed {
            return Outcome { tally: total, output };
        }
    }
    Outcome { tally: total, output: None }
}

/// Builds programs, examples and benchmarks. The steps that run tests compile those.
fn programs() -> Outcome {
    let mut built =
        compile(&["build", "--workspace", "--bins", "--examples", "--benches", "--locked", "--quiet"]);
    if step::with_clippy().is_empty() {
        let reason = "cargo clippy is not installed".to_owned();
        built.tally.skipped.push(Skip { test: "clippy".to_owned(), reason });
    }
    built
}

/// Runs a cargo command that only compiles, and counts as one test. Warnings are failures.
pub fn compile(arguments: &[&str]) -> Outcome {
    match step::cargo(arguments, step::with_clippy()) {
        Ok(built) if built.status.success() && !step::has_warnings(&built.output) => {
            Outcome { tally: Tally { passed: 1, ..Tally::default() }, output: None }
        }
        Ok(built) => failure(built.output),
        Err(error) => failure(format!("cannot run cargo: {error}")),
    }
}

/// Runs `cargo test` with `selection`, and counts the tests.
pub fn run_tests(selection: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let arguments = [&["test", "--locked", "--no-fail-fast"], selection, &["--", "--show-output"]].concat();
    let finished = match step::cargo(&arguments, variables) {
        Ok(finished) => finished,
        Err(error) => return failure(format!("cannot run cargo: {error}")),
    };
    outcome_of_tests(&finished.output, finished.status.success())
}

/// Returns the outcome of tests with this output in the form of `cargo test`.
pub fn outcome_of_tests(output: &str, is_success: bool) -> Outcome {
    let mut tally = count(output);
    if is_success && tally.failed == 0 {
        return Outcome { tally, output: None };
    }
    // A test program that does not compile or that crashes reports no failed test.
    tally.failed = tally.failed.max(1);
    Outcome { tally, output: Some(without_successes(output)) }
}

/// Runs a cargo command that counts as one test.
pub fn one(command: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    if !prerequisite::has_cargo_command(command) {
        let skip = Skip { test: command.to_owned(), reason: format!("cargo {command} is not installed") };
        return Outcome { tally: Tally { skipped: vec![skip], ..Tally::default() }, output: None };
    }
    match step::cargo(arguments, variables) {
        Ok(finished) if finished.status.success() => {
            Outcome { tally: Tally { passed: 1, ..Tally::default() }, output: None }
        }
        Ok(finished) => failure(finished.output),
        Err(error) => failure(format!("cannot run cargo {command}: {error}")),
    }
}

/// Checks that the lock files of the workspaces that are not built here are up to date.
fn locks() -> Outcome {
    let mut total = Outcome { tally: Tally::default(), output: None };
    for manifest in
        ["benches/peers/Cargo.toml", "crates/python/Cargo.toml", query::MANIFEST, "fuzz/Cargo.toml"]
    {
        let one = one(
            "update",
            &["update", "--workspace", "--locked", "--quiet", "--manifest-path", manifest],
            &[],
        );
        total.tally.add(one.tally);
        total.output = total.output.or(one.output);
    }
    total
}

/// Looks for sentences that are hard to read.
fn language() -> Outcome {
    let report = match language::check() {
        Ok(report) => report,
        Err(error) => return failure(error),
    };
    if !report.is_within_budget() {
        return failure(report.text());
    }
    Outcome { tally: Tally { passed: 1, ..Tally::default() }, output: Some(report.text()) }
}

/// Returns the outcome of a step that counts as one failed test.
pub fn failure(output: String) -> Outcome {
    Outcome { tally: Tally { failed: 1, ..Tally::default() }, output: Some(output) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_all_steps_and_the_step_itself_build_datafusion() {
        for (names, runs_query, runs_test) in [
            (&[][..], false, true),
            (&["--all"], true, true),
            (&["query"], true, false),
            (&["fmt", "test"], false, true),
        ] {
            assert_eq!(is_selected("query", names), runs_query, "{names:?}");
            assert_eq!(is_selected("test", names), runs_test, "{names:?}");
        }
        assert!(LONG_STEPS.iter().all(|name| STEPS.iter().any(|step| step.name == *name)));
    }
}
