//! Tests `ringtrace recover` and `ringtrace list`. The console sessions in `testdata/recover` use
//! arenas that are created here.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod console;
mod engine;

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::{FileExt, chown, symlink};
use std::path::Path;
use std::process::{Command, Output};

use console::{Shell, root};
use ringtrace_peers::monitored::wait_until;
use ringtrace_wire::arena::{FullPolicy, Header, PAGE_BYTES, StampUnit, at, bank, slot};
use ringtrace_wire::assembly::ENCODER;
use ringtrace_wire::compact::{BlockEncoder, BlockHeader};
use ringtrace_wire::ring::{self, ORDER};
use ringtrace_wire::simpletrace::encode::Value;
use ringtrace_wire::simpletrace::metadata::{self, Anchor, MISSING, Metadata};

/// Returns the start of a trace file.
fn opening() -> Vec<u8> {
    let mut bytes = Vec::new();
    ENCODER.header(0, 0, &mut bytes);
    let command = Metadata::Other(metadata::COMMAND.to_owned(), b"./vmm\0--name\0first one".to_vec());
    let policy = Metadata::Other(metadata::POLICY.to_owned(), b"discard".to_vec());
    let declaration = Metadata::Declaration("tick(uint64_t n) \"n=%\"PRIu64".to_owned());
    let anchor = Metadata::Anchor(Anchor { monotonic_ns: 1, realtime_ns: 1_750_000_000_000_000_000 });
    for (number, metadata) in
        [Metadata::Version(1), anchor, command, policy, declaration].into_iter().enumerate()
    {
        metadata.encode(number as u32, ORDER, &mut bytes);
    }
    ENCODER.mapping(1, b"tick", &mut bytes);
    bytes
}

/// Creates an arena of a process with one thread, which recorded three events and lost two.
fn arena(pid: u32, full: FullPolicy, trace: &Path) -> Vec<u8> {
    let header = Header {
        pid,
        full,
        segment: 0,
        slots: 1,
        ring_bytes: PAGE_BYTES as u64,
        metadata_capacity: PAGE_BYTES as u64,
        started_ns: 1_750_000_000_000_000_000 + u64::from(pid),
        stamps: StampUnit::Ns,
    };
    let mut arena = vec![0; header.file_bytes()];
    let mut put = |place: usize, bytes: &[u8]| arena[place..place + bytes.len()].copy_from_slice(bytes);
    let opening = opening();
    put(0, &header.encode());
    put(header.metadata_at(), &opening);
    put(at::METADATA_BYTES, &(opening.len() as u64).to_ne_bytes());
    let path = trace.as_os_str().as_encoded_bytes();
    put(at::PATH, path);
    put(at::PATH_BYTES, &(path.len() as u32).to_ne_bytes());
    put(bank::AT[1] + bank::SEQUENCE, &1_u64.to_ne_bytes());
    put(bank::AT[1] + bank::FILE_BYTES, &(opening.len() as u64).to_ne_bytes());
    let records = [1_000, 2_000, 3_000].into_iter().enumerate();
    let words =
        records.flat_map(|(n, stamp)| ring::header(ring::number(1), stamp, 8).into_iter().chain([n as u64]));
    let ring: Vec<u8> = words.flat_map(u64::to_ne_bytes).collect();
    let (slot_at, page) = (header.slot_at(0), header.ring_page_bytes() as usize);
    // The first page of a flight recorder has number 1, so it is the second page in the ring.
    let place = if full == FullPolicy::Overwrite { page } else { 0 };
    put(header.ring_at(0) + place, &ring);
    put(slot_at + slot::BASE, &(1_u64 << 40).to_ne_bytes());
    put(slot_at + slot::PUBLISHED, &((1_u64 << 40) + (place + ring.len()) as u64).to_ne_bytes());
    put(slot_at + slot::OWNER_NUMBER, &1_u32.to_ne_bytes());
    put(slot_at + slot::TID, &(pid + 1).to_ne_bytes());
    put(slot_at + slot::NAME, b"vcpu 0");
    if full == FullPolicy::Overwrite {
        let entry = slot_at + slot::PAGES + slot::PAGE_ENTRY_BYTES;
        put(entry + slot::PAGE_NUMBER, &1_u64.to_ne_bytes());
        put(entry + slot::PAGE_TID, &(pid + 1).to_ne_bytes());
        put(entry + slot::PAGE_BEFORE, &2_u64.to_ne_bytes());
    } else {
        put(slot_at + slot::DROPPED, &2_u64.to_ne_bytes());
    }
    arena
}

