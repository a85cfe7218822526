//! Recovers a trace from the arena of a killed program, with random changes.

#![allow(clippy::panic, reason = "targets report failures by panicking")]

use std::io::Write;

use ringtrace_tracefile::recover::{ArenaFile, gather};
use ringtrace_wire::Little;
use ringtrace_wire::arena::{FullPolicy, Header, PAGE_BYTES, StampUnit, at, slot};
use ringtrace_wire::assembly::ENCODER;
use ringtrace_wire::ring;
use ringtrace_wire::simpletrace::v4::V4;
use ringtrace_wire::simpletrace::{ByLength, Layout, Step, header};

use crate::Target;

pub(crate) const TARGET: Target =
    Target { name: "arena", about: "recovering any arena gives a valid trace", max_bytes: 512, run };

/// An arbitrary address for the ring.
const BASE: u64 = 0x7f00_0000_0000;

/// An input is a byte for the policy, followed by changes. A change is a 3-byte offset and a word.
fn run(data: &[u8]) {
    let Some((&policy, changes)) = data.split_first() else { return };
    let mut arena =
        arena([FullPolicy::Discard, FullPolicy::Block, FullPolicy::Overwrite][usize::from(policy) % 3]);
    for change in changes.chunks_exact(3 + 8) {
        let place = usize::from(change[0]) | usize::from(change[1]) << 8 | usize::from(change[2]) << 16;
        // The words that recovery reads are aligned.
        let place = place % (arena.len() / 8) * 8;
        arena[place..place + 8].copy_from_slice(&change[3..]);
    }
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file can be created");
    file.write_all(&arena).expect("the file can be written");
    let Ok(arena) = ArenaFile::open(file.path()) else { return };
    let processes = gather(vec![arena]).expect("the file can be read");
    let [process] = processes.as_slice() else { panic!("{} processes in one arena", processes.len()) };
    let mut trace = Vec::new();
    let recovered = process.recover(|bytes| {
        trace.extend_from_slice(bytes);
        Ok(())
    });
    recovered.expect("the file can be read");
    assert_whole(&trace);
}

/// Returns an arena with two records.
fn arena(full: FullPolicy) -> Vec<u8> {
    let header = Header {
        pid: 4711,
        full,
        segment: 0,
        slots: 1,
        ring_bytes: PAGE_BYTES as u64,
        metadata_capacity: PAGE_BYTES as u64,
        started_ns: 1,
        stamps: StampUnit::Ns,
    };
    let mut arena = vec![0; header.file_bytes()];
    let mut put = |place: usize, bytes: &[u8]| arena[place..place + bytes.len()].copy_from_slice(bytes);
    put(0, &header.encode());
    let mut metadata = Vec::new();
    ENCODER.header(0, 0, &mut metadata);
    ENCODER.mapping(1, b"one", &mut metadata);
    put(header.metadata_at(), &metadata);
    put(at::METADATA_BYTES, &(metadata.len() as u64).to_ne_bytes());
    let ring: Vec<u8> = [100, 200]
        .into_iter()
        .flat_map(|stamp| ring::header(ring::number(1), stamp, 8).into_iter().chain([stamp]))
        .flat_map(u64::to_ne_bytes)
        .collect();
    // A flight recorder's first page has number 1, which is the second page of the ring.
    let place = if full == FullPolicy::Overwrite { header.ring_page_bytes() as usize } else { 0 };
    put(header.ring_at(0) + place, &ring);
    let slot_at = header.slot_at(0);
    put(slot_at + slot::BASE, &BASE.to_ne_bytes());
    put(slot_at + slot::PUBLISHED, &(BASE + (place + ring.len()) as u64).to_ne_bytes());
    put(slot_at + slot::OWNER_NUMBER, &1_u32.to_ne_bytes());
    put(slot_at + slot::TID, &7_u32.to_ne_bytes());
    put(slot_at + slot::PAGES + slot::PAGE_ENTRY_BYTES + slot::PAGE_NUMBER, &1_u64.to_ne_bytes());
    put(slot_at + slot::PAGES + slot::PAGE_ENTRY_BYTES + slot::PAGE_TID, &7_u32.to_ne_bytes());
    arena
}

fn assert_whole(trace: &[u8]) {
    let mut rest = trace.get(header::HEADER_BYTES..).expect("a header");
    while !rest.is_empty() {
        let size = match V4::<Little>::step(rest, &ByLength) {
            Step::Record(record) => record.size,
            Step::Mapping(mapping) => mapping.size,
            step => panic!("{} bytes from the end: {step:?}", rest.len()),
        };
        rest = &rest[size..];
    }
}
