//! Programs with a main() like QEMU's. They set options, register groups, and set backends and the
//! trace file, in QEMU's order and in other orders.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod program;

use std::path::PathBuf;
use std::sync::LazyLock;

use program::{Bench, Trace};

/// All events of the program.
const ALL: [&str; 3] =
    ["demo_two 1 2", "demo_named fffffffffffffffd \"three\"", "demo_named ffffffff80000000 \"\""];

/// `order.c` documents the letters.
static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| program::compile("order", "cc", "order.c", &[]));

/// Runs the program. Returns the names of its trace files, without process ids, and their events.
fn traces(order: &str, options: &[&str]) -> Vec<(String, Vec<String>)> {
    let bench = Bench::new();
    bench.run(&PROGRAM, &[&[order], options].concat());
    let files = std::fs::read_dir(bench.path(".")).unwrap().map(|entry| entry.unwrap().path());
    let mut traces: Vec<_> = files
        .filter(|path| path.is_file())
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
            (name, Trace::read(&path).lines)
        })
        .collect();
    traces.sort();
    traces
}

#[test]
fn options_work_in_every_order() {
    for order in ["mpbfe", "pmfbe", "mpfbe", "mbpfe", "pbfe", "bpfe", "mpbe", "mfpbe", "mpdbfe", "mbmbpffe"] {
        assert_eq!(
            traces(order, &["demo_*,file=t"]),
            [("t".to_owned(), ALL.map(str::to_owned).to_vec())],
            "{order}"
        );
    }
}

#[test]
fn later_options_add_to_earlier_ones() {
    let found = traces("mpbfe", &["demo_named,file=t", "policy=block", "-demo_n*", "demo_two"]);
    assert_eq!(found, [("t".to_owned(), vec![ALL[0].to_owned()])]);
}

#[test]
fn the_file_is_at_its_documented_path() {
    let all = ALL.map(str::to_owned).to_vec();
    for (order, options, expected) in [
        // Without options, nothing is written, no matter which events are enabled.
        ("mbfae", &[][..], &[][..]),
        ("mbae", &[], &[]),
        // An option without a file.
        ("mpbfe", &["demo_*"], &["trace-"]),
        ("mpbfe", &[""], &["trace-"]),
        // Functions called after options.
        ("mpbf0e", &["demo_*,file=t"], &["t"]),
        ("m0pbfe", &["demo_*,file=t"], &[]),
        ("mspbfe", &["demo_*,file=t"], &["set"]),
        ("mpbfse", &["demo_*,file=t"], &["set", "t"]),
        // A closed file is not opened again, because that would truncate it.
        ("mpbfe0f", &["demo_*,file=t"], &["t"]),
        ("mpbfe0f1", &["demo_*,file=t"], &["t"]),
        // Functions called without options.
        ("mba1e", &[], &["trace-"]),
        ("m1bae", &[], &["trace-"]),
        ("mbsa1e", &[], &["set"]),
        ("msi1ae", &[], &["set"]),
        ("mi1a0e1s", &[], &["set", "trace-"]),
    ] {
        let found = traces(order, options);
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, expected, "{order}");
        let is_in_one = found.iter().any(|(_, lines)| *lines == all);
        let is_off =
            expected.is_empty() || order.contains("0e") || order.starts_with("m0") || options == [""];
        assert_eq!(is_in_one, !is_off, "{order}: {found:?}");
    }
}

#[test]
fn late_options_take_full_effect() {
    let bench = Bench::new();
    bench.run(&PROGRAM, &["mbpfe", "demo_*,file=t,policy=overwrite,clock=gettime"]);
    let text = String::from_utf8_lossy(&std::fs::read(bench.path("t")).unwrap()).into_owned();
    assert!(text.contains("overwrite") && text.contains("gettime"));
    assert_eq!(bench.trace("t").lines, ALL);
}

