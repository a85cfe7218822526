//! Tests reading the folder of a rotated trace.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod recorded;
mod rotated;
mod running;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use recorded::{PROGRAM, Program, Recorded, SECOND};
use rotated::{file, gzip, three, write, write_from};
use running::{Place, Run, TOOL, wait_for};
use rustix::process::Signal;

#[test]
fn the_files_of_a_run_are_one_trace() {
    let place = Place::new();
    write(&place, &three());
    // Other files are ignored.
    for name in ["lock", "snapshot.trace", "00000002.trace", "00000004-20261123T091504Z.trace.tmp"] {
        fs::write(place.path("trace").join(name), "not a trace").unwrap();
    }
    fs::create_dir(place.path("trace/folder")).unwrap();
    let pipe = file(&place, 9);
    assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
    let words = ["print", "trace", "--style", "log", "--time", "relative", "--event", "-Drop*"];
    let (out, said, code) = place.run(&words);
    let lines = "0.000000000 begin key=1\n0.000001000 begin key=2\n0.000002000 end key=1\n1.000000000 end key=2\n\
                 1.000000500 begin key=3\n2.000000000 end key=3\n";
    assert_eq!((out.as_str(), said.as_str(), code), (lines, "", 0));
    let (out, said, _) = place.run(&["stat", "trace", "--pair", "begin:end"]);
    assert!(out.contains("6 events in 2.00 s"), "{out}");
    assert!(out.contains("\n      3  2.00 µs"), "{out}");
    assert!(format!("{out}{said}").contains("7 events were dropped"), "{out}{said}");
    let info = place.info("trace");
    assert_eq!(info["file"], "trace");
    assert_eq!((&info["records"], &info["dropped"]["events"]), (&8.into(), &7.into()));
    assert_eq!(info["files"]["count"], 3);
    assert_eq!(info["damaged"], false, "{info}");
    let threads = &info["threads"];
    assert_eq!((&threads[0]["records"], &threads[0]["total"]["issued"]), (&6.into(), &13.into()));
    assert_eq!(info["metadata"]["host"], serde_json::json!(["one"]));
    let bytes: u64 = (1..=3).map(|number| fs::metadata(file(&place, number)).unwrap().len()).sum();
    assert_eq!((&info["file_bytes"], &info["read_bytes"]), (&bytes.into(), &bytes.into()));
    let text = place.run(&["info", "trace"]).0;
    assert!(text.contains("\n  Files       3, from 00000001-20261123T091501Z.trace to\n"), "{text}");
}

/// All commands show the same as for one file that contains the records of all files.
#[test]
fn commands_treat_a_folder_like_one_file() {
    let place = Place::new();
    write(&place, &three());
    let mut whole = Recorded::new(PROGRAM).thread(1, "worker");
    whole = whole.begin(SECOND, 1).begin(SECOND + 1000, 2).end(SECOND + 2000, 1).dropped(SECOND + 3000, 3);
    whole = whole.end(2 * SECOND, 2).begin(2 * SECOND + 500, 3).end(3 * SECOND, 3);
    whole = whole.dropped(3 * SECOND + 1, 4).total(6, 7);
    fs::write(place.path("whole"), whole.bytes).unwrap();
    for words in [
        &["print"][..],
        &["print", "--style", "jsonl"],
        &["print", "--style", "log-time"],
        &["print", "--style", "log", "--time", "relative", "--since", "0.5", "--until", "1.1"],
        &["print", "--event", "end", "-C", "1"],
        &["print", "--tail", "2"],
        &["print", "--sort"],
        &["print", "--count"],
        &["print", "--thread", "work*"],
        &["stat"],
        &["stat", "--pair", "begin:end"],
        &["stat", "--by", "thread"],
        &["export", "--to", "csv", "-o", "/dev/stdout"],
        &["export", "--to", "chrome", "--pair", "begin:end", "-o", "/dev/stdout"],
    ] {
        let of = |trace: &str| {
            let (out, said, code) = place.run(&[words, &[trace]].concat());
            (out, said.replace(&format!("{trace}:"), "TRACE:"), code)
        };
        assert_eq!(of("trace"), of("whole"), "{words:?}");
    }
}