#[test]
fn arenas_are_listed_and_recovered() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("run")).unwrap();
    fs::write(path("vmm.trace"), opening()).unwrap();
    fs::write(path("run/4711-0.arena"), arena(4711, FullPolicy::Discard, Path::new("vmm.trace"))).unwrap();
    fs::write(path("run/4800-0.arena"), arena(4800, FullPolicy::Overwrite, Path::new("gone.trace"))).unwrap();
    fs::write(path("run/0-0.arena"), "what is this").unwrap();
    Shell::new(folder.path()).hold_all(&root().join("testdata/recover"));
}

/// The trace file of a killed program may be compact. Its first block may be larger than what is read
/// to recognize the trace, it is read up to the commit, and damage costs only its block.
#[test]
fn compact_trace_files_are_recovered_as_v4() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("run")).unwrap();
    let (mut v4, mut compact, mut encoder) = (opening(), Vec::new(), BlockEncoder::default());
    encoder.push(&v4, |_| None, &mut compact).unwrap();
    let mut ends = Vec::new();
    for n in 0_u64..40_000 {
        // These numbers cannot be compressed.
        let value = Value::Integer(n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let start = v4.len();
        ENCODER.record(4712 << 32 | 1, 10 + n, 4711, &[value], &mut v4).unwrap();
        encoder.push(&v4[start..], |_| None, &mut compact).unwrap();
        if n > 30_000 && n % 1000 == 0 {
            encoder.finish(&mut compact);
            ends.push((v4.len(), compact.len()));
        }
    }
    encoder.finish(&mut compact);
    let first = BlockHeader::parse(&compact).unwrap().block_bytes();
    assert!(first > 300_000, "{first}");
    // The last blocks are not committed.
    let (v4_bytes, compact_bytes) = ends[6];
    let recover = |trace: &[u8], committed: usize| {
        fs::write(path("vmm.trace"), trace).unwrap();
        let mut arena = arena(4711, FullPolicy::Discard, Path::new("vmm.trace"));
        let at = bank::AT[1] + bank::FILE_BYTES;
        arena[at..at + 8].copy_from_slice(&(committed as u64).to_ne_bytes());
        fs::write(path("run/4711-0.arena"), arena).unwrap();
        let output = tool(folder.path(), &["recover", "4711", "-o", "out", "--force"]);
        assert!(output.status.success(), "{output:?}");
        (fs::read(path("out")).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let expected = recover(&v4, v4_bytes);
    assert!(expected.0.starts_with(&v4[..v4_bytes]));
    assert_eq!(recover(&compact, compact_bytes), expected);
    let output = tool(folder.path(), &["recover", "4711", "-o", "out.zst"]);
    assert!(output.status.success(), "{output:?}");
    let output = tool(folder.path(), &["convert", "out.zst", "plain"]);
    assert!(output.status.success(), "{output:?}");
    assert!(fs::read(path("out.zst")).unwrap().starts_with(&[0x28, 0xb5, 0x2f, 0xfd]));
    let records = |name: &str| tool(folder.path(), &["print", name, "--style", "log"]).stdout;
    assert!(records("plain") == records("out"), "a compressed trace has other records");
    compact[ends[3].1 + 300] ^= 1;
    let (bytes, said) = recover(&compact, compact_bytes);
    // The trace says that a part is missing.
    let missing = format!("{MISSING}all events in the unreadable part of the trace file");
    assert!(bytes.windows(missing.len()).any(|window| window == missing.as_bytes()));
    assert_eq!(bytes.len(), expected.0.len() - (ends[4].0 - ends[3].0) + missing.len());
    assert!(said.contains(&format!("of {compact_bytes}")) || said.contains("trace file"), "{said}");
}

/// `--remove` removes a program's arenas only after the program has ended.
#[test]
fn a_running_program_keeps_its_arenas() {
    let folder = tempfile::tempdir().unwrap();
    let arenas = folder.path().join("arenas");
    fs::create_dir(&arenas).unwrap();
    let trace = format!("*,policy=overwrite,buffer=128K,file={}", folder.path().join("t").display());
    let mut engine = engine::start(folder.path(), "auto", &["--trace", &trace]);
    let pid = engine.id().to_string();
    let tool = |option: &str| {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
        tool.args(["recover", &pid, option]).current_dir(folder.path()).env("RINGTRACE_DIR", &arenas);
        tool.output().unwrap()
    };
    let recover = || {
        let output = tool("--remove");
        assert!(output.status.success(), "{output:?}");
        fs::read_dir(&arenas).unwrap().count()
    };
    // The monitor listens before the arena exists.
    wait_until("the program records", || tool("--list").status.success());
    let mut stat = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    stat.args(["stat", "t"]).current_dir(folder.path()).env("RINGTRACE_DIR", &arenas);
    let said = String::from_utf8(stat.output().unwrap().stderr).unwrap();
    let advice = format!("`ringtrace recover {pid}` writes them to another trace now");
    assert!(said.contains("keeps its newest events in memory") && said.contains(&advice), "{said}");
    assert!(recover() > 0);
    assert!(folder.path().join(format!("trace-{pid}.snapshot")).exists());
    assert!(engine.is_running());
    let killed = Command::new("kill").args(["-KILL", &pid]).status().unwrap();
    assert!(killed.success());
    engine.wait();
    assert_eq!(recover(), 0);
    assert!(folder.path().join(format!("trace-{pid}.recovered")).exists());
}

/// A supervisor starts a killed service again, with the same options.
#[test]
fn the_trace_of_a_killed_program_is_kept_when_it_starts_again() {
    let folder = tempfile::tempdir().unwrap();
    let trace = format!("*,exists=rename,file={}", folder.path().join("t").display());
    let run = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
        let command = command.args(words).current_dir(folder.path());
        let output = command.env("RINGTRACE_DIR", folder.path().join("arenas")).output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let events = |file: &str| run(&["print", file, "--count"]).0.trim().parse::<u64>().unwrap_or(0);
    let start = || engine::start(folder.path(), "auto", &["--trace", &trace]);
    let killed = start();
    wait_until("it has written events", || events("t") > 10);
    let pid = killed.id().to_string();
    assert!(Command::new("kill").args(["-KILL", &pid]).status().unwrap().success());
    killed.wait();
    let bytes = fs::read(folder.path().join("t")).unwrap();

    let again = start();
    // The monitor listens before the file is renamed.
    wait_until("the file is renamed", || folder.path().join("t.old").exists());
    wait_until("it has written events", || events("t") > 10);
    assert_eq!(fs::read(folder.path().join("t.old")).unwrap(), bytes);
    let (_, said) = run(&["print", "t.old", "--count"]);
    // It may just have written all of its events.
    let how = ["was killed", "did not finish the trace"];
    assert!(how.iter().any(|how| said.contains(&format!("t.old: process {pid} {how}"))), "{said}");
    let (info, _) = run(&["info", "t"]);
    assert!(!info.contains("killed"), "{info}");
    // The trace ends normally. The arena of the killed program is still there.
    again.terminate();
    again.wait();
    let (_, said) = run(&["print", "t", "--count"]);
    assert_eq!(said, "");
    let (said, _) = run(&["recover", "-o", "whole"]);
    assert!(said.contains("Lost") && said.contains("no events"), "{said}");
    assert!(events("whole") >= events("t.old"));
}

/// Runs an engine with files of at most `kib`, which records 40 MiB.
fn limited_engine(folder: &Path, kib: u32) -> Output {
    let engine = Path::new(env!("CARGO_BIN_EXE_ringtrace")).with_file_name("engine");
    let mut command = Command::new("bash");
    command.args(["-c", &format!("ulimit -f {kib}; exec \"$@\""), "bash"]).arg(engine);
    command.args(["--threads", "1", "--rate", "0", "--requests", "200000", "--trace"]);
    command.arg("*,policy=block,buffer=128K,threads=2,file=t");
    command.current_dir(folder).env("RINGTRACE_DIR", "run").output().unwrap()
}

/// The system would kill the process with `SIGXFSZ`.
#[test]
fn a_limit_below_the_size_of_the_buffers_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let output = limited_engine(folder.path(), 2 << 10);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("File too large") && said.contains("`ulimit -f`"), "{said}");
}

