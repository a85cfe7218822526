//! Counts tests from the output of `cargo test`.
//!
//! A test that lacks something it needs prints a line `SKIPPED: reason` and returns. The test
//! harness reports that as a success. `cargo test` therefore runs with `--show-output`, and a test
//! with such a line counts as skipped.

/// The start of the line that a skipped test prints.
const SKIPPED: &str = "SKIPPED: ";

/// A skipped test or check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skip {
    /// The file and the name of the test.
    pub test: String,
    pub reason: String,
}

/// The counts of one or more runs.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: u64,
    pub failed: u64,
    pub skipped: Vec<Skip>,
}

impl Tally {
    /// Adds the counts of another run.
    pub fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped.extend(other.skipped);
    }
}

/// Counts the tests in the output of one `cargo test`, which may have run many test programs.
pub fn count(output: &str) -> Tally {
    let mut tally = Tally::default();
    let mut program = "";
    // The test whose output follows. Failed tests are not stored here, because they never count as
    // skipped.
    let mut shown: Option<&str> = None;
    let mut in_successes = false;
    for line in output.lines() {
        if let Some(running) = running(line) {
            program = running;
            shown = None;
        } else if line == "successes:" || line == "failures:" {
            in_successes = line == "successes:";
            shown = None;
        } else if let Some(name) =
            line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----"))
        {
            shown = in_successes.then_some(name);
        } else if let Some(counts) = line.strip_prefix("test result: ") {
            let [passed, failed, _] = counted(counts);
            tally.passed += passed;
            tally.failed += failed;
            shown = None;
        } else if let Some((name, reason)) = ignored(line) {
            tally.skipped.push(Skip { test: format!("{program}: {name}"), reason: reason.to_owned() });
        } else if let (Some(name), Some(reason)) = (shown, line.strip_prefix(SKIPPED)) {
            tally.skipped.push(Skip { test: format!("{program}: {name}"), reason: reason.trim().to_owned() });
            tally.passed = tally.passed.saturating_sub(1);
            // A test that prints several reasons counts only once.
            shown = None;
        }
    }
    tally
}

/// Removes the tests that passed from the output of `cargo test`.
pub fn without_successes(output: &str) -> String {
    let mut kept = String::new();
    let mut in_successes = false;
    for line in output.lines() {
        match line {
            "successes:" => in_successes = true,
            "failures:" => in_successes = false,
            _ if line.starts_with("test result: ") => in_successes = false,
            _ => {}
        }
        let is_success =
            line.starts_with("test ") && line.ends_with(" ... ok") || line.starts_with("test result: ok");
        if !in_successes && !is_success {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Returns the name of the test program that cargo starts, if `line` announces a program.
fn running(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let path = line.strip_prefix("Running ").or_else(|| line.strip_prefix("Doc-tests "))?;
    // `tests/corpus.rs (target/debug/deps/corpus-8a5337a92ea1cab3)`: drop the hash.
    let hash = path.rfind('-').filter(|_| path.ends_with(')'));
    let path = hash.map_or(path, |hash| &path[..hash]);
    Some(path.split_once(" (").map_or(path, |(source, program)| {
        if source.starts_with("unittests") { program.rsplit('/').next().unwrap_or(program) } else { source }
    }))
}

/// Returns the numbers of passed, failed and ignored tests in `ok. 4 passed; 1 failed; 0 ignored;
/// ..`.
fn counted(counts: &str) -> [u64; 3] {
    ["passed", "failed", "ignored"].map(|wanted| {
        let words: Vec<&str> = counts.split([' ', ';', '.']).filter(|word| !word.is_empty()).collect();
        let at = words.iter().position(|word| *word == wanted);
        at.and_then(|at| words.get(at.checked_sub(1)?)?.parse().ok()).unwrap_or(0)
    })
}

/// Returns name and reason of `test NAME ... ignored, REASON`.
fn ignored(line: &str) -> Option<(&str, &str)> {
    let (name, verdict) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let reason = verdict.strip_prefix("ignored")?;
    Some((name, reason.strip_prefix(", ").unwrap_or("marked #[ignore]")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "\
   Compiling ringtrace-events v0.1.0 (/home/user/ringtrace/crates/events)
     Running unittests src/lib.rs (target/debug/deps/ringtrace_events-c035950b32a49577)

running 2 tests
test a::is_right ... ok
test slow ... ignored, takes an hour

successes:

successes:
    a::is_right

test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

     Running tests/corpus.rs (target/debug/deps/corpus-8a5337a92ea1cab3)

running 4 tests
test all ... ok
test some ... ok
test wrong ... FAILED
test talkative ... ok

successes:

---- all stdout ----
SKIPPED: no corpus (RINGTRACE_CORPUS)
SKIPPED: no corpus (RINGTRACE_CORPUS)

---- talkative stdout ----
it was SKIPPED: never

successes:
    all
    some
    talkative

failures:

---- wrong stdout ----
SKIPPED: by itself
thread 'wrong' panicked at tests/corpus.rs:7:5:

failures:
    wrong

test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.17s

   Doc-tests ringtrace_events

running 1 test
test crates/events/src/glob.rs - glob::matches (line 8) ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.20s
";

    #[test]
    fn passed_tests_are_removed() {
        let kept = without_successes(OUTPUT);
        for line in [
            "test wrong ... FAILED",
            "---- wrong stdout ----",
            "thread 'wrong' panicked at tests/corpus.rs:7:5:",
        ] {
            assert!(kept.contains(line), "{line}");
        }
        for line in ["... ok", "no corpus", "talkative", "result: ok"] {
            assert!(!kept.contains(line), "{line}");
        }
    }

    #[test]
    fn counts_are_summed_and_skips_are_not_successes() {
        let skip = |test: &str, reason: &str| Skip { test: test.to_owned(), reason: reason.to_owned() };
        assert_eq!(
            count(OUTPUT),
            Tally {
                passed: 4,
                failed: 1,
                skipped: vec![
                    skip("ringtrace_events: slow", "takes an hour"),
                    skip("tests/corpus.rs: all", "no corpus (RINGTRACE_CORPUS)"),
                ],
            }
        );
    }
}
