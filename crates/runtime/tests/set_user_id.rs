//! Programs that may do more than who starts them do not go by their environment.

#![cfg(feature = "monitor")]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::process::Command;

/// The user without rights, on every system.
const NOBODY: u32 = 65534;

#[test]
fn variables_are_not_looked_at_by_set_user_id_programs() {
    let test = std::env::current_exe().unwrap();
    let traced = test.parent().unwrap().with_file_name("examples/traced");
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("traced");
    fs::copy(traced, &program).expect("`cargo build -p ringtrace --examples` makes it");
    if chown(&program, Some(NOBODY), None).is_err() {
        eprintln!("SKIPPED: only root can give a program to another user");
        return;
    }
    // The folder is the other user's, too: what is not made is not made because nobody wanted it.
    chown(folder.path(), Some(NOBODY), None).unwrap();
    let rings = folder.path().join("rings");
    fs::create_dir(&rings).unwrap();
    let run = |mode: u32| {
        fs::set_permissions(&program, Permissions::from_mode(mode)).unwrap();
        let mut command = Command::new(&program);
        command.current_dir(folder.path()).env("RINGTRACE_DIR", &rings);
        command.env("RINGTRACE", "net_rx,file=trace").env("RINGTRACE_MONITOR", "unix:monitor");
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert_eq!(run(0o4755), "records nothing:\n", "is {} mounted with `nosuid`?", folder.path().display());
    assert!(!folder.path().join("trace").exists());
    assert_eq!(run(0o755), "records to trace: net_rx\nserves monitor\n");
    assert_eq!(fs::metadata(folder.path().join("trace")).unwrap().uid(), 0);
}
