//! Each header compiles alone, with both compilers, in C and C++, without warnings even with strict
//! options. Code that was compiled with QEMU's header instead of ours does not link.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod program;

use std::io::Write;
use std::process::{Command, Stdio};

use program::Bench;

const STRICT: [&str; 5] = ["-Wall", "-Wextra", "-Wformat=2", "-Werror", "-Wpedantic"];

/// All headers, by their names in #include.
fn headers() -> Vec<String> {
    let include = program::here().join("include");
    let mut headers = Vec::new();
    let mut folders = vec![include.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                headers.push(path.strip_prefix(&include).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    headers.sort();
    headers
}

/// Compiles the source code `text`.
fn check(compiler: &str, arguments: &[&str], text: &str) {
    let mut command = Command::new(compiler);
    command.args(STRICT).args(arguments).arg("-I").arg(program::here().join("include"));
    command.args(["-fsyntax-only", "-O1", "-"]).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{compiler}: {error}"));
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "{compiler} {arguments:?}: {text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn each_header_compiles_alone() {
    for header in headers() {
        // The header is included twice to test its guard.
        let text = format!("#include \"{header}\"\n#include \"{header}\"\nextern int something;\n");
        for (compiler, languages) in [
            ("gcc", [["-xc", "-std=gnu11"], ["-xc", "-std=c11"], ["-xc++", "-std=c++17"]]),
            ("clang", [["-xc", "-std=gnu11"], ["-xc", "-std=c11"], ["-xc++", "-std=c++17"]]),
        ] {
            for language in languages {
                check(compiler, &language, &text);
            }
        }
    }
}

#[test]
fn a_program_in_cplusplus_traces() {
    for (name, compiler) in [("plus-gcc", "g++"), ("plus-clang", "clang++")] {
        let program = program::compile(name, compiler, "plus.cc", &["-std=gnu++17"]);
        let bench = Bench::new();
        bench.run(&program, &[]);
        assert_eq!(
            bench.trace("t").lines,
            ["demo_two 1 2", "demo_named 3 \"plus\"", "demo_two 5 6"],
            "{compiler}"
        );
    }
}

/// In QEMU's own `trace/simple.h` a record has 8 bytes. The library's functions write more, so such
/// a program must not link.
#[test]
fn a_program_with_qemu_s_record_does_not_link() {
    let output = program::cc("cc")
        .arg("-o")
        .arg(program::made().join("ringtrace-capi-qemu-record"))
        .arg(program::here().join("tests/c/qemu_record.c"))
        .arg(program::library())
        .args(program::LIBRARIES)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "it was linked: {errors}");
    for name in ["start", "write_u64", "write_str", "finish"] {
        assert!(errors.contains(&format!("undefined reference to `trace_record_{name}'")), "{errors}");
    }
}
