//! Compares the tool's output for kvmtrace streams of each kernel variant with the output of the
//! formatters that were current at the time.
//!
//! The formatter's versions in the corpus, and their replacements here:
//!
//! | version | features | here |
//! |---|---|---|
//! | ebd1f0ba9 | no magic word, keys `tsc` `reltsc` | `ringtrace kvmtrace --variant k1 --byte-order little` |
//! | 4a9dc48ca | magic word | `kvmtrace_format` |
//! | 1ec9d2b9c, d6b9f2aa1 | PPC_INSTR records decoded in code, `-s` counts them | `kvmtrace_format`, PPC_INSTR not decoded |
//! | last | keys `ts` `relts` | `kvmtrace_format`, PPC_INSTR not decoded |

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

fn corpus() -> Option<PathBuf> {
    ringtrace_corpus::find_or_skip("historic/kvmtrace")
}

/// One run of an original formatter.
#[derive(Debug)]
struct Run {
    version: String,
    options: Vec<String>,
    definitions: String,
    input: String,
    expected: Vec<u8>,
    /// The exit status, if the corpus records it.
    status: Option<i32>,
    /// The last line of the formatter's standard error.
    complaint: String,
}

impl Run {
    /// Returns the reason why the tool does not reproduce this output, if there is one.
    fn not_offered(&self) -> Option<&'static str> {
        let decodes_instructions = !["ebd1f0ba9", "4a9dc48ca"].contains(&self.version.as_str());
        let has_instructions = self.expected.windows(9).any(|bytes| bytes == b"PPC_INSTR");
        if decodes_instructions && has_instructions {
            return Some("the instructions of PPC_INSTR records are not decoded");
        }
        let misses_time =
            ["'ts'", "'relts'", "'tsc'", "'reltsc'"].iter().any(|key| self.complaint.ends_with(key));
        if self.complaint.starts_with("KeyError") && misses_time {
            return Some("both spellings of the time keys are understood");
        }
        None
    }

    fn check(&self, folder: &Path) -> Result<(), String> {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
        if self.version == "ebd1f0ba9" {
            tool.args(["kvmtrace", "--variant", "k1", "--byte-order", "little"]);
        } else {
            tool.arg0("kvmtrace_format");
        }
        tool.args(&self.options).arg(folder.join("formats").join(&self.definitions));
        let output = tool.stdin(File::open(folder.join(&self.input)).unwrap()).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        let status = output.status.code();
        let fail = |what: &str| Err(format!("{self:?}: {what}\n{errors}"));
        if output.stdout != self.expected {
            return fail("the text differs");
        }
        if self.status.is_some_and(|expected| status != Some(expected)) {
            return fail(&format!("exit status {status:?}"));
        }
        if self.status == Some(1) && !errors.starts_with("error: ") {
            return fail("no error, but the original reported one");
        }
        Ok(())
    }
}

fn check(folder: &Path, runs: &[Run]) {
    let mut failures = Vec::new();
    let mut same = 0;
    for run in runs {
        match run.not_offered() {
            Some(reason) => {
                println!("not offered: {} {} {}: {reason}", run.version, run.definitions, run.input);
            }
            None => match run.check(folder) {
                Ok(()) => same += 1,
                Err(failure) => failures.push(failure),
            },
        }
    }
    println!("{same} of {} outputs are the same", runs.len());
    assert!(failures.is_empty(), "{} differ\n{}", failures.len(), failures.join("\n"));
    assert!(same > 0);
}

/// Checks the rows of `INDEX.tsv`.
#[test]
fn rows_of_the_index() {
    let Some(folder) = corpus() else { return };
    let index = fs::read_to_string(folder.join("INDEX.tsv")).unwrap();
    let mut lines = index.lines();
    let head = "formatter\topts\tdefs\tinput\trc\tstdout_lines\toutput_file\tstderr_last_line";
    assert_eq!(lines.next(), Some(head));
    let runs: Vec<Run> = lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [version, options, definitions, input, status, _, output, complaint] = fields[..] else {
                panic!("{line}");
            };
            let options = options.split_whitespace().filter(|word| *word != "-").map(str::to_owned).collect();
            let expected = if output.is_empty() || output == "-" {
                Vec::new()
            } else {
                fs::read(folder.join(output)).unwrap()
            };
            Run {
                version: version.to_owned(),
                options,
                definitions: definitions.to_owned(),
                input: input.to_owned(),
                expected,
                status: Some(status.parse().unwrap()),
                complaint: complaint.to_owned(),
            }
        })
        .collect();
    check(&folder, &runs);
}

/// Checks all outputs, including those that the index does not list: `INPUT.VARIANT.vVERSION.txt`,
/// with `.s` before the extension for `-s`.
#[test]
fn all_outputs() {
    let Some(folder) = corpus() else { return };
    let mut outputs: Vec<PathBuf> =
        fs::read_dir(folder.join("expected")).unwrap().map(|entry| entry.unwrap().path()).collect();
    outputs.sort();
    let runs: Vec<Run> = outputs
        .iter()
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            let mut parts: Vec<&str> = name.strip_suffix(".txt").unwrap().split('.').collect();
            let options = if parts.last() == Some(&"s") {
                vec![parts.pop().map(|_| "-s".to_owned()).unwrap()]
            } else {
                vec![]
            };
            let version = match parts.pop().unwrap() {
                "basic" => "ebd1f0ba9",
                version => version.strip_prefix('v').unwrap(),
            };
            let input = match parts[..] {
                [input] => format!("{input}.bin"),
                [input, "k1"] => format!("k1-le-{input}.bin"),
                [input, variant] => format!("{variant}-{input}.bin"),
                _ => panic!("{name}"),
            };
            Run {
                version: version.to_owned(),
                options,
                definitions: if version == "last" { "basic-ts" } else { "basic" }.to_owned(),
                input,
                expected: fs::read(path).unwrap(),
                status: None,
                complaint: String::new(),
            }
        })
        .collect();
    check(&folder, &runs);
}
