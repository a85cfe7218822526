//! Tests that the commands printed by `ringtrace demo` work.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::process::Command;

const TOOL: &str = env!("CARGO_BIN_EXE_ringtrace");

#[test]
fn a_shell_understands_the_commands_that_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("it's a \"demo\" of $HOME");
    let demo =
        Command::new(TOOL).args(["demo", "--megabytes", "1", "--dir"]).arg(&directory).output().unwrap();
    let printed = String::from_utf8(demo.stdout).unwrap();
    assert!(demo.status.success(), "{printed}");
    let commands: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix("$ ringtrace ")).collect();
    assert_eq!(commands.len(), 4, "{printed}");
    // The first command records the trace that the others read, so it runs again after them.
    for command in commands[1..].iter().chain(&commands[..1]) {
        let output = Command::new("sh").args(["-c", &format!("{TOOL} {command}")]).output().unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(
            printed.contains(&*String::from_utf8(output.stdout).unwrap()),
            "{command} prints the same again"
        );
    }
}
