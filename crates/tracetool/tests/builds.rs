//! Builds with `make`, `ninja` and `meson` that call `tracetool`, from `testdata/calls/builds`.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A file name with characters that are special in make, ninja and shells.
const STRANGE_NAME: &str = "net events $1#:2";

/// A folder with the build files and declarations.
struct Tree {
    folder: TempDir,
}

impl Tree {
    fn new() -> Tree {
        let tree = Tree { folder: tempfile::tempdir().unwrap() };
        let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        for entry in fs::read_dir(crate_folder.join("../../testdata/calls/builds")).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), tree.path(entry.file_name().to_str().unwrap())).unwrap();
        }
        fs::copy(crate_folder.join("tracetool.py"), tree.path("tracetool.py")).unwrap();
        fs::create_dir(tree.path("bin")).unwrap();
        symlink(env!("CARGO_BIN_EXE_tracetool"), tree.path("bin/tracetool")).unwrap();
        tree.declare("trace-events", "disk_read(int len) \"%d\"\n");
        tree.declare(STRANGE_NAME, "net_send(int len) \"%d\"\n");
        tree
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn declare(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Runs a build program. Returns the commands that it ran.
    fn build(&self, program: &str, arguments: &[&str]) -> Option<Vec<String>> {
        let _ = fs::remove_file(self.path("log"));
        self.run(program, arguments)?;
        let log = fs::read_to_string(self.path("log")).unwrap_or_default();
        let mut lines: Vec<String> = log.lines().map(str::to_owned).collect();
        lines.sort();
        Some(lines)
    }

    /// Runs a program and returns its output. If it is missing, prints a message and returns
    /// `None`.
    fn run(&self, program: &str, arguments: &[&str]) -> Option<String> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(self.path("bin")).chain(std::env::split_paths(&path));
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.folder.path());
        let output = command.env("PATH", std::env::join_paths(path).unwrap()).output();
        if output.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
            eprintln!("SKIPPED: {program} is not installed");
            return None;
        }
        let output = output.unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(output.status.success(), "{program}: {text}");
        Some(text)
    }
}

/// Builds everything, then builds again without changes, after a change to a comment, and after a
/// change to an event.
#[test]
fn ninja_rebuilds_only_what_changed() {
    let tree = Tree::new();
    let Some(first) = tree.build("ninja", &[]) else { return };
    assert_eq!(first.len(), 3 + 4, "{first:?}");
    assert_eq!(tree.build("ninja", &[]).unwrap(), [""; 0]);
    tree.declare("trace-events", "# more\ndisk_read(int len) \"%d\"\n");
    assert_eq!(tree.build("ninja", &[]).unwrap(), ["made all", "made root"], "no output has changed");
    assert_eq!(tree.build("ninja", &[]).unwrap(), [""; 0]);
    tree.declare(STRANGE_NAME, "net_send(size_t len) \"%zu\"\n");
    let again = ["made all", "made net", "used for net.used", "used for two.used"];
    assert_eq!(tree.build("ninja", &[]).unwrap(), again);
    assert_eq!(tree.build("ninja", &[]).unwrap(), [""; 0]);
}

#[test]
fn make_rebuilds_only_what_changed() {
    let tree = Tree::new();
    let Some(first) = tree.build("make", &[]) else { return };
    assert_eq!(first, ["made all", "used for one.used", "used for two.used"]);
    assert_eq!(tree.build("make", &[]).unwrap(), [""; 0]);
    tree.declare(STRANGE_NAME, "net_send(size_t len) \"%zu\"\n");
    assert_eq!(tree.build("make", &[]).unwrap(), ["made all", "used for two.used"]);
    assert_eq!(tree.build("make", &[]).unwrap(), [""; 0]);
    fs::remove_file(tree.path("trace-events")).unwrap();
    fs::write(tree.path("calls"), format!("--group=two '{STRANGE_NAME}' two.d\n")).unwrap();
    assert_eq!(tree.build("make", &[]).unwrap(), ["made all"], "the build succeeds without the deleted file");
}

#[test]
fn meson_builds_with_it_and_with_the_stub() {
    let tree = Tree::new();
    if tree.run("meson", &["setup", "build"]).is_none() {
        return;
    }
    tree.run("ninja", &["-C", "build", "trace-root.d", "all"]);
    for (file, event) in [
        ("one.d", "disk_read"),
        ("two.d", "net_send"),
        ("trace-root.d", "disk_read"),
        ("trace-qemu.d", "disk_read"),
    ] {
        let text = fs::read_to_string(tree.path("build").join(file)).unwrap();
        assert!(text.contains(&format!("probe {event}(int len);")), "{file}: {text}");
    }
    assert!(tree.run("ninja", &["-C", "build"]).unwrap().contains("no work to do"));
    tree.declare(STRANGE_NAME, "# another\n");
    assert!(tree.run("ninja", &["-C", "build", "-n"]).unwrap().contains("one.d"), "the dependency is known");
}

/// The script `tracetool.py` forwards the arguments, the output and the exit status. An environment
/// variable selects the program.
#[test]
fn the_stub_is_the_program() {
    let tree = Tree::new();
    let arguments = ["tracetool.py", "--backend=dtrace", "--format=d", "--group=root", "trace-events", "-"];
    let Some(output) = tree.run("python3", &arguments) else { return };
    assert!(output.contains("probe disk_read(int len);"), "{output}");
    let mut named = Command::new("python3");
    named.env("TRACETOOL", env!("CARGO_BIN_EXE_tracetool")).current_dir(tree.folder.path());
    let output = named.args(["tracetool.py", "--backend=dtrace", "--x"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("Error: option --x not recognized\n"), "{stderr}");
}

/// If the program is missing, a build stops with advice, not with a Python traceback.
#[test]
fn the_stub_reports_that_the_program_is_missing() {
    let tree = Tree::new();
    let mut python = Command::new("python3");
    python.env("TRACETOOL", "/nowhere/tracetool").current_dir(tree.folder.path());
    let Ok(output) = python.args(["tracetool.py", "--help"]).output() else {
        eprintln!("SKIPPED: python3 is not installed");
        return;
    };
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    let expected = "tracetool.py: cannot run /nowhere/tracetool: No such file or directory\n  help: ";
    assert!(stderr.starts_with(expected), "{stderr}");
}
