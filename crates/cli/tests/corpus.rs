//! Compares the tool's output for every trace of the corpus, byte for byte, with the output of the
//! reader that was current when the trace was written.
//!
//! If the original reader crashed, the tool must print the same lines before that point, then
//! report the position and the cause, and exit with status 1.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder of files that the original programs wrote, if it exists.
fn corpus() -> Option<PathBuf> {
    ringtrace_corpus::find_or_skip("")
}

/// For each reader: its name in the corpus, its name for `--compat`, and the versions for which it
/// is the newest reader.
const READERS: [(&str, &str, &[&str]); 10] = [
    ("v0a", "2010", &[]),
    ("v0b", "2011", &["v0"]),
    ("v0c", "2011", &["v0"]),
    ("v2a", "2012", &[]),
    ("v2b", "2014", &["v2"]),
    ("v3a", "2014", &[]),
    ("v3b", "2016", &["v3"]),
    ("v4a", "2016", &[]),
    ("v4b", "2021", &[]),
    ("v1022", "10.2", &["v4"]),
];

/// An undamaged file in the other byte order. The original reader, on a little-endian machine,
/// rejected it; the tool reads it.
const OF_THE_OTHER_ORDER: &str = "bad-swapped-reader-le.log";

/// A line of an `INDEX.tsv`: the result of a reader for a file.
#[derive(Debug)]
struct Row {
    file: String,
    reader: String,
    no_header: bool,
    status: i32,
    /// The file with the reader's output.
    expected: String,
    /// The last line of the reader's standard error.
    last_words: String,
}

fn rows(folder: &Path) -> Vec<Row> {
    let index = std::fs::read(folder.join("INDEX.tsv")).unwrap();
    let index = String::from_utf8_lossy(&index).into_owned();
    let rows = index.lines().skip(1).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [file, reader, flags, _order, status, _lines, expected, rest @ ..] = columns.as_slice() else {
            unreachable!("a row has seven columns: {line}");
        };
        Row {
            file: (*file).to_owned(),
            reader: (*reader).to_owned(),
            no_header: *flags == "--no-header",
            status: status.parse().unwrap(),
            expected: (*expected).to_owned(),
            last_words: rest.first().copied().unwrap_or_default().to_owned(),
        }
    });
    rows.collect()
}

impl Row {
    /// Returns the declarations with which the file was read.
    fn declarations(&self) -> &'static str {
        if self.expected.contains(".nodisable.") {
            "trace-events-nodisable"
        } else if self.file.starts_with("odd2") {
            "trace-events-odd2"
        } else if self.file.starts_with("odd") {
            "trace-events-odd"
        } else {
            "trace-events"
        }
    }

    /// Returns whether the reader rejected the file's format or could not read the declarations.
    /// Its error does not refer to a record in that case.
    fn refused_at_once(&self) -> bool {
        let refusals = [
            "not a trace file",
            "Not a valid trace file",
            "og format",
            "Unknown version",
            "Error reading header",
        ];
        let refused = refusals.iter().any(|words| self.last_words.contains(words));
        // With --no-header, a header looks like an undeclared event.
        let header_as_event = self.no_header && self.last_words.contains("18446744073709551615");
        self.file.starts_with("odd") || header_as_event || refused && !self.file.contains("cut")
    }
}

/// Messages of QEMU 10.2's reader that are not tracebacks.
const SAID: [&str; 2] = ["Error reading header", "event is logged"];

/// Runs the tool under that reader's name.
fn simpletrace(row: &Row, declarations: &Path, trace: &Path) -> Output {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    tool.arg0("simpletrace").args(row.no_header.then_some("--no-header")).arg(declarations).arg(trace);
    tool.output().unwrap()
}

fn print(arguments: &[&str], declarations: &Path, trace: &Path) -> Output {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    tool.arg("print").args(arguments).arg("--events").arg(declarations).arg(trace);
    tool.output().unwrap()
}

