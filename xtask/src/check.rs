//! `cargo xtask check`: every check there is, and an honest count of them.

use std::process::ExitCode;
use std::time::Instant;

use crate::libtest::{Skip, Tally, tally, without_successes};
use crate::prerequisite::Provided;
use crate::{prerequisite, root, skips, step};

/// One step: a heading, and what is done under it.
struct Step {
    /// The word that selects it.
    name: &'static str,
    /// What it checks, for people.
    about: &'static str,
    /// Does it.
    run: fn() -> Outcome,
}

/// What a step came to.
pub struct Outcome {
    /// The counts. A step without tests counts as one.
    pub tally: Tally,
    /// What was said, when somebody should read it.
    pub output: Option<String>,
}

/// All tests but those of documentation comments; the latter cannot be run in one call with the former.
pub const TESTS: &[&str] = &["--workspace", "--exclude", "xtask", "--lib", "--bins", "--tests", "--examples"];

/// All steps, in the order in which they are run: the quick ones first.
const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        about: "formatting of the sources",
        run: || one("fmt", &["fmt", "--all", "--check"], &[]),
    },
    Step {
        name: "clippy",
        about: "clippy, under the workspace's lint table",
        run: || {
            let arguments =
                ["clippy", "--workspace", "--all-targets", "--locked", "--quiet", "--", "-D", "warnings"];
            one("clippy", &arguments, &[])
        },
    },
    Step {
        name: "programs",
        about: "programs that tests start",
        run: || {
            one("programs", &["build", "--workspace", "--bins", "--examples", "--locked", "--quiet"], &[])
        },
    },
    Step {
        name: "test",
        about: "unit, integration, property and golden tests, and the samples in the documents",
        run: || run_tests(TESTS, &[]),
    },
    Step {
        name: "doctest",
        about: "samples in documentation comments",
        run: || run_tests(&["--workspace", "--doc"], &[]),
    },
    Step {
        name: "invariants",
        about: "the invariants of ARCHITECTURE.md, and the layout of a distribution",
        run: || run_tests(&["--package", "xtask"], &[]),
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
];

/// Runs the steps named, or all; the last line of the output is the count.
pub fn run(names: &[&str]) -> ExitCode {
    if let Some(unknown) = names.iter().find(|name| STEPS.iter().all(|step| step.name != **name)) {
        let known: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        eprintln!("there is no step `{unknown}`; the steps are {}", known.join(", "));
        return ExitCode::from(2);
    }
    let Provided { notes, missing } = prerequisite::provide();
    if !notes.is_empty() || !missing.is_empty() {
        println!("== prerequisites");
        notes.iter().chain(&missing).for_each(|line| println!("{line}"));
    }
    let mut total = Tally::default();
    for step in STEPS.iter().filter(|step| names.is_empty() || names.contains(&step.name)) {
        println!("== {}: {}", step.name, step.about);
        let start = Instant::now();
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
    conclude(total, &missing)
}

/// Tells what was skipped and why, and counts. With `CI=true`, where everything should be there, what [`skips::ALLOWED`] does not
/// allow has failed, and so has what is `missing`, whatever tests made of that.
fn conclude(mut total: Tally, missing: &[String]) -> ExitCode {
    let strict = std::env::var("CI").is_ok_and(|value| value == "true");
    let allowed = skips::allowed(&root()).unwrap_or_else(|problem| {
        println!("{problem}");
        total.failed += 1;
        Vec::new()
    });
    let (kept, denied): (Vec<Skip>, Vec<Skip>) = std::mem::take(&mut total.skipped)
        .into_iter()
        .partition(|skip| !strict || skips::reason(&allowed, skip).is_some());
    for (heading, list) in [("skipped:", &kept), ("skipped, which with CI=true is a failure:", &denied)] {
        if list.is_empty() {
            continue;
        }
        println!("{heading}");
        for Skip { what, why } in list {
            println!("  {what}: {why}");
        }
    }
    let mut failed = total.failed + denied.len() as u64;
    if strict && !missing.is_empty() {
        println!("not installed, which with CI=true is a failure:");
        missing.iter().for_each(|line| println!("  {line}"));
        failed += missing.len() as u64;
    }
    println!("{} passed, {failed} failed, {} skipped", total.passed, kept.len());
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs `cargo test` with `selection` and counts.
pub fn run_tests(selection: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let arguments = [&["test", "--locked", "--no-fail-fast"], selection, &["--", "--show-output"]].concat();
    let finished = match step::cargo(&arguments, variables) {
        Ok(finished) => finished,
        Err(error) => return failure(format!("cargo test: {error}")),
    };
    let mut tally = tally(&finished.output);
    if finished.status.success() && tally.failed == 0 {
        return Outcome { tally, output: None };
    }
    // A test program that did not compile, or that died, reports no failed test.
    tally.failed = tally.failed.max(1);
    Outcome { tally, output: Some(without_successes(&finished.output)) }
}

/// Runs a cargo command that is one check.
fn one(command: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    if !prerequisite::has_cargo_command(command) {
        let skip = Skip { what: command.to_owned(), why: format!("cargo {command} is not installed") };
        return Outcome { tally: Tally { skipped: vec![skip], ..Tally::default() }, output: None };
    }
    match step::cargo(arguments, variables) {
        Ok(finished) if finished.status.success() => {
            Outcome { tally: Tally { passed: 1, ..Tally::default() }, output: None }
        }
        Ok(finished) => failure(finished.output),
        Err(error) => failure(format!("cargo {command}: {error}")),
    }
}

fn failure(output: String) -> Outcome {
    Outcome { tally: Tally { failed: 1, ..Tally::default() }, output: Some(output) }
}
