//! A C program and a Rust program with the same declarations have the same output: in traces, in
//! the log, in the kernel's trace, and in a log daemon.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests"
)]

mod external;
mod program;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use external::{Daemon, Marked};
use program::Bench;

const BACKENDS: &str = "log+simple+ftrace+syslog";

/// The C program with all backends compiled in.
fn in_c() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| program::compile_group("words", "words", BACKENDS, "words.c"))
}

/// The C program with only the binary trace compiled in. The library implements the other backends.
fn in_c_with_simple() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| program::compile_group("words-in-simple", "words", "simple", "words.c"))
}

/// The Rust program, which cargo builds with the tests.
fn in_rust() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().with_file_name("examples").join("twin")
}

fn lines(bytes: &[u8]) -> Vec<String> {
    bytes.split_inclusive(|&byte| byte == b'\n').map(|line| line.escape_ascii().to_string()).collect()
}

/// Runs a program and returns its standard error.
fn output_of(bench: &Bench, program: &Path, arguments: &[&str]) -> Vec<String> {
    lines(&bench.run(program, arguments).stderr)
}

#[test]
fn traces_are_the_same() {
    let bench = Bench::new();
    let print = |program: &Path, name: &str| {
        bench.run(program, &["--trace", &format!("words_*,backend=simple,file={name}")]);
        let trace = bench.trace(name);
        assert_eq!(trace.totals.iter().map(|total| total.recorded).sum::<u64>(), 17);
        lines(&program::print(&bench.path(name)))
    };
    let c = print(in_c(), "c");
    assert_eq!(c.len(), 17);
    assert_eq!(c, print(&in_rust(), "rust"));
    assert_eq!(c, print(in_c_with_simple(), "simple"));
    // Printing the trace gives the same lines.
    assert_eq!(c, output_of(&bench, in_c(), &["--trace", "words_*,backend=log"]));
}

#[test]
fn logs_are_the_same() {
    let bench = Bench::new();
    let option = ["--trace", "words_*,backend=log"];
    let c = output_of(&bench, in_c(), &option);
    assert_eq!(c[3], "words_said what=\\'plain\\'\\n");
    assert_eq!(c[14], "words_state IDLE -> [BRO    ] 5\\n");
    assert_eq!(c[15], "words_measured 0.100 [0.25    ] [-1.0000e+300] %\\n");
    assert_eq!(c[16], "words_measured -inf [-0      ] [+4.9407e-324] %\\n");
    assert_eq!(c.len(), 17);
    assert_eq!(c, output_of(&bench, &in_rust(), &option));
    let more = [&option[..], &["more"]].concat();
    let c_more = output_of(&bench, in_c(), &more);
    assert_eq!(c_more.len(), 19);
    assert_eq!(c_more, output_of(&bench, &in_rust(), &more));
    assert_eq!(c, output_of(&bench, in_c_with_simple(), &option));

    for program in [in_c(), &in_rust()] {
        bench.run(program, &["--trace", "words_*,backend=log,file=log-%d.txt"]);
    }
    let mut files = 0;
    for entry in std::fs::read_dir(bench.path("")).unwrap().map(Result::unwrap) {
        if entry.file_name().to_string_lossy().starts_with("log-") {
            files += 1;
            assert_eq!(lines(&std::fs::read(entry.path()).unwrap()), c);
        }
    }
    assert_eq!(files, 2);
}

#[test]
fn logline_selects_the_prefix() {
    let bench = Bench::new();
    let line = |program: &Path, begin: &str| {
        let option = format!("words_quiet,backend=log,logline={begin}");
        let [line] = &output_of(&bench, program, &["--trace", &option])[..] else {
            panic!("expected one line")
        };
        // Replace all digits, because the times differ.
        line.replace(|c: char| c.is_ascii_digit(), "0")
            .replace("00", "0")
            .replace("00", "0")
            .replace("00", "0")
    };
    for begin in ["time", "thread"] {
        assert_eq!(line(in_c(), begin), line(&in_rust(), begin));
        assert!(line(in_c(), begin).len() > "words_quiet \\n".len());
    }
}

