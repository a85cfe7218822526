//! Loads and unloads C libraries while threads that recorded events in them continue to run. Some
//! of these libraries use the program's copy of the tracing library, and others contain their own.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod program;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use program::Bench;

static HOST: LazyLock<PathBuf> =
    LazyLock::new(|| program::link("host", &mut program::cc("cc"), "host.c", &["-rdynamic"]));

/// A program that exports no symbols, which is the linker's default.
static CLOSED_HOST: LazyLock<PathBuf> =
    LazyLock::new(|| program::link("closed-host", &mut program::cc("cc"), "host.c", &[]));
fn plugin(name: &str, backends: &str, more: &[&Path]) -> PathBuf {
    let plugin = program::made().join(format!("ringtrace-capi-{name}.so"));
    let demo = program::generate("demo", backends);
    let mut command = program::cc("cc");
    command.args(["-shared", "-fPIC", "-s", "-o"]).arg(&plugin).arg("-I").arg(&demo);
    command.arg(program::here().join("tests/c/plugin.c")).arg(demo.join("trace-demo.c"));
    program::succeeds(command.args(more));
    plugin
}

fn all_is_recorded(host: &Path, plugin: &Path) {
    let bench = Bench::new();
    let output = bench.run(host, &["demo_*,file=t,policy=block", plugin.to_str().unwrap()]);
    // No event of an unloaded library remains in the list.
    assert_eq!(String::from_utf8_lossy(&output.stdout), "01 ".repeat(10));
    let trace = bench.trace("t");
    let mut expected = Vec::new();
    for load in (1..=5).chain(1..=5) {
        expected.extend((0..1000).map(|i| format!("demo_two {load:x} {i:x}")));
        expected.push(format!("demo_named {load:x} \"worked\""));
        expected.push(format!("demo_named {:x} \"worked\"", 100 + load));
        expected.extend((0..1000).map(|i| format!("demo_two {:x} {i:x}", load + 10)));
        expected.push(format!("demo_named {:x} \"worked\"", load + 10));
    }
    assert!(trace.lines == expected, "{} lines instead of {}", trace.lines.len(), expected.len());
    let threads: std::collections::BTreeSet<_> = trace.threads.iter().collect();
    assert_eq!(threads.len(), 2);
}

/// Linker inputs for a library with its own copy, which cannot see the program's functions but
/// shares its rings.
fn copy() -> [PathBuf; 3] {
    let hidden = program::made().join("ringtrace-capi-hidden.map");
    std::fs::write(&hidden, "{ global: plugin_*; local: *; };\n").unwrap();
    let script = PathBuf::from(format!("-Wl,--version-script={}", hidden.display()));
    [program::library(), PathBuf::from("-lgcc_s"), script]
}

#[test]
fn with_the_library_of_the_program() {
    all_is_recorded(&HOST, &plugin("guest", "simple", &[]));
}

#[test]
fn with_a_library_of_its_own() {
    all_is_recorded(&HOST, &plugin("alone", "simple", &copy().each_ref().map(PathBuf::as_path)));
}

#[test]
fn with_a_library_of_its_own_in_a_program_without_exports() {
    all_is_recorded(&CLOSED_HOST, &plugin("closed", "simple", &copy().each_ref().map(PathBuf::as_path)));
}

/// Lines go to the program's log, no matter which copy of the library formats them.
#[test]
fn lines_go_to_the_log_of_the_program() {
    let copy = copy();
    let copy = copy.each_ref().map(PathBuf::as_path);
    for (name, backends, more) in
        [("guest-log", "log", &[][..]), ("alone-log", "log", &copy), ("alone-simple", "simple", &copy)]
    {
        let bench = Bench::new();
        let plugin = plugin(name, backends, more);
        bench.run(&HOST, &["demo_two,backend=log,file=log", plugin.to_str().unwrap()]);
        let log = std::fs::read_to_string(bench.path("log")).unwrap();
        let mut expected = String::new();
        for load in (1..=5).chain(1..=5) {
            for what in [load, load + 10] {
                expected.extend((0..1000).map(|i| format!("demo_two a {what} b {i}\n")));
            }
        }
        assert!(log == expected, "{name}: {} lines: {:?}", log.lines().count(), log.lines().next());
    }
}