/// Compares an output with the expected one, and returns the first difference.
fn compare(output: &Output, expected: &[u8], status: i32, needs_place: bool) -> Result<(), String> {
    let stderr = String::from_utf8_lossy(&output.stderr);
    if output.stdout != expected {
        let got: Vec<&[u8]> = output.stdout.split(|&byte| byte == b'\n').collect();
        let want: Vec<&[u8]> = expected.split(|&byte| byte == b'\n').collect();
        let same = got.iter().zip(&want).take_while(|(got, want)| got == want).count();
        let line = |lines: &[&[u8]]| lines.get(same).map(|line| line.escape_ascii().to_string());
        return Err(format!(
            "{} of {} lines; the first difference is in line {}\n    expected {:?}\n    printed  {:?}\n    stderr   {stderr}",
            got.len() - 1,
            want.len() - 1,
            same + 1,
            line(&want),
            line(&got)
        ));
    }
    if output.status.code() != Some(status) {
        return Err(format!("exit {:?}, not {status}: {stderr}", output.status.code()));
    }
    let complained = stderr.contains("error: ") || stderr.contains("the file is truncated") && status == 1;
    if complained != (status != 0) {
        return Err(format!("exit {status} with: {stderr}"));
    }
    if needs_place && !(stderr.contains(": record ") && stderr.contains(" at offset 0x")) {
        return Err(format!("the error has no position: {stderr}"));
    }
    Ok(())
}