#[test]
fn all_files_are_converted() {
    let place = Place::new();
    let mut files = three();
    // Only a file with records of a thread contains its name.
    files[1] = Recorded::new(PROGRAM).end(2 * SECOND, 2).begin(2 * SECOND + 500, 3).total(2, 0);
    files[2] = Recorded::new(PROGRAM).end(3 * SECOND, 3).dropped(3 * SECOND + 1, 4).total(1, 4);
    write(&place, &files);
    let expected = place.run(&["print", "trace"]).0;
    for format in ["v4", "compact"] {
        place.output(&["convert", "--to", format, "trace", format]);
        assert_eq!(place.run(&["print", format]).0, expected, "{format}");
        let (of_folder, of_file) = (place.info("trace"), place.info(format));
        assert_eq!(of_file["records"], of_folder["records"], "{format}");
        assert_eq!(of_file["dropped"]["events"], of_folder["dropped"]["events"], "{format}");
        assert_eq!(of_file["threads"][0]["total"], of_folder["threads"][0]["total"], "{format}");
        assert_eq!(of_file["threads"][0]["name"], "worker", "{format}");
    }
}

#[test]
fn compact_files_and_v4_files_are_mixed() {
    let place = Place::new();
    write(&place, &three());
    let expected = place.run(&["print", "trace"]).0;
    let path = file(&place, 2);
    let compact = place.path("compact");
    place.output(&["convert", "--to", "compact", path.to_str().unwrap(), compact.to_str().unwrap()]);
    fs::rename(compact, path).unwrap();
    for sort in [&[][..], &["--sort"]] {
        assert_eq!(place.run(&[&["print", "trace"], sort].concat()).0, expected);
    }
    assert_eq!(place.info("trace")["records"], 8);
}

/// Users compress old files, which are read like the others.
#[test]
fn compressed_files_are_read() {
    let place = Place::new();
    write(&place, &three());
    let requests = [
        &["print"][..],
        &["print", "--sort"],
        &["print", "--since", "0.5", "--until", "1.1"],
        &["stat", "--pair", "begin:end"],
        &["export", "--to", "csv", "-o", "/dev/stdout"],
    ];
    let results = || requests.map(|words| place.run(&[words, &["trace"]].concat()));
    let expected = results();
    let size = place.info("trace")["file_bytes"].clone();
    let [first, middle, last] = [1, 2, 3].map(|number| file(&place, number));
    gzip(&middle);
    assert_eq!(results(), expected);
    gzip(&first);
    let compact = format!("{}.zst", last.display());
    place.output(&["convert", "--to", "compact", last.to_str().unwrap(), &compact]);
    // While a file is compressed, its copy is not complete.
    fs::write(&last, &three()[2].bytes).unwrap();
    assert_eq!(results(), expected);
    fs::remove_file(&last).unwrap();
    assert_eq!(results(), expected);
    let info = place.info("trace");
    assert_eq!((&info["records"], &info["file_bytes"], &info["damaged"]), (&8.into(), &size, &false.into()));
    assert_eq!(info["files"]["first"], format!("trace/{}.gz", first.file_name().unwrap().display()));
}

