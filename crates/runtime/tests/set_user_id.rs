//! Programs with more privileges than their caller ignore their environment.

#![cfg(feature = "monitor")]
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::fs::{XattrFlags, setxattr};

/// The unprivileged user `nobody`, which has this id on every system.
const NOBODY: u32 = 65534;

/// Copies the program `traced` to another user's folder, with a folder for its rings. Prints a
/// message and returns `None` if that is impossible.
fn traced(rings_of: u32) -> Option<(tempfile::TempDir, PathBuf)> {
    let test = std::env::current_exe().unwrap();
    let traced = test.parent().unwrap().with_file_name("examples/traced");
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("traced");
    fs::copy(traced, &program).expect("built by `cargo build -p ringtrace --examples`");
    if chown(&program, Some(NOBODY), None).is_err() {
        eprintln!("SKIPPED: only root can give a program to another user");
        return None;
    }
    // Give the folder to that user, too, so that the program could create all of its files.
    chown(folder.path(), Some(NOBODY), None).unwrap();
    fs::create_dir(folder.path().join("rings")).unwrap();
    chown(folder.path().join("rings"), Some(rings_of), None).unwrap();
    Some((folder, program))
}

/// Creates a command that runs the program with all of ringtrace's environment variables.
fn environed(program: &Path) -> Command {
    let folder = program.parent().unwrap();
    let mut command = Command::new(program);
    command.current_dir(folder).env("RINGTRACE_DIR", folder.join("rings"));
    command.env("RINGTRACE", "net_rx,file=trace").env("RINGTRACE_MONITOR", "unix:monitor");
    command
}

fn said(command: &mut Command) -> String {
    let said = loop {
        match command.output() {
            // A child of another test keeps the copy open for writing until it calls `exec`.
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => std::thread::yield_now(),
            said => break said.unwrap(),
        }
    };
    String::from_utf8(said.stdout).unwrap()
}

const NOTHING: &str = "records nothing:\n";
const ALL: &str = "records to trace: net_rx\nserves monitor\n";

#[test]
fn set_user_id_programs_ignore_variables() {
    let Some((folder, program)) = traced(0) else { return };
    fs::set_permissions(&program, Permissions::from_mode(0o4755)).unwrap();
    let path = folder.path().display();
    assert_eq!(said(&mut environed(&program)), NOTHING, "is {path} mounted with `nosuid`?");
    assert!(!folder.path().join("trace").exists());
    fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
    assert_eq!(said(&mut environed(&program)), ALL);
    assert_eq!(fs::metadata(folder.path().join("trace")).unwrap().uid(), 0);
}

/// The file attribute for the capability CAP_DAC_OVERRIDE: version 2 with the flag "effective",
/// then the permitted and inheritable capabilities in two words each.
const MAY_WRITE_ANYWHERE: [u32; 5] = [0x0200_0001, 1 << 1, 0, 0, 0];

#[test]
fn programs_with_capabilities_ignore_variables() {
    let Some((folder, program)) = traced(NOBODY) else { return };
    assert_eq!(said(environed(&program).uid(NOBODY)), ALL);
    fs::remove_file(folder.path().join("trace")).unwrap();
    let attribute = MAY_WRITE_ANYWHERE.map(u32::to_le_bytes).concat();
    if setxattr(&program, "security.capability", &attribute, XattrFlags::empty()).is_err() {
        eprintln!("SKIPPED: this file system does not support capabilities");
        return;
    }
    assert_eq!(said(environed(&program).uid(NOBODY)), NOTHING);
    assert!(!folder.path().join("trace").exists());
}