/// Runs a program that exits during start-up. Returns its exit status and output.
fn output_of(order: &str, options: &[&str]) -> (Option<i32>, String, String) {
    let bench = Bench::new();
    let output = bench.command(&PROGRAM).arg(order).args(options).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("ringtrace-capi-order", "PROGRAM");
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn help_lists_all_events() {
    let all = "demo_two\ndemo_named\ndemo_wide\ndemo_off\n";
    for (order, option) in [("mpbf", "help"), ("pm", "help"), ("p", "?"), ("p", "demo_*,enable=help")] {
        assert_eq!(output_of(order, &[option]), (Some(0), all.to_owned(), String::new()), "{order} {option}");
    }
}

#[test]
fn errors_are_printed_and_end_the_program() {
    for (options, expected) in [
        ("foo=x", "PROGRAM: foo=x: Invalid parameter 'foo'; "),
        ("a,b", "PROGRAM: a,b: Invalid parameter 'b': "),
        (
            "events=/nowhere/e",
            "PROGRAM: events=/nowhere/e: cannot read /nowhere/e: No such file or directory",
        ),
        ("file=/nowhere/t", "PROGRAM: trace file /nowhere/t: No such file or directory"),
    ] {
        let (status, stdout, stderr) = output_of("mpbfe", &[options]);
        assert_eq!((status, stdout.as_str()), (Some(1), ""), "{options}");
        assert!(stderr.starts_with(expected) && stderr.lines().count() == 1, "{options}: {stderr}");
    }
    let warnings = "\
PROGRAM: warning: trace event 'demo_tow' does not exist; did you mean 'demo_two'?
PROGRAM: warning: trace event 'demo_off' is not traceable
";
    assert_eq!(output_of("mpbfe", &["demo_tow", "demo_off"]), (Some(0), String::new(), warnings.to_owned()));
}

/// Differences from QEMU, as docs/c.md lists them.
#[test]
fn files_differ_from_those_of_qemu() {
    use std::os::unix::fs::PermissionsExt;

    let bench = Bench::new();
    std::fs::write(bench.path("events"), "demo_two").unwrap();
    // Recording to the file is switched off and on again.
    let output = bench.run(&PROGRAM, &["mpbfe0e1e", "events=events,file=t", "-nobody*"]);
    let warning = "ringtrace-capi-order: warning: trace event pattern 'nobody*' matches no event\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), warning);
    assert_eq!(bench.trace("t").lines, ["demo_two 1 2", "demo_two 1 2"]);
    assert_eq!(bench.path("t").metadata().unwrap().permissions().mode() & 0o777, 0o600);
    for option in ["demo_two,file", "demo_two,file="] {
        let (status, _, stderr) = output_of("mpbfe", &[option]);
        assert_eq!(status, Some(1), "{option}: {stderr}");
    }
}

/// Runs the program with the variable `RINGTRACE`.
fn run_with_variable(bench: &Bench, order: &str, options: &[&str], value: &str) -> std::process::Output {
    bench.command(&PROGRAM).arg(order).args(options).env("RINGTRACE", value).output().unwrap()
}

/// `ringtrace record` sets this variable for programs, and reads the list in the file that
/// `announce=` specifies.
#[test]
fn the_variable_starts_tracing() {
    for order in ["mbfe", "mbe", "bfme", "mpbfe", "mpbe", "mpdbfe"] {
        let bench = Bench::new();
        std::fs::write(bench.path("list"), "").unwrap();
        let output = run_with_variable(&bench, order, &[], "demo_*;file=v,announce=list");
        assert!(output.status.success() && output.stderr.is_empty(), "{order}: {output:?}");
        assert_eq!(bench.trace("v").lines, ALL, "{order}");
        let list = std::fs::read_to_string(bench.path("list")).unwrap();
        assert!(list.contains(bench.path("v").to_str().unwrap()), "{order}: {list}");
    }
}

#[test]
fn options_apply_after_the_variable() {
    let bench = Bench::new();
    let output = run_with_variable(&bench, "mpbfe", &["-demo_n*,file=t"], "demo_*,file=v");
    assert!(output.status.success(), "{output:?}");
    assert!(!bench.path("v").exists());
    assert_eq!(bench.trace("t").lines, ["demo_two 1 2"]);
    // An empty variable starts nothing.
    let bench = Bench::new();
    assert!(run_with_variable(&bench, "mbfae", &[], "").status.success());
    let names = std::fs::read_dir(bench.path(".")).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["rings"]);
}

#[test]
fn errors_of_the_variable_end_the_program() {
    for order in ["mpbf", "mbf"] {
        let refused = run_with_variable(&Bench::new(), order, &["demo_*"], "demo_*,fiel=x");
        assert_eq!(refused.status.code(), Some(1), "{order}");
        let expected = "ringtrace-capi-order: RINGTRACE='demo_*,fiel=x': Invalid parameter 'fiel'";
        let stderr = String::from_utf8_lossy(&refused.stderr);
        assert!(stderr.starts_with(expected) && stderr.lines().count() == 1, "{order}: {stderr}");
        let listed = run_with_variable(&Bench::new(), order, &["demo_*"], "help");
        assert_eq!(
            (listed.status.code(), String::from_utf8_lossy(&listed.stdout).lines().count()),
            (Some(0), 4),
            "{order}"
        );
    }
}

#[test]
fn a_program_calls_its_own_queue_itself() {
    let program = program::compile("queue", "cc", "queue.c", &[]);
    let bench = Bench::new();
    bench.run(&program, &["demo_two,file=t"]);
    assert_eq!(bench.trace("t").lines, ["demo_two 1 2"]);
}
