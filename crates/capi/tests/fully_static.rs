//! Programs without shared libraries (`-static`, `-static-pie`), and plugins that they load.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "tests")]

mod program;

use std::path::{Path, PathBuf};
use std::process::Command;

use program::Bench;

/// In a static program, glibc by default reserves too little space for the thread-local variables
/// of a plugin that contains the library.
const MORE_SPACE: (&str, &str) = ("GLIBC_TUNABLES", "glibc.rtld.optional_static_tls=4096");

/// Links `source` without shared libraries. With `has_events`, links the group `demo`, too.
fn link(name: &str, option: &str, source: &str, has_events: bool) -> PathBuf {
    let program = program::made().join(format!("ringtrace-capi-{name}"));
    let demo = program::generate("demo", "simple");
    let mut cc = program::cc("cc");
    cc.arg(option).arg("-o").arg(&program).arg("-I").arg(&demo);
    cc.arg(program::here().join("tests/c").join(source));
    if has_events {
        cc.arg(demo.join("trace-demo.c"));
    }
    // The linker warns about functions that need glibc's shared libraries, such as getaddrinfo().
    let libraries = program::LIBRARIES.iter().filter(|library| **library != "-lgcc_s");
    program::succeeds(cc.arg(program::library()).args(libraries).arg("-Wl,--no-fatal-warnings"));
    program
}

fn is_static(program: &Path) -> bool {
    let output = Command::new("readelf").args(["--program-headers", "--wide"]).arg(program).output().unwrap();
    !String::from_utf8_lossy(&output.stdout).contains("INTERP")
}

#[test]
fn a_static_program_traces() {
    for (name, option) in [("static", "-static"), ("static-pie", "-static-pie")] {
        let program = link(name, option, "order.c", true);
        assert!(is_static(&program), "{option}");
        let bench = Bench::new();
        bench.run(&program, &["mpbfe", "demo_*,file=t"]);
        let trace = bench.trace("t");
        assert_eq!(trace.lines[0], "demo_two 1 2", "{option}");
        assert_eq!(trace.lines.len(), 3, "{option}");
    }
}

/// The plugin contains the library and uses shared libraries. The program does neither.
#[test]
fn events_of_a_plugin_in_a_static_program_are_recorded_or_the_plugin_is_not_loaded() {
    let host = link("static-host", "-static", "host.c", false);
    let demo = program::generate("demo", "simple");
    let plugin = |name: &str, library: Option<PathBuf>| {
        let plugin = program::made().join(format!("ringtrace-capi-{name}.so"));
        let mut cc = program::cc("cc");
        cc.args(["-shared", "-fPIC", "-s", "-o"]).arg(&plugin).arg("-I").arg(&demo);
        cc.arg(program::here().join("tests/c/plugin.c")).arg(demo.join("trace-demo.c"));
        program::succeeds(cc.args(library));
        plugin
    };
    let alone = plugin("static-alone", Some(program::library()));
    let bench = Bench::new();
    let run = |plugin: &Path| {
        let mut command = bench.command(&host);
        command.arg("demo_*,file=t,policy=block").arg(plugin);
        command
    };
    // If the plugin lacks the library, or the program lacks space for it, `dlopen` reports why.
    for (plugin, reason) in [
        (plugin("static-guest", None), "undefined symbol: "),
        (alone.clone(), "cannot allocate memory in static TLS block"),
    ] {
        let output = run(&plugin).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(reason), "{errors}");
    }
    let output = run(&alone).env(MORE_SPACE.0, MORE_SPACE.1).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let lines = bench.trace("t").lines;
    assert_eq!(lines.len(), 2 * 5 * 2003);
    assert_eq!(lines[1], "demo_two 1 1");
}
