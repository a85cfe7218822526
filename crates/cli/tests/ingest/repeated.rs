//! Traces that are ingested again, at the same time, or by processes that are killed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Instant;

use super::fleet::FLEET;
use super::{contents, fleet_words, ingest, succeed};

/// The temporary part of the names of staging folders, and the lock, are not compared.
fn published(dataset: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    contents(dataset).into_iter().filter(|(name, _)| !name.starts_with("_staging")).collect()
}

/// Checks that nothing unfinished remains.
fn expect_no_staging(dataset: &Path) {
    let names: Vec<_> =
        fs::read_dir(dataset.join("_staging")).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(names, ["lock"]);
}

/// Fails with the names of files that differ, because their contents are long.
fn expect_same(now: &[(PathBuf, Vec<u8>)], expected: &[(PathBuf, Vec<u8>)], when: &str) {
    let names = |files: &[(PathBuf, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(now), names(expected), "{when}");
    for ((name, now), (_, expected)) in now.iter().zip(expected) {
        assert!(now == expected, "{when}: {} differs", name.display());
    }
}

#[test]
fn a_repeated_ingest_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("fleet");
    let first = succeed(&mut ingest(&dataset, &fleet_words()));
    assert_eq!(first.lines().count(), 6, "{first}");
    let before = published(&dataset);
    let modified = |path: &Path| fs::metadata(dataset.join(path)).unwrap().modified().unwrap();
    let times: Vec<_> = before.iter().map(|(path, _)| modified(path)).collect();
    let again = succeed(&mut ingest(&dataset, &fleet_words()));
    assert_eq!(again.matches(" (already there)\n").count(), 4, "{again}");
    expect_same(&published(&dataset), &before, "again");
    assert!(before.iter().map(|(path, _)| modified(path)).eq(times), "a file was replaced");
    expect_no_staging(&dataset);

    // A lost file appears again.
    let lost = before.iter().find(|(path, _)| path.starts_with("events")).unwrap();
    fs::remove_file(dataset.join(&lost.0)).unwrap();
    succeed(&mut ingest(&dataset, &fleet_words()));
    expect_same(&published(&dataset), &before, "after a loss");
}

/// Files that are not traces are reported, and the others are ingested.
#[test]
fn files_that_are_not_traces_do_not_hide_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("text"), "text").unwrap();
    fs::write(path("empty"), "").unwrap();
    let words = [fleet_words(), vec![path("missing"), path("text"), path("empty")]].concat();
    let output = ingest(&path("fleet"), &words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{said}");
    for name in ["missing", "text", "empty"] {
        assert!(said.contains(&format!("error: {}: ", path(name).display())), "{said}");
    }
    succeed(&mut ingest(&path("expected"), &fleet_words()));
    expect_same(&published(&path("fleet")), &published(&path("expected")), "with other files");
    let output = ingest(&path("none"), &[path("text")]).output().unwrap();
    assert_eq!((output.status.code(), path("none").exists()), (Some(1), false));
}

/// A stream states its id before its first record.
#[test]
fn a_trace_is_ingested_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let words = ["--pair", "disk_read:disk_done:req"].map(PathBuf::from);
    let trace = FLEET[0].path();
    let piped = [&words[..], &[PathBuf::from("-")]].concat();
    let mut cat = Command::new("cat").arg(&trace).stdout(Stdio::piped()).spawn().unwrap();
    let said = succeed(ingest(&path("piped"), &piped).stdin(cat.stdout.take().unwrap()));
    assert!(cat.wait().unwrap().success());
    assert!(said.starts_with("standard input: 431 records and 200 spans"), "{said}");
    succeed(&mut ingest(&path("expected"), &[&words[..], &[trace]].concat()));
    let files = |name: &str| -> Vec<PathBuf> { contents(&path(name)).into_keys().collect() };
    assert_eq!(files("piped"), files("expected"));
}