/// A limit on the size of files has the same effect as a full disk. The program ends normally, and leaves
/// the events that it could not write.
#[test]
fn a_program_that_could_not_write_its_last_events_was_not_killed() {
    let folder = tempfile::tempdir().unwrap();
    let output = limited_engine(folder.path(), 20 << 10);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && said.contains("the file is incomplete"), "{said}");
    let run = |words: &[&str]| {
        let output = tool(folder.path(), words);
        let (out, said) =
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        (out, said, output.status.code())
    };
    let (listed, ..) = run(&["list"]);
    assert!(listed.contains("  ended  ") && !listed.contains("killed"), "{listed}");
    assert!(listed.contains("1 program left events in memory"), "{listed}");
    let (long, ..) = run(&["list", "--long"]);
    assert!(long.contains(" has ended tracing, but could not write its last events\n"), "{long}");
    let (info, ..) = run(&["info", "t"]);
    assert!(
        info.contains("  Ended       by the program, but it could not write its last events: "),
        "{info}"
    );
    assert!(info.contains("  Dropped     no event up to the end of the file\n"), "{info}");
    let (_, said, code) = run(&["print", "t"]);
    let warning = " could not write its last events, which are still in memory\n";
    assert!(said.contains(warning) && code == Some(0), "{said}");
    let (stat, ..) = run(&["stat", "t"]);
    assert!(stat.contains("The program could not write its last events, which are missing."), "{stat}");
    let (recovered, ..) = run(&["recover", "-o", "whole"]);
    assert!(recovered.contains(" dropped since\n"), "{recovered}");
    let (info, ..) = run(&["info", "whole"]);
    assert!(!info.contains("  Dropped     no event"), "{info}");
}

