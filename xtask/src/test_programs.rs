//! Builds test programs and runs two of them at a time, in the steps `test` and `query` of `cargo xtask
//! check`. `cargo test` would run one after another, and their tests often wait or need only one processor.

use std::iter;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::check::{Outcome, TESTS, failure, outcome_of_tests};
use crate::{root, step};

/// The packages, as folders, whose tests neither measure times nor control running programs. Their
/// test programs run in the background, with a lower priority, beside the others.
const BACKGROUND: &[&str] = &[
    "crates/binary",
    "crates/display",
    "crates/events",
    "crates/export",
    "crates/kvmtrace",
    "crates/report",
    "crates/tracefile",
    "crates/tracetool",
    "crates/wire",
    "fuzz/targets",
    "testdata/corpus",
];

/// Further test programs of this kind, in `crates/cli`.
const BACKGROUND_OF_CLI: &[&str] =
    &["compact", "convert", "corpus", "diff_dataset", "documents", "export", "ingest", "print", "report"];

/// A test program that cargo has built.
#[derive(Debug, PartialEq, Eq)]
struct TestProgram {
    /// The folder of the package, in which cargo runs it.
    package: PathBuf,
    name: String,
    /// The source file, relative to the package.
    source: String,
    executable: PathBuf,
}

impl TestProgram {
    /// Parses a message in which cargo describes a file that it has built. Returns `None` if it is not
    /// a test program.
    fn of(message: &str) -> Option<TestProgram> {
        // The profile is followed by the features. The target, too, has a member `test`.
        let is_test = message.contains(r#""test":true},"features""#);
        if !is_test || !message.starts_with(r#"{"reason":"compiler-artifact""#) {
            return None;
        }
        let text = |name: &str| Some(message.split_once(&format!(r#""{name}":""#))?.1.split_once('"')?.0);
        let executable = PathBuf::from(text("executable")?);
        let package = Path::new(text("manifest_path")?).parent()?.to_owned();
        let source = Path::new(text("src_path")?).strip_prefix(&package).ok()?.display().to_string();
        let name = executable.file_name()?.to_str()?.rsplit_once('-')?.0.to_owned();
        Some(TestProgram { package, name, source, executable })
    }

    fn is_background(&self) -> bool {
        let package = self.package.strip_prefix(root()).unwrap_or(&self.package);
        let is_of_cli = package == Path::new("crates/cli") && BACKGROUND_OF_CLI.contains(&&*self.name);
        is_of_cli || BACKGROUND.iter().any(|folder| package == Path::new(folder))
    }

    /// Runs the tests as `cargo test` would. Returns the output in the same form, and whether the program
    /// has succeeded.
    fn run(&self, variables: &[(&str, &str)]) -> (String, bool) {
        let mut command = Command::new("nice");
        command.args(["-n", if self.is_background() { "10" } else { "0" }]);
        command.arg(&self.executable).arg("--show-output");
        command.env("CARGO_MANIFEST_DIR", &self.package).envs(variables.iter().copied());
        let ran = step::run_in(&self.package, command);
        // The form of unit tests in cargo's output.
        let unit = if self.source.starts_with("tests/") { "" } else { "unittests " };
        let head = format!("     Running {unit}{} ({})\n", self.source, self.executable.display());
        match ran {
            Ok(finished) => (head + &finished.output, finished.status.success()),
            Err(error) => (format!("{head}cannot run it: {error}\n"), false),
        }
    }
}

/// Builds all test programs of the workspace and runs them.
pub fn run(variables: &[(&str, &str)]) -> Outcome {
    let (background, others): (Vec<_>, Vec<_>) = match build(TESTS) {
        Ok(programs) => programs.into_iter().partition(TestProgram::is_background),
        Err(failed) => return failed,
    };
    run_in_pairs(&background, &others, variables)
}

/// Builds the test programs that `selection` selects, and runs them in any order.
pub fn run_selected(selection: &[&str]) -> Outcome {
    build(selection).map_or_else(|failed| failed, |programs| run_in_pairs(&programs, &[], &[]))
}

/// Builds the test programs that `selection` selects. Warnings are failures.
fn build(selection: &[&str]) -> Result<Vec<TestProgram>, Outcome> {
    let build = ["test", "--locked", "--no-run", "--message-format", "json-render-diagnostics"];
    let built = step::cargo(&[&build, selection].concat(), step::with_clippy())
        .map_err(|error| failure(format!("cannot run cargo: {error}")))?;
    if !built.status.success() || step::has_warnings(&built.output) {
        let lines = built.output.lines().filter(|line| !line.starts_with('{'));
        return Err(failure(lines.fold(String::new(), |text, line| text + line + "\n")));
    }
    let programs: Vec<TestProgram> = built.output.lines().filter_map(TestProgram::of).collect();
    if programs.is_empty() {
        return Err(failure("cargo has built no test program".to_owned()));
    }
    Ok(programs)
}

/// Runs two test programs at a time, one of which is in `background` while there are others.
fn run_in_pairs(background: &[TestProgram], others: &[TestProgram], variables: &[(&str, &str)]) -> Outcome {
    let queue = Mutex::new(background.iter());
    let from_background = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = |program: &TestProgram| program.run(variables);
    let ran: Vec<(String, bool)> = thread::scope(|scope| {
        let background = scope.spawn(|| iter::from_fn(from_background).map(run).collect::<Vec<_>>());
        let mut ran: Vec<_> = others.iter().chain(iter::from_fn(from_background)).map(run).collect();
        ran.extend(background.join().unwrap_or_else(|_| vec![(String::new(), false)]));
        ran
    });
    let is_success = ran.iter().all(|(_, is_success)| *is_success);
    let output: String = ran.into_iter().map(|(output, _)| output).collect();
    outcome_of_tests(&output, is_success)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message of cargo, shortened.
    fn message(kind: &str, test: bool) -> String {
        let root = root();
        let root = root.display();
        format!(
            r#"{{"reason":"compiler-artifact","package_id":"path+file://{root}/crates/cli#ringtrace-cli@0.1.0","manifest_path":"{root}/crates/cli/Cargo.toml","target":{{"kind":["test"],"name":"print","src_path":"{root}/crates/cli/{kind}","test":true}},"profile":{{"opt_level":"0","test":{test}}},"features":[],"filenames":[],"executable":"{root}/target/debug/deps/print-0123456789abcdef","fresh":true}}"#
        )
    }

    #[test]
    fn test_programs_are_found_in_the_messages_of_cargo() {
        let program = TestProgram::of(&message("tests/print.rs", true)).unwrap();
        let expected = TestProgram {
            package: root().join("crates/cli"),
            name: "print".to_owned(),
            source: "tests/print.rs".to_owned(),
            executable: root().join("target/debug/deps/print-0123456789abcdef"),
        };
        assert_eq!(program, expected);
        assert!(program.is_background());
        assert!(!TestProgram { name: "record".to_owned(), ..program }.is_background());
        assert_eq!(TestProgram::of(&message("src/main.rs", false)), None);
        assert_eq!(TestProgram::of(r#"{"reason":"build-finished","success":true}"#), None);
    }

    #[test]
    fn all_packages_and_tests_in_the_background_exist() {
        for folder in BACKGROUND {
            assert!(root().join(folder).join("Cargo.toml").is_file(), "{folder}");
        }
        for test in BACKGROUND_OF_CLI {
            let tests = root().join("crates/cli/tests");
            let file = tests.join(test).with_extension("rs");
            assert!(file.is_file() || tests.join(test).join("main.rs").is_file(), "{test}");
        }
    }
}
