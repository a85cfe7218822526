//! Programs built with ThreadSanitizer and LeakSanitizer, which must report data races and leaks of the
//! program, but nothing about the library. The library is compiled without them.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "tests")]

mod program;

use std::process::Command;

use program::Bench;

/// Whether programs with ThreadSanitizer can be built and run.
fn is_available(compiler: &str) -> bool {
    let program = program::made().join(format!("ringtrace-capi-watched-{compiler}"));
    let source = tempfile::NamedTempFile::with_suffix(".c").unwrap();
    std::fs::write(source.path(), "int main(void) { return 0; }").unwrap();
    let mut compile = Command::new(compiler);
    compile.args(["-fsanitize=thread", "-o"]).arg(&program).arg(source.path());
    let succeeds = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    succeeds(&mut compile) && succeeds(&mut Command::new(&program))
}

#[test]
fn the_sanitizer_reports_only_the_program_s_races() {
    let demo = program::generate("demo", "simple");
    for compiler in ["gcc", "clang"] {
        if !is_available(compiler) {
            eprintln!("SKIPPED: no ThreadSanitizer for {compiler}");
            continue;
        }
        let mut command = program::cc(compiler);
        command.arg("-fsanitize=thread").arg("-I").arg(&demo).arg(demo.join("trace-demo.c"));
        let program = program::link(&format!("threads-{compiler}"), &mut command, "threads.c", &[]);
        let bench = Bench::new();
        for policy in ["discard", "block", "overwrite"] {
            let options = format!("demo_*,file={policy},policy={policy}");
            let output = bench.run(&program, &["--trace", &options]);
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{compiler}, {policy}");
        }
        let count = bench.trace("block").lines.iter().filter(|line| line.starts_with("demo_two ")).count();
        assert_eq!(count, 3 * 4 * 20_000, "{compiler}");
        let output = bench.command(&program).args(["--trace", "demo_*,file=t", "race"]).output().unwrap();
        let report = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && report.contains("data race"), "{compiler}: {report}");
    }
}

/// Programs with AddressSanitizer fail at their end if anything was leaked.
#[test]
fn the_library_leaks_nothing() {
    let demo = program::generate("demo", "simple");
    let mut command = program::cc("gcc");
    command.arg("-fsanitize=address").arg("-I").arg(&demo).arg(demo.join("trace-demo.c"));
    let program = program::link("leaks", &mut command, "threads.c", &[]);
    let output = Bench::new().run(&program, &["--trace", "demo_*,file=t"]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
