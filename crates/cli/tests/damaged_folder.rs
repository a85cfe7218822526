//! Tests reading the folder of a rotated trace of which a part is missing or damaged.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod engine;
mod recorded;
mod rotated;
mod running;

use std::fs;
use std::path::Path;
use std::process::Command;

use recorded::{PROGRAM, Recorded, SECOND};
use ringtrace_tracefile::metadata::{ENDED, Metadata, POLICY};
use ringtrace_wire::compact::BlockHeader;
use rotated::{file, gzip, three, write};
use running::{Place, Run, TOOL, wait_for};

/// A kill may leave a file whose header is incomplete. The other files are read.
#[test]
fn a_truncated_file_does_not_hide_the_others() {
    let place = Place::new();
    write(&place, &three());
    let (all, ..) = place.run(&["print", "trace"]);
    let last = fs::read(file(&place, 3)).unwrap();
    fs::write(file(&place, 4), &last[..12]).unwrap();
    for words in [&["print", "trace"][..], &["print", "--sort", "trace"]] {
        let (out, _, code) = place.run(words);
        assert_eq!((out.as_str(), code), (all.as_str(), 1), "{words:?}");
    }
    let (_, said, code) = place.run(&["print", "--strict", "trace"]);
    assert!(said.contains("truncated in its header") && code != 0, "{code} {said}");
}

/// The runtime names a file when it contains something. A power failure or a full disk may empty it.
#[test]
fn empty_files_are_reported() {
    for emptied in 1..=3 {
        let place = Place::new();
        write(&place, &three());
        fs::write(file(&place, emptied), "").unwrap();
        for words in [
            &["print", "trace", "--count"][..],
            &["print", "--sort", "trace"],
            &["stat", "trace"],
            &["info", "trace"],
        ] {
            let (_, said, code) = place.run(words);
            let (out, ..) = place.run(words);
            assert!(code == 1 && (said + &out).contains("the file is empty"), "{emptied} {words:?}");
        }
        let (_, _, code) = place.run(&["convert", "trace", "out"]);
        assert_eq!(code, 1);
    }
}

/// Reading stops at an unreadable record. The message names the files that were not read, and does not claim that
/// the program did not finish the trace.
#[test]
fn files_after_damage_are_said_to_be_unread() {
    let place = Place::new();
    let policy = Metadata::Other(POLICY.to_owned(), b"discard".to_vec());
    let mut files = three();
    files.iter_mut().for_each(|recorded| recorded.say(&policy));
    // No event has this id.
    let damaged = files.remove(0).event(9, SECOND + 4000, 1).begin(SECOND + 5000, 1);
    files.insert(0, damaged);
    write(&place, &files);
    let unread = "warning: trace: 2 files were not read, because of the error before\n  \
                  help: --keep-going continues after damage\n";
    for words in [&["print", "trace"][..], &["stat", "trace"], &["report", "trace", "-o", "out", "--force"]] {
        let (_, said, code) = place.run(words);
        assert!(code == 1 && said.contains(unread), "{words:?} {code}: {said}");
        assert!(!said.contains("did not finish"), "{words:?}: {said}");
        let (_, said, code) = place.run(&[words, &["--keep-going"]].concat());
        assert!(code == 1 && !said.contains("not read"), "{words:?} {code}: {said}");
    }
    assert!(!fs::read_to_string(place.path("out")).unwrap().contains("did not finish"));
    place.run(&["report", "trace", "-o", "out", "--force"]);
    assert!(fs::read_to_string(place.path("out")).unwrap().contains("2 files were not read"));
    // Reading stops at the start of a file.
    let bytes = fs::read(file(&place, 3)).unwrap();
    write(&place, &three());
    fs::write(file(&place, 2), &bytes[..12]).unwrap();
    let (_, said, code) = place.run(&["print", "--strict", "trace"]);
    assert!(
        code == 1 && said.contains("warning: trace: 1 file was not read") && !said.contains("did not finish"),
        "{said}"
    );
}

