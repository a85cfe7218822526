//! Monitors of C programs: `ringtrace_monitor()` and related functions.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod program;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use program::Bench;
use ringtrace_peers::hmp_client::HmpClient;
use ringtrace_peers::monitored::wait_until;

fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| program::compile("monitor", "cc", "monitor.c", &[]))
}

fn command(bench: &Bench, arguments: &[&str]) -> Command {
    let mut command = bench.command(program());
    command.args(arguments).env_remove("RINGTRACE").env_remove("RINGTRACE_MONITOR");
    command
}

/// Runs a program that ends by itself and returns its output.
fn output_of(bench: &Bench, arguments: &[&str]) -> String {
    let output = command(bench, arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// A program that runs until its standard input is closed.
struct Working {
    child: Child,
    /// The first lines of the program's output.
    output: String,
}

impl Working {
    /// Starts a program and reads `lines` lines of its output.
    fn start(mut command: Command, lines: usize) -> Working {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut output = String::new();
        (0..lines).for_each(|_| assert!(stdout.read_line(&mut output).unwrap() > 0, "it ended: {output}"));
        child.stdout = Some(stdout.into_inner());
        Working { child, output }
    }

    fn end(mut self) -> String {
        drop(self.child.stdin.take());
        let output = self.child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }
}

/// Makes a client flush the trace until `file` contains `line`.
fn wait_for(bench: &Bench, client: &mut HmpClient, file: &str, line: &str) {
    wait_until(line, || {
        assert_eq!(client.run("trace-file flush"), "");
        bench.trace(file).lines.iter().any(|found| found.starts_with(line))
    });
}

#[test]
fn errors_have_messages() {
    let expected = "\
no path: -1 monitor=unix:: expected a path after `unix:`
no folder: -1 monitor /none/m: the folder /none does not exist; create it first
no key: -1 monitor=unix:m,mod=hmp: `mod=hmp`: did you mean `mode=`?
nothing: 0 
one: 0 
again: -1 monitor m: another monitor is listening there; end that program or use another path (`%d` in it stands for the process id)
nowhere: -1 cannot use folder `/none` for the monitor's files: No such file or directory
two: 0 
there: 0 0 0
gone: -1 -1 -1
once more: 0 
";
    let bench = Bench::new();
    assert_eq!(output_of(&bench, &["errors"]), expected);
    assert!(!bench.path("m").exists(), "the socket outlived its program");
}

#[test]
fn monitor_arguments_are_removed() {
    let bench = Bench::new();
    let arguments =
        ["arguments", "--monitor", "unix:m", "-v", "--trace=file=t", "--monitor=unix:n", "--", "--monitor"];
    assert_eq!(
        output_of(&bench, &arguments),
        "monitor: 0 \ntrace: 0 \narguments\n-v\n--\n--monitor\nthe end\n"
    );
    let refused = output_of(&bench, &["arguments", "--monitor", "m", "-v"]);
    let expected = "\
monitor: -1 --monitor m: expected unix:PATH; did you mean `unix:m`?
trace: 0 
arguments
--monitor
m
-v
the end
";
    assert_eq!(refused, expected);
    let help = output_of(&bench, &["arguments", "--monitor", "help"]);
    assert!(help.starts_with("  unix:PATH ") && help.contains("mode=MODE"), "{help}");
}

#[test]
fn a_client_controls_a_program_without_options() {
    let bench = Bench::new();
    let mut command = command(&bench, &["variable"]);
    let working = Working::start(
        {
            command.env("RINGTRACE_MONITOR", "unix:m,mode=hmp");
            command
        },
        1,
    );
    assert_eq!(working.output, "serves: 0 \n");
    let mut client = HmpClient::connect(&bench.path("m"));
    assert_eq!(
        client.run("info trace-events demo_*"),
        "demo_two : state 0\ndemo_named : state 0\ndemo_wide : state 0\ndemo_off : state 0\n"
    );
    assert_eq!(client.run("trace-event demo_two on"), "");
    assert_eq!(client.run("trace-file set t"), "");
    assert_eq!(client.run("trace-file on"), "");
    wait_for(&bench, &mut client, "t", "demo_two ");
    assert_eq!(working.end(), "");
    assert!(!bench.path("m").exists());
}

#[test]
fn files_are_written_where_the_program_allows_it() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("allowed")).unwrap();
    let working = Working::start(command(&bench, &["limits", "unix:m,mode=hmp", "allowed"]), 1);
    let mut client = HmpClient::connect(&bench.path("m"));
    // A file with the default name is created in the allowed folder, too.
    let unnamed = bench.path(&format!("allowed/trace-{}", working.child.id()));
    std::fs::write(&unnamed, "of an older process with the same id").unwrap();
    assert_eq!(client.run("trace-file on"), "");
    assert!(unnamed.with_extension("1").exists(), "{}", client.run("trace-file"));
    assert_eq!(client.run("trace-file off"), "");
    assert!(client.run("trace-file set ../outside").contains("is not allowed"));
    // Relative names refer to the allowed folder.
    assert_eq!(client.run("trace-file set inside"), "");
    assert_eq!(client.run("trace-file on"), "");
    working.end();
    assert!(bench.path("allowed/inside").exists() && !bench.path("outside").exists());
    let narrower = "unix:m,mode=hmp,files=.";
    let refused = Working::start(command(&bench, &["limits", narrower, "allowed"]), 1);
    assert!(refused.output.contains("the program allows only files in"), "{}", refused.output);
    refused.end();
}