fn tool(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    command.args(words).current_dir(folder).env("RINGTRACE_DIR", "run").env("LC_ALL", "C.UTF-8");
    command.output().unwrap()
}

/// Runs the tool with at most 512 MiB of memory and a minute of processor time. Returns its
/// standard output and standard error.
fn limited(folder: &Path, words: &str) -> String {
    let script = format!("ulimit -v 524288; ulimit -t 60; exec \"$TOOL\" {words} 2>&1");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).env("TOOL", env!("CARGO_BIN_EXE_ringtrace"));
    let output = command.current_dir(folder).env("RINGTRACE_DIR", "run").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{words}: {text}");
    text
}

/// A process id that no process can have.
const NOBODY: u32 = 1 << 30;

fn arena_path(folder: &Path, pid: u32) -> std::path::PathBuf {
    folder.join(format!("run/{pid}-0.arena"))
}

/// Creates a sparse arena that claims 64 full rings of 512 MiB, and 4 GiB of metadata.
fn write_sparse(folder: &Path, full: FullPolicy) {
    let header = Header {
        pid: NOBODY,
        full,
        segment: 0,
        slots: 64,
        ring_bytes: 1 << 29,
        metadata_capacity: 1 << 32,
        started_ns: 1_750_000_000_000_000_000,
        stamps: StampUnit::Ns,
    };
    let file = fs::File::create(arena_path(folder, NOBODY)).unwrap();
    let write = |at: usize, bytes: &[u8]| file.write_all_at(bytes, at as u64).unwrap();
    file.set_len(header.file_bytes() as u64).unwrap();
    write(0, &header.encode());
    write(at::METADATA_BYTES, &u64::MAX.to_ne_bytes());
    write(header.metadata_at(), &opening());
    for index in 0..64 {
        let page = header.slot_at(index);
        write(page + slot::PUBLISHED, &((1_u64 << 29) - 8).to_ne_bytes());
        write(page + slot::OWNER_NUMBER, &1_u32.to_ne_bytes());
        for index in 0..16_u64 {
            let entry = page + slot::PAGES + index as usize * slot::PAGE_ENTRY_BYTES;
            write(entry + slot::PAGE_NUMBER, &(index + 16).to_ne_bytes());
            write(entry + slot::PAGE_BYTES, &(1_u64 << 25).to_ne_bytes());
        }
    }
}

#[test]
fn sparse_arenas_with_huge_claims_need_little() {
    for full in [FullPolicy::Discard, FullPolicy::Overwrite] {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("run")).unwrap();
        write_sparse(folder.path(), full);
        let listed = limited(folder.path(), "list --long");
        assert!(listed.contains("In memory   32.0 GiB of events\n"), "{listed}");
        let recovered = limited(folder.path(), "recover -o out");
        assert!(recovered.contains("From memory 0 events of 0 threads\n"), "{recovered}");
        assert!(fs::metadata(folder.path().join("out")).unwrap().len() < 1 << 20);
    }
}