#[test]
fn the_files_after_a_truncated_compressed_file_are_read() {
    let place = Place::new();
    let large =
        (0..5000).fold(Recorded::new(PROGRAM), |made, n| made.begin(2 * SECOND + n, n.wrapping_mul(n)));
    write(&place, &[three().swap_remove(0), large, three().swap_remove(2)]);
    let middle = file(&place, 2);
    gzip(&middle);
    let middle = format!("{}.gz", middle.display());
    let bytes = fs::read(&middle).unwrap();
    for (kept, records) in [(bytes.len() / 2, 1000..4500), (9, 6..7)] {
        fs::write(&middle, &bytes[..kept]).unwrap();
        let mut lines = Vec::new();
        for sort in [&[][..], &["--sort"]] {
            let (out, said, code) = place.run(&[&["print", "trace"], sort].concat());
            assert!(
                said.contains("trace/00000002-20261123T091502Z.trace.gz: the gzip file is truncated\n"),
                "{said}"
            );
            assert!(out.contains("key=0x3") && code == 1, "{out}{said}");
            lines.push(out.lines().count());
        }
        assert!(records.contains(&lines[0]) && lines[0] == lines[1], "{lines:?}");
    }
}

/// The other files are read, whatever is in their place.
#[test]
fn an_unreadable_file_does_not_hide_the_others() {
    for replaced in 1..=3 {
        let place = Place::new();
        write(&place, &three());
        let path = file(&place, replaced);
        let size = fs::metadata(&path).unwrap().len() as usize;
        let expected = 8 - [4, 2, 2][replaced as usize - 1];
        for content in [&vec![0; size][..], b"text\n", b"\x28\xb5\x2f", b"\x1f\x8b\x08\0garbage"] {
            fs::write(&path, content).unwrap();
            for words in [&["print"][..], &["print", "--sort"], &["print", "--keep-going"]] {
                let (out, said, code) = place.run(&[words, &["trace"]].concat());
                assert_eq!(
                    (out.lines().count(), code),
                    (expected, 1),
                    "{replaced} {words:?} {content:?} {said}"
                );
                assert!(said.contains(&format!("{}: ", path.file_name().unwrap().display())), "{said}");
            }
            let (out, _, code) = place.run(&["info", "--json", "trace"]);
            let info: serde_json::Value = serde_json::from_str(&out).unwrap();
            assert_eq!((&info["records"], code), (&expected.into(), 1), "{info}");
        }
    }
    let place = Place::new();
    write(&place, &three());
    (1..=3).for_each(|number| fs::write(file(&place, number), "text\n").unwrap());
    let (out, said, code) = place.run(&["print", "trace"]);
    assert!(out.is_empty() && code == 1, "{out}");
    assert_eq!(said.matches("this is a text file, not a trace").count(), 1, "{said}");
}

fn of_runtime() -> Recorded {
    let mut recorded = Recorded::new(PROGRAM).thread(1, "worker");
    recorded.say(&Metadata::Other(POLICY.to_owned(), b"block".to_vec()));
    recorded
}

fn ended(mut recorded: Recorded) -> Recorded {
    recorded.say(&Metadata::Other(ENDED.to_owned(), Vec::new()));
    recorded
}

/// A user may remove or compress the file that the program is writing. The last events are then in
/// neither file.
#[test]
fn a_file_that_the_program_did_not_end_is_reported() {
    let place = Place::new();
    let [whole, last] = [1, 3].map(|at| ended(of_runtime().begin(at * SECOND, at).total(1, 0)));
    // The total is that of a thread that ended earlier.
    write(&place, &[whole, of_runtime().total(0, 0).begin(2 * SECOND, 2), last]);
    for sort in [&[][..], &["--sort"]] {
        let (out, said, code) = place.run(&[&["print", "trace"], sort].concat());
        assert_eq!((out.lines().count(), code), (3, 1), "{said}");
        assert!(said.contains("T091502Z.trace: the file does not contain its end"), "{said}");
    }
    let (out, ..) = place.run(&["info", "trace"]);
    assert!(out.contains("02-20261123T091502Z.trace: the file does not contain"), "{out}");
    // Parts of files that are not read may contain the end.
    assert_eq!(place.run(&["print", "trace", "--since", "1.5"]).2, 0);
}

