//! Tests `ringtrace stap`: SystemTap accepts the scripts, and finds their probes.
//!
//! The command's own output is in `testdata/probes/stap.console`.

#![allow(clippy::unwrap_used, reason = "allowed in tests, but clippy also checks their helpers")]

use std::path::{Path, PathBuf};
use std::process::Command;

use ringtrace_peers::program;
use ringtrace_peers::systemtap::ScriptFolder;
use tempfile::TempDir;

const RINGTRACE: &str = env!("CARGO_BIN_EXE_ringtrace");

/// Returns the script that the tool generates for `patterns` in the program at `binary`.
fn script(binary: &Path, patterns: &[&str]) -> String {
    let output = Command::new(RINGTRACE).arg("stap").arg(binary).args(patterns).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the output of stap for `script` after the pass `pass`.
fn stap(pass: &str, script: &str) -> Option<String> {
    ScriptFolder::new().stap(pass, &["-e", script])
}

/// The tool itself is a Rust program with probes. They belong to the program that `ringtrace demo`
/// records.
#[test]
fn probes_of_a_rust_program_are_found_with_all_their_values() {
    let script = script(Path::new(RINGTRACE), &["demo:*"]);
    let Some(listened) = stap("-p2", &script) else { return };
    let probes = listened.lines().filter(|line| line.starts_with("process(")).count();
    assert_eq!(probes, 8, "{listened}");
    // Each argument must be read from memory with its own size.
    for function in ["user_int64:long", "user_uint32:long", "user_int32:long", "user_string_n:string"] {
        assert!(listened.contains(function), "{function}: {listened}");
    }
}

#[test]
fn probes_of_every_kind_make_a_script() {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../testdata/probes"].iter().collect();
    for program in ["program.elf", "damaged.elf"] {
        let script = script(&folder.join(program), &["*"]);
        let Some(parsed) = stap("-p1", &script) else { return };
        assert_eq!(parsed.matches(".mark(").count(), script.matches(".mark(").count(), "{parsed}");
    }
}

/// `--run` replaces the tool with SystemTap. A fake `stap` gets the script, and its exit status
/// becomes the tool's.
#[test]
fn run_replaces_the_tool_with_systemtap() {
    let folder = TempDir::new().unwrap();
    let stand_in = folder.path().join("stap");
    program::create_script(&stand_in, "#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 7\n");
    let mut tool = Command::new(RINGTRACE);
    tool.args(["stap", "--run", RINGTRACE, "demo:block_end"]).env("PATH", folder.path());
    let output = tool.output().unwrap();
    let script = script(Path::new(RINGTRACE), &["demo:block_end"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("-e\n{script}\n"));
    assert_eq!(output.status.code(), Some(7));
}
