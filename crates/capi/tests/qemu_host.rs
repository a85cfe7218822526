//! Tests a program that defines functions of QEMU. Replies go to the client of its monitor, the
//! program's own functions print messages, and the program and the library share one log file.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod program;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::LazyLock;

use program::Bench;
use ringtrace_peers::hmp_client::HmpClient;

/// The program with the binary trace compiled in.
static SIMPLE: LazyLock<PathBuf> =
    LazyLock::new(|| program::compile_group("qemu-host", "demo", "simple", "qemu_host.c"));

/// The program with the log compiled in, which is QEMU's default.
static LOG: LazyLock<PathBuf> =
    LazyLock::new(|| program::compile_group("qemu-host-log", "demo", "log", "qemu_host.c"));

/// Runs a program, which must not write to standard error. Returns its exit status and its standard
/// output.
fn run(bench: &Bench, program: &Path, steps: &[&str], variable: Option<&str>) -> (Option<i32>, String) {
    let mut command = bench.command(program);
    command.args(steps).env_remove("RINGTRACE").env_remove("RINGTRACE_MONITOR");
    command.envs(variable.map(|value| ("RINGTRACE", value)));
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{steps:?}");
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_monitor_s_client_gets_the_answers() {
    let bench = Bench::new();
    let steps =
        ["trace=file=t", "backends", "file", "monitor=on", "enable=help", "status", "monitor=off", "status"];
    let expected = "\
backends: 1
qemu_printf: demo_two
qemu_printf: demo_named
qemu_printf: demo_wide
qemu_printf: demo_off
qemu_printf: Trace file \"t\" on.
qemu_printf: Trace file \"t\" on.
the end
";
    assert_eq!(run(&bench, &SIMPLE, &steps, None), (Some(0), expected.to_owned()));
}

#[test]
fn help_ends_the_program_without_a_monitor() {
    let listed = "demo_two\ndemo_named\ndemo_wide\ndemo_off\n".to_owned();
    for steps in [["trace=help", "backends"], ["enable=help", "backends"]] {
        assert_eq!(run(&Bench::new(), &SIMPLE, &steps, None), (Some(0), listed.clone()), "{steps:?}");
    }
}

#[test]
fn messages_are_reported_by_the_program_s_functions() {
    let bench = Bench::new();
    std::fs::write(bench.path("e"), "demo_two\nlost").unwrap();
    let steps = ["trace=nobody,events=e,file=t", "backends", "file", "enable=demo_off", "set=/none/x"];
    let expected = "\
warn_report: trace event 'nobody' does not exist
warn_report: e:2: trace event 'lost' does not exist
backends: 1
warn_report: trace event 'demo_off' is not traceable
error_report: trace file /none/x: No such file or directory; recording is now off
the end
";
    assert_eq!(run(&bench, &SIMPLE, &steps, None), (Some(0), expected.to_owned()));
    let refused = "error_report: trace file /none/t: No such file or directory\nbackends: 0\n";
    let steps = ["trace=demo_two,file=/none/t", "backends"];
    assert_eq!(run(&bench, &SIMPLE, &steps, None), (Some(0), format!("{refused}the end\n")));
    let wrong = "error_report: fiel=x: Invalid parameter 'fiel'; did you mean `file=`?\n";
    assert_eq!(run(&bench, &SIMPLE, &["trace=fiel=x"], None), (Some(1), wrong.to_owned()));
}

#[test]
fn the_log_file_is_that_of_the_program_s_log() {
    for option in ["file=l", "logfile=l"] {
        let bench = Bench::new();
        let option = format!("trace=demo_two,{option}");
        let steps = [&option, "backends", "file", "emit", "file"];
        let expected = "\
backends: 1
qemu_set_log_filename: l or exit
qemu_log: demo_two a 1 b 2
the end
";
        assert_eq!(run(&bench, &LOG, &steps, None), (Some(0), expected.to_owned()));
        assert!(!bench.path("l").exists(), "the library created a file of its own");
    }
    // Another backend writes to its own file. So does the backend `log` if the library, and not the
    // program, formats its lines.
    let bench = Bench::new();
    let steps = ["trace=demo_two,backend=simple,logfile=l,file=t", "backends", "file", "emit"];
    let expected = "\
warn_report: the trace will contain no C event, because the probes were generated without the backend simple
backends: 1
the end
";
    assert_eq!(run(&bench, &LOG, &steps, None), (Some(0), expected.to_owned()));
    let steps = ["trace=demo_two,backend=log,file=l", "backends", "file", "emit"];
    assert_eq!(run(&bench, &SIMPLE, &steps, None), (Some(0), "backends: 1\nthe end\n".to_owned()));
    assert_eq!(std::fs::read_to_string(bench.path("l")).unwrap(), "demo_two a 1 b 2\n");
}

#[test]
fn one_call_adds_a_monitor() {
    let bench = Bench::new();
    let mut command = bench.command(&SIMPLE);
    command.args(["trace=demo_two,file=t", "backends", "file", "serve", "wait"]);
    command.env("RINGTRACE_MONITOR", "unix:m,mode=hmp").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "backends: 1");
    assert_eq!(lines.next().unwrap().unwrap(), "serve: 0");
    let mut client = HmpClient::connect(&bench.path("m"));
    assert_eq!(client.run("info trace-events demo_t*"), "demo_two : state 1\n");
    assert_eq!(client.run("trace-file"), "Trace file \"t\" on.\n");
    assert!(client.run("info trace-status").starts_with("ringtrace-capi-qemu-host, process "));
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    // Without the variable there is no monitor.
    let (_, output) = run(&bench, &SIMPLE, &["serve", "set=u", "status"], None);
    assert_eq!(output, "serve: 0\nqemu_printf: Trace file \"u\" off.\nthe end\n");
    assert!(!bench.path("m").exists());
}
