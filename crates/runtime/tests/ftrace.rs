//! The backend `ftrace` and the kernel's trace buffer, in a separate instance.

#![cfg(all(feature = "runtime", target_os = "linux"))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod speaker;

use std::fs;
use std::process::Command;

use ringtrace_peers::tracefs::{self, Instance};
use speaker::{program, speak};

fn say(instance: &Instance, deeds: &[&str]) -> String {
    let marker = instance.at("trace_marker");
    let words = [&["--trace", "*,backend=ftrace", "--marker", &marker], deeds].concat();
    speak(&words).unwrap()
}

#[test]
fn lines_are_in_the_kernel_trace() {
    let Some(instance) = Instance::make() else { return };
    let said = say(&instance, &["say:hello", "quiet", "say:two\nlines"]);
    assert_eq!(said, "ftrace: 3 written, 0 cut, 0 lost\n");
    assert_eq!(
        instance.marked(),
        ["said who=0 number=0 what='hello'", "quiet ", "said who=0 number=0 what='two\\nlines'"]
    );
}

#[test]
fn lines_of_threads_are_whole() {
    let Some(instance) = Instance::make() else { return };
    fs::write(instance.at("buffer_size_kb"), "8192").unwrap();
    assert_eq!(say(&instance, &["threads:4x2000"]), "ftrace: 8000 written, 0 cut, 0 lost\n");
    let marked = instance.marked();
    assert_eq!(marked.len(), 8000);
    for who in 0..4 {
        let begin = format!("said who={who} number=");
        let end = format!(" what='{}'", "w".repeat(300));
        let of_one = marked.iter().filter_map(|line| line.strip_prefix(&begin)?.strip_suffix(&end));
        assert!(of_one.map(|number| number.parse::<u64>().unwrap()).eq(0..2000));
    }
}

#[test]
fn a_long_line_is_cut_and_counted() {
    let Some(instance) = Instance::make() else { return };
    let said = say(&instance, &["control"]);
    let line = format!("said who=0 number=0 what='{}'", "\\x1b".repeat(512));
    let [marked] = &instance.marked()[..] else { panic!("not one line") };
    // QEMU has the same limit.
    assert_eq!(*marked, line[..511]);
    assert_eq!(said, "ftrace: 1 written, 1 cut, 0 lost\n");
}

#[test]
fn lines_are_lost_while_kernel_tracing_is_off() {
    let Some(instance) = Instance::make() else { return };
    fs::write(instance.at("tracing_on"), "0").unwrap();
    let mut command = Command::new(program());
    command.args(["--trace", "*,backend=ftrace", "--marker", &instance.at("trace_marker"), "times:10"]);
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ftrace: 0 written, 0 cut, 10 lost\n");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "ringtrace: ftrace: the file does not accept lines at the moment: the kernel's tracing is off (write 1 to `tracing_on`); \
         lost lines are counted\n\
         ringtrace: ftrace: 10 lines were lost\n"
    );
}

#[test]
fn the_marker_is_found_where_tracefs_is_mounted() {
    let Some(_instance) = Instance::make() else { return };
    let word = format!("say:found-{}", std::process::id());
    let said = speak(&["--trace", "*,backend=ftrace", &word]);
    if tracefs::is_on() {
        assert_eq!(said.unwrap(), "ftrace: 1 written, 0 cut, 0 lost\n");
    }
}
