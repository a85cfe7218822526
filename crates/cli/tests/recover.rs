//! Console sessions of `ringtrace recover` on arenas created here, in `testdata/recover`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests may; clippy knows only functions marked as tests"
)]

mod console;
mod engine;

use std::fs;
use std::path::Path;
use std::process::Command;

use console::{Shell, root};
use ringtrace_peers::monitored::wait_until;
use ringtrace_wire::arena::{FullPolicy, Header, PAGE_BYTES, StampUnit, at, bank, slot};
use ringtrace_wire::assembly::ENCODER;
use ringtrace_wire::ring::{self, ORDER};
use ringtrace_wire::simpletrace::metadata::{self, Anchor, Metadata};

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
    // The first page of a flight recorder has number 1, so it is in the second place.
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

/// `--remove` removes the arenas of a program only after its end.
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
    assert!(recover() > 0);
    assert!(folder.path().join(format!("trace-{pid}.snapshot")).exists());
    assert!(engine.is_running());
    let killed = Command::new("kill").args(["-KILL", &pid]).status().unwrap();
    assert!(killed.success());
    engine.wait();
    assert_eq!(recover(), 0);
    assert!(folder.path().join(format!("trace-{pid}.recovered")).exists());
}