fn check_version(version: &str) {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join(format!("historic/simpletrace-{version}"));
    let rows = rows(&folder);
    assert!(rows.len() > 20, "{} has {} rows", folder.display(), rows.len());
    let mut wrong = Vec::new();
    for row in &rows {
        let (_, era, newest_of) = READERS.iter().find(|(reader, ..)| *reader == row.reader).unwrap();
        let expected = std::fs::read(folder.join(&row.expected)).unwrap();
        let (declarations, trace) = (folder.join(row.declarations()), folder.join(&row.file));
        let headerless: &[&str] = if row.no_header { &["--no-header", "--from", version] } else { &[] };
        // Without `--from`, the tool infers the version from the records.
        let guessed = if row.no_header { &["--no-header"][..] } else { &[] };
        let mut answers = vec![print(&[guessed, &["--compat", era]].concat(), &declarations, &trace)];
        if newest_of.contains(&version) {
            answers.push(print(headerless, &declarations, &trace));
            answers.push(simpletrace(row, &declarations, &trace));
        }
        if row.file == OF_THE_OTHER_ORDER {
            for answer in answers {
                assert_eq!(answer.status.code(), Some(0));
                assert_eq!(answer.stdout.split(|&byte| byte == b'\n').count(), 32);
            }
            continue;
        }
        let needs_place = row.status != 0 && !row.refused_at_once();
        for (answer, way) in answers.iter().zip(["--compat", "without --compat", "simpletrace"]) {
            // Only with `--compat`, a truncated trace is accepted as by that reader.
            let said = String::from_utf8_lossy(&answer.stderr);
            let is_cut = row.file.contains("cut") && said.contains("the file is truncated");
            let status = if is_cut && way == "without --compat" { 1 } else { row.status };
            if let Err(problem) = compare(answer, &expected, status, needs_place) {
                wrong.push(format!("{} ({way}): {problem}", row.expected));
            }
        }
        // If the newest reader prints a message instead of a traceback, our last line must equal
        // that message.
        if row.reader == "v1022" && SAID.iter().any(|said| row.last_words.contains(said)) {
            let said = String::from_utf8_lossy(&answers[2].stderr).into_owned();
            let said = said.lines().last().unwrap_or_default();
            if said != row.last_words {
                wrong.push(format!("{}: simpletrace said {said}", row.expected));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn v0() {
    check_version("v0");
}

#[test]
fn v2() {
    check_version("v2");
}

#[test]
fn v3() {
    check_version("v3");
}

#[test]
fn v4() {
    check_version("v4");
}

/// Returns the number of records that `info` counts, and whether it reports damage.
fn info(arguments: &[&str], trace: &Path) -> (u64, bool) {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    let output = tool.args(["info", "--json"]).args(arguments).arg(trace).output().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let damaged = document["damaged"].as_bool().unwrap();
    assert_eq!(output.status.code(), Some(i32::from(damaged)), "{} {arguments:?}", trace.display());
    (document["records"].as_u64().unwrap_or(0), damaged)
}

fn lines(text: &[u8]) -> u64 {
    text.iter().filter(|&&byte| byte == b'\n').count() as u64
}

/// `info` must count the records that the original reader printed. With `--check`, it must report
/// damage in every file that crashed the reader.
#[test]
fn info_counts_what_was_printed() {
    let Some(corpus) = corpus() else { return };
    let mut compared = 0;
    for version in ["v0", "v2", "v3", "v4"] {
        let folder = corpus.join(format!("historic/simpletrace-{version}"));
        for row in &rows(&folder) {
            if row.file == OF_THE_OTHER_ORDER || row.file.starts_with("odd") {
                continue;
            }
            let (_, era, _) = READERS.iter().find(|(reader, ..)| *reader == row.reader).unwrap();
            let declarations = folder.join(row.declarations());
            let trace = folder.join(&row.file);
            let mut arguments = vec!["--compat", era];
            if row.no_header {
                arguments.extend(["--no-header", "--from", version]);
            }
            // Without declarations, some damage looks like valid records, so only check that `info`
            // succeeds.
            info(&arguments, &trace);
            let declared =
                [&arguments[..], &["--check", "--events", declarations.to_str().unwrap()]].concat();
            let (records, damaged) = info(&declared, &trace);
            if row.status != 0 {
                // An undeclared event is not damage.
                assert!(damaged || row.file == "bad-map-absent-used.log", "{} {declared:?}", row.file);
                continue;
            }
            compared += 1;
            // A string in the expected text can contain a newline, but JSON has exactly one line
            // for each record.
            let printed = lines(&std::fs::read(folder.join(&row.expected)).unwrap());
            let styled = [&["--style", "jsonl"], &arguments[..]].concat();
            let printed_records = lines(&print(&styled, &declarations, &trace).stdout);
            assert!((printed_records..printed_records + 3).contains(&printed), "{}", row.expected);
            assert_eq!(records, printed_records, "{} {declared:?}", row.file);
        }
    }
    assert!(compared > 80, "only {compared} files");
    for entry in std::fs::read_dir(corpus.join("qemu")).unwrap() {
        let trace = entry.unwrap().path();
        let text = trace.with_extension("txt");
        if trace.extension().is_some_and(|extension| extension == "bin") && text.exists() {
            assert_eq!(
                info(&[], &trace),
                (lines(&std::fs::read(text).unwrap()), false),
                "{}",
                trace.display()
            );
        }
    }
}

/// Recordings of QEMU 10.2, with the output of its own reader.
#[test]
fn recordings_of_qemu() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("qemu");
    let mut pairs = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let trace = entry.unwrap().path();
        let text = trace.with_extension("txt");
        if trace.extension().is_none_or(|extension| extension != "bin") || !text.exists() {
            continue;
        }
        pairs += 1;
        let expected = std::fs::read(text).unwrap();
        let mut declarations = vec![folder.join("trace-events-all")];
        declarations.extend(Some(trace.with_extension("events")).filter(|own| own.exists()));
        for declarations in declarations {
            for arguments in [&[][..], &["--compat", "10.2"]] {
                let output = print(arguments, &declarations, &trace);
                let compared = compare(&output, &expected, 0, false);
                assert_eq!(compared, Ok(()), "{} {arguments:?}", trace.display());
            }
        }
    }
    assert!(pairs >= 5, "only {pairs} recordings");
}

/// Two backends recorded the same run. The style `log` must print the lines that the log backend
/// wrote.
#[test]
fn the_log_of_the_same_run() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("qemu");
    let output =
        print(&["--style", "log"], &folder.join("trace-events-all"), &folder.join("paired-boot.bin"));
    assert_eq!(output.status.code(), Some(0));
    let printed: Vec<&[u8]> = output.stdout.split(|&byte| byte == b'\n').collect();
    let log = std::fs::read(folder.join("paired-boot.log")).unwrap();
    let logged: Vec<&[u8]> = log.split(|&byte| byte == b'\n').collect();
    assert!(logged.len() > 17_000);
    // The log was opened later, so the first records are only in the trace.
    let early = printed.len() - logged.len();
    assert!(early < 20, "{early} records are not in the log");
    for (number, (printed, logged)) in printed[early..].iter().zip(&logged).enumerate() {
        // The trace contains an empty string instead of NULL.
        let logged = String::from_utf8_lossy(logged).replace("(null)", "");
        assert_eq!(String::from_utf8_lossy(printed), logged, "line {} of the log", number + 1);
    }
}

/// The argument types in the proposal's declarations: signed and unsigned integers, and strings.
const PROPOSED: [(&str, &[(&str, char)]); 5] = [
    ("rfc_none", &[]),
    ("rfc_ints", &[("a", 'i'), ("b", 'u'), ("c", 'u'), ("d", 'i')]),
    ("rfc_str", &[("s", 's')]),
    ("rfc_mix", &[("p", 'u'), ("s", 's'), ("n", 'i'), ("t", 's')]),
    (
        "rfc_eight",
        &[("a", 'i'), ("b", 'i'), ("c", 'i'), ("d", 'i'), ("e", 'i'), ("f", 'i'), ("g", 'i'), ("h", 'i')],
    ),
];

/// No original reader for the 2011 proposal exists, so its files are compared with the values that
/// were written.
#[test]
fn the_proposal_of_2011() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("historic/simpletrace-rfc2011");
    for name in ["ok-le-u64-nonul", "ok-be-natural-nul", "ok-be-natural-nonul"] {
        let content = std::fs::read(folder.join(name).with_extension("json")).unwrap();
        let content: serde_json::Value = serde_json::from_slice(&content).unwrap();
        let little = content["endian"] == "le";
        let mut expected = Vec::new();
        let mut before = None;
        for event in content["events"].as_array().unwrap() {
            let number = |key: &str| event[key].as_u64().unwrap();
            let (event_name, arguments) = PROPOSED[number("id") as usize];
            let delta_us = (number("timestamp") - before.unwrap_or(number("timestamp"))) as f64 / 1000.0;
            before = Some(number("timestamp"));
            expected.extend(format!("{event_name} {delta_us:.3} pid={}", content["pid"]).bytes());
            let values = event["args"].as_array().unwrap();
            assert_eq!(values.len(), arguments.len());
            for ((argument, kind), value) in arguments.iter().zip(values) {
                let mut bytes = unhex(value.as_str().unwrap());
                expected.extend(format!(" {argument}=").bytes());
                if *kind == 's' {
                    expected.extend(bytes.strip_suffix(&[0]).unwrap_or(&bytes));
                    continue;
                }
                if little {
                    bytes.reverse();
                }
                let negative = *kind == 'i' && bytes[0] >= 0x80;
                let mut wide = [if negative { 0xff } else { 0 }; 8];
                wide[8 - bytes.len()..].copy_from_slice(&bytes);
                expected.extend(format!("{:#x}", u64::from_be_bytes(wide)).bytes());
            }
            expected.push(b'\n');
        }
        let output = print(&[], &folder.join("trace-events"), &folder.join(name).with_extension("log"));
        assert_eq!(compare(&output, &expected, 0, false), Ok(()), "{name}");
    }
}