#[test]
fn a_program_session_replaces_a_client_session() {
    let bench = Bench::new();
    let working = Working::start(command(&bench, &["late", "unix:m,mode=hmp", "demo_two,file=own"]), 1);
    let mut client = HmpClient::connect(&bench.path("m"));
    assert_eq!(client.run("trace-file set clients"), "");
    assert_eq!(client.run("trace-event demo_two on"), "");
    assert_eq!(client.run("trace-file on"), "");
    wait_for(&bench, &mut client, "clients", "demo_two ");
    assert_eq!(working.end(), "starts: 0 \n");
    assert_eq!(bench.trace("own").lines, ["demo_two 0 0"]);
    assert!(!bench.trace("clients").lines.contains(&"demo_two 0 0".to_owned()));
}

#[test]
fn a_daemon_serves_after_its_fork() {
    let bench = Bench::new();
    let status = command(&bench, &["daemon", "demo_named,file=t", "unix:m,mode=hmp"]).status().unwrap();
    assert!(status.success(), "{status}");
    let mut client = HmpClient::connect(&bench.path("m"));
    wait_for(&bench, &mut client, "t", "demo_named ");
    client.send("quit");
    // The last thing that the daemon does is to remove its rings.
    let is_empty = |folder| std::fs::read_dir(folder).unwrap().next().is_none();
    wait_until("the daemon ends", || !bench.path("m").exists() && is_empty(bench.path("rings")));
}

#[test]
fn a_child_of_a_fork_has_no_monitor_but_its_own() {
    let bench = Bench::new();
    let working = Working::start(command(&bench, &["forks"]), 5);
    let expected = "\
parent: 0 
same: -1 monitor m: another monitor is listening there; end that program or use another path (`%d` in it stands for the process id)
child: 0 
there: 0
status 0, gone: -1, there: 0
";
    assert_eq!(working.output, expected);
    let mut client = HmpClient::connect(&bench.path("m"));
    assert_eq!(client.run("trace-event nosuch on"), "unknown event \"nosuch\"\n");
    working.end();
    assert!(!bench.path("m").exists());
}

/// Returns the counts of recorded and dropped events from an event's row of `info trace-status`.
fn counts(output: &str, event: &str) -> [u64; 2] {
    let row = output.lines().find(|line| line.split_whitespace().next() == Some(event));
    let row = row.unwrap_or_else(|| panic!("no {event} in {output}"));
    let numbers: Vec<u64> = row.split_whitespace().skip(2).map(|word| word.parse().unwrap()).collect();
    numbers.try_into().unwrap()
}

#[test]
fn every_event_is_counted() {
    let bench = Bench::new();
    let arguments = ["counts", "unix:m,mode=hmp", "demo_*,file=t,buffer=128K"];
    let working = Working::start(command(&bench, &arguments), 3);
    assert_eq!(working.output, "serves: 0 \nstarts: 0 \ndone: 0 \n");
    let mut client = HmpClient::connect(&bench.path("m"));
    assert_eq!(client.run("trace-file flush"), "");
    let output = client.run("info trace-status");
    let (two, named) = (counts(&output, "demo_two"), counts(&output, "demo_named"));
    assert_eq!([two, named].map(|counts| counts.iter().sum::<u64>()), [4 * 30_000, 4 * 3000], "{output}");
    drop(client);
    working.end();
    let lines = bench.trace("t").lines;
    let of = |event: &str| lines.iter().filter(|line| line.starts_with(event)).count() as u64;
    assert_eq!([of("demo_two "), of("demo_named ")], [two[0], named[0]]);
}