#[test]
fn links_pipes_and_folders_are_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("run")).unwrap();
    fs::write(path("real.arena"), arena(NOBODY, FullPolicy::Discard, Path::new("gone"))).unwrap();
    symlink("../real.arena", path("run/1-0.arena")).unwrap();
    symlink("/dev/zero", path("run/2-0.arena")).unwrap();
    fs::create_dir(path("run/3-0.arena")).unwrap();
    let pipe = path("run/4-0.arena");
    rustix::fs::mknodat(rustix::fs::CWD, pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let warnings: String =
        (1..5).map(|pid| format!("warning: run/{pid}-0.arena: not a regular file\n")).collect();
    let none = "no program is tracing to run, and none has left events there\n";
    assert_eq!(limited(folder.path(), "list --long"), format!("{warnings}{none}"));
    let none = "note: no program left any events in run\n";
    assert_eq!(limited(folder.path(), "recover --remove"), format!("{warnings}{none}"));
    assert_eq!(fs::read_dir(path("run")).unwrap().count(), 4);
    // A link is not followed, even if it is named explicitly.
    assert_eq!(tool(folder.path(), &["recover", "run/1-0.arena"]).status.code(), Some(1));
}

/// The user id of the unprivileged user `nobody`, on every system.
const OTHER_USER: u32 = 65534;

#[test]
fn arenas_that_others_put_into_a_folder_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("run")).unwrap();
    let path = arena_path(folder.path(), NOBODY);
    fs::write(&path, arena(NOBODY, FullPolicy::Discard, Path::new("gone"))).unwrap();
    if chown(&path, Some(OTHER_USER), None).is_err() {
        eprintln!("SKIPPED: only root can give a program to another user");
        return;
    }
    let warning = format!("warning: run/{NOBODY}-0.arena: the arena belongs to user {OTHER_USER}\n");
    let none = "no program is tracing to run, and none has left events there\n";
    assert_eq!(limited(folder.path(), "list --long"), format!("{warning}{none}"));
    assert!(limited(folder.path(), "recover --remove").starts_with(&warning));
    assert!(path.exists());
    // If the folder belongs to the same user as the arena, the arena is read.
    chown(folder.path().join("run"), Some(OTHER_USER), None).unwrap();
    let listed = limited(folder.path(), "list --long");
    assert!(listed.contains(&format!("  User        {OTHER_USER}\n")), "{listed}");
}

#[test]
fn many_arenas_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("run")).unwrap();
    // Create more files than a process may open by default.
    for pid in NOBODY..NOBODY + 1100 {
        fs::write(arena_path(folder.path(), pid), arena(pid, FullPolicy::Discard, Path::new("gone")))
            .unwrap();
    }
    let listed = String::from_utf8(tool(folder.path(), &["list", "--long"]).stdout).unwrap();
    assert_eq!(listed.matches(" was killed\n").count(), 1100);
}

#[test]
fn arenas_without_a_header_are_reported_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("run")).unwrap();
    let path = |name: &str| folder.path().join("run").join(name);
    fs::write(path(&format!("{NOBODY}-0.arena")), "").unwrap();
    fs::write(path(&format!("{NOBODY}-1.arena")), [0; 3 << 12]).unwrap();
    fs::write(path(&format!("{NOBODY}-2.arena")), "what is this").unwrap();
    let running = std::process::id();
    fs::write(path(&format!("{running}-0.arena")), "").unwrap();
    let other = format!("warning: run/{NOBODY}-2.arena: not an arena\n");
    let unfinished = "1 arena without a header uses 12.0 KiB of memory: a program was killed while it started.\n\
        `ringtrace recover --remove` removes such arenas.\n";
    assert_eq!(limited(folder.path(), "list --long"), format!("{other}{unfinished}"));
    // Without the option, nothing is removed.
    assert_eq!(
        limited(folder.path(), "recover"),
        format!("{other}note: no program left any events in run\n")
    );
    let removed = "note: removed 2 arenas without a header, with 12.0 KiB of memory\n";
    assert_eq!(limited(folder.path(), "recover --remove"), format!("{other}{removed}"));
    let names = fs::read_dir(folder.path().join("run")).unwrap().flatten();
    let names: HashSet<_> = names.map(|entry| entry.file_name().into_string().unwrap()).collect();
    assert_eq!(names, HashSet::from([format!("{NOBODY}-2.arena"), format!("{running}-0.arena")]));
}
