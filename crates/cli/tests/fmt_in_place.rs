//! Tests `ringtrace fmt` on files: which files it writes, and which it leaves unchanged.

#![allow(clippy::unwrap_used, reason = "allowed in tests, but clippy also checks their helpers")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

const MESSY: &str = "disable  my_event( int x )\"x=%d\"\n";
const CLEAN: &str = "disable my_event(int x) \"x=%d\"\n";

fn fmt(folder: &Path, arguments: &[&str]) -> Option<i32> {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    tool.arg("fmt").args(arguments).current_dir(folder).output().unwrap().status.code()
}

#[test]
fn a_file_is_replaced_and_keeps_its_permissions() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace-events");
    fs::write(&file, MESSY).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(fmt(folder.path(), &["trace-events"]), Some(0));
    assert_eq!(fs::read_to_string(&file).unwrap(), CLEAN);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "temporary files remain");
}

#[test]
fn behind_a_link_the_file_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), MESSY).unwrap();
    symlink("file", folder.path().join("link")).unwrap();
    assert_eq!(fmt(folder.path(), &["link"]), Some(0));
    assert_eq!(fs::read_to_string(folder.path().join("file")).unwrap(), CLEAN);
    assert!(folder.path().join("link").is_symlink());
}

#[test]
fn a_clean_file_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace-events");
    fs::write(&file, CLEAN).unwrap();
    let before = fs::metadata(&file).unwrap().modified().unwrap();
    // The folder is read-only, so an attempt to write would fail.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o500)).unwrap();
    let exit = fmt(folder.path(), &["trace-events"]);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(exit, Some(0));
    assert_eq!(fs::metadata(&file).unwrap().modified().unwrap(), before);
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad"), "this   is prose\n").unwrap();
    fs::write(folder.path().join("messy"), MESSY).unwrap();
    assert_eq!(fmt(folder.path(), &["bad", "missing", "messy"]), Some(4));
    assert_eq!(fs::read_to_string(folder.path().join("bad")).unwrap(), "this   is prose\n");
    assert_eq!(fs::read_to_string(folder.path().join("messy")).unwrap(), CLEAN);
}

#[test]
fn check_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("messy"), MESSY).unwrap();
    assert_eq!(fmt(folder.path(), &["--check", "messy"]), Some(1));
    assert_eq!(fs::read_to_string(folder.path().join("messy")).unwrap(), MESSY);
}