#[test]
fn each_run_of_the_program_is_a_trace() {
    let place = Place::new();
    write(&place, &three()[..2]);
    // The program was started again after a reboot. Its clock is earlier.
    let second = Program { boot: "b-2", trace: "00000000000000bb", zero_s: PROGRAM.zero_s + 3600, ..PROGRAM };
    write_from(&place, 3, &[Recorded::new(second).end(SECOND / 2, 3).begin(SECOND, 4).total(2, 0)]);
    let (out, _, code) = place.run(&["print", "trace", "--style", "log"]);
    let keys: Vec<&str> = out.lines().filter_map(|line| line.split_once('=').map(|(_, key)| key)).collect();
    assert_eq!((keys.as_slice(), code), (["1", "2", "1", "2", "3", "3", "4"].as_slice(), 0), "{out}");
    let out = place.run(&["info", "trace"]).0;
    assert!(out.contains("trace (run 1 of 2)\n") && out.contains("trace (run 2 of 2)\n"), "{out}");
    assert!(out.contains("2 traces together"), "{out}");
}

#[test]
fn files_that_were_removed_are_no_error() {
    let place = Place::new();
    write(&place, &three());
    // A link to a missing file is listed, but cannot be opened, as if it had been removed.
    fs::remove_file(file(&place, 1)).unwrap();
    symlink("gone", file(&place, 1)).unwrap();
    let (out, said, code) = place.run(&["print", "trace", "--event", "begin,end"]);
    assert_eq!((out.lines().count(), code), (3 + 1, 0), "{out}{said}");
    fs::remove_file(file(&place, 2)).unwrap();
    symlink("gone", file(&place, 2)).unwrap();
    fs::remove_file(file(&place, 1)).unwrap();
    fs::write(file(&place, 1), &three()[0].bytes).unwrap();
    let (_, said, code) = place.run(&["print", "trace"]);
    let note = "note: trace: the file 00000002-20261123T091502Z.trace was removed before it was read; its events are \
                not included\n";
    assert!(said.starts_with(note) && code == 0, "{said}");
    // In front, nothing is missing: the program keeps only its newest files.
    let strict = place.run(&["print", "trace", "--strict", "--count"]);
    assert_eq!((strict.0.as_str(), strict.2), ("4\n", 3), "{}", strict.1);
}

#[test]
fn a_folder_without_files_is_an_error() {
    let place = Place::new();
    fs::create_dir(place.path("empty")).unwrap();
    let expected = "error: empty: the folder contains no trace: expected files such as 00000001-20261123T091500Z.trace, \
                    which a program writes with rotate=\n  help: to read other traces, pass the files\n";
    for command in ["print", "info", "stat", "report"] {
        let (out, said, code) = place.run(&[command, "empty"]);
        assert_eq!((out.as_str(), said.as_str(), code), ("", expected, 1), "{command}");
    }
    assert_eq!(place.run(&["print", "--follow", "empty"]).1, expected);
}

/// Files outside of the period are not even read: the first one is damaged.
#[test]
fn files_outside_of_the_period_are_skipped() {
    let place = Place::new();
    let of = |second: u64| Recorded::new(PROGRAM).begin(second * SECOND, second);
    let mut files: Vec<Recorded> = (1..=9).map(of).collect();
    for number in [1, 2, 8] {
        // A record with an unknown id.
        files[number] = std::mem::replace(&mut files[number], of(0)).event(77, number as u64 * SECOND + 1, 1);
    }
    write(&place, &files);
    let (_, said, code) = place.run(&["print", "trace"]);
    let error = "error: trace/00000002-20261123T091502Z.trace: record 2 at offset ";
    assert!(said.starts_with(error) && code == 1, "{said}");
    let words = ["print", "trace", "--style", "log", "--since", "4.5", "--until", "5.5"];
    assert_eq!(place.output(&words), "begin key=6\n");
    // With --keep-going, all files are read, and each error names its file.
    let (out, said, code) = place.run(&["print", "trace", "--keep-going"]);
    assert_eq!((out.lines().count(), code), (9, 1), "{out}{said}");
    for number in [2, 3, 9] {
        assert!(
            said.contains(&format!("0000000{number}-20261123T09150{number}Z.trace: record 2 at")),
            "{said}"
        );
    }
}

