//! Tests the Python module `python/simpletrace.py` with the scripts in `testdata/python` and their
//! output. If `RINGTRACE_QEMU_SCRIPTS` is the folder of QEMU's own module, runs it with the same
//! scripts.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod console;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use console::{Shell, root};

fn testdata(name: &str) -> PathBuf {
    root().join("testdata").join(name)
}

/// Returns a command that runs a Python script with the module in the folder `module`.
fn python(module: &Path, script: &str, files: &[&Path]) -> Command {
    let mut python = Command::new("python3");
    python.args(["-B", "-W", "ignore"]).arg(testdata("python").join(script)).args(files);
    python.env("PYTHONPATH", module).env("RINGTRACE_TOOL", env!("CARGO_BIN_EXE_ringtrace"));
    python
}

fn ours(script: &str, files: &[&Path]) -> Output {
    python(&root().join("python"), script, files).output().expect("python3 is installed")
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn console_sessions() {
    let folder = testdata("python");
    Shell::new(&folder).hold_all(&folder);
}

/// The output must equal the output of QEMU's own script.
#[test]
fn a_script_prints_the_text_of_qemus_own() {
    for name in ["qemu-io", "boot-small"] {
        let file = |ending: &str| testdata(&format!("{name}.{ending}"));
        let output = ours("text.py", &[&file("events"), &file("bin")]);
        assert_eq!(lossy(&output.stderr), "");
        assert!(output.status.success());
        assert!(output.stdout == std::fs::read(file("txt")).unwrap(), "{name}");
    }
}

/// Recordings with dropped records, strings that are not UTF-8, and times that decrease.
#[test]
fn the_text_of_the_corpus() {
    let Some(folder) = ringtrace_corpus::find_or_skip("qemu") else { return };
    for name in ["dropped-first", "oddnames", "toggled"] {
        let events = folder.join("trace-events-all");
        let output = ours("text.py", &[&events, &folder.join(format!("{name}.bin"))]);
        assert!(output.status.success(), "{}", lossy(&output.stderr));
        let expected = std::fs::read(folder.join(format!("{name}.txt"))).unwrap();
        assert!(output.stdout == expected, "{name}");
    }
}

/// Compares all kinds of values in the stream of objects with the JSON lines of another exporter.
#[test]
fn the_stream_has_every_record() {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    tool.args(["export", "--to", "pickle", "--output", "-"]).arg(testdata("export/everything.trace"));
    let mut tool = tool.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut python = Command::new("python3");
    python.arg(testdata("python/objects.py")).arg(testdata("export/everything.jsonl"));
    let output = python.stdin(tool.stdout.take().unwrap()).output().expect("python3 is installed");
    assert!(tool.wait().unwrap().success());
    assert_eq!(lossy(&output.stderr), "");
    assert_eq!(lossy(&output.stdout), "everything is equal\n");
}

#[test]
fn the_module_of_qemu_gives_scripts_the_same() {
    let Some(theirs) = std::env::var_os("RINGTRACE_QEMU_SCRIPTS") else {
        return eprintln!("SKIPPED: no scripts of QEMU (RINGTRACE_QEMU_SCRIPTS)");
    };
    for script in ["arguments.py", "positional.py", "text.py", "records.py", "handlers.py", "keywords.py"] {
        for name in ["qemu-io", "boot-small"] {
            let files = ["events", "bin"].map(|ending| testdata(&format!("{name}.{ending}")));
            let files = files.each_ref().map(PathBuf::as_path);
            let [ours, theirs] = [root().join("python"), PathBuf::from(&theirs)]
                .map(|module| python(&module, script, &files).output().unwrap());
            assert!(ours.stdout == theirs.stdout, "{script} {name}: {}", lossy(&theirs.stderr));
            assert_eq!(ours.status, theirs.status, "{script} {name}");
        }
    }
}

/// Version 3.8 is the oldest that the module supports.
#[test]
fn the_module_compiles_for_its_oldest_python() {
    let check = "import ast, sys; ast.parse(open(sys.argv[1]).read(), feature_version=(3, 8))";
    for file in ["python/simpletrace.py", "benches/simpletrace.py"] {
        let output = Command::new("python3").args(["-c", check]).arg(root().join(file)).output();
        let output = output.expect("python3 is installed");
        assert!(output.status.success(), "{file}: {}", lossy(&output.stderr));
    }
}