/// As in QEMU, compiled-in backends are the default.
#[test]
fn compiled_in_backends_are_the_default() {
    let bench = Bench::new();
    let program = program::compile_group("words-in-log", "words", "log", "words.c");
    assert_eq!(output_of(&bench, &program, &["--trace", "words_quiet"]), ["words_quiet \\n"]);
    assert_eq!(output_of(&bench, &program, &["--trace", "words_quiet,file=log"]), [""; 0]);
    assert_eq!(std::fs::read_to_string(bench.path("log")).unwrap(), "words_quiet \n");
    let output = bench.command(&program).args(["--trace", "words_quiet,file=/none/log"]).output().unwrap();
    assert!(!output.status.success());
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "backend log: `/none/log`: No such file or directory\n"
    );
    // The program can query the level even while all events are disabled.
    let level = |option| bench.run(&program, &["--trace", option, "level"]).stdout;
    assert_eq!([level(""), level("words_quiet"), level("backend=none")], [b"1", b"1", b"0"]);
    // A compiled-in backend that is not selected prints nothing. The library gets the values only
    // if `simple` alone is compiled in.
    let output = bench.run(&program, &["--trace", "words_quiet,backend=simple,file=t"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("warning: the trace will contain no C event"), "{said}");
    assert!(output.stdout.is_empty());
    assert_eq!(bench.trace("t").lines, [""; 0]);
}

/// Lines contain strings in full, and `(null)` for NULL. Records contain at most 512 bytes of a
/// string.
#[test]
fn records_truncate_strings() {
    let bench = Bench::new();
    let c = output_of(&bench, in_c(), &["--trace", "words_said,backend=log", "more"]);
    let [null, long] = &c[c.len() - 2..] else { panic!("expected two lines") };
    assert_eq!(null, "words_said what=\\'(null)\\'\\n");
    assert_eq!(*long, format!("words_said what=\\'{}\\'\\n", "y".repeat(600)));
    bench.run(in_c(), &["--trace", "words_said,backend=simple,file=t", "more"]);
    let trace = bench.trace("t");
    let [null, long] = &trace.lines[trace.lines.len() - 2..] else { panic!("expected two events") };
    assert_eq!(null, "words_said \"\"");
    assert_eq!(*long, format!("words_said \"{}\"", "y".repeat(512)));
}

#[test]
fn the_kernel_s_trace_has_the_same() {
    let Some(marked) = Marked::begin() else { return };
    let bench = Bench::new();
    let option = ["--trace", "words_*,backend=ftrace", "more"];
    let c = marked.of(bench.command(in_c()).args(option));
    assert_eq!(c.len(), 19);
    // Lines have at most 511 bytes.
    let longest = c.iter().map(String::len).max();
    assert_eq!(longest, Some(511));
    assert_eq!(c, marked.of(bench.command(&in_rust()).args(option)));
    // With the simple backend, the library takes the values from the records, where NULL is an
    // empty string and long strings are truncated. So the last two lines are not compared.
    assert_eq!(c[..17], marked.of(bench.command(in_c_with_simple()).args(option))[..17]);
}

#[test]
fn the_log_daemon_gets_the_same() {
    let bench = Bench::new();
    let Some(daemon) = Daemon::start(&bench.path("")) else { return };
    let program = program::compile_group("words-in-syslog", "words", "syslog", "words.c");
    let of = |program: &Path, backend: &str, count: usize, more: &[&str]| {
        let mut command: Command = daemon.command(program);
        command
            .env("RINGTRACE_DIR", bench.path("rings"))
            .args(["--trace", &format!("words_*{backend}")])
            .args(more);
        program::succeeds(&mut command);
        let name = program.file_name().unwrap().to_str().unwrap();
        daemon.messages(name, count)
    };
    // syslog() passes control characters unchanged, and the daemon escapes them as numbers.
    let is_plain = |line: &&String| !line.contains("lines");
    let c = of(&program, "", 19, &["more"]);
    let rust = of(&in_rust(), ",backend=syslog", 19, &["more"]);
    assert_eq!(
        c.iter().filter(is_plain).collect::<Vec<_>>(),
        rust.iter().filter(is_plain).collect::<Vec<_>>()
    );
    assert_eq!(rust[..17], of(in_c_with_simple(), ",backend=syslog", 17, &[]));
    assert_eq!(c[3], "daemon.info words_said what='plain'");
    assert_eq!(c[5], "daemon.info words_said what='two#012lines#011and #033[31mred\u{7f}'");
    assert_eq!(c[17], "daemon.info words_said what='(null)'");
    assert_eq!(c[18], format!("daemon.info words_said what='{}'", "y".repeat(600)));
}