/// If a trace has other contents than before, files that it no longer has are deleted, and so are their
/// folders.
#[test]
fn a_trace_is_replaced_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("fleet");
    succeed(&mut ingest(&dataset, &fleet_words()));
    let before = published(&dataset);
    let trace = FLEET[0].path();
    succeed(&mut ingest(&dataset, &["--event".as_ref(), "ticket".as_ref(), trace.as_path()]));
    let id = "a1000000000000000000000000000001";
    let mut names: Vec<PathBuf> = published(&dataset).into_iter().map(|(name, _)| name).collect();
    names.retain(|name| name.display().to_string().contains(id));
    let date = "date=2026-11-2";
    let of = |day: u8, table: &str| format!("{table}/{date}{day}/host=alpha/{id}-000000.parquet");
    let tables =
        ["dropped", "events/event=ticket"].into_iter().flat_map(|table| [of(3, table), of(4, table)]);
    let expected: Vec<String> = tables.chain([format!("traces/{id}.parquet")]).collect();
    assert_eq!(names.iter().map(|name| name.display().to_string()).collect::<Vec<_>>(), expected);
    succeed(&mut ingest(&dataset, &fleet_words()));
    expect_same(&published(&dataset), &before, "afterwards");

    // The folders of a trace are deleted with its last file.
    let alone = folder.path().join("alone");
    succeed(&mut ingest(&alone, &[&trace]));
    assert!(alone.join("events/event=disk_read").exists());
    succeed(&mut ingest(&alone, &["--event".as_ref(), "ticket".as_ref(), trace.as_path()]));
    assert!(!alone.join("events/event=disk_read").exists());
}

#[test]
fn processes_can_ingest_at_the_same_time() {
    let folder = tempfile::tempdir().unwrap();
    let reference = folder.path().join("reference");
    succeed(&mut ingest(&reference, &fleet_words()));
    let expected = published(&reference);
    for turn in 0..5 {
        let dataset = folder.path().join(format!("fleet-{turn}"));
        // The type that the first trace declares keeps its name, so it must be the first one.
        succeed(&mut ingest(&dataset, &fleet_words()[..3]));
        // Twice all traces, and each trace alone.
        let words = fleet_words();
        let each = words[2..].iter().map(|trace| [&words[..2], std::slice::from_ref(trace)].concat());
        let processes: Vec<_> = [words.clone(), words.clone()]
            .into_iter()
            .chain(each)
            .map(|words| ingest(&dataset, &words).stdout(Stdio::null()).spawn().unwrap())
            .collect();
        for mut process in processes {
            assert!(process.wait().unwrap().success());
        }
        expect_same(&published(&dataset), &expected, &format!("turn {turn}"));
        expect_no_staging(&dataset);
    }
}

/// Processes are killed at moments that are spread over the duration of an ingest. All traces that are
/// committed are complete, and after a last ingest, the dataset is that of an undisturbed one.
#[test]
fn killed_processes_leave_no_part_of_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let reference = folder.path().join("reference");
    let start = Instant::now();
    succeed(&mut ingest(&reference, &fleet_words()));
    let mut duration = start.elapsed();
    let expected = published(&reference);
    let dataset = folder.path().join("fleet");
    let mut killed = 0;
    // An odd number, so that the moments differ from turn to turn.
    for turn in 0..41 {
        if turn % 7 == 0 {
            let _ = fs::remove_dir_all(&dataset);
        }
        let mut process = ingest(&dataset, &fleet_words());
        let mut process = process.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(duration.mul_f64(f64::from(turn * 17 % 41) / 41.0));
        process.kill().unwrap();
        match process.wait().unwrap().code() {
            None => killed += 1,
            // The first ingest took longer, because the machine was busy.
            Some(_) => duration = duration.mul_f64(0.8),
        }
        // Another process ingests another trace, and completes or deletes what the killed one left.
        let other = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/export/empty.trace");
        succeed(&mut ingest(&dataset, &[other]));
        expect_no_staging(&dataset);
        let now = published(&dataset);
        let committed: Vec<String> = FLEET
            .iter()
            .map(|recording| recording.id().to_owned())
            .filter(|id| dataset.join(format!("traces/{id}.parquet")).exists())
            .collect();
        let of_fleet =
            |name: &Path| FLEET.iter().any(|recording| name.display().to_string().contains(recording.id()));
        let is_committed = |name: &Path| committed.iter().any(|id| name.display().to_string().contains(id));
        let now: Vec<_> = now.into_iter().filter(|(name, _)| of_fleet(name)).collect();
        let whole: Vec<_> = expected.iter().filter(|(name, _)| is_committed(name)).cloned().collect();
        expect_same(&now, &whole, &format!("turn {turn}"));
    }
    assert!(killed > 20, "only {killed} processes were killed");
    let _ = fs::remove_dir_all(&dataset);
    succeed(&mut ingest(&dataset, &fleet_words()));
    expect_same(&published(&dataset), &expected, "at the end");
}