/// A kill during a change may leave a newer file without records.
#[test]
fn a_trace_whose_last_file_has_no_end_was_not_ended_by_the_program() {
    let place = Place::new();
    write(&place, &[ended(of_runtime().begin(SECOND, 1).total(1, 0)), of_runtime()]);
    assert_eq!(place.info("trace")["ended"], false);
    write(&place, &[1, 2].map(|at| ended(of_runtime().begin(at * SECOND, at).total(1, 0))));
    assert_eq!(place.info("trace")["ended"], true);
}

#[test]
fn a_missing_file_is_reported_while_a_folder_is_followed() {
    let place = Place::new();
    write(&place, &[1, 2, 3].map(|at| ended(of_runtime().begin(at * SECOND, at).total(1, 0))));
    fs::remove_file(file(&place, 2)).unwrap();
    let (_, said, code) = place.run(&["print", "--follow", "trace"]);
    assert!(said.contains("file 2 of the trace is missing before this one") && code == 1, "{said}");
}

#[test]
fn following_a_folder_skips_an_unreadable_oldest_file() {
    let place = Place::new();
    write(&place, &[1, 2, 3].map(|at| ended(of_runtime().begin(at * SECOND, at).total(1, 0))));
    fs::write(file(&place, 1), "text\n").unwrap();
    let (out, said, code) = place.run(&["print", "--follow", "trace"]);
    assert_eq!((out.lines().count(), code), (2, 1), "{said}");
    assert!(said.contains("T091501Z.trace: this is a text file, not a trace"), "{said}");
}

#[test]
fn an_output_does_not_replace_a_file_of_the_folder() {
    let place = Place::new();
    write(&place, &three());
    let path = file(&place, 2);
    let bytes = fs::read(&path).unwrap();
    for words in [&["print", "trace"][..], &["export", "trace", "--to", "csv"], &["convert", "trace"]] {
        let (_, said, code) = place.run(&[words, &["--force", "-o", path.to_str().unwrap()]].concat());
        assert!(said.contains("is a file of the input trace") && code == 2, "{said}");
        assert!(fs::read(&path).unwrap() == bytes, "{words:?}");
    }
}

/// The part before the damage is sorted.
#[test]
fn damage_does_not_prevent_sorting() {
    let place = Place::new();
    let made = (0..60_000).fold(Recorded::new(PROGRAM), |made, n| made.begin(SECOND + (n ^ 1), n * n * n));
    fs::write(place.path("v4"), made.bytes).unwrap();
    place.output(&["convert", "--to", "compact", "v4", "compact"]);
    let mut bytes = fs::read(place.path("compact")).unwrap();
    let last = bytes.len() * 3 / 4;
    bytes[last] ^= 1;
    fs::write(place.path("compact"), bytes).unwrap();
    for more in [&[][..], &["--keep-going"]] {
        let [plain, sorted] = [&[][..], &["--sort"]].map(|sort| {
            let (out, said, code) = place.run(&[&["print", "compact", "--count"], more, sort].concat());
            assert!(said.contains("the checksum of a block's body is wrong") && code == 1, "{said}");
            out.trim().parse::<u32>().unwrap()
        });
        assert!(plain > 1000 && plain < 60_000 && sorted == plain, "{more:?} {plain} {sorted}");
    }
}

