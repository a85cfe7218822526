//! Each header compiles alone, with both compilers, in C and C++, without warnings even with strict
//! options. So does generated code, in each version of the languages. Code that was compiled with
//! QEMU's header instead of ours does not link.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "tests")]

mod program;

use std::io::Write;
use std::path::PathBuf;
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

/// The versions of the languages, with the names that older compilers use.
const C: [&[&str]; 4] = [&["c99"], &["c11"], &["c17", "c18"], &["c23", "c2x"]];
const CPLUSPLUS: [&[&str]; 6] =
    [&["c++98"], &["c++11"], &["c++14"], &["c++17"], &["c++20", "c++2a"], &["c++23", "c++2b"]];

/// Compilers, their language, and its versions.
const COMPILERS: [(&str, &str, &[&[&str]]); 4] = [
    ("gcc", "-xc", &C),
    ("clang", "-xc", &C),
    ("g++", "-xc++", &CPLUSPLUS),
    ("clang++", "-xc++", &CPLUSPLUS),
];

/// Returns the option for the first of `names` that the compiler supports, or prints that the
/// version is not tested.
fn standard(compiler: &str, language: &str, names: &[&str]) -> Option<String> {
    let knows = |option: &String| {
        let mut command = Command::new(compiler);
        command.args([language, option, "-fsyntax-only", "/dev/null"]).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let option = names.iter().map(|name| format!("-std={name}")).find(knows);
    if option.is_none() {
        eprintln!("SKIPPED: no {compiler} that supports {}", names[0]);
    }
    option
}

/// Generates code for sets of backends, and returns its folders. LTTng is omitted, because its
/// headers cause warnings.
fn generated() -> Vec<PathBuf> {
    let mut sets = vec!["simple+log+syslog+ftrace", "dtrace", "nop", "simple", "log", "syslog", "ftrace"];
    let folder = program::generate("strict", "dtrace");
    let mut dtrace = Command::new("dtrace");
    dtrace.args(["-h", "-s", "trace-strict.d", "-o", "trace-dtrace-strict.h"]).current_dir(&folder);
    if dtrace.output().is_ok() {
        program::succeeds(&mut dtrace);
    } else {
        eprintln!("SKIPPED: dtrace is not installed");
        sets.retain(|backends| *backends != "dtrace");
    }
    sets.iter().map(|backends| program::generate("strict", backends)).collect()
}

/// Compiles the generated header with the program's other headers, and the generated source. The
/// source is compiled in each version of C, and in C++20 and later. The first version is tested
/// with all sets of backends, the others only with sets that contain all code.
#[test]
fn generated_code_compiles_in_each_version_of_c_and_cplusplus() {
    let others: String = headers().iter().map(|header| format!("#include \"{header}\"\n")).collect();
    let folders = generated();
    for (compiler, language, versions) in COMPILERS {
        for (at, names) in versions.iter().enumerate() {
            let Some(version) = standard(compiler, language, names) else { continue };
            let has_source = language == "-xc" || matches!(names[0], "c++20" | "c++23");
            for folder in folders.iter().take(if at == 0 { usize::MAX } else { 2 }) {
                let source = if has_source { "#include \"trace-strict.c\"\n" } else { "" };
                let text = format!("#include \"trace-strict.h\"\n{others}{source}");
                // The macros of <sys/sdt.h> use extensions of C.
                let is_strict = !folder.ends_with("ringtrace-capi-strict-dtrace");
                let pedantic = if is_strict { "-Wpedantic" } else { "-Wno-pedantic" };
                // C++98 has no `%zu`, which declarations may contain.
                let format = if names[0] == "c++98" { "-Wno-format" } else { "-Wformat=2" };
                let folder = format!("-I{}", folder.display());
                check(compiler, &[language, &version, pedantic, format, &folder], &text);
            }
        }
    }
}

/// The probes of a C++ program link with the generated source, which is compiled as C and, with
/// C++20 and later, also as C++.
#[test]
fn a_program_in_cplusplus_traces() {
    for (name, compiler, version) in [
        ("plus-gcc", "g++", "-std=gnu++17"),
        ("plus-gcc-98", "g++", "-std=c++98"),
        ("plus-clang", "clang++", "-std=gnu++17"),
        ("plus-clang-20", "clang++", "-std=c++20"),
    ] {
        let program = if version == "-std=c++20" {
            let demo = program::generate("demo", "simple");
            let mut command = program::cc(compiler);
            command.arg("-I").arg(&demo).args([version, "-xc++"]).arg(demo.join("trace-demo.c"));
            program::link(name, command.arg("-xnone"), "plus.cc", &[])
        } else {
            program::compile(name, compiler, "plus.cc", &[version])
        };
        let bench = Bench::new();
        bench.run(&program, &[]);
        assert_eq!(
            bench.trace("t").lines,
            ["demo_two 1 2", "demo_named 3 \"plus\"", "demo_two 5 6"],
            "{compiler}"
        );
    }
}

/// In QEMU's own `trace/simple.h`, a `TraceBufferRecord` has 8 bytes. The library's functions write
/// more, so a program compiled with that header must not link.
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
