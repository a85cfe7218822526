//! Generated code for QEMU's translator compiles without warnings and passes values from
//! translation to execution.
//!
//! `testdata/tracetool/stubs/tcg` contains replacements for QEMU's headers and for the probes that
//! run at translation and at execution, and a program that translates. The file `values.out` in
//! that folder contains the program's output. `RINGTRACE_ACCEPT=1` updates it.

use std::process::Command;

use crate::sources::{Declared, accept_or_compare, folder, succeed};
use tempfile::TempDir;

const WARNINGS: [&str; 5] = ["-std=gnu11", "-Wall", "-Wextra", "-Wformat=2", "-Werror"];

#[test]
fn values_arrive() {
    let stubs = folder().join("stubs/tcg");
    let declared = Declared::read(&folder().join("tcg.events"));
    let build = TempDir::new().unwrap();
    std::fs::create_dir(build.path().join("trace")).unwrap();
    for (format, file) in [
        ("tcg-h", "trace-tcg.h"),
        ("tcg-helper-h", "trace/generated-helpers.h"),
        ("tcg-helper-wrapper-h", "trace/generated-helpers-wrappers.h"),
        ("tcg-helper-c", "helpers.c"),
    ] {
        std::fs::write(build.path().join(file), declared.generate(format, "tcg", &[])).unwrap();
    }
    let compile = |compiler: &str, arguments: &[&str]| {
        let mut command = Command::new(compiler);
        command.current_dir(build.path()).args(WARNINGS).args(arguments);
        command.arg("-I.").arg("-I").arg(&stubs).arg("helpers.c").arg(stubs.join("program.c"));
        succeed(&mut command);
    };
    compile("clang", &["-fsyntax-only"]);
    compile("gcc", &["-o", "program"]);
    let arrived = succeed(&mut Command::new(build.path().join("program")));
    accept_or_compare(&stubs.join("values.out"), &String::from_utf8(arrived).unwrap());
}