/// The copy of the declarations names the events in the other blocks of the file.
#[test]
fn a_damaged_first_block_does_not_hide_its_file() {
    const EACH: u64 = 30_000;
    let place = Place::new();
    let made = |number| {
        (0..EACH).fold(Recorded::new(PROGRAM), |made, n| made.begin(number * SECOND + n, n.wrapping_mul(n)))
    };
    write(&place, &[made(1), made(2), made(3)]);
    for number in 1..=3 {
        let path = file(&place, number);
        fs::rename(&path, place.path("v4")).unwrap();
        place.output(&["convert", "--to", "compact", "v4", path.to_str().unwrap()]);
    }
    for number in 1..=3 {
        let intact = fs::read(file(&place, number)).unwrap();
        let first = BlockHeader::parse(&intact).unwrap();
        assert!(first.mappings > 0 && first.block_bytes() < intact.len());
        let mut damaged = intact.clone();
        damaged[300] ^= 1;
        fs::write(file(&place, number), damaged).unwrap();
        for (more, lost) in [(&[][..], EACH), (&["--keep-going"], u64::from(first.records))] {
            for sort in [&[][..], &["--sort"]] {
                let (out, said, code) = place.run(&[&["print", "trace", "--count"], more, sort].concat());
                assert_eq!((out.trim().parse(), code), (Ok(3 * EACH - lost), 1), "{number} {more:?} {said}");
                assert!(said.contains("the checksum of a block's body is wrong"), "{said}");
                assert_eq!(said.contains("the whole file was skipped"), more.is_empty(), "{said}");
            }
        }
        fs::write(file(&place, number), intact).unwrap();
    }
}

/// A nightly export has the same columns if a trace is missing.
#[test]
fn columns_do_not_depend_on_missing_traces() {
    let place = Place::new();
    for name in ["one", "two"] {
        fs::write(place.path(name), Recorded::new(PROGRAM).begin(SECOND, 1).bytes).unwrap();
    }
    let heading = |names: [&str; 2]| {
        let (out, ..) = place.run(&["export", "--to", "csv", "-o", "/dev/stdout", names[0], names[1]]);
        out.lines().next().unwrap().to_owned()
    };
    assert_eq!(heading(["one", "nosuch"]), heading(["one", "two"]));
    let (_, said, code) = place.run(&["stat", "--pair", "begin:commit", "nosuch", "one"]);
    assert!(!said.contains("unknown event") && code == 4, "{said}");
}

/// The user compresses the files of a killed program, also the last one, of which a part is in memory.
#[test]
fn the_compressed_trace_of_a_killed_program_is_recovered() {
    let place = Place::new();
    let trace = format!("*,policy=block,file={}", place.path("t").display());
    let program = engine::start(place.path("").as_path(), "auto", &["--trace", &trace]);
    wait_for("events", || fs::metadata(place.path("t")).ok().filter(|found| found.len() > 10_000));
    let pid = program.id().to_string();
    assert!(Command::new("kill").args(["-KILL", &pid]).status().unwrap().success());
    program.wait();
    // Reading continues to the end, and not until it is interrupted.
    let (_, said, status) = Run::of(&mut place.command(Path::new(TOOL), &["print", "--follow", "t"])).end();
    // If it has just written all of its events, none are in memory.
    let is_told = |said: &str| {
        ["was killed", "did not finish the trace"]
            .iter()
            .any(|how| said.contains(&format!("process {pid} {how}")))
    };
    assert!(is_told(&said) && status.success(), "{said}");
    let (expected, ..) = place.run(&["recover", &pid, "-o", "expected"]);
    gzip(&place.path("t"));
    let (_, said, _) = place.run(&["print", "t.gz", "--count"]);
    assert!(is_told(&said), "{said}");
    let (said, ..) = place.run(&["recover", &pid, "-o", "recovered"]);
    assert_eq!(said.replace("recovered", "expected"), expected);
    assert_eq!(place.output(&["print", "recovered"]), place.output(&["print", "expected"]));
}
