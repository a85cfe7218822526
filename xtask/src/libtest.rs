//! What a run of `cargo test` came to, read from its output.
//!
//! A test that cannot do its work prints a line `SKIPPED: why` and returns. The harness takes that for a success, so
//! the tests are run with `--show-output` and such a line turns the test into a skipped one.

/// The line by which a test says that it did not test anything.
const SKIPPED: &str = "SKIPPED: ";

/// A test or check that did not happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skip {
    /// Its name, with the file it is in.
    pub what: String,
    /// Why, in its own words.
    pub why: String,
}

/// The counts of one or many runs.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tests that did their work and were content.
    pub passed: u64,
    /// Tests that were not.
    pub failed: u64,
    /// Tests that did not happen.
    pub skipped: Vec<Skip>,
}

impl Tally {
    /// Adds what another run came to.
    pub fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped.extend(other.skipped);
    }
}

/// Reads the output of one `cargo test`, of as many test programs as it ran.
pub fn tally(output: &str) -> Tally {
    let mut tally = Tally::default();
    let mut program = "";
    // The test whose output is shown, unless it failed: then it is no skip, whatever it printed.
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
        } else if let Some((name, why)) = ignored(line) {
            tally.skipped.push(Skip { what: what(program, name), why: why.to_owned() });
        } else if let (Some(name), Some(why)) = (shown, line.strip_prefix(SKIPPED)) {
            tally.skipped.push(Skip { what: what(program, name), why: why.trim().to_owned() });
            tally.passed = tally.passed.saturating_sub(1);
            // A second reason of the same test is no second test.
            shown = None;
        }
    }
    tally
}

/// The part of a failed run's output that somebody has to read: all but what went well.
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
        let went_well =
            line.starts_with("test ") && line.ends_with(" ... ok") || line.starts_with("test result: ok");
        if !in_successes && !went_well {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

fn what(program: &str, test: &str) -> String {
    format!("{program}: {test}")
}

/// The test program that a line of cargo announces: its source file and its name.
fn running(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let path = line.strip_prefix("Running ").or_else(|| line.strip_prefix("Doc-tests "))?;
    // `tests/corpus.rs (target/debug/deps/corpus-8a5337a92ea1cab3)`: the name says which crate, the hash nothing.
    let hash = path.rfind('-').filter(|_| path.ends_with(')'));
    let path = hash.map_or(path, |hash| &path[..hash]);
    Some(path.split_once(" (").map_or(path, |(source, program)| {
        if source.starts_with("unittests") { program.rsplit('/').next().unwrap_or(program) } else { source }
    }))
}

/// The passed, failed and ignored of `ok. 4 passed; 1 failed; 0 ignored; ..`.
fn counted(counts: &str) -> [u64; 3] {
    ["passed", "failed", "ignored"].map(|wanted| {
        let words: Vec<&str> = counts.split([' ', ';', '.']).filter(|word| !word.is_empty()).collect();
        let at = words.iter().position(|word| *word == wanted);
        at.and_then(|at| words.get(at.checked_sub(1)?)?.parse().ok()).unwrap_or(0)
    })
}

/// Name and reason of `test NAME ... ignored, REASON`.
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
    fn what_went_well_need_not_be_read() {
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
    fn counts_are_summed_and_skips_are_no_successes() {
        let skip = |what: &str, why: &str| Skip { what: what.to_owned(), why: why.to_owned() };
        assert_eq!(
            tally(OUTPUT),
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