fn unhex(digits: &str) -> Vec<u8> {
    let pairs = (0..digits.len()).step_by(2).map(|at| &digits[at..at + 2]);
    pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}

/// For damaged files of the proposal, the tool must print the readable records, then the error and
/// its position.
#[test]
fn damage_in_the_proposal_of_2011() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("historic/simpletrace-rfc2011");
    for (name, status, words) in [
        (
            "bad-cut-size",
            1,
            "record 1 at offset 0x20: argument `s` of `rfc_str` needs 8 bytes for its size, but only 4 remain",
        ),
        ("bad-empty", 1, "the file is empty"),
        ("bad-endian-magic", 1, "offset 0x0: not a trace"),
        (
            "bad-int-size16",
            1,
            "record 1 at offset 0x20: argument `a` of `rfc_ints` is an integer of 16 bytes, expected 1, 2, 4 or 8",
        ),
        ("bad-numargs-less", 0, "record 1 at offset 0x20: `rfc_ints` has only 1 of its 4 declared arguments"),
        ("bad-numargs-more", 0, "record 1 at offset 0x20: `rfc_none` has 1 more argument than declared"),
        ("bad-size-huge", 1, "record 1 at offset 0x20: argument `s` of `rfc_str` is a string of "),
        ("bad-version7", 1, "offset 0x10: unknown simpletrace version 7"),
        ("maybe-version1", 0, "offset 0x10: the version field is 1"),
    ] {
        let output = print(&[], &folder.join("trace-events"), &folder.join(name).with_extension("log"));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{name}: {stderr}");
        assert!(stderr.contains(words), "{name}: {stderr}");
    }
}
