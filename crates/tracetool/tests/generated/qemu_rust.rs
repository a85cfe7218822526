//! Generated Rust for QEMU's crates compiles without warnings and passes values correctly.
//!
//! `testdata/tracetool/stubs/rs` replaces QEMU's crates and C functions. The file `values.out` in
//! that folder contains the output of `program.rs`. `RINGTRACE_ACCEPT=1` updates it.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

use crate::sources::{Declared, accept_or_compare, backends, folder, subsets, succeed};
use tempfile::TempDir;

const EDITIONS: [&str; 2] = ["2021", "2024"];

/// A folder with the crates `util` and `trace`.
struct Build {
    folder: TempDir,
}

impl Build {
    /// Creates the crates, with or without a binding for `ftrace_write`.
    fn new(bound_ftrace: bool) -> Build {
        let build = Build { folder: TempDir::new().unwrap() };
        for name in ["util", "trace"] {
            let mut rustc = build.rustc("2021");
            rustc.arg(stub(&format!("{name}.rs"))).args(["--crate-type=rlib", "--crate-name", name]);
            rustc.args(["--check-cfg", "cfg(bound_ftrace)", "--emit=metadata,link"]);
            if bound_ftrace {
                rustc.args(["--cfg", "bound_ftrace"]);
            }
            succeed(&mut rustc);
        }
        build
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A compiler command with both crates.
    fn rustc(&self, edition: &str) -> Command {
        let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
        rustc.current_dir(self.folder.path());
        rustc.args([
            "--edition",
            edition,
            "-D",
            "warnings",
            "-L",
            ".",
            "--extern",
            "util",
            "--extern",
            "trace",
        ]);
        rustc
    }

    /// Checks a library with a module for each of `modules`.
    fn check(&self, modules: &[String]) {
        let mut library = String::new();
        for (index, text) in modules.iter().enumerate() {
            let file = format!("module_{index}.rs");
            std::fs::write(self.path(&file), text).unwrap();
            writeln!(library, "pub mod module_{index} {{ include!(\"{file}\"); }}").unwrap();
        }
        std::fs::write(self.path("library.rs"), library).unwrap();
        for edition in EDITIONS {
            succeed(self.rustc(edition).args(["library.rs", "--crate-type=rlib", "--emit=metadata"]));
        }
    }
}

fn stub(name: &str) -> PathBuf {
    folder().join("stubs/rs").join(name)
}

/// All declarations to test, except those that Rust does not support.
fn shown() -> Vec<Declared> {
    let mut paths: Vec<PathBuf> = ["counts", "disabled", "formats", "legacy", "nothing", "types"]
        .iter()
        .map(|name| folder().join(name).with_extension("events"))
        .collect();
    paths.push(folder().join("values.events"));
    let names = Declared::read(&folder().join("names.events")).without(&["twice", "Self", "group"]);
    paths.iter().map(|path| Declared::read(path)).chain([names]).collect()
}

#[test]
fn every_set_of_backends_compiles() {
    let declared = shown();
    let modules: Vec<String> = subsets()
        .map(|set| {
            let groups = declared.iter().enumerate().map(|(index, declared)| {
                let text = declared.generate("rs", "shown", &set);
                format!("pub mod group_{index} {{\n{text}}}\n")
            });
            groups.collect()
        })
        .collect();
    assert_eq!(modules.len(), 65);
    Build::new(false).check(&modules);
    // The binding changes all modules in the same way, so two modules are enough.
    Build::new(true).check(&modules[modules.len() - 2..]);
}

#[test]
fn all_events_of_qemu_compile() {
    let Some(path) = ringtrace_corpus::find_or_skip("qemu/trace-events-all") else { return };
    let declared = Declared::read(&path);
    assert!(declared.len() > 6000);
    let text = declared.generate("rs", "all", &backends(&["ftrace", "log", "simple", "syslog"]));
    Build::new(true).check(&[text]);
}

#[test]
fn values_arrive() {
    let declared = Declared::read(&folder().join("values.events"));
    let accepted = stub("values.out");
    // `ftrace_write` is called with and without a binding.
    for (bound_ftrace, edition) in [(false, "2021"), (true, "2024")] {
        let build = Build::new(bound_ftrace);
        for (name, set) in [
            ("none", &["nop", "dtrace", "ust"][..]),
            ("simple", &["simple"]),
            ("all", &["simple", "ust", "log", "ftrace", "dtrace", "syslog"]),
        ] {
            let text = declared.generate("rs", "values", &backends(set));
            std::fs::write(build.path(name).with_extension("rs"), text).unwrap();
        }
        succeed(
            Command::new("gcc")
                .args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fno-builtin", "-c", "-o"])
                .args([build.path("sinks.o"), stub("sinks.c")]),
        );
        let mut rustc = build.rustc(edition);
        rustc.arg(stub("program.rs")).args(["-C", "link-arg=sinks.o", "-o", "program"]);
        succeed(rustc.env("GENERATED", build.folder.path()));
        let arrived = readable(&succeed(&mut Command::new(build.path("program"))));
        accept_or_compare(&accepted, &arrived);
    }
}

/// Escapes all characters except line feeds and printable ASCII, and abbreviates the long string.
fn readable(output: &[u8]) -> String {
    let lines = output.split(|byte| *byte == b'\n').map(|line| line.escape_ascii().to_string());
    let text = lines.collect::<Vec<String>>().join("\n");
    text.replace("\\'", "'").replace("\\\"", "\"").replace(&"x".repeat(600), "(x 600 times)")
}