/// A large folder is rendered on several threads, file by file.
#[test]
fn threads_do_not_change_the_output() {
    let place = Place::new();
    let large = |file: u64| {
        let records = 0..150_000;
        let add = |recorded: Recorded, n: u64| recorded.begin((file * 1_000_000 + n) * 1000, file << 32 | n);
        records.fold(Recorded::new(PROGRAM), add)
    };
    write(&place, &[large(1), large(2), Recorded::new(PROGRAM).begin(4 * SECOND, 7), large(5)]);
    let out = |threads: &str| place.output(&["print", "trace", "--threads", threads]);
    let one = out("1");
    assert_eq!(one.lines().count(), 450_001);
    assert!(one == out("2"), "the output of two threads differs");
}

#[test]
fn many_files_need_few_open_files() {
    let place = Place::new();
    let of = |n: u64| {
        // Every hundredth file starts another run.
        let trace: &str = Box::leak(format!("{:016x}", n / 100 + 1).into_boxed_str());
        Recorded::new(Program { trace, ..PROGRAM }).begin(n * 1000, n)
    };
    write_from(&place, 0, &(0..2000).map(of).collect::<Vec<_>>());
    let words = ["-c", "ulimit -n 40; exec \"$0\" print trace --count", TOOL];
    let (out, said, status) = Run::of(&mut place.command(Path::new("sh"), &words)).end();
    assert_eq!((out.as_str(), said.as_str(), status.code()), ("2000\n", "", Some(0)));
}

