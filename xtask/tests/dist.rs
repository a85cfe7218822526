//! `cargo xtask dist`: the installed files are complete, and work in any folder.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::path::Path;
use std::process::Command;

/// All files except the manual pages of commands, which the tool's own tests check.
const INSTALLED: [&str; 28] = [
    "bin/kvmtrace_format",
    "bin/ringtrace",
    "bin/simpletrace",
    "bin/tracetool",
    "include/ringtrace/qemu/log-for-trace.h",
    "include/ringtrace/ringtrace.h",
    "include/ringtrace/trace/control.h",
    "lib/cmake/ringtrace/ringtrace-config-version.cmake",
    "lib/cmake/ringtrace/ringtrace-config.cmake",
    "lib/libringtrace.a",
    "lib/libringtrace.so",
    "lib/libringtrace.so.0",
    "lib/libringtrace.so.0.1.0",
    "lib/pkgconfig/ringtrace.pc",
    "share/bash-completion/completions/ringtrace",
    "share/doc/ringtrace/CHANGELOG.md",
    "share/doc/ringtrace/LICENSE-APACHE",
    "share/doc/ringtrace/LICENSE-MIT",
    "share/doc/ringtrace/README.md",
    "share/doc/ringtrace/docs/trace-events.md",
    "share/fish/vendor_completions.d/ringtrace.fish",
    "share/man/man1/ringtrace-print.1",
    "share/man/man1/ringtrace.1",
    "share/man/man1/simpletrace.1",
    "share/man/man1/tracetool.1",
    "share/ringtrace/python/simpletrace.py",
    "share/ringtrace/tracetool.py",
    "share/zsh/site-functions/_ringtrace",
];

#[test]
fn all_files_are_installed_and_work() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let dist = |folder: &Path| {
        let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
        let output = xtask.arg("dist").arg(folder).arg("--debug").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let listed = dist(folder.path());
    for file in INSTALLED {
        let path = folder.path().join(file);
        assert!(path.metadata().is_ok_and(|file| file.len() > 0), "{file} is missing");
        assert!(listed.contains(path.to_str().unwrap()), "{file} is not listed");
    }

    // The files still work after they are moved: none contains the path of its folder.
    let installed = tempfile::tempdir().unwrap();
    let moved = installed.path().join("usr");
    std::fs::rename(folder.path(), &moved).unwrap();
    for (name, arguments) in [("simpletrace", &[][..]), ("ringtrace", &["print", "--events"])] {
        let mut tool = Command::new(moved.join("bin").join(name));
        tool.args(arguments).args(["qemu-io.events", "qemu-io.bin"]).current_dir(root.join("testdata"));
        let output = tool.output().unwrap();
        assert!(output.status.success(), "{name}");
        assert_eq!(output.stdout, std::fs::read(root.join("testdata/qemu-io.txt")).unwrap(), "{name}");
    }
    // The Python module finds the program that was installed with it.
    let script = root.join("testdata/python/text.py");
    let mut python = Command::new("python3");
    python.arg("-B").arg(script).args(["qemu-io.events", "qemu-io.bin"]);
    python.current_dir(root.join("testdata")).env("PYTHONPATH", moved.join("share/ringtrace/python"));
    python.env_remove("RINGTRACE_TOOL");
    let output = python.output().expect("python3 is installed");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.stdout, std::fs::read(root.join("testdata/qemu-io.txt")).unwrap());
    let completions =
        std::fs::read_to_string(moved.join("share/bash-completion/completions/ringtrace")).unwrap();
    assert!(completions.contains("kvmtrace"), "completions contain the commands");
    // Installing a second time into the same folder succeeds.
    dist(&moved);
}
