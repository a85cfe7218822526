//! Datasets whose files are merged, and traces that are replaced in them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ringtrace_peers::python;

use super::fleet::{FLEET, Recording};
use super::{contents, ingest, succeed};

/// Random ingests, compactions and kills, and readers at the same time: see `compaction.py`.
#[test]
fn a_compacted_dataset_has_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let program = PathBuf::from(env!("CARGO_BIN_EXE_ringtrace"));
    let mut arguments = vec![program, folder.path().to_owned()];
    arguments.extend(FLEET.iter().map(Recording::path));
    let Some(ran) = python::run("duckdb", include_str!("compaction.py"), &arguments) else { return };
    let out = ran.succeeded();
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("before: 35 files, "), "{out}");
    assert_eq!(lines[1..], ["readers: right True, wrong 0", "killed: True"], "{out}");
}

#[test]
fn only_datasets_are_compacted() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    let output = command.arg("compact-dataset").arg(folder.path()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("is not a dataset: it contains no _dataset.json"), "{said}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// SIGINT and SIGTERM leave no staging folder.
#[test]
fn an_interrupted_ingest_deletes_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("fleet");
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let times = (0..200_000).map(|number| 1_100_000_000_000 + number * 1000);
    let trace = FLEET[0].bytes_with(times);
    for signal in ["INT", "TERM"] {
        let mut process = ingest(&dataset, &[&pipe]).stdout(Stdio::null()).spawn().unwrap();
        // The ingest does not end as long as the pipe has a writer.
        let mut writer = fs::File::options().write(true).open(&pipe).unwrap();
        writer.write_all(&trace).unwrap();
        let staging = dataset.join("_staging");
        let start = Instant::now();
        let folders = || fs::read_dir(&staging).map_or(0, |entries| entries.count().saturating_sub(1));
        while folders() == 0 {
            assert!(start.elapsed() < Duration::from_secs(20), "no staging folder");
            sleep(Duration::from_millis(5));
        }
        let id = process.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        assert_eq!(process.wait().unwrap().code(), None, "a signal ended the process");
        assert_eq!(folders(), 0, "SIG{signal}");
    }
}

/// A pair whose events only some traces have is matched there. A wrong name is an error before anything
/// is written.
#[test]
fn a_pair_is_known_to_at_least_one_trace() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("fleet");
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let other = testdata.join("export/everything.trace");
    let words = ["--pair".as_ref(), Path::new("disk_read:disk_done:req"), &other, &FLEET[0].path()];
    let said = succeed(&mut ingest(&dataset, &words));
    assert!(said.lines().any(|line| line.contains("431 records and 200 spans")), "{said}");
    let wrong = folder.path().join("wrong");
    let words = ["--pair".as_ref(), Path::new("disk_reed:disk_done:req"), &other, &FLEET[0].path()];
    let output = ingest(&wrong, &words).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("did you mean `disk_read`?"), "{said}");
    assert!(output.stdout.is_empty() && !wrong.exists(), "{said}");
}

/// Files of a rotated trace that have vanished since the last ingest are not lost silently.
#[test]
fn rows_of_vanished_files_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("fleet");
    let rotated = folder.path().join("engine.d");
    fs::create_dir(&rotated).unwrap();
    // Two files of the same trace.
    let name = |number| rotated.join(format!("0000000{number}-20261123T235959Z.trace"));
    fs::copy(FLEET[0].path(), name(1)).unwrap();
    let later = fs::read(FLEET[1].path()).unwrap();
    let (ours, theirs) = (FLEET[0].id().as_bytes(), FLEET[1].id().as_bytes());
    let at = later.windows(theirs.len()).position(|window| window == theirs).unwrap();
    let later = [&later[..at], ours, &later[at + ours.len()..]].concat();
    fs::write(name(2), later).unwrap();
    let said = succeed(&mut ingest(&dataset, &[&rotated]));
    assert!(said.contains(": 658 records "), "{said}");
    let before = contents(&dataset);
    let aside = folder.path().join("aside");
    for number in [2, 1] {
        fs::rename(name(number), &aside).unwrap();
        let output = ingest(&dataset, &[&rotated]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        let file = format!("0000000{number}-20261123T235959Z.trace");
        assert!(said.contains(&file) && said.contains("--replace"), "{said}");
        assert!(contents(&dataset) == before, "the dataset has changed");
        fs::rename(&aside, name(number)).unwrap();
    }
    fs::remove_file(name(1)).unwrap();
    let said = succeed(&mut ingest(&dataset, &["--replace".as_ref(), rotated.as_path()]));
    assert!(said.contains(": 227 records "), "{said}");
}