#[test]
fn follow_continues_with_newer_files() {
    let place = Place::new();
    let files = three();
    write(&place, &files[..1]);
    let mut follow =
        Run::of(&mut place.command(Path::new(TOOL), &["print", "--follow", "trace", "--style", "log"]));
    let keys = |follow: &mut Run, count: usize| {
        let lines = std::iter::repeat_with(|| follow.line()).take(count);
        lines.map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(keys(&mut follow, 4)[..3], ["begin key=1", "begin key=2", "end key=1"]);
    // The next file grows after it was created.
    let (start, rest) = files[1].bytes.split_at(files[1].bytes.len() - 100);
    fs::write(file(&place, 2), start).unwrap();
    fs::write(file(&place, 2), [start, rest].concat()).unwrap();
    assert_eq!(keys(&mut follow, 2), ["end key=2", "begin key=3"]);
    write_from(&place, 3, &files[2..]);
    fs::remove_file(file(&place, 1)).unwrap();
    assert_eq!(keys(&mut follow, 1), ["end key=3"]);
    wait_for("the last line", || follow.line().contains("4").then_some(()));
    follow.send(Signal::INT);
    let (_, said, status) = follow.end();
    assert_eq!(status.code(), Some(0), "{said}");
    assert!(said.ends_with("note: 8 records read\n"), "{said}");
}

/// A recovered trace contains the last file of its program.
#[test]
fn files_that_repeat_records_are_reported() {
    let place = Place::new();
    write(&place, &three());
    let last = file(&place, 3);
    fs::copy(&last, place.path("recovered")).unwrap();
    fs::copy(file(&place, 1), place.path("first")).unwrap();
    let warnings = |words: &[&str]| {
        let (_, said, code) = place.run(words);
        assert_eq!(code, 0, "{said}");
        said.lines().filter(|line| line.contains("are read twice")).map(str::to_owned).collect::<Vec<_>>()
    };
    let last = last.strip_prefix(place.path("")).unwrap().display().to_string();
    assert_eq!(
        warnings(&["stat", "trace", "recovered"]),
        [format!(
            "warning: recovered begins with the same record as {last}, so records of this trace are read twice"
        )]
    );
    assert_eq!(warnings(&["print", "recovered", "first", "recovered"]).len(), 1);
    assert_eq!(warnings(&["print", "recovered", "first"]), [""; 0]);
    assert_eq!(warnings(&["print", "trace"]), [""; 0]);
}

#[test]
fn files_that_are_missing_between_others_are_reported() {
    let place = Place::new();
    let recorded = (0..9).map(|number| Recorded::new(PROGRAM).begin((number + 1) * SECOND, number));
    write(&place, &recorded.collect::<Vec<_>>());
    for number in [1, 4, 5, 7] {
        fs::remove_file(file(&place, number)).unwrap();
    }
    let warning = |number: u64, missing: &str| {
        format!(
            "warning: trace/{}: {missing} missing before this one; their events are not included\n",
            file(&place, number).file_name().unwrap().to_str().unwrap()
        )
    };
    let both = warning(6, "2 files of the trace, 4 to 5, are") + &warning(8, "file 7 of the trace is");
    for words in [&["print"][..], &["print", "--sort"], &["print", "--threads", "2"]] {
        let (out, said, code) = place.run(&[words, &["trace"]].concat());
        assert_eq!((out.lines().count(), said.as_str(), code), (5, both.as_str(), 1), "{words:?}");
    }
    // Files outside of the period are not needed, also if one of them is read.
    let (_, said, code) = place.run(&["print", "trace", "--since", "5.5"]);
    assert_eq!((said.as_str(), code), (warning(8, "file 7 of the trace is").as_str(), 1));
    let (out, said, code) = place.run(&["print", "trace", "--until", "0.5"]);
    assert_eq!((out.lines().count(), said.as_str(), code), (1, "", 0), "{out}");
    let (out, _, code) = place.run(&["info", "trace"]);
    assert!(out.contains("Damage ") && out.contains("file 7 of the trace is") && code == 1, "{out}");
    let (_, said, code) = place.run(&["stat", "--strict", "trace"]);
    assert!(said.contains("4 to 5, are missing before this one") && code == 1, "{said}");
    let (_, said, code) = place.run(&["convert", "trace", "whole"]);
    assert!(said.contains("nothing was written") && code == 1, "{said}");
}

/// A file without records does not restrict the files that are read.
#[test]
fn a_file_without_records_does_not_hide_later_ones() {
    let place = Place::new();
    let recorded = |number| match number {
        5 => Recorded::new(PROGRAM),
        number => Recorded::new(PROGRAM).begin(number * SECOND, number),
    };
    write(&place, &(1..=8).map(recorded).collect::<Vec<_>>());
    for until in 1..=7 {
        let lines = place.output(&["print", "trace", "--until", &format!("{until}.5s")]);
        let expected = (1..=8).filter(|&number| number != 5 && number - 1 <= until).count();
        assert_eq!(lines.lines().count(), expected, "{until}");
    }
}

#[test]
fn a_record_that_is_too_large_does_not_stop_sorting() {
    let place = Place::new();
    let mut files = three();
    let mut record = 1_u64.to_le_bytes().to_vec();
    record.splice(0..0, 1_u64.to_le_bytes());
    record.extend(SECOND.to_le_bytes());
    record.extend(0x7fff_ffff_u32.to_le_bytes());
    record.resize(2 << 20, 0);
    files[1].bytes.extend(record);
    write(&place, &files);
    let (_, said, _) = place.run(&["print", "--sort", "trace"]);
    assert!(said.contains("more than any writer produces"), "{said}");
}

/// A copy for sorting lacks the same parts as the files, which are reported in the same way.
#[test]
fn sorting_reports_what_is_missing() {
    let place = Place::new();
    let files = three();
    write(&place, &files);
    let cut = files[0].bytes.len() - 4;
    fs::write(file(&place, 1), &files[0].bytes[..cut]).unwrap();
    fs::remove_file(file(&place, 2)).unwrap();
    symlink("gone", file(&place, 2)).unwrap();
    fs::write(file(&place, 4), &files[2].bytes[..12]).unwrap();
    let (plain, sorted) = (place.run(&["print", "trace"]), place.run(&["print", "--sort", "trace"]));
    assert_eq!(plain, sorted);
    assert!(sorted.1.contains("00000001-20261123T091501Z.trace: record 5 at offset "), "{}", sorted.1);
    assert!(
        sorted.1.contains("00000004-20261123T091504Z.trace: the file is truncated in its header"),
        "{}",
        sorted.1
    );
    assert!(sorted.1.contains("the file 00000002-20261123T091502Z.trace was removed"), "{}", sorted.1);
    // Records that are out of order do not change this.
    let late = Recorded::new(PROGRAM).begin(1, 8);
    fs::write(file(&place, 5), late.bytes).unwrap();
    let sorted = place.run(&["print", "--sort", "trace"]);
    assert_eq!((plain.1.as_str(), plain.2), (sorted.1.as_str(), sorted.2));
    assert!(sorted.0.starts_with("begin 0.000 pid=7 tid=1 key=0x8\n"), "{}", sorted.0);
    let (_, said, code) = place.run(&["print", "--strict", "--sort", "trace"]);
    assert!(said.contains("without --strict this is a warning") && code == 1, "{said}");
}

/// The folder of a program that has not continued in a second file yet.
#[test]
fn a_folder_with_one_file_is_sorted() {
    let place = Place::new();
    write(&place, &[Recorded::new(PROGRAM).begin(2 * SECOND, 2).begin(SECOND, 1)]);
    let path = file(&place, 1);
    let lines = "begin 0.000 pid=7 tid=1 key=0x1\nbegin 1000000.000 pid=7 tid=1 key=0x2\n";
    assert_eq!(place.output(&["print", "--sort", "trace"]), lines);
    place.output(&["convert", "--to", "compact", path.to_str().unwrap(), "compact"]);
    fs::rename(place.path("compact"), path).unwrap();
    assert_eq!(place.output(&["print", "--sort", "trace"]), lines);
}

/// The wall clock was set between two files of a trace.
#[test]
fn the_first_anchor_applies_to_the_whole_trace() {
    let place = Place::new();
    let later = Program { zero_s: PROGRAM.zero_s + 3600, ..PROGRAM };
    write(&place, &[Recorded::new(PROGRAM).begin(SECOND, 1), Recorded::new(later).end(2 * SECOND, 1)]);
    for sort in [&[][..], &["--sort"]] {
        let out = place.output(&[&["print", "--style", "log-time", "trace"], sort].concat());
        let lines = "2026-11-18T11:06:41.000000Z begin key=1\n2026-11-18T11:06:42.000000Z end key=1\n";
        assert_eq!(out, lines);
    }
    let out = place.output(&["info", "trace"]);
    assert!(
        out.contains("2026-11-18T11:06:41.000000Z") && out.contains("2026-11-18T11:06:42.000000Z"),
        "{out}"
    );
}

/// A compact file that is truncated in its only block does not end a sorted copy, and is reported at
/// any position.
#[test]
fn truncated_compact_files_are_reported() {
    for truncated in [1, 2, 3] {
        let place = Place::new();
        write(&place, &three());
        let (path, compact) = (file(&place, truncated), place.path("compact"));
        place.output(&["convert", "--to", "compact", path.to_str().unwrap(), compact.to_str().unwrap()]);
        let content = fs::read(&compact).unwrap();
        for bytes in [content.len() - 20, 12] {
            fs::write(&path, &content[..bytes]).unwrap();
            let plain = place.run(&["print", "trace"]);
            let warning = format!("warning: trace/0000000{truncated}-20261123T09150{truncated}Z.trace: ");
            assert!(plain.1.starts_with(&warning), "{}", plain.1);
            assert_eq!((plain.1.matches("warning: trace/").count(), plain.2), (1, 1), "{}", plain.1);
            assert_eq!(place.run(&["print", "--sort", "trace"]), plain);
            let (_, said, code) = place.run(&["print", "--strict", "trace"]);
            assert!(said.contains("without --strict this is a warning") && code == 1, "{said}");
        }
    }
}
